"""Who are models, who are people: by name, or by a column of the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from accord.answers.inference.scoring import check_names
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.door import is_data, names_of
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings

_MODELS = ("model", "models", "llm", "machine", "ai", "system")
_PEOPLE = ("human", "humans", "person", "people")


def parties(
    data: Data, models: str | Iterable[str] | None, people: str | Iterable[str] | None = None, kind: str | None = None
) -> tuple[list[str], list[str]]:
    """Models and people, by name. The column `kind` says of every annotator what they are; models then choose some."""
    named = list(names_of(models)) if models is not None else []
    check_names(named, data)
    all_models = named if kind is None else _by_column(data, kind)
    if strange := [name for name in named if name not in all_models]:
        raise SpecError(f"{quoted(strange[0])} is a person, column {quoted(str(kind))} says")
    named = named or all_models
    if not named:
        no_model = f"column {quoted(kind)} says of nobody that they are a model" if kind is not None else ""
        raise SpecError(no_model or "name the models: models=['gpt', 'llama']")
    humans = list(names_of(people)) if people is not None else [n for n in data.present if n not in all_models]
    check_names(humans, data)
    if both := [name for name in humans if name in named]:
        raise SpecError(f"{quoted(both[0])} is named as a model and as a person")
    if len(humans) < 2:
        who = f" ({quoted(humans[0])})" if humans else ""
        many = counted(len(humans), "person") if humans else "nobody is a person"
        raise DataError(f"{many}{who}: a model is held against a person by what others say")
    return named, humans


def with_column(data: Any, reading: Mapping[str, Any], kind: str | None) -> Mapping[str, Any]:
    """Options for reading the column as well; data that were read have it already, or have it not."""
    return reading if kind is None or is_data(data) else {**reading, "by": (kind,)}


def _by_column(data: Data, column: str) -> list[str]:
    if not isinstance(data, Ratings | Corpus):
        raise SpecError(f"people and models are compared on labels of items and on units, not on {data.kind.words}")
    if column not in data.features:
        raise UnknownName("column", column, data.features)
    feature, found = data.features[column], dict[str, bool]()
    pairs = np.unique(np.stack([data.annotator, feature.codes]), axis=1).T.tolist()
    for who, code in pairs:
        name, said = data.annotators[who], feature.names[code] if code >= 0 else ""
        word = said.strip().lower()
        if word not in {*_MODELS, *_PEOPLE}:
            raise DataError(f"column {quoted(column)} of {quoted(name)} says {quoted(said)}: it takes model or human")
        if found.setdefault(name, word in _MODELS) != (word in _MODELS):
            raise DataError(f"column {quoted(column)}: {quoted(name)} is a model here and a person there")
    return [name for name in data.present if found.get(name)]

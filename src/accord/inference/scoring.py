"""Data → score with its interval and its signature: what every question about scores begins with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord._version import __version__
from accord.context import Run
from accord.errors import DataError, SpecError, UnknownName
from accord.inference.intervals.methods import RESAMPLING, Settings, with_interval
from accord.io import read
from accord.measures.base import Measure
from accord.model.corpus import Continuum, Corpus
from accord.model.labels import Categories, arrange
from accord.model.ratings import Ratings, choose_annotators
from accord.model.segmentations import Segmentations
from accord.model.texts import BASE, Column, Texts
from accord.result import Score

Data: TypeAlias = Ratings | Corpus | Segmentations | Texts


@dataclass(frozen=True, eq=False)
class Scored:
    """A score and all that it came from."""

    data: Any  # ratings, units, segmentations, or whatever else a measure takes
    measure: Measure
    evidence: Any
    score: Score


def scored(data: Any, measure: Measure, settings: Settings, run: Run) -> Scored:
    """Observed, estimated, explained, with its interval."""
    evidence = measure.observe(data, run)
    found = measure.estimate(evidence)
    found = replace(found, details=measure.explain(evidence, found))
    found = with_interval(found, measure, evidence, settings, run)
    how = named(settings.for_measure(measure, found.n))
    signature = f"accord {__version__} | {measure} | {how} | seed {run.seed} | data {data.digest}"
    return Scored(data, measure, evidence, replace(found, signature=signature, symbol=measure.symbol))


def named(settings: Settings) -> str:
    """The interval as it stands in a signature: all that it depends on."""
    if settings.method == "none":
        return "no interval"
    parts = [settings.method, f"{settings.level:g}"]
    if settings.method in RESAMPLING:
        parts.append(f"{settings.replicates} replicates")
    if settings.items_population is not None:
        parts.append(f"of {settings.items_population} items")
    if settings.annotators_population is not None:
        parts.append(f"of {settings.annotators_population} annotators")
    return " ".join(parts)


def anything(given: Any, reading: Mapping[str, Any]) -> Any:
    """What was read already, or is read now."""
    if not hasattr(given, "digest") and not isinstance(given, Continuum):
        return read(given, **reading)
    if reading:
        raise SpecError(f"{', '.join(reading)}: say this when reading: accord.read(data, …)")
    return given.alone if isinstance(given, Continuum) else given


def data_of(given: Any, reading: Mapping[str, Any]) -> Data:
    """The same, of the kinds that have items or documents to compare."""
    found = anything(given, reading)
    if not isinstance(found, Data):
        kind = type(found).__name__.lower()
        raise DataError(f"these are {kind}: comparisons are for labels of items, units, segmentations and texts")
    return found


def only(data: Data, annotators: Sequence[str]) -> Data:
    """Some annotators alone; a name that does not exist is an error with a suggestion."""
    if isinstance(data, Ratings):
        if not data.identified:
            raise DataError("counts do not say whose labels they are: annotators cannot be chosen")
        return choose_annotators(data, annotators)
    return data.only_annotators(annotators)


def only_named(data: Data, names: Collection[str]) -> Data:
    """Some items or documents alone."""
    if isinstance(data, Ratings):
        inside = np.array([name in names for name in data.items], dtype=bool)
        return data.keep(inside[data.item]).only_items()
    inside = np.array([name in names for name in data.docs], dtype=bool)
    return data.keep(inside[data.doc]) if isinstance(data, Segmentations) else data.only_docs(inside)


def present(data: Data) -> tuple[str, ...]:
    """The annotators who did anything."""
    used: NDArray[np.bool_]
    if isinstance(data, Ratings):
        used = data.labels_per_annotator > 0
    elif isinstance(data, Corpus):
        used = np.asarray(data.judged.any(axis=0))
    elif isinstance(data, Texts):
        whose = data.version_annotator[data.version_annotator != BASE]
        used = np.bincount(whose, minlength=len(data.annotators)) > 0
    else:
        used = np.bincount(data.annotator, minlength=len(data.annotators)) > 0
    return tuple(name for name, there in zip(data.annotators, used, strict=True) if there)


def check_names(names: Sequence[str], data: Data) -> None:
    known = present(data)
    for name in names:
        if name not in known:
            raise UnknownName("annotator", name, known)


def same_categories(a: Data, b: Data) -> tuple[Data, Data]:
    """Both with all categories of either: coefficients that count categories, and weights, are then comparable."""
    if isinstance(a, Texts) or isinstance(b, Texts):
        return _same_features(a, b) if isinstance(a, Texts) and isinstance(b, Texts) else (a, b)
    if a.categories.names == b.categories.names:
        return a, b
    union = _union(a.categories, b.categories)
    return recoded(a, union), recoded(b, union)


def _union(a: Categories, b: Categories) -> Categories:
    both = (*a, *(c for c in b if c not in set(a)))
    return Categories(both, declared=True) if a.declared and b.declared else arrange(both)


def _same_features(a: Texts, b: Texts) -> tuple[Texts, Texts]:
    """The features that both have, with all categories of either."""
    first: dict[str, Column] = {}
    second: dict[str, Column] = {}
    for name in (name for name in a.features if name in b.features):
        union = _union(a.features[name].categories, b.features[name].categories)
        for side, data in ((first, a), (second, b)):
            column = data.features[name]
            side[name] = Column(_codes(column.categories, union)[column.codes], union)
    return replace(a, features=first), replace(b, features=second)


def recoded(data: Ratings | Corpus | Segmentations, categories: Categories) -> Ratings | Corpus | Segmentations:
    """The same labels, with codes of other categories; a label that is not among them is left out."""
    return replace(data, label=_codes(data.categories, categories)[data.label], categories=categories)


def _codes(old: Categories, new: Categories) -> NDArray[np.int32]:
    number = {label: k for k, label in enumerate(new)}
    return np.array([*(number.get(label, -1) for label in old), -1], dtype=np.int32)

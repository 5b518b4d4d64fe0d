"""Objects in objects: find the level that names the annotators, and the records inside an object.

`read_levels` reads annotator → item → label, and item → annotator → label. `records_in` finds the records in an object
with metadata: `{"dataset": …, "instances": […]}`, `{"item1": {…}, "item2": {…}}`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.core.errors import quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.fields import FEW, Field, Record, fields_of, is_plain
from accord.data.io.tables.nested import as_sets, is_nothing, label_fields
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    ITEM,
    LABEL,
    calls_an_annotator,
    is_category,
    is_variable,
    plain_name,
)
from accord.data.io.tables.sources import MemorySource
from accord.data.model.data import Fact, some

_ITEM_NAME = re.compile(
    r"(?:item|doc|document|text|tweet|sentence|question|id|example|post|comment|sample|task|case|subject|unit|instance|"
    r"segment|image|img|utterance|q|s|ex)[ _.\-]?\d+|.+\.(?:txt|png|jpe?g|wav|mp3|json|xml|html?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Levels:
    """Labels under two names: of an outer and of an inner object."""

    outer: tuple[str, ...]
    inner: tuple[str, ...]
    cells: list[tuple[str, str, Any]]


def read_levels(top: Mapping[str, Any], name: str, how: Reading) -> MemorySource | None:
    """Read annotator → item → label, or item → annotator → label with many annotators.

    Return None if the inner objects are records with fixed fields, or if the evidence is weak: the rules for tables
    then decide, with each outer object as a row.
    """
    values = [value for value in top.values() if isinstance(value, Mapping)]
    if len(values) < 2 or len(values) < len(top) or not all(values):
        return None
    cells = [(str(o), str(i), label) for o, inner in top.items() for i, label in inner.items()]
    names = dict.fromkeys(i for _, i, _ in cells)
    if any(plain_name(i) in {*LABEL, *ASIDE, *ANNOTATOR, *ITEM} for i in names):
        return None
    deep = all(isinstance(label, Mapping) for *_, label in cells)
    if not deep and not all(label is None or _is_label(label) for *_, label in cells):
        return None
    levels = Levels(tuple(map(str, top)), tuple(names), cells)
    variables = _leaf_variables(levels, deep)
    if not variables:
        return None
    which = _which_are_annotators(levels, next(iter(variables.values())), how)
    if which is None or (which == "inner" and len(names) <= FEW and not deep):
        return None
    item, annotator = (1, 0) if which == "outer" else (0, 1)
    labels = {title: as_sets(column) for title, column in variables.items()}
    kept = [k for k in range(len(cells)) if any(not is_nothing(column[k]) for column in labels.values())]
    columns: dict[str, list[Any]] = {
        "item": [cells[k][item] for k in kept],
        "annotator": [cells[k][annotator] for k in kept],
        **{title: [column[k] for k in kept] for title, column in labels.items()},
    }
    where = "outer" if which == "outer" else "inner"
    people = levels.outer if which == "outer" else levels.inner
    note = Fact(f"{name}: the {where} names are annotators ({some(list(people), 3)})")
    places = tuple(f"{name}, {cells[k][0]}, {cells[k][1]}" for k in kept)
    return MemorySource(
        columns,
        name,
        is_file=True,
        notes=(note,),
        places=places,
        labels=tuple(labels),
        item="item",
        annotator="annotator",
    )


def _is_label(value: Any) -> bool:
    return is_plain(value) or (isinstance(value, list) and all(is_plain(one) for one in value))


def _leaf_variables(levels: Levels, deep: bool) -> dict[str, list[Any]]:
    """Return the labels under both names, by variable."""
    labels = [label for *_, label in levels.cells]
    if not deep:
        one = Field(("label",), labels)
        return {} if one.is_text else {"label": labels}
    fields = fields_of(labels)
    return {".".join(one.path): list(one.values) for one in label_fields(fields, [None] * len(labels))}


def _which_are_annotators(levels: Levels, labels: Sequence[Any], how: Reading) -> str | None:
    """Return "outer" or "inner", by names, or by size and agreement; None if they do not decide or the user did."""
    if how.annotators_in is not None:
        return None
    outer, inner = _share_called(levels.outer), _share_called(levels.inner)
    items_out, items_in = _share_items(levels.outer), _share_items(levels.inner)
    if any(
        is_variable(one) or is_category(one)
        for one in (levels.outer if len(levels.outer) < len(levels.inner) else levels.inner)
    ):
        return None
    if outer > 0.5 >= inner or items_in > 0.5 >= items_out:
        return None if inner > 0.5 or items_out > 0.5 else "outer"
    if inner > 0.5 >= outer or items_out > 0.5 >= items_in:
        return "inner"
    size = _larger(len(levels.inner), len(levels.outer), 2.5)
    by_outer: dict[str, list[Any]] = defaultdict(list)
    by_inner: dict[str, list[Any]] = defaultdict(list)
    for (o, i, _), label in zip(levels.cells, labels, strict=True):
        by_outer[o].append(label)
        by_inner[i].append(label)
    difference = _agreement(by_inner.values()) - _agreement(by_outer.values())
    agreement = 1 if difference > 0.1 else -1 if difference < -0.1 else 0
    if size == 0 or size != agreement:
        return None
    return "outer" if size > 0 else "inner"


def _larger(a: int, b: int, times: float) -> int:
    return 1 if a >= times * b else -1 if b >= times * a else 0


def _share_called(names: Sequence[str]) -> float:
    return sum(calls_an_annotator(name) for name in names) / len(names)


def _share_items(names: Sequence[str]) -> float:
    return sum(_ITEM_NAME.fullmatch(name) is not None for name in names) / len(names)


def _agreement(groups: Iterable[Sequence[Any]]) -> float:
    """Return nominal α within groups of labels. It only guides the guess."""
    total: Counter[str] = Counter()
    observed, n = 0.0, 0
    for group in groups:
        labels = Counter(str(label) for label in group if label is not None)
        size = labels.total()
        if size > 1:
            observed += (size * size - sum(k * k for k in labels.values())) / (size - 1)
            total += labels
            n += size
    if n < 2:
        return 0.0
    expected = (n * n - sum(k * k for k in total.values())) / (n - 1)
    return 1 - observed / expected if expected else 0.0


def records_in(top: Mapping[str, Any], place: str, name: str) -> Iterator[list[Record]]:
    """Yield lists of records inside an object: objects by name, or lists of objects among other fields."""
    values = list(top.values())
    if len(values) > 1 and all(isinstance(value, Mapping) and value for value in values):
        yield [Record(f"{name}, {quoted(key)}", value, str(key)) for key, value in top.items()]
        return
    if len(values) > 1 and all(isinstance(value, list) for value in values) and any(values):
        inside = "annotations" if any(isinstance(one, Mapping) for value in values for one in value) else "labels"
        yield [Record(f"{name}, {quoted(key)}", {inside: value}, str(key)) for key, value in top.items()]
        return
    for one in fields_of([top]):
        inner = one.values[0]
        if one.is_objects:
            yield [Record(f"{place}, {'.'.join(one.path)} {k}", item) for k, item in enumerate(inner, 1)]
        elif one.is_object and len(inner) > 1 and all(isinstance(value, Mapping) and value for value in inner.values()):
            yield [Record(f"{name}, {quoted(key)}", value, str(key)) for key, value in inner.items()]

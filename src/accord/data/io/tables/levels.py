"""Objects in objects: find the level that names the annotators, and the records inside an object.

`read_levels` reads annotator → item → label, and item → annotator → label. `records_in` finds the records in an object
with metadata: `{"dataset": …, "instances": […]}`, `{"item1": {…}, "item2": {…}}`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.fields import (
    FEW,
    Field,
    Record,
    fields_of,
    is_computed,
    is_plain,
    names_people,
    names_systems,
)
from accord.data.io.tables.nested import as_sets, is_nothing, label_fields, left_out
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    ITEM,
    LABEL,
    calls_an_annotator,
    first_of,
    is_category,
    is_person,
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
_CODE = re.compile(r"[a-zA-Z]{0,3}[_.\-]?\d+|[0-9a-fA-F\-]{6,}")  # t12, 1024, 3f9c2b: items or persons
_TABLES = {"items", "data", "annotations", "labels", "ratings", "judgments", "metadata", "train", "test", "dev", "rows"}
_FEW_TABLES = 5
_CLEARLY = 0.1  # difference of agreement that shows the level of items
_SHARED = 0.2  # share of items that several annotators label


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
    computed = [str(key) for key in top if is_computed(str(key))]
    if 0 < len(computed) < len(top) - 1:
        top = {key: value for key, value in top.items() if str(key) not in computed}
    values = [value for value in top.values() if isinstance(value, Mapping)]
    if len(values) < 2 or len(values) < len(top) or not all(values):
        return None
    _refuse_results(top, name, how)
    return _read_three_levels(top, name) or _read_two_levels(top, computed, name, how)


def _refuse_results(top: Mapping[str, Mapping[str, Any]], name: str, how: Reading) -> None:
    """Refuse results of systems, such as the accuracy of models in tasks."""
    numbers = [number for inner in top.values() for number in inner.values()]
    if (
        how.annotators_in is None
        and names_systems(list(map(str, top)))
        and all(isinstance(number, float) and not number.is_integer() for number in numbers)
    ):
        raise DataError(
            "roles-unclear",
            f"{name}: the numbers of {some(list(map(str, top)), 3)} may be results of systems and not labels; use "
            "--annotators-in rows if they are labels",
        )


def _read_two_levels(top: Mapping[str, Any], computed: Sequence[str], name: str, how: Reading) -> MemorySource | None:
    """Read labels under two names, one of which is the annotator. `computed`: outer names without annotators."""
    cells = [(str(o), str(i), label) for o, inner in top.items() for i, label in inner.items()]
    names = dict.fromkeys(i for _, i, _ in cells)
    if any(plain_name(i) in {*LABEL, *ASIDE, *ANNOTATOR, *ITEM} for i in names):
        return None
    deep = all(isinstance(label, Mapping) for *_, label in cells)
    if not deep and not all(label is None or _is_label(label) for *_, label in cells):
        return None
    levels = Levels(tuple(map(str, top)), tuple(names), cells)
    variables, unscored = _leaf_variables(levels, deep)
    if not variables:
        return None
    which = _which_are_annotators(levels, next(iter(variables.values())), how, name)
    plain = not deep and not any(isinstance(label, list) for *_, label in cells)
    if which is None or (which == "inner" and len(names) <= FEW and plain):
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
    notes: list[str] = [Fact(f"{name}: the {where} names are annotators ({some(list(people), 3)})")]
    if unscored:
        notes.append(Fact(f"columns not scored: {some(unscored, 8)}"))
    if computed and which == "outer":
        notes.append(f"{name}: not read as annotators, because their names mean computed labels: {some(computed, 3)}")
    places = tuple(f"{name}, {cells[k][0]}, {cells[k][1]}" for k in kept)
    return MemorySource(
        columns,
        name,
        is_file=True,
        notes=tuple(notes),
        places=places,
        labels=tuple(labels),
        item="item",
        annotator="annotator",
    )


def _read_three_levels(top: Mapping[str, Any], name: str) -> MemorySource | None:
    """Read labels under three names, if the names on the second or third level call annotators.

    The other two levels are items and variables: the level with fewer names has the variables.
    """
    cells = [
        (str(a), str(b), str(c), label)
        for a, first in top.items()
        if isinstance(first, Mapping)
        for b, second in first.items()
        if isinstance(second, Mapping)
        for c, label in second.items()
        if not is_computed(str(c)) and not is_computed(str(b))
    ]
    whole = all(isinstance(second, Mapping) for first in top.values() for second in first.values())
    if not cells or not whole or not all(label is None or _is_label(label) for *_, label in cells):
        return None
    names = [tuple(dict.fromkeys(cell[level] for cell in cells)) for level in range(3)]
    annotators = [level for level in range(3) if all(map(_calls_an_annotator, names[level])) and len(names[level]) > 1]
    if annotators not in ([1], [2]):
        return None  # with annotators outside, the inner objects have variables
    rest = [level for level in range(3) if level != annotators[0]]
    variable, item = sorted(rest, key=lambda level: len(names[level]))
    if len(names[variable]) > FEW or len(names[variable]) == len(names[item]):
        return None
    if names_systems(names[variable]) and not any(map(is_variable, names[variable])):
        cells = [(*_with_system(cell, item, variable, annotators[0]), "label", cell[3]) for cell in cells]
        item, annotators, variable = 0, [1], 2
        names = [tuple(dict.fromkeys(cell[level] for cell in cells)) for level in range(3)]
    by_row: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
    for cell in cells:
        by_row[cell[item], cell[annotators[0]]][cell[variable]] = cell[3]
    columns: dict[str, list[Any]] = {"item": [row[0] for row in by_row], "annotator": [row[1] for row in by_row]}
    columns |= {title: as_sets([given.get(title) for given in by_row.values()]) for title in names[variable]}
    known = f"annotators {some(list(names[annotators[0]]), 3)}; variables {some(list(names[variable]), 3)}"
    return MemorySource(
        columns,
        name,
        is_file=True,
        notes=(Fact(f"{name}: three levels of names: {known}"),),
        places=tuple(f"{name}, {quoted(row[0])}, {quoted(row[1])}" for row in by_row),
        labels=names[variable],
        item="item",
        annotator="annotator",
    )


def _with_system(cell: tuple[str, str, str, Any], item: int, system: int, annotator: int) -> tuple[str, str]:
    """Return the item, which is what a system wrote, and the annotator."""
    return f"{cell[item]}/{cell[system]}", str(cell[annotator])


def _calls_an_annotator(name: str) -> bool:
    return len(name) > 2 and calls_an_annotator(name)


def _is_label(value: Any) -> bool:
    return is_plain(value) or (isinstance(value, list) and all(is_plain(one) for one in value))


def _leaf_variables(levels: Levels, deep: bool) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """Return the labels under both names, by variable, and the fields beside them that are not read."""
    labels = [label for *_, label in levels.cells]
    if not deep:
        one = Field(("label",), labels)
        return {} if one.is_text else {"label": labels}, ()
    fields = fields_of(labels)
    unknown = [None] * len(labels)
    # A further variable differs under both names, so it does not matter yet which of them is the annotator.
    under_outer, under_inner = (label_fields(fields, unknown, [cell[k] for cell in levels.cells]) for k in (0, 1))
    chosen = [one for one in under_outer if one in under_inner]
    return {".".join(one.path): list(one.values) for one in chosen}, left_out(fields, chosen)


def _which_are_annotators(levels: Levels, labels: Sequence[Any], how: Reading, name: str) -> str | None:
    """Return "outer" or "inner", by names, or by size and agreement; None if the rules for tables must decide."""
    fewer = levels.outer if len(levels.outer) < len(levels.inner) else levels.inner
    if how.annotators_in is not None or any(is_variable(one) or is_category(one) for one in fewer):
        return None
    called = _compare(_share(calls_an_annotator, levels.outer), _share(calls_an_annotator, levels.inner))
    items = _compare(_share(_is_item, levels.inner), _share(_is_item, levels.outer))
    if called or items:
        return None if called * items < 0 else "outer" if called + items > 0 else "inner"
    by_outer: dict[str, list[Any]] = defaultdict(list)
    by_inner: dict[str, list[Any]] = defaultdict(list)
    for (o, i, _), label in zip(levels.cells, labels, strict=True):
        by_outer[o].append(label)
        by_inner[i].append(label)
    size = _larger(len(levels.inner), len(levels.outer), 2.5)
    difference = _agreement(by_inner.values()) - _agreement(by_outer.values())
    agreement = 1 if difference > _CLEARLY else -1 if difference < -_CLEARLY else 0
    people = _compare(_share(_is_person, levels.outer), _share(_is_person, levels.inner))
    signs = size + agreement + people
    shared = sum(len(given) > 1 for given in by_inner.values())
    # Names such as 82__gpt-4__1 may be persons or items, so they count as much as size or agreement.
    if signs and (people or size * agreement >= 0) and (shared >= _SHARED * len(by_inner) or signs < 0):
        return "outer" if signs > 0 else "inner"
    if _are_alike(by_inner.values()):
        raise DataError(
            "roles-unclear",
            f"{name}: the outer names ({some(list(levels.outer), 3)}) or the inner names "
            f"({some(list(levels.inner), 3)}) may be the annotators; use --annotators-in rows if the outer names are, "
            "or --annotators-in columns if the inner names are",
        )
    return None


def _compare(a: float, b: float) -> int:
    """Return 1 if only the first share is more than half, -1 if only the second is."""
    return int(a > 0.5 >= b) - int(b > 0.5 >= a)


def _larger(a: int, b: int, times: float) -> int:
    return 1 if a >= times * b else -1 if b >= times * a else 0


def _are_alike(groups: Iterable[Sequence[Any]]) -> bool:
    """Whether the labels under each name mostly occur under other names too."""
    sets = [{str(label) for label in group if label is not None} for group in groups]
    times = Counter(label for labels in sets for label in labels)
    return all(2 * sum(times[label] > 1 for label in labels) >= len(labels) for labels in sets)


def _share(has: Callable[[str], bool], names: Sequence[str]) -> float:
    return sum(map(has, names)) / len(names)


def _is_person(name: str) -> bool:
    return len(name) > 2 and is_person(name) and not _CODE.fullmatch(name)


def _is_item(name: str) -> bool:
    return _ITEM_NAME.fullmatch(name) is not None


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


def records_by_annotator(top: Mapping[str, Any], name: str) -> list[Record]:
    """Return the records of a list per annotator: {"ana": [{"id": 1, "label": …}], "ben": […]}; else an empty list.

    The names are persons, and most items are in the lists of several. train and test are no persons.
    """
    people = {str(key): value for key, value in top.items()}
    lists = list(people.values())
    if (
        len(people) < 2
        or any(map(is_computed, people))
        or not all(
            isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value) for value in lists
        )
    ):
        return []
    if not all(_calls_an_annotator(who) or _is_person(who) for who in people) or any(
        first_of([str(key) for one in value for key in one], ANNOTATOR) for value in lists
    ):
        return []
    item = first_of([str(key) for key in lists[0][0]], ITEM)
    named = [[str(one.get(item)) for one in value] for value in lists]
    if item is None or any(len(set(names)) < len(names) for names in named):
        return []
    times = Counter(one for names in named for one in names)
    if 2 * sum(many > 1 for many in times.values()) < len(times):
        return []
    return [
        Record(f"{name}, {quoted(who)} {k}", {"annotator": who, **one})
        for who, value in people.items()
        for k, one in enumerate(value, 1)
    ]


def records_in(top: Mapping[str, Any], place: str, name: str) -> Iterator[list[Record]]:
    """Yield lists of records inside an object: objects by name, or lists of objects among other fields."""
    values = list(top.values())
    if len(values) > 1 and all(isinstance(value, Mapping) and value for value in values):
        yield [Record(f"{name}, {quoted(key)}", value, str(key)) for key, value in top.items()]
        return
    if len(values) > 1 and all(isinstance(value, list) for value in values) and any(values) and not _hold_rows(top):
        inside = "annotations" if any(isinstance(one, Mapping) for value in values for one in value) else "labels"
        yield [Record(f"{name}, {quoted(key)}", {inside: value}, str(key)) for key, value in top.items()]
        return
    lists = {name: value for name, value in top.items() if isinstance(value, list) and value}
    fields = [{str(key) for row in value if isinstance(row, Mapping) for key in row} for value in lists.values()]
    if len(fields) > 1 and fields[0] and all(names == fields[0] for names in fields):  # train, test
        yield [
            Record(f"{place}, {part} {k}", {"split": part, **row})
            for part, rows in lists.items()
            for k, row in enumerate(rows, 1)
        ]
        return
    for one in fields_of([top]):
        inner = one.values[0]
        if one.is_objects:
            yield [Record(f"{place}, {'.'.join(one.path)} {k}", item) for k, item in enumerate(inner, 1)]
        elif one.is_object and len(inner) > 1 and all(isinstance(value, Mapping) and value for value in inner.values()):
            yield [Record(f"{name}, {quoted(key)}", value, str(key)) for key, value in inner.items()]


def _hold_rows(top: Mapping[str, Any]) -> bool:
    """Whether the lists of an object are tables: few long lists of objects, or names such as `annotations`."""
    objects = [value for value in top.values() if value and all(isinstance(one, Mapping) for one in value)]
    called = any(names_people(str(name)) or plain_name(str(name)) in _TABLES for name in top)
    longest = max(map(len, top.values()))
    return bool(objects) and (called or (len(top) <= _FEW_TABLES and longest > _FEW_TABLES * len(top)))

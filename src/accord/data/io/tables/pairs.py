"""Choices between two things whose order differs between rows: a label such as `left` or `A` is a position.

`name_choices` reads these labels as the names of the things, so that annotators who saw them in different orders can
agree: of `left: m2, right: m1, choice: left` and `left: m1, right: m2, choice: right`, both choose m2. If there are
more than two things, labels stay positions, but in the alphabetical order of both names, because each item offers only
two of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from accord.core.errors import quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, by_rows, cells_of
from accord.data.io.tables.mapping import parts_of_key
from accord.data.io.tables.roles import ITEM, LABEL, calls_an_annotator, is_called, is_system, plain_name, spellings
from accord.data.io.tables.sources import Source, View
from accord.data.model.labels import encode

_SIDES = (("left", "right"), ("first", "second"), ("top", "bottom"), ("a", "b"), ("1", "2"))
_THIRD = {"b": "c", "2": "3", "second": "third"}
_ALONE = {"left", "right"}  # columns with these names need no further word
_CHOICES = {*LABEL, "preferred", "chosen", "choose", "better", "best", "selected", "pick", "picked", "win", "wins"}
_FEW = 6  # different answers to a question about two things: left, right, tie, both bad
PAIR = "pair"  # the column with both names, in the same order in all rows


@dataclass(frozen=True)
class _Pair:
    """Two columns that name things, and the columns of labels that choose one of them by its position."""

    names: tuple[str, str]
    sides: tuple[str, str]
    labels: tuple[str, ...]
    things: frozenset[str] = frozenset()

    def read_as(self, label: str, things: tuple[str, str]) -> str:
        """Return the name of what was chosen, or its position in the alphabetical order of more than two things."""
        side = self.chosen(label)
        if side is None:
            return label
        if len(self.things) == 2:
            return things[side]
        return self.names[sorted(things).index(things[side])]

    def chosen(self, label: str) -> int | None:
        """Return which of both a label means; None for ties and other answers."""
        plain = plain_name(label).strip("[]() ")
        known = [{side, plain_name(name)} for side, name in zip(self.sides, self.names, strict=True)]
        return next((k for k, words in enumerate(known) if plain in words), None)


@dataclass
class _Chosen(View):
    """A table whose labels are the names of what was chosen, with a column for the pair."""

    pair: _Pair

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.source.header, PAIR)))

    @property
    def notes(self) -> tuple[str, ...]:
        listed, things = " and ".join(map(quoted, self.pair.labels)), " and ".join(map(quoted, self.pair.names))
        names = "the names in these columns"
        alphabet = f"{things} in the alphabetical order of {names}"
        return (
            *self.source.notes,
            f"{self.name}: {things} are in different orders for the same item, so labels in {listed} are positions; "
            f"they are read as {names if len(self.pair.things) == 2 else alphabet}",
        )

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        columns = {name: self._column(name) for name in dict.fromkeys([*wanted, *cells])}
        inside = by_rows([cells_of(columns[name]) for name in cells]) if cells else None
        return {name: columns[name] for name in wanted}, inside

    def _column(self, name: str) -> Column:
        if name in self.source.header and name not in self.pair.labels:
            return self.source.load([name])[0][name]
        loaded = self.source.load(list(dict.fromkeys([*self.pair.names, *self.pair.labels])))[0]
        things = list(zip(*(cells_of(loaded[thing]) for thing in self.pair.names), strict=True))
        if name == PAIR:
            return Column(*encode([" / ".join(sorted(two)) for two in things]))
        given = zip(cells_of(loaded[name]), things, strict=True)
        return Column(*encode([self.pair.read_as(label, two) for label, two in given]))


def name_choices(source: Source, how: Reading) -> Source:
    """Return a table with the names of what was chosen, if the order of two things differs for the same item."""
    if getattr(source, "labels", ()) or PAIR in source.header:
        return source
    for names, sides in _pairs_in(source.header):
        labels = tuple(name for name in source.header if name not in names and _may_choose(name, how))
        if not labels:
            continue
        things = {thing for column in source.load(names)[0].values() for thing in cells_of(column) if thing}
        pair = _with_labels(source, _Pair(names, sides, labels, frozenset(things)))
        if pair is not None and _swap(source, pair, how):
            return _Chosen(source, pair)
    return source


def _pairs_in(header: Sequence[str]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return pairs of columns whose names differ by a side: model_a and model_b, left and right."""
    by_name: Mapping[str, str] = {spellings(name)[-1]: name for name in reversed(header)}
    found = []
    for plain, name in by_name.items():
        for one, other in _SIDES:
            stem = plain.removesuffix(one)
            if stem == plain or (not stem.endswith("_") and plain not in _ALONE) or _is_person(name):
                continue
            second = by_name.get(stem + other)
            third = _THIRD.get(other)  # label_1, label_2, label_3 are no pair
            if (
                second is not None
                and (third is None or stem + third not in by_name)
                and not is_called(stem.strip("_"), LABEL)
            ):
                found.append(((name, second), (one, other)))
    return found


def _is_person(name: str) -> bool:
    """Whether a name calls an annotator: rater_a. model_a and model_b are compared."""
    return calls_an_annotator(name) and not is_system(name) and not name.lower().startswith("model")


def _may_choose(name: str, how: Reading) -> bool:
    return name in how.label or not _CHOICES.isdisjoint(spellings(name)[-1].split("_"))


def _with_labels(source: Source, pair: _Pair) -> _Pair | None:
    """Return the pair with the columns that contain both positions and few other answers."""
    kept = []
    for name in pair.labels:
        known = [label for label in set(cells_of(source.load([name])[0][name])) if label]
        sides = {pair.chosen(label) for label in known}
        if len(known) <= _FEW and {0, 1} <= sides:
            kept.append(name)
    return replace(pair, labels=tuple(kept)) if kept else None


def _swap(source: Source, pair: _Pair, how: Reading) -> bool:
    """Whether an item has the two things in both orders."""
    given = parts_of_key(how.item, source.header) if how.item is not None else ()
    items = [name for name in source.header if name in given or (not given and is_called(name, ITEM))]
    columns = source.load(list(dict.fromkeys([*pair.names, *items])))[0]
    things = list(zip(*(cells_of(columns[name]) for name in pair.names), strict=True))
    names = [cells_of(columns[name]) for name in items] or [[""] * len(things)]
    if any(first == second for first, second in things if first):
        return False
    return any(
        not {(item, *two) for item, two in zip(of, things, strict=True)}.isdisjoint(
            (item, second, first) for item, (first, second) in zip(of, things, strict=True)
        )
        for of in names
    )


__all__ = ["name_choices"]

"""The texts of a document side by side: as text for people, as a table for programs."""

from __future__ import annotations

from accord.measures.texts.side_by_side import BRACKETS, Row, Side, TextAlignments
from accord.report.tables import Cell, Table

_COLOURS = ("\x1b[1;31m", "\x1b[0m")
_TWO = 2


def text(found: TextAlignments, color: bool = False) -> str:
    """The differences, with a few tokens around them; what another text lacks is in colour, or in brackets."""
    return found.shown(_COLOURS if color else BRACKETS)


def table(found: TextAlignments) -> Table:
    """Every row: of two annotators side by side; of more, a line for each token."""
    if found.most > _TWO:
        columns = found.columns()
        return Table("", tuple(columns), tuple(zip(*columns.values(), strict=True)))
    features = found.features
    one = ("text", "start", "end", *features)
    names = ("doc", "first", "second", *(f"{side}_{name}" for side in ("first", "second") for name in one))
    return Table("", (*names, "difference", "cost"), tuple(_line(row, len(features)) for row in found))


def _line(row: Row, features: int) -> tuple[Cell, ...]:
    first, second = row.sides
    sides = (*_side(row.first, features), *_side(row.second, features))
    return (row.doc, first, second, *sides, row.difference, row.cost)


def _side(side: Side | None, features: int) -> tuple[Cell, ...]:
    if side is None:
        return (None,) * (3 + features)
    return (side.text, side.start, side.end, *(side.labels or (None,) * features))

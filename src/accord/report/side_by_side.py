"""Two texts of a document side by side, for every two annotators: as text for people, as a table for programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from accord.errors import DataError
from accord.io import Data
from accord.measures.text_gamma import TextGamma
from accord.measures.text_side_by_side import SAME, Row, Side, rendered, side_by_side
from accord.model.texts import Texts
from accord.report.cells import printable
from accord.report.tables import Cell, Table

_AROUND = 2  # rows shown around a difference
_CHANGED, _PLAIN = "\x1b[1;31m", "\x1b[0m"


def _compared(texts: Data, measure: TextGamma) -> Iterator[tuple[str, str, str, list[Row]]]:
    if not isinstance(texts, Texts):
        raise DataError("side by side stand texts that annotators changed; for units use -m gamma")
    for number, doc in enumerate(texts.docs):
        names = [texts.annotators[texts.version_annotator[v]] for v in texts.versions(number)]
        for a, b in combinations(names, 2):
            yield doc, a, b, side_by_side(texts, doc, a, b, measure)


def text(texts: Data, measure: TextGamma, color: bool = False) -> str:
    """The differences, with a few tokens around them; what the other lacks is in brackets, or in colour."""
    lines = []
    for doc, a, b, rows in _compared(texts, measure):
        features = tuple(texts.features) if isinstance(texts, Texts) else ()
        lines += [f"{doc}: {a} and {b}", rendered(rows, (a, b), features, context=_AROUND), ""]
    whole = "\n".join("".join(c if c == "\n" else printable(c) for c in line) for line in lines)
    return whole.replace("[", _CHANGED).replace("]", _PLAIN) if color else whole


def table(texts: Data, measure: TextGamma) -> Table:
    """Every aligned pair of tokens, and those without counterpart: a row each."""
    columns = ("doc", "first", "second", "first_text", "first_start", "first_end", "second_text", "second_start",
               "second_end", "difference", "cost")  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for doc, a, b, found in _compared(texts, measure):
        for row in found:
            kinds = "" if row.kinds == (SAME,) else ", ".join(row.kinds)
            rows.append((doc, a, b, *_side(row.first), *_side(row.second), kinds, row.cost))
    return Table("", columns, tuple(rows))


def _side(side: Side | None) -> tuple[Cell, Cell, Cell]:
    return (side.text, side.start, side.end) if side is not None else (None, None, None)

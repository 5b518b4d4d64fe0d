"""What simulations give, as tables and text."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Sequence
from typing import Any

from accord.errors import DataError, SpecError, quoted
from accord.io import read
from accord.model.corpus import Corpus
from accord.model.segmentations import Segmentations
from accord.simulate.generate import generate
from accord.simulate.xray import Xray

Rows = tuple[tuple[Any, ...], ...]


def given_reference(
    paths: list[str] | None, model: str | None, who: str | None, seed: int, reading: dict[str, Any]
) -> Corpus | Segmentations:
    """A reference from a file or from a model."""
    if (model is None) == (not paths):
        raise SpecError("name a reference, a table of units or segmentations of one annotator, or say --generate MODEL")
    if model is not None:
        return generate(model, seed=seed)
    data = read(paths, **reading)
    if not isinstance(data, Corpus | Segmentations):
        raise DataError("a reference has units (columns start, end) or boundaries, and these are labels of items")
    return data if who is None else data.only_annotators((who,))


def as_table(data: Corpus | Segmentations) -> tuple[tuple[str, ...], Rows]:
    """Columns and rows of the canonical table of units or of segmentations."""
    if isinstance(data, Segmentations):
        pairs = zip(data.doc.tolist(), data.annotator.tolist(), strict=True)
        names = [(data.docs[d], data.annotators[a]) for d, a in pairs]
        return ("doc", "annotator", "masses"), tuple((*who, " ".join(map(str, data.masses(*who)))) for who in names)
    labels = (*data.categories.names, "")
    columns = (data.doc, data.annotator, data.start, data.end, data.label)
    units = tuple(
        (data.docs[d], data.annotators[a], _position(s), _position(e), labels[k])
        for d, a, s, e, k in zip(*(c.tolist() for c in columns), strict=True)
    )
    return ("doc", "annotator", "start", "end", "label"), units


def _position(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def files(data: Corpus | Segmentations) -> dict[str, tuple[tuple[str, ...], Rows]]:
    """The tables of a folder that is read back as it was: how long documents are and who looked at them as well."""
    if isinstance(data, Segmentations):
        return {"segmentations.csv": as_table(data)}
    extents = tuple((doc, *map(_position, pair)) for doc, pair in zip(data.docs, data.extents.tolist(), strict=True))
    looked = tuple(
        (data.docs[d], data.annotators[a]) for d, a in zip(*(i.tolist() for i in data.judged.nonzero()), strict=True)
    )
    return {
        "units.csv": as_table(data),
        "docs.csv": (("doc", "begin", "end"), extents),
        "judged.csv": (("doc", "annotator"), looked),
    }


def lost(data: Corpus | Segmentations) -> list[str]:
    """What a table of units cannot say."""
    if isinstance(data, Segmentations):
        return []
    marked = {*zip(data.doc.tolist(), data.annotator.tolist(), strict=True)}
    idle = int(data.judged.sum()) - len(marked)
    if not idle:
        return []
    return [
        f"{idle:,} times an annotator marked nothing in a document, which a table of units cannot say; "
        "-o FOLDER writes judged.csv and docs.csv, too"
    ]


def verdicts(found: Xray) -> str:
    """Every curve against what one wants of a measure."""
    head = ("error", "measure", "starts at 1", "reaches 0", "strictly decreasing", "never below 0")
    return grid(head, [(c.error, c.measure, *c.verdict.words()) for c in found.curves])


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns for a screen."""
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)]
    return "\n".join([lines[0], "─" * sum([*widths, 2 * (len(widths) - 1)]), *lines[1:]]) + "\n"


def own_function(given: str) -> Callable[[Any], float]:
    """`FILE.py:NAME` → the function."""
    path, _, name = given.rpartition(":")
    if not path or not name:
        raise SpecError(f"a function is named FILE.py:NAME, not {quoted(given)}")
    try:
        found = runpy.run_path(path).get(name)
    except OSError as error:
        raise DataError(f"{quoted(path)}: {error.strerror}") from None
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a user's file
        raise DataError(f"{quoted(path)}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise SpecError(f"{quoted(path)} has no function {quoted(name)}")
    return found

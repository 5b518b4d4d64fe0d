"""Scores by category, annotator, pair, item or document; confusion matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from accord.core.errors import counted, for_interface
from accord.core.result import PartTable, Score
from accord.core.tables import MOST_PAIRS, MOST_ROWS, Cell, Table, more_rows
from accord.data.kinds import ITEMS, TEXTS
from accord.data.model.data import Data

NOT_IDENTIFIED = "the data do not name the annotators, so there is no such breakdown"


def breakdown(title: str, part: str, data: Data, scores: Sequence[Score]) -> Table:
    """Return a table of the scores by category, pair, item etc. Scores without this breakdown are left out."""
    having = [score for score in scores if part in score.parts]
    if not having:
        parts = dict.fromkeys(name for score in scores for name in score.parts)
        known = for_interface(", ".join(f"{name} (--by {name})" for name in parts)) or "none"
        reason = (
            f"this breakdown does not exist for these measures; available: {known}"
            if data.identified
            else NOT_IDENTIFIED
        )
        return Table(title, ("",), (), (reason,))
    if data.kind is ITEMS:
        return _of_items(title, part, having)
    return _of_documents(title, part, "tokens" if data.kind is TEXTS else "units", having)


def _of_documents(title: str, part: str, things: str, scores: Sequence[Score]) -> Table:
    """Return the values by part, with the share of each part in the total disorder. Not for items."""
    whole = [score for score in scores if any("share" in s.details for s in score.parts[part].values())][:1]
    counts = any(s.n for score in scores for s in score.parts[part].values())
    columns = (
        part,
        *(((things if whole else "n"),) if counts else ()),
        *(s.measure for s in scores),
        *("share of disorder" for _ in whole),
    )
    names = list(dict.fromkeys(name for score in scores for name in score.parts[part]))
    most = MOST_ROWS
    if part == "pair":
        names, most = _worst_first(names, scores[0]), MOST_PAIRS
    rows: list[tuple[Cell, ...]] = []
    for name in names[:most]:
        found = [score.parts[part].get(name) for score in scores]
        shares = [score.parts[part][name].details["share"] if name in score.parts[part] else None for score in whole]
        n = (next(s.n for s in found if s),) if counts else ()
        rows.append((name, *n, *(s.value if s else None for s in found), *shares))
    return Table(title, columns, tuple(rows), _left(len(names) - len(rows), part))


def _of_items(title: str, part: str, scores: Sequence[Score]) -> Table:
    breakdowns = [score.parts[part] for score in scores]
    first = breakdowns[0]
    names = list(first)
    what = "labels" if part == "annotator" else "items"
    columns = (
        part,
        what,
        *(b.measure if isinstance(b, PartTable) else s.measure for b, s in zip(breakdowns, scores, strict=True)),
    )
    if part == "item":  # least agreement first; an item has observed agreement only, one for each distance
        by_distance = {str(s.details.get("distance")): s.parts[part] for s in scores}
        breakdowns = list(by_distance.values())
        only = len(by_distance) == 1
        columns = ("item", "labels", *("observed" if only else f"observed ({d})" for d in by_distance))
        values = first.value if isinstance(first, PartTable) else np.array([s.value for s in first.values()])
        names = [names[i] for i in np.argsort(values, kind="stable")[:MOST_ROWS]]
    most = MOST_ROWS
    if part == "pair":
        names, most = _worst_first(names, scores[0]), MOST_PAIRS
    rows: list[tuple[Cell, ...]] = [
        (name, first[name].n, *(b[name].value for b in breakdowns)) for name in names[:most]
    ]
    return Table(title, columns, tuple(rows), _left(len(first) - len(rows), part))


def _worst_first(names: Sequence[str], score: Score) -> list[str]:
    """Sort pairs by the first measure, least agreement first. Undefined pairs are last."""
    found = score.parts["pair"]
    sign = -1 if score.kind == "error" else 1
    values = {name: found[name].value if name in found else math.nan for name in names}
    return sorted(names, key=lambda name: math.inf if math.isnan(values[name]) else sign * values[name])


def _left(rows: int, part: str) -> tuple[str, ...]:
    if part == "pair" and rows:
        return (for_interface(f"{counted(rows, 'more pair')}; use --csv or --json for all, --matrix for one measure"),)
    return (more_rows(rows),) if rows else ()


def pair_matrix(which: str, data: Data, scores: Sequence[Score]) -> Table:
    """Return a matrix of all pairs of annotators, for the first chance-corrected measure or else the first measure."""
    having = [score for score in scores if "pair" in score.parts]
    if not having or not data.identified:
        return Table(f"pairs{which}", ("",), (), ("these data have no pairs of annotators",))
    score = next((one for one in having if not one.measure.startswith("percent")), having[0])
    found, people = score.parts["pair"], data.present
    rows = []
    for one in people:
        known = (found.get(f"{one} – {other}", found.get(f"{other} – {one}")) for other in people)
        rows.append((one, *(None if cell is None else cell.value for cell in known)))
    note = (f"only {score.measure} is shown; -m selects another measure",) if len(having) > 1 else ()
    return Table(f"{score.measure} of each two annotators{which}", ("", *people), tuple(rows), note, matrix=True)


def matrix(name: str, data: Data, scores: Sequence[Score]) -> Table:
    """Return the confusion matrix of two annotators, or the coincidence matrix of more."""
    found = next((score.details["matrix"] for score in scores if "matrix" in score.details), None)
    if data.kind is not ITEMS or found is None:
        reason = "too many categories for a matrix" if data.kind is ITEMS else "a matrix needs labels of items"
        return Table(f"matrix ({name})", ("",), (), (reason,))
    corner = f"{found['rows']} \\ {found['columns']}" if found["kind"] == "confusion" else ""
    whole = all(float(cell).is_integer() for row in found["counts"] for cell in row)
    rows = tuple(
        (label, *(int(cell) if whole else float(cell) for cell in row))
        for label, row in zip(found["categories"], found["counts"], strict=True)
    )
    return Table(f"{found['kind']} matrix ({name})", (corner, *found["categories"]), rows, matrix=True)

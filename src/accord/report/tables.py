"""Results → tables: what every kind of output shows, before it is rendered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from accord.errors import counted
from accord.inference.scales import WARNING, verdict
from accord.result import Interval, PartTable, Score
from accord.run import Group, Results

Cell = str | float | int | Interval | None
_MOST_ROWS = 200
NOT_IDENTIFIED = "the table does not say whose labels they are"


@dataclass(frozen=True)
class Table:
    """Rows of cells that are not text yet."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = field(default=())


def facts(results: Results) -> list[str]:
    """What was read, and what was left out and why: a line each."""
    lines = []
    several = len(results.variables) > 1
    for variable, ratings in results.variables.items():
        name = f"{variable}: " if several else ""
        who = f"{ratings.n_annotators:,} annotators" if ratings.identified else "annotators not identified"
        categories, labels = counted(len(ratings.categories), "category"), counted(ratings.n_ratings, "label")
        lines.append(f"{name}{counted(ratings.n_items, 'item')}, {who}, {categories}, {labels}")
        if single := ratings.n_items - ratings.n_pairable:
            lines.append(f"{name}left out of the comparison: {counted(single, 'item')} with one label only")
        if empty := len(ratings.items) - int((ratings.sizes > 0).sum()):
            lines.append(f"{name}left out: {counted(empty, 'item')} without any label")
        lines.extend(f"{name}{note}" for note in ratings.notes)
    lines.extend(f"note: {note}" for note in results.notes)
    return lines


def tables(results: Results, most_rows: int | None = _MOST_ROWS) -> list[Table]:
    """The scores, then the breakdowns that were asked for."""
    made = [_overall(results)]
    for part in results.plan.parts:
        for group in results.groups:
            if group.scores and part in group.scores[0].parts:
                made.append(_parts(group, part, most_rows, several=len(results.groups) > 1))
            elif group.scores:
                made.append(Table(f"by {part}", ("",), (), (NOT_IDENTIFIED,)))
    if results.plan.matrix:
        made.extend(_matrix(group) for group in results.groups if group.scores)
    if results.plan.marginals:
        made.extend(_marginals(group) for group in results.groups if group.scores)
    made.extend(_scales(results))
    return made


def _name(group: Group) -> str:
    return ", ".join([group.variable, *(f"{k} = {v}" for k, v in group.where.items())])


def _overall(results: Results) -> Table:
    several = len(results.groups) > 1
    level = results.plan.settings.level
    columns = ("measure", "value", f"{level * 100:.6g}% interval", "observed", "expected", "items", "annotators")
    rows: list[tuple[Cell, ...]] = []
    notes = []
    for group in results.groups:
        name = (_name(group),) if several else ()
        annotators = group.ratings.n_annotators if group.ratings.identified else None
        if group.problem is not None:
            rows.append((*name, "–", math.nan, None, None, None, group.ratings.n_items, annotators))
            notes.append(f"{_name(group)}: {group.problem}")
        for score in group.scores:
            rows.append(
                (
                    *name,
                    score.measure,
                    score.value,
                    score.interval,
                    score.observed,
                    score.expected,
                    score.n,
                    annotators,
                )
            )
            if score.undefined:
                notes.append(
                    f"{score.measure} is undefined{f' ({_name(group)})' if several else ''}: {score.undefined}"
                )
            reason = score.details.get("interval")
            if reason:
                notes.append(f"{score.measure}: {reason}")
    methods = {s.interval.method for g in results.groups for s in g.scores if s.interval is not None}
    if methods:
        notes.append(f"interval: {', '.join(sorted(methods))}")
    return Table("", ("data", *columns) if several else columns, tuple(rows), tuple(dict.fromkeys(notes)))


def _parts(group: Group, part: str, most: int | None, several: bool) -> Table:
    breakdowns = [score.parts[part] for score in group.scores]
    first = breakdowns[0]
    names = list(first)
    what = "labels" if part == "annotator" else "items"
    columns = (
        part,
        what,
        *(b.measure if isinstance(b, PartTable) else s.measure for b, s in zip(breakdowns, group.scores, strict=True)),
    )
    if part == "item":  # the hardest ones first; the observed agreement, once for each distance, is all an item has
        by_distance = {str(s.details.get("distance")): s.parts[part] for s in group.scores}
        breakdowns = list(by_distance.values())
        only = len(by_distance) == 1
        columns = ("item", "labels", *("observed" if only else f"observed ({d})" for d in by_distance))
        if isinstance(first, PartTable) and most is not None:
            names = [names[i] for i in np.argsort(first.value, kind="stable")[:most]]
    shown = names[:most]
    rows: list[tuple[Cell, ...]] = [(name, first[name].n, *(b[name].value for b in breakdowns)) for name in shown]
    left = len(first) - len(shown)
    notes = (f"{left:,} more rows; --csv or --json has all",) if left else ()
    return Table(f"by {part}{f' ({_name(group)})' if several else ''}", columns, tuple(rows), notes)


def _matrix(group: Group) -> Table:
    """The confusion matrix of two annotators, the coincidence matrix of more."""
    matrix = group.scores[0].details.get("matrix")
    if matrix is None:
        return Table(f"matrix ({_name(group)})", ("",), (), ("too many categories for a matrix",))
    confusion = matrix["kind"] == "confusion"
    corner = f"{matrix['rows']} \\ {matrix['columns']}" if confusion else ""
    whole = all(float(cell).is_integer() for row in matrix["counts"] for cell in row)
    rows = tuple(
        (name, *(int(cell) if whole else float(cell) for cell in row))
        for name, row in zip(matrix["categories"], matrix["counts"], strict=True)
    )
    return Table(f"{matrix['kind']} matrix ({_name(group)})", (corner, *matrix["categories"]), rows)


def _marginals(group: Group) -> Table:
    found = group.marginals
    if found is None:
        return Table(f"equal marginals? ({_name(group)})", ("",), (), (NOT_IDENTIFIED,))
    columns = (
        "pair",
        "items",
        "Stuart–Maxwell χ²",
        "df",
        "p",
        "Bowker χ²",
        "p (Bowker)",
        "prevalence",
        "bias",
        "κ max",
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in found.pairs:
        test, bowker = pair.stuart_maxwell, pair.bowker
        rows.append(
            (
                f"{pair.first} – {pair.second}",
                pair.n,
                test.statistic if test else None,
                test.df if test else None,
                test.p if test else None,
                bowker.statistic if bowker else None,
                bowker.p if bowker else None,
                pair.prevalence_index,
                pair.bias_index,
                pair.kappa_max,
            )
        )
    notes = [f"annotator bias B = {found.bias:.4f} (spread of the annotators' shares of the categories)"]
    if any(pair.mcnemar for pair in found.pairs):
        notes.append("two categories: Stuart–Maxwell is McNemar's test")
    return Table(f"equal marginals? ({_name(group)})", columns, tuple(rows), tuple(notes))


def _scales(results: Results) -> list[Table]:
    made = []
    for scale in results.scales:
        rows: list[tuple[Cell, ...]] = [
            (_name(group), score.measure, score.value, verdict(scale, score))
            for group in results.groups
            for score in group.scores
            if not score.measure.startswith("percent")
        ]
        title = f"on the scale of {scale.source}"
        made.append(Table(title, ("data", "measure", "value", "level"), tuple(rows), (WARNING,)))
    return made


def flat(results: Results) -> Table:
    """One rectangle with everything in full precision: for CSV."""
    columns = (
        "variable", "where", "by", "name", "measure", "value", "low", "high", "level", "method", "observed", "expected",
        "se", "p", "n", "undefined", "signature",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for group in results.groups:
        where = ", ".join(f"{k}={v}" for k, v in group.where.items())
        if group.problem is not None:
            rows.append((group.variable, where, *[""] * 13, group.problem, ""))
        for score in group.scores:
            rows.append((group.variable, where, "", "", *_flat(score)))
            for part in results.plan.parts:
                for name, piece in score.parts.get(part, {}).items():
                    rows.append((group.variable, where, part, name, *_flat(piece)))
    return Table("", columns, tuple(rows))


def _flat(score: Score) -> Sequence[Cell]:
    i = score.interval
    low, high, level, method = (i.low, i.high, i.level, i.method) if i else (None, None, None, None)
    return (
        score.measure, score.value, low, high, level, method, score.observed, score.expected, score.se, score.p,
        score.n, score.undefined, score.signature,
    )  # fmt: skip

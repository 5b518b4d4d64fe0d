"""Results → tables: what every kind of output shows, before it is rendered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from accord.inference.scales import WARNING, verdict
from accord.kinds import ITEMS
from accord.measures.units.unitary import UnitaryAlignment, UnitaryAlignments
from accord.model.corpus import Unit
from accord.model.labels import label_name
from accord.result import Interval, PartTable, Score
from accord.run import Group, Results

Cell = str | float | int | Interval | None
_MOST_ROWS = 200
_WORST, _AROUND = 10, 30  # costly places, and characters of text around them
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
    lines: list[str] = []
    several = len(results.variables) > 1
    for variable, data in results.variables.items():
        name = f"{variable}: " if several else ""
        lines.extend(f"{name}{line}" for line in (*data.about(), *data.notes))
    lines.extend(f"note: {note}" for note in results.notes)
    return lines


def tables(results: Results, most_rows: int | None = _MOST_ROWS) -> list[Table]:
    """The scores, then the breakdowns that were asked for."""
    made = [_overall(results)]
    several = len(results.groups) > 1
    scored = [group for group in results.groups if group.scores]
    for part in results.parts:
        made.extend(_parts(group, part, most_rows, several) for group in scored)
    if results.plan.matrix:
        made.extend(_matrix(group) for group in scored)
    if results.plan.marginals:
        made.extend(_marginals(group) for group in scored)
    made.extend(_explained(group, several) for group in scored if group.explained is not None)
    made.extend(_scales(results))
    return made


def _name(group: Group) -> str:
    return ", ".join([group.variable, *(f"{k} = {v}" for k, v in group.where.items())])


def _overall(results: Results) -> Table:
    several = len(results.groups) > 1
    level = results.plan.settings.level
    what = next(data.kind.n for data in results.variables.values())
    columns = ("measure", "value", f"{level * 100:.6g}% interval", "observed", "expected", what, "annotators")
    rows: list[tuple[Cell, ...]] = []
    notes = []
    for group in results.groups:
        name = (_name(group),) if several else ()
        annotators = group.data.n_annotators if group.data.identified else None
        if group.problem is not None:
            rows.append((*name, "–", math.nan, None, None, None, group.data.n_items, annotators))
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
            notes.extend(_about(score))
    notes.extend(_about_intervals([score for group in results.groups for score in group.scores]))
    methods = {s.interval.method for g in results.groups for s in g.scores if s.interval is not None}
    if methods:
        notes.append(f"interval: {', '.join(sorted(methods))}")
    return Table("", ("data", *columns) if several else columns, tuple(rows), tuple(dict.fromkeys(notes)))


def _about_intervals(scores: Sequence[Score]) -> list[str]:
    """What intervals lack, or why there are none: once for all measures of which it is true."""
    whose: dict[str, list[str]] = {}
    for score in scores:
        if reason := score.details.get("interval"):
            whose.setdefault(reason, []).append(score.measure)
    several = len(scores) > 1
    return [
        reason if several and len(who) == len(scores) else f"{', '.join(dict.fromkeys(who))}: {reason}"
        for reason, who in whose.items()
    ]


def _about(score: Score) -> list[str]:
    """What a value on units depends on beside the data: it is never left unsaid."""
    facts = score.details
    notes = [f"{score.measure}: {note}" for note in facts.get("notes", ())]
    if facts.get("grain", 1.0) != 1.0:
        notes.append(f"{score.measure}: lengths are counted in steps of {facts['grain']:g}")
    if score.kind == "error":
        notes.append(f"{score.measure} is an error: 0 is perfect")
    return [*_about_chance(score), *notes] if "chance" in facts else notes


def _about_chance(score: Score) -> list[str]:
    facts, samples = score.details, score.details["samples"]
    drawn = f", {samples:,} samples" if samples else ""
    what = "mean distances of labels" if "pairs" in facts else "disorders"
    notes = [f"{score.measure}: observed and expected are {what}; chance: {facts['chance']}{drawn}"]
    if facts.get("gap", 0) > 0:
        notes.append(f"{score.measure}: the alignment is certified to {facts['gap']:.2g} of the best, not proven best")
    return notes


def _parts(group: Group, part: str, most: int | None, several: bool) -> Table:
    title = f"by {part}{f' ({_name(group)})' if several else ''}"
    scores = [score for score in group.scores if part in score.parts]
    if not scores:
        known = dict.fromkeys(name for score in group.scores for name in score.parts)
        reason = (
            NOT_IDENTIFIED
            if not group.data.identified
            else f"no such breakdown here; there is: {', '.join(known) or 'none'}"
        )
        return Table(title, ("",), (), (reason,))
    if group.data.kind is not ITEMS:
        return _document_parts(title, part, scores, most)
    return _item_parts(title, part, scores, most)


def _document_parts(title: str, part: str, scores: Sequence[Score], most: int | None) -> Table:
    """Where the disorder comes from: the share of each in all of it."""
    whole = [score for score in scores if any("share" in s.details for s in score.parts[part].values())]
    counts = any(s.n for score in scores for s in score.parts[part].values())
    columns = (
        part,
        *((("units" if whole else "n"),) if counts else ()),
        *(s.measure for s in scores),
        *("share of disorder" for _ in whole[:1]),
    )
    names = list(dict.fromkeys(name for score in scores for name in score.parts[part]))
    rows: list[tuple[Cell, ...]] = []
    for name in names[:most]:
        found = [score.parts[part].get(name) for score in scores]
        shares = [score.parts[part][name].details["share"] for score in whole[:1] if name in score.parts[part]]
        n = (next(s.n for s in found if s),) if counts else ()
        rows.append((name, *n, *(s.value if s else None for s in found), *shares))
    left = len(names) - len(rows)
    return Table(title, columns, tuple(rows), (f"{left:,} more rows; --csv or --json has all",) if left else ())


def _explained(group: Group, several: bool) -> Table:
    """The ten most costly unitary alignments, with the text around them where it is known."""
    assert group.explained is not None  # noqa: S101
    found, texts = group.explained, group.explained.corpus.texts
    causes = tuple(found.causes)
    rows: list[tuple[Cell, ...]] = []
    for worst in found.worst(_WORST):
        marked = "; ".join(f"{who} {_marked(unit)}" for who, unit in worst.units.items())
        text = (_around(texts[worst.doc], worst),) if worst.doc in texts else (("",) if texts else ())
        rows.append((worst.doc, worst.disorder, *(worst.causes[c] for c in causes), marked, *text))
    columns = ("document", "disorder", *causes, "annotators", *(("text",) if texts else ()))
    title = f"the {len(rows)} most costly places{f' ({_name(group)})' if several else ''}"
    return Table(title, columns, tuple(rows))


def _marked(unit: Unit | None) -> str:
    if unit is None:
        return "–"
    return f"{unit.start:.10g}–{unit.end:.10g}{'' if unit.label is None else f' {label_name(unit.label)}'}"


def _around(text: str, place: UnitaryAlignment) -> str:
    """What was marked, in the words around it."""
    start, end = int(place.start), int(place.end)
    before, after = max(0, start - _AROUND), min(len(text), end + _AROUND)
    inside = text[start:end]
    if len(inside) > 3 * _AROUND:
        inside = f"{inside[:_AROUND]} … {inside[-_AROUND:]}"
    return f"{'…' if before else ''}{text[before:start]}[{inside}]{text[end:after]}{'…' if after < len(text) else ''}"


def _item_parts(title: str, part: str, scores: Sequence[Score], most: int | None) -> Table:
    breakdowns = [score.parts[part] for score in scores]
    first = breakdowns[0]
    names = list(first)
    what = "labels" if part == "annotator" else "items"
    columns = (
        part,
        what,
        *(b.measure if isinstance(b, PartTable) else s.measure for b, s in zip(breakdowns, scores, strict=True)),
    )
    if part == "item":  # the hardest ones first; the observed agreement, once for each distance, is all an item has
        by_distance = {str(s.details.get("distance")): s.parts[part] for s in scores}
        breakdowns = list(by_distance.values())
        only = len(by_distance) == 1
        columns = ("item", "labels", *("observed" if only else f"observed ({d})" for d in by_distance))
        if isinstance(first, PartTable) and most is not None:
            names = [names[i] for i in np.argsort(first.value, kind="stable")[:most]]
    shown = names[:most]
    rows: list[tuple[Cell, ...]] = [(name, first[name].n, *(b[name].value for b in breakdowns)) for name in shown]
    left = len(first) - len(shown)
    notes = (f"{left:,} more rows; --csv or --json has all",) if left else ()
    return Table(title, columns, tuple(rows), notes)


def _matrix(group: Group) -> Table:
    """The confusion matrix of two annotators, the coincidence matrix of more."""
    matrix = group.scores[0].details.get("matrix")
    if group.data.kind is not ITEMS:
        return Table(f"matrix ({_name(group)})", ("",), (), ("there are no labels of items here",))
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
        reason = NOT_IDENTIFIED if group.data.kind is ITEMS else "this is for labels of items"
        return Table(f"equal marginals? ({_name(group)})", ("",), (), (reason,))
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
            for part in results.parts:
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


def alignment(found: UnitaryAlignments) -> Table:
    """Every unitary alignment, one row per unit: for CSV."""
    columns = found.columns()
    rows = tuple(zip(*columns.values(), strict=True))
    return Table("", tuple(columns), rows)

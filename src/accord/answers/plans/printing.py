"""Scores in print: variables by measures in one table, with a caption that says what was measured, and how."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from accord.answers.citing import wording
from accord.answers.plans.at_a_glance import notes_of_groups
from accord.answers.plans.groups import Group
from accord.core.errors import counted
from accord.core.prose import style_named
from accord.core.result import Score
from accord.core.tables import Cell, Estimate, Printed, Table
from accord.data.model.data import Choice
from accord.measures.catalogue import measure

COLUMNS = {"se": "SE", "p": "p"}  # what can be shown beside a value
_MOST_FILES = 3  # that a caption names


def printed_scores(groups: Sequence[Group], paths: Sequence[str], beside: Sequence[str], style: str) -> Printed:
    """One row for each measure, or, of several data, one for each of them and a column for each measure."""
    scores = [score for group in groups for score in group.scores]
    notes = [f"{group.name}: {group.problem}" for group in groups if group.problem is not None]
    # The caption says how intervals were made, and p is shown on request.
    tests = [score.tested for score in scores if score.tested]
    told = ("interval: ", "p for ")
    notes += [n for n in notes_of_groups(groups) if not n.startswith(told) and not any(test in n for test in tests)]
    notes += _tests(scores) if "p" in beside else []
    if len(groups) == 1:
        table, unbounded = _by_measure(groups[0], beside, (*notes, *_noted(groups[0])))
        caption = [_about_one(groups[0], paths), *_left_out(groups[0])]
    else:
        table, unbounded = _by_data(groups, beside, (*notes, *_of_each(groups)))
        several = "sets of data" if any(group.where for group in groups) else "variables"
        caption = [f"Agreement on {len(groups)} {several}{_files(paths)}: {_shown(scores)}."]
    bounded = tuple(name for name in table.columns if name not in unbounded)
    return Printed(table, " ".join(caption), style=style_named(style), bounded=bounded)


def heading(score: Score) -> str:
    """α (distance=ordinal): the symbol instead of the name; ICC(2,1) has its form in it."""
    made = measure(score.measure)
    sign = wording.NAMES["percent"] if made.name == "percent" else wording.symbol(made)
    options = score.measure.removeprefix(made.name)[1:-1]
    return f"{sign} ({options.replace(',', ', ')})" if options and made.name != "icc" else sign


def _beside(score: Score | None, name: str) -> float | None:
    """The standard error or p; none where there is no agreement by chance to be tested."""
    untested = score is None or (name == "p" and measure(score.measure).name == "percent")
    return None if untested else getattr(score, name)


# -- one set of data -------------------------------------------------------------------------------------------------


def _by_measure(group: Group, beside: Sequence[str], notes: tuple[str, ...]) -> tuple[Table, set[str]]:
    scores = group.scores
    level = next((wording.interval_named(s.interval) for s in scores if s.interval), "")
    counts = len({score.n for score in scores}) > 1
    observed = any(score.observed is not None for score in scores)
    columns = ["measure", "value", *[level] * bool(level), *(COLUMNS[name] for name in beside)]
    columns += [*["observed", "expected"] * observed, *[group.data.kind.n] * counts]
    rows = []
    for score in scores:
        row: list[Cell] = [heading(score), score.value, *[score.interval] * bool(level)]
        row += [_beside(score, name) for name in beside]
        row += [*[score.observed, score.expected] * observed, *[score.n] * counts]
        rows.append(tuple(row))
    unbounded = {group.data.kind.n}
    if any(score.kind == "error" for score in scores):
        unbounded |= {"value", level, "SE"}
    if any("chance" in score.details for score in scores):  # disorders
        unbounded |= {"observed", "expected"}
    return Table("", tuple(columns), tuple(rows), notes), unbounded


def _about_one(group: Group, paths: Sequence[str]) -> str:
    how_many = group.data.about()[0]
    variable = "" if group.variable == "label" else f" on {group.name}"
    return f"Agreement{variable}{_files(paths)} ({how_many}): {_shown(group.scores)}."


def _left_out(group: Group) -> list[str]:
    """What was left out, and why, a sentence each."""
    chosen = [note for note in group.data.notes if isinstance(note, Choice)]
    return [f"{line[:1].upper()}{line[1:]}." for line in (*group.data.about()[1:], *chosen)]


def _noted(group: Group) -> list[str]:
    """What else was noted when the data were read."""
    return [note for note in group.data.notes if not isinstance(note, Choice)]


def _tests(scores: Sequence[Score]) -> list[str]:
    """What p tests, and by which test: once for all measures and data of which it is true."""
    whose: dict[str, dict[str, None]] = {}
    for score in scores:
        if test := score.details.get("test"):
            by = re.sub(r", z = \S+|, where the value.*", "", test["by"])
            of = f"a value of {test['of']:g}" if test["of"] else "no agreement"
            whose.setdefault(f"p of {of}: {by}", {})[heading(score)] = None
    return [f"{', '.join(names)}: {test}" for test, names in whose.items()]


# -- several ---------------------------------------------------------------------------------------------------------


def _by_data(groups: Sequence[Group], beside: Sequence[str], notes: tuple[str, ...]) -> tuple[Table, set[str]]:
    heads = {score.measure: heading(score) for group in groups for score in group.scores}
    noun, who = groups[0].data.kind.n, "annotators"
    columns = ["data" if any(group.where for group in groups) else "variable", noun, who]
    unbounded = {*columns}
    for head in heads.values():
        columns += [head, *(f"{head} {COLUMNS[name]}" for name in beside)]
    rows = []
    for group in groups:
        found = {score.measure: score for score in group.scores}
        n = next((score.n for score in group.scores), group.data.n_items)
        row: list[Cell] = [group.name, n, group.data.n_annotators if group.data.identified else None]
        for spec in heads:
            score = found.get(spec)
            row.append(None if score is None else Estimate(score.value, score.interval))
            row += [_beside(score, name) for name in beside]
        rows.append(tuple(row))
    errors = {heads[score.measure] for group in groups for score in group.scores if score.kind == "error"}
    unbounded |= {column for column in columns for head in errors if column in {head, f"{head} SE"}}
    return Table("", tuple(columns), tuple(rows), notes), unbounded


def _of_each(groups: Sequence[Group]) -> list[str]:
    """What was left out and noted by the name of the data, those together of which the same is true."""
    whose: dict[str, list[str]] = {}
    for group in groups:
        for line in (*_left_out(group), *_noted(group)):
            whose.setdefault(line, []).append(group.name)
    return [line if len(names) == len(groups) else f"{', '.join(names)}: {line}" for line, names in whose.items()]


# -- what a caption says ---------------------------------------------------------------------------------------------


def _files(paths: Sequence[str]) -> str:
    names = [Path(path).name for path in paths if path != "-"]
    if not names:
        return ""
    others = len(names) - _MOST_FILES
    more = f" and {counted(others, 'other file')}" if others > 0 else ""
    return f" in {', '.join(names[:_MOST_FILES])}{more}"


def _shown(scores: Sequence[Score]) -> str:
    """What the table shows: values, and intervals of which level and method."""
    hows: dict[str, str] = {}
    for score in scores:
        if score.interval is not None:
            hows.setdefault(wording.method(score), wording.interval_named(score.interval))
    if not hows:
        return "values without intervals"
    return f"values with {' or '.join(dict.fromkeys(hows.values()))} by {'; or by '.join(hows)}"

"""Many variables at a glance: a row for each, its measures as columns, and what holds for all of them said once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from accord.answers.plans.groups import Group
from accord.answers.plans.read import in_a_line
from accord.core.result import Score, about_intervals, interval_heading, notes_of
from accord.core.tables import Cell, Table, percent
from accord.data.model.data import Data

MOST_LISTED = 12  # rows in which every measure of every variable has its own
_MOST_NAMED = 4
_MOST_TESTS = 6  # that are told one by one


def at_a_glance(groups: Sequence[Group], level: float, noun: str, notes: tuple[str, ...]) -> Table:
    """A row for each set of data. The interval is that of the first measure; `--json` has the others."""
    scored = [score for group in groups for score in group.scores]
    measures = tuple(dict.fromkeys(score.measure for score in scored))
    first = [score for score in scored if score.measure == measures[0]]
    heading = interval_heading(first, percent(level))
    rows: list[tuple[Cell, ...]] = []
    for group in groups:
        of = {score.measure: score for score in group.scores}
        one = of.get(measures[0])
        n = next((score.n for score in group.scores), group.data.n_items)
        who = group.data.n_annotators if group.data.identified else None
        values = [math.nan if group.problem is not None else None if m not in of else of[m].value for m in measures]
        rows.append((group.name, values[0], one.interval if one else None, *values[1:], n, who))
    columns = ("data", measures[0], heading, *measures[1:], noun, "annotators")
    more = f"the interval is of {measures[0]}; --json has the others, observed and expected"
    return Table("", columns, tuple(rows), (more, *notes), ("annotators", noun, heading))


def notes_of_groups(groups: Sequence[Group]) -> list[str]:
    """What is to be said of the scores: what holds for all data once, the rest with the data of which it is true."""
    scored = [group for group in groups if group.scores]
    scores = [score for group in scored for score in group.scores]
    tests = {score.tested: score for score in scores if score.tested}
    brief = len(groups) > 1 and len(tests) > _MOST_TESTS
    whose: dict[str, list[str]] = {}
    for group in scored:
        for note in [*_undefined(group.scores), *notes_of(group.scores), *about_intervals(group.scores)]:
            told = note.startswith("interval: ") or (brief and any(note.endswith(test) for test in tests))
            if not told:
                whose.setdefault(note, []).append(group.name)
    several = len(groups) > 1
    made = [
        note if not several or len(names) == len(scored) else f"{note} ({some(names)})" for note, names in whose.items()
    ]
    methods = [note for note in about_intervals(scores) if note.startswith("interval: ")]
    return [*made, *([_tested(list(tests.values()))] if brief else []), *methods]


def _undefined(scores: Iterable[Score]) -> list[str]:
    return [f"{score.measure} is undefined: {score.undefined}" for score in scores if score.undefined]


def _tested(scores: Sequence[Score]) -> str:
    """The smallest and the largest p of many."""
    known = [score.p for score in scores if score.p is not None]
    of = {score.details["test"]["of"] or 0 for score in scores}
    what = "no agreement" if of == {0} else f"a value of {min(of):g}" if len(of) == 1 else "the values that are tested"
    least = "< 0.001" if min(known) < 0.001 else f"{min(known):.3f}"
    return f"p for {what}: {least} to {max(known):.3f}; --json has each, and the test"


def facts_of(variables: Mapping[str, Data]) -> list[str]:
    """How many there are of each, and what was left out; the first variable shows how all were understood."""
    whose: dict[str, list[str]] = {}
    for variable, data in variables.items():
        for line in (*data.about(), *data.notes):
            whose.setdefault(line, []).append(variable)
    first, data = next(iter(variables.items()))
    shared = [line for line, names in whose.items() if len(names) == len(variables)]
    apart = [f"{some(names)}: {line}" for line, names in whose.items() if line not in shared]
    return [*shared, f"{first}: {in_a_line(data)}", *apart]


def some(names: Sequence[str]) -> str:
    """A few of them, and how many more."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")

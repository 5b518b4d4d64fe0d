"""Wide tables with several variables: columns named `coder1_tone`, `coder2_tone`, `coder1_frame`, …"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.tables.evidence import SHARED, Profile, agreement, pooled_share
from accord.data.io.tables.roles import (
    A_SIDE,
    A_WORD_FOR_ANNOTATORS,
    AN_ANNOTATOR,
    calls_an_annotator,
    calls_annotators,
    is_consensus,
    is_variable,
    listed,
)

Grid = Mapping[str, Mapping[str, str]]  # columns by variable and annotator
Halves = Mapping[str, tuple[str, str]]  # two halves of each column name
SEPARATORS = (": ", " - ", "__", "_", ".", "-", " ", ":", "/")
_COMPLETE = 0.75  # share of pairs of annotator and variable that must occur
_COVERED = 2 / 3  # share of columns that must belong to the grid
_CLEARLY = 0.2  # excess of agreement within variables over that between them
_AGREE, _AS_MUCH = 0.3, 0.7  # agreement of columns; share of it that other columns reach
_NEARLY_ALL, _HARDLY = 0.9, 0.2
_MOST_PAIRS = 2000
_FEWEST_ROWS = 10  # fewer rows do not show agreement
_BARE = re.compile(r"\d+|[a-z]", re.IGNORECASE)
_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")


@dataclass(frozen=True)
class GridGuess:
    """A grid of columns if they form one. If it is unclear, the two possible patterns."""

    grid: Grid | None = None
    pattern: str = ""
    doubt: tuple[str, ...] = ()


def grid_by_pattern(pattern: str, header: Sequence[str], where: str) -> Grid:
    """Return the columns that match `--columns`."""
    pieces = re.split(r"(\{annotator\}|\{label\})", pattern)
    if sorted(pieces[1::2]) not in (["{annotator}", "{label}"], ["{annotator}"]):
        raise SpecError(
            "option-value",
            f"--columns {quoted(pattern)} does not contain {{annotator}} once and {{label}} at most once; write a "
            "pattern such as --columns '{annotator}_{label}'",
        )
    glued = len(pieces) == 5 and not pieces[2]
    grids = []
    for first in (r".+?", r".+"):
        text = "".join(
            re.escape(piece) if k % 2 == 0 else f"(?P<{piece[1:-1]}>{first if k == 1 else '.+'})"
            for k, piece in enumerate(pieces)
        )
        grid: dict[str, dict[str, str]] = {}
        for name in header:
            match = re.fullmatch(text, name)
            halves = match.groupdict() if match else {}
            if match and glued:
                halves = dict(zip((p[1:-1] for p in pieces[1::2]), _glued(name, first == ".+"), strict=False))
            if len(halves) == len(pieces) // 2:
                grid.setdefault(halves.get("label", "label"), {})[halves["annotator"]] = name
        grids.append(grid)
    best = max(grids, key=completeness)
    if not best or all(len(columns) < 2 for columns in best.values()):
        raise DataError(
            "roles-unclear",
            f"{where}: fewer than two columns match --columns {quoted(pattern)}; correct the pattern (columns: "
            f"{listed(header)})",
        )
    return best


def _glued(name: str, last: bool) -> tuple[str, ...]:
    """Split a name without separator: tone1 → tone, 1; coder1Tone at its last boundary."""
    cuts = [match.start() for match in _BOUNDARY.finditer(name)]
    if not cuts:
        return ()
    cut = cuts[-1 if last else 0]
    return name[:cut], name[cut:]


def completeness(grid: Grid) -> float:
    annotators = {a for columns in grid.values() for a in columns}
    cells = sum(len(columns) for columns in grid.values())
    return cells / (len(grid) * len(annotators)) if grid else 0.0


def of_named_annotators(names: Sequence[str]) -> bool:
    """Whether names alone show a grid: coder1_tone, coder2_tone, coder1_frame, …"""
    return any(_named_side(halves) is not None for _, halves in _halves(names))


def forms_a_grid(names: Sequence[str]) -> bool:
    """Whether names can be split into annotators and variables."""
    return len(names) > 3 and next(_halves(names), None) is not None


def columns_of_named_grid(names: Sequence[str]) -> list[str]:
    """Return the columns that name a numbered annotator and a variable: rater1_domain1 and rater2_domain1."""
    best: list[str] = []
    for separator in SEPARATORS:
        for last in (False, True):
            cut = _cut_at(separator)
            halves = {name: h for name in names if len(h := cut(name, last)) == 2 and all(h)}
            for side in (0, 1):
                grid: dict[str, dict[str, str]] = {}
                for name, half in halves.items():
                    if _is_numbered_annotator(half[side]):
                        grid.setdefault(half[1 - side], {})[half[side]] = name
                columns = [name for of in grid.values() for name in of.values()]
                if len(grid) > 1 and min(map(len, grid.values())) > 1 and completeness(grid) >= _COMPLETE:
                    best = max(best, columns, key=len)
    return best


def _is_numbered_annotator(name: str) -> bool:
    return (
        AN_ANNOTATOR.fullmatch(name) is not None
        and calls_annotators(name.rstrip("0123456789_. -"))
        and name[-1:].isdigit()
    )


def _named_side(halves: Halves) -> int | None:
    """Return the half that names annotators (coder1, or R1 if the other half does not), unless the other is bare.

    A half with a consensus beside other names has annotators too: AE, MK and FINAL.
    """
    for calls in (AN_ANNOTATOR.fullmatch, A_SIDE.fullmatch, is_consensus, calls_an_annotator):
        every = any if calls is is_consensus else all
        people = [every(calls(h[k]) for h in halves.values()) for k in (0, 1)]
        if people[0] != people[1]:
            side = people.index(True)
            return None if _all_bare(halves, 1 - side) and calls is not is_consensus else side
    return None


def _all_bare(halves: Halves, side: int) -> bool:
    """Whether a half consists of numbers or single letters."""
    return all(_BARE.fullmatch(h[side]) for h in halves.values())


def recognise_grid(columns: Mapping[str, Profile]) -> GridGuess:
    """Find a grid of annotators and variables by the names and values of columns."""
    doubt: tuple[str, ...] = ()
    for separator, halves in _halves(list(columns)):
        guess = _judged(separator, halves, columns)
        if guess.grid is not None and (pattern := _pattern_of_people(separator, guess)) is not None:
            return GridGuess(doubt=(guess.pattern, pattern))
        if guess.grid is not None:
            return guess
        doubt = doubt or guess.doubt
    return GridGuess(doubt=doubt)


def _pattern_of_people(separator: str, guess: GridGuess) -> str | None:
    """Return another pattern if variables name different people: v3_judge_passed and v3_human_passed."""
    words = [variable.split(separator or "_") for variable in guess.grid or {}]
    people = {of[0].lower() for of in words if len(of) > 1 and A_SIDE.fullmatch(of[0])}
    ends = {separator.join(of[1:]) for of in words if len(of) > 1 and A_SIDE.fullmatch(of[0])}
    if len(people) < 2 or len(ends) > 1 or not guess.pattern.startswith("{annotator}"):
        return None
    return f"{{label}}{separator}{{annotator}}{separator}{ends.pop()}"


def _halves(names: Sequence[str]) -> Iterator[tuple[str, Halves]]:
    """Yield the ways to split names into two halves that form a grid, the most complete first."""
    ways: list[tuple[float, str, Halves]] = []
    for separator in (*SEPARATORS, ""):
        cut: Callable[[str, bool], tuple[str, ...]]
        for last in (False, True):
            cut = _glued if not separator else _cut_at(separator)
            halves: Halves = {name: (h[0], h[1]) for name in names if len(h := cut(name, last)) == 2 and all(h)}
            lefts, rights = ({h[k] for h in halves.values()} for k in (0, 1))
            if min(len(lefts), len(rights)) < 2 or len(halves) < _COVERED * len(names):
                continue
            full = len(halves) / (len(lefts) * len(rights))
            if full >= _COMPLETE and halves not in [way[-1] for way in ways]:
                ways.append((full * len(halves), separator, halves))
    ways.sort(key=lambda way: -way[0])
    for _, separator, halves in ways:
        yield separator, halves


def _cut_at(separator: str) -> Callable[[str, bool], tuple[str, ...]]:
    def cut(name: str, last: bool) -> tuple[str, ...]:
        left, sign, right = name.rpartition(separator) if last else name.partition(separator)
        return (left, right) if sign else ()

    return cut


def _judged(separator: str, halves: Halves, columns: Mapping[str, Profile]) -> GridGuess:
    """Decide which half is the variable: by shared labels, by names, or by agreement."""
    patterns = (f"{{label}}{separator}{{annotator}}", f"{{annotator}}{separator}{{label}}")
    ways = [GridGuess(_grid(halves, variable=side, columns=columns), pattern) for side, pattern in enumerate(patterns)]
    apart = [_apart(way.grid or {}, columns) for way in ways]
    people = _named_side(halves)
    sides = {*([apart.index(True)] if apart[0] != apart[1] else []), *([] if people is None else [1 - people])}
    if len(sides) == 1:
        side = sides.pop()
        return GridGuess(doubt=patterns) if _agree_otherwise(halves, ways, side, columns) else ways[side]
    if sides:
        return GridGuess(doubt=patterns)
    bare = [_all_bare(halves, side) for side in (0, 1)]
    if any(
        bare[1 - side] and all(A_WORD_FOR_ANNOTATORS.fullmatch(h[side]) for h in halves.values()) for side in (0, 1)
    ):
        return GridGuess()  # coder_1, coder_2, expert_1, expert_2 are all annotators
    return _by_agreement(ways, bare, columns) or GridGuess(doubt=patterns)


def _agree_otherwise(halves: Halves, ways: Sequence[GridGuess], side: int, columns: Mapping[str, Profile]) -> bool:
    """Whether initials such as C1 and C2 are no annotators: columns agree clearly more if they are variables."""
    if any(AN_ANNOTATOR.fullmatch(h[1 - side]) or is_variable(h[side]) or is_consensus(h[1 - side])
           for h in halves.values()):  # fmt: skip
        return False
    inside = [_agreements(way.grid or {}, columns)[0] for way in ways]
    return inside[1 - side] >= max(_AGREE, inside[side] + _CLEARLY)


def _by_agreement(ways: Sequence[GridGuess], bare: Sequence[bool], columns: Mapping[str, Profile]) -> GridGuess | None:
    """Decide by agreement, which is high within a variable and low between variables; None if unclear."""
    inside, outside = zip(*(_agreements(way.grid or {}, columns) for way in ways), strict=True)
    closer = [i - o >= _CLEARLY and o <= _HARDLY * i for i, o in zip(inside, outside, strict=True)]
    alike = all(i >= _AGREE and o >= _AS_MUCH * i for i, o in zip(inside, outside, strict=True))
    if alike or (all(bare) and not any(closer)):
        return GridGuess()  # all columns agree, or A1, A2, B1, B2: annotators
    if closer[0] == closer[1] or all(bare):
        return None
    side = closer.index(True)
    people = {who for cells in (ways[side].grid or {}).values() for who in cells}
    if bare[side] and not all(map(calls_an_annotator, people)):
        return None  # A_costs, B_costs: agreement does not show that A is a variable
    return ways[side]


def _grid(halves: Halves, variable: int, columns: Iterable[str]) -> Grid:
    grid: dict[str, dict[str, str]] = {}
    for name in columns:
        if name in halves:
            grid.setdefault(halves[name][variable], {})[halves[name][1 - variable]] = name
    return grid


def _apart(grid: Grid, columns: Mapping[str, Profile]) -> bool:
    """Whether columns of one variable share labels, and some variables share hardly any."""
    pairs = [pair for cells in grid.values() for pair in combinations(cells.values(), 2)]
    filled = [(columns[a], columns[b]) for a, b in pairs if columns[a].n and columns[b].n]
    if not filled or sum(a.likeness(b) >= SHARED for a, b in filled) < _NEARLY_ALL * len(filled):
        return False
    pools = [[columns[name] for name in cells.values()] for cells in grid.values()]
    return any(pooled_share(a, b) <= _HARDLY and pooled_share(b, a) <= _HARDLY for a, b in combinations(pools, 2))


def _agreements(grid: Grid, columns: Mapping[str, Profile]) -> tuple[float, float]:
    """Return the agreement within variables and between variables; 0 if there are too few rows."""
    of = {name: variable for variable, cells in grid.items() for name in cells.values()}
    pairs = list(combinations(of, 2))[:_MOST_PAIRS]
    same = [agreement(columns[a].column, columns[b].column) for a, b in pairs if of[a] == of[b]]
    between = [agreement(columns[a].column, columns[b].column) for a, b in pairs if of[a] != of[b]]
    if not same or not between or max(columns[name].n for name in of) < _FEWEST_ROWS:
        return 0.0, 0.0
    return float(np.mean(same)), float(np.mean(between))


def numbered_annotators(columns: Mapping[str, Profile]) -> list[str]:
    """Return columns such as coder_1 and coder_2, or coder_1_tone and coder_2_tone, that contain the same few labels.

    Empty if there are none.
    """
    found = annotators_with_ending(columns)
    for series in series_of([name for name in columns if AN_ANNOTATOR.fullmatch(name)]):
        for stem, of in series.items():
            profiles = [columns[name] for name in of.values()]
            if calls_annotators(stem) and _share_few_labels(profiles) and len(of) > len(found):
                found = list(of.values())
    return found


def annotators_with_ending(columns: Mapping[str, Profile]) -> list[str]:
    """Return coder_1_tone and coder_2_tone if they share few labels and no other ending has numbered annotators."""
    by_ending: dict[str, list[Profile]] = {}
    for name, profile in columns.items():
        called = _NUMBERED_PERSON.match(name)
        if called and called.end() < len(name) and calls_an_annotator(called[0]):
            by_ending.setdefault(name[called.end() :], []).append(profile)
    several = [of for of in by_ending.values() if len(of) > 1]
    return [profile.name for profile in several[0]] if len(several) == 1 and _share_few_labels(several[0]) else []


def _share_few_labels(columns: Sequence[Profile]) -> bool:
    few = all(0 < 2 * profile.distinct <= profile.n for profile in columns)
    return few and all(a.likeness(b) >= SHARED for a, b in combinations(columns, 2))


_NUMBERED_PERSON = re.compile(r"[A-Za-z]{3,}[ _.\-]?\d+")
_NUMBERED = re.compile(r"(.*?)[\s_.\-]*\(?(\d+)\)?")
_LETTERED = re.compile(r"(.*(?:[a-z]|[\s_.\-]))([A-Z])")


def series_of(names: Sequence[str]) -> Iterator[dict[str, dict[str, str]]]:
    """Yield the ways to group names that differ in their ending: label1 and label2, tone_G1 and tone_G2, RaterA."""
    ways: tuple[Callable[[str], tuple[str, str] | None], ...] = (
        lambda name: (found[1], found[2]) if (found := _NUMBERED.fullmatch(name)) else None,
        lambda name: (found[1], found[2]) if (found := _LETTERED.fullmatch(name)) else None,
        lambda name: (name.rpartition("_")[0], name.rpartition("_")[2]),
    )
    for split in ways:
        series: dict[str, dict[str, str]] = {}
        for name in names:
            halves = split(name)
            if halves is not None and all(halves):
                series.setdefault(halves[0], {})[halves[1]] = name
        yield {stem: of for stem, of in series.items() if len(of) > 1}

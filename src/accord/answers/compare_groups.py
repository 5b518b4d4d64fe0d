"""Agreement within and between groups of annotators, e.g. people and models, with tests.

All values are means over pairs of annotators, so that groups of different sizes can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from accord.answers.comparison import OF_FEWER, SKEWED, Comparison, Comparisons, correct_for_several, note_on_few
from accord.answers.contrast import Draws, Spread, Term, bootstrap, linearise, make_term, widen_for_few
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.scoring import Scored, kinds_of, main_measure
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.core.result import ROW, Result, Score, forest
from accord.core.tables import Cell, Drawing, Interval, Table, percent, plain
from accord.data.door import checks_options, names_of, opened
from accord.data.model.data import Data, check_annotators
from accord.measures.intervals.added import ENOUGH
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

_MOST_PAIRS = 1_000

Pair = tuple[str, str]


@dataclass(frozen=True, repr=False)
class GroupAgreement(Result):
    """Mean agreement of pairs: `within["people"]`, `between["people – models"]`; comparisons are corrected (Holm)."""

    within: Mapping[str, Score]
    between: Mapping[str, Score]
    comparisons: Comparisons
    notes: tuple[str, ...] = ()

    @property
    def named(self) -> dict[str, Score]:
        """All values in the order of the table: within each group, then between groups."""
        return {**{f"within {name}": score for name, score in self.within.items()}, **self.between}

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": lambda: forest(self.named, "", "group")}

    def summary(self) -> str:
        return ", ".join(f"{name}: {score.value:z.3f}" for name, score in self.named.items())

    def tables(self) -> list[Table]:
        level = next((percent(s.interval.level) for s in self.named.values() if s.interval), "")
        rows: list[tuple[Cell, ...]] = [
            (name, s.value, s.interval, s.details["pairs"], s.n) for name, s in self.named.items()
        ]
        columns = ("annotators", "value", f"{level} interval", "pairs", "n")
        head = Table("mean agreement of pairs of annotators", columns, tuple(rows), self.notes)
        return [head, *self.comparisons.tables()] if self.comparisons else [head]

    def closing(self) -> list[str]:
        return self.comparisons.closing()

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "within": {name: score.brief() for name, score in self.within.items()},
                "between": {name: score.brief() for name, score in self.between.items()},
                "comparisons": [comparison.to_dict() for comparison in self.comparisons],
                "correction": "Holm",
                "notes": list(self.notes),
            }
        )

    def flat(self) -> Table:
        """One row per value, without the comparisons."""
        rows = tuple((name, s.details["pairs"], *s.row()) for name, s in self.named.items())
        return Table("", ("annotators", "pairs", *ROW), rows)


@dataclass(frozen=True, eq=False)
class _PairScores:
    """The score of each pair of annotators that has one."""

    found: Mapping[Pair, Scored]
    settings: Settings
    run: Run

    @property
    def level(self) -> float:
        return self.settings.level

    def terms(self, pairs: Sequence[Pair], factor: float) -> list[Term]:
        there = [self.found[p] for p in pairs if p in self.found]
        return [make_term(factor / len(there), score, self.run) for score in there]

    def spread(self, terms: Sequence[Term]) -> Spread:
        if all(t.pull is not None for t in terms):
            spread = linearise(terms, self.level)
            return widen_for_few(spread, None, self.level) if 0 < spread.carriers < ENOUGH else spread
        return bootstrap(terms, self.level, Draws(self.settings.replicates, self.run), self.run)

    def score(self, spec: str, pairs: Sequence[Pair]) -> Score | None:
        """Return the mean of some pairs."""
        terms = self.terms(pairs, 1.0)
        if not terms:
            return None
        spread = self.spread(terms)
        first = next(self.found[p].score for p in pairs if p in self.found)
        return Score(
            spread.value,
            spec,
            se=spread.se,
            interval=Interval(spread.low, spread.high, self.level, self.method(terms)),
            n=max(self.found[p].score.n for p in pairs if p in self.found),
            kind=first.kind,
            details={"pairs": len(terms)},
        )

    def method(self, terms: Sequence[Term]) -> str:
        return "linearised" if all(t.pull is not None for t in terms) else "bootstrap"

    def compare(self, spec: str, a: tuple[str, Sequence[Pair]], b: tuple[str, Sequence[Pair]]) -> Comparison | None:
        """Compare the means of two sets of pairs on the same items."""
        scores = self.score(spec, a[1]), self.score(spec, b[1])
        if scores[0] is None or scores[1] is None:
            return None
        terms = [*self.terms(a[1], -1.0), *self.terms(b[1], 1.0)]
        spread = self.spread(terms)
        method = (
            f"paired {self.method(terms)}, means over {counted(len(a[1]), 'pair')} and {counted(len(b[1]), 'pair')}"
        )
        interval = Interval(spread.low, spread.high, self.level, method)
        n = min(scores[0].n, scores[1].n)
        few = note_on_few(spread.carriers, OF_FEWER, self.level) if spread.carriers < ENOUGH else ""
        return Comparison(
            scores[0], scores[1], spread.value, spread.se, interval, spread.p, method, n, spread.df, (a[0], b[0]),
            apart=SKEWED if spread.df is None else "", few=few,
        )  # fmt: skip


@checks_options
def compare_groups(
    data: Any,
    groups: Mapping[str, Sequence[str]],
    measure: str | Measure | None = None,
    *,
    level: float = LEVEL,
    replicates: int = REPLICATES,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> GroupAgreement:
    """Compare the agreement within groups of annotators and between them.

    The first group is the reference. The function compares the agreement of each member of another group with the first
    group to the agreement within the first group.

    Parameters
    ----------
    data : data
        Anything that `accord.read` accepts, or data that were read.
    groups : dict
        The annotators of each group, by the name of the group. At least two groups.
    measure : str or Measure, optional
        A measure. Default: the usual one for this kind of data.
    level : float, default 0.95
        Confidence level of the intervals.
    replicates : int, default 2000
        Replicates of a bootstrap.
    seed : int, default 0
        Random seed.
    progress : callable, optional
        Called with the task, the number of finished steps and the total.
    jobs : int, optional
        Number of workers for long computations; the result does not depend on it. Default: all cores.
    **reading
        Options of `accord.read`.

    Returns
    -------
    GroupAgreement
        Mean agreement of pairs `within` groups and `between` them, and `comparisons`.

    Raises
    ------
    SpecError
        If there are fewer than two groups, or an annotator is unknown.

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": list("aabb"), "Ben": list("aabb"), "gpt": list("abbb")}
    >>> accord.compare_groups(rows, {"people": ["Ana", "Ben"], "models": ["gpt"]}, "percent")
    <GroupAgreement within people: 1.000, people – models: 0.750>
    """
    run = Run(seed, progress, jobs)
    settings = Settings(level=level, replicates=replicates)
    return agreement_of_groups(opened(data, reading, kinds_of(measure), run), groups, measure, settings, run)


def agreement_of_groups(
    read_data: Data, groups: Mapping[str, Sequence[str]], spec: str | Measure | None, settings: Settings, run: Run
) -> GroupAgreement:
    """Compare groups on data that were read."""
    chosen = main_measure(spec, read_data)
    if not isinstance(groups, Mapping):
        raise SpecError(
            "option-missing", 'groups must be a dict of names: {"people": ["Ana", "Ben"], "models": ["m1"]}'
        )
    groups = {name: names_of(members) for name, members in groups.items()}
    _check(groups, read_data)
    pairs, notes = _scored(read_data, chosen, groups, run)
    notes += read_data.doubts()
    found = _PairScores(pairs, settings, run)
    name = str(chosen)
    inside = {g: list(combinations(members, 2)) for g, members in groups.items()}
    across = {(a, b): list(product(groups[a], groups[b])) for a, b in combinations(groups, 2)}
    within = {g: score for g, some in inside.items() if some and (score := found.score(name, some)) is not None}
    between = {f"{a} – {b}": score for (a, b), some in across.items() if (score := found.score(name, some)) is not None}
    first, *others = groups
    asked: list[Comparison | None] = []
    for g, h in combinations(inside, 2):
        if inside[g] and inside[h]:
            asked.append(found.compare(name, (f"within {g}", inside[g]), (f"within {h}", inside[h])))
    if inside[first]:
        base = f"within {first}", inside[first]
        for g in others:
            asked.append(found.compare(name, base, (f"{first} – {g}", across[first, g])))
            if len(groups[g]) > 1:
                asked += [
                    found.compare(name, base, (f"{one} with {first}", [(p, one) for p in groups[first]]))
                    for one in groups[g]
                ]
    else:
        notes.append(f"group {quoted(first)} has one member, so there is no agreement within it to compare with")
    return GroupAgreement(within, between, correct_for_several(c for c in asked if c is not None), tuple(notes))


def _check(groups: Mapping[str, Sequence[str]], data: Data) -> None:
    if len(groups) < 2:
        raise SpecError(
            "option-missing", 'at least two groups are needed: {"people": ["Ana", "Ben"], "models": ["m1"]}'
        )
    seen: dict[str, str] = {}
    for group, members in groups.items():
        if not members:
            raise SpecError(
                "option-value", f"group {quoted(group)} is empty; name its annotators, as in --group people=Ana,Ben"
            )
        check_annotators(members, data.present)
        for name in members:
            if seen.get(name) == group:
                raise SpecError(
                    "option-value", f"{quoted(name)} occurs twice in group {quoted(group)}; remove one in --group"
                )
            if name in seen:
                raise SpecError(
                    "option-value",
                    f"{quoted(name)} is in two groups, {quoted(seen[name])} and {quoted(group)}; remove it from one "
                    "in --group",
                )
            seen[name] = group


def _scored(
    data: Data, chosen: Measure, groups: Mapping[str, Sequence[str]], run: Run
) -> tuple[dict[Pair, Scored], list[str]]:
    """Score each pair of annotators on their common items or documents."""
    members = [name for group in groups.values() for name in group]
    pairs = list(combinations(members, 2))
    if len(pairs) > _MOST_PAIRS:
        raise SpecError(
            "option-value",
            f"{len(members)} annotators form {len(pairs):,} pairs, more than {_MOST_PAIRS:,}; name fewer annotators "
            "in --group",
        )
    pair_scores: dict[Pair, Scored] = {}
    left = 0
    for k, (first, second) in enumerate(pairs):
        run.progress("scoring pairs of annotators", k, len(pairs))
        try:
            two = data.only_annotators((first, second))
            evidence = chosen.observe(two, run)
        except DataError:
            left += 1
            continue
        score = chosen.estimate(evidence)
        if score.undefined is not None or np.isnan(score.value) or score.n < 2:
            left += 1
            continue
        pair_scores[first, second] = Scored(two, chosen, evidence, score)
    run.progress("scoring pairs of annotators", len(pairs), len(pairs))
    if not pair_scores:
        raise DataError(
            "nothing-shared",
            "no two of these annotators share enough items or documents; name annotators with common items in --group",
        )
    return pair_scores, [f"{counted(left, 'pair')} left out: no common items, or undefined value"] if left else []

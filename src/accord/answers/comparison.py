"""Comparison of two values on the same, on different or on partly the same items or documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from accord.answers.contrast import (
    Draws,
    Spread,
    Term,
    annotator_variance,
    bootstrap,
    linearise,
    make_term,
    permute,
    t_spread,
    widen_for_few,
    with_added_items,
)
from accord.answers.levels import notes_on_levels
from accord.answers.scoring import Scored, main_measure, score_data
from accord.core.context import Run
from accord.core.errors import DataError, Interface, SpecError, UnknownName, printable, quoted
from accord.core.figures.bars import Forest, ForestRow
from accord.core.result import Result, Score, Several
from accord.core.tables import Cell, Drawing, Interval, Table, p_in_words, percent, plain
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.measures.intervals.added import ADDED, ENOUGH
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

# Reasons why interval and p may lead to different conclusions.
TWO_WAYS = "the interval is a bootstrap over documents and p a permutation test; treat the result as inconclusive"
SKEWED = "the bootstrap distribution is skewed and p treats both sides alike; treat the result as inconclusive"
OF_FEW = "the interval also allows for an uncertain standard error, and p only tests for any difference"
OF_FEWER = "both use a standard error that few items determine"
_USUAL = 0.95
_CARRIED = 5.0  # effective number of documents behind a difference; below it, the permutation test may be wrong
_OFTEN = "in simulations, p is at or below 0.05 in 3 to 16 of 100 such pairs of studies with equal agreement"
_FEW = 10  # items or documents below which the test is unreliable


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Two values and their difference b − a."""

    a: Score
    b: Score
    difference: float
    se: float
    interval: Interval
    p: float | None
    method: str
    n_common: int = 0  # items or documents in both
    df: float | None = None
    names: tuple[str, str] = ("a", "b")
    p_holm: float | None = None  # p corrected for all comparisons made together
    comparisons: int = 1
    apart: str = ""  # why interval and p may disagree; empty if they cannot
    annotators: str = "given"  # or "sampled" if the standard error includes the sampling of annotators
    few: str = ""  # a warning if the difference depends on few items
    notes: tuple[str, ...] = ()  # what looks unusual in the data

    def summary(self) -> str:
        return f"{self._what}: {self.names[1]} − {self.names[0]} = {self.difference:+z.3f}"

    def __str__(self) -> str:
        return printable(self.sentence)

    @property
    def p_final(self) -> float | None:
        """p after the correction, if there was one."""
        return self.p if self.p_holm is None else self.p_holm

    @property
    def sentence(self) -> str:
        """The result in words."""
        a, b = self.names
        same = self.a.measure == self.b.measure
        what = self.a.measure if same else f"{self.a.measure} and {self.b.measure}"
        head = (
            f"{what}: {self.a.value:z.3f} ({a}) and {self.b.value:z.3f} ({b}); {b} − {a} = {self.difference:+z.3f}, "
            f"{percent(self.interval.level)} interval {self.interval.low:+z.3f} to {self.interval.high:+z.3f}"
        )
        p = self.p_final
        if p is None:
            return f"{head}; there is no test because the values do not vary."
        shown = p_in_words(p)
        if self.p_holm is not None:
            shown += f" after Holm's correction for {self.comparisons} comparisons"
        if p <= 1 - self.interval.level + 1e-12:
            better = b if (self.difference > 0) == (self.b.kind == "agreement") else a
            verdict = "the difference is larger than sampling error explains"
            if same:  # of two measures, neither is better
                verdict += f", in favour of {better}"
        else:
            verdict = "the difference is within sampling error and may be zero"
        carried = f" {self.few}" if self.few else ""
        scarce = "pairs" if self.n_common else "items or documents"
        few = f" The test is unreliable with so few {scarce}." if min(self.a.n, self.b.n) < _FEW else ""
        return f"{head}; {shown}: {verdict}.{self._disagreement()}{carried}{few}"

    def _disagreement(self) -> str:
        """Explain why interval and p lead to different conclusions; empty if they agree."""
        least = 1 - self.interval.level + 1e-12
        without_0 = self.interval.low > 0 or self.interval.high < 0
        if self.p is None or self.p_final is None or without_0 == (self.p_final <= least):
            return ""
        if without_0 == (self.p <= least):  # only the correction differs
            return " The interval excludes 0 because it is not corrected for multiple comparisons."
        why = f": {self.apart}" if self.apart else ""
        holds = "excludes 0 although p is not significant" if without_0 else "includes 0 although p is significant"
        return f" The interval {holds}{why}."

    @property
    def _what(self) -> str:
        same = self.a.measure == self.b.measure
        return self.a.measure if same else f"{self.a.measure}, {self.b.measure}"

    def tables(self) -> list[Table]:
        return Comparisons((self,)).tables()

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return Comparisons((self,)).drawings()

    def closing(self) -> list[str]:
        return [self.sentence]

    def to_dict(self) -> dict[str, Any]:
        fields = {
            "a": self.a.brief(),
            "b": self.b.brief(),
            "difference": self.difference,
            "se": self.se,
            "interval": asdict(self.interval),
            "p": self.p,
            "method": self.method,
            "sentence": self.sentence,
            "names": list(self.names),
            "n_common": self.n_common,
            "df": self.df,
            "annotators": self.annotators,
            "notes": list(self.notes),
        }
        several = {} if self.p_holm is None else {"p_holm": self.p_holm, "comparisons": self.comparisons}
        return plain({**fields, **several})

    def flat(self) -> Table:
        return Comparisons((self,)).flat()

    def row(self) -> tuple[Cell, ...]:
        """Cells under `ROW`."""
        sides = (self.a.measure, self.names[0], self.a.value, self.b.measure, self.names[1], self.b.value)
        spread = (self.difference, self.se, self.interval.low, self.interval.high, self.interval.level)
        return (*sides, *spread, self.p, self.p_holm, self.df, self.n_common, self.method)


ROW = (
    "measure_a", "a", "value_a", "measure_b", "b", "value_b", "difference", "se", "low", "high", "level", "p", "p_holm",
    "df", "n_common", "method",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Comparisons(Several[Comparison]):
    """Comparisons made together; p is corrected (Holm) if there are several."""

    def summary(self) -> str:
        return ", ".join(c.summary() for c in self.each)

    def __str__(self) -> str:
        return "\n".join(map(str, self.each))

    def tables(self) -> list[Table]:
        several = len(self.each) > 1
        level = percent(self.each[0].interval.level) if self.each else ""
        columns = ("measure", "a", "value", "b", "value", "b − a", f"{level} interval", "p")
        rows: list[tuple[Cell, ...]] = []
        for c in self.each:
            sides = (c.names[0], c.a.value, c.names[1], c.b.value)
            rows.append((c._what, *sides, c.difference, c.interval, c.p, *((c.p_holm,) if several else ())))
        notes = describe_methods(self.each)
        if any(c.annotators == "given" for c in self.each):
            notes += ("the interval and p apply to these annotators; other annotators may give another difference",)
        notes += tuple(dict.fromkeys(note for c in self.each for note in c.notes))
        least = ("p",) if several else ()
        return [Table("", (*columns, "p (Holm)") if several else columns, tuple(rows), notes, least)]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": self._forest} if self.each else {}

    def _forest(self) -> Forest:
        """Differences with their intervals."""
        several = len({c._what for c in self.each}) > 1
        rows = tuple(
            ForestRow(f"{c.names[1]} − {c.names[0]}", c.difference, c.interval, c._what if several else "")
            for c in self.each
        )
        what = "" if several else f" of {self.each[0]._what}"
        return Forest("", rows, "comparison", f"difference{what}")

    def closing(self) -> list[str]:
        """One sentence per comparison."""
        corrected = [f"{len(self.each)} comparisons: p is corrected by Holm's method"] if len(self.each) > 1 else []
        return [*corrected, *(c.sentence for c in self.each)]

    def to_dict(self) -> dict[str, Any]:
        """A single comparison is the object itself; several are a list."""
        if len(self.each) == 1:
            return self.each[0].to_dict()
        return {"comparisons": [c.to_dict() for c in self.each], "correction": "Holm"}

    def flat(self) -> Table:
        return Table("", ROW, tuple(c.row() for c in self.each))


def describe_methods(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """One note per method, with the range of the degrees of freedom."""
    freedoms: dict[str, list[str]] = {}
    for c in comparisons:
        name, _, freedom = c.method.partition(", t with ")
        freedoms.setdefault(name, []).extend([freedom.removesuffix(" df")] if freedom else [])
    notes = []
    for name, found in freedoms.items():
        ends = sorted(set(found), key=float)
        spread = (
            "" if not ends else f", t with {ends[0]} df" if len(ends) == 1 else f", t with {ends[0]} to {ends[-1]} df"
        )
        notes.append(f"method: {name}{spread}")
    return tuple(notes)


def note_on_few(carriers: float, apart: str, level: float) -> str:
    """A warning if the difference depends on few items; empty if interval and p differ for other reasons."""
    if apart == TWO_WAYS and carriers < _CARRIED:
        often = f"; {_OFTEN}" if level == _USUAL else ""
        return f"The difference depends on about {carriers:.1f} documents{often}."
    if apart not in (OF_FEW, OF_FEWER):
        return ""
    held = (
        " (in simulations, such intervals contain the true difference in 92 to 100 of 100 cases)"
        if level == _USUAL
        else ""
    )
    what = (
        f"the interval is widened because data are few{held}" if apart == OF_FEW else "its standard error is uncertain"
    )
    return f"The difference depends on about {carriers:.1f} items: {what}."


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for multiple comparisons (Holm 1979); None stays None."""
    known = sorted((value, k) for k, value in enumerate(p) if value is not None and not math.isnan(value))
    corrected: list[float | None] = [None] * len(p)
    least = 0.0
    for rank, (value, k) in enumerate(known):
        least = max(least, min(1.0, (len(known) - rank) * value))
        corrected[k] = least
    return corrected


def correct_for_several(comparisons: Iterable[Comparison]) -> Comparisons:
    """Correct the p-values of comparisons made together."""
    each = tuple(comparisons)
    if len(each) < 2:
        return Comparisons(each)
    corrected = zip(each, holm([c.p for c in each]), strict=True)
    return Comparisons(tuple(replace(c, p_holm=p, comparisons=len(each)) for c, p in corrected))


METHODS = ("default", "linearised", "bootstrap", "permutation")


@dataclass(frozen=True)
class How:
    """Options of a comparison."""

    method: str = "default"
    paired: bool | None = None  # None: decided by the names of items and documents
    level: float = 0.95
    replicates: int = 2000
    interval: str = "default"  # of the two values

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UnknownName("method of comparison", self.method, METHODS)
        if self.unconditional and self.method in {"bootstrap", "permutation"}:
            raise SpecError(
                "option-conflict",
                f"--interval unconditional needs the linearised method, not {self.method}; remove --method",
            )

    @property
    def unconditional(self) -> bool:
        """Whether the standard error includes the sampling of annotators."""
        return self.interval == "unconditional"

    @property
    def settings(self) -> Settings:
        return Settings(self.interval, self.level, self.replicates)


def compare_data(
    data: tuple[Data, Data], measures: tuple[Measure, Measure], how: How, run: Run, names: tuple[str, str]
) -> Comparison:
    """Compare data that were read."""
    if data[0].kind is not data[1].kind:
        kinds = " and ".join(d.kind.words for d in data)
        raise DataError(
            "measure-for-other-data",
            f"these are {kinds}, and only data of the same kind can be compared; check the two tables with accord read",
        )
    if data[0] is not data[1]:
        _same_features(data, measures)
        data = data[0].with_categories_of(data[1])
    sides = tuple(_of(name, d, m, how, run) for name, d, m in zip(names, data, measures, strict=True))
    for name, side in zip(names, sides, strict=True):
        if side.score.undefined is not None:
            raise DataError(
                "undefined-value",
                f"{side.score.measure} is undefined for {name}: {side.score.undefined}; try another --measure",
            )
    terms = _terms(sides, data, how, run)
    common = _common(terms)
    _check(terms, common, how, names)
    if how.paired and common < max(len(t.sample) for t in terms):
        data, sides, terms = _common_alone(data, measures, how, run, terms)
    spread, method, apart = _spread(terms, sides, data, common, how, run)
    if how.unconditional:
        spread, method = _with_annotators(spread, method, sides, names, how.level)
    return Comparison(
        sides[0].score,
        sides[1].score,
        spread.value,
        spread.se,
        Interval(spread.low, spread.high, how.level, method),
        spread.p,
        method,
        common,
        spread.df,
        names,
        apart=apart,
        annotators="sampled" if how.unconditional else "given",
        few=note_on_few(spread.carriers, apart, how.level),
        notes=_doubts(data, names, measures),
    )


def _doubts(data: tuple[Data, Data], names: tuple[str, str], measures: tuple[Measure, Measure]) -> tuple[str, ...]:
    """Return what is assumed and what looks unusual in the data, with the name of the study if the two differ."""
    usual = [main_measure(None, study) for study in data]
    doubts_of_each = [
        [*(notes_on_levels({study.variable: study}, ()) if by == main else ()), *study.doubts()]
        for study, by, main in zip(data, measures, usual, strict=True)
    ]
    if doubts_of_each[0] == doubts_of_each[1]:
        return tuple(doubts_of_each[0])
    return tuple(f"{name}: {doubt}" for name, doubts in zip(names, doubts_of_each, strict=True) for doubt in doubts)


def _of(name: str, data: Data, by: Measure, how: How, run: Run) -> Scored:
    """Score one side; name it in errors."""
    try:
        return score_data(data, by, how.settings, run)
    except DataError as error:
        raise (error if name in str(error) else DataError(error.code, f"{name}: {error}")) from None


def _same_features(data: tuple[Data, Data], measures: tuple[Measure, Measure]) -> None:
    """Refuse texts with different features, unless the measure names the features it uses."""
    a, b = (d.features_compared for d in data)
    if set(a) != set(b) and any(getattr(m, "features", None) is None for m in measures):
        named = " and ".join(", ".join(names) or "none" for names in (a, b))
        raise DataError(
            "features-differ",
            f"the studies have different features ({named}); name common features, as in --measure "
            "'text_gamma(features=[pos])'",
        )


def _terms(sides_scored: tuple[Scored, ...], data: tuple[Data, Data], how: How, run: Run) -> tuple[Term, Term]:
    sides = ("", "") if how.paired is not False else ("a", "b")
    if data[0] is not data[1] and not all(d.named for d in data):
        sides = ("a", "b")  # a table of counts does not identify items
    return make_term(-1.0, sides_scored[0], run, 0, sides[0]), make_term(1.0, sides_scored[1], run, 1, sides[1])


def _common(terms: tuple[Term, Term]) -> int:
    a, b = (t.sample for t in terms)
    if a.names is b.names:
        return int(a.times.sum())
    return len(set(a.names) & set(b.names))


def _check(terms: tuple[Term, Term], common: int, how: How, names: tuple[str, str]) -> None:
    noun = terms[0].sample.noun
    for t, name in zip(terms, names, strict=True):
        if t.sample.times.sum() < 2:
            raise DataError(
                "too-few",
                f"{name} has only one {noun}; the standard error of a difference needs at least two, so add data",
            )
    if how.paired and not common:
        examples = " and ".join(quoted(t.sample.names[0]) for t in terms)
        raise DataError(
            "nothing-shared",
            f"no {noun} is in both studies, so there are no pairs (for example {examples}); use the same names in "
            f"both, or {'--unpaired' if Interface.command_line else 'paired=False'}",
        )


def _common_alone(
    data: tuple[Data, Data], measures: tuple[Measure, Measure], how: How, run: Run, terms: tuple[Term, Term]
) -> tuple[tuple[Data, Data], tuple[Scored, ...], tuple[Term, Term]]:
    """Keep only items or documents of both studies."""
    both = set(terms[0].sample.names) & set(terms[1].sample.names)
    pair = data[0].only_named(both), data[1].only_named(both)
    sides = tuple(score_data(d, m, how.settings, run) for d, m in zip(pair, measures, strict=True))
    return pair, sides, _terms(sides, pair, how, run)


def _spread(
    terms: tuple[Term, Term], sides: tuple[Scored, ...], data: tuple[Data, Data], common: int, how: How, run: Run
) -> tuple[Spread, str, str]:
    """Linearise if the measure allows it; else bootstrap, with a permutation test if sides can be exchanged.

    Also return the method, and why its interval and p may disagree.
    """
    measures = sides[0].measure, sides[1].measure
    most = max(len(t.sample) for t in terms)
    kind = "unpaired" if not common else "paired" if common >= most else "partly paired"
    linearised = all(t.pull is not None for t in terms)
    if how.method == "linearised" and not linearised:
        raise SpecError(
            "measure-for-other-data",
            f"{measures[0].name} has no linearised standard error; use --method bootstrap or --method permutation",
        )
    if linearised and how.method in {"default", "linearised"}:
        spread = linearise(terms, how.level)
        name = f"{kind} linearisation (Gwet 2016)"
        if how.method == "default" and not how.unconditional:
            # For two measures on the same data, both would get the same added items, which is uninformative.
            two_measures = data[0] is data[1] and measures[0] != measures[1]
            wide = None if two_measures else _wide(terms, sides, how.level)
            if (spread if wide is None else wide).carriers < ENOUGH and (wide is not None or spread.se > 0):
                name += f" after {ADDED:g} added items each" if wide is not None else ""
                spread = widen_for_few(spread, wide, how.level)
                return spread, f"{name}, t with {spread.df:.4g} df", OF_FEW if wide is not None else OF_FEWER
        return spread, f"{name}, t with {spread.df:.4g} df", ""
    spread = bootstrap(terms, how.level, Draws(how.replicates, run), run)
    exchangeable = measures[0] == measures[1] and not _the_same(*data)
    if how.method == "permutation" and not exchangeable:
        raise SpecError(
            "measure-for-other-data",
            "a permutation test cannot exchange two measures or two copies of the same data; use --method bootstrap",
        )
    exchanged = None
    if exchangeable and how.method != "bootstrap":
        exchanged = permute(data[0], data[1], measures[0], common > 0, how.replicates, run)
    if exchanged is None and how.method == "permutation":
        raise DataError(
            "measure-for-other-data",
            f"{measures[0].name} is undefined for both studies together, so there is no permutation test; use "
            "--method bootstrap",
        )
    if exchanged is None:
        return spread, f"{kind} bootstrap, {how.replicates} replicates", SKEWED
    test = "studentised permutation" if exchanged.studentised else "permutation"
    often = f"{how.replicates} replicates" + (
        " each" if exchanged.exchanges == how.replicates else f" and {exchanged.exchanges} exchanges"
    )
    return replace(spread, p=exchanged.p), f"{kind} bootstrap and {test}, {often}", TWO_WAYS


def _the_same(a: Data, b: Data) -> bool:
    """Whether both are the same data. Digests of items do not cover their names and are not used."""
    return a is b or (a.kind is not ITEMS and a.kind is b.kind and a.digest == b.digest)


def _wide(terms: tuple[Term, Term], sides: tuple[Scored, ...], level: float) -> Spread | None:
    """Return the difference after adding two neutral items to each side; None if this is impossible."""
    more = [with_added_items(t, side) for t, side in zip(terms, sides, strict=True)]
    known = [t for t in more if t is not None and not math.isnan(t.value)]
    return linearise(known, level) if len(known) == len(more) else None


def _with_annotators(
    spread: Spread, method: str, sides: tuple[Scored, ...], names: tuple[str, str], level: float
) -> tuple[Spread, str]:
    """Add the jackknife variance over annotators to the standard error of the difference."""
    without = []
    for factor, side, name in zip((-1.0, 1.0), sides, names, strict=True):
        values = side.score.details.get("without_annotator")
        if values is None or spread.df is None:
            why = side.score.details.get("interval", "this needs coefficients on items")
            raise DataError("undefined-value", f"{name}: no standard error over annotators for the difference; {why}")
        without.append((factor, values))
    se = math.sqrt(spread.se**2 + annotator_variance(without))
    return t_spread(spread.value, se, math.inf, level), f"{method.partition(',')[0]}, jackknife over annotators added"

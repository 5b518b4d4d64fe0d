"""Scores, the results of measures, and the one place that handles 0/0."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any, ClassVar, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import Interface, printable
from accord.core.figures.bars import Forest, ForestRow, Stacked
from accord.core.figures.heatmap import Confusion, PairMatrix
from accord.core.tables import (
    MOST_ROWS,
    Background,
    Cell,
    Drawing,
    Interval,
    Result,
    Several,
    Table,
    more_rows,
    percent,
    plain,
    prefixed,
    shown,
)

__all__ = [
    "Alternative",
    "Interval",
    "Kind",
    "NamedScores",
    "PartTable",
    "Parts",
    "Result",
    "Score",
    "Scores",
    "ScoresByName",
    "Several",
]

Kind = Literal["agreement", "error"]
_FAR = 0.1  # a permutation mean from which it is reported: s and ac need not be 0 by chance
_SIGNIFICANT = 0.05
_CHANGED = 0.02  # difference of another value from which it is printed
NOT_SIGNIFICANT = "not significantly different from chance agreement"
MONTE_CARLO, _ERROR = "monte_carlo", "Monte Carlo"
MOST_DRAWN = 200  # annotators in a heat map
MOST_PARTS = 1_000  # larger breakdowns are left out of JSON unless requested
ROW = (
    "measure", "value", "low", "high", "level", "method", "observed", "expected", "se", "p", "n", "undefined",
    "signature",
)  # fmt: skip


@dataclass(frozen=True)
class Alternative:
    """The value of the same data by another convention or level of measurement, with the difference in words."""

    measure: str  # its spec
    value: float
    why: str


@dataclass(frozen=True, repr=False)
class Score(Result):
    """The value of a measure, with interval, parts and details. Values are not rounded."""

    subject: ClassVar[str] = "Agreement"

    value: float
    measure: str
    observed: float | None = None
    expected: float | None = None
    se: float | None = None
    interval: Interval | None = None
    p: float | None = None  # two-sided
    n: int = 0  # the number of compared items or documents
    parts: Mapping[str, Mapping[str, Score]] = field(default_factory=dict, repr=False, compare=False)
    kind: Kind = "agreement"
    undefined: str | None = None  # the reason if the value is NaN
    details: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    signature: str = ""
    symbol: str = field(default="", repr=False, compare=False)  # α; empty: use the spec
    alternatives: tuple[Alternative, ...] = field(default=(), repr=False, compare=False)
    measurement: str | None = field(default=None, repr=False, compare=False)  # the level of the labels
    of_data: Mapping[str, Callable[[], Drawing]] = field(default_factory=dict, repr=False, compare=False)  # figures

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        return printable(self._said(self.symbol or self.measure))

    def summary(self) -> str:
        return self._said(self.measure)

    def _said(self, name: str) -> str:
        if math.isnan(self.value):
            return f"{name} is undefined: {self.undefined or 'reason unknown'}"
        return f"{name} = {shown(self.value)}{f' {shown(self.limits)}' if self.interval else ''}"

    @property
    def limits(self) -> Interval | str | None:
        """The interval for tables. If it covers the Monte Carlo error only, the error, which is not an interval."""
        made = self.interval
        if made is None or made.method != MONTE_CARLO:
            return made
        return f"± {shown(self.value - made.low)} ({_ERROR})"  # the upper limit may be cut at 1

    def tables(self) -> list[Table]:
        return [score_table([self])]

    def notes(self) -> list[str]:
        """Return notes on what the value depends on, the most important first."""
        facts = self.details
        made = [f"{self.measure}: {note}" for note in (*self.alternatives_shown(), *facts.get("notes", ()))]
        if self.tested and not facts["test"]["of"] and self.p is not None and self.p >= _SIGNIFICANT:
            made.append(f"{self.measure}: {NOT_SIGNIFICANT}")
        if self.kind == "error":
            made.append(f"{self.measure}: lower values are better, and 0 is perfect")
        if "chance" in facts:
            made += self._about_chance()
        if facts.get("grain", 1.0) != 1.0:
            made.append(Background(f"{self.measure}: lengths are counted in steps of {facts['grain']:g}"))
        if facts.get("coverage"):
            made.append(Background(f"{self.measure}: {facts['coverage']}"))
        if self.tested:
            requested = facts["test"]["of"]  # --null names the value, so its p belongs to the answer
            made.append(prefixed(f"{self.measure}: ", self.tested if requested else Background(self.tested)))
        return made

    def alternatives_shown(self, besides: Iterable[str] = ()) -> list[str]:
        """Return a line per alternative that changes the value, without the measures in `besides`."""
        return [
            f"{other.measure} gives {shown(other.value)}: {other.why}"
            for other in self.alternatives
            if abs(other.value - self.value) > _CHANGED and other.measure not in set(besides)
        ]

    @property
    def tested(self) -> str:
        """The p-value with its null hypothesis and test; empty if there is no test."""
        test = self.details.get("test")
        if test is None:
            return ""
        what = f"a value of {test['of']:g}" if test["of"] else "no agreement"
        p = "no p" if self.p is None else "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        far = abs(test.get("mean", 0.0)) >= _FAR
        mean = f", where the value is {shown(test['mean'])} on average" if far else ""
        return f"{p} for {what} ({test['by']}{mean})"

    @property
    def chance(self) -> str:
        """The chance model, why it is the default, and the samples drawn from it; empty if there is none."""
        facts = self.details
        if "chance" not in facts:
            return ""
        made = [chance_named(facts["chance"], facts.get("chance_because"))]
        if facts.get("combinations"):
            all_ = f"all {facts['combinations']:,} combinations"
            made.append(f"{all_}, no sampling error" if not facts["samples"] else all_)
        if facts["samples"]:
            made.append(f"{facts['samples']:,} samples")
        if "p_t" in facts:  # the chance rates of edits of the text and of the tokens
            made += [f"p_t = {facts['p_t']:.3g}", f"p_s = {facts['p_s']:.3g}"]
        return ", ".join(made)

    def _about_chance(self) -> list[str]:
        facts = self.details
        what = "mean distances of labels" if "pairs" in facts else "disorders"
        name = self.measure.partition("(")[0]
        made = [f"{self.measure}: observed and expected are {what}; chance model: {facts['chance']} ({page_of(name)})"]
        if facts.get("gap", 0) > 0:
            made.append(
                f"{self.measure}: the disorder of the alignment is proven to be within {facts['gap']:.2g} of the "
                "smallest"
            )
        return [*made, Background(f"{self.measure}: chance: {self.chance}")]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """Return figures of confusions, pairs of annotators and parts, if the score has them."""
        made: dict[str, Callable[[], Drawing]] = dict(self.of_data)
        named = self.symbol or self.measure
        if "matrix" in self.details:
            made["confusion"] = partial(_confusion, self.details["matrix"])
        there = [part for part in self.parts if part != "item" and not self._too_many(part)]
        people = self.details.get("annotators") or 3
        if "pair" in self.parts and "annotator" in self.parts and 2 < people <= MOST_DRAWN:
            made["pairs"] = partial(_pairs, named, self)
        shares = next((part for part in ("category", "document") if part in there and self.details.get("units")), None)
        if shares is not None and self.kind == "agreement":
            made["disorder"] = partial(_disorder, named, self, shares)
        for part in there:
            if part != "pair":
                made[f"forest by {part}"] = partial(_by_part, named, self, part)
        made["forest"] = partial(forest, {self.measure: self}, "", "measure")
        return made

    def row(self) -> tuple[Cell, ...]:
        """Return the cells of the columns `ROW`."""
        i = self.interval
        limits = (i.low, i.high, i.level, i.method) if i else (None, None, None, None)
        found = (self.observed, self.expected, self.se, self.p, self.n, self.undefined, self.signature)
        return (self.measure, self.value, *limits, *found)

    def flat(self) -> Table:
        return Table("", ROW, (self.row(),))

    def to_dict(self, by: Sequence[str] = ()) -> dict[str, Any]:
        """Return plain data as in docs/output.md; breakdowns in `by` are included regardless of their size."""
        return plain({**self._head(), "parts": self._parts(by), "details": dict(self.details), **self._tail()})

    def brief(self) -> dict[str, Any]:
        """Return plain data without breakdowns and matrix, for results that contain scores."""
        details = {k: v for k, v in self.details.items() if k != "matrix"}
        return plain({**self._head(), "details": details, **self._tail()})

    def _head(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "se": self.se,
            "interval": asdict(self.interval) if self.interval else None,
            "p": self.p,
            "n": self.n,
        }

    def _tail(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "undefined": self.undefined,
            "signature": self.signature,
            "measurement": self.measurement,
            "alternatives": [asdict(other) for other in self.alternatives],
        }

    def _parts(self, by: Sequence[str]) -> dict[str, Any]:
        return {
            part: {
                name: {
                    "value": s.value,
                    "observed": s.observed,
                    "expected": s.expected,
                    "n": s.n,
                    "undefined": s.undefined,
                    **s.details,
                }
                for name, s in self.parts[part].items()
            }
            for part in self.parts
            if part in by or not (part == "item" or self._too_many(part))
        }

    def _too_many(self, part: str) -> bool:
        """Return whether a breakdown is too large, without computing it."""
        annotators, categories = self.details.get("annotators") or 0, self.details.get("categories") or 0
        documents = self.details.get("documents") or 0
        pairs = annotators**2 // 2
        size = {"category": categories, "annotator": pairs, "pair": pairs, "document": documents}.get(part, 0)
        return bool(size > MOST_PARTS)


def chance_named(model: str, because: str | None) -> str:
    """Return a chance model with the reason why it is the default; None: the user chose it."""
    return f"{model} ({because})" if because else model


def notes_of(scores: Sequence[Score], which: str = "") -> list[str]:
    """Return the notes of several scores, each once with the measures it applies to: `pi, kappa: …`.

    `which` distinguishes the p of these data from those of others.
    """
    measures_of: dict[str, list[str]] = {}
    background: set[str] = set()
    present = [score.measure for score in scores]  # their values are in the table
    for score in scores:
        name = f"{score.measure}: "
        repeated = {*score.alternatives_shown()}.difference(score.alternatives_shown(present))
        for note in score.notes():
            text = note.removeprefix(name)
            if text in repeated:
                continue
            text = text + which if text == score.tested else text
            measures = measures_of.setdefault(text, [])
            if note.startswith(name) and score.measure not in measures:
                measures.append(score.measure)
            if isinstance(note, Background):
                background.add(text)
    made = {text: f"{', '.join(measures)}: {text}" if measures else text for text, measures in measures_of.items()}
    return [Background(note) if text in background else note for text, note in made.items()]


def legend(scores: Sequence[Score]) -> list[str]:
    """Explain the columns of observed and expected, and where the chance model is described."""
    measures_of: dict[str, list[str]] = {}
    for score in scores:
        name = score.measure.partition("(")[0]
        what = _what_is_observed(score) if name != "percent" and "chance" not in score.details else ""
        if what and name not in measures_of.setdefault(what, []):
            measures_of[what].append(name)
    made = []
    for what, names in measures_of.items():
        prefix = f"{', '.join(names)}: " if len(measures_of) > 1 else ""
        page = page_of(names[0] if len(names) == 1 else "NAME")
        fact = f"observed, expected: {what} found, and {what} expected by chance"
        made.append(f"{prefix}{fact} ({page} explains the chance model)")
    return made


def _what_is_observed(score: Score) -> str:
    """Return whether the columns are agreement or disagreement, by the formula that gives the value; else nothing."""
    observed, expected = score.observed, score.expected
    if observed is None or expected is None or score.kind != "agreement" or math.isnan(score.value):
        return ""
    if expected < 1 and math.isclose((observed - expected) / (1 - expected), score.value, abs_tol=1e-9):
        return "agreement"
    return "disagreement" if expected > 0 and math.isclose(1 - observed / expected, score.value, abs_tol=1e-9) else ""


def page_of(name: str) -> str:
    """Return how to read the page of a measure."""
    return f"accord measures {name}" if Interface.command_line else f"help(accord.{name})"


def score_table(scores: Sequence[Score], names: Sequence[str] = (), noun: str = "n") -> Table:
    """Return a table with a row per score and notes."""
    rows: list[tuple[Cell, ...]] = []
    for k, s in enumerate(scores):
        who = s.details.get("annotators")
        name = (names[k],) if names else ()
        rows.append((*name, s.measure, s.value, s.limits, s.observed, s.expected, s.n, who))
    notes = [f"{s.measure} is undefined: {s.undefined}" for s in scores if s.undefined]
    columns = ("measure", "value", interval_heading(scores), "observed", "expected", noun, "annotators")
    rest = background_last([*notes, *about_intervals(scores), *notes_of(scores), *legend(scores)])
    least = ("annotators", noun, "expected", "observed")
    return Table("", ("name", *columns) if names else columns, tuple(rows), tuple(dict.fromkeys(rest)), least)


def level_of(scores: Sequence[Score]) -> str:
    """Return the confidence level of the intervals; 95% if there are none."""
    return next((percent(s.interval.level) for s in scores if s.interval), percent(0.95))


def interval_heading(scores: Sequence[Score], level: str = "") -> str:
    """Return the heading of a column of intervals, or of Monte Carlo errors if there is no interval."""
    methods = {s.interval.method for s in scores if s.interval is not None}
    return f"{level or level_of(scores)} {'error' if methods == {MONTE_CARLO} else 'interval'}"


def background_last(notes: Iterable[str]) -> tuple[str, ...]:
    """Return notes without repetitions, those that most readers do not need last."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: isinstance(note, Background)))


def about_intervals(scores: Sequence[Score]) -> list[str]:
    """Return notes on the limits of intervals, or why there are none, and the methods that were used."""
    whose: dict[str, list[str]] = {}
    for score in scores:
        if reason := score.details.get("interval"):
            whose.setdefault(reason, []).append(score.measure)
    made = [note_on_intervals(reason, measures, len(scores)) for reason, measures in whose.items()]
    methods = {s.interval.method for s in scores if s.interval is not None}
    return [*made, Background(f"interval: {', '.join(sorted(methods))}")] if methods else made


def note_on_intervals(reason: str, measures: Sequence[str], of: int) -> str:
    """Return a note on intervals: for all measures as a sentence, otherwise with the measures that it applies to."""
    if of > 1 and len(measures) == of:
        plural = reason.replace("the interval is", "all intervals are").replace("the interval", "all intervals")
        return f"{plural[:1].upper()}{plural[1:]}."
    return f"{', '.join(dict.fromkeys(measures))}: {reason}"


@dataclass(frozen=True, repr=False)
class Scores(Several[Score]):
    """Scores of the same data, by position or by spec: `scores["alpha(distance=ordinal)"]`."""

    subject: ClassVar[str] = "Agreement"

    @overload
    def __getitem__(self, index: int | str) -> Score: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | str | slice) -> Score | Self:
        if not isinstance(index, str):
            return super().__getitem__(index)
        for score in self.each:
            if score.measure == index.replace(" ", ""):
                return score
        raise KeyError(f"{index}; known: {', '.join(score.measure for score in self.each)}")

    def __str__(self) -> str:
        return "\n".join(map(str, self.each))

    def summary(self) -> str:
        return ", ".join(score.summary() for score in self.each)

    def tables(self) -> list[Table]:
        return [score_table(self.each)]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": partial(forest, {score.measure: score for score in self.each}, "", "measure")}

    def to_dict(self) -> dict[str, Any]:
        return {"scores": [score.to_dict() for score in self.each]}

    def flat(self) -> Table:
        return Table("", ROW, tuple(score.row() for score in self.each))


class ScoresByName(Mapping[str, Score], Result):
    """Scores by name."""

    subject: ClassVar[str] = "Agreement"

    def __str__(self) -> str:
        return "\n".join(f"{printable(name)}: {score}" for name, score in islice(self.items(), MOST_ROWS))

    def summary(self) -> str:
        shown = ", ".join(f"{name}: {score.summary()}" for name, score in islice(self.items(), 3))
        return shown if len(self) <= 3 else f"{shown} … ({len(self):,})"

    def tables(self) -> list[Table]:
        first = dict(islice(self.items(), MOST_ROWS))
        table = score_table(list(first.values()), list(first))
        left = len(self) - len(first)
        return [replace(table, notes=(*table.notes, more_rows(left))) if left else table]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": partial(forest, self, "", "name")} if len(self) else {}

    def to_dict(self) -> dict[str, Any]:
        return {"scores": {name: score.to_dict() for name, score in self.items()}}

    def flat(self) -> Table:
        return Table("", ("name", *ROW), tuple((name, *score.row()) for name, score in self.items()))


@dataclass(frozen=True, repr=False, eq=False)
class NamedScores(ScoresByName):
    """A few scores by name."""

    named: Mapping[str, Score]

    def __len__(self) -> int:
        return len(self.named)

    def __iter__(self) -> Iterator[str]:
        return iter(self.named)

    def __getitem__(self, name: str) -> Score:
        return self.named[name]


def chance_corrected(
    measure: str,
    disagreement: float,
    chance: float,
    scale: float = 1.0,
    reason: str | None = None,
    **rest: Any,
) -> Score:
    """Return 1 − D_o/D_e, or NaN with a reason. Observed and expected agreement are 1 − distance / `scale`.

    `reason`: why the coefficient is undefined although the quotient exists.
    """
    scale = scale if scale > 0 else 1.0
    if reason is None and not chance > 0:
        reason = "no variation, so expected agreement is perfect: 0/0"
    value = math.nan if reason else float(1.0 - disagreement / chance)
    return Score(
        value,
        measure,
        observed=float(1.0 - disagreement / scale),
        expected=float(1.0 - chance / scale),
        undefined=reason,
        **rest,
    )


@dataclass(frozen=True, repr=False, eq=False)
class PartTable(ScoresByName):
    """Many scores by name, stored as columns to save memory."""

    measure: str
    names: tuple[str, ...]
    value: NDArray[np.float64]
    observed: NDArray[np.float64]
    expected: NDArray[np.float64]
    n: NDArray[np.int64]
    undefined: str = "0/0"

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Score:
        return self.at(self._index[name])

    def at(self, i: int) -> Score:
        value = float(self.value[i])
        return Score(
            value,
            self.measure,
            observed=_known(self.observed[i]),
            expected=_known(self.expected[i]),
            n=int(self.n[i]),
            undefined=self.undefined if math.isnan(value) else None,
        )

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


class Parts(Mapping[str, Mapping[str, Score]]):
    """Breakdowns that are computed on first access.

    A pickle contains all of them. If the computation is a `partial`, it is pickled with its evidence and runs later:
    this suits coefficients on items, which may have many pairs of annotators. If not, pickling computes the remaining
    breakdowns, which are far smaller than the evidence. The evidence may contain a user's function that cannot be
    pickled.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        compute: Callable[[str], Mapping[str, Score]],
        made: Mapping[str, Mapping[str, Score]] | None = None,
    ) -> None:
        self._names, self._compute = names, compute
        self._made = dict(made or {})

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, by: object) -> bool:
        """Return whether there is such a breakdown, without computing it."""
        return by in self._names

    def __getitem__(self, by: str) -> Mapping[str, Score]:
        if by not in self._names:
            raise KeyError(f"{by}; known: {', '.join(self._names) or 'none'}")
        if by not in self._made:
            found = self._compute(by)
            self._made[by] = found if isinstance(found, ScoresByName) else NamedScores(found)
        return self._made[by]

    def __reduce__(self) -> tuple[object, ...]:
        if isinstance(self._compute, partial):
            return Parts, (self._names, self._compute, self._made)
        return dict, (dict(self),)

    def __repr__(self) -> str:
        return f"<parts by {', '.join(self._names)}>"


# -- figures ---------------------------------------------------------------------------------------------------------


def estimate(name: str, score: Score, series: str = "") -> ForestRow:
    """Return a score as a row of a forest plot."""
    interval = None if isinstance(score.limits, str) else score.limits
    return ForestRow(name, score.value, interval, series, score.n, score.undefined or "")


def forest(named: Mapping[str, Score], title: str, what: str, of: str = "", whole: Score | None = None) -> Forest:
    """Return a forest plot of scores by name; the first row is the score of all data, if given (`whole`)."""
    symbols = {score.symbol or score.measure for score in named.values()}
    of = of or (symbols.pop() if len(symbols) == 1 else "value")
    rows = tuple(estimate(name, score) for name, score in named.items())
    if whole is not None:
        name = "all"
        while name in named:
            name = f"({name})"
        rows = (replace(estimate(name, whole), whole=True), *rows)
    return Forest(title, rows, what, of)


def _by_part(name: str, score: Score, part: str) -> Forest:
    """Return a forest plot of the parts, the worst first."""
    sign = -1 if score.kind == "error" else 1
    parts = sorted(score.parts[part].items(), key=lambda one: (math.isnan(one[1].value), sign * one[1].value))
    return forest(dict(parts), f"{name} by {part}", part, name, score)


def _confusion(found: Mapping[str, Any]) -> Confusion:
    counts = tuple(tuple(map(float, row)) for row in found["counts"])
    two = found["kind"] == "confusion"
    whose = (found["rows"], found["columns"]) if two else ("", "")
    title = "labels of two annotators" if two else "labels of the same item"
    return Confusion(title, tuple(found["categories"]), counts, *whose)


def _pairs(name: str, score: Score) -> PairMatrix:
    names, found = tuple(score.parts["annotator"]), score.parts["pair"]

    def value(a: str, b: str) -> float:
        one = found.get(f"{a} – {b}") or found.get(f"{b} – {a}")
        return math.nan if one is None or a == b else one.value

    values = tuple(tuple(value(a, b) for b in names) for a in names)
    return PairMatrix(f"{name} of each pair of annotators", names, values, score.kind == "error")


def _disorder(name: str, score: Score, part: str) -> Stacked:
    shares = tuple((who, (100 * one.details.get("share", 0.0),)) for who, one in score.parts[part].items())
    return Stacked(f"disorder by {part} ({name})", part, ("disorder",), shares)

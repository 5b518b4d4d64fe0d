"""All that is known about one variable: the answers of every question about it, and the first screen of the report.

The first screen has the value in words, reasons for and against trusting it, and up to three things to do next. All of
it is derived from the answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np

from accord.answers.annotators import Annotators, annotators
from accord.answers.checks import hint_on_prevalence
from accord.answers.disagreements import Disagreements, disagreements
from accord.answers.influence import Influence, influence
from accord.answers.scoring import main_measure, score_each, with_category_intervals
from accord.answers.simulate.meaning import Meaning, meaning
from accord.answers.trend import Trend, trend
from accord.core.context import Run
from accord.core.errors import AccordError, counted
from accord.core.figures.bars import Forest
from accord.core.result import Score, Scores
from accord.core.tables import Interval, percent, plain, shown
from accord.data.kinds import ITEMS, TEXTS, UNITS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, Fact
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.measures.catalogue import ON_SCALES, measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments

# -- sentences with numbers that keep their full value, and with names that users chose --------------------------------

Form = Literal["value", "change", "share", "count", "p"]


@dataclass(frozen=True)
class Number:
    """A number in a sentence: shown rounded, stored in full precision."""

    value: float
    form: Form = "value"

    def __str__(self) -> str:
        if self.form == "count":
            return f"{self.value:,.0f}"
        if not math.isfinite(self.value):
            return "undefined"
        if self.form == "share":
            return f"{self.value:.1%}" if abs(self.value) < 0.1 else f"{self.value:.0%}"
        if self.form == "p":
            return "< 0.001" if self.value < 0.001 else f"= {self.value:.3f}"
        return f"{self.value:+z.3f}" if self.form == "change" else shown(float(self.value))


@dataclass(frozen=True)
class GivenName:
    """The name of an annotator, a category or a document, shown exactly as it is in the data."""

    text: str

    def __str__(self) -> str:
        return self.text


Sentence = tuple[str | Number | GivenName, ...]


def signed(number: str) -> str:
    """Replace the hyphen by a minus sign. Attributes beside it keep the number for programs."""
    return number.replace("-", "−")


def sentence_as_text(sentence: Sentence) -> str:
    return "".join(map(str, sentence))


def sentence_as_dict(sentence: Sentence) -> dict[str, Any]:
    """The words, and the numbers in them in full precision."""
    return plain(
        {"text": sentence_as_text(sentence), "numbers": [one.value for one in sentence if isinstance(one, Number)]}
    )


def count(n: int) -> Number:
    return Number(n, "count")


def share(part: float) -> Number:
    return Number(part, "share")


def change(by: float) -> Number:
    return Number(by, "change")


# -- the answers about one variable, each asked once -------------------------------------------------------------------


# Whom and what a report leaves out once. Categories would be aligned again each; what they cost is broken down anyway.
_LEFT_OUT = ("annotator", "unit")
_MOST_PEOPLE = 100  # annotators that are left out in turn: each of them is a score
T = TypeVar("T")


@dataclass(frozen=True)
class ReportOptions:
    """What the user asked the report to contain."""

    measures: tuple[Measure, ...] = ()  # none: the usual ones
    settings: Settings = field(default_factory=Settings)
    rounds: str | None = None  # the column that names them
    meaning: bool = False
    text: str | None = None  # the column with the text of items


@dataclass(frozen=True, eq=False)
class Findings:
    """Answers about one variable. For an answer that is None, `missing` has the reason, by the key of its section."""

    variable: str
    data: Data
    measure: Measure  # the one that the first screen is about
    scores: Scores
    influence: Influence | None = None
    disagreements: Disagreements | None = None
    annotators: Annotators | None = None
    trend: Trend | None = None
    meaning: Meaning | None = None
    alignment: UnitaryAlignments | TextAlignments | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    categories: Forest | None = None  # the values of categories, with intervals where they have some

    @property
    def score(self) -> Score:
        """The one that the first screen is about."""
        return self.scores[str(self.measure)]


def find_answers(variable: str, data: Data, asked: ReportOptions, run: Run) -> Findings:
    """Score the data and ask every other question that fits them. The alignment is computed once and shared."""
    measures = asked.measures or tuple(measure(spec) for spec in data.usual_measures)
    main = _main(data, asked, measures)
    scores = Scores(score_each(data, measures, asked.settings, run))
    missing: dict[str, str] = {}
    rest: dict[str, Any] = {"seed": run.seed, "progress": run.progress, "jobs": run.jobs}
    level = asked.settings.level

    def answered(key: str, ask: Callable[[], T]) -> T | None:
        """Ask one question. If the data do not allow it, store the reason and go on."""
        try:
            return ask()
        except AccordError as error:
            missing[key] = str(error)
            return None

    known = data.identified and data.kind in {ITEMS, UNITS}
    return Findings(
        variable,
        data,
        main,
        scores,
        answered("influence", lambda: _influence(data, main, level=level, **rest)),
        answered("places", lambda: disagreements(data, **rest)) if known else None,
        answered("annotators", lambda: annotators(data, level=level, **rest)) if known else None,
        answered("rounds", lambda: trend(data, asked.rounds or "", [main], **_how(asked), **rest))
        if asked.rounds
        else None,
        answered("meaning", lambda: meaning(data, main, **rest)) if asked.meaning else None,
        answered("places", lambda: main.alignments(data, run)) if main.aligns else None,
        missing,
        _categories(data, main, scores, asked.settings, run),
    )


def _categories(data: Data, main: Measure, scores: Scores, settings: Settings, run: Run) -> Forest | None:
    """The values of categories as a figure; None where there is no value, or no category has one."""
    score = scores[str(main)]
    if math.isnan(score.value) or "forest by category" not in score.drawings():
        return None
    drawn = score.figure("forest by category")
    assert isinstance(drawn, Forest)  # noqa: S101 - by its name
    return with_category_intervals(drawn, data, main, settings, run)


def _influence(data: Data, main: Measure, **how: Any) -> Influence:
    """The influence of each annotator; of a crowd, only of those with most labels, who can change the value most."""
    people = data.present if data.identified else ()
    if len(people) <= _MOST_PEOPLE or not isinstance(data, Ratings | Corpus | Segmentations):
        return influence(data, main, of=_LEFT_OUT, **how)
    done = np.bincount(data.annotator, minlength=len(data.annotators))
    first = sorted(range(len(done)), key=lambda k: (-done[k], k))[:_MOST_PEOPLE]
    found = influence(data, main, of=_LEFT_OUT, annotators=[data.annotators[k] for k in first], **how)
    note = f"of {len(people):,} annotators, the {_MOST_PEOPLE} who did most are left out in turn"
    return replace(found, notes=(note, *found.notes))


def _how(asked: ReportOptions) -> dict[str, Any]:
    settings = asked.settings
    return {"interval": settings.method, "level": settings.level, "replicates": settings.replicates}


def _main(data: Data, asked: ReportOptions, measures: Sequence[Measure]) -> Measure:
    """The first measure that was asked for, or else the usual one. The first screen needs one corrected for chance."""
    usual = main_measure(None, data)
    if asked.measures or usual.lowest < 0:
        return measures[0] if asked.measures else usual
    return next((one for one in measures if one.lowest < 0), usual)


# -- the first screen --------------------------------------------------------------------------------------------------


Trust = Literal["no reason against it", "with care", "not by itself"]
_HALF = 0.5  # of the way from chance to perfect agreement
_WIDE = 0.2  # of an interval that leaves open what the value is
_RARE = 10  # labels, below which a category says nothing by itself
_ALL_ONE = 0.9  # the share of one category, above which the others hardly count
_UNEVEN = 0.1  # of what the busiest annotator did
_MUCH = 0.1  # of the items left out
_STANDS_OUT = 0.05  # the share of disorder above which one document is worth a word of its own
_FIRST = 10  # documents named together where none stands out
_SIGNIFICANT = 0.05  # the p above which a difference is no more than sampling would give
_NAMED = 5  # of them, those whose names are shown


@dataclass(frozen=True)
class Reason:
    """A reason to treat a value with care; a grave one is enough not to rely on the value alone."""

    said: Sentence
    grave: bool = False


@dataclass(frozen=True)
class NextStep:
    """Something to do next."""

    what: Literal["annotator", "category", "pair", "document", "item"]
    title: Sentence
    said: Sentence
    section: str  # that shows more

    def to_dict(self) -> dict[str, Any]:
        return {"what": self.what, "title": sentence_as_dict(self.title), "said": sentence_as_dict(self.said)}


@dataclass(frozen=True)
class Assessment:
    """The first screen of a report: the value in words, reasons for care, and what to do next."""

    headline: str
    said: tuple[Sentence, ...]
    reasons: tuple[Reason, ...]
    steps: tuple[NextStep, ...]

    @property
    def trust(self) -> Trust:
        if any(reason.grave for reason in self.reasons):
            return "not by itself"
        return "with care" if self.reasons else "no reason against it"

    def lines(self) -> list[str]:
        """All of it as lines for the terminal."""
        return [
            self.headline,
            *map(sentence_as_text, self.said),
            f"Trust it: {self.trust}.",
            *(f"- {sentence_as_text(reason.said)}" for reason in self.reasons),
            *(["Next:"] if self.steps else []),
            *(
                f"{k}. {sentence_as_text(step.title)}. {sentence_as_text(step.said)}"
                for k, step in enumerate(self.steps, 1)
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "headline": self.headline,
                "said": [sentence_as_dict(one) for one in self.said],
                "trust": self.trust,
                "reasons": [{**sentence_as_dict(one.said), "grave": one.grave} for one in self.reasons],
                "next": [step.to_dict() for step in self.steps],
            }
        )


def assess(found: Findings, run: Run) -> Assessment:
    """Assess the main measure of the findings."""
    score = found.score
    known = (_annotator(found), _category(found) or _pair(found), _place(found))
    steps = () if math.isnan(score.value) or _perfect(score) else tuple(filter(None, known))
    return Assessment(_headline(found), tuple(_value(found)), tuple(_reasons(found, run)), steps)


def _perfect(score: Score) -> bool:
    """Whether the annotators agree completely, so that there is nothing to settle."""
    return score.value == (0.0 if score.kind == "error" else 1.0)


# -- the value -----------------------------------------------------------------------------------------------------


def _corrected(found: Findings) -> bool:
    """Whether a value of 0 means agreement by chance."""
    return found.score.kind == "agreement" and found.score.expected is not None and found.measure.lowest < 0


def _headline(found: Findings) -> str:
    score = found.score
    if math.isnan(score.value):
        return "How well the annotators agree cannot be said"
    if not _corrected(found):
        apart = score.kind == "error"
        if not apart and found.measure.lowest < 0:  # ICC, say: no agreement is expected, and yet chance gives 0
            return "How much the annotators agree"
        return "How far the annotators are apart" if apart else "How much the annotators agree, chance included"
    if score.interval is None:
        return "How the annotators agree in these data, and no word about others"
    if score.interval.low <= 0 <= score.interval.high and _more_than_chance(score):
        return "Annotators agree beyond chance, but how much is wide open"
    return _held_against_chance(score.interval)


def _more_than_chance(score: Score) -> bool:
    """Whether a test of no agreement rejects, which needs no interval. Tests of other values do not count."""
    return score.value > 0 and score.p is not None and score.p < _SIGNIFICANT and "no agreement" in (score.tested or "")


def _held_against_chance(interval: Interval) -> str:
    """Compare the whole interval with chance. No scale of good and bad values is used."""
    if interval.low <= 0:
        below = interval.high < 0
        return "Annotators agree less than chance would have them" if below else "Agreement cannot be told from chance"
    if interval.low > _HALF:
        return "Annotators agree well beyond chance, nearer to perfect agreement than to chance"
    if interval.high < _HALF:
        return "Annotators agree beyond chance, but stay nearer to chance than to perfect agreement"
    return "Annotators agree beyond chance"


def _value(found: Findings) -> Iterator[Sentence]:
    score = found.score
    name = score.symbol or score.measure
    if math.isnan(score.value):
        yield (f"{name} is undefined: {score.undefined or 'no reason is given'}.",)
        return
    if _corrected(found):
        left = Number(1 - score.value, "share")
        if score.value < 0:
            yield ("The disagreement is ", left, " of what chance alone would give.")
        else:
            yield ("Of the disagreement that chance alone would give, ", left, " is left.")
        yield (f"{name} is 1 where all agree, and 0 where they agree as often as chance would have them.",)
    elif score.kind == "error":
        yield (f"{name} is an error: 0 is perfect.",)
    elif found.measure.lowest < 0:
        yield (f"{name} is 1 where all agree.",)
    else:
        yield (f"{name} is 1 where all agree; it does not take out what chance gives.",)
    if score.tested:
        yield (f"{score.tested}.",)
    if found.data.graded and found.measure.on_items and not found.measure.by_degrees:
        yield (
            "The labels are numbers, and count as names here: a near one is as wrong as a far one. Of a scale, "
            f'measure "{_by_degrees(found, "interval")}".',
        )
    if found.data.in_sets and found.measure.on_items and not found.measure.by_degrees:
        yield (
            "The labels are sets, and count as names here: one that is right in part is wrong. To count what two sets "
            f'share, measure "{_by_degrees(found, "masi")}".',
        )
    if found.meaning is not None:
        yield (found.meaning.lines()[0],)


def _by_degrees(found: Findings, distance: str) -> str:
    """The spec of a similar measure that counts near misses in part."""
    name = type(found.measure).name if hasattr(found.measure, "distance") else "alpha"
    return f"{name}(distance={distance})"


# -- whether to trust it -------------------------------------------------------------------------------------------


def _reasons(found: Findings, run: Run) -> Iterator[Reason]:
    score, data = found.score, found.data
    if math.isnan(score.value):
        yield Reason(("There is no value.",), grave=True)
    yield from _about_interval(score)
    if score.details.get("gap", 0) > 0:
        yield Reason(("The alignment is not proven best; it is within ", share(score.details["gap"]), " of the best."))
    if hint := hint_on_prevalence(data, found.measure, score, run):
        yield Reason((f"The value is high, {hint}.",), grave=True)
    yield from _about_labels(found)
    if data.n_items and (left := int((~data.comparable).sum())) > _MUCH * data.n_items:
        left_out = (count(left), f" of {counted(data.n_items, data.kind.noun)} cannot be compared, and are left out.")
        yield Reason(left_out)
    odd = [note for note in data.notes if not isinstance(note, Fact)]
    if odd:
        others = f" ({counted(len(odd) - 1, 'further note')} below)" if len(odd) > 1 else ""
        yield Reason((f"Check how the data were read: {odd[0]}{others}.",))


def _about_interval(score: Score) -> Iterator[Reason]:
    # Without advice about options of the command line.
    reason = "; ".join(p for p in str(score.details.get("interval", "")).split("; ") if "--" not in p)
    made = score.interval
    if made is None:
        if not math.isnan(score.value):
            yield Reason((f"There is no interval: {reason or 'none was asked for'}.",), grave=bool(reason))
        return
    if reason:
        yield Reason((f"{reason[:1].upper()}{reason[1:]}.",), grave=made.method == "monte_carlo")
    if (width := made.high - made.low) > _WIDE:
        said = (
            "The interval is ", Number(width), " wide: the value is known roughly. "
            f"About four times as many {'items' if score.details.get('items') else 'documents'} would halve it.",
        )  # fmt: skip
        yield Reason(said)


def _about_labels(found: Findings) -> Iterator[Reason]:
    data = found.data
    if data.kind not in {ITEMS, UNITS}:
        return
    column = data.label_column()
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.names))
    used = counts[counts > 0]
    if len(used) > 1 and used.max() > _ALL_ONE * used.sum():
        name = GivenName(column.names[int(counts.argmax())])
        said = (share(used.max() / used.sum()), " of the labels are ", name, ": the others hardly count.")
        yield Reason(said, grave=True)
    rare = 0 if isinstance(found.measure, ON_SCALES) else int((used < _RARE).sum())  # a number is no category
    if rare:
        verb, alone = ("was", "by itself it says") if rare == 1 else ("were", "by themselves they say")
        what = f" of {counted(len(used), 'category')} {verb} used fewer than {_RARE} times: {alone} nothing."
        yield Reason((count(rare), what))
    if data.identified and "annotator" in found.score.parts:
        per = {who: part.n for who, part in found.score.parts["annotator"].items() if part.n}
        if len(per) > 1 and min(per.values()) < _UNEVEN * max(per.values()):
            least, most = min(per, key=lambda who: per[who]), max(per, key=lambda who: per[who])
            things = "units" if data.kind is UNITS else "labels"
            uneven: Sentence = (
                "The annotators did not do the same amount of work: ", GivenName(most), " gave ", count(per[most]),
                f" {things}, ", GivenName(least), " ", count(per[least]), ".",
            )  # fmt: skip
            yield Reason(uneven)


# -- what to do next -----------------------------------------------------------------------------------------------


def _annotator(found: Findings) -> NextStep | None:
    score = found.score
    everybody = () if found.influence is None else found.influence.annotators
    gone = [one.name for one in everybody if math.isnan(one.change)]  # without them there is no value
    left = next(iter(everybody), None)
    if left is None or math.isnan(left.change):
        return _leaning(found)
    better = left.change > 0 if score.kind == "agreement" else left.change < 0
    if not better:
        said: Sentence = ("Without any one of them the value does not improve.",)
        if gone:
            known = [one.name for one in everybody if one.name not in gone]
            said = ("Without ", *_list(known), " the value does not improve; without ", *_list(gone), " there is none.")
        title: Sentence = ("Nobody is seen to pull the value down" if gone else "No annotator pulls the value down",)
        return NextStep("annotator", title, said, "influence")
    several = len(everybody) - len(gone)
    chosen = f"the largest such change of {several} annotators, and nothing allows for that choice"
    values: Sentence = (
        "Without ", GivenName(left.name), f", {score.symbol or score.measure} would be ", Number(left.without),
        " instead of ", Number(score.value), " (", change(left.change),
    )  # fmt: skip
    if left.interval is not None:
        level = percent(left.interval.level)
        values += (f", {level} interval ", change(left.interval.low), " to ", change(left.interval.high))
        if left.interval.low <= 0 <= left.interval.high:
            return NextStep(
                "annotator",
                ("No annotator stands out",),
                (*values, "), no more than sampling would give."),
                "influence",
            )
    if left.interval is None:
        said = (*values, "). It has no interval: this may be no more than sampling would give.")
        return NextStep("annotator", ("See what ", GivenName(left.name), " does differently"), said, "influence")
    why: Sentence = (" ", GivenName(left.name), f" {left.verdict}.") if left.verdict else ()
    return NextStep("annotator", ("Talk with ", GivenName(left.name)), (*values, f"): {chosen}.", *why), "influence")


def _leaning(found: Findings) -> NextStep | None:
    """For two annotators, of whom none can be left out: the category that one of them prefers."""
    each = () if found.annotators is None else found.annotators.each
    leaning = next((one for one in each if one.bias is not None), None)
    if leaning is None or leaning.bias is None:
        return None
    bias = leaning.bias
    test: Sentence = () if bias.p is None else (", p ", Number(bias.p, "p"))
    said = (
        GivenName(leaning.name), " gives ", GivenName(bias.category), " to ", share(bias.own),
        " of what is compared, ",
        "the other" if len(each) == 2 else "the others", " to ", share(bias.others), *test, ".",
    )  # fmt: skip
    chance = bias.p is not None and bias.p > _SIGNIFICANT
    about: Sentence = ("Ask ", GivenName(leaning.name), " about ", GivenName(bias.category))
    title: Sentence = ("Nobody leans further than sampling would give",) if chance else about
    return NextStep("annotator", title, said, "annotators")


def _category(found: Findings) -> NextStep | None:
    """The category with the lowest value, weighted by its share of the disagreement."""
    shares = {} if isinstance(found.measure, ON_SCALES) else _shares(found)  # a number is no category
    if not shares:
        return None
    parts = found.score.parts.get("category", {})
    value = {name: parts[name].value if name in parts else math.nan for name in shares}

    def weight(name: str) -> float:
        return shares[name] * (1 - min(value[name], 1.0) if not math.isnan(value[name]) else 1.0)

    worst = max(shares, key=lambda name: (weight(name), name))
    what = "disorder" if found.data.kind is UNITS else "disagreement"
    said: Sentence = (share(shares[worst]), f" of the {what} is in it")
    if not math.isnan(value[worst]):
        said += (f"; {found.score.symbol or found.score.measure} of it alone is ", Number(value[worst]))
    if other := _confused_with(found, worst):
        said += (
            "; most often confused with ",
            GivenName(other[0]),
            " (",
            count(other[1]),
            " time)" if other[1] == 1 else " times)",
        )
    return NextStep("category", ("Define more sharply what is ", GivenName(worst)), (*said, "."), "disagreement")


def _pair(found: Findings) -> NextStep | None:
    """The two annotators who agree least, for data without categories."""
    score = found.score
    try:
        parts = score.parts.get("pair", {})
    except AccordError:  # a crowd makes too many pairs: the section on disagreement says so
        return None
    known = {name: part.value for name, part in parts.items() if not math.isnan(part.value)}
    if len(known) < 2:
        return None
    sign = 1 if score.kind == "agreement" else -1
    worst = min(known, key=lambda name: (sign * known[name], name))
    name = score.symbol or score.measure
    said = (
        f"{name} is ", Number(known[worst]), " between them, ", Number(score.value),
        f" on all: the {'lowest' if sign > 0 else 'highest'} of ", count(len(known)), " pairs.",
    )  # fmt: skip
    return NextStep("pair", ("Compare what these two did: ", GivenName(worst)), said, "disagreement")


def _shares(found: Findings) -> dict[str, float]:
    """The share of each category in the disagreement. Two different labels count half for each of their categories."""
    parts = found.score.parts.get("category", {})
    known = {name: float(part.details["share"]) for name, part in parts.items() if "share" in part.details}
    if known or found.disagreements is None or found.data.kind is not ITEMS:
        return known
    counts: dict[str, float] = {}
    for a, b, n in found.disagreements.pairs:
        for name in (a, b):
            counts[name] = counts.get(name, 0.0) + n / 2
    total = sum(counts.values())
    return {name: n / total for name, n in counts.items()}


def _confused_with(found: Findings, name: str) -> tuple[str, int] | None:
    pairs = () if found.disagreements is None else found.disagreements.pairs
    return next(((b if a == name else a, n) for a, b, n in pairs if name in {a, b}), None)


def _place(found: Findings) -> NextStep | None:
    if "document" in found.score.parts:
        return _documents(found)
    if found.disagreements is None or not found.disagreements.found.disputed:
        return None
    rows, disputed = found.disagreements.found.rows, found.disagreements.found.disputed
    pairs = int(disputed[0].cost)
    most = [row for row in disputed if row.cost == pairs]
    plural, are = "" if len(rows) == 1 else "s", "is" if len(disputed) == 1 else "are"
    said: Sentence = (count(len(disputed)), " of ", count(len(rows)), f" item{plural} {are} disputed")
    if len(most) < len(disputed):
        differ = " pair of annotators differs" if pairs == 1 else " pairs of annotators differ"
        which = "this one" if len(most) == 1 else f"each of these {len(most)}"
        said += ("; ", count(pairs), f"{differ} on {which}, more than on any other")
    elif len(most) > 1:
        said += (", all of them alike",)
    return NextStep(
        "item", ("Settle ", *_list(sorted((str(row.name) for row in most), key=_natural))), (*said, "."), "places"
    )


def _documents(found: Findings) -> NextStep | None:
    score = found.score
    parts = score.parts["document"]
    if len(parts) < 2:
        return None
    name = score.symbol or score.measure
    shares = {doc: float(part.details["share"]) for doc, part in parts.items() if "share" in part.details}
    if not shares:
        sign = 1 if score.kind == "agreement" else -1
        parts = {doc: part for doc, part in parts.items() if not math.isnan(part.value)}
        if not parts:
            return None
        worst = min(parts, key=lambda doc: (sign * parts[doc].value, doc))
        said: Sentence = (f"{name} is ", Number(parts[worst].value), " there, ", Number(score.value), " on all.")
        return NextStep("document", ("Read ", GivenName(worst), " together"), said, "documents")
    sign = 1 if score.kind == "agreement" else -1
    # A long document has much of the disorder even where the annotators agree better than elsewhere.
    worse = [doc for doc in shares if not sign * parts[doc].value > sign * score.value] or list(shares)
    ranked = sorted(worse, key=lambda doc: (-shares[doc], doc))
    units = sum(part.n for part in score.parts["document"].values())
    first = ranked[:1] if shares[ranked[0]] >= _STANDS_OUT or len(ranked) <= _FIRST else ranked[:_FIRST]
    of_disorder, n = sum(shares[doc] for doc in first), sum(parts[doc].n for doc in first)
    said = (share(of_disorder), " of the disorder is in ", "it" if len(first) == 1 else f"these {len(first)}")
    things = "tokens" if found.data.kind is TEXTS else "units"
    if n and units:
        said += (", with ", share(n / units), f" of the {things}")
    if len(first) == 1 and not math.isnan(parts[first[0]].value):
        said += (f"; {name} is ", Number(parts[first[0]].value), " there, ", Number(score.value), " on all")
    return NextStep("document", ("Read ", *_list(first), " together"), (*said, "."), "documents")


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts 2 before 10: numbers in a name count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _list(names: list[str]) -> Sentence:
    made: list[str | Number | GivenName] = []
    for k, name in enumerate(names[:_NAMED]):
        made += [", ", GivenName(name)] if k else [GivenName(name)]
    more = len(names) - _NAMED
    return (*made, " and ", count(more), " more") if more > 0 else tuple(made)

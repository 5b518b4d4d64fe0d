"""Results for one variable, and the summary at the top of the report.

The summary states the value, its limitations and up to three next steps. accord derives all of it from the results.
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
from accord.answers.levels import notes_on_levels
from accord.answers.scoring import at_level, main_measure, measures_for, score_each, with_category_intervals
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

# -- sentences with numbers in full precision and names from the data -------------------------------------------------

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
    """The name of an annotator, category or document, exactly as in the data."""

    text: str

    def __str__(self) -> str:
        return self.text


Sentence = tuple[str | Number | GivenName, ...]


def signed(number: str) -> str:
    """Replace the hyphen by a minus sign. The data-value attribute keeps the machine-readable number."""
    return number.replace("-", "−")


def sentence_as_text(sentence: Sentence) -> str:
    return "".join(map(str, sentence))


def sentence_as_dict(sentence: Sentence) -> dict[str, Any]:
    """Return the text, and its numbers in full precision."""
    return plain(
        {"text": sentence_as_text(sentence), "numbers": [one.value for one in sentence if isinstance(one, Number)]}
    )


def count(n: int) -> Number:
    return Number(n, "count")


def share(part: float) -> Number:
    return Number(part, "share")


def change(by: float) -> Number:
    return Number(by, "change")


# -- results for one variable, each computed once ----------------------------------------------------------------------


# What a report leaves out in turn. Categories are not included: each would need a new alignment, and the breakdown
# by category shows their cost.
_LEFT_OUT = ("annotator", "unit")
_MOST_PEOPLE = 100  # annotators left out in turn: each needs a score
T = TypeVar("T")


@dataclass(frozen=True)
class ReportOptions:
    """Requested content of a report."""

    measures: tuple[Measure, ...] = ()  # empty: the usual measures
    settings: Settings = field(default_factory=Settings)
    rounds: str | None = None  # column with the rounds
    meaning: bool = False
    text: str | None = None  # column with the texts of items


@dataclass(frozen=True, eq=False)
class Findings:
    """Results for one variable. If a result is None, `missing` has the reason under the key of its section."""

    variable: str
    data: Data
    measure: Measure  # the main measure, shown in the summary
    scores: Scores
    influence: Influence | None = None
    disagreements: Disagreements | None = None
    annotators: Annotators | None = None
    trend: Trend | None = None
    meaning: Meaning | None = None
    alignment: UnitaryAlignments | TextAlignments | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    categories: Forest | None = None  # values of categories, with intervals where they exist
    named: Measure | None = None  # the main measure as named, before the level of measurement gives its distance

    @property
    def score(self) -> Score:
        """The score of the main measure."""
        return self.scores[str(self.measure)]


def find_answers(variable: str, data: Data, asked: ReportOptions, run: Run) -> Findings:
    """Score the data and compute every other result that they allow. All results share one alignment."""
    measures = measures_for(asked.measures, data)
    main = _main(data, asked, measures)
    scores = Scores(score_each(data, measures, asked.settings, run, alternatives=True))
    missing: dict[str, str] = {}
    rest: dict[str, Any] = {"seed": run.seed, "progress": run.progress, "jobs": run.jobs}
    level = asked.settings.level

    def answered(key: str, ask: Callable[[], T]) -> T | None:
        """Compute one result. If the data do not allow it, store the reason and return None."""
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
        asked.measures[0] if asked.measures else measure(data.kind.main),
    )


def _categories(data: Data, main: Measure, scores: Scores, settings: Settings, run: Run) -> Forest | None:
    """Draw the values of categories. Return None if the value is undefined or no category has a value."""
    score = scores[str(main)]
    if math.isnan(score.value) or "forest by category" not in score.drawings():
        return None
    drawn = score.figure("forest by category")
    assert isinstance(drawn, Forest)
    return with_category_intervals(drawn, data, main, settings, run)


def _influence(data: Data, main: Measure, **how: Any) -> Influence:
    """Compute the influence of annotators; for a crowd, only of the annotators with the most labels."""
    people = data.present if data.identified else ()
    if len(people) <= _MOST_PEOPLE or not isinstance(data, Ratings | Corpus | Segmentations):
        return influence(data, main, of=_LEFT_OUT, **how)
    done = np.bincount(data.annotator, minlength=len(data.annotators))
    first = sorted(range(len(done)), key=lambda k: (-done[k], k))[:_MOST_PEOPLE]
    found = influence(data, main, of=_LEFT_OUT, annotators=[data.annotators[k] for k in first], **how)
    note = f"{len(people):,} annotators: only the {_MOST_PEOPLE} with the most labels are left out in turn"
    return replace(found, notes=(note, *found.notes))


def _how(asked: ReportOptions) -> dict[str, Any]:
    settings = asked.settings
    return {"interval": settings.method, "level": settings.level, "replicates": settings.replicates}


def _main(data: Data, asked: ReportOptions, measures: Sequence[Measure]) -> Measure:
    """Return the first requested measure, or the usual one. A chance-corrected measure is preferred."""
    usual = main_measure(None, data)
    if asked.measures or usual.lowest < 0:
        return at_level(measures[0], data) if asked.measures else usual
    return next((one for one in measures if one.lowest < 0), usual)


# -- the summary -------------------------------------------------------------------------------------------------------


Trust = Literal["no problem found", "use with caution", "do not use alone"]
ADVICE: Mapping[Trust, str] = {
    "no problem found": "The checks found no problem with this value.",
    "use with caution": "Use this value with caution:",
    "do not use alone": "Do not rely on this value alone:",
}
_HALF = 0.5  # of the way from chance to perfect agreement
_WIDE = 0.2  # width of an interval from which the value counts as uncertain
_RARE = 10  # labels: too few to assess a category separately below that
_ALL_ONE = 0.9  # share of one category above which the others hardly affect the value
_UNEVEN = 0.1  # of the work of the busiest annotator
_MUCH = 0.1  # of the items left out
_STANDS_OUT = 0.05  # share of disorder from which one document is named on its own
_FIRST = 10  # documents named together if none stands out
_SIGNIFICANT = 0.05  # a difference with a larger p is within sampling error
_NAMED = 5  # names shown in a list


@dataclass(frozen=True)
class Reason:
    """A limitation of a value. A grave one means that users must not rely on the value alone."""

    said: Sentence
    grave: bool = False


@dataclass(frozen=True)
class NextStep:
    """A recommended next step."""

    what: Literal["annotator", "category", "pair", "document", "item"]
    title: Sentence
    said: Sentence
    section: str  # key of the section with details

    def to_dict(self) -> dict[str, Any]:
        return {"what": self.what, "title": sentence_as_dict(self.title), "said": sentence_as_dict(self.said)}


@dataclass(frozen=True)
class Assessment:
    """The summary of a report: the value, its limitations and the next steps."""

    headline: str
    said: tuple[Sentence, ...]
    reasons: tuple[Reason, ...]
    steps: tuple[NextStep, ...]

    @property
    def trust(self) -> Trust:
        if any(reason.grave for reason in self.reasons):
            return "do not use alone"
        return "use with caution" if self.reasons else "no problem found"

    def lines(self) -> list[str]:
        """The summary as lines for the terminal."""
        return [
            self.headline,
            *map(sentence_as_text, self.said),
            ADVICE[self.trust],
            *(f"- {sentence_as_text(reason.said)}" for reason in self.reasons),
            *(["Next steps:"] if self.steps else []),
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
    """Whether agreement is perfect, so that no disagreement remains to be resolved."""
    return score.value == (0.0 if score.kind == "error" else 1.0)


# -- the value -----------------------------------------------------------------------------------------------------


def _corrected(found: Findings) -> bool:
    """Whether a value of 0 means chance agreement."""
    return found.score.kind == "agreement" and found.score.expected is not None and found.measure.lowest < 0


def _headline(found: Findings) -> str:
    score = found.score
    if math.isnan(score.value):
        return "Agreement is undefined for these data"
    if not _corrected(found):
        apart = score.kind == "error"
        if not apart and found.measure.lowest < 0:  # ICC: no expected agreement is computed, but 0 means chance
            return "Agreement between annotators"
        return "Error between annotators" if apart else "Agreement between annotators, not corrected for chance"
    if score.interval is None:
        return "Agreement in these data only: the value has no interval"
    if score.interval.low <= 0 <= score.interval.high and _more_than_chance(score):
        return "Annotators agree beyond chance, but the degree of agreement is uncertain"
    return _held_against_chance(score.interval)


def _more_than_chance(score: Score) -> bool:
    """Whether a test rejects the hypothesis of no agreement. Tests of other hypotheses do not count."""
    return score.value > 0 and score.p is not None and score.p < _SIGNIFICANT and "no agreement" in (score.tested or "")


def _held_against_chance(interval: Interval) -> str:
    """Compare the whole interval with chance. No verbal scale of values is used."""
    if interval.low <= 0:
        below = interval.high < 0
        return (
            "Annotators agree less than expected by chance" if below else "Agreement is not distinguishable from chance"
        )
    if interval.low > _HALF:
        return "Annotators agree well beyond chance: closer to perfect agreement than to chance"
    if interval.high < _HALF:
        return "Annotators agree beyond chance, but closer to chance than to perfect agreement"
    return "Annotators agree beyond chance"


def _value(found: Findings) -> Iterator[Sentence]:
    score = found.score
    name = score.symbol or score.measure
    if math.isnan(score.value):
        yield (f"{name} is undefined: {score.undefined or 'the measure gives no reason'}.",)
        return
    if _corrected(found):
        yield ("Observed disagreement is ", share(1 - score.value), " of the disagreement expected by chance.")
        yield (f"{name} is 1 for perfect agreement and 0 for chance agreement.",)
    elif score.kind == "error":
        yield (f"{name} is an error measure: 0 is perfect agreement.",)
    elif found.measure.lowest < 0:
        yield (f"{name} is 1 for perfect agreement.",)
    else:
        yield (f"{name} is 1 for perfect agreement. It is not corrected for chance.",)
    if score.tested:
        yield (f"{score.tested}.",)
    for note in notes_on_levels({found.variable: found.data}, [found.named or found.measure]):
        yield (f"{note[:1].upper()}{note[1:]}.",)
    if found.meaning is not None:
        yield (found.meaning.lines()[0],)


# -- limitations ---------------------------------------------------------------------------------------------------


def _reasons(found: Findings, run: Run) -> Iterator[Reason]:
    score, data = found.score, found.data
    if math.isnan(score.value):
        yield Reason(("The value is undefined.",), grave=True)
    yield from _about_interval(score)
    if score.details.get("gap", 0) > 0:
        yield Reason(
            ("The alignment is not proven optimal. It is within ", share(score.details["gap"]), " of the optimum.")
        )
    if hint := hint_on_prevalence(data, found.measure, score, run):
        yield Reason((f"The value is high, {hint}.",), grave=True)
    yield from _about_labels(found)
    if data.n_items and (left := int((~data.comparable).sum())) > _MUCH * data.n_items:
        left_out = (count(left), f" of {counted(data.n_items, data.kind.noun)} cannot be compared and are excluded.")
        yield Reason(left_out)
    odd = [note for note in data.notes if not isinstance(note, Fact)]
    if odd:
        others = f" ({counted(len(odd) - 1, 'further note')} below)" if len(odd) > 1 else ""
        yield Reason((f"Check how the data were read: {odd[0]}{others}.",))


def _about_interval(score: Score) -> Iterator[Reason]:
    # Advice about command-line options does not belong in a report.
    reason = "; ".join(p for p in str(score.details.get("interval", "")).split("; ") if "--" not in p)
    made = score.interval
    if made is None:
        if not math.isnan(score.value):
            yield Reason((f"There is no interval: {reason or 'none was requested'}.",), grave=bool(reason))
        return
    if reason:
        yield Reason((f"{reason[:1].upper()}{reason[1:]}.",), grave=made.method == "monte_carlo")
    if (width := made.high - made.low) > _WIDE:
        said = (
            "The interval is ", Number(width), " wide, so the value is uncertain. "
            f"About four times as many {'items' if score.details.get('items') else 'documents'} would halve the width.",
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
        said = (
            share(used.max() / used.sum()),
            " of the labels are ",
            name,
            ". The other categories hardly affect the value.",
        )
        yield Reason(said, grave=True)
    rare = (
        0 if isinstance(found.measure, ON_SCALES) else int((used < _RARE).sum())
    )  # numbers on a scale are not categories
    if rare:
        verb, them = ("was", "it") if rare == 1 else ("were", "them")
        what = f" of {counted(len(used), 'category')} {verb} used fewer than {_RARE} times. "
        what += f"These are too few labels to assess {them} separately."
        yield Reason((count(rare), what))
    if data.identified and "annotator" in found.score.parts:
        per = {who: part.n for who, part in found.score.parts["annotator"].items() if part.n}
        if len(per) > 1 and min(per.values()) < _UNEVEN * max(per.values()):
            least, most = min(per, key=lambda who: per[who]), max(per, key=lambda who: per[who])
            things = "units" if data.kind is UNITS else "labels"
            uneven: Sentence = (
                "Annotators did unequal amounts of work: ", GivenName(most), " gave ", count(per[most]),
                f" {things}, ", GivenName(least), " ", count(per[least]), ".",
            )  # fmt: skip
            yield Reason(uneven)


# -- next steps ----------------------------------------------------------------------------------------------------


def _annotator(found: Findings) -> NextStep | None:
    score = found.score
    everybody = () if found.influence is None else found.influence.annotators
    gone = [one.name for one in everybody if math.isnan(one.change)]  # the value is undefined without them
    left = next(iter(everybody), None)
    if left is None or math.isnan(left.change):
        return _leaning(found)
    better = left.change > 0 if score.kind == "agreement" else left.change < 0
    if not better:
        said: Sentence = ("Leaving out any one annotator does not improve the value.",)
        if gone:
            known = [one.name for one in everybody if one.name not in gone]
            said = ("Each annotator left out in turn: the value does not improve without ", *_list(known))
            said += ("; it is undefined without ", *_list(gone), ".")
        title: Sentence = ("No annotator is known to lower the value" if gone else "No annotator lowers the value",)
        return NextStep("annotator", title, said, "influence")
    several = len(everybody) - len(gone)
    chosen = f"This is the largest change among {several} annotators. The interval is not corrected for this selection."
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
                (*values, "). This change is within sampling error."),
                "influence",
            )
    if left.interval is None:
        said = (*values, "). This change has no interval, so it may be sampling error.")
        return NextStep(
            "annotator", ("Check how ", GivenName(left.name), " differs from the others"), said, "influence"
        )
    why: Sentence = (" ", GivenName(left.name), f" {left.verdict}.") if left.verdict else ()
    return NextStep(
        "annotator", ("Review the annotations of ", GivenName(left.name)), (*values, f"). {chosen}", *why), "influence"
    )


def _leaning(found: Findings) -> NextStep | None:
    """Find the category that one annotator prefers, for two annotators: neither of them can be left out."""
    each = () if found.annotators is None else found.annotators.each
    leaning = next((one for one in each if one.bias is not None), None)
    if leaning is None or leaning.bias is None:
        return None
    bias = leaning.bias
    things = "units" if found.data.kind is UNITS else "items"
    test: Sentence = () if bias.p is None else (" (p ", Number(bias.p, "p"), ")")
    others = "the other annotator uses it" if len(each) == 2 else "the other annotators use it"
    said = (
        GivenName(leaning.name), " uses ", GivenName(bias.category), " for ", share(bias.own),
        f" of the {things} in common, {others} for ", share(bias.others), *test, ".",
    )  # fmt: skip
    chance = bias.p is not None and bias.p > _SIGNIFICANT
    about: Sentence = ("Ask ", GivenName(leaning.name), " about the use of ", GivenName(bias.category))
    title: Sentence = ("The annotators' use of categories differs within sampling error",) if chance else about
    return NextStep("annotator", title, said, "annotators")


def _category(found: Findings) -> NextStep | None:
    """Find the category with the lowest value, weighted by its share of the disagreement."""
    shares = {} if isinstance(found.measure, ON_SCALES) else _shares(found)  # numbers on a scale are not categories
    if not shares:
        return None
    parts = found.score.parts.get("category", {})
    value = {name: parts[name].value if name in parts else math.nan for name in shares}

    def weight(name: str) -> float:
        return shares[name] * (1 - min(value[name], 1.0) if not math.isnan(value[name]) else 1.0)

    worst = max(shares, key=lambda name: (weight(name), name))
    what = "disorder" if found.data.kind is UNITS else "disagreement"
    said: Sentence = (share(shares[worst]), f" of the {what} involves this category.")
    if not math.isnan(value[worst]):
        said += (f" For it alone, {found.score.symbol or found.score.measure} is ", Number(value[worst]), ".")
    if other := _confused_with(found, worst):
        said += (
            " It is most often confused with ",
            GivenName(other[0]),
            " (",
            count(other[1]),
            " time)." if other[1] == 1 else " times).",
        )
    return NextStep("category", ("Clarify the guidelines for category ", GivenName(worst)), said, "disagreement")


def _pair(found: Findings) -> NextStep | None:
    """Find the two annotators who agree least, for data without categories."""
    score = found.score
    try:
        parts = score.parts.get("pair", {})
    except AccordError:  # a crowd makes too many pairs: the section on disagreement states it
        return None
    known = {name: part.value for name, part in parts.items() if not math.isnan(part.value)}
    if len(known) < 2:
        return None
    sign = 1 if score.kind == "agreement" else -1
    worst = min(known, key=lambda name: (sign * known[name], name))
    name = score.symbol or score.measure
    said = (
        f"{name} is ", Number(known[worst]), " for this pair and ", Number(score.value),
        f" overall. It is the {'lowest' if sign > 0 else 'highest'} of ", count(len(known)), " pairs.",
    )  # fmt: skip
    return NextStep("pair", ("Compare the annotations of ", GivenName(worst)), said, "disagreement")


def _shares(found: Findings) -> dict[str, float]:
    """Return the share of each category in the disagreement. A pair of different labels counts half for each label."""
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
    plural = "" if len(rows) == 1 else "s"
    said: Sentence = ("Annotators disagree on ", count(len(disputed)), " of ", count(len(rows)), f" item{plural}.")
    if len(most) < len(disputed):
        differ = " pair of annotators differs" if pairs == 1 else " pairs of annotators differ"
        which = "this item" if len(most) == 1 else f"each of these {len(most)} items"
        said += (f" On {which}, ", count(pairs), f"{differ}, more than on the other items.")
    elif len(most) > 1:
        said += (" The number of pairs that differ is the same for all of them.",)
    names = sorted((str(row.name) for row in most), key=_natural)
    return NextStep("item", ("Resolve the disagreement on ", *_list(names)), said, "places")


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
        said: Sentence = (
            f"{name} is ", Number(parts[worst].value), " in this document and ", Number(score.value), " overall.",
        )  # fmt: skip
        return NextStep("document", ("Discuss document ", GivenName(worst)), said, "documents")
    sign = 1 if score.kind == "agreement" else -1
    # A long document can have a large share of the disorder although its agreement is above average.
    worse = [doc for doc in shares if not sign * parts[doc].value > sign * score.value] or list(shares)
    ranked = sorted(worse, key=lambda doc: (-shares[doc], doc))
    units = sum(part.n for part in score.parts["document"].values())
    first = ranked[:1] if shares[ranked[0]] >= _STANDS_OUT or len(ranked) <= _FIRST else ranked[:_FIRST]
    of_disorder, n = sum(shares[doc] for doc in first), sum(parts[doc].n for doc in first)
    one = len(first) == 1
    said = ("This document has " if one else f"These {len(first)} documents have ", share(of_disorder))
    said += (" of the disorder",)
    things = "tokens" if found.data.kind is TEXTS else "units"
    if n and units:
        said += (" and ", share(n / units), f" of the {things}")
    said += (".",)
    if one and not math.isnan(parts[first[0]].value):
        said += (f" {name} is ", Number(parts[first[0]].value), " there and ", Number(score.value), " overall.")
    return NextStep(
        "document", ("Discuss document " if one else "Discuss documents ", *_list(first)), said, "documents"
    )


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts 2 before 10: digits in a name count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _list(names: list[str]) -> Sentence:
    made: list[str | Number | GivenName] = []
    for k, name in enumerate(names[:_NAMED]):
        made += [", ", GivenName(name)] if k else [GivenName(name)]
    more = len(names) - _NAMED
    return (*made, " and ", count(more), " more") if more > 0 else tuple(made)

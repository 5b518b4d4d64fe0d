"""The summary at the top of a report: the value, its limitations and next steps, all derived from the results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from accord.answers.checks import hint_on_prevalence
from accord.answers.levels import notes_on_levels
from accord.answers.reporting.findings import Findings
from accord.answers.reporting.sentences import (
    GivenName,
    Number,
    Sentence,
    count,
    listed,
    sentence_as_dict,
    sentence_as_text,
    share,
)
from accord.answers.reporting.steps import NextStep, better, next_steps
from accord.answers.reporting.verdicts import about_monte_carlo, headline, limits_of_interval, meaning_of_value
from accord.core.context import Run
from accord.core.errors import counted
from accord.core.tables import plain
from accord.data.kinds import ITEMS, UNITS
from accord.data.model.data import Fact

Trust = Literal["no problem found", "use with caution", "do not use alone"]
ADVICE: Mapping[Trust, str] = {
    "no problem found": "The checks found no problem with this value.",
    "use with caution": "Use this value with caution:",
    "do not use alone": "Do not rely on this value alone:",
}
_RARE = 10  # labels: too few to assess a category separately below that
_ALL_ONE = 0.9  # share of one category above which the others decide the value
_UNEVEN = 0.1  # of the work of the busiest annotator
_MUCH = 0.1  # of the items left out


@dataclass(frozen=True)
class Reason:
    """A limitation of a value. A grave one means that users must not rely on the value alone."""

    said: Sentence
    grave: bool = False


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
    return Assessment(_headline(found), tuple(_said(found)), tuple(_reasons(found, run)), next_steps(found))


def _headline(found: Findings) -> str:
    """Return the headline, with the level of measurement that it assumes."""
    plain = headline(found.measured)
    level = found.data.measurement
    if level is None or not found.assumes_level or found.measured.perfect or math.isnan(found.score.value):
        return plain
    return f"If the labels are {level.level}, {plain[:1].lower()}{plain[1:]}"


# -- the value -----------------------------------------------------------------------------------------------------


def _said(found: Findings) -> Iterator[Sentence]:
    score = found.score
    name = score.symbol or score.measure
    if math.isnan(score.value):
        yield (f"{name} is undefined: {score.undefined or 'the measure gives no reason'}.",)
        return
    yield from meaning_of_value(found.measured, name)
    if score.tested:
        yield (f"{score.tested}.",)
    if not found.assumes_level:
        for note in notes_on_levels({found.variable: found.data}, [found.named or found.measure]):
            yield (f"{note[:1].upper()}{note[1:]}.",)
    if found.meaning is not None:
        yield (found.meaning.lines()[0],)
    yield from _about_annotators(found)


def _about_annotators(found: Findings) -> Iterator[Sentence]:
    """State that no annotator lowers the value, as far as is known. This is a fact, not a step."""
    everybody = () if found.influence is None or found.crowd or found.measured.perfect else found.influence.annotators
    known = [one for one in everybody if not math.isnan(one.change)]
    if not known or found.outlier is not None:
        return
    gone = [one.name for one in everybody if math.isnan(one.change)]  # the value is undefined without them
    without: Sentence = ("; it is undefined without ", *listed(gone), ".") if gone else (".",)
    left_out = ("Leaving out ", *listed([one.name for one in known])) if gone else ("Leaving out any one annotator",)
    turn = " in turn" if len(known) > 1 and gone else ""
    if not any(better(found, one) for one in known):
        yield (*left_out, f"{turn} does not improve the value", *without)
    elif all(one.interval is None for one in known if better(found, one)):
        yield ("No annotator stands out: the changes without single annotators have no interval", *without)
    else:
        yield (*left_out, f"{turn} changes the value within sampling error", *without)


# -- limitations ---------------------------------------------------------------------------------------------------


def _reasons(found: Findings, run: Run) -> Iterator[Reason]:
    score, data = found.score, found.data
    if math.isnan(score.value):
        yield Reason(("The value is undefined.",), grave=True)
    yield from _about_level(found)
    yield from _about_interval(found)
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
        said = f"Check how the data were read: {odd[0]}{others}"
        yield Reason((said if said.endswith("…") else f"{said}.",))


def _about_level(found: Findings) -> Iterator[Reason]:
    """State that the level of measurement is assumed, with the values at the other levels."""
    if not found.assumes_level:
        return
    several = found.variable != "label"
    [note] = notes_on_levels({found.variable: found.data}, [found.named or found.measure], named=several)
    values: Sentence = ()
    known = {other.measure: other.value for other in found.score.alternatives}
    known |= {score.measure: score.value for score in found.scores}
    for other in found.data.measurement.others if found.data.measurement is not None else ():
        if (spec := f"alpha(distance={other})") in known:
            values += (f" If they are {other}, α is ", Number(known[spec]), ".")
    yield Reason((f"{note[:1].upper()}{note[1:]}.", *values))


def _about_interval(found: Findings) -> Iterator[Reason]:
    score, about = found.score, found.measured
    if math.isnan(score.value):
        return
    # Advice about command-line options does not belong in a report.
    reason = "; ".join(p for p in str(score.details.get("interval", "")).split("; ") if "--" not in p)
    if without := about_monte_carlo(score, about.noun):
        yield Reason((f"There is {without}.",), grave=True)
    elif score.interval is None:
        yield Reason((f"There is no interval: {reason or 'none was requested'}.",), grave=bool(reason))
    elif reason:
        yield Reason((f"{reason[:1].upper()}{reason[1:]}.",))
    yield from map(Reason, limits_of_interval(about))


def _about_labels(found: Findings) -> Iterator[Reason]:
    data = found.data
    if data.kind not in {ITEMS, UNITS}:
        return
    counts = found.labels
    used = {name: n for name, n in counts.items() if n}
    total = sum(used.values())
    commonest = max(used, key=lambda name: used[name], default="")
    if len(used) > 1 and used[commonest] > _ALL_ONE * total:
        others = "The value depends on the few labels of the other categories."
        if not found.measured.corrected:
            others = "Agreement on this category alone makes the value high."
        yield Reason((share(used[commonest] / total), " of the labels are ", GivenName(commonest), f". {others}"), True)
    rare = 0 if found.numeric else sum(n < _RARE for n in used.values())  # numbers on a scale are not categories
    if rare:
        verb, them = ("was", "it") if rare == 1 else ("were", "them")
        what = f" of {counted(len(used), 'category')} {verb} used fewer than {_RARE} times. "
        what += f"These are too few labels to assess {them} separately."
        yield Reason((count(rare), what))
    if data.identified and "annotator" in found.score.parts:
        per = {who: part.n for who, part in found.score.parts["annotator"].items() if part.n}
        if len(per) > 1 and min(per.values()) < _UNEVEN * max(per.values()):
            yield Reason(_uneven(found, per))


def _uneven(found: Findings, per: Mapping[str, int]) -> Sentence:
    """State the least and the most work of annotators. In a crowd, they are not named."""
    least, most = min(per, key=lambda who: per[who]), max(per, key=lambda who: per[who])
    things = "units" if found.data.kind is UNITS else "labels"
    if found.crowd:
        return ("Annotators did unequal amounts of work: from ", count(per[least]), " to ", count(per[most]),
                f" {things}.")  # fmt: skip
    return (
        "Annotators did unequal amounts of work: ", GivenName(most), " gave ", count(per[most]),
        f" {things}, ", GivenName(least), " ", count(per[least]), ".",
    )  # fmt: skip

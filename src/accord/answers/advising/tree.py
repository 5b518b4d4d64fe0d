"""The tree of questions that leads to a case, and what advice is made of: cases with measures, remarks, disputes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from accord.answers.citing.bibliography import work
from accord.core.errors import SpecError, UnknownName

How = Literal["data", "told", "assumed", "open"]  # how an answer is known


@dataclass(frozen=True)
class PlainData:
    """Fields that are JSON as they are, or have a `to_dict` of their own."""

    def to_dict(self) -> dict[str, Any]:
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.to_dict() if isinstance(value, PlainData) else value


@dataclass(frozen=True)
class AdviceSource(PlainData):
    """A work, and where in it."""

    key: str  # of the bibliography
    place: str = ""  # a section, or "via": reported there by others

    def __str__(self) -> str:
        named = f"{work(self.key).who} {work(self.key).year}"
        return f"{named}, {self.place}" if self.place else named

    def to_dict(self) -> dict[str, Any]:
        return {"work": self.key, "place": self.place, "text": str(self)}


@dataclass(frozen=True)
class Answer(PlainData):
    """One answer to a question. It may settle the case, and it may lead to another question."""

    name: str
    words: str
    example: str = ""
    case: str | None = None  # the case that it settles
    then: str | None = None  # the question that comes next; None: there is none


@dataclass(frozen=True)
class TreeQuestion(PlainData):
    """A question about the data, and why it matters."""

    name: str
    words: str
    why: str
    answers: tuple[Answer, ...]

    def answer(self, name: str) -> Answer | None:
        return next((one for one in self.answers if one.name == name), None)


@dataclass(frozen=True)
class Recommendation(PlainData):
    """A measure for a case; the first one is the one to report. Words in braces are filled in.

    `needs` and `unless` are facts about the data, which `profile_data` finds, or answers that a user gave.
    """

    spec: str
    why: str
    sources: tuple[AdviceSource, ...]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    options: str = ""  # of `accord score`, beside the measure

    def holds(self, facts: frozenset[str]) -> bool:
        return facts.issuperset(self.needs) and facts.isdisjoint(self.unless)


@dataclass(frozen=True)
class AdviceCase:
    """What was annotated, and the measures for it."""

    name: str
    words: str
    kind: str  # of the data
    recommendations: tuple[Recommendation, ...]
    disputes: tuple[str, ...] = ()  # where authors disagree about it

    def to_dict(self) -> dict[str, Any]:
        each = [one.to_dict() for one in self.recommendations]
        disputes = list(self.disputes)
        return {"name": self.name, "words": self.words, "kind": self.kind, "measures": each, "disputes": disputes}


@dataclass(frozen=True)
class Remark(PlainData):
    """What to bear in mind if a fact holds. Words in braces are filled in from the data."""

    fact: str
    words: str
    sources: tuple[AdviceSource, ...] = ()
    do: str = ""  # a command, behind `accord`; {data} is what was read
    kinds: tuple[str, ...] = ()  # of data; none: all


@dataclass(frozen=True)
class Dispute:
    """A question on which authors disagree: what each side says, and what accord does."""

    name: str
    question: str
    sides: tuple[tuple[str, tuple[AdviceSource, ...]], ...]
    here: str

    def to_dict(self) -> dict[str, Any]:
        sides = [{"says": says, "sources": [one.to_dict() for one in sources]} for says, sources in self.sides]
        return {"name": self.name, "question": self.question, "sides": sides, "here": self.here}


@dataclass(frozen=True)
class Sight(PlainData):
    """What a measure can see, and what it cannot."""

    sees: str
    misses: str


# -- the questions -----------------------------------------------------------------------------------------------------

FIRST = "marked"
YES, NO = "yes", "no"

QUESTIONS: tuple[TreeQuestion, ...] = (
    TreeQuestion(
        "marked",
        "What did the annotators mark?",
        "This decides what agreement can be about: labels only, places as well, or the text itself.",
        (
            Answer("items", "a label for each of the same things", "sentences, patients, pictures, answers",
                   then="order"),
            Answer("units", "where something is in a text or recording, and its label", "entities, gestures, turns",
                   then="unit"),
            Answer("segmentations", "where one part ends and the next begins", "topics, scenes", case="boundaries",
                   then="complete"),
            Answer("texts", "the text itself, corrected while it was labelled", "transcripts, historical spelling",
                   case="texts", then="complete"),
            Answer("chains", "which expressions refer to the same thing", "coreference", case="chains",
                   then="complete"),
        ),
    ),
    TreeQuestion(
        "order",
        "Is there an order among the labels?",
        "If there is, a near miss is less wrong than a far one, and the measure should know it.",
        (
            Answer("names", "no, they are names", "noun, verb; plan, report", case="names", then="complete"),
            Answer("grades", "yes: grades, whose steps need not be equal", "low, middle, high; Likert scales",
                   case="grades", then="complete"),
            Answer("amounts", "yes: numbers whose differences mean something", "blood pressure, years, counts",
                   case="amounts", then="complete"),
            Answer("circle", "yes, and the last is next to the first", "hours, weekdays, directions", case="circle",
                   then="complete"),
            Answer("sets", "each label is a set, which may be right in part", "several tags for a picture",
                   case="sets", then="complete"),
            Answer("tree", "some are kinds of others", "request, information request", case="tree", then="complete"),
        ),
    ),
    TreeQuestion(
        "unit",
        "What is a unit?",
        "Things are found or missed. Stretches divide up a whole, and every second or character counts the same.",
        (
            Answer("thing", "a thing of its own; the rest is left unmarked", "a name, an error, a gesture",
                   case="things", then="complete"),
            Answer("stretch", "a stretch of a whole that is divided up", "who speaks, sleep stages, topics",
                   case="stretches", then="complete"),
            Answer("given", "given beforehand: only the label was chosen", "tokens, utterances",
                   case="given", then="complete"),
        ),
    ),
    TreeQuestion(
        "complete",
        "Did everybody see everything?",
        "Some measures use whatever labels there are; others leave out every item that is not complete.",
        (
            Answer(YES, "yes: every annotator did every item or document", then="reference"),
            Answer(NO, "no: some labels are missing, or annotators took turns", then="reference"),
        ),
    ),
    TreeQuestion(
        "reference",
        "Is one of them right by definition?",
        "Against a gold standard the others are right or wrong; among equals there is only agreement.",
        (
            Answer(NO, "no, they are equals"),
            Answer(YES, "yes: a gold standard, or an expert with whom the others are compared"),
        ),
    ),
)  # fmt: skip


def question(name: str) -> TreeQuestion:
    for one in QUESTIONS:
        if one.name == name:
            return one
    raise UnknownName("question", name, [one.name for one in QUESTIONS])


def check_answers(answers: Mapping[str, str]) -> None:
    """Raise if a question or an answer does not exist."""
    for name, said in answers.items():
        known = question(name)
        if known.answer(said) is None:
            raise UnknownName(f"answer to the question {name}", said, [one.name for one in known.answers])
    if answers.get("marked") not in {None, "items"} and "order" in answers:
        raise SpecError("option-not-for-data", "order: it is asked of labels of items alone")
    if answers.get("marked") not in {None, "units"} and "unit" in answers:
        raise SpecError("option-not-for-data", "unit: it is asked of units alone")

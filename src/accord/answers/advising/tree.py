"""The decision tree of questions, and the parts of advice: cases with measures, remarks, disputed questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from accord.answers.citing.bibliography import work
from accord.core.errors import SpecError, UnknownName

How = Literal["data", "told", "assumed", "open"]  # origin of an answer


@dataclass(frozen=True)
class PlainData:
    """Base of data classes with fields that are plain JSON or have `to_dict`."""

    def to_dict(self) -> dict[str, Any]:
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value.to_dict() if isinstance(value, PlainData) else value


@dataclass(frozen=True)
class AdviceSource(PlainData):
    """A work, and a place in it."""

    key: str  # in the bibliography
    place: str = ""  # sections

    def __str__(self) -> str:
        named = f"{work(self.key).who} {work(self.key).year}"
        return f"{named}, {self.place}" if self.place else named

    def to_dict(self) -> dict[str, Any]:
        return {"work": self.key, "place": self.place, "text": str(self)}


@dataclass(frozen=True)
class Answer(PlainData):
    """An answer to a question. It can determine the case and lead to another question."""

    name: str
    words: str
    example: str = ""
    case: str | None = None  # the case that it determines
    then: str | None = None  # the next question, if any


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
    """A measure for a case. The first measure is the one to report. Words in braces are placeholders.

    `needs` and `unless` are facts that `profile_data` finds in the data, or answers of the user.
    """

    spec: str
    why: str
    sources: tuple[AdviceSource, ...]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    options: str = ""  # further options of `accord score`

    def holds(self, facts: frozenset[str]) -> bool:
        return facts.issuperset(self.needs) and facts.isdisjoint(self.unless)


@dataclass(frozen=True)
class AdviceCase:
    """A kind of annotation, and its measures."""

    name: str
    words: str
    kind: str  # of the data
    recommendations: tuple[Recommendation, ...]
    disputes: tuple[str, ...] = ()  # names of disputed questions

    def to_dict(self) -> dict[str, Any]:
        each = [one.to_dict() for one in self.recommendations]
        disputes = list(self.disputes)
        return {"name": self.name, "words": self.words, "kind": self.kind, "measures": each, "disputes": disputes}


@dataclass(frozen=True)
class Remark(PlainData):
    """A remark on data with a certain fact. Words in braces are placeholders for figures from the data."""

    fact: str
    words: str
    sources: tuple[AdviceSource, ...] = ()
    do: str = ""  # arguments of the command `accord`; {data} stands for the input
    kinds: tuple[str, ...] = ()  # kinds of data; empty: all


@dataclass(frozen=True)
class Dispute:
    """A disputed question: the positions of authors, and what accord does."""

    name: str
    question: str
    sides: tuple[tuple[str, tuple[AdviceSource, ...]], ...]
    here: str

    def to_dict(self) -> dict[str, Any]:
        sides = [{"says": says, "sources": [one.to_dict() for one in sources]} for says, sources in self.sides]
        return {"name": self.name, "question": self.question, "sides": sides, "here": self.here}


@dataclass(frozen=True)
class Sight(PlainData):
    """What a measure compares (`sees`), and its main limitation (`misses`)."""

    sees: str
    misses: str


# -- the questions -----------------------------------------------------------------------------------------------------

FIRST = "marked"
YES, NO = "yes", "no"

QUESTIONS: tuple[TreeQuestion, ...] = (
    TreeQuestion(
        "marked",
        "What did the annotators annotate?",
        "Agreement can concern labels only, also positions, or the text itself.",
        (
            Answer("items", "one label for each of the same items", "sentences, patients, pictures, answers",
                   then="order"),
            Answer("units", "the position of units, and their labels", "entities, gestures, turns",
                   then="unit"),
            Answer("segmentations", "the boundaries between segments", "topics, scenes", case="boundaries",
                   then="complete"),
            Answer("texts", "the text itself, corrected while labelling", "transcripts, historical spelling",
                   case="texts", then="complete"),
            Answer("chains", "which expressions refer to the same entity", "coreference", case="chains",
                   then="complete"),
        ),
    ),
    TreeQuestion(
        "order",
        "Do the labels have an order?",
        "If they do, a near miss counts less than a large difference.",
        (
            Answer("names", "no, they are nominal", "noun, verb; plan, report", case="names", then="complete"),
            Answer("grades", "yes: grades, with steps of any size", "low, middle, high; Likert scales",
                   case="grades", then="complete"),
            Answer("amounts", "yes: numbers with meaningful differences", "blood pressure, years, counts",
                   case="amounts", then="complete"),
            Answer("circle", "yes, and they are cyclic", "hours, weekdays, directions", case="circle",
                   then="complete"),
            Answer("sets", "each label is a set that can be partly right", "several tags for a picture",
                   case="sets", then="complete"),
            Answer("tree", "the labels form a hierarchy", "request, information request", case="tree", then="complete"),
        ),
    ),
    TreeQuestion(
        "unit",
        "What is a unit?",
        "Separate units are found or missed. In a divided continuum, every second or character counts the same.",
        (
            Answer("thing", "a separate entity; the rest stays unmarked", "a name, an error, a gesture",
                   case="things", then="complete"),
            Answer("stretch", "a stretch of a completely divided continuum", "who speaks, sleep stages, topics",
                   case="stretches", then="complete"),
            Answer("given", "predefined: annotators chose only the label", "tokens, utterances",
                   case="given", then="complete"),
        ),
    ),
    TreeQuestion(
        "complete",
        "Did all annotators annotate everything?",
        "Some measures use all labels; others exclude incomplete items.",
        (
            Answer(YES, "yes: every annotator did every item or document", then="reference"),
            Answer(NO, "no: some labels are missing, or annotators did different parts", then="reference"),
        ),
    ),
    TreeQuestion(
        "reference",
        "Is one annotator the reference?",
        "Compared with a gold standard, the others are right or wrong.",
        (
            Answer(NO, "no, all annotators are treated alike"),
            Answer(YES, "yes: a gold standard or an expert"),
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
        raise SpecError(
            "option-not-for-data", "order applies to labels of items only; leave out order or use --say marked=items"
        )
    if answers.get("marked") not in {None, "units"} and "unit" in answers:
        raise SpecError("option-not-for-data", "unit applies to units only; leave out unit or use --say marked=units")

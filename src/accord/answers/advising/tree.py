"""The tree: which questions lead to which case. `as_dict` is all of it as plain data, for pages in other languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.answers.advising.cases import CASES
from accord.answers.advising.remarks import DISPUTES, REMARKS
from accord.answers.advising.shape import Answer, Case, Question
from accord.answers.advising.sight import SIGHT
from accord.core.errors import SpecError, UnknownName

FIRST = "marked"
YES, NO = "yes", "no"

QUESTIONS: tuple[Question, ...] = (
    Question(
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
    Question(
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
    Question(
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
    Question(
        "complete",
        "Did everybody see everything?",
        "Some measures use whatever labels there are; others leave out every item that is not complete.",
        (
            Answer(YES, "yes: every annotator did every item or document", then="reference"),
            Answer(NO, "no: some labels are missing, or annotators took turns", then="reference"),
        ),
    ),
    Question(
        "reference",
        "Is one of them right by definition?",
        "Against a gold standard the others are right or wrong; among equals there is only agreement.",
        (
            Answer(NO, "no, they are equals"),
            Answer(YES, "yes: a gold standard, or an expert with whom the others are compared"),
        ),
    ),
)  # fmt: skip


def question(name: str) -> Question:
    for one in QUESTIONS:
        if one.name == name:
            return one
    raise UnknownName("question", name, [one.name for one in QUESTIONS])


def case_named(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


def check_answers(answers: Mapping[str, str]) -> None:
    """Questions and answers that there are."""
    for name, said in answers.items():
        known = question(name)
        if known.answer(said) is None:
            raise UnknownName(f"answer to the question {name}", said, [one.name for one in known.answers])
    if answers.get("marked") not in {None, "items"} and "order" in answers:
        raise SpecError("order: it is asked of labels of items alone")
    if answers.get("marked") not in {None, "units"} and "unit" in answers:
        raise SpecError("unit: it is asked of units alone")


def as_dict() -> dict[str, Any]:
    """All of the tree: questions, cases, remarks, disputes, and what each measure sees."""
    return {
        "first": FIRST,
        "questions": [one.to_dict() for one in QUESTIONS],
        "cases": [one.to_dict() for one in CASES],
        "remarks": [one.to_dict() for one in REMARKS],
        "disputes": [one.to_dict() for one in DISPUTES],
        "sight": {name: one.to_dict() for name, one in SIGHT.items()},
    }

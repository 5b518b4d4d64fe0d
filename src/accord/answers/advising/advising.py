"""`advise`: looks at data, walks the tree with what it sees and with what it is told, and says what to score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.answers.advising.advice import Advice, Advised, Noted, Step, Way, command
from accord.answers.advising.looking import Found, Seen, seen
from accord.answers.advising.remarks import DISPUTES, REMARKS
from accord.answers.advising.shape import Answer, Case, Recommendation
from accord.answers.advising.sight import SIGHT
from accord.answers.advising.tree import FIRST, YES, case_named, check_answers, question
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.spec import written
from accord.data.door import checks_options, names_of, opened
from accord.data.kinds import ITEMS
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure


@checks_options
def advise(
    data: Any,
    *,
    say: str | Iterable[str] | Mapping[str, str] | None = None,
    reference: str | None = None,
    models: str | Iterable[str] | None = None,
    tree: str | None = None,
    **reading: Any,
) -> Advice:
    """Which measures fit data, and why: what the data say about themselves, and what you add.

    - `say`: what the data cannot: `"order=grades"`, several of them, or `{"order": "grades"}`. The questions and
      answers are in `accord.answers.advising.tree`.
    - `reference`: the annotator who is right by definition, if there is one.
    - `models`: annotators who are no people; by default those whose names look like it.
    - `tree`: a CSV file with the columns label and parent, where some labels are kinds of others.
    - further options say how data are read: see `read`.
    """
    told = answers_in(say)
    named = () if models is None else tuple(names_of(models))
    shown = str(data) if isinstance(data, str) else "DATA"
    return advice_on(opened(data, reading), shown, told, reference=reference, models=named, tree=tree)


def answers_in(said: str | Iterable[str] | Mapping[str, str] | None) -> dict[str, str]:
    """`"order=grades"`, several of them, or a mapping."""
    if said is None:
        return {}
    if isinstance(said, Mapping):
        told = {str(name): str(answer) for name, answer in said.items()}
    else:
        each = [said] if isinstance(said, str) else [str(one) for one in said]
        told = {name.strip(): answer.strip() for one in each for name, _, answer in [one.partition("=")]}
    check_answers(told)
    return told


def advice_on(
    data: Data,
    shown: str,
    told: Mapping[str, str],
    *,
    name: str = "",
    reference: str | None = None,
    models: Sequence[str] = (),
    tree: str | None = None,
    options: Sequence[str] = (),
) -> Advice:
    """The same for data that were read: `shown` is what they are called in commands, `options` how they are read."""
    for one in (*models, *([reference] if reference is not None else [])):
        if one not in data.annotators:
            raise UnknownName("annotator", one, data.annotators)
    answers = {**told, **({"reference": YES} if reference is not None else {}), **({"order": "tree"} if tree else {})}
    if answers.get("reference") == YES and reference is None:
        raise SpecError("which annotator is the reference? --reference NAME")
    found = seen(data, models)
    _check_told(data, answers, tree)
    steps, case, waiting = _walked(found, answers)
    facts = found.facts | {name for name, given in (("reference", reference), ("tree", tree)) if given is not None}
    facts |= {"in_between"} if case is not None and case.name == "amounts" else frozenset()
    fill = _Fill(found.figures, reference, tree)
    score = ("accord", "score", shown, *options)
    measures = () if case is None else tuple(_advised(one, fill, score) for one in _fitting(case, facts))
    ways = () if waiting is None else tuple(_ways(data, waiting, facts, fill))
    first = next(iter([*(one.spec for one in measures), *(way.spec for way in ways)]), data.kind.main)
    return Advice(
        name=name or shown,
        about=tuple(data.about()),
        case=None if case is None else case.name,
        words="" if case is None else case.words,
        steps=tuple(steps),
        measures=measures,
        ways=ways,
        notes=tuple(_notes(data, facts, {**found.figures, "first": first}, (shown, *options))),
        disputes=() if case is None else tuple(one for one in DISPUTES if one.name in case.disputes),
    )


@dataclass(frozen=True)
class _Fill:
    """What stands for the words in braces: in a spec as specs are written, in a sentence in quotes."""

    figures: Mapping[str, Any]
    reference: str | None
    tree: str | None

    def spec(self, text: str) -> str:
        return str(measure(text.format(reference=written(self.reference), tree=written(self.tree))))

    def words(self, text: str) -> str:
        return text.format(**self.figures, reference=quoted(self.reference or ""))


def _check_told(data: Data, answers: Mapping[str, str], tree: str | None) -> None:
    """Answers that these data cannot have, or that need a word more."""
    marked = answers.get("marked", data.kind.name)
    if marked != data.kind.name:
        raise SpecError(
            f"marked={marked}: these are {data.kind.words}; if they are not, say how to read them: --layout"
        )
    if "order" in answers and data.kind is not ITEMS:
        raise SpecError(f"order is a question about labels of items; these are {data.kind.words}")
    if "unit" in answers and data.kind.name != "units":
        raise SpecError(f"unit is a question about units; these are {data.kind.words}")
    order = answers.get("order")
    if order is None or not isinstance(data, Ratings):
        return
    known = data.categories
    if order in {"grades", "circle"} and known.guessed_order:
        raise SpecError(
            f"order={order}: in which order? Name the labels from the lowest to the highest: --categories …"
        )
    if order == "amounts" and not known.numeric:
        raise SpecError("order=amounts: some labels are not numbers; words in an order are grades")
    if order == "sets" and not known.sets:
        raise SpecError("order=sets: no label has several members; say what stands between them: --sets '|'")
    if order == "tree" and tree is None:
        raise SpecError("order=tree: which labels are kinds of which? --tree FILE, with the columns label and parent")


def _walked(found: Seen, told: Mapping[str, str]) -> tuple[list[Step], Case | None, Step | None]:
    """The questions from the first on, with their answers; the case; and the question that is open, if it decides."""
    steps: list[Step] = []
    case: Case | None = None
    waiting: Step | None = None
    name: str | None = FIRST
    while name is not None:
        asked = question(name)
        known = Found(told[name], "told", "you said so") if name in told else found.answers[name]
        step = Step(asked, known.answer, known.how, known.why, known.others)
        steps.append(step)
        if known.answer is None:
            waiting, name = step, asked.answers[0].then  # all of its answers go on alike
            continue
        answer = next(one for one in asked.answers if one.name == known.answer)
        case = case_named(answer.case) if answer.case is not None else case
        name = answer.then
    return steps, case, waiting


def _fitting(case: Case, facts: frozenset[str]) -> list[Recommendation]:
    return [one for one in case.recommendations if one.holds(facts)]


def _advised(one: Recommendation, fill: _Fill, score: Sequence[str]) -> Advised:
    spec = fill.spec(one.spec)
    typed = command(*score, "-m", spec, *one.options.split())
    return Advised(spec, fill.words(one.why), SIGHT[measure(spec).name], one.sources, typed)


def _ways(data: Data, waiting: Step, facts: frozenset[str], fill: _Fill) -> list[Way]:
    made = []
    for answer in waiting.question.answers:
        if _possible(data, answer) and answer.case is not None:
            first = _fitting(case_named(answer.case), facts)[0]
            say = f"--say {waiting.question.name}={answer.name}"
            made.append(Way(answer.name, answer.words, say, fill.spec(first.spec), fill.words(first.why)))
    return made


def _possible(data: Data, answer: Answer) -> bool:
    """Whether the labels could be that."""
    numbers = isinstance(data, Ratings) and data.categories.numeric
    return answer.name in {"names", "grades"} or (numbers and answer.name in {"amounts", "circle"})


def _notes(data: Data, facts: frozenset[str], figures: Mapping[str, Any], typed: Sequence[str]) -> list[Noted]:
    fits = [one for one in REMARKS if one.fact in facts and (not one.kinds or data.kind.name in one.kinds)]
    made = []
    for one in fits:
        words = [word for part in one.do.split() for word in (typed if part == "{data}" else [part.format(**figures)])]
        do = command("accord", *words) if words else ""
        said = one.words.format(**figures)
        made.append(Noted(one.fact, f"{said[:1].upper()}{said[1:]}" if one.fact == "gaps" else said, one.sources, do))
    return made

"""`advise`: recommend measures by following the decision tree with facts from the data and answers of the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import numpy as np

from accord.answers import options
from accord.answers.advising.advice import Advice, Advices, Advised, Noted, Step, Way, command
from accord.answers.advising.cases import DISPUTES, REMARKS, SIGHT, case_named
from accord.answers.advising.tree import FIRST, YES, AdviceCase, Answer, How, Recommendation, check_answers
from accord.answers.advising.tree import question as question_named
from accord.answers.question import question
from accord.core.errors import SpecError, UnknownName, quoted
from accord.core.options import Option, Parameter, UntypableError
from accord.core.spec import written
from accord.data.door import opened_all
from accord.data.io.reading import READING
from accord.data.kinds import ITEMS, UNITS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, some
from accord.data.model.labels import Categories
from accord.data.model.measurement import MOST_GRADES
from accord.data.model.ratings import Ratings
from accord.data.model.texts import BASE, Texts
from accord.measures.catalogue import measure

_told = partial(Option, heading="Your answers")


@question("ratings.csv", "scale.csv --say order=grades")
def advise(
    data: options.Data,
    *,
    say: Annotated[
        str | Iterable[str] | Mapping[str, str] | None,
        _told(
            "An answer that the data do not contain: order=names, grades, amounts, circle, sets or tree (labels of "
            "items); unit=thing, stretch or given (units). Repeatable.",
            metavar="QUESTION=ANSWER",
            shape="texts",
        ),
    ] = None,
    reference: Annotated[str | None, _told("The reference annotator (gold standard).", metavar="NAME")] = None,
    models: Annotated[
        options.Names,
        _told("Annotators that are models. Default: names that look like models.", metavar="X,Y", shape="names"),
    ] = None,
    tree: Annotated[
        str | None,
        _told(
            "A table with the columns label and parent, for hierarchical labels.",
            metavar="FILE",
            shape="file",
        ),
    ] = None,
    **reading: Any,
) -> Advice | Advices:
    """Recommend measures for data, with reasons, limitations and sources.

    `say` answers questions that the data leave open, for example `"order=grades"`.

    Returns
    -------
    Advice, or Advices for data with several variables

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> [advised.spec for advised in accord.advise(rows).measures]
    ['alpha', 'kappa', 'percent']
    """  # fmt: skip
    told = answers_in(say)
    paths = options.paths_in(data)
    shown = paths[0] if paths else "DATA"
    variables = opened_all(data, reading)
    own = ("measurement",) if len(variables) == 1 else ("measurement", "label")  # each variable has its own
    known = {name: value for name, value in reading.items() if name in READING and name not in own}
    typed = [word for name, value in known.items() for word in _words(READING[name], value)]
    each = [
        advice_on(
            found,
            shown,
            told,
            name=shown if len(variables) == 1 else variable,
            reference=reference,
            models=options.names_in(models) or (),
            tree=tree,
            options=(*paths[1:], *typed, *(() if len(variables) == 1 else ("--label", variable))),
        )
        for variable, found in variables.items()
    ]
    return each[0] if len(each) == 1 else Advices(tuple(each))


def _words(one: Parameter, value: Any) -> list[str]:
    try:
        return one.words(value)
    except UntypableError:
        return []


def answers_in(said: str | Iterable[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Parse answers: `"order=grades"`, several of them, or a mapping."""
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
    """Return advice on data. `shown` is their name in commands, `options` are the reading options in commands."""
    for one in (*models, *([reference] if reference is not None else [])):
        if one not in data.annotators:
            raise UnknownName("annotator", one, data.annotators)
    answers = {**told, **({"reference": YES} if reference is not None else {}), **({"order": "tree"} if tree else {})}
    if answers.get("reference") == YES and reference is None:
        raise SpecError("option-missing", "reference=yes does not name the annotator; use --reference NAME")
    found = profile_data(data, models)
    _check_told(data, answers, tree)
    steps, case, waiting = _walked(found, answers)
    facts = found.facts | {name for name, given in (("reference", reference), ("tree", tree)) if given is not None}
    facts |= {"in_between"} if case is not None and case.name == "amounts" else frozenset()
    level = level_to_state(data, answers)
    options = (*options, *(() if level is None else _words(READING["measurement"], (level,))))
    period = data.measurement.period if data.measurement is not None else None
    fill = _Fill(found.figures, reference, tree, period)
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
    """Fill in placeholders: with the quoting of specs in a spec, with quotation marks in a sentence."""

    figures: Mapping[str, Any]
    reference: str | None
    tree: str | None
    period: float | None = None  # of cyclic labels

    def spec(self, text: str) -> str:
        spec = text.format(reference=written(self.reference), tree=written(self.tree))
        circular = "distance=circular"
        return str(measure(spec if self.period is None else spec.replace(circular, f"{circular}({self.period:g})")))

    def words(self, text: str) -> str:
        return text.format(**self.figures, reference=quoted(self.reference or ""))


def _check_told(data: Data, answers: Mapping[str, str], tree: str | None) -> None:
    """Raise if an answer does not fit these data, or needs another option."""
    marked = answers.get("marked", data.kind.name)
    if marked != data.kind.name:
        raise SpecError(
            "option-not-for-data",
            f"marked={marked} does not fit: these are {data.kind.words}; to read them differently, use --layout",
        )
    if "order" in answers and data.kind is not ITEMS:
        raise SpecError(
            "option-not-for-data", f"order applies to labels of items; these are {data.kind.words}; leave out order"
        )
    if "unit" in answers and data.kind.name != "units":
        raise SpecError("option-not-for-data", f"unit applies to units; these are {data.kind.words}; leave out unit")
    order = answers.get("order")
    if order is None or not isinstance(data, Ratings):
        return
    known = data.categories
    if order in {"grades", "circle"} and known.guessed_order:
        raise SpecError(
            "option-missing",
            f"order={order} needs the order of the labels; list them from lowest to highest with --categories …",
        )
    if order == "amounts" and not known.numeric:
        raise SpecError(
            "not-a-number", "order=amounts: some labels are not numbers; for ordered words, use --say order=grades"
        )
    if order == "sets" and not known.sets:
        raise SpecError(
            "option-missing", "order=sets: no label has several members; name the separator of members with --sets '|'"
        )
    if order == "tree" and tree is None:
        raise SpecError(
            "option-missing",
            "order=tree needs the hierarchy; use --tree FILE with the columns label and parent",
        )


def _walked(found: DataProfile, told: Mapping[str, str]) -> tuple[list[Step], AdviceCase | None, Step | None]:
    """Follow the tree from the first question. Return the steps, the case, and the open question, if any."""
    steps: list[Step] = []
    case: AdviceCase | None = None
    waiting: Step | None = None
    name: str | None = FIRST
    while name is not None:
        asked = question_named(name)
        known = KnownAnswer(told[name], "told", "your answer") if name in told else found.answers[name]
        step = Step(asked, known.answer, known.how, known.why, known.others)
        steps.append(step)
        if known.answer is None:
            waiting, name = step, asked.answers[0].then  # all its answers lead to the same question
            continue
        answer = next(one for one in asked.answers if one.name == known.answer)
        case = case_named(answer.case) if answer.case is not None else case
        name = answer.then
    return steps, case, waiting


def _fitting(case: AdviceCase, facts: frozenset[str]) -> list[Recommendation]:
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
    """Whether the labels can be of this kind."""
    known = data.categories if isinstance(data, Ratings) else Categories(())
    possible = {"names": True, "grades": not _cycle(known.names), "amounts": known.numeric, "circle": _cyclic(known)}
    return possible.get(answer.name, False)


def _notes(data: Data, facts: frozenset[str], figures: Mapping[str, Any], typed: Sequence[str]) -> list[Noted]:
    fits = [one for one in REMARKS if one.fact in facts and (not one.kinds or data.kind.name in one.kinds)]
    made = []
    for one in fits:
        words = [word for part in one.do.split() for word in (typed if part == "{data}" else [part.format(**figures)])]
        do = command("accord", *words) if words else ""
        said = one.words.format(**figures)
        made.append(Noted(one.fact, f"{said[:1].upper()}{said[1:]}" if one.fact == "gaps" else said, one.sources, do))
    return made


# -- facts from the data: names of facts, figures for sentences, answers to questions ----------------------------------

FEW = {ITEMS.name: 30}  # below this number the interval is wide; documents:
FEW_DOCUMENTS = 5
RARE = 5  # labels: fewer are too few to assess a category
SKEWED = 0.8  # share of one category in all labels
WHOLE = 0.98  # covered share of a continuum that units divide completely
_CROWD = 0.5  # with a smaller share of annotators per item, annotators change from item to item
_LEAST_CROWD = 5
_MANY = 5  # annotators from which coefficients with different chance models are close

# Words that form a circle, in order, with their usual short forms.
_CYCLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "weekdays": (
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ),
    "months": (
        ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
         "december"),
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ),
    "directions": (
        ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
        ("n", "ne", "e", "se", "s", "sw", "w", "nw"),
    ),
    "seasons": (("spring", "summer", "autumn", "winter"), ("spring", "summer", "fall", "winter")),
}  # fmt: skip
_LATE = 22  # hours: whole numbers up to 24, with at least one from here on
_MONTHS = 12
_WIDE = 240  # degrees: numbers within a full turn that span two thirds of it
# The answers to the question about order, by level of measurement, and the level that each answer states.
_ANSWERS = {"nominal": "names", "binary": "names", "ordinal": "grades", "interval": "amounts", "ratio": "amounts",
            "circular": "circle", "sets": "sets"}  # fmt: skip
_LEVELS = {"names": "nominal", "grades": "ordinal", "amounts": "interval", "circle": "circular", "sets": "sets"}
_MODEL = re.compile(
    r"(?i)(?:^|[^a-z])(gpt|chatgpt|llm|llama|claude|gemini|mistral|mixtral|qwen|deepseek|bert|model|bot|machine|system)"
    r"(?:[^a-z]|$)"
)


@dataclass(frozen=True)
class KnownAnswer:
    """An answer, its origin and its reason."""

    answer: str | None  # None: the data do not show it
    how: How
    why: str
    others: tuple[str, ...] = ()  # other possible answers


@dataclass(frozen=True)
class DataProfile:
    """Facts from the data, figures for sentences, and answers to questions."""

    facts: frozenset[str]
    figures: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, KnownAnswer] = field(default_factory=dict)
    models: tuple[str, ...] = ()


def profile_data(data: Data, models: Sequence[str] = ()) -> DataProfile:
    """Collect facts about the data without scoring them."""
    facts, figures = _of_all(data)
    answers = {"marked": KnownAnswer(data.kind.name, "data", f"the data are {data.kind.words}")}
    if isinstance(data, Ratings):
        _ratings(data, facts, figures)
        answers["order"] = _order(data)
    elif isinstance(data, Corpus):
        _units(data, facts, figures)
        answers["unit"] = _unit(data, facts)
    answers["complete"] = _complete(data, facts, figures)
    answers["reference"] = KnownAnswer("no", "assumed", "no reference was named")
    named = tuple(models) or models_in(data)
    if named:
        facts.add("models" if data.kind is ITEMS else "models_elsewhere")
        figures["models"] = ",".join(named)
        figures["models_are"] = f"{some(list(named), 6)} may be {'a model' if len(named) == 1 else 'models'}"
    return DataProfile(frozenset(facts), figures, answers, named)


def models_in(data: Data) -> tuple[str, ...]:
    """Return the annotators with names that look like models."""
    return tuple(name for name in data.present if _MODEL.search(name)) if data.identified else ()


def _of_all(data: Data) -> tuple[set[str], dict[str, Any]]:
    n = int(data.comparable.sum()) if not isinstance(data, Ratings) else data.n_pairable
    facts = {"identified" if data.identified else "counts"}
    if data.identified:
        facts.add(_crowded(data.n_annotators))
    if n < FEW.get(data.kind.name, FEW_DOCUMENTS):
        facts.add("few")
    if n == 1:
        facts.add("one_document")
    noun = data.kind.noun
    figures = {"annotators": f"{data.n_annotators:,}", "n": f"{n:,}", "things": noun if n == 1 else f"{noun}s"}
    return facts, figures | {"pair": ",".join(data.present[:2])}


def _crowded(annotators: int) -> str:
    return "alone" if annotators < 2 else "two" if annotators == 2 else "several" if annotators < _MANY else "many"


# -- labels of items -----------------------------------------------------------------------------------------------


def _ratings(data: Ratings, facts: set[str], figures: dict[str, Any]) -> None:
    numbers = data.categories.numeric
    facts |= {"numbers"} if numbers else set()
    items = max(data.n_items, 1)
    per_item = data.n_ratings / items
    figures["per_item"] = f"{per_item:.1f}"
    if data.identified and data.n_annotators >= _LEAST_CROWD and per_item <= _CROWD * data.n_annotators:
        facts.add("crowd")
        facts.discard("many")
    if not numbers or len(data.categories) <= MOST_GRADES:
        _shares(data.marginals, data.categories, facts, figures)


def _shares(counts: Any, categories: Categories, facts: set[str], figures: dict[str, Any]) -> None:
    used = counts[counts > 0]
    if len(used) > 1 and used.max() > SKEWED * used.sum():
        facts.add("skewed")
        figures["largest"] = f"{used.max() / used.sum():.0%}"
        figures["category"] = quoted(categories.names[int(counts.argmax())])
    rare = [quoted(name) for name, n in zip(categories.names, counts.tolist(), strict=True) if 0 < n < RARE]
    if rare:
        facts.add("rare")
        figures["rare"] = f"{some(rare, 3)} {'was' if len(rare) == 1 else 'were each'}"


def _order(data: Ratings) -> KnownAnswer:
    """Return the answer that the level of measurement gives. If the level is assumed, the data do not show it."""
    level, categories = data.measurement, data.categories
    answer = _ANSWERS.get(level.level)
    if answer is None or not level.known:
        only = "; they can be compared as names only" if answer is None else ""
        return KnownAnswer(None, "open", f"{level.reason}{only}")
    if level.basis == "stated":
        return KnownAnswer(answer, "data", f"the level of measurement is stated: {level}")
    if level.level == "binary":
        return KnownAnswer(answer, "data", f"{level.reason}: an order makes no difference")
    if level.basis == "labels" and (what := _cycle(categories.names)) and not categories.declared:
        listed = quoted(",".join(_around(categories.names)))
        return KnownAnswer(
            None, "open", f"the labels are {what}, which can be cyclic; to give their order, use --categories {listed}"
        )
    if level.basis == "labels" and level.level == "nominal" and categories.declared:
        return KnownAnswer(None, "open", "categories were declared, either to give their order or to list all of them")
    return KnownAnswer(answer, "data", level.reason, _others(data) if level.basis == "labels" else ())


def _others(data: Ratings) -> tuple[str, ...]:
    """Return the answers that are right if the labels mean something else than they show."""
    level, known = data.measurement.level, data.categories
    possible = ("names", "grades", *(("amounts",) if known.numeric else ("tree",)), *(("circle",) * _cyclic(known)))
    return () if level == "sets" else tuple(one for one in possible if one != _ANSWERS[level])


def _cyclic(categories: Categories) -> bool:
    """Whether labels may be cyclic: hours, months, degrees, or words of a cycle. Grades such as 1 to 7 are not."""
    if not categories.numeric:
        return bool(_cycle(categories.names))
    values = categories.values
    if not len(values):
        return False
    low, high = float(values.min()), float(values.max())
    whole = bool(np.all(values == np.round(values)))
    hours = whole and low in {0, 1} and _LATE <= high <= 24
    months = whole and (low, high, len(values)) == (1, _MONTHS, _MONTHS)
    degrees = high - low >= _WIDE and ((low >= 0 and high <= 360) or (low >= -180 and high <= 180))
    return hours or months or degrees


def _cycle(names: Sequence[str]) -> str:
    """Return what the labels are if they are words of a cycle; else nothing."""
    plain = {name.strip().lower() for name in names}
    known = ((what, words) for what, forms in _CYCLES.items() for words in forms)
    return next((what for what, words in known if len(plain) > 2 and plain <= set(words)), "")


def _around(names: Sequence[str]) -> list[str]:
    """Return the words of a cycle in their order."""
    plain = {name.strip().lower() for name in names}
    words = next(words for words in _CYCLES[_cycle(names)] if plain <= set(words))
    return sorted(names, key=lambda name: words.index(name.strip().lower()))


def level_to_state(data: Data, told: Mapping[str, str]) -> str | None:
    """Return the level that a command must state to compute what was recommended; None if the data show it.

    The answer of the user to the question about order comes before the level of the data.
    """
    level = data.measurement
    if level is None:
        return None
    wanted = _LEVELS.get(told.get("order", ""))
    if wanted is None or (level.known and _ANSWERS.get(level.level) == told["order"]):
        return str(level) if level.basis == "stated" else None
    return wanted


# -- units ---------------------------------------------------------------------------------------------------------


def _units(data: Corpus, facts: set[str], figures: dict[str, Any]) -> None:
    if len(data.categories) and bool((data.label >= 0).any()):
        facts.add("labels")
        _shares(
            np.bincount(data.label[data.label >= 0], minlength=len(data.categories)), data.categories, facts, figures
        )
        facts |= {"numbers"} if data.categories.numeric and len(data.categories) > 2 else set()
    facts.add("overlaps" if _overlapping(data) else "apart")
    facts |= {"points"} if len(data) and not (data.end > data.start).any() else set()
    if not data.extent_given.all():
        facts.add("length_unknown")


def _overlapping(data: Corpus) -> bool:
    """Whether units of the same annotator overlap."""
    order = np.lexsort((data.start, data.annotator, data.doc))
    doc, who, start, end = (column[order] for column in (data.doc, data.annotator, data.start, data.end))
    same = (doc[1:] == doc[:-1]) & (who[1:] == who[:-1])
    return bool((same & (start[1:] < end[:-1])).any())


def _unit(data: Corpus, facts: set[str]) -> KnownAnswer:
    if _same_places(data):
        return KnownAnswer("given", "data", "the units of all annotators have the same positions")
    if "points" in facts:
        return KnownAnswer("thing", "data", "all units have length 0")
    if "apart" in facts and (covered := _covered(data)) >= WHOLE:
        return KnownAnswer("stretch", "assumed", f"the units cover {covered:.0%} of the documents", ("thing", "given"))
    why = "units overlap" if "overlaps" in facts else "some places between units are unmarked"
    return KnownAnswer("thing", "assumed", why, ("stretch", "given"))


def _same_places(data: Corpus) -> bool:
    """Whether annotators differ only in labels."""
    places: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for doc, who, start, end in zip(
        *(c.tolist() for c in (data.doc, data.annotator, data.start, data.end)), strict=True
    ):
        places.setdefault((doc, who), []).append((start, end))
    first: dict[int, list[tuple[float, float]]] = {}
    several = False
    for (doc, _), mine in places.items():
        mine.sort()
        several |= doc in first
        if first.setdefault(doc, mine) != mine:
            return False
    return several and len(places) == int(data.judged.sum()) and max(map(len, places.values())) > 1


def _covered(data: Corpus) -> float:
    """Return the marked share of the documents that annotators saw. Units must not overlap."""
    whole = float((data.judged.sum(axis=1) * (data.extents[:, 1] - data.extents[:, 0])).sum())
    return float((data.end - data.start).sum()) / whole if whole else 0.0


# -- completeness --------------------------------------------------------------------------------------------------


def _complete(data: Data, facts: set[str], figures: dict[str, Any]) -> KnownAnswer:
    there, wanted = _seats(data)
    if there >= wanted:
        facts.add("complete")
        return KnownAnswer("yes", "data", f"every annotator did every {data.kind.noun}")
    facts.add("gaps")
    facts |= {"unseen"} if data.kind is UNITS else set()
    figures["missing"] = _percent(1 - there / wanted)
    things = "labels" if data.kind is ITEMS else "pairs of document and annotator"
    return KnownAnswer("no", "data", f"{wanted - there:,} of {wanted:,} {things} are missing")


def _percent(share: float) -> str:
    """Format a share in percent; 0% and 100% only for exact values."""
    return "less than 1%" if share < 0.005 else "more than 99%" if share > 0.995 else f"{share:.0%}"


def _seats(data: Data) -> tuple[int, int]:
    """Return the number of annotated items or documents, and the number without gaps."""
    if isinstance(data, Ratings):
        if not data.identified:
            largest = int(data.sizes.max()) if len(data.sizes) else 0
            return data.n_ratings, largest * data.n_items
        return data.n_ratings, data.n_annotators * data.n_items
    if isinstance(data, Texts):
        return int((data.version_annotator != BASE).sum()), data.n_annotators * data.n_items
    marked = data.marked()
    done = 0 if marked is None else int(marked.looked.sum())
    return done, data.n_annotators * data.n_items

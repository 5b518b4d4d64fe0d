"""What data say about themselves: facts by name, the figures behind them, and answers to questions of the tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from accord.core.errors import counted, quoted
from accord.data.kinds import ITEMS, UNITS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, some
from accord.data.model.labels import Categories, Numbers
from accord.data.model.ratings import Ratings
from accord.data.model.texts import BASE, Texts

FEW = {ITEMS.name: 30}  # items below which an interval is wide; documents:
FEW_DOCUMENTS = 5
RARE = 5  # labels of a category, below which nothing can be said about it
SKEWED = 0.8  # of all labels, in one category
WHOLE = 0.98  # of a continuum, which units divide up
MOST_GRADES = 12  # whole numbers that may be codes, grades or counts: more of them were counted or measured
_CROWD = 0.5  # of the annotators, on an item: below it they change from item to item
_LEAST_CROWD = 5
_MANY = 5  # annotators with whom coefficients that differ in chance come close

How = Literal["data", "told", "assumed", "open"]
# Words that people use for grades, in order: where all labels are of one such scale, it is worth a question.
_SCALES: tuple[tuple[str, ...], ...] = (
    ("none", "very low", "low", "middle", "medium", "moderate", "high", "very high"),
    ("none", "absent", "mild", "moderate", "severe", "very severe", "critical"),
    ("never", "rarely", "seldom", "sometimes", "occasionally", "often", "usually", "always"),
    ("strongly disagree", "disagree", "somewhat disagree", "neutral", "undecided", "neither", "somewhat agree", "agree",
     "strongly agree"),
    ("very negative", "negative", "neutral", "mixed", "positive", "very positive"),
    ("terrible", "very poor", "poor", "bad", "fair", "ok", "average", "good", "very good", "excellent"),
    ("no", "maybe", "partly", "yes"),
    ("small", "medium", "large", "very large"),
    ("beginner", "elementary", "intermediate", "advanced", "expert"),
    ("a1", "a2", "b1", "b2", "c1", "c2"),
    ("i", "ii", "iii", "iv", "v", "vi"),
)  # fmt: skip
_MODEL = re.compile(
    r"(?i)(?:^|[^a-z])(gpt|chatgpt|llm|llama|claude|gemini|mistral|mixtral|qwen|deepseek|bert|model|bot|machine|system)"
    r"(?:[^a-z]|$)"
)


@dataclass(frozen=True)
class Found:
    """An answer, where it comes from, and why."""

    answer: str | None  # None: the data cannot say
    how: How
    why: str
    others: tuple[str, ...] = ()  # answers that may be right instead


@dataclass(frozen=True)
class Seen:
    """What was seen: facts that hold, figures for sentences, answers to questions."""

    facts: frozenset[str]
    figures: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Found] = field(default_factory=dict)
    models: tuple[str, ...] = ()


def seen(data: Data, models: Sequence[str] = ()) -> Seen:
    """All that can be said of the data without scoring them."""
    facts, figures = _of_all(data)
    answers = {"marked": Found(data.kind.name, "data", f"the data are {data.kind.words}")}
    if isinstance(data, Ratings):
        _ratings(data, facts, figures)
        answers["order"] = _order(data.categories)
    elif isinstance(data, Corpus):
        _units(data, facts, figures)
        answers["unit"] = _unit(data, facts)
    answers["complete"] = _complete(data, facts, figures)
    answers["reference"] = Found("no", "assumed", "none was named")
    named = tuple(models) or models_in(data)
    if named:
        facts.add("models" if data.kind is ITEMS else "models_elsewhere")
        figures["models"] = ",".join(named)
        figures["models_are"] = f"{some(list(named), 6)} may be {'a model' if len(named) == 1 else 'models'}"
    return Seen(frozenset(facts), figures, answers, named)


def models_in(data: Data) -> tuple[str, ...]:
    """Annotators that are called as models are."""
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


def _order(categories: Categories) -> Found:
    if categories.sets:
        return Found("sets", "data", "some labels are sets of several members")
    if categories.numeric:
        return _of_numbers(categories)
    if len(categories) <= 2:
        return Found("names", "data", f"{counted(len(categories), 'category')}: an order would change nothing")
    if categories.declared:
        return Found(None, "open", "categories were declared, which may be to give their order, or to name them all")
    scale = _scale(categories.names)
    if scale:
        listed = ",".join(scale)
        return Found(
            None, "open", f"the labels are words that people use for grades; their order: --categories {quoted(listed)}"
        )
    why = "the labels are words; their order, if there is one, is not known"
    return Found("names", "assumed", why, ("grades", "circle", "tree"))


def _of_numbers(categories: Categories) -> Found:
    values = categories.values
    if isinstance(categories.labels, Numbers) or len(values) > MOST_GRADES:
        return Found("amounts", "assumed", f"{len(values):,} different numbers", ("grades", "names", "circle"))
    if np.any(values != np.round(values)):
        return Found("amounts", "assumed", "numbers with decimals", ("grades", "names", "circle"))
    if len(values) <= 2:
        return Found("names", "data", f"{counted(len(values), 'number')}: an order would change nothing")
    return Found(None, "open", f"{len(values)} whole numbers may be codes of categories, grades, or counts")


def _scale(names: Sequence[str]) -> list[str]:
    """The names in the order of a usual scale; empty where they are none."""
    plain = {name: re.sub(r"[\s_-]+", " ", name.strip().lower()) for name in names}
    for scale in _SCALES:
        if all(word in scale for word in plain.values()):
            return sorted(names, key=lambda name: scale.index(plain[name]))
    return []


# -- units ---------------------------------------------------------------------------------------------------------


def _units(data: Corpus, facts: set[str], figures: dict[str, Any]) -> None:
    if len(data.categories) and bool((data.label >= 0).any()):
        facts.add("labels")
        _shares(
            np.bincount(data.label[data.label >= 0], minlength=len(data.categories)), data.categories, facts, figures
        )
        facts |= {"numbers"} if data.categories.numeric and len(data.categories) > 2 else set()
    facts.add("overlaps" if _overlapping(data) else "apart")
    if not data.extent_given.all():
        facts.add("length_unknown")


def _overlapping(data: Corpus) -> bool:
    """Whether units of one annotator do, anywhere."""
    order = np.lexsort((data.start, data.annotator, data.doc))
    doc, who, start, end = (column[order] for column in (data.doc, data.annotator, data.start, data.end))
    same = (doc[1:] == doc[:-1]) & (who[1:] == who[:-1])
    return bool((same & (start[1:] < end[:-1])).any())


def _unit(data: Corpus, facts: set[str]) -> Found:
    if _same_places(data):
        return Found("given", "data", "all annotators have units in the very same places")
    if "apart" in facts and (covered := _covered(data)) >= WHOLE:
        return Found("stretch", "assumed", f"the units cover {covered:.0%} of the documents", ("thing", "given"))
    why = "units overlap" if "overlaps" in facts else "there are places between units that nobody marked"
    return Found("thing", "assumed", why, ("stretch", "given"))


def _same_places(data: Corpus) -> bool:
    """Whether annotators differ in nothing but labels."""
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
    """The share of what annotators looked at that they marked; units must not overlap."""
    whole = float((data.judged.sum(axis=1) * (data.extents[:, 1] - data.extents[:, 0])).sum())
    return float((data.end - data.start).sum()) / whole if whole else 0.0


# -- who saw what --------------------------------------------------------------------------------------------------


def _complete(data: Data, facts: set[str], figures: dict[str, Any]) -> Found:
    there, wanted = _seats(data)
    if there >= wanted:
        facts.add("complete")
        return Found("yes", "data", f"every annotator did every {data.kind.noun}")
    facts.add("gaps")
    facts |= {"unseen"} if data.kind is UNITS else set()
    figures["missing"] = _percent(1 - there / wanted)
    things = "labels" if data.kind is ITEMS else "pairs of document and annotator"
    return Found("no", "data", f"{wanted - there:,} of {wanted:,} {things} are missing")


def _percent(share: float) -> str:
    """Neither none nor all, where it is only nearly so."""
    return "less than 1%" if share < 0.005 else "more than 99%" if share > 0.995 else f"{share:.0%}"


def _seats(data: Data) -> tuple[int, int]:
    """How many items or documents were done, and how many would be if everybody had done all."""
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

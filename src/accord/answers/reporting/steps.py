"""Next steps: actions that the results suggest. Observations are not steps.

A step names an annotator only if the evidence against chance is corrected for the selection of this annotator among
all. In a crowd no annotator is named: the step is a rule for all of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from accord.answers.annotator_figures import ENOUGH
from accord.answers.annotators import Annotator
from accord.answers.influence import Left
from accord.answers.reporting.findings import Findings
from accord.answers.reporting.leaning import strongest_leaning
from accord.answers.reporting.sentences import (
    GivenName,
    Number,
    Sentence,
    change,
    count,
    listed,
    sentence_as_dict,
    share,
)
from accord.answers.reporting.verdicts import SIGNIFICANT
from accord.core.errors import counted
from accord.core.probability import t_below
from accord.core.tables import percent
from accord.data.kinds import TEXTS, UNITS
from accord.data.model.ratings import Ratings
from accord.measures.units.unitary import UnitaryAlignments

_MAIN_PARTNER = 0.5  # share of a category's disagreements from which one other category explains them
_STANDS_OUT = 0.05  # share of disorder from which one document is named on its own
_FIRST = 10  # documents named together if none stands out
_SPREAD_NAMED = 3  # items with the largest spread that a step names
_CAUSES = {  # what to clarify, by the largest cause of disorder of units
    "position": ("Clarify where a unit begins and ends", "positions"),
    "category": ("Clarify the categories", "categories"),
    "absence": ("Clarify what to mark", "units that only some annotators marked"),
}


@dataclass(frozen=True)
class NextStep:
    """A recommended action."""

    what: Literal["annotator", "annotators", "category", "boundary", "document", "item"]
    title: Sentence  # an imperative
    said: Sentence
    section: str  # key of the section with details

    def to_dict(self) -> dict[str, Any]:
        return {"what": self.what, "title": sentence_as_dict(self.title), "said": sentence_as_dict(self.said)}


def next_steps(found: Findings) -> tuple[NextStep, ...]:
    """Return at most three actions: about annotators, about labels, and about items or documents."""
    if math.isnan(found.score.value) or found.measured.perfect:
        return ()
    people = _qualification(found) if found.crowd else _annotator(found)
    return tuple(filter(None, (people, _labels(found), _place(found))))


def better(found: Findings, left: Left) -> bool:
    """Whether the value improves without something."""
    return left.change > 0 if found.score.kind == "agreement" else left.change < 0


# -- annotators ----------------------------------------------------------------------------------------------------


def _annotator(found: Findings) -> NextStep | None:
    """Name an annotator who differs from the others by more than the selection among all explains."""
    if found.numeric:
        return _offset(found) or _without_one(found)
    return _without_one(found) or _leaning(found)


def _without_one(found: Findings) -> NextStep | None:
    """Name the annotator without whom the value improves, if the interval corrected for the selection excludes 0."""
    left = found.outlier
    if left is None or left.interval is None:
        return None
    score = found.score
    several = sum(not math.isnan(one.change) for one in found.influence.annotators) if found.influence else 0
    said: Sentence = (
        "Without ", GivenName(left.name), f", {score.symbol or score.measure} would be ", Number(left.without),
        " instead of ", Number(score.value), " (", change(left.change),
        f", {percent(found.level)} interval ", change(left.interval.low), " to ", change(left.interval.high),
        f", corrected for the selection among {several} annotators).",
    )  # fmt: skip
    why: Sentence = (" ", GivenName(left.name), f" {left.verdict}.") if left.verdict else ()
    return NextStep("annotator", ("Review the annotations of ", GivenName(left.name)), (*said, *why), "influence")


def _offset(found: Findings) -> NextStep | None:
    """Name an annotator whose numbers are higher or lower than those of the others by a constant."""
    each = () if found.annotators is None else found.annotators.each
    known = [one for one in each if one.above is not None and one.above_se]
    if not known:
        return None
    first = min(known, key=_p_of_offset)
    tests = 1 if len(each) == 2 else len(each)  # two annotators have the same difference with opposite signs
    p = min(1.0, tests * _p_of_offset(first))
    if p >= SIGNIFICANT or first.above is None:
        return None
    others = "the other annotator" if len(each) == 2 else "the mean of the others"
    corrected = f", corrected for {tests} annotators" if tests > 1 else ""
    said: Sentence = (
        "The numbers of ", GivenName(first.name), " are on average ", Number(abs(first.above)),
        f" {'above' if first.above > 0 else 'below'} {others} on the same items (p ", Number(p, "p"), f"{corrected}).",
    )  # fmt: skip
    title: Sentence = ("Calibrate the scale of ", GivenName(first.name), " with the others")
    if len(each) == 2:
        title = ("Calibrate the scale of both annotators",)
    return NextStep("annotator", title, said, "annotators")


def _p_of_offset(one: Annotator) -> float:
    assert one.above is not None
    assert one.above_se is not None
    return 2 * t_below(max(one.n - 1, 1), -abs(one.above) / one.above_se)


def _leaning(found: Findings) -> NextStep | None:
    """Find a category that an annotator uses more or less often than the others."""
    if found.disagreements is None or not found.advises_on_categories:
        return None
    rows = found.disagreements.found.rows
    lean = strongest_leaning({who: label for who, label in row.labels.items() if label} for row in rows)
    if lean is None or lean.p >= SIGNIFICANT:
        return None
    things = "units" if found.data.kind is UNITS else "items"
    two = found.data.n_annotators == 2
    others = "the other annotator uses it" if two else "the other annotators use it"
    corrected = "" if two and len(found.used_categories) == 2 else ", corrected for all annotators and categories"
    said: Sentence = (
        GivenName(lean.annotator), " uses ", GivenName(lean.category), " for ", share(lean.own),
        f" of the {things} in common, {others} for ", share(lean.others), " (p ", Number(lean.p, "p"), f"{corrected}).",
    )  # fmt: skip
    return NextStep("annotator", ("Agree on when to use ", GivenName(lean.category)), said, "annotators")


def _qualification(found: Findings) -> NextStep | None:
    """Suggest a rule for a crowd. It names no annotator."""
    each = () if found.annotators is None else found.annotators.each
    if not each:
        return None
    random = sum(bool(one.at_random) for one in each)
    few = sum(one.labels < ENOUGH for one in each)
    if random:
        said: Sentence = (
            f"Example of a rule: with {ENOUGH} or more compared labels, exclude annotators whose agreement with the "
            "most frequent label of the others is not above chance. It applies to ", count(random), " of ",
            count(len(each)), " annotators. Fix the rule before you score, because it raises agreement on the items "
            "from which it is computed.",
        )  # fmt: skip
        return NextStep("annotators", ("Filter annotators by a rule",), said, "annotators")
    if 2 * few > len(each):
        said = (
            count(few), " of ", count(len(each)), f" annotators gave fewer than {ENOUGH} labels, too few to assess "
            "them. Set a minimum number of labels, or test annotators on items with known labels first.",
        )  # fmt: skip
        return NextStep("annotators", ("Require a qualification or a minimum number of labels",), said, "annotators")
    return None


# -- labels --------------------------------------------------------------------------------------------------------


def _labels(found: Findings) -> NextStep | None:
    """Suggest which categories to clarify: a pair that is confused, or one category that differs from all others."""
    if found.advises_on_categories:
        step = _category(found) or _boundary(found)
        if step is not None:
            return step
    return _cause(found)


def _category(found: Findings) -> NextStep | None:
    """Find a category with more of the disagreement than any category must have, confused with several others."""
    used = found.used_categories
    if len(used) < 3:  # of two categories, each has half of the disagreement
        return None
    return _category_of_units(found) if found.data.kind is UNITS else _category_of_items(found)


def _category_of_items(found: Findings) -> NextStep | None:
    pairs = () if found.disagreements is None else found.disagreements.pairs
    total = sum(n for *_, n in pairs)
    involved: Counter[str] = Counter()
    for a, b, n in pairs:
        involved.update({a: n, b: n})
    if not total:
        return None
    parts = found.score.parts.get("category", {})
    value = {name: parts[name].value if name in parts else math.nan for name in involved}

    def weight(name: str) -> float:
        return involved[name] * (1 - min(value[name], 1.0) if not math.isnan(value[name]) else 1.0)

    worst = max(involved, key=lambda name: (weight(name), name))
    partner, most = next((b if a == worst else a, n) for a, b, n in pairs if worst in {a, b})
    necessary = 2 / len(found.used_categories)
    if involved[worst] <= necessary * total or most > _MAIN_PARTNER * involved[worst]:
        return None
    said: Sentence = (
        count(involved[worst]), " of ", count(total), " pairs of different labels contain this category.",
        *_value_of_category(found, value[worst]),
        " It is most often confused with ", GivenName(partner), " (", count(most), f" time{'' if most == 1 else 's'}).",
    )  # fmt: skip
    return NextStep("category", ("Clarify the guidelines for category ", GivenName(worst)), said, "disagreement")


def _category_of_units(found: Findings) -> NextStep | None:
    parts = found.score.parts.get("category", {})
    shares = {name: float(part.details["share"]) for name, part in parts.items() if "share" in part.details}
    units = sum(part.n for part in parts.values())
    # A frequent category has much of the disorder in any case.
    more = {name: part for name, part in shares.items() if units and part > parts[name].n / units}
    if not more:
        return None

    def weight(name: str) -> float:
        value = parts[name].value
        return more[name] * (1.0 if math.isnan(value) else 1 - min(value, 1.0))

    worst = max(more, key=lambda name: (weight(name), name))
    said: Sentence = (
        "Units of this category have ", share(more[worst]), " of the disorder and are ",
        share(parts[worst].n / units), " of the units.", *_value_of_category(found, parts[worst].value),
    )  # fmt: skip
    return NextStep("category", ("Clarify the guidelines for category ", GivenName(worst)), said, "disagreement")


def _value_of_category(found: Findings, value: float) -> Sentence:
    if math.isnan(value):
        return ()
    return (f" For it alone, {found.score.symbol or found.score.measure} is ", Number(value), ".")


def _boundary(found: Findings) -> NextStep | None:
    """Find the two labels that are confused most often."""
    if found.disagreements is None or not found.disagreements.pairs:
        return None
    rows = found.disagreements.found.rows
    pairs = [(a, b) for a, b, _ in found.disagreements.pairs if a and b]  # empty: a unit without a label
    if not pairs:
        return None
    a, b = pairs[0]
    both = sum({a, b} <= set(row.labels.values()) for row in rows)
    things = f"{'unit' if found.data.kind is UNITS else 'item'}{'' if len(rows) == 1 else 's'}"
    said: Sentence = (
        "Annotators chose both for ", count(both), " of ", count(len(rows)), f" {things}",
        *_others(found, both), ".",
    )  # fmt: skip
    return NextStep(
        "boundary", ("Clarify the boundary between ", GivenName(a), " and ", GivenName(b)), said, "disagreement"
    )


def _others(found: Findings, both: int) -> Sentence:
    """State how many items have any disagreement, if there are other labels."""
    assert found.disagreements is not None
    differ = len(found.disagreements.found.disputed)
    return () if differ <= both or len(found.used_categories) < 3 else (", of ", count(differ), " with a disagreement")


def _cause(found: Findings) -> NextStep | None:
    """Name the largest cause of the disorder of units."""
    if not isinstance(found.alignment, UnitaryAlignments):
        return None
    costs = {cause: float(each.sum()) for cause, each in found.alignment.causes.items()}
    total = sum(costs.values())
    largest = max(costs, key=lambda cause: costs[cause], default="")
    if largest not in _CAUSES or not total:
        return None
    title, what = _CAUSES[largest]
    said: Sentence = (share(costs[largest] / total), f" of the disorder comes from {what}.")
    return NextStep("boundary", (title,), said, "disagreement")


# -- items and documents -------------------------------------------------------------------------------------------


def _place(found: Findings) -> NextStep | None:
    if "document" in found.score.parts:
        return _documents(found)
    if found.numeric and (step := _spread(found)):
        return step
    if found.disagreements is None or not found.disagreements.found.disputed:
        return None
    rows, disputed = found.disagreements.found.rows, found.disagreements.found.disputed
    apart = [row.distance for row in disputed]  # None for names, whose pairs differ or not
    if None not in apart and len(set(apart)) > 1:
        return _largest_distance(found)
    pairs = int(max(row.cost for row in disputed))
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
    return NextStep("item", ("Resolve the disagreement on ", *listed(names)), said, "places")


def _largest_distance(found: Findings) -> NextStep:
    """Name the items whose labels are farthest apart at their level of measurement."""
    assert found.disagreements is not None
    rows, disputed = found.disagreements.found.rows, found.disagreements.found.disputed
    top = max(row.distance or 0.0 for row in disputed)
    most = sorted((str(row.name) for row in disputed if row.distance == top), key=_natural)
    said: Sentence = ("Annotators disagree on ", count(len(disputed)), " of ", counted(len(rows), "item"), ". ")
    which = "this item" if len(most) == 1 else "these items"
    said += (f"The labels of {which} are the farthest apart.",)
    return NextStep("item", ("Resolve the disagreement on ", *listed(most)), said, "places")


def _spread(found: Findings) -> NextStep | None:
    """Name the items whose numbers differ most."""
    data = found.data
    if not isinstance(data, Ratings) or not data.named or data.many is not None:
        return None
    number, item = data.categories.values[data.label], data.item.astype(np.int64)
    n = np.bincount(item, minlength=len(data.items))
    several = np.flatnonzero(n > 1)
    if len(several) < 2:
        return None
    mean = np.bincount(item, number, len(n)) / np.maximum(n, 1)
    spread = np.sqrt(np.bincount(item, (number - mean[item]) ** 2, len(n)) / np.maximum(n - 1, 1))
    spread = spread.round(9)  # equal differences of decimals differ in their last digits
    if (spread[several] == spread[several[0]]).all():
        return None  # all items differ alike, as with a constant offset
    order = several[np.argsort(-spread[several], kind="stable")]
    first = order[: min(_SPREAD_NAMED, len(order) - 1)]
    own = number[item == first[0]]
    worst = str(data.items[int(first[0])])
    said: Sentence = (
        "On ", GivenName(worst), ", the numbers range from ", Number(float(own.min()), "given"), " to ",
        Number(float(own.max()), "given"), ": their standard deviation is ", Number(float(spread[first[0]])),
        ", and for the median item it is ", Number(float(np.median(spread[several]))), ".",
    )  # fmt: skip
    names = [str(data.items[int(k)]) for k in first]
    return NextStep("item", ("Resolve the largest differences, on ", *listed(names)), said, "places")


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
        "document", ("Discuss document " if one else "Discuss documents ", *listed(first)), said, "documents"
    )


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts 2 before 10: digits in a name count as numbers."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]

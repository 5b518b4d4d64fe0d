"""The unitizing measures by explicit loops: slow, short, and written from the formulas, not from accord.

Positions are whole numbers. Every place of a continuum is an atom. Units have numbers, so that adjacent units stay
separate. GAP is φ; the label None means a unit without label.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, permutations
from typing import Any

GAP = "φ"
Unit = tuple[int, int, Any]  # start, end, label
Between = Callable[[Any, Any], float]  # labels


@dataclass(frozen=True)
class Doc:
    """One continuum: its extent, and the units of each annotator who saw it."""

    begin: int
    end: int
    units: Mapping[str, Sequence[Unit]]

    @property
    def length(self) -> int:
        return self.end - self.begin

    def cells(self, who: str, layer: Any = GAP) -> list[tuple[int, Any]]:
        """The number and label of the unit at each place, (-1, GAP) elsewhere; of one category if `layer` is given."""
        found: list[tuple[int, Any]] = [(-1, GAP)] * self.length
        for number, (start, end, label) in enumerate(self.units[who]):
            if layer in {GAP, label}:
                for place in range(start, end):
                    found[place - self.begin] = (number, label)
        return found

    def segments(self, who: str, layer: Any = GAP) -> list[tuple[int, int, Any]]:
        """Units and gaps in order: start, end, label or GAP."""
        found, at = [], self.begin
        for _, run in groupby(self.cells(who, layer), key=lambda cell: cell):
            cells = list(run)
            found.append((at, at + len(cells), cells[0][1]))
            at += len(cells)
        return found


Docs = Mapping[str, Doc]


def compared(docs: Docs) -> list[Doc]:
    """Documents with at least two annotators and at least one unit."""
    return [doc for doc in measured(docs) if any(doc.units.values())]


def measured(docs: Docs) -> list[Doc]:
    """Documents with at least two annotators. Gaps agree also in documents without units."""
    return [doc for doc in docs.values() if len(doc.units) > 1]


def labels_of(docs: Docs) -> list[Any]:
    """All categories; units without label are one more, the last."""
    found = {unit[2] for doc in docs.values() for units in doc.units.values() for unit in units}
    return sorted(found - {None}) + [None] * (None in found)


def nominal(a: Any, b: Any) -> float:
    return float(a != b)


def interval(a: Any, b: Any) -> float:
    return (float(a) - float(b)) ** 2


def quotient(observed: float, expected: float) -> float:
    """1 − D_o/D_e; NaN for 0/0."""
    return 1 - observed / expected if expected > 1e-12 else math.nan


# -- the 2016 family: pairs of atoms ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Atom:
    """A place of one annotator: its label, its unit and its weight."""

    label: Any
    unit: Any
    weight: float


@dataclass(frozen=True)
class Family:
    """ℓ and ε, with gaps or (ℓ*, ε*) without."""

    found: Mapping[tuple[Any, Any], float]
    chance: Mapping[tuple[Any, Any], float]
    given: Mapping[Any, float]  # total length of each category

    def of(self, table: Mapping[tuple[Any, Any], float], d: Between) -> float:
        return sum(value * d(c, k) for (c, k), value in table.items())

    def with_category(self, table: Mapping[tuple[Any, Any], float], category: Any) -> dict[tuple[Any, Any], float]:
        return {pair: value for pair, value in table.items() if pair[1] == category}


def family(docs: Docs, gaps: bool) -> Family:
    found: Counter[tuple[Any, Any]] = Counter()
    given: Counter[Any] = Counter()
    atoms: list[Atom] = []
    for number, doc in enumerate(measured(docs)):
        m = len(doc.units)
        cells = {who: doc.cells(who) for who in doc.units}
        for place in range(doc.length):
            here = {who: cells[who][place] for who in doc.units}
            for a, b in permutations(here, 2):
                if gaps or GAP not in {here[a][1], here[b][1]}:
                    found[here[a][1], here[b][1]] += 1 / (m - 1)
            for who, (unit, label) in here.items():
                given[label] += 1
                others = sum(here[b][1] != GAP for b in here if b != who)
                weight = 1.0 if gaps else 0.0 if label == GAP else others / (m - 1)
                # Atoms of one unit are not paired with each other; an atom of a gap is not paired with itself.
                own = (number, who, unit) if label != GAP else (number, who, "gap", place)
                atoms.append(Atom(label, own, weight))
    pairs: Counter[tuple[Any, Any]] = Counter()
    atoms = [atom for atom in atoms if atom.weight]
    for one in atoms:
        for other in atoms:
            if one.unit != other.unit:
                pairs[one.label, other.label] += one.weight * other.weight
    every, whole = sum(pairs.values()), sum(atom.weight for atom in atoms)
    return Family(found, {k: whole * v / every for k, v in pairs.items()} if every > 0 else {}, given)


def u_alpha(docs: Docs) -> float:
    all_of = family(docs, gaps=True)
    return quotient(all_of.of(all_of.found, nominal), all_of.of(all_of.chance, nominal))


def bar_u_alpha(docs: Docs) -> float:
    """Against gaps: (ℓ_φ. − ℓ_φφ) / (ε_φ. − ε_φφ)."""
    all_of = family(docs, gaps=True)
    found, chance = (
        sum(value for (c, k), value in table.items() if c == GAP != k) for table in (all_of.found, all_of.chance)
    )
    return quotient(found, chance)


def cu_alpha(docs: Docs, d: Between = nominal) -> float:
    of_units = family(docs, gaps=False)
    return quotient(of_units.of(of_units.found, d), of_units.of(of_units.chance, d))


def ku_alpha(docs: Docs, category: Any, d: Between = nominal) -> tuple[float, float]:
    """The value and the coverage."""
    of_units = family(docs, gaps=False)
    found, chance = (of_units.with_category(t, category) for t in (of_units.found, of_units.chance))
    total, by_chance = sum(found.values()), sum(chance.values())
    coverage = total / of_units.given[category]
    if not total or not by_chance:
        return math.nan, coverage
    return quotient(of_units.of(found, d) / total, of_units.of(chance, d) / by_chance), coverage


def cu_alpha_of_pairs(docs: Docs, d: Between = nominal) -> float:
    """Units may overlap: each pair of units of two annotators counts once per shared place."""
    found: list[tuple[Any, Any, float]] = []
    units: list[tuple[Any, float]] = []  # label, l*
    for doc in measured(docs):
        m = len(doc.units)
        for a in doc.units:
            for start, end, label in doc.units[a]:
                shared = 0.0
                for b in doc.units:
                    for start_b, end_b, label_b in doc.units[b] if b != a else ():
                        places = len(set(range(start, end)) & set(range(start_b, end_b)))
                        found.append((label, label_b, places / (m - 1)))
                        shared += places / (m - 1)
                units.append((label, shared))
    whole = sum(length for _, _, length in found)
    pairs = [(one, other) for i, one in enumerate(units) for j, other in enumerate(units) if i != j]
    every = sum(x * y for (_, x), (_, y) in pairs)
    if not every > 0:
        return math.nan
    chance = whole / every * sum(x * y * d(c, k) for (c, x), (k, y) in pairs)
    return quotient(sum(length * d(c, k) for c, k, length in found), chance)


# -- the form of 2013: pairs of segments -----------------------------------------------------------------------


def slides(one: int, other: int) -> float:
    """Σ t² over all ways in which two segments can lie partly over each other."""
    return sum((min(one, shift + other) - max(0, shift)) ** 2 for shift in range(1 - other, one))


def u_alpha_2013(docs: Docs) -> tuple[float, float]:
    """uD_o, uD_e."""
    some = measured(docs)
    whole = sum(doc.length for doc in some)
    steps = sum(doc.length * len(doc.units) for doc in some)
    observed = 0.0
    every: list[tuple[int, Any]] = []
    for doc in some:
        m = len(doc.units)
        for a, b in permutations(doc.units, 2):
            for start, end, label in doc.segments(a):
                for start_b, end_b, label_b in doc.segments(b):
                    t = min(end, end_b) - max(start, start_b)
                    if t > 0 and label != label_b:
                        observed += t**2 / (whole * m * (m - 1))
        every += [(end - start, label) for who in doc.units for start, end, label in doc.segments(who)]
    own = sum(length * (length - 1) for length, label in every if label != GAP)
    expected = sum(
        slides(l_g, l_h)
        for g, (l_g, label_g) in enumerate(every)
        for h, (l_h, label_h) in enumerate(every)
        if g != h and label_g != label_h
    )
    return observed, expected / (steps * (steps - 1) - own)


# -- α_U -------------------------------------------------------------------------------------------------------


def segment_distance(g: tuple[int, int, Any], h: tuple[int, int, Any]) -> float:
    """δ² of two segments, units or gaps: of a pair that overlaps, or of a unit that lies wholly inside a gap."""
    if min(g[1], h[1]) <= max(g[0], h[0]) or (g[2] == GAP and h[2] == GAP):
        return 0.0
    if GAP not in {g[2], h[2]}:
        return (g[0] - h[0]) ** 2 + (g[1] - h[1]) ** 2
    unit, gap = (g, h) if h[2] == GAP else (h, g)
    return (unit[1] - unit[0]) ** 2 if gap[0] <= unit[0] and unit[1] <= gap[1] else 0.0


def alpha_u(docs: Docs, category: Any) -> tuple[float, float]:
    """D_o and D_e of one category."""
    some = measured(docs)
    whole = sum(doc.length for doc in some)
    steps = sum(doc.length * len(doc.units) for doc in some)
    observed = 0.0
    lengths: list[tuple[int, bool]] = []  # of a gap?
    for doc in some:
        m = len(doc.units)
        for a, b in permutations(doc.units, 2):
            for g in doc.segments(a, category):
                for h in doc.segments(b, category):
                    observed += segment_distance(g, h) / (m * (m - 1) * whole**2)
        lengths += [(end - start, k == GAP) for who in doc.units for start, end, k in doc.segments(who, category)]
    units = [length for length, gap in lengths if not gap]
    total = 0.0
    for length in units:
        total += (len(units) - 1) / 3 * (2 * length**3 - 3 * length**2 + length)
        total += length**2 * sum(other - length + 1 for other, gap in lengths if gap and other >= length)
    below = steps * (steps - 1) - sum(length * (length - 1) for length in units)
    return observed, 2 / whole * total / below if below else math.nan


# -- θ_G -------------------------------------------------------------------------------------------------------


def runs(*tracks: Sequence[Any]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Stretches on which no track changes: length and content."""
    for there, run in groupby(zip(*tracks, strict=True)):
        yield len(list(run)), there


@dataclass(frozen=True)
class Theta:
    value: float
    disagreement: float
    random: float
    zones: int


def theta(
    docs: Docs,
    cut: str,
    far: Between = nominal,
    by_chance: float | None = None,
    unpaired: str = "gap",
    p_random: float = 0.5,
) -> Theta:
    labels = labels_of(docs)
    k = len([label for label in labels if label is not None]) or 1
    chance = (k - 1) / k if by_chance is None else by_chance
    sums = [0.0, 0.0]
    number, some = 0, compared(docs)
    for doc in some:
        pairs = list(combinations(doc.units, 2))
        for a, b in pairs:
            if cut == "layered":
                zones = list(_layered(doc, a, b, labels, chance))
            else:
                zones = list(_cut(doc, a, b, far, chance, unpaired, joined=cut == "joined"))
            whole = sum(length for length, _, _ in zones)
            number += len(zones)
            for length, delta, random in zones:
                for side, cost in enumerate((delta, random)):
                    sums[side] += (length / whole) ** 2 * cost / len(pairs) / len(some)
    return Theta(quotient(sums[0], 1 - p_random * (1 - sums[1])), sums[0], sums[1], number)


def _layered(doc: Doc, a: str, b: str, labels: Sequence[Any], chance: float) -> Iterator[tuple[int, float, float]]:
    for label in labels:
        for length, (mine, theirs) in runs(doc.cells(a, label), doc.cells(b, label)):
            marks = (mine[0] >= 0) + (theirs[0] >= 0)
            if marks:
                yield length, float(marks < 2), chance if marks == 2 else 1.0


def _cut(
    doc: Doc, a: str, b: str, far: Between, chance: float, unpaired: str, joined: bool
) -> Iterator[tuple[int, float, float]]:
    def marks(who: str) -> list[tuple[int, ...]]:
        """At each place the numbers of all units there."""
        return [
            tuple(n for n, (start, end, _) in enumerate(doc.units[who]) if start <= place < end)
            for place in range(doc.begin, doc.end)
        ]

    def sorted_labels(who: str, there: Sequence[int]) -> list[Any]:
        return sorted((doc.units[who][n][2] for n in there), key=lambda label: (label is None, label or 0))

    def there(mine: Sequence[int], theirs: Sequence[int]) -> tuple[float, float] | None:
        """The dissimilarity at a place, and the random one; None where there is no unit."""
        first, second = sorted_labels(a, mine), sorted_labels(b, theirs)
        most, least = max(len(first), len(second)), min(len(first), len(second))
        if not most:
            return None
        paired = sum(far(x, y) for x, y in zip(first, second, strict=False))
        lone = (most - least) / most
        random = 1.0 if not least else chance if unpaired == "ignored" else lone + (1 - lone) * chance
        return (paired + most - least) / most, random

    marked = list(zip(marks(a), marks(b), strict=True))
    found = [there(*place) for place in marked]
    # Joined zones ignore the labels as long as both annotators agree.
    keys = [(() if joined and cost and not cost[0] else place) for place, cost in zip(marked, found, strict=True)]
    for length, (_, cost) in runs(keys, found):
        if cost is not None:
            yield length, *cost


# -- SER and F1 ------------------------------------------------------------------------------------------------


def matchings(n: int, m: int) -> Iterator[list[tuple[int, int]]]:
    """All one-to-one matchings of n things with m things, complete or not."""
    for size in range(min(n, m) + 1):
        for left in combinations(range(n), size):
            for right in permutations(range(m), size):
                yield list(zip(left, right, strict=True))


def overlap(u: Unit, v: Unit) -> bool:
    return u[:2] == v[:2] or min(u[1], v[1]) > max(u[0], v[0])


def slot_errors(first: Sequence[Unit], second: Sequence[Unit], must_overlap: bool) -> tuple[float, set[int]]:
    """The least cost, and the numbers of slots that an alignment with this cost may have."""
    costs: dict[int, float] = {}
    for matching in matchings(len(first), len(second)):
        pairs = [(first[i], second[j]) for i, j in matching]
        if must_overlap and not all(overlap(u, v) for u, v in pairs):
            continue
        wrong = sum(0.5 * (u[2] != v[2]) + 0.5 * (u[:2] != v[:2]) for u, v in pairs)
        slots = len(first) + len(second) - len(pairs)
        costs[slots] = min(costs.get(slots, math.inf), wrong + len(first) + len(second) - 2 * len(pairs))
    least = min(costs.values())
    return least, {slots for slots, cost in costs.items() if cost < least + 1e-9}


def pairs_of(docs: Docs) -> Iterator[tuple[str, str, list[Doc]]]:
    """Ordered pairs of annotators with the documents that both saw."""
    names = sorted({who for doc in docs.values() for who in doc.units})
    for a, b in permutations(names, 2):
        both = [doc for doc in compared(docs) if a in doc.units and b in doc.units]
        if both:
            yield a, b, both


def ser(docs: Docs, per: str = "reference", must_overlap: bool = True) -> dict[tuple[str, str], float]:
    """Of each annotator against each reference; NaN where it is 0/0. Slots: only where their number is certain."""
    found = {}
    for reference, other, both in pairs_of(docs):
        cost, below = 0.0, 0
        for doc in both:
            least, slots = slot_errors(doc.units[reference], doc.units[other], must_overlap)
            cost += least
            below += len(doc.units[reference]) if per == "reference" else min(slots)
            if per == "slots" and len(slots) > 1:
                return {}
        empty = not any(doc.units[who] for doc in both for who in (reference, other))
        found[reference, other] = cost / below if below else 0.0 if empty else math.nan
    return found


def f1(docs: Docs, match: str = "exact", labels: bool = True) -> dict[tuple[str, str], float]:
    found = {}
    for a, b, both in pairs_of(docs):
        right = whole = 0
        for doc in both:
            mine, theirs = ([(s, e, k if labels else None) for s, e, k in doc.units[who]] for who in (a, b))
            if match == "token":
                ours, other = ({(place, k) for s, e, k in units for place in range(s, e)} for units in (mine, theirs))
                right, whole = right + len(ours & other), whole + len(ours) + len(other)
                continue
            whole += len(mine) + len(theirs)
            if match == "exact":
                right += sum((Counter(mine) & Counter(theirs)).values())
            else:
                right += max(
                    len(matching)
                    for matching in matchings(len(mine), len(theirs))
                    if all(overlap(mine[i], theirs[j]) and mine[i][2] == theirs[j][2] for i, j in matching)
                )
        found[a, b] = 2 * right / whole if whole else 1.0
    return found


def mean(values: Mapping[Any, float]) -> float:
    known = [value for value in values.values() if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


# -- κ_d, α_d: every atom is an item ---------------------------------------------------------------------------


def items(docs: Docs) -> list[list[str | None]]:
    """A row per place, a column per annotator; None where the annotator did not see the document."""
    names = sorted({who for doc in docs.values() for who in doc.units})
    rows: list[list[str | None]] = []
    for doc in measured(docs):
        cells = {who: [str(label) for _, label in doc.cells(who)] for who in doc.units}
        rows += [[cells[who][place] if who in cells else None for who in names] for place in range(doc.length)]
    return rows

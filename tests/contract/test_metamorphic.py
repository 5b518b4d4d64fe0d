"""Test the tables of `metamorphic.py` on random data, for each measure and each change."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import accord
from accord.answers.scoring import score_data
from accord.core.context import Run
from accord.core.errors import AccordError
from accord.measures.chance.expected import MODELS
from accord.measures.distances import DISTANCES, WEIGHTS
from accord.measures.intervals.methods import INTERVALS, Settings
from accord.measures.measure import Measure

from ..cases import for_each
from ..hypothesis_profiles import PROFILE, TIMES
from .changes import CHANGES
from .metamorphic import TABLES, Promise, changes_of, promises
from .page import page
from .small import LABELS, MADE, MATRIX, UNUSED, Items, Small, other_name, tree

# By default each row is tested on one of two examples; on items with every other change. `make papers` tests each cell
# on twenty examples.
EXAMPLES = 2 if PROFILE == "default" else 2 * TIMES[PROFILE]
WITNESSES = (
    *range(12),
    78,
)  # at least one of these examples must change each value marked x; γ_cat rarely changes when cut
DRAWN = 7.0  # allowed distance of two values in Monte Carlo errors, large because some have ten samples


@dataclass(frozen=True)
class Answer:
    """A score and its Monte Carlo error, or the refusal."""

    score: accord.Score | None
    chance_error: float = 0.0
    refusal: str = ""

    @property
    def value(self) -> float:
        return math.nan if self.score is None else self.score.value


def measure_of(promise: Promise, small: Small) -> Measure:
    """Return the measure, with the names of annotators, categories and trees in these data."""
    renamed = "tree" in small.names
    if "MATRIX" in promise.spec or "DIRECTED" in promise.spec:
        name, option = re.findall(r"\w+", promise.spec)[:2]
        return type(accord.measure(name))(**{option: _matrix(option, "DIRECTED" in promise.spec, small)})
    spec = promise.spec.replace("TREE", f'"{tree(renamed)}"')
    return _measure(re.sub(r"(reference=|category=)(\w+)", lambda m: m[1] + small.names.get(m[2], m[2]), spec))


_measure = cache(accord.measure)


def _matrix(option: str, directed: bool, small: Small) -> dict[tuple[str, str], float]:
    assert isinstance(small, Items)
    pairs = {**MATRIX, **{(label, UNUSED["words"]): 0.5 for label in LABELS["words"]}}
    if directed:
        pairs = {**pairs, **{(b, a): d / 3 for (a, b), d in pairs.items()}}
    name = other_name if "tree" in small.names else str
    known = {*map(str, small.labels["words"])}
    named = {(name(a), name(b)): float(d) for (a, b), d in pairs.items()}
    return {(a, b): d if option == "distance" else 1 - d for (a, b), d in named.items() if {a, b} <= known}


def answered(promise: Promise, small: Small, data: Any, interval: bool) -> Answer:
    """Score the data, with the interval of the row if `interval` is true."""
    method, null = (promise.interval or "default") if interval else "none", None
    if method == "permutation":
        method, null = "default", "permutation"
    try:
        found = score_data(data, measure_of(promise, small), Settings(method, replicates=100, null=null), Run(seed=3))
        error = found.measure.chance_error(found.evidence, found.score.value)
        return Answer(found.score, 0.0 if math.isnan(error) else error)
    except AccordError as refusal:
        return Answer(None, refusal=type(refusal).__name__)


# -- what a sign states ---------------------------------------------------------------------------------------


def near(one: float | None, other: float | None, apart: float = 0.0) -> bool:
    if one is None or other is None or math.isnan(one) or math.isnan(other):
        return one is other or (one is not None and other is not None and math.isnan(one) and math.isnan(other))
    return abs(one - other) <= apart + 1e-9 * max(1.0, abs(one), abs(other))


@dataclass(frozen=True)
class Pair:
    """A score before and after a change."""

    before: Answer
    after: Answer

    @cached_property
    def scores(self) -> tuple[accord.Score, accord.Score]:
        assert self.before.score is not None
        assert self.after.score is not None
        return self.before.score, self.after.score

    def same(self, *names: str) -> list[str]:
        """Return the names of numbers that differ."""
        one, other = self.scores
        return [name for name in names if not near(getattr(one, name), getattr(other, name))]

    def interval(self) -> list[str]:
        one, other = (score.interval for score in self.scores)
        if one is None or other is None:
            return [] if one is other else ["interval"]
        same = one.method == other.method and near(one.low, other.low) and near(one.high, other.high)
        return [] if same else ["interval"]

    def p(self, dealt: bool) -> list[str]:
        """Compare p. If nothing varies, p depends on rounding. `dealt`: a permutation p may differ."""
        one, _ = self.scores
        free = dealt and "permutations" in one.details.get("test", {})
        return [] if free or (one.se is not None and one.se < 1e-9) else self.same("p")

    def broken(self, sign: str, small: Small) -> list[str]:  # noqa: PLR0911 - a sign after the other
        """Return what contradicts the sign."""
        if self.before.score is None or self.after.score is None:
            enough = self.before.score is None and sign in "vaco"  # more data may be enough
            return [] if enough or self.before.refusal == self.after.refusal else ["one is refused"]
        if self.before.score.undefined and sign in "va":  # likewise: one item has no value, the item twice may have one
            return []
        if sign == "c":
            one, other = self.scores
            apart = DRAWN * math.hypot(self.before.chance_error, self.after.chance_error)
            kept = [] if bool(one.undefined) == bool(other.undefined) else ["undefined"]
            return self.same("observed") + kept + ([] if near(one.value, other.value, apart) else ["value"])
        if sign == "a":
            one, other = self.scores
            return [] if near(other.value, _alpha_of_twice(one.value, small)) else ["value"]
        if sign == "o":
            return self.same("observed")
        if sign == "v":
            return self.same("value")
        whole = self.same("value", "n") + ([] if sign == "u" else self.same("observed", "expected"))
        if bool(self.scores[0].undefined) != bool(self.scores[1].undefined):
            whole.append("undefined")
        if sign == "r":
            return whole + ([] if (self.scores[0].se is None) == (self.scores[1].se is None) else ["se"])
        return whole + self.same("se") + self.interval() + self.p(dealt=sign in "pu")


def _alpha_of_twice(alpha: float, small: Small) -> float:
    sizes = [sum(code is not None for code in done.values()) for done in small.places.values()]
    n = sum(size for size in sizes if size > 1)
    return 1 - (1 - alpha) / (1 - 1 / n) * (1 - 1 / (2 * n))


# -- the tables are true ---------------------------------------------------------------------------------------

_PROMISES = {kind: promises(kind) for kind in TABLES}
_OF_INTERVALS = "=pur"  # signs that include the interval


def promises_of(kind: str) -> list[Promise]:
    return _PROMISES[kind]


@lru_cache(maxsize=100)
def example(kind: str, seed: int, change: str = "") -> Small | None:
    """Return random data, or the same data after a change; None if the change does not apply."""
    if not change:
        return MADE[kind](Random(f"{kind} {seed}"))  # noqa: S311
    return CHANGES[change].make(example(kind, seed), Random(f"{kind} {seed} {change}"))  # noqa: S311


@lru_cache(maxsize=200)
def data_of(kind: str, seed: int, change: str, wanted: str) -> Any:
    small = example(kind, seed, change)
    return None if small is None else small.read(wanted)


@lru_cache(maxsize=1000)
def answer(kind: str, seed: int, change: str, row: int, interval: bool) -> Answer | None:
    """Return the score of an example for a row."""
    promise, small = promises_of(kind)[row], example(kind, seed, change)
    if small is None:
        return None
    return answered(promise, small, data_of(kind, seed, change, promise.wanted), interval)


def kept_apart(kind: str, seed: int, promise: Promise) -> bool:
    """Whether the chance model mix does not recognise duplicates, because documents have one or two units."""
    data = data_of(kind, seed, "twice", promise.wanted)
    return kind == "aligned" and "mix" in promise.spec and 2 * len(data.twins) < len(data.docs)


def violations(kind: str, seed: int, cells: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Describe each cell whose sign is wrong."""
    for row, change in cells:
        promise = promises_of(kind)[row]
        sign = promise.signs[change]
        if sign in ".x" or example(kind, seed, change) is None:
            continue
        if change == "twice" and kept_apart(kind, seed, promise):
            continue
        interval = sign in _OF_INTERVALS
        before, after = (answer(kind, seed, which, row, interval) for which in ("", change))
        assert before is not None
        assert after is not None
        broken = Pair(before, after).broken(sign, example(kind, seed))
        if broken:
            yield (
                f"{promise}, {CHANGES[change].description}: {', '.join(broken)} should stay ({sign}, example {seed})\n"
                f"{example(kind, seed)}\n{before}\n{example(kind, seed, change)}\n{after}"
            )


@for_each("seed", range(EXAMPLES))
@pytest.mark.parametrize("kind", TABLES)
def test_promised_changes_leave_the_value_unchanged(kind: str, seed: int) -> None:
    cells = [
        (row, change)
        for row in range(len(promises_of(kind)))
        for c, change in enumerate(changes_of(kind))
        if EXAMPLES > 2 or (row % 2 == seed and (kind != "items" or (row // 2 + c) % 2))
    ]
    found = list(violations(kind, seed, cells))
    assert not found, f"{len(found)} of {len(cells)}; the shortest: {min(found, key=len)}"


@pytest.mark.parametrize("kind", TABLES)
def test_changes_that_should_move_the_value_do_so(kind: str) -> None:
    """At least one of the fixed examples must change the value."""
    still = [
        (row, change)
        for row, promise in enumerate(promises_of(kind))
        for change, sign in promise.signs.items()
        if sign in "ox" and promise.interval in {"", "none"}
    ]
    for seed in WITNESSES:
        if not still:
            break
        still = [(row, change) for row, change in still if not moves(kind, seed, row, change)]
    assert not still, [f"{promises_of(kind)[row]}: {change}" for row, change in still]


def moves(kind: str, seed: int, row: int, change: str) -> bool:
    after = answer(kind, seed, change, row, False)
    before = answer(kind, seed, "", row, False)
    assert before is not None
    if after is None or math.isnan(before.value) or math.isnan(after.value):
        return False
    return not near(before.value, after.value)


# -- the tables are complete ----------------------------------------------------------------------------------

EVERY = [promise for kind in TABLES for promise in promises_of(kind)]


def test_every_measure_has_a_row() -> None:
    there = {promise.spec.partition("(")[0] for promise in EVERY}
    assert {cls.name for cls in accord.MEASURES} == there


def test_every_promise_covers_every_change() -> None:
    for kind in TABLES:
        for promise in promises_of(kind):
            assert list(promise.signs) == changes_of(kind), promise
    assert {change for kind in TABLES for change in changes_of(kind)} == {*CHANGES}


@pytest.mark.parametrize(("option", "catalogue"), [("distance", DISTANCES), ("weights", WEIGHTS)])
def test_every_distance_has_a_row(option: str, catalogue: tuple[Any, ...]) -> None:
    specs = " ".join(promise.spec for promise in EVERY).replace("MATRIX", "matrix").replace("identity", "nominal")
    for cls in catalogue:
        assert re.search(rf"{option}={cls.name}\b", specs), cls.name


def test_every_model_of_chance_and_every_interval_has_a_row() -> None:
    assert {*MODELS} <= {name for promise in EVERY for name in re.findall(r"chance=(\w+)", promise.spec)}
    asked = {promise.interval for promise in EVERY}
    assert {*INTERVALS} - {"none"} <= asked


def test_page_of_promises_equals_the_tested_tables() -> None:
    path = Path(__file__).resolve().parents[2] / "docs" / "invariances.md"
    assert path.read_text(encoding="utf-8") == page(), "write it: python -m tests.contract.page docs/invariances.md"

"""What the tables of `metamorphic.py` say of every measure, on random data and after every change."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.chance.expected import MODELS
from accord.context import Run
from accord.distances import DISTANCES, WEIGHTS
from accord.errors import AccordError
from accord.inference.intervals.methods import INTERVALS, Settings
from accord.inference.scoring import scored
from accord.measures.base import Measure

from ..hypothesis_profiles import PROFILE, examples
from .changes import CHANGES, OF_KIND, changed
from .metamorphic import TABLES, Promise, promises
from .page import page
from .small import LABELS, MATRIX, STRATEGIES, UNUSED, Items, Small, other_name, tree

PARTS = 6  # of the table: each is tried on other data
DRAWN = 7.0  # errors that two draws of chance may be apart: some have ten samples


@dataclass(frozen=True)
class Answer:
    """A score and what its chance may be off by, or why there is none."""

    score: accord.Score | None
    chance_error: float = 0.0
    refusal: str = ""

    @property
    def value(self) -> float:
        return math.nan if self.score is None else self.score.value


def measure_of(promise: Promise, small: Small) -> Measure:
    """With the names that annotators, categories and trees have in these data."""
    renamed = "tree" in small.names
    if "MATRIX" in promise.spec or "DIRECTED" in promise.spec:
        name, option = re.findall(r"\w+", promise.spec)[:2]
        return type(accord.measure(name))(**{option: _matrix(option, "DIRECTED" in promise.spec, small)})
    spec = promise.spec.replace("TREE", f'"{tree(renamed)}"')
    return accord.measure(re.sub(r"(reference=|category=)(\w+)", lambda m: m[1] + small.names.get(m[2], m[2]), spec))


def _matrix(option: str, directed: bool, small: Small) -> dict[tuple[str, str], float]:
    assert isinstance(small, Items)
    pairs = {**MATRIX, **{(label, UNUSED["words"]): 0.5 for label in LABELS["words"]}}
    if directed:
        pairs = {**pairs, **{(b, a): d / 3 for (a, b), d in pairs.items()}}
    name = other_name if "tree" in small.names else str
    known = {*map(str, small.labels["words"])}
    named = {(name(a), name(b)): float(d) for (a, b), d in pairs.items()}
    return {(a, b): d if option == "distance" else 1 - d for (a, b), d in named.items() if {a, b} <= known}


def answered(promise: Promise, small: Small, data: Any) -> Answer:
    method, null = promise.interval or "default", None
    if method == "permutation":
        method, null = "default", "permutation"
    try:
        found = scored(data, measure_of(promise, small), Settings(method, replicates=100, null=null), Run(seed=3))
        error = found.measure.chance_error(found.evidence, found.score.value)
        return Answer(found.score, 0.0 if math.isnan(error) else error)
    except AccordError as refusal:
        return Answer(None, refusal=type(refusal).__name__)


# -- what a sign promises --------------------------------------------------------------------------------------


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
        """Which of these numbers are not the same."""
        one, other = self.scores
        return [name for name in names if not near(getattr(one, name), getattr(other, name))]

    def interval(self) -> list[str]:
        one, other = (score.interval for score in self.scores)
        if one is None or other is None:
            return [] if one is other else ["interval"]
        same = one.method == other.method and near(one.low, other.low) and near(one.high, other.high)
        return [] if same else ["interval"]

    def p(self, dealt: bool) -> list[str]:
        """Where nothing varies, p is that of rounding; `dealt`: by permutation, it may be another."""
        one, _ = self.scores
        free = dealt and "permutations" in one.details.get("test", {})
        return [] if free or (one.se is not None and one.se < 1e-9) else self.same("p")

    def broken(self, sign: str, small: Small) -> list[str]:  # noqa: PLR0911 - a sign after the other
        """What does not hold of what a sign promises."""
        if sign == "x":
            return []
        if self.before.score is None or self.after.score is None:
            refused = self.before.refusal == self.after.refusal
            return [] if refused or sign in "vac" else ["one is refused"]  # more data may be enough
        if sign == "c":
            one, other = self.scores
            apart = DRAWN * math.hypot(self.before.chance_error, self.after.chance_error)
            kept = [] if bool(one.undefined) == bool(other.undefined) else ["undefined"]
            return self.same("observed") + kept + ([] if near(one.value, other.value, apart) else ["value"])
        if sign == "a":
            one, other = self.scores
            return [] if near(other.value, _alpha_of_twice(one.value, small)) else ["value"]
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


# -- the tables hold -------------------------------------------------------------------------------------------

tried: Counter[str] = Counter()  # cells, and scores that were computed
moved: set[tuple[str, str, str]] = set()


def kept_apart(sign: str, change: str, data: Any) -> bool:
    """Chance mixes documents once, where it knows that they are there twice: not those of a unit or two."""
    return change == "twice" and sign == "v" and hasattr(data, "twins") and 2 * len(data.twins) < len(data.docs)


def check(kind: str, small: Small, part: int, random: Random, collect: list[Any] | None = None) -> None:
    """Every measure under every change of one part of the table."""
    read: dict[Any, Any] = {}
    before: dict[int, Answer] = {}
    for c, change in enumerate(OF_KIND["units" if kind == "aligned" else kind]):
        after = changed(kind, change, small, random)
        if after is None:
            continue
        for k, promise in enumerate(promises_of(kind)):
            sign = promise.signs[change]
            if sign == "." or (k + c) % PARTS != part:
                continue
            for which, data in (("before", small), ("after" + change, after)):
                if (which, promise.wanted) not in read:
                    read[which, promise.wanted] = data.read(promise.wanted)
            if k not in before:
                before[k] = answered(promise, small, read["before", promise.wanted])
                tried["scores"] += 1
            pair = Pair(before[k], answered(promise, after, read["after" + change, promise.wanted]))
            tried["scores"] += 1
            tried["cells"] += 1
            if not near(pair.before.value, pair.after.value):
                moved.add((kind, str(promise), change))
            if (
                kind == "aligned"
                and "mix" in promise.spec
                and kept_apart(sign, change, read["after" + change, promise.wanted])
            ):
                continue
            broken = pair.broken(sign, small)
            if broken and collect is not None:
                collect.append((len(repr(small)), kind, promise, change, broken, small, after, pair))
            elif broken:
                pytest.fail(
                    f"{promise}, {CHANGES[change].says}: {', '.join(broken)} should stay ({sign})\n"
                    f"{small}\n{pair.before}\n{after}\n{pair.after}"
                )


_PROMISES = {kind: promises(kind) for kind in TABLES}


def promises_of(kind: str) -> list[Promise]:
    return _PROMISES[kind]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", TABLES)
def test_what_stays_and_what_moves(kind: str, part: int) -> None:
    @examples(2)
    @given(STRATEGIES[kind], st.randoms(use_true_random=False))
    def holds(small: Small, random: Random) -> None:
        check(kind, small, part, random)

    holds()


@pytest.mark.skipif(PROFILE != "thorough", reason="takes many examples")
def test_what_is_said_to_move_does() -> None:
    """Seen in the tests above, in the same process."""
    for kind in {kind for kind, _, _ in moved}:
        for promise in promises_of(kind):
            still = [c for c, sign in promise.signs.items() if sign == "x" and (kind, str(promise), c) not in moved]
            assert not still, f"{promise} never moved: {still}"


# -- the tables are whole --------------------------------------------------------------------------------------

EVERY = [promise for kind in TABLES for promise in promises_of(kind)]


def test_every_measure_has_a_row() -> None:
    there = {promise.spec.partition("(")[0] for promise in EVERY}
    assert {cls.name for cls in accord.MEASURES} == there


def test_every_row_says_something_of_every_change() -> None:
    for kind in TABLES:
        for promise in promises_of(kind):
            assert list(promise.signs) == list(OF_KIND["units" if kind == "aligned" else kind]), promise


@pytest.mark.parametrize(("option", "catalogue"), [("distance", DISTANCES), ("weights", WEIGHTS)])
def test_every_distance_has_a_row(option: str, catalogue: tuple[Any, ...]) -> None:
    said = " ".join(promise.spec for promise in EVERY).replace("MATRIX", "matrix").replace("identity", "nominal")
    for cls in catalogue:
        assert re.search(rf"{option}={cls.name}\b", said), cls.name


def test_every_model_of_chance_and_every_interval_has_a_row() -> None:
    assert {*MODELS} <= {name for promise in EVERY for name in re.findall(r"chance=(\w+)", promise.spec)}
    asked = {promise.interval for promise in EVERY}
    assert {*INTERVALS} - {"none"} <= asked


def test_the_page_says_what_the_tables_say() -> None:
    path = Path(__file__).resolve().parents[2] / "docs" / "invariances.md"
    assert path.read_text(encoding="utf-8") == page(), "write it: python -m tests.contract.page docs/invariances.md"

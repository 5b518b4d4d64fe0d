"""The alternative annotator test of Calderon, Reichart & Dror (2025): may a model stand in for a person?

Of each person it asks whether the model is at least as like the other people as that person is, on at least as many
items but a share ε; and whether that holds for half of the people, with false discoveries held down by Benjamini &
Yekutieli.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.errors import SpecError, UnknownName
from accord.inference.replacement.likeness import Likeness
from accord.probability import normal_quantile, t_below, t_quantile
from accord.tables import Interval

# What a person's work costs beyond the model's: how far behind the model may be (section 3.2).
EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
PASSED = 0.5  # of the people
_POWER = 0.8


@dataclass(frozen=True)
class AgainstPerson:
    """A model held against one person, on the items that both and others did."""

    annotator: str
    n: int
    advantage: float  # share of items on which the model is at least as like the others
    behind: float  # of the person over the model, before ε
    p: float
    rejected: bool  # the model may stand in for this person
    needed: float  # items for a power of .8; infinite where the model is too far behind


@dataclass(frozen=True)
class Alternative:
    """A model held against all people."""

    model: str
    winning_rate: float
    advantage: float  # mean over people
    interval: Interval | None  # of the advantage
    humans: tuple[AgainstPerson, ...]
    left_out: dict[str, int]  # people with too few items

    @property
    def passed(self) -> bool:
        return self.winning_rate >= PASSED


def epsilon_of(given: float | str) -> float:
    """A number, or who the people are."""
    if isinstance(given, str):
        if given not in EPSILON:
            try:
                given = float(given)
            except ValueError:
                raise UnknownName("epsilon", given, EPSILON) from None
        else:
            return EPSILON[given]
    if not 0 <= given < 1:
        raise SpecError(f"epsilon is a share between 0 and 1, not {given:g}")
    return float(given)


def alternative(
    like: Likeness, model: str, *, epsilon: float, q: float, least_people: int, least_items: int, level: float
) -> Alternative:
    """The test of one model."""
    found: list[tuple[str, np.ndarray, np.ndarray, np.ndarray]] = []
    few: dict[str, int] = {}
    for person in like.people:
        items, of_model, of_person = like.against_others(person, model, least_people)
        if len(items) < least_items:
            few[person] = len(items)
        else:
            found.append((person, items, of_model >= of_person, of_person >= of_model))
    tested = [_test(person, wins, loses, epsilon) for person, _, wins, loses in found]
    rejected = _benjamini_yekutieli([p for _, _, p in tested], q)
    humans = tuple(
        AgainstPerson(
            person,
            len(items),
            float(wins.mean()),
            behind,
            p,
            bool(yes),
            _needed(wins, loses, epsilon, q / max(len(found), 1)),
        )
        for (person, items, wins, loses), (_, behind, p), yes in zip(found, tested, rejected, strict=True)
    )
    rate = float(np.mean(rejected)) if len(rejected) else math.nan
    advantage = float(np.mean([one.advantage for one in humans])) if humans else math.nan
    return Alternative(model, rate, advantage, _interval(found, advantage, level), humans, few)


def _test(person: str, wins: np.ndarray, loses: np.ndarray, epsilon: float) -> tuple[str, float, float]:
    """One-sided t test that the person is ahead by less than ε."""
    ahead = loses.astype(np.float64) - wins.astype(np.float64)
    mean, n = float(ahead.mean()), len(ahead)
    spread = float(ahead.std(ddof=1)) if n > 1 else math.nan
    if spread == 0:
        return person, mean, 0.0 if mean < epsilon else 1.0
    return person, mean, t_below(n - 1, (mean - epsilon) / (spread / math.sqrt(n)))


def _benjamini_yekutieli(ps: Sequence[float], q: float) -> np.ndarray:
    """Which hypotheses fall with the false discovery rate held at q, whatever depends on what."""
    m = len(ps)
    order = np.argsort(ps, kind="stable")
    limits = q * np.arange(1, m + 1) / (m * sum(1 / k for k in range(1, m + 1)) if m else 1)
    below = np.flatnonzero(np.asarray(ps)[order] <= limits)
    rejected = np.zeros(m, dtype=bool)
    if len(below):
        rejected[order[: below[-1] + 1]] = True
    return rejected


def _needed(wins: np.ndarray, loses: np.ndarray, epsilon: float, q: float) -> float:
    """Items with which the test of this person would succeed with a power of .8, if all stays as it is."""
    ahead = loses.astype(np.float64) - wins.astype(np.float64)
    room = epsilon - float(ahead.mean())
    if room <= 0:
        return math.inf
    quantiles = normal_quantile(1 - q) + normal_quantile(_POWER)
    return math.ceil((quantiles * float(ahead.std(ddof=1)) / room) ** 2) if len(ahead) > 1 else math.inf


def _interval(
    found: Sequence[tuple[str, np.ndarray, np.ndarray, np.ndarray]], advantage: float, level: float
) -> Interval | None:
    """Of the mean advantage, linearised over items: those of several people count as one each."""
    if not found:
        return None
    pull: dict[int, float] = {}
    for _, items, wins, _ in found:
        for item, part in zip(items.tolist(), ((wins - wins.mean()) / (len(wins) * len(found))).tolist(), strict=True):
            pull[item] = pull.get(item, 0.0) + part
    n = len(pull)
    if n < 2:
        return None
    error = math.sqrt(n / (n - 1) * sum(value**2 for value in pull.values()))
    reach = t_quantile(n - 1, (1 + level) / 2) * error
    return Interval(max(0.0, advantage - reach), min(1.0, advantage + reach), level, "linearised")

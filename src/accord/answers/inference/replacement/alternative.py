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

from accord.answers.inference.replacement.likeness import Likeness
from accord.answers.inference.replacement.power import PASSED, Leads, Trial, benjamini_yekutieli, p_below
from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.errors import SpecError, UnknownName
from accord.core.probability import t_quantile
from accord.core.tables import Interval

# What a person's work costs beyond the model's: how far behind the model may be (section 3.2).
EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
_POWER, _STUDIES = 0.8, 500  # of the number of items that are needed
_PURPOSE = 80  # of the random numbers


@dataclass(frozen=True)
class AgainstPerson:
    """A model held against one person, on the items that both and others did."""

    annotator: str
    n: int
    advantage: float  # share of items on which the model is at least as like the others
    behind: float  # of the person over the model, before ε
    p: float
    rejected: bool  # the model may stand in for this person


@dataclass(frozen=True)
class Alternative:
    """A model held against all people."""

    model: str
    winning_rate: float
    advantage: float  # mean over people
    interval: Interval | None  # of the advantage
    humans: tuple[AgainstPerson, ...]
    left_out: dict[str, int]  # people with too few items
    needed: float = math.nan  # items with which it passes with a power of .8; infinite where it is too far behind

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


def check_rates(q: float, least_people: int, least_items: int) -> None:
    if not 0 < q < 1:
        raise SpecError(f"q, the false discovery rate, is between 0 and 1, not {q:g}")
    if least_people < 2 or least_items < 2:
        raise SpecError("least_people and least_items are 2 at least: without others nobody can be like them")


@dataclass(frozen=True, eq=False)
class Against:
    """The items on which a person and a model can be held against others, and who is at least as like them there."""

    person: str
    items: Ints
    wins: Bools  # of the model
    loses: Bools

    @property
    def lead(self) -> Floats:
        """Of the person: 1, 0 or -1."""
        return self.loses.astype(np.float64) - self.wins.astype(np.float64)


def against_people(
    like: Likeness, model: str, least_people: int, least_items: int
) -> tuple[list[Against], dict[str, int]]:
    """Person by person; and who has too few items, with how many."""
    found: list[Against] = []
    few: dict[str, int] = {}
    for person in like.people:
        items, of_model, of_person = like.against_others(person, model, least_people)
        if len(items) < least_items:
            few[person] = len(items)
        else:
            found.append(Against(person, items, of_model >= of_person, of_person >= of_model))
    return found, few


def alternative(
    like: Likeness,
    model: str,
    *,
    epsilon: float,
    q: float,
    least_people: int,
    least_items: int,
    level: float,
    run: Run | None = None,
) -> Alternative:
    """The test of one model."""
    found, few = against_people(like, model, least_people, least_items)
    if not found:
        return Alternative(model, math.nan, math.nan, None, (), few)
    n, mean, variance = (
        np.array([of(one.lead) for one in found], dtype=np.float64) for of in (len, np.mean, lambda x: x.var(ddof=1))
    )
    p = p_below(n, mean, variance, epsilon)
    rejected = benjamini_yekutieli(p[None, :], q)[0]
    humans = tuple(
        AgainstPerson(one.person, len(one.items), float(one.wins.mean()), *row)
        for one, row in zip(found, zip(mean.tolist(), p.tolist(), rejected.tolist(), strict=True), strict=True)
    )
    advantage = float(np.mean([one.advantage for one in humans]))
    trial = Trial(Leads.of_pilot([(one.items, one.lead) for one in found]), epsilon, q, least_items)
    needed = trial.items(_POWER, _STUDIES, (run or Run()).rng(_PURPOSE))
    return Alternative(
        model, float(rejected.mean()), advantage, _interval(found, advantage, level), humans, few, needed
    )  # fmt: skip


def _interval(found: Sequence[Against], advantage: float, level: float) -> Interval | None:
    """Of the mean advantage, linearised over items: those of several people count as one each."""
    pull: dict[int, float] = {}
    for one in found:
        parts = (one.wins - one.wins.mean()) / (len(one.wins) * len(found))
        for item, part in zip(one.items.tolist(), parts.tolist(), strict=True):
            pull[item] = pull.get(item, 0.0) + part
    n = len(pull)
    if n < 2:
        return None
    error = math.sqrt(n / (n - 1) * sum(value**2 for value in pull.values()))
    reach = t_quantile(n - 1, (1 + level) / 2) * error
    return Interval(max(0.0, advantage - reach), min(1.0, advantage + reach), level, "linearised")

"""`replacement_size`: how many items it takes to show that a model may stand in for a person."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from accord.answers.alternative_test import (
    Leads,
    Trial,
    check_rates,
    compare_with_people,
    epsilon_of,
    make_likeness,
    usual_score,
)
from accord.answers.plan_size import SampleSize
from accord.answers.replacement import name_parties, reading_with_column
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.door import checks_options, opened

_STUDIES = 2000  # drawn for each number of items
_FIND, _CHECK = 81, 82  # purposes of random numbers


@checks_options
def replacement_size(
    model: str | None = None,
    *,
    pilot: Any = None,
    advantage: float | None = None,
    ties: float | None = None,
    annotators: int = 3,
    epsilon: float | str = "experts",
    q: float = 0.05,
    power: float = 0.8,
    score: str | None = None,
    min_people: int = 2,
    min_items: int = 30,
    people: str | Iterable[str] | None = None,
    family: str | None = None,
    simulations: int = 200,
    seed: int = 0,
    progress: Any = silent,
    jobs: int | None = None,
    **reading: Any,
) -> SampleSize:
    """Find how many items the alternative annotator test (`replace`) needs, so that a model passes it.

    Give a pilot, in which the model is as good as it will be, or `advantage`, a rate that is assumed.

    Parameters
    ----------
    model : str, optional
        With a pilot: the annotator that is the model.
    pilot : data, optional
        A pilot study: anything that `accord.read` takes, or data that were read.
    advantage : float, optional
        Without a pilot: the share of items on which the model is at least as like the others as a person is.
    ties : float, optional
        Without a pilot: the share of items on which both are the same. Default: `advantage`, which needs most items.
    annotators : int, default 3
        Without a pilot: the number of people.
    epsilon : float or str, default "experts"
        How far behind a person a model may be: a share, or who the people are: experts (0.2), skilled (0.15), crowd
        (0.1).
    q : float, default 0.05
        The false discovery rate.
    power : float, default 0.8
        The probability that the model passes.
    score : str, optional
        How like the others somebody is: accuracy, neg_rmse (numbers), jaccard (sets), gamma (units). Default: as the
        labels suggest.
    min_people : int, default 2
        People that an item needs.
    min_items : int, default 30
        Items that a person needs.
    people : str or list of str, optional
        The annotators that are people. Default: all others.
    family : str, optional
        A column that says of each label whether a `model` or a `human` gave it.
    simulations : int, default 200
        Simulated studies of this size that check the answer.
    seed : int, default 0
        Seed of everything random.
    progress : callable, optional
        Called with a task, what is done and the total.
    jobs : int, optional
        Workers for long computations; the result does not depend on it. Default: all cores.
    **reading
        Options of `accord.read` for the pilot.

    Returns
    -------
    SampleSize

    Raises
    ------
    DataError
        If no number of items is enough, or the pilot has no person to test.
    SpecError
        If not exactly one of `pilot` and `advantage` is given.

    Examples
    --------
    >>> accord.replacement_size(advantage=0.9, ties=0.8, annotators=3, simulations=0).n
    37
    """
    run = Run(seed, progress, jobs)
    share = epsilon_of(epsilon)
    check_rates(q, min_people, min_items)
    if not 0 < power < 1:
        raise SpecError("option-value", f"a power lies between 0 and 1, not {power:g}")
    if simulations < 0:
        raise SpecError("option-value", f"{simulations} simulations are impossible: 0 or more")
    if (pilot is None) == (advantage is None):
        raise SpecError("option-conflict", "give a pilot, or the advantage that is assumed: one of them")
    notes: list[str] = []
    if pilot is None:
        if reading:
            raise SpecError(
                "option-conflict", f"{', '.join(reading)}: this is about reading, and there is no pilot to read"
            )
        if any(given is not None for given in (model, people, score, family)):
            raise SpecError(
                "option-conflict", "model, people, family and score are about a pilot: without one, rates are assumed"
            )
        leads, basis = _assumed(advantage, ties, annotators)
        noun = "item"
        notes.append("people are taken as independent of each other; in a pilot they are as they are")
    else:
        if ties is not None or annotators != 3:
            raise SpecError("option-conflict", "ties and annotators are assumed where there is no pilot")
        if model is None:
            raise SpecError("option-missing", "which of the annotators is the model? replacement_size('gpt', pilot=…)")
        data = opened(pilot, reading_with_column(pilot, reading, family))
        (named,), humans = name_parties(data, [model], people, family)
        like = make_likeness(data, humans, [named], score or usual_score(data), run)
        noun = data.kind.noun
        found, few = compare_with_people(like, named, min_people, 2)
        if not found:
            raise DataError(
                "nothing-shared", f"the pilot has nobody to test: no {noun}s with {quoted(named)}, a person and others"
            )
        notes += [f"{name}: too few {noun}s to tell, not counted" for name in few]
        leads = Leads.of_pilot([(one.items, one.lead) for one in found])
        many = len(np.unique(np.concatenate([one.items for one in found])))
        basis = f"a pilot of {counted(many, noun)} and {len(found)} people"
    trial = Trial(leads, share, q, min_items, independent=pilot is None)
    n = trial.items(power, _STUDIES, run.rng(_FIND))
    if math.isinf(n):
        behind = int((leads.means >= share).sum())
        raise DataError(
            "target-unreachable",
            f"no number of {noun}s is enough: {behind} of {len(leads.means)} people are ahead of the model "
            f"by ε = {share:g} or more; a model that is better, or a larger ε, is needed",
        )
    checked = trial.power(int(n), simulations, run.rng(_CHECK)) if simulations else None
    goal = f"a model that passes with power {power:g} (ε = {share:g}, q = {q:g})"
    return SampleSize(int(n), noun, leads.sd, basis, goal, checked, simulations, tuple(notes))


def _assumed(advantage: float | None, ties: float | None, people: int) -> tuple[Leads, str]:
    assert advantage is not None  # noqa: S101
    same = advantage if ties is None else ties
    if not 0 <= advantage <= 1:
        raise SpecError("option-value", f"the advantage is a share of items, between 0 and 1, not {advantage:g}")
    if not 0 <= same <= advantage:
        raise SpecError(
            "option-value", f"ties are part of the advantage of {advantage:g}: between 0 and that, not {same:g}"
        )
    if people < 2:
        raise SpecError(
            "option-value", f"{counted(people, 'person')}: a model is held against a person by what others say"
        )
    basis = f"{people} people, advantage {advantage:g} with ties {same:g} assumed"
    return Leads.assumed(advantage, same, people), basis

"""`replacement_size`: the number of items needed to show that a model can replace a person."""

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

_STUDIES = 2000  # studies drawn for each number of items
_FIND, _CHECK = 81, 82  # random number streams


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
    """Compute the number of items a model needs to pass the alternative annotator test (`replace`).

    Give a pilot with the model, or assume a rate: `advantage`.

    Parameters
    ----------
    model : str, optional
        With a pilot: the annotator that is the model.
    pilot : data, optional
        A pilot study: anything that `accord.read` accepts, or data that were read.
    advantage : float, optional
        Without a pilot: the share of items on which the model agrees with the others at least as well as a person.
    ties : float, optional
        Without a pilot: the share of items with a tie of model and person. Default: `advantage`, the worst case.
    annotators : int, default 3
        Without a pilot: the number of people.
    epsilon : float or str, default "experts"
        Margin by which the model may be behind a person: a share, or the kind of people: experts (0.2), skilled (0.15),
        crowd (0.1).
    q : float, default 0.05
        False discovery rate of the tests.
    power : float, default 0.8
        Power: the probability that the model passes.
    score : str, optional
        How agreement with the others is scored: accuracy, neg_rmse (numbers), jaccard (sets), gamma (units). Default:
        by the kind of labels.
    min_people : int, default 2
        Minimum number of people per item.
    min_items : int, default 30
        Minimum number of items per person.
    people : str or list of str, optional
        Annotators who are people. Default: all others.
    family : str, optional
        Column that states for each label whether a `model` or a `human` gave it.
    simulations : int, default 200
        Number of simulated studies of this size that check the answer.
    seed : int, default 0
        Random seed.
    progress : callable, optional
        Called with the task, the number of finished steps and the total.
    jobs : int, optional
        Number of workers for long computations; the result does not depend on it. Default: all cores.
    **reading
        Options of `accord.read` for the pilot.

    Returns
    -------
    SampleSize

    Raises
    ------
    DataError
        If no number of items is enough, or no person of the pilot can be tested.
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
        raise SpecError("option-value", f"--power must be between 0 and 1, not {power:g}")
    if simulations < 0:
        raise SpecError("option-value", f"--simulations must be at least 0, not {simulations}")
    if (pilot is None) == (advantage is None):
        raise SpecError("option-conflict", "give either a pilot or an assumed --advantage")
    notes: list[str] = []
    if pilot is None:
        if reading:
            raise SpecError(
                "option-conflict",
                f"{', '.join(reading)}: reading options need a pilot, and none is given; leave them out",
            )
        if any(given is not None for given in (model, people, score, family)):
            raise SpecError(
                "option-conflict", "model, people, family and score need a pilot, and none is given; leave them out"
            )
        leads, basis = _assumed(advantage, ties, annotators)
        noun = "item"
        notes.append("people are assumed to be independent of each other; a pilot would show their dependence")
    else:
        if ties is not None or annotators != 3:
            raise SpecError(
                "option-conflict", "ties and annotators are assumptions for use without a pilot; leave them out"
            )
        if model is None:
            raise SpecError("option-missing", "the model is not named: replacement_size('gpt', pilot=…)")
        data = opened(pilot, reading_with_column(pilot, reading, family))
        (named,), humans = name_parties(data, [model], people, family)
        like = make_likeness(data, humans, [named], score or usual_score(data), run)
        noun = data.kind.noun
        found, few = compare_with_people(like, named, min_people, 2)
        if not found:
            raise DataError(
                "nothing-shared",
                f"no person of the pilot can be tested: no {noun}s with labels of {quoted(named)}, a person and other "
                "people; use another pilot",
            )
        notes += [f"{name} was not tested: too few {noun}s" for name in few]
        leads = Leads.of_pilot([(one.items, one.lead) for one in found])
        many = len(np.unique(np.concatenate([one.items for one in found])))
        basis = f"pilot of {counted(many, noun)} and {len(found)} people"
    trial = Trial(leads, share, q, min_items, independent=pilot is None)
    n = trial.items(power, _STUDIES, run.rng(_FIND))
    if math.isinf(n):
        behind = int((leads.means >= share).sum())
        raise DataError(
            "target-unreachable",
            f"no number of {noun}s is enough: {behind} of {len(leads.means)} people lead the model by ε = {share:g} or "
            "more; use a better model or a larger --epsilon",
        )
    checked = trial.power(int(n), simulations, run.rng(_CHECK)) if simulations else None
    goal = f"a model to pass with power {power:g} (ε = {share:g}, q = {q:g})"
    return SampleSize(int(n), noun, leads.sd, basis, goal, checked, simulations, tuple(notes))


def _assumed(advantage: float | None, ties: float | None, people: int) -> tuple[Leads, str]:
    assert advantage is not None
    same = advantage if ties is None else ties
    if not 0 <= advantage <= 1:
        raise SpecError(
            "option-value", f"--advantage is a share of items and must be between 0 and 1, not {advantage:g}"
        )
    if not 0 <= same <= advantage:
        raise SpecError(
            "option-value", f"--ties is part of the advantage and must be between 0 and {advantage:g}, not {same:g}"
        )
    if people < 2:
        raise SpecError("option-value", f"{counted(people, 'person')} given, and the test needs at least two")
    basis = f"{people} people, assumed advantage {advantage:g} with ties {same:g}"
    return Leads.assumed(advantage, same, people), basis

"""Consensus recovers a shuffled reference better than the best annotator. docs/gold.md has the figure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from accord.answers.simulate.generate import generate
from accord.core.context import Run
from studies.recovery import BEST, MODEL, STUDIES, VOTE, against, curves, draw, of_units

pytestmark = pytest.mark.slow


def test_consensus_is_nearer_to_the_reference_than_the_best_annotator(tmp_path: Path) -> None:
    panels = curves(1, Run(3, jobs=1), magnitudes=(0.0, 0.4))
    assert len(panels) == 4
    for name, shown in panels.items():
        lines = {curve.measure: curve.values for curve in shown}
        assert all((values[0] == 1).all() for values in lines.values()), name  # no errors at magnitude 0
        best = lines[BEST][1]
        assert (lines[MODEL if "unequal" in name else VOTE][1] > best).all(), name
    draw(panels, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size > 10_000


def test_best_annotator_beats_the_vote_if_far_better_than_the_others() -> None:
    """docs/gold.md states this limit: three guessing annotators outvote a reliable one."""
    found = STUDIES[2](1.0, 1)
    panel = next(iter(found))[0]
    assert found[panel, VOTE] < found[panel, MODEL] < found[panel, BEST]


def test_same_seed_gives_the_same_values() -> None:
    assert of_units(0.5, 2) == of_units(0.5, 2)


def test_against_combines_reference_and_other_as_two_annotators() -> None:
    reference = generate(units=5, categories=2, seed=1)
    both = against(reference, reference.keep(np.arange(5) < 2))
    assert [both.annotators[k] for k in both.annotator] == ["reference"] * 5 + ["other"] * 2

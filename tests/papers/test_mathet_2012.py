"""Mathet et al. 2012, Manual Corpus Annotation: Giving Meaning to the Evaluation Metrics: what is printed there.

Figures are not in the text of the paper. What the text says about its curves is held against ours in docs/papers.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.simulate.errors.category import FRIENDLY, Category, friends
from accord.simulate.grounds.columns import Ground
from accord.simulate.measured import ratings_of
from accord.simulate.shuffle import shuffle
from accord.simulate.xray import xray
from accord.studies.checks import line_fit
from accord.studies.claims import CLAIMS
from accord.studies.experiments import EXPERIMENTS, PREVALENCE, TAGGED

PAGE = Path(__file__).resolve().parents[2] / "docs" / "papers.md"


def ground() -> Ground:
    made = TAGGED.made()
    assert isinstance(made, accord.Corpus)
    return Ground.of(made)


def test_table_1(golden: Callable[[str], Any]) -> None:
    """A perfect, B prevalence (printed rounded: its rows sum to 99), C none, D overlapping (not symmetric)."""
    table = golden("gamma_paper/cst_targets.json")["table1"]
    known = {name[0]: np.array(rows) / 100 for name, rows in table.items() if name[1:2] == "_"}
    assert Category().matrix(0.0, ground()) == pytest.approx(known["A"])
    assert Category().matrix(1.0, ground()) == pytest.approx(known["B"], abs=0.005)
    assert Category(prevalence=False).matrix(1.0, ground()) == pytest.approx(known["C"])
    assert friends(4) == pytest.approx(known["D"])
    assert np.array(FRIENDLY).sum(axis=1) == pytest.approx(1)


def test_section_5_95_percent_of_a_at_magnitude_0_1() -> None:
    assert Category().shares(0.1)[0] == pytest.approx(0.95, abs=0.002)


@pytest.mark.parametrize("power", [None, 0.5, 1.0, 2.0])
def test_figure_1_weights(power: float | None) -> None:
    """A from 1 to 0; the worst from 0 to 1; D is 0 at both ends, with a maximum between."""
    for overlap in (False, True):
        shares = np.array([Category(overlap=overlap, power=power).shares(m) for m in np.linspace(0, 1, 21)])
        assert shares.sum(axis=1) == pytest.approx(1)
        assert shares.min() >= -1e-12
        assert shares[0] == pytest.approx([1, 0, 0])
        assert shares[-1] == pytest.approx([0, 0, 1], abs=1e-9)
        assert (np.diff(shares[:, 0]) < 0).all()
        assert (shares[1:-1, 1] > 0).all() == overlap


def test_kappa_of_two_annotators_is_the_square_of_the_share_of_a() -> None:
    """With a of A and 1 − a of B: κ = a². 95% of A is 0.90, not the 0.96 of section 5."""
    for m in (0.1, 0.5):
        made = shuffle(TAGGED.made(), "category", magnitude=m, annotators=60, seed=1)
        assert isinstance(made, accord.Corpus)
        kappa = accord.kappa(ratings_of(made), interval="none").value
        assert kappa == pytest.approx(1 - m, abs=0.03)


def test_figure_2_window_diff_is_nearly_linear_for_false_negatives_until_0_6() -> None:
    one = next(e for e in EXPERIMENTS if e.key == "seg-fn")
    found = xray(one.reference.made(), one.error, ["window_diff"], sets=6, jobs=1)
    assert line_fit(found["1-window_diff"], 0, 0.6) > 0.95


def test_prevalence_is_that_of_matrix_b() -> None:
    assert ground().prevalence == pytest.approx(PREVALENCE)


def test_every_claim_has_a_reading_on_the_page(golden: Callable[[str], Any]) -> None:
    keys = {claim.key for claim in CLAIMS}
    assert {target["id"] for target in golden("gamma_paper/cst_targets.json")["targets"]} <= keys
    text = PAGE.read_text(encoding="utf-8")
    for claim in CLAIMS:
        assert claim.text.replace("|", "\\|") in text, claim.key


def test_every_claim_of_2015_is_there() -> None:
    listed = {
        "seg-fn-wdghd", "seg-fn-gamma", "seg-shift-wdghd", "seg-shift-gamma", "cat-gamma-cualpha", "cat-ualpha",
        "cat-kappad", "cat-ser", "pos-gamma", "pos-ser", "pos-ualpha", "pos-cualpha", "pos-kappad",
        "poscat-gamma", "poscat-alphas", "poscat-kappad", "split-gamma", "split-ser", "split-blocked", "fp-all",
        "fn-gamma", "fn-ualpha", "fn-ser", "fn-kappad", "fn-cualpha", "overview", "general-overlap",
    }  # fmt: skip
    assert listed <= {claim.key for claim in CLAIMS}

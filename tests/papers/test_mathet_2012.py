"""Mathet et al. 2012, Manual Corpus Annotation: Giving Meaning to the Evaluation Metrics: printed numbers.

Figures are not in the text of the paper. docs/papers.md compares its statements about curves with ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.answers.simulate.errors import FRIENDLY, Category, friends
from accord.answers.simulate.grounds import Ground
from accord.answers.simulate.judging import Judge, ratings_of
from accord.answers.simulate.shuffle import shuffle
from accord.answers.simulate.xray import Curve
from accord.core.context import Run
from studies.checks import Outcome, apart, last
from studies.claims import CLAIMS
from studies.experiments import EXPERIMENTS, PREVALENCE, TAGGED
from studies.page import run

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


FIGURE_2 = {one.key: one for one in EXPERIMENTS if one.key.startswith("seg-")}


@pytest.fixture(scope="module")
def figure_2() -> dict[tuple[str, str], Curve]:
    """WD and GHD of Figure 2 (and of Figure 24 of 2015) under the first setting, without γ."""
    found = {}
    for one in FIGURE_2.values():
        judges = tuple(judge for judge in one.judges if judge.name != "γ")
        for curve in run(replace(one, judges=judges), one.settings[0], sets=10, step=0.05, how=Run(jobs=1)):
            found[one.key, curve.measure] = curve
    return found


@pytest.mark.parametrize("key", ["fig2-fn", "fig2-fp", "fig2-gh-vs-wd", "seg-fn-wdghd", "seg-shift-wdghd"])
def test_figure_2_claims_about_wd_and_ghd(key: str, figure_2: dict[tuple[str, str], Curve]) -> None:
    """Close, linear until 0.6, limits of 0.7 and 0.6 at false positives, 0.4 at shifts, GHD a little more severe."""
    found = next(claim for claim in CLAIMS if claim.key == key).check(figure_2)
    assert found.outcome is Outcome.HOLDS, found.numbers


def test_figure_2_ghd_with_a_limit_of_half_a_segment(figure_2: dict[tuple[str, str], Curve]) -> None:
    for key in FIGURE_2:
        assert apart(figure_2[key, "WD"], figure_2[key, "GHD"]) <= 0.11, key
    assert last(figure_2["seg-fp", "WD"]) == pytest.approx(0.691, abs=0.01)
    assert last(figure_2["seg-fp", "GHD"]) == pytest.approx(0.61, abs=0.01)


def test_figure_2_needs_limit_and_normalisation_by_segments(figure_2: dict[tuple[str, str], Curve]) -> None:
    """With costs of 2 and 1, or normalised by edits, GHD differs from WD by more than 0.2."""
    one = FIGURE_2["seg-fn"]
    others = tuple(
        Judge(accord.measure(spec), label="GHD")
        for spec in ("ghd(normalised=edits)", "ghd(normalised=edits,limit=0.5)")
    )
    for judge in others:
        [curve] = run(replace(one, judges=(judge,)), one.settings[0], sets=10, step=0.05, how=Run(jobs=1))
        assert apart(curve, figure_2["seg-fn", "WD"], 0, 0.95) > 0.2


def test_prevalence_equals_matrix_b() -> None:
    assert ground().prevalence == pytest.approx(PREVALENCE)


def test_every_claim_has_a_reading_on_the_page(golden: Callable[[str], Any]) -> None:
    keys = [claim.key for claim in CLAIMS]
    assert len(set(keys)) == len(keys)
    assert {target["id"] for target in golden("gamma_paper/cst_targets.json")["targets"]} <= set(keys)
    text = PAGE.read_text(encoding="utf-8")
    for claim in CLAIMS:
        cells = (claim.figure, claim.experiment, claim.measure, claim.text)
        assert " | ".join(cell.replace("|", "\\|") for cell in cells) in text, claim.key


def test_every_claim_of_2015_is_listed() -> None:
    listed = {
        "seg-fn-wdghd", "seg-fn-gamma", "seg-shift-wdghd", "seg-shift-gamma", "cat-gamma-cualpha", "cat-ualpha",
        "cat-kappad", "cat-ser", "pos-gamma", "pos-ser", "pos-ualpha", "pos-cualpha", "pos-kappad",
        "poscat-gamma", "poscat-alphas", "poscat-kappad", "split-gamma", "split-ser", "split-blocked", "fp-all",
        "fp-cualpha", "fp-ser-below", "fp-ser-up", "fn-gamma", "fn-ualpha", "fn-ser", "fn-kappad", "fn-cualpha",
        "overview", "overview-zero", "general-overlap", "general-cualpha",
    }  # fmt: skip
    assert listed <= {claim.key for claim in CLAIMS}


def test_no_claim_is_invented() -> None:
    """2015 does not claim that chance by shifts gives the same in Figure 25."""
    assert not [claim.key for claim in CLAIMS if "chance by shift" in claim.measure]

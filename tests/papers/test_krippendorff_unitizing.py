"""Krippendorff's alphas for unitizing: his printed numbers, and those of Mathet et al. 2015 (6.1).

Krippendorff 1995, 2004: α_U. 2013: uα and c|uα as Mathet et al. explain them; reconstructed. 2019 (Krippendorff et al.
2016): uα, |uα, cuα, (k)uα. Figures are not in the text: comments mark our own arrangements.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

import accord

Row = tuple[Any, ...]  # annotator, start, end, label


def corpus_of(rows: Sequence[Row], **options: Any) -> accord.Corpus:
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))}
    corpus = accord.read(columns, **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def disagreement(score: accord.Score, length: float) -> float:
    """uD_o without its denominators: Σ t² over the unmatched intersections of two annotators, counted once."""
    assert score.observed is not None
    return score.observed * length


# -- Krippendorff 2004, appendix: α_U --------------------------------------------------------------------------

APPENDIX_2004 = [
    ("1", 225, 295, "c"), ("1", 370, 400, "c"), ("1", 180, 240, "k"), ("1", 300, 350, "k"),
    ("2", 220, 300, "c"), ("2", 355, 375, "c"), ("2", 400, 420, "c"), ("2", 180, 240, "k"), ("2", 300, 350, "k"),
]  # fmt: skip


def test_krippendorff_2004_alpha_u() -> None:
    score = accord.alpha_u(corpus_of(APPENDIX_2004, extents=(150, 450)))
    c, k = score.parts["category"]["c"], score.parts["category"]["k"]
    assert (c.observed, c.expected, c.value) == pytest.approx((0.0144, 0.0532, 0.7286), abs=5e-5)
    assert (k.observed, k.expected, k.value) == pytest.approx((0, 0.0490, 1), abs=5e-5)
    # Printed .8591; from the unrounded sums .8587.
    assert score.value == pytest.approx(0.8591, abs=5e-4)
    assert score.value == pytest.approx(1 - 0.0144 / (0.0532 + 0.0490), abs=5e-4)
    assert score.details["grain"] == 1


def test_krippendorff_2004_in_seconds_needs_the_grain() -> None:
    """Lengths are counted in steps: in seconds of 0.02 the value is the same only if the grain is given."""
    seconds = [(who, start * 0.02, end * 0.02, label) for who, start, end, label in APPENDIX_2004]
    corpus = corpus_of(seconds, extents=(3, 9))
    same = accord.alpha_u(corpus, grain=0.02)
    assert same.parts["category"]["c"].value == pytest.approx(0.7286, abs=5e-5)
    coarse = accord.alpha_u(corpus)
    assert coarse.details["grain"] == pytest.approx(0.1)  # the resolution of the data
    fives = accord.alpha_u(corpus_of(APPENDIX_2004, extents=(150, 450)), grain=5)
    assert coarse.parts["category"]["c"].value == pytest.approx(fives.parts["category"]["c"].value)
    assert coarse.parts["category"]["c"].value == pytest.approx(0.720, abs=5e-4)


# -- Krippendorff 2019, figure 12.11: the family of 2016 -------------------------------------------------------

FIGURE_12_11 = [
    ("Alex", 0, 7, 1), ("Alex", 7, 13, 2), ("Alex", 30, 32, 5), ("Alex", 32, 37, 6), ("Alex", 37, 44, 6),
    ("Alex", 44, 60, 7),
    ("Paul", 0, 7, 1), ("Paul", 7, 13, 3), ("Paul", 13, 21, 5), ("Paul", 32, 44, 6),
    ("Suzan", 0, 7, 1), ("Suzan", 7, 13, 4), ("Suzan", 13, 21, 5), ("Suzan", 32, 37, 6), ("Suzan", 37, 41, 6),
    ("Suzan", 41, 44, 6),
]  # fmt: skip


def test_krippendorff_2019_figure_12_11() -> None:
    corpus = corpus_of(FIGURE_12_11, extents=(0, 60))
    assert accord.u_alpha(corpus).value == pytest.approx(0.510, abs=5e-4)
    # The printed 0.413 follows from an expected disagreement rounded to 44.3.
    assert accord.bar_u_alpha(corpus).value == pytest.approx(0.413, abs=1e-3)
    assert accord.cu_alpha(corpus).value == pytest.approx(0.724, abs=5e-4)
    parts = accord.ku_alpha(corpus).parts["category"]
    assert {name: part.value for name, part in parts.items() if name != "7"} == pytest.approx(
        {"1": 1.0, "2": 0.0, "3": 0.0, "4": 0.0, "5": 1.0, "6": 1.0}, abs=1e-9
    )
    assert math.isnan(parts["7"].value)  # only Alex marked 7
    assert (parts["7"].details["coverage"], parts["5"].details["coverage"]) == pytest.approx((0, 4 / 9))


def test_krippendorff_2019_disagreements_in_lengths() -> None:
    """ℓ.. − Σℓ_cc = 70 of 180 places, as ℓ and ε count them."""
    score = accord.u_alpha(corpus_of(FIGURE_12_11, extents=(0, 60)))
    assert score.observed == pytest.approx(70 / 180)
    assert score.expected == pytest.approx(142.852 / 180, abs=1e-5)


# -- Krippendorff 2013, as in Mathet et al. 2015, 6.1.1 and figure 14 ------------------------------------------

# One of the arrangements that match the description of the figure in the text (golden/unitizing.md).
FIGURE_14 = [
    ("A", 5, 10, 4), ("A", 20, 35, 1), ("A", 49, 59, 2), ("A", 61, 76, 4),
    ("B", 5, 10, 4), ("B", 30, 43, 3), ("B", 49, 54, 1), ("B", 61, 76, 4),
]  # fmt: skip


def test_mathet_2015_section_6_1_1_u_alpha() -> None:
    corpus = corpus_of(FIGURE_14, extents=(0, 76))
    score = accord.u_alpha(corpus, form=2013)
    assert disagreement(score, 76) == pytest.approx(10**2 + 5**2 + 8**2 + 5**2 + 5**2)
    assert (score.observed, score.expected, score.value) == pytest.approx((3.145, 5.286, 0.405), abs=5e-4)


def test_mathet_2015_section_6_1_1_cu_alpha() -> None:
    """Printed as 1 − 0.833/3.145, which is 0.735; 0.744 belongs to an expected disagreement of 3.25."""
    score = accord.cu_alpha(corpus_of(FIGURE_14, extents=(0, 76)), form=2013, distance="interval")
    assert (score.observed, score.value) == pytest.approx((0.833, 0.744), abs=5e-4)
    assert score.expected == pytest.approx(3.25)


# -- Mathet et al. 2015, 6.1.4, 6.1.6, 6.1.7 -------------------------------------------------------------------


def orphans(lengths: Sequence[int]) -> accord.Corpus:
    """Units of one annotator only, and two units of both."""
    rows: list[Row] = [(who, start, start + 10, "x") for who in "AB" for start in (60, 80)]
    return corpus_of(
        [*rows, *(("A", 10 + 20 * k, 10 + 20 * k + n, "x") for k, n in enumerate(lengths))], extents=(0, 100)
    )


def test_mathet_2015_figure_17_cost_of_long_and_short_orphans() -> None:
    """An orphan of 10 against two of 1: uα 100 and 2, γ Δ∅ and 2Δ∅."""
    long, short = orphans([10]), orphans([1, 1])
    u = [disagreement(accord.u_alpha(corpus, form=2013), 100) for corpus in (long, short)]
    assert u == pytest.approx([100, 2])
    gamma = [float(accord.align(corpus).disorder.sum()) for corpus in (long, short)]
    assert gamma == pytest.approx([1, 2])


def test_mathet_2015_figure_20_scale_matters_to_u_alpha_but_not_to_gamma() -> None:
    """Lengths 7 and 10 against 21 and 30: 9 times as much for uα, the same for γ."""
    small, large = (corpus_of([("A", 0, a, "x"), ("B", 0, b, "x")], extents=(0, 100)) for a, b in ((7, 10), (21, 30)))
    u = [disagreement(accord.u_alpha(corpus, form=2013), 100) for corpus in (small, large)]
    assert u == pytest.approx([3**2, 9**2])
    gamma = [float(accord.align(corpus).disorder.sum()) for corpus in (small, large)]
    assert gamma[0] == pytest.approx(gamma[1])


def shifted(shift: int) -> accord.Corpus:
    """Three units of 100 for either, never with the same label; the arrangement is ours."""
    pairs = enumerate((("p", "q"), ("q", "r"), ("r", "p")))
    rows = [row for k, (a, b) in pairs for at in (100 + 200 * k,) for row in (
        ("A", at, at + 100, a), ("B", at + shift, at + shift + 100, b),
    )]  # fmt: skip
    return corpus_of(rows, extents=(0, 700))


def test_mathet_2015_figure_21_u_alpha_prefers_shifted_units() -> None:
    """Each pair of units costs 80² + 2·20² = 7,200 if they are 20 apart, 100² = 10,000 at the same position."""
    u = [accord.u_alpha(shifted(shift), form=2013) for shift in (20, 0)]
    assert [disagreement(score, 700) / 3 for score in u] == pytest.approx([7200, 10000])
    assert u[0].value > u[1].value
    gamma = [accord.gamma(shifted(shift)) for shift in (20, 0)]
    assert gamma[0].value < gamma[1].value
    assert gamma[0].observed > gamma[1].observed  # type: ignore[operator]


def test_mathet_2015_figure_21_form_of_2016_prefers_aligned_units() -> None:
    """This form does not square lengths: 80 + 2·20 = 120 is worse than 100."""
    scores = [accord.u_alpha(shifted(shift)) for shift in (20, 0)]
    assert [score.observed * 700 / 3 for score in scores] == pytest.approx([120, 100])  # type: ignore[operator]
    assert scores[0].value < scores[1].value

"""Mathet, Widlöcher & Métivier 2015, The Unified and Holistic Method Gamma (γ): the reproducible numbers.

Figures are not in the text of the paper; comments give the source or choice of their data. The numbers of 6.1 for
Krippendorff's alphas are in test_krippendorff_unitizing.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.measures.chance.drawing import annotations_of, draw_mixed
from accord.measures.chance.expected import expected_disorder
from accord.measures.chance.sampling import Sampling, samples_needed
from accord.measures.dissimilarities import Combined, steep
from accord.measures.units.gamma import Gamma

from ..cases import for_each

# Figure 10; coordinates read off it in pygamma-agreement (tests/csv/example_figure10.csv, rows Joe, Jack, William).
FIGURE_10 = {"A1": (4, 14), "A2": (20, 30), "B1": (4, 14), "B2": (20, 25), "C1": (14, 24), "C2": (40, 44)}
# Table 3.
TABLE_3 = ((0, 0.5, 1), (0.5, 0, 1), (1, 1, 0))
CATEGORIES = ("cat1", "cat2", "cat3")
Row = tuple[Any, ...]  # annotator, start, end, label


def corpus_of(rows: Sequence[Row], **options: Any) -> accord.Corpus:
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))}
    corpus = accord.read(columns, **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def total(rows: Sequence[Row], measure: Any = "gamma", **options: Any) -> float:
    """The disorder of the best alignment, not divided by x̄."""
    found = accord.align(corpus_of(rows, **options), measure)
    assert found.gap == 0
    return float(found.disorder.sum())


# -- 3.1: chance -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "chance", "value"),
    [([[45, 5], [5, 45]], 0.5, 0.8), ([[230, 10], [20, 40]], 0.7, 0.67), ([[90, 0], [10, 0]], 0.9, 0.0)],
)
def test_section_3_1_observed_agreement_of_0_9_corrected_for_chance(
    table: list[list[int]], chance: float, value: float
) -> None:
    score = accord.kappa(accord.Ratings.from_confusion(table, ["x", "y"], ("A", "B")))
    assert (score.observed, score.expected) == pytest.approx((0.9, chance))
    assert score.value == pytest.approx(value, abs=5e-3)


@pytest.mark.parametrize(("categories", "chance"), [(10, 0.1), (2, 0.5)])
def test_section_3_1_chance_agreement_on_equally_frequent_categories(categories: int, chance: float) -> None:
    rows = [[k, (k + 1) % categories] for k in range(categories)]
    assert accord.s(rows).expected == pytest.approx(chance)
    assert accord.pi(rows).expected == pytest.approx(chance)


@pytest.mark.parametrize(
    ("source", "numbers", "chance"),
    [("3.1", (9, 1), 0.82), ("4.8.2, the corpus", (2, 2, 2), 0.33), ("4.8.2, one text", (2, 2), 0.5)],
)
def test_chance_agreement_by_prevalence(source: str, numbers: tuple[int, ...], chance: float) -> None:
    labels = [k for k, n in enumerate(numbers) for _ in range(n)]
    rows = [list(pair) for pair in zip(labels, labels[1:] + labels[:1], strict=True)]
    assert accord.pi(rows).expected == pytest.approx(chance, abs=5e-3), source


# -- 4.4: dissimilarities --------------------------------------------------------------------------------------


def positional(u: tuple[float, float], v: tuple[float, float], delta: float = 1.0) -> float:
    corpus = corpus_of([("A", *u, "x"), ("B", *v, "x")])
    return float(Combined(delta=delta).position(corpus, np.array([0]), np.array([1]))[0])


@for_each(
    ("u", "v", "value"),
    # The last three are from the tests of pygamma-agreement, the others from 4.4.2 and 4.4.4.
    [("A1", "B1", 0), ("A1", "C2", 22.2), ("A1", "C1", 1), ("A1", "B2", 3.24), ("A2", "B2", 0.11), ("C1", "B2", 0.22)],
)
@for_each("delta", [1.0, 2.5])
def test_figure_10_positional_dissimilarity_in_units_of_delta(u: str, v: str, value: float, delta: float) -> None:
    found = positional(FIGURE_10[u], FIGURE_10[v], delta) / delta
    assert found == pytest.approx(value, abs=0.005 if value < 20 else 0.05)
    assert found == positional(FIGURE_10[v], FIGURE_10[u], delta) / delta


def test_section_4_4_triangle_inequality_is_violated() -> None:
    a1, b2, c1 = (FIGURE_10[name] for name in ("A1", "B2", "C1"))
    assert positional(a1, b2) > positional(a1, c1) + positional(c1, b2)


def test_section_4_4_1_unaligned_unit_costs_delta() -> None:
    """A unit alone costs Δ∅, for any number of annotators, because d(∅,∅) is Δ∅, too."""
    for others in (["B"], ["B", "C"], ["B", "C", "D", "E", "F"]):
        for delta in (1.0, 0.4):
            rows = [("A", 0, 5, "x")]
            assert total(rows, Gamma(delta=delta), judged=["A", *others]) == pytest.approx(delta)


def test_section_4_4_4_three_ways_to_cost_delta() -> None:
    """Not aligned; placed as A1 and C1 of Figure 10; at the same place with an incompatible category."""
    (a, c), u, v = (FIGURE_10["A1"], FIGURE_10["C1"]), np.array([0]), np.array([1])
    for rows in ([("A", *a, "x"), ("B", *c, "x")], [("A", *a, "x"), ("B", *a, "y")]):
        assert float(Combined(delta=3.0).between(corpus_of(rows), u, v)[0]) == pytest.approx(3.0)
        assert total(rows, "gamma(delta=3)") == pytest.approx(3.0)
    assert total([("A", *a, "x")], "gamma(delta=3)", judged=["A", "B"]) == pytest.approx(3.0)


@pytest.mark.parametrize(("a", "b", "value"), [("cat1", "cat2", 0.5), ("cat1", "cat3", 1.0), ("cat2", "cat3", 1.0)])
@pytest.mark.parametrize("delta", [1.0, 2.0])
def test_table_3_categorical_dissimilarity(a: str, b: str, value: float, delta: float) -> None:
    rows = [("A", 0, 9, a), ("B", 0, 9, b)]
    measure = Gamma(distance=TABLE_3, delta=delta)  # type: ignore[arg-type]
    assert total(rows, measure, categories=CATEGORIES) == pytest.approx(value * delta)
    assert total(rows, Gamma(delta=delta)) == pytest.approx(delta)


def test_footnote_2_of_4_4_3_is_nearly_x_below_0_9_and_infinite_at_1() -> None:
    """−ln(1 − x³⁰) + x, the only reading that is almost x up to 0.9 and reaches infinity near 1."""
    x = np.linspace(0, 0.9, 91)
    assert steep(np.array([0.9])) == pytest.approx(0.9433, abs=5e-5)
    assert steep(x) == pytest.approx(x, abs=0.0434)
    assert steep(x[x <= 0.8]) == pytest.approx(x[x <= 0.8], abs=0.002)
    assert steep(np.array([1.0])).tolist() == [math.inf]


def test_footnote_2_guarantees_that_units_of_incompatible_categories_cannot_be_aligned() -> None:
    rows = [("A", 0, 9, "cat1"), ("B", 0, 9, "cat3")]
    assert len(accord.align(corpus_of(rows))) == 1
    for measure in (Gamma(f_cat="steep"), Gamma(f_cat="steep", distance=TABLE_3)):  # type: ignore[arg-type]
        found = accord.align(corpus_of(rows, categories=CATEGORIES), measure)
        assert [one.disorder for one in found] == [1.0, 1.0]
    overlapping = [("A", 0, 9, "cat1"), ("B", 0, 9, "cat2")]
    found = accord.align(corpus_of(overlapping, categories=CATEGORIES), Gamma(f_cat="steep", distance=TABLE_3))  # type: ignore[arg-type]
    assert [one.disorder for one in found] == pytest.approx([0.5], abs=1e-8)


# -- 4.5 to 4.7, 5.1: alignments -------------------------------------------------------------------------------


def test_section_4_6_disorders_are_means() -> None:
    """Eq. 6: over pairs of annotators; eq. 7: per unit of an annotator, so a repeated continuum has the same value."""
    once = [("A", 0, 10, "x"), ("B", 0, 10, "y"), ("C", 0, 10, "x"), ("A", 30, 40, "x"), ("C", 32, 42, "x")]
    twice = [*once, *((who, start + 1000, end + 1000, label) for who, start, end, label in once)]
    assert total(once) == pytest.approx((1 + 0 + 1) / 3 + ((4 / 20) ** 2 + 1 + 1) / 3)
    scores = [accord.score(corpus_of(rows), "gamma(samples=2,precision=0.5)") for rows in (once, twice)]
    assert scores[0].observed == pytest.approx(total(once) / (5 / 3))
    assert scores[1].observed == pytest.approx(scores[0].observed)


def test_section_5_1_1_unitary_alignments_above_n_delta_are_never_chosen() -> None:
    """The theorem; more sharply, k units together cost at most k · Δ∅."""
    rng = np.random.default_rng(3)
    for n in (2, 3, 4):
        start, length = rng.integers(0, 300, 60), rng.integers(1, 30, 60)
        who, label = rng.integers(0, n, 60), rng.integers(0, 3, 60)
        rows = [
            (f"A{w}", s, s + m, f"c{k}")
            for w, s, m, k in zip(who.tolist(), start.tolist(), length.tolist(), label.tolist(), strict=True)
        ]
        for one in accord.align(corpus_of(rows), "gamma(delta=2)"):
            real = sum(unit is not None for unit in one.units.values())
            assert one.disorder <= 2 * real + 1e-9
            assert one.disorder <= 2 * n + 1e-9


# -- 5.2: random annotations -----------------------------------------------------------------------------------


def test_section_5_2_2_has_1512_equally_likely_combinations() -> None:
    """Eight continua, three annotators each: C(8,3) · 3³ = 1512; all are drawn equally often."""
    columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "label": []}
    for doc in range(8):
        for who in range(3):
            for name, value in zip(columns, (f"d{doc}", f"A{who}", 0, 10, f"{doc}{who}"), strict=True):
                columns[name].append(value)
    corpus = accord.read(columns)
    assert isinstance(corpus, accord.Corpus)
    draws = 24_000
    units = draw_mixed(annotations_of(corpus, np.arange(8)), 3, [np.random.default_rng(1)] * draws)
    assert len(units.start) == 3 * draws
    seats = np.sort(units.label[np.lexsort((units.annotator, units.continuum))].reshape(draws, 3), axis=1)
    assert (np.diff(seats // 3, axis=1) > 0).all()  # three different continua
    combinations, times = np.unique(seats, axis=0, return_counts=True)
    assert len(combinations) == 1512
    chi_square = float(((times - draws / 1512) ** 2).sum() / (draws / 1512))
    assert chi_square == pytest.approx(1511, abs=4 * math.sqrt(2 * 1511))


# -- 5.3: how many samples -------------------------------------------------------------------------------------


def test_section_5_3_number_of_samples() -> None:
    """μ = 3.49 and σ′ = 0.1379 of 30 values; U₀.₉₇₅ = 1.96, which the paper writes U of 1 − 0.05."""
    sigma = math.sqrt(30 / 29) * 0.1379
    assert sigma == pytest.approx(0.1403, abs=5e-5)
    cv = sigma / 3.49
    assert cv == pytest.approx(0.040188, abs=5e-7)
    assert samples_needed(cv, 0.02) == pytest.approx(15.5, abs=0.05)
    assert samples_needed(cv, 0.01) == pytest.approx(62, abs=0.05)


@pytest.mark.parametrize(("precision", "samples"), [(0.02, 30), (0.01, 62)])
def test_section_5_3_higher_precision_needs_32_more_samples(precision: float, samples: int) -> None:
    """The same thirty values, made up: they reach 2%; 1% needs 32 more."""
    source = annotations_of(corpus_of([("A", 0, 4, "x"), ("B", 9, 30, "y")]), np.array([0]))
    asked: list[int] = []

    def align(units: Any) -> Any:
        asked.append(len(units.annotators))
        sign = np.where(np.arange(asked[-1]) % 2, 1.0, -1.0)
        return SimpleNamespace(totals=(3.49 + 0.1379 * sign) * units.per_annotator, gap=np.zeros(len(units.annotators)))

    found = expected_disorder(source, source, Sampling("shift", 30, precision), align, Run())
    assert (found.samples, sum(asked)) == (samples, samples)
    assert asked == ([30] if samples == 30 else [30, 32])
    assert found.disorder[0] == pytest.approx(3.49)


def test_section_5_3_defaults() -> None:
    gamma = Gamma()
    assert (gamma.samples, gamma.precision, Sampling("mix").level) == (30, 0.02, 0.95)
    assert (gamma.positional, gamma.categorical, gamma.delta, gamma.f_cat) == (1, 1, 1, "identity")


# -- 6.1: against the alphas -----------------------------------------------------------------------------------


def test_figure_16_displaced_units_do_not_count_as_confusion_of_categories() -> None:
    """6.1.3: both annotators have a 1, a 4 and a 2, not exactly at the same places. Coordinates are ours."""
    rows = [("A", 0, 10, 1), ("A", 10, 20, 4), ("A", 20, 30, 2), ("B", 0, 12, 1), ("B", 12, 19, 4), ("B", 19, 30, 2)]
    found = accord.align(corpus_of(rows))
    assert [sorted(u.label for u in one.units.values() if u is not None) for one in found] == [[1, 1], [4, 4], [2, 2]]
    assert found.causes["category"].tolist() == [0, 0, 0]
    assert (found.causes["position"] > 0).all()
    assert accord.gamma_cat(corpus_of(rows)).value == 1.0


def test_figure_17_cost_of_an_orphan_does_not_depend_on_its_length() -> None:
    """6.1.4: one of length 10 costs Δ∅, two of length 1 cost 2Δ∅."""
    both = [("A", 0, 5, "x"), ("B", 0, 5, "x")]
    assert total([*both, ("A", 20, 30, "x")]) == pytest.approx(1)
    assert total([*both, ("A", 20, 21, "x"), ("A", 25, 26, "x")]) == pytest.approx(2)


def test_figures_18_and_19_splits_raise_disorder() -> None:
    """6.1.5: the more pieces one annotator makes of the other's unit, the more disorder."""

    def split(pieces: int) -> list[Row]:
        cuts = np.linspace(0, 60, pieces + 1)
        return [("A", 0, 60, "x"), *(("B", a, b, "x") for a, b in pairwise(cuts))]

    raw = [total(split(k)) for k in range(1, 7)]
    assert raw == pytest.approx([0, *(k - 1 + ((k - 1) / (k + 1)) ** 2 for k in range(2, 7))])
    shown = [value / ((k + 1) / 2) for k, value in enumerate(raw, start=1)]
    assert (np.diff(shown) > 0).all()
    assert shown[3] == pytest.approx(1.344)  # pygamma.json: example_figure19.csv
    unaligned = total([("A", 0, 60, "x")], judged=["A", "B"])
    assert unaligned < raw[1]


def test_figure_20_scale_does_not_matter() -> None:
    """6.1.6 writes the mean length as denominator, eq. 3 the sum, which Figure 10 confirms: (3/17)², not (3/8.5)²."""
    a, b = positional((0, 7), (0, 10)), positional((0, 21), (0, 30))
    assert a == pytest.approx((3 / 17) ** 2)
    assert b == pytest.approx(a)


def test_figure_21_agreement_on_positions_raises_gamma() -> None:
    """6.1.7: with the same confusion of categories, full agreement on positions gives the higher γ.

    Data are ours: units of length 100 that share 80 in the first case, and all of it in the second.
    """

    def case(shift: int) -> accord.Corpus:
        labels = ("x", "y", "x", "y", "z", "x")
        other = ("y", "x", "z", "y", "x", "z")
        rows: list[Row] = [("A", 400 * k, 400 * k + 100, label) for k, label in enumerate(labels)]
        rows += [("B", 400 * k + shift, 400 * k + 100 + shift, label) for k, label in enumerate(other)]
        return corpus_of(rows, extents=(0, 2400))

    moderate, full = (accord.gamma(case(shift), seed=1) for shift in (20, 0))
    assert moderate.observed == pytest.approx((5 + 6 * (40 / 200) ** 2) / 6)
    assert full.observed == pytest.approx(5 / 6)
    assert full.value > moderate.value


def test_figure_22_full_agreement_with_embedded_units() -> None:
    rows = [(who, start, end, label) for who in "AB" for start, end, label in ((0, 30, "x"), (10, 20, "y"))]
    score = accord.gamma(corpus_of(rows, extents=(0, 100)))
    assert (score.observed, score.value) == (0.0, 1.0)
    assert len(accord.align(corpus_of(rows))) == 2


def test_section_6_3_3_pure_categorization_has_the_observed_disagreement_of_alpha() -> None:
    """Units of one size in fixed places, four categories with prevalences, three annotators: exactly the same."""
    rng = np.random.default_rng(8)
    labels = rng.choice(4, (50, 3), p=[0.5, 0.25, 0.15, 0.1])
    rows = [(f"A{a}", 30 * k, 30 * k + 10, f"c{labels[k, a]}") for k in range(50) for a in range(3)]
    alpha = accord.alpha(labels, distance="nominal")
    observed = accord.score(corpus_of(rows), "gamma(samples=2,precision=0.5)").observed
    assert observed == pytest.approx(alpha.details["observed_disagreement"])

"""Behaviour of the measures in the cases of Mathet et al. 2015, 6.1.2 to 6.1.8; docs/unitizing.md describes it.

The text of the paper gives no coordinates: the arrangements are ours, the directions are theirs. The disorder of γ is
exact. Its expected value is sampled, so the tests only compare values of γ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import accord

from ...refusals import raises

Marked = Sequence[tuple[int, int, Any]]  # start, end, label


def marked(ana: Marked, ben: Marked, length: int = 100, **options: Any) -> accord.Corpus:
    rows = [("Ana", *unit) for unit in ana] + [("Ben", *unit) for unit in ben]
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))}
    corpus = accord.read(columns, extents=(0, length), **options)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def values(corpus: accord.Corpus, *specs: str) -> dict[str, float]:
    return {spec: accord.score(corpus, spec).value for spec in specs}


def near(wanted: dict[str, float]) -> Any:
    return pytest.approx(wanted, abs=5e-4)


def disorder(corpus: accord.Corpus, spec: str = "gamma") -> float:
    """Disorder of the best alignment, not divided by the mean number of units."""
    return float(accord.align(corpus, spec).disorder.sum())


# -- 6.1.2: slight disagreement on categories ------------------------------------------------------------------

PLACES = ((0, 10), (20, 30), (40, 50))


def labelled(ana: Sequence[int], ben: Sequence[int]) -> accord.Corpus:
    one, other = ([(s, e, k) for (s, e), k in zip(PLACES, labels, strict=True)] for labels in (ana, ben))
    return marked(one, other, 60, categories=[1, 2, 6, 7, 8, 9])


SLIGHT, SEVERE = labelled((1, 6, 8), (2, 7, 9)), labelled((1, 6, 8), (9, 2, 1))


def test_6_1_2_u_alpha_does_not_distinguish_near_from_far_labels() -> None:
    """uα falls from 1 to about 0 for near and far labels alike; cuα and γ with a distance distinguish them."""
    perfect = labelled((1, 6, 8), (1, 6, 8))
    specs = ("u_alpha(form=2013)", "u_alpha", "cu_alpha(distance=interval)", "kappa_d", "theta(scale=interval)")
    assert set(values(perfect, *specs).values()) == {1.0}
    slight = dict(zip(specs, (-0.005, 0.326, 0.953, 0.333, 0.991), strict=True))
    severe = dict(zip(specs, (-0.025, 0.313, -0.641, 0.308, 0.597), strict=True))
    assert values(SLIGHT, *specs) == near(slight)
    assert values(SEVERE, *specs) == near(severe)


def test_6_1_2_gamma_finds_no_positional_disagreement() -> None:
    spec = "gamma(distance=numeric)"
    assert disorder(SLIGHT, spec) == pytest.approx(3 / 8)  # three steps of 1 on a scale of 8
    assert accord.align(SLIGHT, spec).causes["position"].sum() == 0
    near_labels, far_labels = (accord.score(corpus, spec).value for corpus in (SLIGHT, SEVERE))
    assert near_labels > 0.8
    assert far_labels < 0.1


# -- 6.1.3: a difference of position seen as one of category ---------------------------------------------------


def test_6_1_3_gamma_separates_position_from_category() -> None:
    """Both marked 1, 4, 2; Ben 5 places later. cuα compares overlapping stretches, γ compares aligned units."""
    corpus = marked([(0, 20, 1), (20, 40, 4), (40, 60, 2)], [(5, 25, 1), (25, 45, 4), (45, 65, 2)], 70)
    assert values(corpus, "cu_alpha", "cu_alpha(distance=interval)") == near(
        {"cu_alpha": 0.773, "cu_alpha(distance=interval)": 0.694}
    )
    assert accord.gamma_cat(corpus).value == 1
    causes = accord.align(corpus).causes
    assert (causes["category"].sum(), causes["position"].sum()) == pytest.approx((0, 3 * (10 / 40) ** 2))


# -- 6.1.4: long and short units -------------------------------------------------------------------------------

AGREED = [(60, 70, "x"), (80, 90, "y")]


def test_6_1_4_length_of_orphans_matters_to_alphas_but_not_to_gamma() -> None:
    """One orphan of length 10 and two of length 1. uα: the first is 50 times worse; γ: the second is twice as bad."""
    long = marked([(10, 20, "x"), *AGREED], AGREED)
    short = marked([(10, 11, "x"), (30, 31, "x"), *AGREED], AGREED)
    u = [accord.u_alpha(corpus, form=2013).observed for corpus in (long, short)]
    assert u == pytest.approx([100 / 100, 2 / 100])
    assert [disorder(corpus) for corpus in (long, short)] == pytest.approx([1, 2])
    worse_is_long = ("u_alpha(form=2013)", "u_alpha", "bar_u_alpha", "alpha_u", "theta", "kappa_d", "f1(match=token)")
    for spec in worse_is_long:
        assert accord.score(long, spec).value < accord.score(short, spec).value, spec
    for spec in ("gamma", "f1"):
        assert accord.score(long, spec).value > accord.score(short, spec).value, spec
    assert accord.ser(long).value < accord.ser(short).value  # an error
    assert values(long, "u_alpha", "cu_alpha") == near({"u_alpha": 0.757, "cu_alpha": 1})
    assert values(short, "u_alpha", "cu_alpha") == near({"u_alpha": 0.944, "cu_alpha": 1})


# -- 6.1.5: splits ---------------------------------------------------------------------------------------------


def pieces(n: int) -> list[tuple[int, int, str]]:
    return [(10 + k * 20 // n, 10 + (k + 1) * 20 // n, "x") for k in range(n)]


def test_6_1_5_splits_of_orphans_raise_disorder_but_lower_u_alpha_2013_disagreement() -> None:
    """One unit of 20, two of 10, four of 5: uα of 2013 counts 400, 200, 100; γ 1, 2, 4."""
    corpora = [marked([*pieces(n), *AGREED], AGREED) for n in (1, 2, 4)]
    u = [accord.u_alpha(corpus, form=2013) for corpus in corpora]
    assert [score.observed for score in u] == pytest.approx([4, 2, 1])
    assert [score.value for score in u] == pytest.approx([0.149, 0.480, 0.6925], abs=5e-4)
    assert [disorder(corpus) for corpus in corpora] == pytest.approx([1, 2, 4])
    gamma = [accord.gamma(corpus).value for corpus in corpora]
    assert gamma[0] > gamma[1] > gamma[2]
    for spec, wanted in (
        ("cu_alpha", [1, 1, 1]),
        ("u_alpha", [0.575, 0.573, 0.572]),
        ("alpha_u", [0.169, 0.523, 0.732]),
        ("theta", [0.619, 0.7895, 0.889]),
        ("kappa_d", [0.583] * 3),
        ("ser", [5 / 12, 3 / 4, 4 / 3]),
        ("f1", [4 / 5, 2 / 3, 1 / 2]),
    ):
        assert [accord.score(corpus, spec).value for corpus in corpora] == pytest.approx(wanted, abs=5e-4), spec


def test_6_1_5_splits_of_shared_units_matter_to_measures_that_align() -> None:
    """Only measures that align units or compare boundaries notice the splits."""
    corpora = [marked([*pieces(1), *AGREED], [*pieces(n), *AGREED]) for n in (1, 2, 4)]
    for spec in ("u_alpha", "u_alpha(form=2013)", "bar_u_alpha", "cu_alpha", "theta", "kappa_d", "f1(match=token)"):
        assert [accord.score(corpus, spec).value for corpus in corpora] == pytest.approx([1, 1, 1]), spec
    for spec, wanted in (
        ("alpha_u", [1, 0.646, -0.203]),
        ("ser", [0, 0.4375, 0.875]),
        ("f1", [1, 4 / 7, 4 / 9]),
        ("f1(match=overlap)", [1, 6 / 7, 2 / 3]),
    ):
        assert [accord.score(corpus, spec).value for corpus in corpora] == pytest.approx(wanted, abs=5e-4), spec
    gamma = [accord.gamma(corpus).value for corpus in corpora]
    assert gamma[0] == 1 > gamma[1] > gamma[2]


# -- 6.1.6: scale ----------------------------------------------------------------------------------------------


def test_6_1_6_scale_matters_to_alphas_but_not_to_gamma() -> None:
    """The same relative difference of words and of paragraphs: 9 times as bad for the alphas, equal for γ."""
    corpus = marked([(0, 7, "word"), (40, 61, "paragraph")], [(0, 10, "word"), (40, 70, "paragraph")])
    parts = accord.alpha_u(corpus).parts["category"]
    assert parts["paragraph"].observed == pytest.approx(9 * (parts["word"].observed or 0))
    assert parts["word"].observed == pytest.approx(3**2 / 100**2)
    gamma = accord.gamma(corpus).parts["category"]
    assert gamma["paragraph"].details["disorder"] == pytest.approx(gamma["word"].details["disorder"])
    assert gamma["word"].details["disorder"] == pytest.approx((3 / 17) ** 2)
    small, large = marked([(0, 7, "x")], [(0, 10, "x")]), marked([(0, 21, "x")], [(0, 30, "x")])
    u = [accord.u_alpha(corpus, form=2013).observed for corpus in (small, large)]
    assert u == pytest.approx([0.09, 0.81])


# -- 6.1.7: a paradox ------------------------------------------------------------------------------------------


def shifted(shift: int) -> accord.Corpus:
    labels = (("p", "q"), ("q", "r"), ("r", "p"))
    ana, ben = (
        [
            (at, at + 100, pair[side])
            for at, pair in zip((100 + side * shift + 200 * k for k in range(3)), labels, strict=True)
        ]
        for side in (0, 1)
    )
    return marked(ana, ben, 700)


def test_6_1_7_u_alpha_2013_prefers_shifted_units() -> None:
    """Labels never agree. Ben's units are 20 later or at Ana's places. uα of 2013 prefers the first, γ the second."""
    apart, together = shifted(20), shifted(0)
    before = {"u_alpha(form=2013)": 0.268, "u_alpha": 0.186, "bar_u_alpha": 0.661, "theta": 0.702, "kappa_d": 0.160}
    after = {"u_alpha(form=2013)": -0.017, "u_alpha": 0.322, "bar_u_alpha": 1.0, "theta": 0.455, "kappa_d": 0.300}
    assert values(apart, *before) == near(before)
    assert values(together, *after) == near(after)
    assert accord.gamma(apart).value < accord.gamma(together).value
    assert disorder(apart) == pytest.approx(3 * (1 + (40 / 200) ** 2))
    assert disorder(together) == pytest.approx(3)
    assert (accord.ser(apart).value, accord.ser(together).value) == (1, 0.5)


# -- 6.1.8: units that overlap ---------------------------------------------------------------------------------


def test_6_1_8_full_agreement_on_overlapping_units_is_perfect_or_refused() -> None:
    nested = [(0, 50, "frame"), (10, 20, "name"), (70, 80, "name")]
    corpus = marked(nested, nested)
    for spec in ("gamma", "alpha_u", "theta", "theta(zones=atomic)", "f1", "f1(match=overlap)", "f1(match=token)"):
        assert accord.score(corpus, spec).value == 1, spec
    assert accord.ser(corpus).value == 0
    for spec in ("u_alpha", "bar_u_alpha", "cu_alpha", "ku_alpha", "kappa_d", "alpha_d"):
        with raises("overlapping-units"):
            accord.score(corpus, spec)
    again = [(0, 50, "frame"), (10, 20, "frame")]
    for spec in ("alpha_u", "theta"):
        with raises("overlapping-units"):
            accord.score(marked(again, again), spec)
    assert accord.gamma(marked(again, again)).value == 1


# -- gaps ------------------------------------------------------------------------------------------------------


def test_measures_that_count_gaps_depend_on_the_length_of_the_continuum() -> None:
    """The same units on 100 and on 1,000 places: agreement on gaps raises measures that count gaps."""
    ana, ben = [(0, 5, "x"), (7, 9, "y"), (10, 14, "z")], [(1, 5, "x"), (7, 9, "z")]
    short, long = (marked(ana, ben, length) for length in (100, 1000))
    for spec in ("cu_alpha", "ku_alpha(category=x)", "theta", "ser", "f1", "f1(match=token)", "gamma_cat"):
        assert accord.score(short, spec).value == pytest.approx(accord.score(long, spec).value, nan_ok=True), spec
    for spec in ("u_alpha", "u_alpha(form=2013)", "bar_u_alpha", "alpha_u", "kappa_d", "alpha_d"):
        assert accord.score(short, spec).value < accord.score(long, spec).value - 0.01, spec


def test_theta_of_one_span_with_two_labels_is_its_lowest_value() -> None:
    """−P(R)/(K − P(R)) for nominal labels; layers turn it into two gaps, unlike the chapter."""
    rows = [(0, 10, 1)], [(0, 10, 2)]
    for zones in ("joined", "atomic"):
        assert accord.theta(marked(*rows), zones=zones).value == pytest.approx(-1 / 3)
    assert accord.theta(marked(*rows), random=1.0).value == pytest.approx(-1)
    assert accord.theta(marked(*rows), scale="interval").value == 0
    assert accord.theta(marked(*rows), zones="layered").value == pytest.approx(1 / 3)


def test_theta_of_one_span_labelled_at_random_is_one_third() -> None:
    """1 and −1/3 in equal parts: 1/3 on average. Layers give 2/3."""
    pairs = [(x, y) for x in "xy" for y in "xy"]
    found = [
        accord.read(
            {"annotator": ["A", "B"], "start": [0, 0], "end": [10, 10], "label": list(pair)}, categories=["x", "y"]
        )
        for pair in pairs
    ]
    assert np.mean([accord.theta(corpus).value for corpus in found]) == pytest.approx(1 / 3)


# -- no agreement at all ---------------------------------------------------------------------------------------


def by_chance(seed: int) -> accord.Corpus:
    rng = np.random.default_rng(seed)

    def units() -> list[tuple[int, int, str]]:
        found, at = [], 0
        while True:
            at += int(rng.integers(5, 60))
            end = at + int(rng.integers(5, 25))
            if end > 4000:
                return found
            found.append((at, end, str(rng.choice(list("abc")))))
            at = end

    return marked(units(), units(), 4000)


def test_chance_corrected_measures_of_independent_annotations_are_0() -> None:
    """Not true of θ_G, which squares lengths, nor of SER and F1, which are not chance-corrected."""
    corpora = [by_chance(seed) for seed in range(30)]

    def mean(spec: str) -> float:
        return float(np.mean([accord.score(corpus, spec).value for corpus in corpora]))

    for spec in ("alpha_u", "u_alpha", "u_alpha(form=2013)", "bar_u_alpha", "cu_alpha", "kappa_d", "alpha_d"):
        assert mean(spec) == pytest.approx(0, abs=0.06), spec
    assert mean("theta") > 0.98
    assert mean("ser") > 1
    assert mean("f1(match=overlap)") > 0.1

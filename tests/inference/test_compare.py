"""Comparisons: paired, unpaired and partly paired; all kinds of data; groups; corrections; refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import accord
from accord.answers.compare import compare, compare_all, correct_for_several
from accord.answers.compare_groups import compare_groups
from accord.answers.comparison import holm
from accord.answers.contrast import _degrees, join_studies, permute
from accord.core.context import Run
from accord.measures.catalogue import measure

from ..refusals import raises
from .studies import ratings, segmentations, texts, units


def renamed(data: accord.Ratings, names: list[str]) -> accord.Ratings:
    rows = [[data.categories[int(c)] for c in row] for row in data.by_annotator[1].T]
    return accord.Ratings.from_rows(rows, items=names, categories=list(data.categories))


def test_equal_data_do_not_differ() -> None:
    data = ratings()
    found = compare(data, ratings(), "alpha")
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.interval.low <= 0 <= found.interval.high
    assert found.n_common == 40


def test_disjoint_studies_add_their_variances() -> None:
    a, b = ratings(1), renamed(ratings(2, right=0.9), [f"x{k}" for k in range(40)])
    found = compare(a, b, "kappa")
    assert found.n_common == 0
    assert found.a.se is not None
    assert found.b.se is not None
    assert found.se == pytest.approx(np.hypot(found.a.se, found.b.se), rel=1e-12)
    v, w = found.a.se**2, found.b.se**2
    assert found.df == pytest.approx((v + w) ** 2 / (v**2 / 39 + w**2 / 39), rel=1e-9)  # Welch
    assert found.method.startswith("unpaired")
    assert compare(ratings(1), ratings(2, right=0.9), "kappa", paired=False).se == pytest.approx(found.se, rel=1e-12)


def test_error_of_partly_paired_studies_is_between_paired_and_unpaired() -> None:
    a, b = ratings(3, 60), ratings(3, 60, right=0.75)
    half = renamed(b, [str(k + 1) if k < 30 else f"x{k}" for k in range(60)])
    paired, partly, apart = (compare(a, b, "pi"), compare(a, half, "pi"), compare(a, b, "pi", paired=False))
    assert (paired.n_common, partly.n_common, apart.n_common) == (60, 30, 0)
    assert "partly paired" in partly.method
    low, high = sorted([paired.se, apart.se])
    assert low - 0.01 <= partly.se <= high + 0.01
    forced = compare(a, half, "pi", paired=True)
    assert forced.n_common == 30
    assert (forced.a.n, forced.b.n) == (30, 30)


def test_linearisation_and_bootstrap_agree() -> None:
    a, b = ratings(4, 150), ratings(4, 150, right=0.8)
    fast, slow = compare(a, b, "alpha"), compare(a, b, "alpha", method="bootstrap", replicates=800)
    assert slow.difference == pytest.approx(fast.difference, abs=1e-12)
    assert slow.se == pytest.approx(fast.se, rel=0.12)
    swapped = compare(a, b, "alpha", method="permutation", replicates=800)
    assert swapped.p == pytest.approx(fast.p, abs=0.04)


@pytest.mark.parametrize(
    "spec", ["gamma", "gamma_cat", "u_alpha", "cu_alpha", "alpha_u", "theta", "ser", "f1", "kappa_d"]
)
def test_units_are_compared_by_document(spec: str) -> None:
    good, bad = units(1, moved=0.1), units(2, moved=0.9)
    found = compare(good, bad, spec, replicates=300)
    assert found.n_common == 12
    assert found.method.startswith("paired bootstrap and studentised permutation")
    assert found.p is not None
    worse = found.difference < 0 if found.a.kind == "agreement" else found.difference > 0
    assert worse or found.p > 0.01
    if spec in {"gamma", "u_alpha", "f1"}:
        assert found.p < 0.05
        assert found.interval.high < 0
        assert "in favour of a" in found.sentence
    apart = compare(good, units(2, moved=0.9, first=100), spec, replicates=300)
    assert apart.n_common == 0
    assert apart.difference == pytest.approx(found.difference, abs=0.03)  # γ samples chance


@pytest.mark.parametrize("spec", ["boundary_similarity", "pi_star", "pk", "alpha_boundaries"])
def test_segmentations_are_compared_by_document(spec: str) -> None:
    found = compare(segmentations(1), segmentations(2), spec, replicates=200)
    assert found.n_common == 8
    assert found.p is not None
    assert 0 < found.p <= 1


@pytest.mark.parametrize("base", [True, False])
def test_texts_are_compared_by_document(base: bool) -> None:
    good, bad = texts(1, noise=0.05, base=base), texts(2, noise=0.25, base=base)
    spec = "text_gamma(p_t=0.1,p_s=0.01)"  # the same chance for both
    found = compare(good, bad, spec, replicates=300)
    assert found.n_common == 12
    assert found.difference < 0
    assert found.p is not None
    assert found.p < 0.05
    assert found.method.startswith("paired bootstrap and studentised permutation")
    team = compare(good, None, spec, annotators_a=["Ana", "Ben"], annotators_b=["Ben", "Chloé"], replicates=200)
    assert team.p > 0.01
    with raises("features-differ"):
        compare(good, accord.Texts.of_words({("d1", "A"): "a b", ("d1", "B"): "a c"}), "text_gamma")
    pos = "text_gamma(features=[pos])"
    same = compare(good, texts(1, noise=0.05, base=base), pos, replicates=100)
    assert same.difference == 0.0


def test_groups_of_annotators_are_compared_on_texts() -> None:
    groups = {"people": ["Ana", "Ben"], "models": ["Chloé"]}
    found = compare_groups(texts(1, docs=8, weak="Chloé"), groups, "text_gamma", replicates=200)
    assert found.between["people – models"].value < found.within["people"].value
    assert len(found.comparisons) == 1


def test_two_measures_are_compared_on_the_same_data() -> None:
    data = ratings(5)
    nominal = "alpha(distance=nominal)"
    found = compare(data, None, nominal, spec_b="pi")
    assert found.difference == pytest.approx(accord.pi(data).value - accord.score(data, nominal).value, abs=1e-12)
    assert found.se < 0.01  # their errors are correlated
    other = compare(units(1), None, "u_alpha", spec_b="bar_u_alpha", replicates=200)
    assert "bootstrap" in other.method
    assert "permutation" not in other.method


def test_comparison_of_two_measures_favours_neither() -> None:
    """One measure is lower by definition, not because annotators agree less."""
    data = ratings(3, n=200)
    found = compare(data, None, "percent", spec_b="alpha")
    assert found.p is not None
    assert found.p < 0.001
    assert found.sentence.endswith("the difference is larger than sampling error explains.")
    other = compare(data, ratings(3, n=200, right=0.95), "alpha")
    assert other.sentence.endswith("larger than sampling error explains, in favour of b.")


def test_two_teams_are_compared_on_common_items() -> None:
    data = ratings(6, annotators=4)
    found = compare(data, None, "kappa", annotators_a=["A1", "A2"], annotators_b=["A3", "A4"])
    assert found.a.value == pytest.approx(accord.kappa(data.keep(data.annotator < 2)).value)
    assert found.n_common == 40
    with raises("unknown-name"):
        compare(data, None, "kappa", annotators_a=["A11"], annotators_b=["A3", "A4"])


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["icc", "lin", "kendall_w", "cronbach"])
def test_teams_that_share_an_annotator_are_compared_on_a_scale(spec: str) -> None:
    """These measures need items that all annotators rated; an annotator in both teams stays in both."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(40, 1)) + rng.normal(size=(40, 4)) * [0.3, 0.3, 0.3, 2.0]
    data = accord.Ratings.from_rows(rows.round(1).tolist(), annotators=["A", "B", "C", "D"])
    found = compare(data, None, spec, annotators_a=["A", "B"], annotators_b=["B", "D"], replicates=400)
    assert found.method.startswith("paired bootstrap and permutation")
    assert found.p is not None
    assert found.p < 0.01
    # Teams of different sizes cannot be exchanged: p is from the bootstrap, and the method states it.
    larger = compare(data, None, spec, annotators_a=["A", "B"], annotators_b=["B", "C", "D"], replicates=400)
    assert larger.method == "paired bootstrap, 400 replicates"
    with raises("measure-for-other-data"):
        compare(data, None, spec, annotators_a=["A", "B"], annotators_b=["B", "C", "D"], method="permutation")


@pytest.mark.slow
def test_permutation_p_is_uniform_without_difference() -> None:
    """Without a difference p is uniform: its mean is 0.5, and p ≤ 0.1 in 10% of cases."""
    p = []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 3, 30)
        rows = np.where(rng.random((30, 6)) < 0.6, truth[:, None], rng.integers(0, 3, (30, 6)))
        a, b = (accord.Ratings.from_rows(rows[:, k : k + 3], categories=[0, 1, 2]) for k in (0, 3))
        found = permute(a, b, measure("alpha"), True, 99, Run(seed))
        assert found is not None
        p.append(found.p)
    assert np.mean(p) == pytest.approx(0.5, abs=0.09)
    assert np.mean(np.array(p) <= 0.1) <= 0.1 + 3 * np.sqrt(0.09 / 150)
    assert min(p) >= 0.01


def sized(seed: int, places: list[int], same: list[float], first: int = 0) -> accord.Corpus:
    """Documents with the given numbers of units; two annotators agree on a share of them."""
    table: dict[str, list[object]] = {"doc": [], "annotator": [], "start": [], "end": [], "label": []}
    for d, (many, share) in enumerate(zip(places, same, strict=True)):
        alike = np.random.default_rng([seed, d]).random(many) < share
        for who, off in (("Ana", 0), ("Ben", 15)):
            for k in range(many):
                start = 30 * k + (0 if alike[k] else off)
                for column, value in zip(table, (f"d{first + d}", who, start, start + 8, "x"), strict=True):
                    table[column].append(value)
    found = accord.read(table)
    assert isinstance(found, accord.Corpus)
    return found


@pytest.mark.parametrize("spec", ["f1", "gamma(precision=0.05)"])
def test_one_large_document_does_not_hide_a_difference(spec: str) -> None:
    """A permutation test that is not studentised gives p = 0.07 although the interval is far from 0."""
    a = sized(1, [12, 15, 10, 18, 14, 11, 16, 12], [0.95, 0.6, 0.9, 0.7, 0.95, 0.6, 0.9, 0.8])
    b = sized(2, [1500, *[1] * 7], [0.06] * 8, first=100)
    found = compare(a, b, spec, replicates=500)
    assert found.difference < -0.7
    assert found.interval.high < -0.6
    assert found.p is not None
    assert found.p < 0.01
    assert "studentised" in found.method
    assert "interval excludes 0" not in found.sentence


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 100])  # paired, unpaired
def test_documents_of_very_unequal_size_hold_the_level(first: int) -> None:
    p = []
    for seed in range(120):
        rng = np.random.default_rng(seed)
        sizes = [np.maximum(2, np.exp(2 + 1.5 * rng.normal(size=10))).astype(int).tolist() for _ in range(2)]
        a, b = (
            sized(2 * seed + k, sizes[k if first else 0], rng.uniform(0.4, 1, 10).tolist(), first * k) for k in (0, 1)
        )
        found = permute(a, b, measure("f1"), not first, 99, Run(seed))
        assert found is not None
        p.append(found.p)
    assert np.mean(p) == pytest.approx(0.5, abs=0.1)
    assert np.mean(np.array(p) <= 0.1) <= 0.1 + 3 * np.sqrt(0.09 / 120)


def test_interval_and_p_that_disagree_are_explained() -> None:
    found = compare(units(1), units(2), "f1", replicates=200)
    low, high = found.interval.low, found.interval.high
    text = replace(found, p=0.2, interval=replace(found.interval, low=-0.4, high=-0.1)).sentence
    assert "may be zero. The interval excludes 0 although p is not significant: " in text
    text = replace(found, p=0.01, interval=replace(found.interval, low=-0.4, high=0.1)).sentence
    assert "The interval includes 0 although p is significant: " in text
    text = replace(found, p=0.03, p_holm=0.2, interval=replace(found.interval, low=-0.4, high=-0.1)).sentence
    assert "The interval excludes 0 because it is not corrected for multiple comparisons." in text
    text = replace(found, p=0.2, interval=replace(found.interval, low=-1.0, high=1.0)).sentence
    assert "The interval" not in text
    assert low < high


def test_degrees_of_freedom_are_no_more_than_items() -> None:
    """Sets of one item count, too. Without them 54 items would have 819.6 degrees of freedom."""
    n = 54
    times, square = np.ones(n), np.full(n, 0.01)
    membership = np.ones(n, dtype=np.int64)
    membership[0], square[0] = 2, 2.0  # one item of the other study has most of the error
    df = _degrees(square, times, membership, float(square.sum()))
    assert 1 <= df < 2
    few = _degrees(np.ones(3), np.ones(3), np.array([1, 2, 3]), 3.0)
    assert few == 2
    both = compare(ratings(1, 54), renamed(ratings(2, 54), ["x", *map(str, range(2, 55))]), "alpha")
    assert both.df is not None
    assert both.df <= 54


def test_unconditional_interval_includes_sampling_of_annotators() -> None:
    """The same annotators in both: a jackknife of the difference. Different annotators: the sum of two variances."""
    a, b = ratings(1, 60, annotators=4), ratings(2, 60, annotators=4, right=0.9)
    given, sampled = compare(a, b, "alpha"), compare(a, b, "alpha", interval="unconditional")
    differences = [
        b_ - a_
        for a_, b_ in zip(
            sampled.a.details["without_annotator"].values(),
            sampled.b.details["without_annotator"].values(),
            strict=True,
        )
    ]
    jackknife = 3 / 4 * np.sum((np.array(differences) - np.mean(differences)) ** 2)
    assert sampled.se == pytest.approx(np.sqrt(given.se**2 + jackknife), rel=1e-12)
    assert sampled.interval.high - sampled.interval.low > 0
    assert (given.annotators, sampled.annotators) == ("given", "sampled")
    assert any("apply to these annotators" in note for note in given.tables()[0].notes)
    assert not any("apply to these annotators" in note for note in sampled.tables()[0].notes)
    rows = [[b.categories[int(c)] for c in row] for row in b.by_annotator[1].T]
    others = accord.Ratings.from_rows(rows, annotators=["E", "F", "G", "H"], categories=[0, 1, 2])
    apart = compare(a, others, "alpha", interval="unconditional")
    each = [apart.a.details["se_annotators"] ** 2, apart.b.details["se_annotators"] ** 2]
    assert apart.se == pytest.approx(np.sqrt(given.se**2 + sum(each)), rel=1e-12)
    with raises("undefined-value"):
        compare(ratings(1, annotators=2), ratings(2, annotators=2), "alpha", interval="unconditional")
    with raises("undefined-value"):
        compare(units(1), units(2), "f1", interval="unconditional", replicates=100)
    with raises("option-conflict"):
        compare(a, b, "alpha", interval="unconditional", method="bootstrap")


def test_joined_studies_keep_both_values() -> None:
    """The joined evidence gives the value of each study. Permutation tests rely on this."""
    for a, b, spec in (
        (ratings(1), ratings(2), "kappa"),
        (units(1), units(2), "u_alpha"),
        (segmentations(1), segmentations(2), "pk"),
        (texts(1, docs=5), texts(2, docs=4), "text_gamma(p_t=0.1,p_s=0)"),
    ):
        whole, chosen = join_studies(a, b), measure(spec)
        sample = chosen.sampled(chosen.observe(whole, Run()), Run())
        assert sample is not None
        in_a = np.array([name.startswith("a: ") for name in sample.names])
        values = sample.values(np.stack([in_a * sample.times, ~in_a * sample.times]))
        alone = [accord.score(x, spec, interval="none").value for x in (a, b)]
        assert values == pytest.approx(alone, abs=0.03 if "text" in spec else 1e-12)  # tγ samples chance


def test_several_comparisons_are_corrected() -> None:
    assert holm([0.01, 0.04, 0.03, None]) == [0.03, 0.06, 0.06, None]
    assert holm([]) == []
    studies = {"one": ratings(1), "two": ratings(2), "three": ratings(3, right=0.95)}
    found = compare_all(studies, ["alpha"])
    assert [c.names for c in found] == [("one", "two"), ("one", "three"), ("two", "three")]
    assert [c.p_holm for c in found] == holm([c.p for c in found])
    assert all("Holm's correction for 3 comparisons" in c.sentence for c in found)
    [single] = correct_for_several([compare(studies["one"], studies["two"], "alpha")])
    assert single.p_holm is None


def test_groups_of_annotators_are_compared_within_and_between() -> None:
    """Two models with equal labels agree with each other, but not with people."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 120)
    people = np.where(rng.random((120, 3)) < 0.85, truth[:, None], rng.integers(0, 3, (120, 3)))
    copied = rng.integers(0, 3, 120)
    rows = np.column_stack([people, copied, copied])
    data = accord.Ratings.from_rows(rows, annotators=["Ana", "Ben", "Chloé", "m1", "m2"])
    found = compare_groups(data, {"people": ["Ana", "Ben", "Chloé"], "models": ["m1", "m2"]}, "alpha")
    assert found.within["models"].value == 1.0
    pairs = [accord.alpha(data.keep(np.isin(data.annotator, pair))).value for pair in ((0, 1), (0, 2), (1, 2))]
    assert found.within["people"].value == pytest.approx(np.mean(pairs), abs=1e-12)
    assert abs(found.between["people – models"].value) < 0.15
    by_names = {c.names: c for c in found.comparisons}
    assert by_names["within people", "m1 with people"].difference < -0.4
    assert by_names["within people", "m1 with people"].p_holm < 1e-6
    assert by_names["within people", "m1 with people"].comparisons == 4
    for groups, words in (
        ({"people": ["Ana"], "models": ["m11"]}, "unknown-name"),
        ({"people": ["Ana", "Ben"]}, "option-missing"),
        ({"people": ["Ana", "Ben"], "models": ["Ana"]}, "option-value"),
        ({"people": ["Ana", "Ben"], "models": []}, "option-value"),
    ):
        with raises(words):
            compare_groups(data, groups, "alpha")


def test_groups_of_annotators_are_compared_on_units() -> None:
    found = compare_groups(units(1, docs=6), {"people": ["A1", "A2"], "models": ["A3"]}, "f1", replicates=200)
    assert found.within["people"].details["pairs"] == 1
    assert found.between["people – models"].details["pairs"] == 2
    assert len(found.comparisons) == 1


def test_incomparable_data_are_refused() -> None:
    a = ratings(1)
    other = renamed(ratings(2), [f"x{k}" for k in range(40)])
    with raises("nothing-shared"):
        compare(a, other, "alpha", paired=True)
    with raises("nothing-shared"):
        compare(units(1, docs=2), units(1, docs=2, first=50), "u_alpha", paired=True)
    with raises("too-few"):
        compare(units(1, docs=1), units(2, docs=3), "u_alpha")
    same = accord.Ratings.from_rows([["x", "x"]] * 5)
    with raises("undefined-value"):
        compare(accord.Ratings.from_rows([["x", "y"], ["y", "y"], ["x", "x"]]), same, "kappa")
    with raises("measure-for-other-data"):
        compare(a, units(1), "alpha")
    with raises("option-missing"):
        compare(a)
    with raises("measure-for-other-data"):
        compare(units(1), units(2), "f1", method="linearised")
    with raises("unknown-name"):
        compare(a, a, "alpha", method="bootstap")

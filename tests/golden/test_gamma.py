"""Golden cases of pygamma.json and dkpro/aligning.json: γ in the tests of pygamma-agreement and DKPro Statistics."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.measures.chance.drawing import Annotations, annotations_of, continuum_facts, draw_statistical
from accord.measures.chance.expected import expected_disorder
from accord.measures.chance.sampling import Sampling, samples_needed
from accord.measures.dissimilarities import Combined, label_distance, label_table
from accord.measures.units.gamma import Gamma

from ..refusals import raises

Golden = Callable[[str], Any]

# Cases where accord differs on purpose or has no answer, with the reason.
NOT_FOLLOWED = {
    "disorder-unitary-nominalfeature": "d(∅,∅) = 0 there; the paper has Δ∅ (4.4.1), which gives 1 for the last",
    "disorder-alignment-nominalfeature": "the same: 0.5 there, 0.75 as γ is defined",
    "d-nominal-feature": "features beside the label are not compared, and d(∅,∅) = 0 there",
}
# accord uses n − 1 in σ and rounds n₀ as in the paper (5.3): 512 samples. DKPro divides by n and rounds up: 385.
OTHER_NUMBER_OF_SAMPLES = {"gamma-expected-topup": 512}
# The disorder is unique, but these alignments are not: a pair that costs 2Δ costs the same as two single units.
SEVERAL_BEST = ("2by1000.csv-pos1", "2by2000.csv-pos1")

FIXTURES = tuple(
    f"pygamma-fixture_{name}"
    for name in (
        "01_two_annotators_simple",
        "02_unequal_counts",
        "03_identical_perfect",
        "04_three_annotators",
        "05_larger_two_annotators",
    )
)
SOLVED = (*FIXTURES, "solver-identical", "solver-consistency-2x2", "solver-pruning", "gamma-perfect")
ALONE = (
    "gamma-expected-no-precision",
    "gamma-expected-topup",
    "gamma-errors",
    "sampler-statistics",
    "sampler-zero-sd",
    "sampler-unlabelled",
    "d-precomputed",
    "d-combined",
    "mathet2015-sampling-size",
    "mathet2015-scale-invariance",
)


def all_cases(golden: Golden) -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in golden("dkpro/aligning.json")["cases"]}


def columns_of(rows: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Return columns from rows of annotator, start, end, label."""
    return {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))}


def corpus_of(rows: Sequence[Sequence[Any]]) -> accord.Corpus:
    corpus = accord.read(columns_of(rows))
    assert isinstance(corpus, accord.Corpus)
    return corpus


def units_of(case: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the units, which are dictionaries in some cases and lists in others."""
    return [
        (u["rater"], u["start"], u["end"], u["category"]) if isinstance(u, dict) else tuple(u)
        for u in case["data"]["units"]
    ]


def annotations(case: dict[str, Any]) -> Annotations:
    return annotations_of(corpus_of(units_of(case)), np.array([0]))


def disorder(corpus: accord.Corpus, measure: Any = "gamma") -> float:
    """Return the disorder of the best alignment (eq. 7)."""
    found = accord.align(corpus, measure)
    assert found.gap == 0
    return float(found.disorder.sum()) / (len(corpus) / corpus.n_annotators)


def test_every_case_is_tested_or_listed(golden: Golden) -> None:
    assert set(all_cases(golden)) == {*SOLVED, *ALONE, *NOT_FOLLOWED}
    assert len(SOLVED) + len(ALONE) + len(NOT_FOLLOWED) == len(golden("dkpro/aligning.json")["cases"])


# -- the public files of pygamma-agreement ---------------------------------------------------------------------


def without_duplicates(path: Path) -> accord.Corpus:
    """Read the file; pygamma-agreement counts repeated rows as one unit."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = dict.fromkeys(tuple(row) for row in csv.reader(file) if row)
    return corpus_of([(who, float(start), float(end), label) for who, label, start, end in rows])


def test_observed_disorder_of_the_public_files_equals_the_golden_values(golden: Golden, corpora: Path) -> None:
    folder = corpora / "native-samples" / "pygamma-csv"
    cases = golden("pygamma.json")["cases"]
    for case in cases:
        corpus = without_duplicates(folder / case["file"])
        for who, number in (case["units_per_annotator"] or {}).items():
            assert len(corpus["document"][who]) == number, case["id"]
        measure = Gamma(case["positional"], case["categorical"], case["delta"])
        assert disorder(corpus, measure) == pytest.approx(case["observed_disorder"], abs=1e-9), case["id"]
        if case["id"] not in SEVERAL_BEST:
            assert len(accord.align(corpus, measure)) == case["unitary_alignments"], case["id"]
    assert len(cases) == 15


def test_public_files_are_recognised_without_a_header(golden: Golden, corpora: Path) -> None:
    folder = corpora / "native-samples" / "pygamma-csv"
    for case in golden("pygamma.json")["cases"]:
        direct, collapsed = accord.read(folder / case["file"]), without_duplicates(folder / case["file"])
        assert isinstance(direct, accord.Corpus)
        assert direct.annotators == collapsed.annotators
        repeated = len(direct) - len(collapsed)
        assert any("repeated" in note for note in direct.notes) == (repeated > 0), case["id"]


def test_largest_public_file_is_scored(corpora: Path) -> None:
    """The file has 2 × 5,000 units (gamma.md)."""
    corpus = without_duplicates(corpora / "native-samples" / "pygamma-csv" / "2by5000.csv")
    assert disorder(corpus) == pytest.approx(0.654213, abs=5e-7)


def test_alignment_that_is_not_unique_has_six_or_seven_parts(corpora: Path) -> None:
    """With a positional weight of 3, six and seven unitary alignments are equally good (note in pygamma.json)."""
    corpus = without_duplicates(corpora / "native-samples" / "pygamma-csv" / "AlexPaulSuzan.csv")
    assert len(accord.align(corpus, "gamma(positional=3)")) in {6, 7}


# -- the cases of DKPro Statistics -----------------------------------------------------------------------------


def test_disorders_equal_the_golden_values(golden: Golden) -> None:
    cases = all_cases(golden)
    for name in SOLVED:
        case = cases[name]
        found = disorder(corpus_of(units_of(case)))
        assert found == pytest.approx(case["expected"]["best_alignment_disorder"], rel=1e-5, abs=1e-9), name
        # The printed values are float32; these are recomputed.
        assert found == pytest.approx(case["recomputed"]["best_alignment_disorder"], abs=1e-9), name


def test_disorders_of_sampled_continua_equal_the_golden_values(golden: Golden) -> None:
    """pygamma-agreement drew these continua, with overlapping and negative positions in millionths."""
    cases = all_cases(golden)
    for name in FIXTURES:
        scale = cases[name]["sampled_continua_scale"]
        for sample in cases[name]["sampled_continua"]:
            rows = [(who, start / scale, end / scale, label) for who, start, end, label in sample["units"]]
            assert disorder(corpus_of(rows)) == pytest.approx(sample["recomputed"], abs=1e-9), name
            whole = [(who, start, end, label) for who, start, end, label in sample["units"]]
            assert disorder(corpus_of(whole)) == pytest.approx(sample["recomputed"], abs=1e-9), name


def test_dissimilarities_of_pairs_equal_the_golden_values(golden: Golden) -> None:
    cases = all_cases(golden)
    checked = 0
    for name in FIXTURES:
        corpus = corpus_of(units_of(cases[name]))
        rows = {who: np.flatnonzero(corpus.annotator == k) for k, who in enumerate(corpus.annotators)}
        for pair in cases[name]["expected"]["pair_dissimilarities"]:
            u = rows[pair["annotatorA"]][[pair["unitIndexA"]]]
            v = rows[pair["annotatorB"]][[pair["unitIndexB"]]]
            combined = Combined()
            found = (combined.position(corpus, u, v), combined.category(corpus, u, v), combined.between(corpus, u, v))
            given = (pair["positional"], pair["categorical"], pair["combined"])
            # pygamma-agreement uses float32
            assert np.concatenate(found) == pytest.approx(given, rel=1e-6), name
            checked += 1
    assert checked > 290


def test_gamma_with_the_same_sampler_is_close_to_the_golden_value(golden: Golden) -> None:
    """Two Monte Carlo estimates of 30 samples each, with the tolerance ± 0.2 of the case."""
    cases = all_cases(golden)
    for name in FIXTURES:
        score = accord.score(corpus_of(units_of(cases[name])), "gamma(chance=statistical)")
        assert score.value == pytest.approx(cases[name]["expected"]["gamma_montecarlo"], abs=0.2), name
    last = cases[FIXTURES[-1]]
    score = accord.score(corpus_of(units_of(last)), "gamma(chance=statistical,samples=300)")
    assert score.expected == pytest.approx(last["expected"]["expected_disorder_montecarlo"], rel=0.15)
    perfect = accord.score(corpus_of(units_of(cases["gamma-perfect"])), "gamma")
    assert perfect.value == cases["gamma-perfect"]["expected"]["gamma"]


def run_scripted_samples(case: dict[str, Any]) -> tuple[float, int]:
    """Return the expected disorder and the number of samples for given disorders of the samples."""
    values = case["data"]["scripted_samples"]
    after = case["data"].get("then_constant")
    drawn_so_far = 0

    def align(units: Any) -> Any:
        nonlocal drawn_so_far
        many = len(units.annotators)
        which = range(drawn_so_far, drawn_so_far + many)
        drawn_so_far += many
        each = np.array([values[k] if k < len(values) else after for k in which], dtype=np.float64)
        return SimpleNamespace(totals=each * units.per_annotator, gap=np.zeros(len(units.annotators)))

    source = annotations_of(corpus_of([("A", 0, 4, "a"), ("B", 9, 30, "b")]), np.array([0]))
    sampling = Sampling("shift", case["data"]["n_samples"], case["data"]["precision"])
    found = expected_disorder(source, source, sampling, align, Run())
    assert found.samples == drawn_so_far
    return float(found.disorder[0]), found.samples


def test_expected_disorder_of_scripted_samples_equals_the_golden_value(golden: Golden) -> None:
    cases = all_cases(golden)
    for name in ("gamma-expected-no-precision", "gamma-expected-topup"):
        expected = cases[name]["expected"]
        found, samples = run_scripted_samples(cases[name])
        assert found == pytest.approx(expected["expected_disorder"], abs=1e-12)
        assert samples == OTHER_NUMBER_OF_SAMPLES.get(name, expected["draws"])


def test_invalid_input_of_the_golden_cases_is_refused(golden: Golden) -> None:
    assert set(all_cases(golden)["gamma-errors"]["expected"]) == {
        "no_annotation_set", "one_rater", "precision_1.5", "precision_0", "n_samples_0",
        "no_sampler_expected",  # accord always has a sampler
        "product_gt_50000000",  # accord aligns it exactly: see below
    }  # fmt: skip
    with pytest.raises(accord.DataError):
        accord.gamma({"annotator": [], "start": [], "end": []})
    with raises("annotators-needed"):
        accord.gamma(columns_of([("A", 0, 1, "a"), ("A", 2, 3, "a")]))
    for wrong in ("precision=1.5", "precision=0", "samples=0"):
        with pytest.raises(accord.SpecError):
            accord.measure(f"gamma({wrong})")
    many = [(who, 10 * k + shift, 10 * k + shift + 5, "a") for shift, who in enumerate("ABC") for k in range(400)]
    assert disorder(corpus_of(many)) == pytest.approx((2 * (2 / 10) ** 2 + (4 / 10) ** 2) / 3)


def test_parameters_of_the_statistical_sampler_equal_the_golden_values(golden: Golden) -> None:
    case = all_cases(golden)["sampler-statistics"]
    known, expected = continuum_facts(annotations(case)), case["expected"]
    for what, (mean, spread) in (("units", known.units), ("gap", known.gaps), ("duration", known.lengths)):
        assert mean[0] == pytest.approx(expected[f"mean_{what}"], abs=1e-12)
        assert spread[0] == pytest.approx(expected[f"sd_{what}"], abs=1e-12)


def test_samples_have_no_spread_if_the_data_have_none(golden: Golden) -> None:
    case = all_cases(golden)["sampler-zero-sd"]
    source, expected = annotations(case), case["expected"]
    for seed in range(50):
        units = draw_statistical(source, np.random.default_rng(seed))
        each = np.bincount(units.annotator, minlength=2)
        assert each.tolist() == [expected["units_per_rater_in_every_sample"]] * 2
        assert units.end - units.start == pytest.approx(expected["duration_of_every_sampled_unit"])


def test_categories_are_drawn_in_proportion_to_their_frequency(golden: Golden) -> None:
    for name in ("sampler-statistics", "sampler-unlabelled"):
        case = all_cases(golden)[name]
        source = annotations(case)
        labels = np.concatenate([draw_statistical(source, np.random.default_rng(seed)).label for seed in range(3000)])
        for category, weight in zip(case["expected"]["categories"], case["expected"]["weights"], strict=True):
            code = -1 if category is None else ["a", "b"].index(category)
            error = np.sqrt(weight * (1 - weight) / len(labels))
            assert (labels == code).mean() == pytest.approx(weight, abs=4 * error), name


def test_matrix_of_category_distances_equals_the_golden_values(golden: Golden) -> None:
    case = all_cases(golden)["d-precomputed"]
    labels = case["data"]["labels"]
    corpus = corpus_of([("A", k, k + 1, label) for k, label in enumerate(labels)])
    distance = label_distance(case["data"]["matrix"])
    for a, b, delta, value in case["expected"]["pairs"]:
        combined = Combined(label_table(distance, corpus.categories), delta=delta)
        u, v = (np.array([labels.index(label)]) for label in (a, b))
        assert combined.category(corpus, u, v).tolist() == [value]
        # The same distance in a whole alignment of two equal units with these labels.
        both = accord.read(columns_of([("A", 0, 1, a), ("B", 0, 1, b)]), categories=labels)
        found = accord.align(both, Gamma(distance=case["data"]["matrix"], delta=delta))
        assert float(found.disorder.sum()) == pytest.approx(value)
    for wrong in (
        [[0, 0.5], [0.5, 0]],  # c is unknown
        [[0, 0.5, 0.9], [0.5, 0, 0.2]],
        [[0, 0.5, 0.9], [0.5, 0, 0.3], [0.9, 0.2, 0]],
        [[0.1, 0.5, 0.9], [0.5, 0, 0.2], [0.9, 0.2, 0]],
    ):
        with pytest.raises(accord.AccordError):
            label_table(label_distance(wrong), corpus.categories)


def test_combined_dissimilarity_equals_the_golden_values(golden: Golden) -> None:
    case = all_cases(golden)["d-combined"]
    rows = [("A", *case["data"]["u"]), ("B", *case["data"]["v"])]
    corpus, expected = corpus_of(rows), case["expected"]
    u, v = np.array([0]), np.array([1])
    assert Combined().between(corpus, u, v).tolist() == [expected["alpha1_beta1"]]
    assert Combined(None, 3.0, 2.0).between(corpus, u, v).tolist() == [expected["alpha3_beta2"]]
    # A unit without counterpart costs Δ∅ with any weights.
    far = corpus_of([rows[0], ("B", 500, 501, "B")])
    alone = accord.align(far, "gamma(positional=3,categorical=2,delta=1.5)").disorder
    assert alone.tolist() == [expected["empty_alpha3_beta2_delta1.5"]] * 2


def test_number_of_samples_equals_the_golden_value(golden: Golden) -> None:
    case = all_cases(golden)["mathet2015-sampling-size"]
    data, again = case["data"], case["recomputed"]
    sigma = np.sqrt(data["n"] / (data["n"] - 1)) * data["sd_sample"]
    for key, precision in (("n0_2", 0.02), ("n0_1", 0.01)):
        # the case uses U₀.₉₇₅ = 1.96
        assert samples_needed(sigma / data["mean"], precision) == pytest.approx(again[key], rel=1e-4)


def test_gamma_is_invariant_to_scale(golden: Golden) -> None:
    case = all_cases(golden)["mathet2015-scale-invariance"]
    for key in ("a", "b"):
        corpus = corpus_of([(who, *unit, "x") for who, unit in zip("AB", case["data"][key], strict=True)])
        assert Combined().position(corpus, np.array([0]), np.array([1])) == pytest.approx(case["recomputed"][key])
        assert disorder(corpus) == pytest.approx(case["recomputed"][key])


def test_differing_cases_follow_the_definition_of_the_paper(golden: Golden) -> None:
    """The cases have d(∅,∅) = 0. accord uses their dissimilarity with Δ∅ of the paper."""
    assert all_cases(golden)["disorder-unitary-nominalfeature"]["expected"]["values"] == pytest.approx(
        [0, 2 / 3, 2 / 3]
    )

    def equal(u: Any, v: Any) -> Any:
        return ((u.start != v.start) | (u.end != v.end)).astype(float)

    corpus = corpus_of([("1", 0, 3, "x"), ("2", 0, 3, "x"), ("3", 0, 3, "x"), ("3", 3, 4, "x")])
    measure = Gamma(dissimilarity=accord.dissimilarity(equal))
    assert accord.align(corpus, measure).disorder.tolist() == [0, 1]
    assert disorder(corpus, measure) == pytest.approx(0.75)

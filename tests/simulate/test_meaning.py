"""`meaning`: known errors are recovered; consensus, mixture and wording are right."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.answers.gold.consensus import consensus
from accord.answers.simulate.errors import error_type, number_in_words, one_in, part_of
from accord.answers.simulate.generate import generate
from accord.answers.simulate.grounds import Ground
from accord.answers.simulate.judging import make_judge
from accord.answers.simulate.meaning import MixtureSearch, _match, _standard, fitting_errors, meaning
from accord.answers.simulate.shuffle import Reference, reference_of, shuffle
from accord.answers.simulate.xray import Curve
from accord.core.context import Run

from ..refusals import raises

GOLD = generate(units=25, categories=4, prevalence=(0.4, 0.3, 0.2, 0.1), seed=1)
TEXT = generate(units=40, categories=0, segmentation=True, seed=1)
QUICK = {"step": 0.5, "sets": 4, "jobs": 1}
MOST = {"false_negative": 0.4, "shift": 0.5, "category": 0.7, "fragment": 0.4, "false_positive": 0.4}
SIMULATIONS = "ACCORD_SIMULATIONS" in os.environ


@pytest.mark.slow
@pytest.mark.parametrize(("error", "magnitude"), [("false_negative", 0.25), ("category", 0.4), ("shift", 0.3)])
def test_known_magnitude_is_recovered_within_its_limits(error: str, magnitude: float) -> None:
    made = shuffle(GOLD, error, magnitude=magnitude, seed=11)
    found = meaning(made, "gamma", gold=GOLD, errors=[error], step=0.2, sets=10, seed=2, jobs=1)
    match = found.matches[0]
    assert match.magnitude is not None
    assert match.low <= magnitude <= match.high
    assert abs(match.magnitude - magnitude) < 0.25


@pytest.mark.slow
def test_limits_cover_the_true_magnitude_nearly_always() -> None:
    inside = 0
    for seed in range(12):
        made = shuffle(GOLD, "false_negative", magnitude=0.3, seed=seed)
        match = meaning(made, "ser", gold=GOLD, errors=["false_negative"], step=0.2, sets=10, jobs=1).matches[0]
        inside += match.low <= 0.3 <= match.high
    assert inside >= 10


def test_consensus_is_near_the_truth() -> None:
    made = shuffle(GOLD, ["combination([shift,category,false_negative])"] * 5, magnitude=[0.3] * 5, seed=1)
    assert isinstance(made, accord.Corpus)
    found = consensus(made)
    assert found.data.n_annotators == 1
    assert len(found.data) == pytest.approx(25, abs=2)
    pair = accord.read(
        {
            "annotator": ["gold"] * 25 + ["consensus"] * len(found.data),
            "start": np.concatenate([GOLD.start, found.data.start]).tolist(),
            "end": np.concatenate([GOLD.end, found.data.end]).tolist(),
            "label": np.concatenate([GOLD.label, found.data.label]).tolist(),
        }
    )
    assert accord.gamma(pair, seed=1).value > 0.85
    assert (found.support >= 2.5).all()


def test_consensus_uses_majority_and_median() -> None:
    rows = [
        ("a", 0, 10, "x"),
        ("b", 2, 10, "x"),
        ("c", 4, 13, "y"),
        ("a", 50, 60, "x"),
        ("b", 51, 60, "y"),
        ("c", 90, 95, "x"),
    ]
    corpus = accord.read(
        {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))},
        extents=(0, 100),
    )
    found = consensus(corpus)
    assert [tuple(u) for u in found.data["document"]["consensus"]] == [(2, 10, "x"), (51, 60, "x")]
    assert found.support.tolist() == [3, 2]
    assert found.rates.missing == pytest.approx(1 / 6)
    assert found.rates.extra == pytest.approx(1 / 6)
    assert found.rates.wrong == pytest.approx(2 / 5)
    assert sum(found.rates.disorder.values()) == pytest.approx(1)


def test_splits_are_recognised() -> None:
    made = shuffle(GOLD, "fragment", magnitude=[0.0, 0.0, 0.0, 0.6], annotators=4, seed=3)
    rates = consensus(made).rates
    assert rates.split > 3 * rates.extra
    assert rates.missing < 0.05


def test_consensus_of_boundaries_uses_majority_and_median() -> None:
    data = accord.Segmentations.from_boundaries({"a": [10, 50, 97], "b": [11, 50], "c": [12, 73]}, length=100)
    found = consensus(data)
    assert found.data.boundaries("document", "consensus").tolist() == [11, 50]
    assert found.rates.missing == pytest.approx(1 / 6)
    assert found.rates.extra == pytest.approx(2 / 6)


def test_nearest_boundaries_are_grouped_first() -> None:
    data = accord.Segmentations.from_boundaries({"a": [7, 30], "b": [17, 31], "c": [19, 32]}, length=45)
    found = consensus(data)  # from the left, 7 and 17 would be grouped; a third boundary is too far
    assert found.data.boundaries("document", "consensus").tolist() == [18, 31]
    assert found.support.tolist() == [2, 3]


@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_moved_boundaries_are_recognised_as_moved(annotators: int) -> None:
    text = generate(units=80, categories=0, segmentation=True, seed=1)
    near = consensus(shuffle(text, "shift", magnitude=0.1, annotators=annotators, seed=5)).rates
    assert (near.missing, near.extra) == (0, 0)
    far = consensus(shuffle(text, "shift", magnitude=0.2, annotators=annotators, seed=5)).rates
    assert far.shift > far.missing + far.extra
    missed = consensus(shuffle(text, "false_negative", magnitude=0.2, annotators=annotators, seed=5)).rates
    assert missed.missing > 0.1 > 10 * missed.shift


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["gamma", "gamma_cat", "u_alpha", "cu_alpha", "ser", "f1", "kappa_d", "theta"])
def test_meaning_works_for_measures_on_units(spec: str) -> None:
    made = shuffle(GOLD, "combination([shift(overlap=false),category])", magnitude=0.4, seed=1)
    found = meaning(made, spec, **QUICK)
    text = str(found)
    assert f"{found.value:.2f}" in text
    assert any(match.magnitude is not None for match in found.matches)
    for match in found.matches:
        assert match.magnitude is None or 0 <= match.low <= match.magnitude <= match.high <= 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["window_diff", "pk", "boundary_similarity", "pi_star", "alpha_boundaries", "gamma"])
def test_meaning_works_for_measures_on_segmentations(spec: str) -> None:
    made = shuffle(TEXT, "shift", magnitude=0.15, seed=1)
    found = meaning(made, spec, **QUICK)
    assert {str(match.error) for match in found.matches} == {"false_negative", "shift", "false_positive"}
    assert found.matches[1].magnitude is not None


def find_mixture(error: str, magnitude: float, annotators: int = 3, seed: int = 1, units: int = 40) -> dict[str, float]:
    """The errors found in annotations with a known error, and their magnitudes."""
    gold = generate(units=units, categories=4, seed=1)
    made = shuffle(gold, error, magnitude=magnitude, annotators=annotators, seed=seed)
    agreed = consensus(made)
    most = {error_type(e): m for e, m in MOST.items()}
    found = MixtureSearch(
        agreed, Reference(agreed.data, agreed.seats), most, annotators, None, 6, Run(seed, jobs=1)
    ).search()
    assert found is not None
    return dict(zip((part.name for part in found.parts), found.magnitudes(1.0), strict=True))


@pytest.mark.slow
def test_unit_missed_by_two_of_three_is_not_an_addition() -> None:
    """Counted from the consensus, misses of 0.3 are misses of 0.2 and additions of 0.1."""
    gold = generate(units=40, categories=4, seed=1)
    rates = consensus(shuffle(gold, "false_negative", magnitude=0.3, seed=1)).rates
    assert rates.extra > 0.05
    assert find_mixture("false_negative", 0.3) == {"false_negative": pytest.approx(0.3, abs=0.1)}


@pytest.mark.slow
@pytest.mark.parametrize(("error", "magnitude"), [("false_positive", 0.25), ("shift", 0.2), ("category", 0.4)])
def test_simulated_errors_are_recognised_by_kind(error: str, magnitude: float) -> None:
    assert find_mixture(error, magnitude) == {error: pytest.approx(magnitude, abs=0.12)}


def test_sets_are_sent_to_workers_without_the_progress_bar() -> None:
    agreed = consensus(shuffle(GOLD, "shift", magnitude=0.2))
    run = Run(1, progress=lambda *_: None)
    mixing = MixtureSearch(agreed, Reference(agreed.data, agreed.seats), {error_type("shift"): 1.0}, 3, None, 5, run)
    drawn = pickle.loads(pickle.dumps(mixing._drawn))  # noqa: S301
    task = (np.array([0.3]), 2)
    assert (drawn(task) == mixing._drawn(task)).all()


@pytest.mark.slow
def test_mixture_recovers_its_parts() -> None:
    parts = find_mixture("combination([false_negative,shift,category],shares=[0.5,0.7,1])", 0.4)
    assert parts == {
        "false_negative": pytest.approx(0.2, abs=0.1),
        "shift": pytest.approx(0.28, abs=0.1),
        "category": pytest.approx(0.4, abs=0.15),
    }


@pytest.mark.slow
@pytest.mark.skipif(not SIMULATIONS, reason="many corpora: make papers")
@pytest.mark.parametrize("annotators", [3, 4, 5])
@pytest.mark.parametrize(
    ("error", "magnitude"),
    [
        ("false_negative", 0.1),
        ("false_negative", 0.3),
        ("false_positive", 0.1),
        ("false_positive", 0.25),
        ("shift", 0.1),
        ("shift", 0.25),
        ("category", 0.2),
        ("category", 0.4),
    ],
)
def test_simulated_error_is_found_with_its_size(error: str, magnitude: float, annotators: int) -> None:
    """In most of three corpora only the right error is found, and its magnitude is right on average."""
    found = [find_mixture(error, magnitude, annotators, seed) for seed in range(3)]
    assert sum(set(parts) == {error} for parts in found) >= 2
    # Both the corpora and the six sets of annotators are random. Shares of wrong labels of a set vary by an eighth (see
    # docs/shuffling.md), so sets have different seeds; otherwise the errors would not average out.
    off = 0.3 * magnitude + 0.03
    assert np.mean([parts.get(error, 0.0) for parts in found]) == pytest.approx(magnitude, abs=off)


def test_explanation_names_error_range_and_observed_differences() -> None:
    made = shuffle(GOLD, "false_negative", magnitude=0.2, seed=5)
    text = str(meaning(made, "gamma", gold=GOLD, errors=["false_negative", "category"], step=0.25, sets=5, jobs=1))
    assert text.startswith("γ = 0.")
    assert "three annotators reach this value if they each miss 1 unit in" in text
    assert "gold standard" in text
    assert "95% of simulated sets with these errors have values from " in text
    assert "not a confidence interval of the value" in text
    assert "Observed differences of an annotator from the consensus: missing " in text
    assert "with few annotators misses look like additions" in text
    assert "[" not in text.splitlines()[0]
    two = consensus(shuffle(GOLD, "false_negative", magnitude=0.2, annotators=2, seed=5)).rates
    assert "additions look like misses" in " ".join(two.in_words(2))


def test_measures_find_the_same_errors() -> None:
    """The annotations determine the type of error, the value its magnitude."""
    made = shuffle(generate(units=40, categories=4, seed=1), "false_negative", magnitude=0.3, seed=1)
    for spec in ("ser", "f1"):
        found = meaning(made, spec, errors=["false_negative", "false_positive"], step=0.25, sets=5, jobs=1)
        assert found.mixture is not None
        assert str(found.mixture.error) == "false_negative"
        assert found.mixture.low <= 0.3 <= found.mixture.high
        assert "false_negative alone explains the differences between annotators best" in str(found)


def test_value_that_no_error_gives_is_reported() -> None:
    made = shuffle(GOLD, "false_negative", magnitude=0.9, seed=5)
    found = meaning(made, "ser", gold=GOLD, errors=["category"], **QUICK)
    assert found.matches[0].magnitude is None
    assert "not reached" in str(found)
    assert "no single type of error" in str(found)


def test_perfect_value_needs_no_error() -> None:
    made = shuffle(GOLD, "shift", magnitude=0.0)
    assert str(meaning(made, "gamma", **QUICK)) == (
        "γ = 1: the measure finds no disagreement, so there is no error to explain."
    )


def test_mixture_that_does_not_give_the_value_is_reported() -> None:
    found = replace(meaning(shuffle(GOLD, "shift", magnitude=0.3), "ser", **QUICK), value=-9.0)
    match = replace(found.matches[0], magnitude=None)
    text = str(replace(found, mixture=match))
    assert "does not give the value at any magnitude." in text


def test_gold_standard_explains_data_without_consensus() -> None:
    rows = [("a", 0, 5, "x"), ("b", 20, 25, "y"), ("c", 40, 45, "x")]
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("annotator", "start", "end", "label"))}
    corpus = accord.read(columns)
    with raises("nothing-annotated"):
        meaning(corpus, "ser", **QUICK)
    gold = accord.read({**columns, "annotator": ["gold"] * 3})
    found = meaning(corpus, "ser", gold=gold, **QUICK)
    assert found.rates is None
    assert found.mixture is None
    assert "gold standard" in str(found)
    assert "no consensus" in str(found)


def test_gold_standard_keeps_the_documents_of_each_annotator() -> None:
    docs, who = ["d1", "d1", "d2", "d2", "d3", "d3"], ["a", "b", "b", "c", "c", "d"]
    places = {"start": [0, 1, 5, 5, 9, 9], "end": [4, 4, 8, 8, 12, 14], "label": ["x"] * 6}
    corpus = accord.read({"doc": docs, "annotator": who, **places})
    gold = accord.read({"doc": ["d3", "d1", "d2"], "annotator": ["g"] * 3, "start": [9, 0, 5], "end": [12, 4, 8]})
    seats = _standard(gold, corpus).seats
    assert seats is not None
    seen = {(d, corpus.annotators[a]) for d, row in zip(gold.docs, seats.codes.tolist(), strict=True) for a in row}
    assert seen == set(zip(docs, who, strict=True))


def test_few_sets_give_wide_limits() -> None:
    curve = Curve("shift", "x", np.array([0.0, 1.0]), np.array([[1.0, 1.0], [0.2, -0.2]]))
    match = _match(error_type("shift"), curve, 0.5, Ground.of(GOLD))
    assert curve.spread.tolist() == pytest.approx([0, 0.4 / 2**0.5])
    # 0.5 = 1 − m ± t(1) · s(m) · √(1 + 1/2)
    reach = 12.706 * 0.4 / 2**0.5 * 1.5**0.5
    assert match.low == pytest.approx(0.5 / (1 + reach), abs=1e-3)
    assert match.high == 1.0


def test_meaning_is_reproducible() -> None:
    made = shuffle(GOLD, "shift", magnitude=0.2, seed=5)
    one, two = (meaning(made, "cu_alpha(overlaps=merge)", errors=["false_negative"], **QUICK) for _ in range(2))
    assert one.rows() == two.rows()


def test_bad_input_is_refused(tmp_path: Path) -> None:
    made = shuffle(GOLD, "shift", magnitude=0.2)
    with raises("annotators-needed"):
        meaning(GOLD, "gamma")
    with raises("measure-for-other-data"):
        meaning(made, "alpha")
    rated = accord.read([["a", "b"], ["b", "b"]])
    with raises("measure-for-other-data"):
        meaning(rated, "gamma")
    table = tmp_path / "table.csv"
    table.write_text(",a,b\na,5,1\nb,2,6\n", encoding="utf-8")
    with raises("counts-without-annotators"):
        meaning(
            str(table),
            "alpha",
            gold=accord.read({"item": [1, 2], "annotator": ["g", "g"], "label": ["a", "b"]}),
            layout="confusion",
        )
    with raises("measure-for-other-data"):
        meaning(rated, "alpha", gold=GOLD)


def test_rates_are_written_as_simple_fractions() -> None:
    assert one_in(0.2, "unit") == "1 unit in 5"
    assert one_in(0.29, "label") == "2 labels in 7"
    assert one_in(0.04, "unit") == "1 unit in 25"
    assert one_in(0.0, "boundary") == "no boundary"
    assert one_in(0.6, "boundary") == "3 boundaries in 5"
    assert part_of(1 / 3, "unit") == "a third of a unit"
    assert part_of(0.5, "unit") == "half a unit"
    assert part_of(0.12, "unit") == "an eighth of a unit"
    assert part_of(2.0, "unit") == "2.0 times the length of a unit"
    assert number_in_words(3) == "three"
    assert number_in_words(40) == "40"


def test_errors_without_overlap_are_used_only_where_needed() -> None:
    source = reference_of(GOLD, {})
    kept_apart = {
        spec: str(fitting_errors(make_judge(spec), source))
        for spec in ("cu_alpha", "cu_alpha(overlaps=pairs)", "gamma")
    }
    assert {spec: "overlap=false" in errors for spec, errors in kept_apart.items()} == {
        "cu_alpha": True,
        "cu_alpha(overlaps=pairs)": False,
        "gamma": False,
    }

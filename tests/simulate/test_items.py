"""Shuffled labels of items, the consensus of labels, and types of boundaries."""

from __future__ import annotations

import numpy as np
import pytest

import accord
from accord.answers.gold.consensus import consensus
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.meaning import meaning
from accord.answers.simulate.shuffle import Erring, Reference, one_set, shuffle
from accord.answers.simulate.xray import xray

from ..refusals import raises

LABELS = ["a", "b", "a", "c", "a"]
GOLD = accord.read({"item": list(range(300)), "annotator": ["gold"] * 300, "label": LABELS * 60})
SCALE = accord.read({"item": list(range(200)), "annotator": ["gold"] * 200, "label": [1, 2, 3, 4, 5] * 40})
TYPED = accord.Segmentations.from_boundaries(
    {"gold": {p: "minor" if p % 4 else "major" for p in range(2, 400, 2)}}, length=400
)


def table(ratings: accord.Ratings) -> np.ndarray:
    """Annotators × items, -1 where there is no label."""
    found = np.full((len(ratings.annotators), len(ratings.items)), -1)
    found[ratings.annotator, ratings.item] = ratings.label
    return found


def test_magnitude_0_gives_the_reference() -> None:
    made = shuffle(GOLD, "combination([category,false_negative])", magnitude=0.0)
    assert (table(made) == table(GOLD)).all()
    assert made.annotators == ("A1", "A2", "A3")
    assert list(made.items) == list(GOLD.items)


def test_shares_of_wrong_labels_follow_the_matrix() -> None:
    ground = Reference(GOLD).ground
    for spec in ("category", "category(prevalence=false)", "category(overlap=true)"):
        error = error_type(spec)
        for magnitude in (0.3, 1.0):
            made = table(shuffle(GOLD, error, magnitude=magnitude, annotators=60, seed=1))
            wrong = float((made != table(GOLD)).mean())
            assert wrong == pytest.approx(error.wrong(magnitude, ground), abs=0.015), (spec, magnitude)
            rows = np.array([[(made[:, table(GOLD)[0] == k] == j).mean() for j in range(3)] for k in range(3)])
            assert rows == pytest.approx(error.matrix(magnitude, ground), abs=0.03)


def test_labels_are_missing_with_the_probability_of_the_magnitude() -> None:
    made = table(shuffle(GOLD, "false_negative", magnitude=0.4, annotators=40, seed=1))
    assert float((made < 0).mean()) == pytest.approx(0.4, abs=0.02)
    assert ((made < 0) | (made == table(GOLD))).all()


def test_sets_in_a_batch_equal_sets_drawn_alone() -> None:
    source = Reference(GOLD)
    who = [Erring(error_type("category"), 0.4)] * 3
    batch = source.shuffled(who, [(7, 1), (7, 2), (7, 3)])
    part, alone = one_set(batch, 1, source.n_docs), source.shuffled(who, [(7, 2)])
    assert (table(part) == table(alone)).all()


def test_curves_of_measures_on_items_fall_from_1_to_0() -> None:
    specs = ["alpha", "kappa", "pi", "percent", "ac1"]
    found = xray(GOLD, "category", specs, step=0.5, sets=4, jobs=1)
    for curve in found.curves:
        assert curve.mean[0] == 1
        assert (np.diff(curve.mean) < 0).all()
    assert found["alpha"].mean[-1] == pytest.approx(0, abs=0.05)
    scale = xray(SCALE, "category", ["alpha(distance=ordinal)", "icc", "lin"], step=0.5, sets=4, jobs=1)
    assert all(curve.mean[-1] == pytest.approx(0, abs=0.1) for curve in scale.curves)
    usual = xray(GOLD, step=1.0, sets=2, jobs=1).curves[0]
    assert (usual.error, usual.measure) == ("category", "alpha")


def test_curve_is_undefined_without_labels() -> None:
    found = xray(GOLD, "false_negative", step=0.5, sets=2, jobs=1).curves[0]
    assert found.mean[:2].tolist() == [1, 1]
    assert np.isnan(found.mean[2])
    assert "there are no labels" in found.notes()[0]


def test_many_categories_need_no_matrix() -> None:
    numbers = accord.read({"item": list(range(20_000)), "annotator": ["g"] * 20_000, "label": np.arange(20_000.0) / 7})
    made = shuffle(numbers, "category", magnitude=0.5, annotators=2, seed=1)
    assert float((table(made) == table(numbers)).mean()) == pytest.approx(np.sqrt(0.5), abs=0.01)


@pytest.mark.parametrize("spec", ["alpha", "kappa", "fleiss", "percent", "alpha(distance=ordinal)", "icc", "s"])
def test_known_magnitude_is_recovered(spec: str) -> None:
    made = shuffle(SCALE, "category", magnitude=0.4, annotators=4, seed=2)
    for gold in (SCALE, None):
        match = meaning(made, spec, gold=gold, step=0.2, sets=6, jobs=1).matches[0]
        assert match.magnitude == pytest.approx(0.4, abs=0.12)
        assert match.low <= 0.4 <= match.high


def test_meaning_is_explained_in_words() -> None:
    made = shuffle(GOLD, "category", magnitude=0.4, seed=2)
    text = str(meaning(made, step=0.25, sets=4, jobs=1))
    assert text.startswith("α = 0.")
    assert "three annotators reach this value if they each confuse 1 label in" in text
    assert "relative to the most frequent labels" in text


def test_meaning_keeps_missing_labels_of_the_data() -> None:
    made = shuffle(GOLD, "category", magnitude=0.3, annotators=5, seed=2)
    sparse = made.keep((made.item + made.annotator) % 5 < 2)
    seen = []

    def labels(ratings: accord.Ratings) -> float:
        seen.append(np.bincount(ratings.item, minlength=300).tolist())
        return 1.0

    meaning(sparse, labels, step=1.0, sets=2, jobs=1)
    assert all(sizes == [2] * 300 for sizes in seen)


def test_consensus_is_the_most_frequent_label() -> None:
    rows = [["b", "b", "a"], ["a", "c", None], ["a", "b", "c"], [None, None, "c"], ["c", "a", "c"]]
    found = consensus(accord.read(rows))
    assert table(found.data)[0].tolist() == [1, 0, 1, 2, 2]
    assert found.support.tolist() == [2, 1, 1, 1, 2]
    assert found.rates.wrong == pytest.approx(5 / 12)
    assert found.seats.each.tolist() == [3, 2, 3, 1, 3]
    counted = accord.Ratings.from_confusion([[5, 1], [2, 4]], ["x", "y"])
    made = consensus(counted)
    assert len(made.data) == 12
    assert made.rates.wrong == pytest.approx(3 / 24)


def test_types_of_boundaries_are_confused() -> None:
    ground = Reference(TYPED).ground
    error = error_type("category")
    made = shuffle(TYPED, error, magnitude=0.6, annotators=40, seed=1)
    assert (made.position.reshape(40, -1) == TYPED.position).all()
    wrong = float((made.label.reshape(40, -1) != TYPED.label).mean())
    assert wrong == pytest.approx(error.wrong(0.6, ground), abs=0.02)
    both = accord.Segmentations.from_boundaries({"gold": {p: {"minor", "major"} for p in range(1, 99)}}, length=100)
    fewer = shuffle(both, error, magnitude=1.0, annotators=1, seed=1)
    assert len(np.unique(fewer.position)) == 98
    assert 98 + 30 < len(fewer) < 196 - 30


def test_consensus_of_boundary_types() -> None:
    given = {"a": {5: "x", 9: "y"}, "b": {5: "y", 9: "y"}, "c": {6: "x", 9: {"x", "y"}}}
    found = consensus(accord.Segmentations.from_boundaries(given, length=20))
    assert found.data.boundaries("document", "consensus").tolist() == [5, 9]
    assert [found.data.categories.names[k] for k in found.data.label] == ["x", "y"]
    assert found.rates.wrong == pytest.approx(2 / 6)
    made = shuffle(TYPED, "category", magnitude=0.5, seed=0)
    explained = meaning(made, "boundary_similarity", step=0.25, sets=3, jobs=1)
    match = next(m for m in explained.matches if str(m.error) == "category")
    assert match.magnitude == pytest.approx(0.5, abs=0.12)
    assert match.words.startswith("confuse 1 type in")


def test_bad_input_is_refused_in_one_line() -> None:
    two = accord.read([["a", "b"], ["a", "a"]])
    same = accord.read({"item": [1, 2], "annotator": ["g", "g"], "label": ["a", "a"]})
    made = shuffle(GOLD, "category", magnitude=0.3)
    other = accord.read({"item": [1, 2], "annotator": ["g", "g"], "label": ["a", "b"]})
    tries = [
        ("option-missing", lambda: shuffle(two, "category")),
        ("measure-for-other-data", lambda: shuffle(GOLD, "shift")),
        ("measure-for-other-data", lambda: shuffle(GOLD, "combination([category,shift])")),
        ("measure-for-other-data", lambda: shuffle(same, "category")),
        ("nothing-annotated", lambda: shuffle(GOLD.keep(np.zeros(300, dtype=bool)), "category")),
        ("measure-for-other-data", lambda: shuffle(GOLD, "category(worst=[[1,0],[0,1]])")),
        ("measure-for-other-data", lambda: xray(GOLD, "category", ["gamma"])),
        ("nothing-shared", lambda: meaning(made, gold=other)),
    ]
    for message, call in tries:
        with raises(message) as raised:
            call()
        assert "\n" not in str(raised.value)

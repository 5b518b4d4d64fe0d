"""Leaving out equals a new score; habits are distinguished; parts that cannot be left out are reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.answers.influence import influence, least_cost
from accord.core.result import Parts, Score
from accord.doors.rendering import render

from ..refusals import raises
from .studies import observations, ratings, segmentations, texts, units

ON_ITEMS = ["percent", "s", "pi", "kappa", "alpha", "ac", "alpha(distance=interval)", "alpha(distance=ordinal)"]


@pytest.mark.parametrize("spec", ON_ITEMS)
def test_leaving_out_items_equals_a_new_score(spec: str) -> None:
    data = ratings(1, 25)
    found = influence(data, spec)
    for left in (*found.units[:3], *found.units[-3:]):
        rest = data.only_named(set(data.items) - {left.name})
        assert left.without == pytest.approx(accord.score(rest, spec).value, abs=1e-12), left.name
        assert left.exact
    for left in found.annotators:
        rest = data.only_annotators([a for a in data.annotators if a != left.name])
        assert left.without == accord.score(rest, spec).value
    changes = [left.change for left in found.units]
    assert changes == sorted(changes, reverse=True)


@pytest.mark.parametrize(
    "spec", ["u_alpha", "bar_u_alpha", "cu_alpha", "alpha_u", "theta", "ser", "f1", "kappa_d", "gamma_cat"]
)
def test_leaving_out_documents_equals_a_new_score(spec: str) -> None:
    data = units(1, docs=5)
    found = influence(data, spec, of=["document"], replicates=100)
    assert len(found.units) == 5
    for left in found.units:
        rest = data.only_named(set(data.docs) - {left.name})
        assert left.without == pytest.approx(accord.score(rest, spec).value, abs=1e-9), left.name


@pytest.mark.parametrize("spec", ["pk", "boundary_similarity", "pi_star", "alpha_boundaries", "kappa_boundaries"])
def test_leaving_out_segmentations_equals_a_new_score(spec: str) -> None:
    data = segmentations(1, docs=5)
    found = influence(data, spec, of=["document"])
    for left in found.units:
        rest = data.only_named(set(data.docs) - {left.name})
        assert left.without == pytest.approx(accord.score(rest, spec, interval="none").value, abs=1e-9), left.name


@pytest.mark.slow
def test_gamma_without_a_document_equals_a_new_score_within_monte_carlo_error() -> None:
    data = units(2, docs=6)
    spec = "gamma(chance=shift,precision=0.01)"
    found = influence(data, spec, of=["document"])
    for left in found.units:
        new = accord.score(data.only_named(set(data.docs) - {left.name}), spec, interval="monte_carlo")
        assert new.interval is not None
        error = new.details["monte_carlo_error"]
        assert left.without == pytest.approx(new.value, abs=5 * error + 1e-9)


@pytest.mark.parametrize("base", [True, False])
def test_leaving_out_texts_equals_a_new_score_within_monte_carlo_error(base: bool) -> None:
    """Without a document or an annotator the rates of chance change; alignments are reused."""
    data, spec = texts(2, docs=6, base=base, tokens=40, weak="Ben"), "text_gamma(precision=0.01)"
    found = influence(data, spec, of=["document", "annotator"], replicates=100)
    whole = accord.score(data, spec, interval="monte_carlo").details["monte_carlo_error"]
    rest = {left.name: data.only_named(set(data.docs) - {left.name}) for left in found.units}
    rest |= {
        left.name: data.only_annotators([a for a in data.annotators if a != left.name]) for left in found.annotators
    }
    for left in (*found.units, *found.annotators):
        new = accord.score(rest[left.name], spec, interval="monte_carlo")
        error = np.hypot(new.details["monte_carlo_error"], whole)
        assert left.without == pytest.approx(new.value, abs=4 * error), left.name
        assert left.interval is not None
    assert found.annotators[0].name == "Ben"
    assert found.annotators[0].interval.low > 0


def test_features_and_categories_of_texts_are_left_out() -> None:
    data = texts(3, docs=6)
    few = "samples=10,precision=0.1"
    found = influence(data, f"text_gamma({few})", of=["feature", "category"], replicates=100)
    assert {left.name for left in found.features} == {"pos", "kind"}
    alone = accord.score(data, f"text_gamma(features=[kind],{few})", interval="none").value
    assert next(left.without for left in found.features if left.name == "pos") == alone
    assert {left.name for left in found.categories} == {"N", "V", "A"}
    assert "without one feature" in render(found)
    plain = accord.Texts.of_words({("d", "A"): "one two", ("d", "B"): "one too", ("e", "A"): "a b", ("e", "B"): "a b"})
    notes = influence(plain, f"text_gamma({few})", replicates=100).notes
    assert any("no features" in note for note in notes)


def test_leaving_out_fifty_documents_aligns_them_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = observations(monkeypatch)
    found = influence(units(3, docs=50), "gamma", of=["document"])
    assert len(found.units) == 50
    assert len(runs) == 1


def test_different_marginals_are_distinguished_from_disagreement() -> None:
    """One annotator gives b instead of a, and is otherwise right; another one guesses."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 600)
    rows = np.where(rng.random((600, 5)) < 0.85, truth[:, None], rng.integers(0, 3, (600, 5)))
    rows[:, 3] = np.where(truth == 0, 1, truth)
    rows[:, 4] = rng.permutation(truth)
    data = accord.Ratings.from_rows(rows, annotators=["Ana", "Ben", "Chloé", "shifted", "guesses"])
    found = {left.name: left for left in influence(data, "alpha(distance=nominal)", of=["annotator"]).annotators}
    assert found["shifted"].verdict == "uses the categories with different frequencies"
    assert found["guesses"].verdict == "disagrees on single items"
    assert found["guesses"].change > found["shifted"].change > 0
    assert found["guesses"].interval is not None
    assert found["guesses"].interval.low > 0
    assert found["Ana"].verdict == ""
    for left in found.values():
        assert left.habit is not None
        assert left.habit.items is not None
        assert 0 <= left.habit.shares <= 1


def test_least_cost_of_moving_shares() -> None:
    a, b = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    assert least_cost(a, b, 1 - np.eye(3)) == pytest.approx(0.3)
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    assert least_cost(a, b, line) == pytest.approx(0.6)
    detour = np.array([[0, 5, 1], [5, 0, 1], [1, 1, 0.0]])  # violates the triangle inequality
    assert least_cost(a, b, detour) == pytest.approx(0.3)
    assert least_cost(a, a, detour) == pytest.approx(0.0, abs=1e-12)


def test_influence_on_units_finds_the_annotator_who_marks_less() -> None:
    data = units(4, docs=10, moved=0.1)
    lazy = data.keep(~((data.annotator == 2) & (np.arange(len(data)) % 2 == 0)))
    found = influence(lazy, "f1", of=["annotator"], replicates=200).annotators
    assert found[0].name == "A3"
    assert found[0].verdict.endswith("% less than the others")


def test_different_shares_of_units_are_distinguished_from_disagreement() -> None:
    """One annotator gives y for most x; another one permutes labels, so that the shares do not change."""
    data = units(4, docs=30, annotators=5, moved=0.1)
    rng, label = np.random.default_rng(1), data.label.copy()
    label[(data.annotator == 3) & (label == 0) & (rng.random(len(label)) < 0.7)] = 1
    mixed = np.flatnonzero((data.annotator == 4) & (rng.random(len(label)) < 0.8))
    label[mixed] = rng.permutation(label[mixed])
    found = influence(replace(data, label=label), "gamma", of=["annotator"], replicates=200).annotators
    verdict = {left.name: left.verdict for left in found}
    assert verdict["A4"] == "uses the categories with different frequencies"
    assert verdict["A5"] == "marks other positions"
    assert verdict["A1"] == verdict["A2"] == verdict["A3"] == ""


def test_shares_are_compared_on_the_same_documents() -> None:
    """Two pairs of annotators on different documents: each uses categories like the partner."""
    rows = [
        (f"{kind}{d}", who, 10 * k, 10 * k + 4, kind)
        for kind, team in (("x", ("Ana", "Ben")), ("y", ("Cem", "Dan")))
        for d in range(4)
        for who in team
        for k in range(5)
        if (who, k) != ("Ben", 0)
    ]
    names = ("doc", "annotator", "start", "end", "label")
    data = accord.read(dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True)))
    found = {one.name: one.habit for one in influence(data, "gamma", of=["annotator"], replicates=100).annotators}
    assert {name: habit.shares for name, habit in found.items() if habit} == dict.fromkeys(data.annotators, 0.0)
    assert {name: habit.amount for name, habit in found.items() if habit} == pytest.approx(
        {"Ana": 1.25, "Ben": 0.8, "Cem": 1.0, "Dan": 1.0}
    )


def test_influence_on_texts_finds_the_annotator_who_errs() -> None:
    found = influence(texts(4, docs=15, weak="Ben"), "text_gamma", of=["annotator"], replicates=200).annotators
    assert found[0].name == "Ben"
    assert found[0].verdict == "marks other positions"


def test_leaving_out_categories_equals_a_new_score() -> None:
    data = ratings(5)
    found = influence(data, "alpha(distance=nominal)", of=["category"])
    assert {left.name for left in found.categories} == {"0", "1", "2"}
    assert len(data.without_category(1).categories) == 2
    for left in found.categories:
        code = data.categories.names.index(left.name)
        assert left.without == accord.alpha(data.without_category(code), distance="nominal").value
    two = accord.Ratings.from_rows([["x", "y"], ["x", "x"], ["y", "y"], ["y", "x"]])
    assert all(left.undefined for left in influence(two, "alpha").categories)


def test_only_the_largest_of_ten_thousand_items_are_exact() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 10_000)
    rows = np.where(rng.random((10_000, 30)) < 0.7, truth[:, None], rng.integers(0, 5, (10_000, 30)))
    data = accord.Ratings.from_rows(rows)
    found = influence(data, "alpha")
    assert len(found.annotators) == 30
    assert any("exact for the 100" in note for note in found.notes)


def test_parts_that_cannot_be_left_out_are_reported() -> None:
    two = ratings(1, annotators=2)
    assert "only two" in influence(two, "alpha").notes[0]
    counts = accord.Ratings.from_counts([[2, 1], [0, 3], [3, 0], [1, 2]], ["x", "y"])
    assert "does not identify annotators" in influence(counts, "pi").notes[0]
    assert any("the only one" in note for note in influence(units(1, docs=1), "u_alpha").notes)
    with raises("unknown-name"):
        influence(ratings(1), "alpha", annotators=["A11"])
    with raises("unknown-name"):
        influence(ratings(1), "alpha", of=["categry"])
    with raises("undefined-value"):
        influence(accord.Ratings.from_rows([["x", "x", "x"]] * 4), "alpha")


def test_influence_renders_and_plots(tmp_path: Path) -> None:
    for data, spec in ((ratings(1), "alpha"), (units(1, docs=4), "f1"), (segmentations(1, 4), "pk")):
        found = influence(data, spec, replicates=100)
        assert "without one annotator" in render(found)
        assert '"annotators": [' in render(found, "json")
        assert render(found, "csv").startswith("what,name,without,change")
        for ending in ("png", "svg"):
            path = tmp_path / f"{spec}.{ending}"
            found.save_plot(path)
            assert path.stat().st_size > 1000
    with raises("option-value"):
        found.save_plot(tmp_path / "x.gif")


def test_breakdown_names_are_known_without_computing() -> None:
    def refuse(by: str) -> dict[str, Score]:
        raise AssertionError(by)

    parts = Parts(("pair",), refuse)
    assert "pair" in parts
    assert "document" not in parts


def test_long_list_of_annotators_is_shortened_with_a_note() -> None:
    rows = [
        {"item": f"i{k}", "annotator": f"w{k + j:02}", "label": "xy"[(k * j) % 2]} for k in range(24) for j in range(3)
    ]
    found = accord.influence(rows, of="annotator")
    assert len(found.annotators) == 26
    table = found.tables()[0]
    assert len(table.rows) == 20
    assert "6 more rows; --json has all" in table.notes
    assert len(found.to_dict()["annotators"]) == 26

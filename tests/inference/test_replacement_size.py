"""Required items of the alternative annotator test: the planned number has the planned power."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

import accord
from accord.answers.alternative_test import Leads, Trial, benjamini_yekutieli, make_likeness
from accord.core.context import Run
from accord.data.model.ratings import Ratings

from ..command_line import Cli
from ..hypothesis_profiles import examples
from ..refusals import raises

PEOPLE = ("Ana", "Ben", "Cy")


def passes(leads: list[np.ndarray], epsilon: float, q: float = 0.05) -> bool:
    """The test with functions of SciPy and statsmodels."""
    ps = [float(stats.ttest_1samp(lead, epsilon, alternative="less").pvalue) for lead in leads]
    return bool(np.mean(multipletests(ps, q, "fdr_by")[0]) >= 0.5)


@examples(50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 3))
def test_benjamini_yekutieli_equals_statsmodels(ps: list[float], untested: int) -> None:
    found = benjamini_yekutieli(np.array([[*ps, *[np.nan] * untested]]), 0.1)[0]
    assert found[: len(ps)].tolist() == multipletests(ps, 0.1, "fdr_by")[0].tolist()
    assert not found[len(ps) :].any()


@pytest.mark.slow
@pytest.mark.parametrize(("advantage", "ties", "people"), [(0.85, 0.85, 3), (0.75, 0.45, 4)])
def test_planned_number_has_the_planned_power(advantage: float, ties: float, people: int) -> None:
    planned = accord.replacement_size(advantage=advantage, ties=ties, annotators=people, simulations=500)
    rng, rates = np.random.default_rng(1), (advantage - ties, ties, 1 - advantage)

    def power(n: int) -> float:
        return float(
            np.mean([passes([rng.choice([-1.0, 0, 1], n, p=rates) for _ in range(people)], 0.2) for _ in range(200)])
        )

    assert power(planned.n) == pytest.approx(0.8, abs=0.08)
    assert power(planned.n // 2) < 0.7
    assert planned.simulated == pytest.approx(0.8, abs=0.06)


def pilot(items: int, seed: int = 3) -> Ratings:
    """Three people and a model that is nearly as good; people miss some items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    rows = [
        [int(t) if rng.random() < right else int(rng.integers(0, 3)) for right in (0.85, 0.8, 0.7, 0.72)] for t in truth
    ]
    kept = [[None if k < 3 and rng.random() < 0.2 else x for k, x in enumerate(row)] for row in rows]
    return Ratings.from_rows(kept, annotators=(*PEOPLE, "m"))


def test_number_from_a_pilot_has_the_planned_power() -> None:
    data = pilot(150)
    planned = accord.replacement_size("m", pilot=data, score="accuracy", simulations=400)
    assert planned.simulated == pytest.approx(0.8, abs=0.06)
    like = make_likeness(data, PEOPLE, ("m",), "accuracy", Run())
    found = [like.against_others(who, "m", 2) for who in PEOPLE]
    of_item = [dict(zip(i.tolist(), np.sign(own - model), strict=True)) for i, model, own in found]
    items = sorted({item for one in of_item for item in one})
    rng, passed = np.random.default_rng(2), []
    for _ in range(300):
        drawn = rng.choice(items, planned.n)
        passed.append(passes([np.array([one[k] for k in drawn if k in one]) for one in of_item], 0.2))
    assert np.mean(passed) == pytest.approx(0.8, abs=0.07)
    assert planned.basis.startswith(f"pilot of {len(items)} items and 3 people")


def test_replace_reports_the_same_number() -> None:
    data = pilot(150)
    beside = accord.replace(data, "m").models[0].needed
    assert beside == pytest.approx(accord.replacement_size("m", pilot=data).n, rel=0.1)


def test_no_number_suffices_for_a_much_worse_model() -> None:
    far = Trial(Leads.assumed(0.7, 0.7, 3), 0.2, 0.05, 30)
    assert far.items(0.8, 50, np.random.default_rng(0)) == np.inf
    with raises("target-unreachable"):
        accord.replacement_size(advantage=0.7)


def test_planned_number_is_at_least_the_required_items() -> None:
    assert accord.replacement_size(advantage=1.0, least_items=40).n == 40


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "option-conflict"),
        ({"advantage": 1.2}, "option-value"),
        ({"advantage": 0.8, "ties": 0.9}, "option-value"),
        ({"advantage": 0.9, "annotators": 1}, "option-value"),
        ({"advantage": 0.9, "power": 1}, "option-value"),
        ({"advantage": 0.9, "kind": "kind"}, "option-conflict"),
        ({"pilot": pilot(40), "ties": 0.5}, "option-conflict"),
        ({"pilot": pilot(40)}, "option-missing"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], words: str) -> None:
    with raises(words):
        accord.replacement_size(**options)  # type: ignore[arg-type]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kinds = {**dict.fromkeys(PEOPLE, "human"), "m": "model"}
    rows = "".join(f"{i},{who},{kinds[who]},{label}\n" for i, who, label in pilot(60).rows()[1])
    Path("p.csv").write_text("item,annotator,kind,label\n" + rows, encoding="utf-8")


@pytest.mark.usefixtures("table")
def test_column_can_name_the_models(cli: Cli) -> None:
    by_column, by_name = (cli("replace", "p.csv", *how) for how in (("--family", "kind"), ("--models", "m")))
    assert by_column.code == 0, by_column.err
    assert by_column.out == by_name.out
    assert "items needed" in by_column.out
    planned = [
        cli("plan", "p.csv", "--replace", "m", *how).out for how in (("--family", "kind"), ("--people", "Ana,Ben,Cy"))
    ]
    assert planned[0] == planned[1]
    assert "items for a model to pass with power 0.8" in planned[0]


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("replace", "p.csv"), "[option-missing]"),
        (("replace", "p.csv", "--family", "label"), "[models-unclear]"),
        (("replace", "p.csv", "--family", "knd"), 'did you mean "kind"'),
        (("replace", "p.csv", "--family", "kind", "--models", "Ana"), 'is a person in column "kind"'),
        (("replace", "p.csv", "--models", "n"), 'unknown annotator "n"'),
        (("plan", "--replace", "m"), "--replace needs a pilot"),
        (("plan", "p.csv", "--advantage", "0.9"), "option-conflict"),
        (("plan", "p.csv", "--replace", "m", "--ties", "0.9"), "--ties has no effect with --replace"),
        (("plan", "--width", "0.1", "--epsilon", "0.1"), "--epsilon has no effect with --width"),
    ],
)
def test_bad_options_are_refused_in_one_line(cli: Cli, command: tuple[str, ...], words: str) -> None:
    refused = cli(*command)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert words in refused.err

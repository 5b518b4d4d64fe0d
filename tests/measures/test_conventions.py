"""A score lists its values by other conventions, and prints those that differ by more than 0.02."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord

from ..command_line import Cli

SETS = "item,A,B\n1,a|b,a\n2,c,c\n"
# D_o = (1/6 + 0)/2 and D_e = (1/6 + 4)/6 with masi; (2/3 + 0)/2 and (2/3 + 4)/6 with masi_nltk.
MASI, MASI_NLTK = 1 - (1 / 12) / (25 / 36), 1 - (1 / 3) / (7 / 9)


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    path = tmp_path / "sets.csv"
    path.write_text(SETS)
    return path


def test_alpha_with_masi_lists_the_other_form(sets: Path) -> None:
    score = accord.score(sets, "alpha(distance=masi)", interval="none")
    assert score.value == pytest.approx(MASI)
    (other,) = score.alternatives
    assert other.measure == "alpha(distance=masi_nltk)"
    assert other.value == pytest.approx(MASI_NLTK)
    back = accord.score(sets, other.measure, interval="none")
    assert back.value == other.value
    assert back.alternatives[0].value == score.value


def test_printed_line_names_both_forms_and_works(cli: Cli, sets: Path) -> None:
    line = (
        "alpha(distance=masi): alpha(distance=masi_nltk) gives 0.571: 1 − J·M (Passonneau 2006, nltk) instead of "
        "d_P·d_J (Artstein & Poesio 2008)"
    )
    assert line in " ".join(cli("score", sets, "-m", "alpha(distance=masi)").out.split())


def test_line_is_left_out_if_the_table_has_the_other_measure(cli: Cli, sets: Path) -> None:
    out = cli("score", sets, "-m", "alpha(distance=masi)", "-m", "alpha(distance=masi_nltk)").out
    assert " gives " not in out


def test_json_has_alternatives_of_scores_and_reports(cli: Cli, sets: Path) -> None:
    arguments = (sets, "-m", "alpha(distance=masi)", "-m", "alpha", "--json")
    masi, nominal = json.loads(cli("score", *arguments).out)["scores"]
    assert masi["alternatives"] == [
        {
            "measure": "alpha(distance=masi_nltk)",
            "value": pytest.approx(MASI_NLTK),
            "why": "1 − J·M (Passonneau 2006, nltk) instead of d_P·d_J (Artstein & Poesio 2008)",
        }
    ]
    assert nominal["alternatives"] == []


def test_convention_that_changes_little_is_not_printed() -> None:
    """The two forms of MASI are equal for sets of one label."""
    score = accord.score([["a|b", "a|b"], ["c", "c"], ["d", "e"]], "alpha(distance=masi)", interval="none")
    (other,) = score.alternatives
    assert abs(other.value - score.value) < 0.02
    assert score.alternatives_shown() == []


def test_convention_without_a_value_is_left_out() -> None:
    score = accord.score([["a", "a"], ["a", "a"]], "alpha(distance=masi)", interval="none")
    assert score.undefined
    assert score.alternatives == ()


def test_only_the_score_computes_conventions(monkeypatch: pytest.MonkeyPatch, sets: Path) -> None:
    from accord.measures.distances.sets import MasiNltk

    computed = []
    space = MasiNltk.space
    monkeypatch.setattr(MasiNltk, "space", lambda *given: computed.append(1) or space(*given))
    accord.score(sets, "alpha(distance=masi)", interval="bootstrap")
    assert len(computed) == 1
    accord.influence(sets, "alpha(distance=masi)")
    assert len(computed) == 1


def test_chain_alpha_lists_the_other_way_to_take_an_unmarked_mention() -> None:
    """One chain of three mentions, of which the second annotator marked two.

    D_o and D_e: (1/3 + 1/3 + 1)/3 and 7/15 if the unmarked mention differs, 1/3 and 5/15 if it is a chain of its own.
    """
    rows = [("d", who, k, k + 1, "c") for who, many in (("A", 3), ("B", 2)) for k in range(many)]
    columns = ("doc", "annotator", "start", "end", "chain")
    score = accord.chain_alpha([dict(zip(columns, row, strict=True)) for row in rows], interval="none")
    assert score.value == pytest.approx(1 - (5 / 9) / (7 / 15))
    (other,) = score.alternatives
    assert (other.measure, other.value) == ("chain_alpha(unmarked=singleton)", pytest.approx(0.0))


def test_fables_show_the_reading_of_the_survey(cli: Cli) -> None:
    out = " ".join(cli("score", "examples/fables/chains.csv", "-m", "chain_alpha").out.split())
    assert "chain_alpha 0.580 " in out
    assert "chain_alpha(unmarked=singleton) gives 0.724: an unmarked mention is a chain of its own" in out


def test_boundaries_list_the_value_with_the_ends_of_the_text() -> None:
    """Table 8 of Artstein & Poesio 2008, case 1: A_o = .96 and A_e = .8872 with the ends."""
    near = accord.Segmentations.from_masses({"A": [24, 25], "B": [25, 24]})
    for measure in (accord.pi_boundaries, accord.alpha_boundaries, accord.kappa_boundaries):
        score = measure(near, interval="none")
        (other,) = score.alternatives
        assert other.measure == f"{measure.__name__}(ends=true)"
        assert other.value == measure(near, ends=True, interval="none").value
        assert len(score.alternatives_shown()) == 1
    (other,) = accord.pi_boundaries(near, interval="none").alternatives
    assert other.value == pytest.approx((0.96 - 0.8872) / (1 - 0.8872))


def test_ends_are_left_out_where_boundaries_have_types() -> None:
    typed = accord.Segmentations.from_boundaries({"A": {3: ["x"]}, "B": {3: ["y"], 5: ["x"]}}, 9)
    assert accord.pi_boundaries(typed, interval="none").alternatives == ()


def test_theta_of_grades_lists_the_value_by_numbers() -> None:
    """Two zones of equal length: 1 and 2 differ, 10 and 10 agree.

    By ranks 1/4 · (1/2)² over 1 − (1 − 1/4)/2; by numbers 1/4 · (1/9)² over 1 − (1 − 73/243)/2.
    """
    units = [("A", 0, 10, 1), ("A", 20, 30, 10), ("B", 0, 10, 2), ("B", 20, 30, 10)]
    columns = {name: [unit[k] for unit in units] for k, name in enumerate(["annotator", "start", "end", "label"])}
    score = accord.theta(columns, scale="ordinal", interval="none")
    assert score.value == pytest.approx(0.9)
    by = {other.measure: other.value for other in score.alternatives}
    assert by["theta(scale=interval)"] == pytest.approx(1 - (1 / 324) / (1 - (1 - 73 / 243) / 2))
    assert [line.partition(" ")[0] for line in score.alternatives_shown()] == ["theta(scale=interval)"]


def test_theta_of_words_has_no_value_by_numbers() -> None:
    columns = {"annotator": ["A", "B"], "start": [0, 0], "end": [5, 5], "label": ["low", "high"]}
    assert not any("interval" in other.measure for other in accord.theta(columns, scale="ordinal").alternatives)


SPECS = [
    "alpha(distance=masi)", "pi(distance=masi_nltk)", "cu_alpha(distance=masi)", "alpha_boundaries(distance=masi)",
    "chain_alpha", "chain_alpha(distance=masi,unmarked=singleton)", "chain_alpha(unmarked=absent)",
    "pi_boundaries", "kappa_boundaries(ends=true)", "theta", "theta(scale=ordinal)", "theta(scale=ratio,zones=atomic)",
    "theta(zones=layered)", "u_alpha", "u_alpha(form=2013)", "ser", "ser(per=slots,overlap=false)", "pk",
    "window_diff(window=nltk)", "segmentation_similarity", "segmentation_similarity(weight=te)", "pi_star",
    "pi_star(rates=mean)",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_conventions_are_specs_with_a_reason(spec: str) -> None:
    found = accord.measure(spec).conventions()
    assert found
    for other, why in found:
        assert accord.measure(str(other)) == other != accord.measure(spec)
        assert why
        assert not why.endswith(".")


@pytest.mark.parametrize(
    "spec", ["alpha", "kappa(weights=linear)", "pk(k=3)", "gamma", "segmentation_similarity(n_t=1000)", "link_alpha"]
)
def test_other_measures_have_no_conventions(spec: str) -> None:
    assert accord.measure(spec).conventions() == ()

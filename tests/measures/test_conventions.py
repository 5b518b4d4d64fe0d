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

"""Notes below tables: one per fact, the important ones first, the others with --notes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import accord
from accord.core.tables import Background

from ..command_line import Cli

FIVE = [["a", "b"], ["a", "a"], ["b", "b"], ["a", "a"], ["b", "a"]]


def below_rule(out: str) -> list[str]:
    lines = out.split("\n")
    start = next(k for k, line in enumerate(lines) if line.startswith("──"))
    return [
        line
        for line in lines[start + 1 :]
        if line and not line.startswith(("percent", "s ", "pi ", "kappa ", "alpha ", "ac "))
    ]


def test_few_items_give_one_warning_for_all_measures() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        accord.score(FIVE)
    assert [str(one.message) for one in caught] == ["Only 5 items: all intervals are widened."]
    assert caught[0].category is accord.FewLabelsWarning


def test_warning_of_one_measure_names_it() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        accord.score(FIVE, "kappa")
    assert [str(one.message) for one in caught] == ["kappa: only 5 items: the interval is widened"]


def test_command_line_shows_important_notes_first_and_counts_the_others(cli: Cli, table: Callable[..., Path]) -> None:
    path = table("item,A,B\n" + "".join(f"{k},{a},{b}\n" for k, (a, b) in enumerate(FIVE)))
    notes = below_rule(cli("score", path).out)
    assert notes[0] == "Only 5 items: all intervals are widened."
    assert notes[1] == "s, pi, kappa, alpha, ac: not significantly different from chance agreement"
    assert notes[2].startswith("observed, expected: agreement found, and agreement expected by chance")
    assert notes[3:] == ["5 more notes: add --notes"]


def test_option_notes_shows_every_note(cli: Cli, garden: Path) -> None:
    few, every = (below_rule(cli("score", garden / "sentences.csv", *more).out) for more in ((), ("--notes",)))
    hidden = int(few[-1].split()[0])
    assert every[: len(few) - 1] == few[:-1]
    assert len(every) == len(few) - 1 + hidden
    assert "interval: linearised" in every
    assert any("p = 0.002 for no agreement" in note for note in every)


def test_programs_get_every_note(cli: Cli, garden: Path) -> None:
    found = cli("score", garden / "spans.csv", "-m", "gamma(samples=10)", "--json").out
    assert '"chance_because"' in found
    assert "64 samples" in cli("score", garden / "spans.csv", "-m", "gamma", "--markdown").out


def test_significant_agreement_has_no_note_on_chance() -> None:
    score = accord.score([["a", "a"], ["b", "b"]] * 20, "pi")
    assert all(isinstance(note, Background) for note in score.notes())


def test_page_of_a_measure_is_named_for_the_interface(cli: Cli, garden: Path) -> None:
    assert "accord measures alpha explains" in cli("score", garden / "sentences.csv", "-m", "alpha").out


def test_legend_states_whether_columns_are_agreement_or_disagreement(cli: Cli, table: Callable[..., Path]) -> None:
    """Krippendorff's unitizing measures report disagreement, his α for items agreement."""
    units = table("doc,annotator,start,end,label\nd,A,0,10,x\nd,A,20,30,y\nd,B,0,8,x\nd,B,21,30,y\n", "units.csv")
    out = cli("score", units, "-m", "u_alpha", "-m", "kappa_d", "--interval", "none").out
    assert "u_alpha: observed, expected: disagreement found, and disagreement expected by chance" in out
    assert "kappa_d: observed, expected: agreement found, and agreement expected by chance" in out
    items = table("item,A,B\n" + "".join(f"{k},{a},{b}\n" for k, (a, b) in enumerate(FIVE)))
    assert "\nobserved, expected: agreement found" in cli("score", items, "-m", "alpha").out


def test_p_of_a_requested_value_is_shown_without_notes(cli: Cli, garden: Path) -> None:
    assert "for a value of 0.4 (" in cli("score", garden / "sentences.csv", "-m", "alpha", "--null", "0.4").out

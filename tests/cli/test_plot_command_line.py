"""The command plot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.answers.plot import PLOTS, USUAL
from accord.data.kinds import KINDS

from ..command_line import Cli

GARDEN = Path(__file__).parents[2] / "examples" / "garden"
SENTENCES, SPANS, TONE = (GARDEN / f"{name}.csv" for name in ("sentences", "spans", "tone"))


@pytest.mark.parametrize(
    ("table", "words", "message"),
    [
        (SPANS, [], "units of 3 annotators in notice"),
        (SPANS, ["--document", "letter1"], "in letter1"),
        (SPANS, ["--kind", "disorder", "--by", "document"], "by position, category, absence"),
        (SPANS, ["--kind", "confused"], "confused labels"),
        (SENTENCES, [], "the count expected by chance"),
        (SENTENCES, ["--kind", "pairs", "-m", "kappa"], "each pair of annotators"),
        (SENTENCES, ["--kind", "forest"], "with 95% intervals"),
        (SENTENCES, ["--kind", "forest", "--by", "doc", "--level", "0.9"], "α by doc with 90% intervals"),
        (SENTENCES, ["--kind", "forest", "--by", "category"], "α by category"),
        (SENTENCES, ["--kind", "influence", "--replicates", "100"], "change of alpha"),
        (SENTENCES, ["--kind", "trend", "--by", "doc"], "value of each doc"),
        (SENTENCES, ["--kind", "shares"], "share of each label"),
        (SENTENCES, ["--kind", "annotators"], "accuracy by annotator"),
        (TONE, ["--kind", "bland_altman", "--annotators", "Ana,Ben"], "Ben − Ana over the mean"),
    ],
)
def test_every_kind_of_plot_is_written(cli: Cli, tmp_path: Path, table: Path, words: list[str], message: str) -> None:
    path = tmp_path / "picture.svg"
    got = cli("plot", table, *words, "-o", path, "--width", "one")
    assert (got.code, got.err) == (0, "")
    assert message in got.out
    assert got.out.count("\n") == 1
    assert 'width="241.2pt"' in path.read_text(encoding="utf-8")


def test_plot_of_texts_shows_differences(cli: Cli, tmp_path: Path) -> None:
    table, path = tmp_path / "texts.csv", tmp_path / "picture.png"
    rows = [
        "doc,annotator,text",
        *(f"d{k},{who},one two{k * (who == 'B') or ''} three" for k in range(3) for who in "AB"),
    ]
    table.write_text("\n".join(rows), encoding="utf-8")
    got = cli("plot", table, "-o", path)
    assert got.out == f"{path}: d1: 1 of 3 places differ\n"
    assert cli("plot", table, "--document", "d0", "-o", path).out == f"{path}: d0: 0 of 3 places differ\n"
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([TONE, "--kind", "alignment", "-o", "x.svg"], "--kind alignment applies to units, and these are labels of "
         "items; choose one of confusion, confused, pairs, forest, influence, trend, scatter, bland_altman, shares, "
         "annotators, meaning"),
        ([TONE, "--kind", "alignmnt", "-o", "x.svg"], 'unknown kind of plot "alignmnt": did you mean "alignment"?'),
        ([TONE, "--kind", "curves", "-o", "x.svg"], "accord xray gold.csv"),
        ([TONE, "--kind", "bland_altman", "-o", "x.svg"], "compare two annotators, not 3"),
        ([TONE, "-o", "x.gif"], '"x.gif": use a file name that ends in .png, .svg, .pdf'),
        ([TONE, "-o", "nowhere/x.svg"], 'no folder "nowhere"'),
        ([TONE, "-o", "x.svg", "--width", "three"], 'unknown width "three": known: one, two'),
        ([SPANS, "-o", "x.svg", "--document", "letter3"], 'unknown document "letter3": did you mean "letter'),
        ([SENTENCES, "-o", "x.svg", "--document", "letter1"], "--document applies to --kind alignment"),
        ([SENTENCES, "-o", "x.svg", "--by", "doc"], "--by applies to --kind forest"),
        ([SENTENCES, "--kind", "trend", "-o", "x.svg"], "--kind trend needs the column of the rounds"),
        ([SENTENCES, "--kind", "pairs", "-m", "alpha", "-m", "pi", "-o", "x.svg"], "accepts one measure"),
        ([SENTENCES, "--kind", "pairs", "--annotators", "Ana,Ben", "-o", "x.svg"], "fewer than three annotators"),
        ([SPANS, "--kind", "disorder", "--by", "annotator", "-o", "x.svg"], "by category or by document"),
        (["-o", "x.svg"], "name a table"),
    ],
)  # fmt: skip
def test_wrong_calls_give_one_line_errors(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[object], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    got = cli("plot", *words)
    assert (got.code, got.out) == (2, "")
    assert message in got.err
    assert got.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_plot_prints_the_numbers_behind_the_picture(cli: Cli, tmp_path: Path) -> None:
    got = cli("plot", SENTENCES, "--kind", "pairs", "--csv")
    assert got.out.splitlines()[0] == "annotator,with,value"
    assert len(got.out.splitlines()) == 4
    got = cli("plot", SENTENCES, "--kind", "pairs")
    assert ["Ana", "Ben", "0.759"] in [line.split() for line in got.out.splitlines()]
    assert got.err == "these are the plotted numbers; add -o plot.svg (or .png, .pdf) to write the plot\n"
    path = tmp_path / "x.pdf"
    found = json.loads(cli("plot", SENTENCES, "--kind", "forest", "-m", "alpha", "--json", "-o", path).out)
    score = json.loads(cli("score", SENTENCES, "-m", "alpha", "--json").out)["scores"][0]
    (row,) = found["rows"]
    assert (row["value"], row["low"], row["high"]) == (
        score["value"], score["interval"]["low"], score["interval"]["high"],
    )  # fmt: skip
    assert path.read_bytes().startswith(b"%PDF")


def test_saved_run_gives_the_same_plot(cli: Cli, tmp_path: Path) -> None:
    kept, first, second = (tmp_path / name for name in ("plot.toml", "a.svg", "b.svg"))
    cli("plot", SENTENCES, "--kind", "pairs", "--width", "one", "-o", first, "--save", kept)
    assert cli("plot", "--run", kept, "-o", second).code == 0
    assert first.read_bytes() == second.read_bytes()


def test_help_names_every_kind(cli: Cli) -> None:
    out = " ".join(cli("plot", "--help").out.replace("│", " ").split())
    for one in PLOTS:
        assert one.name in out, one.name
    assert "accord plot spans.csv -o alignment.svg" in out


def test_every_kind_of_data_has_a_default_plot() -> None:
    assert set(USUAL) == set(KINDS)
    for kind, name in USUAL.items():
        assert any(one.name == name and kind in one.takes for one in PLOTS)
    assert len({one.name for one in PLOTS}) == len(PLOTS)


@pytest.mark.parametrize("spec", ["alpha", "kappa(weights=linear)"])
def test_forest_plot_of_categories_has_intervals(cli: Cli, spec: str) -> None:
    """The intervals contain the values of the breakdown."""
    by = "category"
    rows = json.loads(cli("plot", SENTENCES, "--kind", "forest", "--by", by, "-m", spec, "--json").out)["rows"]
    parts = json.loads(cli("score", SENTENCES, "--by", by, "-m", spec, "--json").out)["scores"][0]["parts"][by]
    assert {row[by]: row["value"] for row in rows if row[by] != "all"} == {
        name: part["value"] for name, part in parts.items()
    }
    assert all(row["low"] < row["value"] <= row["high"] for row in rows)

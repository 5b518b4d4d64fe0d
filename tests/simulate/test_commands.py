"""The commands as a user types them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import accord
from accord.cli import simulation
from accord.errors import AccordError

app = typer.Typer()
for command in (simulation.shuffle, simulation.xray, simulation.meaning, simulation.papers):
    app.command()(command)


def run(*argv: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(a) for a in argv])
    if isinstance(result.exception, AccordError):
        return f"error: {result.exception}"
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.csv"
    run("shuffle", "--generate", "units=12,categories=3", "--magnitude", 0, "--annotators", 1, "-o", path, "--seed", 4)
    return path


def test_shuffle(gold: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    run("shuffle", gold, "-o", out, "--error", "shift", "--magnitude", 0.3, "--annotators", 3, "--seed", 1)
    first = out.read_text(encoding="utf-8")
    assert first.startswith("doc,annotator,start,end,label\n")
    run("shuffle", gold, "-o", out, "--error", "shift", "--magnitude", 0.3, "--annotators", 3, "--seed", 1)
    assert out.read_text(encoding="utf-8") == first
    assert accord.read(str(out)).n_annotators == 3
    weak = run("shuffle", gold, "--error", "false_negative", "--magnitude", 0, "--magnitude", 1)
    assert "judged.csv" in weak


def test_shuffle_into_a_folder_loses_nothing(gold: Path, tmp_path: Path) -> None:
    given = "--error", "false_negative", "--magnitude", 0, "--magnitude", 1, "--seed", 3
    assert run("shuffle", gold, "-o", tmp_path / "study", *given) == ""
    back, made = accord.read(str(tmp_path / "study")), accord.shuffle(str(gold), "fn", magnitude=[0, 1], seed=3)
    assert back.n_annotators == made.n_annotators == 2
    assert (back.extents == made.extents).all()
    assert accord.score(back, "gamma").value == accord.score(made, "gamma").value


def test_shuffle_of_segmentations(tmp_path: Path) -> None:
    out, kept = tmp_path / "out.csv", tmp_path / "gold.csv"
    run("shuffle", "--generate", "segmentation=true", "--error", "insertion", "-o", out, "--keep-reference", kept)
    assert len(accord.read(str(kept))) == 49
    assert accord.read(str(out)).n_annotators == 3


def test_xray(gold: Path, tmp_path: Path) -> None:
    out, plot = tmp_path / "curves.csv", tmp_path / "curves.svg"
    (tmp_path / "own.py").write_text("def units(corpus):\n    return len(corpus) / 36\n", encoding="utf-8")
    text = run(
        "xray", gold, "--error", "false_negative", "-m", "gamma", "-m", "ser", "--function", tmp_path / "own.py:units",
        "--step", 0.5, "--sets", 3, "-o", out, "--plot", plot,
    )  # fmt: skip
    assert "strictly decreasing" in text
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert list(rows[0]) == ["error", "measure", "magnitude", "mean", "low", "high", "sets", "undefined"]
    assert {row["measure"] for row in rows} == {"gamma", "1-ser", "units"}
    gone = next(row for row in rows if row["measure"] == "gamma" and row["magnitude"] == "1.0")
    assert gone["mean"] == ""
    assert gone["undefined"] == "3"
    assert plot.exists()
    assert not out.with_name("curves.csv.journal").exists()


def test_meaning(gold: Path, tmp_path: Path) -> None:
    made, out = tmp_path / "made.csv", tmp_path / "meaning.csv"
    run("shuffle", gold, "-o", made, "--error", "category", "--magnitude", 0.5)
    text = run("meaning", made, "-m", "cu_alpha", "--step", 0.5, "--sets", 3, "-o", out, "--plot", tmp_path / "m.png")
    assert "is what three annotators reach here" in text
    assert out.read_text(encoding="utf-8").startswith("error,magnitude,low,high,words\n")
    assert "gold standard" in run("meaning", made, "-m", "ser", "--gold", gold, "--step", 0.5, "--sets", 3)


def test_what_goes_wrong_is_one_line(gold: Path, tmp_path: Path) -> None:
    two, empty = tmp_path / "two.csv", tmp_path / "empty.csv"
    run("shuffle", gold, "-o", two, "--annotators", 2)
    empty.write_text("doc,annotator,start,end,label\n", encoding="utf-8")
    tries = [
        (("shuffle", two), "which one is it"),
        (("shuffle",), "name a reference"),
        (("shuffle", gold, "--generate", "units=3"), "name a reference"),
        (("shuffle", empty), ""),
        (("shuffle", gold, "--magnitude", 1.5), "between 0 and 1"),
        (("shuffle", gold, "--error", "category(worst=[[1,1],[0,1]])"), "sum to 1"),
        (("shuffle", "--generate", "categories=1", "--error", "category"), "two categories"),
        (("shuffle", "--generate", "colour=1"), "colour"),
        (("xray", gold, "--resume"), "-o"),
        (("xray", gold, "--plot", "x.bmp"), "a plot is"),
        (("xray", gold, "--function", "nothing"), "FILE.py:NAME"),
        (("xray", gold, "--function", "nothing.py:f"), "nothing.py"),
        (("meaning",), "name the data"),
        (("meaning", gold), "only one annotator"),
    ]
    for argv, message in tries:
        text = run(*argv)
        assert text.startswith("error: "), argv
        assert message in text, argv
        assert "\n" not in text, argv
    assert not run("shuffle", two, "--reference", "A1").startswith("error")

"""The commands shuffle, xray and meaning."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import accord
from accord.core.errors import AccordError
from accord.core.tables import Table
from accord.doors.cli.app import app
from accord.doors.rendering.for_programs import table_as_csv
from studies.experiments import Harbour

from ..command_line import WIDE


def run(*argv: object, code: int = 0) -> str:
    result = CliRunner(env={"COLUMNS": str(WIDE)}).invoke(app, [str(a) for a in argv])
    if isinstance(result.exception, AccordError):
        return f"error: {result.exception}"
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.csv"
    run("shuffle", "--generate", "units=12,categories=3", "--magnitude", 0, "--annotators", 1, "-o", path, "--seed", 4)
    return path


def test_shuffle_writes_simulated_annotators(gold: Path, tmp_path: Path) -> None:
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


def test_xray_writes_curves(gold: Path, tmp_path: Path) -> None:
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


def test_meaning_writes_ranges(gold: Path, tmp_path: Path) -> None:
    made, out = tmp_path / "made.csv", tmp_path / "meaning.csv"
    run("shuffle", gold, "-o", made, "--error", "category", "--magnitude", 0.5)
    text = run("meaning", made, "-m", "cu_alpha", "--step", 0.5, "--sets", 3, "-o", out, "--plot", tmp_path / "m.png")
    assert text == ""
    assert out.read_text(encoding="utf-8").startswith("error,magnitude,low,high,words\n")
    assert "gold standard" in run("meaning", made, "-m", "ser", "--gold", gold, "--step", 0.5, "--sets", 3)


def test_wrong_calls_give_one_line_errors(gold: Path, tmp_path: Path) -> None:
    two, empty = tmp_path / "two.csv", tmp_path / "empty.csv"
    run("shuffle", gold, "-o", two, "--annotators", 2)
    empty.write_text("doc,annotator,start,end,label\n", encoding="utf-8")
    tries = [
        (("shuffle", two), "choose one: --reference NAME"),
        (("shuffle",), "no reference given"),
        (("shuffle", gold, "--generate", "units=3"), "both a file and --generate"),
        (("shuffle", empty), ""),
        (("shuffle", gold, "--magnitude", 1.5), "between 0 and 1"),
        (("shuffle", gold, "--error", "category(worst=[[1,1],[0,1]])"), "a sum of 1"),
        (("shuffle", "--generate", "categories=1", "--error", "category"), "two categories"),
        (("shuffle", "--generate", "colour=1"), "colour"),
        (("xray", gold, "--resume"), "-o"),
        (("xray", gold, "--plot", "x.bmp"), ".png, .svg, .pdf"),
        (("xray", gold, "--plot", "nowhere/x.png"), 'no folder "nowhere"'),
        (("xray", gold, "--function", "nothing"), "FILE.py:NAME"),
        (("xray", gold, "--function", "nothing.py:f"), "nothing.py"),
        (("meaning",), "name a table"),
        (("meaning", gold), "only one annotator"),
        (("meaning", two, "--gold", two), "choose one: --reference NAME"),
        (("meaning", two, "--reference", "A1"), "add --gold TABLE"),
        (("meaning", two, "--sets", 1), "at least two sets"),
        (("shuffle", gold, "--annotators", 3, "--magnitude", 0.1, "--magnitude", 0.2), "3 annotators, 1 error and 2"),
    ]
    for argv, message in tries:
        text = run(*argv)
        assert text.startswith("error: "), argv
        assert message in text, argv
        assert "\n" not in text, argv
    printed = run("meaning", two, "-m", "ser", "--gold", two, "--reference", "A1", "--step", 1, "--sets", 2)
    assert "gold standard" in printed
    assert run("shuffle", gold, "-o", "/dev/null") == ""
    assert not run("shuffle", two, "--reference", "A1").startswith("error")


def test_consensus_of_several_annotators_is_a_reference(gold: Path, tmp_path: Path) -> None:
    several, kept = tmp_path / "several.csv", tmp_path / "kept.csv"
    printed_by_shuffle = run("shuffle", gold, "-o", several, "--error", "category", "--magnitude", 0.1, "--seed", 2)
    assert printed_by_shuffle == ""  # the gold standard has no document lengths
    assert "the extents of documents" in run("shuffle", "--generate", "units=5", "-o", tmp_path / "lost.csv")
    run("shuffle", several, "--reference", "consensus", "--keep-reference", kept, "-o", tmp_path / "again.csv")
    assert accord.read(str(kept)).annotators == ("consensus",)
    assert len(accord.read(str(kept))) == 12
    assert "by chance" in run("xray", several, "--reference", "consensus", "-m", "ser", "--step", 1, "--sets", 2)


@pytest.fixture
def story(tmp_path: Path) -> Path:
    """Tokens with their text by one annotator."""
    path = tmp_path / "story.csv"
    path.write_text(csv_of(Harbour().made().only_annotators(("gold",))), encoding="utf-8")
    return path


def csv_of(data: Any) -> str:
    return table_as_csv(Table("", *data.rows()))


def test_shuffle_xray_and_meaning_of_texts(story: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    run("shuffle", story, "-o", out, "--error", "text", "--magnitude", 0.2, "--seed", 1)
    assert out.read_text(encoding="utf-8").startswith("doc,annotator,start,end,text,pos\n")
    made = accord.read(str(out), layout="texts")
    assert (made.n_annotators, made.has_base) == (3, True)
    again = run("shuffle", out, "--error", "text", "--reference", "base", "--magnitude", 0.2, "--seed", 1)
    assert again == out.read_text(encoding="utf-8")
    run("shuffle", story, "-o", tmp_path / "folder", "--layout", "texts", "--magnitude", 0.2)
    assert accord.read(str(tmp_path / "folder"), layout="texts").n_annotators == 3
    text = run("xray", story, "--error", "token", "-m", "text_gamma(p_t=0,p_s=0.04)", "--step", 1, "--sets", 2)
    assert "strictly decreasing" in text
    printed = run("meaning", out, "-m", "text_gamma", "--gold", story, "--step", 0.5, "--sets", 2)
    assert "change the text of 1 token in" in printed
    assert "gold standard" in printed


def test_shuffle_xray_and_meaning_of_items(tmp_path: Path) -> None:
    gold, out = tmp_path / "gold.csv", tmp_path / "out.csv"
    rows = [f"i{k},gold,{'abaca'[k % 5]}" for k in range(100)]
    gold.write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    run("shuffle", gold, "-o", out, "--magnitude", 0.3, "--seed", 1)
    assert out.read_text(encoding="utf-8").startswith("item,annotator,label\n")
    printed = run("meaning", out, "--step", 0.5, "--sets", 3)
    assert "three annotators reach this value if they each confuse 1 label in" in printed
    assert "gold standard" in run("meaning", out, "-m", "kappa", "--gold", gold, "--step", 0.5, "--sets", 3)
    text = run("xray", gold, "-m", "alpha", "-m", "percent", "--step", 1, "--sets", 3)
    assert "category   percent" in text


def test_shuffle_changes_types_of_boundaries(tmp_path: Path) -> None:
    gold, out = tmp_path / "gold.csv", tmp_path / "out.csv"
    gold.write_text("doc,annotator,boundaries,length\nd,gold,3:a 7:b 12:a 20:b 31:a,40\n", encoding="utf-8")
    run("shuffle", gold, "-o", out, "--error", "category", "--magnitude", 0.8, "--seed", 2)
    made = accord.read(str(out))
    assert made.boundaries("d", "A1").tolist() == [3, 7, 12, 20, 31]
    assert made.categories.names == ("a", "b")


def test_errors_for_other_kinds_of_data_are_refused_in_one_line(story: Path, gold: Path, tmp_path: Path) -> None:
    rated = tmp_path / "rated.csv"
    rated.write_text("item,annotator,label\n1,g,a\n2,g,b\n", encoding="utf-8")
    tries = [
        (("shuffle", rated, "--error", "shift"), "choose one of false_negative, category, combination"),
        (("shuffle", story, "--error", "shift", "--layout", "texts"), "category, text, token, combination"),
        (("xray", gold, "--error", "combination([text,category])"), ""),
        (
            ("xray", rated, "-m", "gamma"),
            "gamma applies to units (columns doc, annotator, start, end), and these are labels of items",
        ),
        (("xray", story, "--error", "text", "-m", "gamma"), "use text_gamma"),
        (("meaning", rated), "only one annotator"),
    ]
    for argv, message in tries:
        text = run(*argv)
        assert text.startswith("error: "), argv
        assert message in text, argv
        assert "\n" not in text, argv


def test_papers_without_the_repository_says_to_clone_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accord, "__file__", str(tmp_path / "site-packages" / "accord" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    assert "clone the repository of accord" in run("papers")
    assert not list(tmp_path.iterdir())

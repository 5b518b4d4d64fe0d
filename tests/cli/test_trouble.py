"""Each error is one line on standard error and an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.answers.catalogue import question_named
from accord.answers.plan import load_plan
from accord.core.errors import DataError
from accord.core.writing import write_together
from accord.doors.cli import app, output

from ..command_line import Cli
from ..refusals import raises


@pytest.mark.parametrize(
    ("trouble", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (OSError(28, "No space left on device"), 2, "cannot write: No space left on device"),
        (MemoryError(), 2, "not enough memory for these data; choose with --only or --annotators"),
        (DataError("usage", "two\nlines and \x1b[31m"), 2, "two lines and �[31m"),
    ],
    ids=["interrupted", "full disk", "memory", "line breaks"],
)
def test_every_exception_is_one_line(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, trouble: BaseException, code: int, words: str
) -> None:
    def fails(**_: Any) -> int:
        raise trouble

    monkeypatch.setattr(app, "app", fails)
    got = cli("score", "x.csv")
    assert (got.code, got.out, got.err.count("\n")) == (code, "", 1)
    assert got.err.startswith(f"accord: {words}")


def test_interruption_inside_typer_has_its_exit_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "app", lambda **_: 130)
    got = cli("score", "x.csv")
    assert (got.code, got.err) == (130, "accord: interrupted\n")


def test_missing_table_is_refused_with_an_example(cli: Cli) -> None:
    got = cli("read")
    assert got.code == 2
    assert "accord read ratings.csv [option-missing]" in got.err


def test_option_with_run_is_refused_even_with_its_default_value(cli: Cli, garden: Path, tmp_path: Path) -> None:
    kept = tmp_path / "run.toml"
    assert cli("score", garden / "tone.csv", "-m", "alpha", "--level", "0.9", "--save", kept).code == 0
    for options in (
        ["--level", "0.95"],
        ["--seed", "0"],
        ["--repeats", "error"],
        ["-m", "alpha"],
        ["--interval", "default"],
    ):
        got = cli("score", "--run", kept, *options)
        assert (got.code, "--run repeats a saved run" in got.err) == (2, True), options
    assert "90% interval" in cli("score", "--run", kept, "--jobs", "1").out
    assert cli("score", "--run", kept, "--json").out.startswith("{")


def test_options_without_effect_are_refused(cli: Cli, garden: Path, tmp_path: Path) -> None:
    units = tmp_path / "units.csv"
    units.write_text("annotator,start,end,label\nA,0,5,x\nB,0,6,x\n")
    counts = tmp_path / "counts.csv"
    counts.write_text("item,x,y\n1,2,0\n2,1,1\n")
    tone = garden / "tone.csv"
    for options, words in (
        (
            ("score", units, "-m", "f1", "--marginals", "--json"),
            "--marginals needs labels of items, and these are units",
        ),
        (("score", counts, "--layout", "counts", "-m", "pi", "--marginals"), "[counts-without-annotators]"),
        (
            ("score", tone, "-m", "alpha", "--interval", "none", "--items-population", "900"),
            "--items-population changes the interval; leave out --interval none",
        ),
        (("influence", tone, "-m", "alpha", "--by", "feature"), "--by feature applies to texts with token features"),
        (("score", tone, "-m", "alpha", "--sheet", "one"), '--sheet "one": this option is for Excel files'),
    ):
        got = cli(*options)
        assert (got.code, got.out) == (2, "")
        assert words in got.err


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ('paths = ["a.csv"]\nreading = 3\n', "saved-file-invalid"),
        ('paths = ["a.csv"]\nseeds = 3\n', 'saved-file-invalid: "seeds"'),
        ('paths = "a.csv"\n', 'saved-file-invalid: "a.csv"'),
        ("paths = [3]\n", "saved-file-invalid"),
        ('paths = ["a.csv"]\nseed = "x"\n', 'saved-file-invalid: "x"'),
        ('paths = ["a.csv"]\nreading = {layuot = "wide"}\n', 'saved-file-invalid: "layuot"'),
        ('paths = ["a.csv"]\nmatrix = 1\n', 'saved-file-invalid: "1"'),
    ],
)
def test_invalid_saved_run_is_refused(tmp_path: Path, kept: str, words: str) -> None:
    path = tmp_path / "run.toml"
    path.write_text(kept, encoding="utf-8")
    with raises(words):
        load_plan(path, question_named("score"))


def test_path_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with raises("output-not-writable", '"file/deeper" cannot be written: no folder "file"'):
        write_together(Path("file/deeper"), {"units.csv": b""})
    with raises("output-not-writable"):
        output.write_whole(Path("missing/page.md"), "x")
    (tmp_path / "page.md").write_text("as it was", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "chmod", full)
    with raises("output-not-writable"):
        output.write_whole(Path("page.md"), "half")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "page.md"]  # no temporary files

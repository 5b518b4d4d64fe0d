"""Bad options and bad files: accord prints one line with the location and a solution, and no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import accord

from ..command_line import Cli, refused
from ..refusals import raises

CUT = "doc,annotator,masses\nd,Ana,2 3 4\nd,Ben,5 4\ne,Ana,1 2\ne,Ben,2 1\n"
LONG = "item,annotator,label\ns1,Ana,é\ns1,Ben,é\ns2,Ana,f\ns2,Ben,é\n"


def test_only_selects_documents_of_segmentations(cli: Cli, table: Callable[..., Path]) -> None:
    assert cli("score", table(CUT), "-m", "pk", "--only", "doc=d").code == 0
    refused(cli("score", table(CUT), "-m", "pk", "--only", "doc=x"), "[unknown-name]", '"x"')


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--encoding", "undefined"], ['unknown encoding "undefined"']),
        (["--encoding", "\0"], ["unknown encoding"]),
        (["--encoding", "idna"], ["is not IDNA"]),
        (
            ["--level", "0.9999999999999999", "--interval", "bootstrap"],
            ["[option-value]", "--level", "at most 0.999999"],
        ),
        (["--replicates", "99999999999999999999"], ["[option-value]", "--replicates", "at most 10,000,000"]),
        (["-m", f"alpha({'[' * 490}{']' * 490})"], ["more than 40 nested brackets"]),
    ],
)
def test_invalid_option_values_are_refused_in_one_line(
    cli: Cli, table: Callable[..., Path], options: list[str], words: list[str]
) -> None:
    refused(cli("score", table(LONG), *options), *words)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("measures = " + "[" * 5000 + "]" * 5000, "[saved-file-invalid]"),
        ("seed = " + "9" * 5000, "[saved-file-invalid]"),
        ('paths = ["a\\u0000.csv"]', "[file-name]"),
        ("\0", "[saved-file-invalid]"),
    ],
)
def test_damaged_saved_runs_are_refused(cli: Cli, tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "run.toml").write_text(content, encoding="utf-8")
    refused(cli("score", "--run", tmp_path / "run.toml"), words)


def test_confusion_layout_needs_more_than_one_column(cli: Cli, table: Callable[..., Path]) -> None:
    refused(cli("score", table("x\n1\n2\n"), "--layout", "confusion"), "[column-missing]")


def test_json_of_explain_contains_sets_of_labels(cli: Cli, table: Callable[..., Path]) -> None:
    units = table("annotator,start,end,label\nAna,0,4,a|b\nBen,0,5,a\nAna,9,12,b\nBen,9,12,b\n")
    got = cli("score", units, "-m", "gamma", "--sets", "|", "--explain", "--json")
    assert got.code == 0
    assert '"label": "a|b"' in got.out or '"label": "{a, b}"' in got.out


def test_undecodable_file_name_is_refused(cli: Cli, tmp_path: Path) -> None:
    refused(cli("score", tmp_path / "\udcff.csv"), "[file-name]")


def test_circular_link_is_refused_as_output(cli: Cli, table: Callable[..., Path], tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    refused(cli("score", table(LONG), "-o", loop), "[file-name]")


def test_exception_in_a_parser_becomes_an_error_with_its_cause(
    monkeypatch: pytest.MonkeyPatch, table: Callable[..., Path]
) -> None:
    class Panic(BaseException):
        """A panic of Polars, which is not an Exception."""

    def panics(*_: object) -> None:
        raise Panic("index out of bounds\nnote: run with RUST_BACKTRACE=1")

    monkeypatch.setattr("accord.data.io._sources", panics)
    with raises("file-damaged") as e:
        accord.read(table(LONG))
    assert isinstance(e.value.__cause__, Panic)


def test_quotes_around_a_spec_are_ignored(cli: Cli, table: Callable[..., Path]) -> None:
    assert cli("score", table(LONG), "-m", "'alpha(distance=nominal)'", "--interval", "none").code == 0
    assert cli("check", table(LONG), "--min", "'alpha(distance=nominal)=-1'").code == 0


def test_nul_in_the_name_of_a_matrix_is_refused(table: Callable[..., Path]) -> None:
    """A shell cannot pass a NUL, but a saved run can contain one."""
    with raises("file-name"):
        accord.alpha(table(LONG), distance='matrix("a\0b.csv")')


def test_windows_paths_in_a_spec_are_not_escape_sequences(cli: Cli, table: Callable[..., Path]) -> None:
    refused(cli("score", table(LONG), "-m", r'alpha(distance=matrix("C:\temp\b.csv"))'), "[file-missing]")
    refused(cli("score", table(LONG), "-m", r'alpha(distance=matrix("\\host\new.csv"))'), "[file-missing]")
    refused(cli("score", table(LONG), "-m", r'alpha(distance=matrix("C:\\temp\\b.csv"))'), "[file-missing]")


def test_label_of_spaces_is_missing(table: Callable[..., Path]) -> None:
    data = accord.read(table("item,Ana,Ben\n1,a, \n2,b,b\n3,a,a\n"), fold="space")
    assert "1 label missing (only spaces)" in data.notes
    assert data.categories.names == ("a", "b")

"""Whatever is typed or stands in a file: one line with the place and the way out, and no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import accord

from ..command_line import Cli, refused
from ..refusals import raises

CUT = "doc,annotator,masses\nd,Ana,2 3 4\nd,Ben,5 4\ne,Ana,1 2\ne,Ben,2 1\n"
LONG = "item,annotator,label\ns1,Ana,é\ns1,Ben,é\ns2,Ana,f\ns2,Ben,é\n"


def test_documents_of_segmentations_can_be_chosen(cli: Cli, table: Callable[..., Path]) -> None:
    assert cli("score", table(CUT), "-m", "pk", "--only", "doc=d").code == 0
    refused(cli("score", table(CUT), "-m", "pk", "--only", "doc=x"), "[unknown-name]", '"x"')


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--encoding", "undefined"], ['unknown encoding "undefined"']),
        (["--encoding", "\0"], ["unknown encoding"]),
        (["--encoding", "idna"], ["is not IDNA"]),
        (["--level", "0.9999999999999999", "--interval", "bootstrap"], ["the highest is 0.999999"]),
        (["--replicates", "99999999999999999999"], ["too many: at most 10,000,000"]),
        (["-m", f"alpha({'[' * 490}{']' * 490})"], ["more than 40 nested brackets"]),
    ],
)
def test_options(cli: Cli, table: Callable[..., Path], options: list[str], words: list[str]) -> None:
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
def test_kept_runs(cli: Cli, tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "run.toml").write_text(content, encoding="utf-8")
    refused(cli("score", "--run", tmp_path / "run.toml"), words)


def test_one_column_has_no_counts(cli: Cli, table: Callable[..., Path]) -> None:
    refused(cli("score", table("x\n1\n2\n"), "--layout", "confusion"), "[column-missing]")


def test_sets_of_labels_are_explained_in_json(cli: Cli, table: Callable[..., Path]) -> None:
    units = table("annotator,start,end,label\nAna,0,4,a|b\nBen,0,5,a\nAna,9,12,b\nBen,9,12,b\n")
    got = cli("score", units, "-m", "gamma", "--sets", "|", "--explain", "--json")
    assert got.code == 0
    assert '"label": "a|b"' in got.out or '"label": "{a, b}"' in got.out


def test_names_that_cannot_be_opened(cli: Cli, tmp_path: Path) -> None:
    refused(cli("score", tmp_path / "\udcff.csv"), "[file-name]")


def test_a_link_to_itself_is_no_output(cli: Cli, table: Callable[..., Path], tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    refused(cli("score", table(LONG), "-o", loop), "[file-name]")


def test_exceptions_of_a_parser_become_one_line_with_the_cause(
    monkeypatch: pytest.MonkeyPatch, table: Callable[..., Path]
) -> None:
    class Panic(BaseException):
        """As Polars': no Exception."""

    def panics(*_: object) -> None:
        raise Panic("index out of bounds\nnote: run with RUST_BACKTRACE=1")

    monkeypatch.setattr("accord.data.io._sources", panics)
    with raises("file-damaged") as e:
        accord.read(table(LONG))
    assert isinstance(e.value.__cause__, Panic)


def test_quotes_that_a_shell_passes_on(cli: Cli, table: Callable[..., Path]) -> None:
    assert cli("score", table(LONG), "-m", "'alpha(distance=nominal)'", "--interval", "none").code == 0
    assert cli("check", table(LONG), "--min", "'alpha(distance=nominal)=-1'").code == 0


def test_no_matrix_has_a_name_with_a_nul(table: Callable[..., Path]) -> None:
    """A shell cannot say it, a kept run can."""
    with raises("file-name"):
        accord.alpha(table(LONG), distance='matrix("a\0b.csv")')


def test_paths_of_windows_in_a_spec(cli: Cli, table: Callable[..., Path]) -> None:
    refused(cli("score", table(LONG), "-m", r'alpha(distance=matrix("C:\temp\b.csv"))'), "[file-missing]")
    refused(cli("score", table(LONG), "-m", r'alpha(distance=matrix("\\host\new.csv"))'), "[file-missing]")
    refused(cli("score", table(LONG), "-m", r'alpha(distance=matrix("C:\\temp\\b.csv"))'), "[file-missing]")


def test_space_alone_is_no_category(table: Callable[..., Path]) -> None:
    data = accord.read(table("item,Ana,Ben\n1,a, \n2,b,b\n3,a,a\n"), fold="space")
    assert "1 label missing (only spaces)" in data.notes
    assert data.categories.names == ("a", "b")

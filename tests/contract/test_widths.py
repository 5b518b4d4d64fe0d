"""The output of every result and command fits narrow and wide screens, for all labels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from accord.core.errors import printable
from accord.core.tables import Cell, Interval, Table
from accord.doors.rendering import render
from accord.doors.rendering.text import fit_table, render_tables, shorten_to_width, wrap_cell, wrap_text

from ..cases import for_each
from ..command_line import Cli
from .test_results import NAMES, made

WIDTHS = (60, 80, 120, 200)
STRANGE = (
    "日本語のとても長いラベルです、読みやすく折り返してください",
    "cafe\u0301 au lait, re\u0301sume\u0301",
    "👩🏽 🇫🇷 ❤️ emoji",
    "תווית ארוכה מאוד בעברית",
    "علامة طويلة جدا",
    "a_label_of_an_annotator_who_likes_names_that_explain_everything_in_all_details",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller",
    "x",
)


def too_long(text: str, width: int) -> list[str]:
    """Return lines that are too long, except single words and commands, which are not wrapped."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("$ ")]
    return [line for line in lines if cell_len(line) > width and " " in line.strip()]


@NAMES
@for_each("width", WIDTHS)
def test_every_result_fits_the_screen(name: str, width: int) -> None:
    assert not too_long(render(made(name), width=width), width)


def matrix(labels: tuple[str, ...]) -> Table:
    rows = tuple((one, *(10 * i + k for k in range(len(labels)))) for i, one in enumerate(labels))
    return Table("confusion matrix", ("", *labels), rows, matrix=True)


def table(labels: tuple[str, ...]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (label, k / 7, Interval(0.1, k / 3, 0.95, "made up"), 3, f"{label} {label}") for k, label in enumerate(labels)
    )
    return Table("", ("what", "value", "95% interval", "annotators", "remark"), rows, ("a note",), ("annotators",))


@pytest.mark.parametrize("width", [30, *WIDTHS])
def test_unusual_labels_fit_the_screen(width: int) -> None:
    for one in (matrix(STRANGE), table(STRANGE), Table("", ("", ""), tuple((s, s * 3) for s in STRANGE))):
        lines = render_tables([one], [f"a fact about {STRANGE[0]}"], width=width).splitlines()
        assert all(cell_len(line) <= width for line in lines), max(lines, key=cell_len)


@pytest.mark.parametrize("width", WIDTHS)
def test_columns_are_aligned_for_all_labels(width: int) -> None:
    rows = tuple((label, 0.5, 7) for label in STRANGE)
    lines = [line.text for line in fit_table(Table("", ("what", "value", "n"), rows), width).lines]
    ends = {cell_len(line[: line.index("0.500") + 5]) for line in lines if "0.500" in line}
    assert len(ends) == 1
    assert {cell_len(line) for line in lines if "0.500" in line} == {cell_len(lines[1])}


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=60), st.integers(1, 30))
def test_shortened_text_fits_and_keeps_its_ends(text: str, width: int) -> None:
    found = shorten_to_width(text, width)
    assert cell_len(found) <= width
    if cell_len(text) <= width:
        assert found == text
    else:
        head, _, tail = found.partition("…") if "…" not in text else ("", "", "")
        assert text.startswith(head)
        assert text.endswith(tail)


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30)), st.integers(4, 40))
def test_wrapped_text_is_the_same_text(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = wrap_text(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width or " " not in line.strip() for line in lines)
    assert all(cell_len(line) <= width for line in wrap_cell(text, width))


SCORES = Table(
    "",
    ("measure", "value", "95% interval", "observed", "expected", "items", "annotators"),
    (("alpha(distance=ordinal)", 0.5, Interval(-0.25, 1, 0.95, ""), 0.1, 0.2, 12, 3),
     ("kappa(weights=quadratic)", 0.5, Interval(-0.25, 1, 0.95, ""), 0.1, 0.3, 12, 3)),
    least=("annotators", "items", "expected", "observed"),
)  # fmt: skip


def test_less_important_columns_are_omitted_first_and_named() -> None:
    made = render_tables([SCORES], width=80)
    assert "annotators" not in made.splitlines()[0]
    assert "in every row: annotators 3" in made
    assert "not shown" not in made
    made = render_tables([SCORES], width=60)
    assert "in every row: observed 0.100, items 12, annotators 3\n" in made
    made = render_tables([SCORES], width=45)
    assert "terminal is narrow: expected; --json has all" in " ".join(made.split())
    assert "not shown" not in render_tables([SCORES], width=200)
    assert "in every row" not in render_tables([SCORES], width=200)


def test_column_without_information_is_dropped_silently() -> None:
    rows = tuple(("a" * 30, 0.5 + k, None, 0.1 * k) for k in range(3))
    one = Table("", ("what", "a long name here", "nothing", "another name"), rows, least=("nothing", "another name"))
    made = render_tables([one], width=50)
    assert "nothing" not in made
    assert "in every row" not in made
    assert "nothing" in render_tables([one], width=100)


def test_labels_of_a_matrix_are_numbered() -> None:
    labels = tuple(f"a rather long label {k}" for k in range(12))
    lines = render_tables([matrix(labels)], width=80).splitlines()
    assert lines[1].split() == [str(k) for k in range(1, 13)]
    assert lines[3].startswith(" 1 a rathe")
    assert lines[14].startswith("12 a rathe")
    assert lines[3].split()[-12:] == [str(k) for k in range(12)]
    assert "1 a rather" not in render_tables([matrix(labels)], width=1000)


def test_wide_tables_are_split_into_bands_or_blocks() -> None:
    names = tuple(f"round {k}" for k in range(20))
    numbers = Table("", ("annotator", *names), tuple((who, *(k / 20 for k in range(20))) for who in ("Ana", "Ben")))
    made = render_tables([numbers], width=60)
    assert made.count("Ana") > 1
    assert all(name.split()[1] in made for name in names)
    words = Table("", ("doc", "note", "text"), (("d1", "one; " * 30, "word " * 50), ("d2", "", "short")))
    made = render_tables([words], width=60)
    assert made.startswith("doc: d1\n  note: one;")
    assert made.endswith("\n\ndoc: d2\n  text: short\n")  # empty cells are omitted


LONG = "item,Ana Maria da Silva e Souza,本多 平八郎 忠勝,Ben\n" + "".join(
    f"i{k},{STRANGE[k % 3]!r},{STRANGE[(k + k % 2) % 3]!r},{STRANGE[(k * k) % 5]!r}\n".replace("、", "")
    for k in range(24)
).replace("'", '"')
COMMANDS = [
    "score examples/garden/spans.csv --by document --by pair --by category --explain",
    "score examples/garden/sentences.csv --by item --by pair --matrix --marginals --scale altman",
    "score examples/fables/chains.csv",
    "score long.csv --by category --by pair --matrix --marginals",
    "disagreements long.csv",
    "read long.csv",
    "read examples/garden/spans.csv",
    "align examples/garden/spans.csv --markdown -o /dev/null",
    "gold examples/garden/spans.csv",
    "disagreements examples/garden/spans.csv",
    "annotators examples/garden/spans.csv",
    "annotators examples/garden/sentences.csv",
    "influence examples/garden/sentences.csv -m alpha --replicates 100",
    "compare examples/garden/sentences.csv -m alpha --annotators-a Ana,Ben --annotators-b Ben,Chloé",
    "check examples/garden/sentences.csv --min alpha=0.2",
    "trend examples/garden/sentences.csv --by doc -m alpha",
    "replace examples/garden/sentences.csv --models Ben",
    "limits examples/garden/tone.csv --annotators Ana,Ben",
    "plan -m kappa --width 0.3 --simulations 0",
    "measures",
    "measures alpha",
    "measures gamma",
    "measures irr",
    "measures kappam.fleiss",
    "formats",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_output_of_every_command_fits_the_screen(
    cli: Cli, command: str, garden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(garden.parent)
    (tmp_path / "long.csv").write_text(LONG, encoding="utf-8")
    for width in (60, 80, 200):
        got = cli(*command.split(), columns=width)
        assert got.code == 0, got.err
        assert not too_long(got.out, width)


def test_piped_output_is_80_columns_wide_and_terminal_output_fits_the_terminal(garden: Path) -> None:
    """COLUMNS takes precedence over the width of the terminal and of a pipe."""
    code = "import sys; sys.argv = ['accord', 'score', sys.argv[1]]; from accord.doors.cli import main; main()"
    command = [sys.executable, "-c", code, str(garden / "spans.csv")]
    calm = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "NO_COLOR"}}
    piped = subprocess.run(command, capture_output=True, text=True, check=True, env=calm).stdout  # noqa: S603
    assert not too_long(piped, 80)
    wide = subprocess.run(command, capture_output=True, text=True, check=True, env={**calm, "COLUMNS": "200"}).stdout  # noqa: S603
    assert any(cell_len(line) > 80 for line in wide.splitlines())
    pty = pytest.importorskip("pty", reason="the system has no pseudo-terminals")
    parent, child = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    subprocess.run(command, stdout=child, stderr=subprocess.DEVNULL, check=True, env={**calm, "TERM": "dumb"})  # noqa: S603
    os.close(child)
    shown = b""
    while chunk := _read(parent):
        shown += chunk
    assert shown.decode().replace("\r\n", "\n") == wide


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # end of output
        return b""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("👩🏽\u200d🚀", "👩🏽\u200d🚀"),  # one character
        ("می\u200cخواهم", "می\u200cخواهم"),  # Persian
        ("東京\u3000都", "東京\u3000都"),
        ("a\u200db", "a�b"),  # an invisible character between Latin letters
        ("\u202etxt.exe", "�txt.exe"),
        ("a\tb\x1b[31m", "a\\tb�[31m"),
    ],
)
def test_joiners_are_kept_only_where_scripts_need_them(text: str, shown: str) -> None:
    assert printable(text) == shown

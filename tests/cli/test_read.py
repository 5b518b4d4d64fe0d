"""`accord read` shows how the data were read; `accord score` summarises this in two lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..command_line import Cli, refused


def table(path: Path, rows: list[list[object]]) -> Path:
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def test_summary_shows_the_first_items(tmp_path: Path, cli: Cli) -> None:
    path = table(tmp_path / "t.csv", [["item", "Ana", "Ben"], ["s1", "noun", "verb"], ["s2", "noun", ""]])
    lines = cli("read", path).out.splitlines()
    assert lines[0] == "label: ratings of items"
    assert "  left out     1 item with only one label" in lines
    at = lines.index("first items")
    assert [line.split() for line in lines[at + 1 :][:4] if "─" not in line] == [
        ["item", "Ana", "Ben"],
        ["s1", "noun", "verb"],
        ["s2", "noun"],
    ]
    shown = " ".join(lines[at:])
    assert "If this is wrong, try: --item, --annotator, --label" in shown
    assert "--sheet" not in shown
    assert "--names" not in shown


def test_read_shows_units_with_their_text(garden: Path, cli: Cli) -> None:
    out = cli("read", garden / "spans.csv").out
    assert "letter1   Ana         35      41    PLACE     plot 7" in out
    assert "--start, --end" in out


def test_score_shows_the_columns_read_as_annotators(tmp_path: Path, cli: Cli) -> None:
    """A user whose columns are variables can see that accord read them as annotators."""
    path = table(tmp_path / "t.csv", [["item", "first", "second"], ["s1", "art", "art"], ["s2", "law", "art"]])
    assert "  first, second; first: s1 art, art" in cli("score", path, "-m", "alpha").out.splitlines()
    path = table(tmp_path / "t.csv", [["item", "topic", "tone"], ["s1", "art", "art"], ["s2", "law", "art"]])
    refused(cli("score", path, "-m", "alpha"), "[roles-unclear]")


@pytest.mark.parametrize("annotators", [2, 40])
def test_summary_of_wide_tables_fits_80_columns(tmp_path: Path, cli: Cli, annotators: int) -> None:
    names = [f"annotator number {k}" for k in range(annotators)]
    rows = [
        [f"a very long name of an item indeed {k}", *[f"label {k % 3} with many words"] * annotators] for k in range(9)
    ]
    path = table(tmp_path / "t.csv", [["item", *names], *rows])
    for command in ("read", "score"):
        options = ("-m", "s", "--interval", "none") if command == "score" else ()
        lines = cli(command, path, *options, columns=80).out.splitlines()
        of_reading = lines[1:3] if command == "score" else lines
        assert max(map(len, of_reading)) <= 80, max(of_reading, key=len)


def test_json_has_the_first_rows(tmp_path: Path, cli: Cli) -> None:
    path = table(tmp_path / "t.csv", [["item", "Ana", "Ben"], ["s1", "noun", "verb"], ["s2", "noun", ""]])
    found = json.loads(cli("read", path, "--json").out)
    assert found["variables"]["label"]["first"] == {
        "columns": ["item", "Ana", "Ben"],
        "rows": [["s1", "noun", "verb"], ["s2", "noun", ""]],
    }
    assert "--item" in found["options"]


def test_counts_layout_names_no_annotators(tmp_path: Path, cli: Cli) -> None:
    path = table(tmp_path / "t.csv", [["item", "noun", "verb"], ["s1", 2, 1], ["s2", 0, 3]])
    out = cli("score", path, "--layout", "counts", "-m", "alpha").out
    assert "  annotators not identified; first: s1 2 × noun, verb" in out.splitlines()


@pytest.mark.parametrize("name", ["sentences.csv", "spans.csv"])
def test_read_names_only_the_selected_annotators(garden: Path, cli: Cli, name: str) -> None:
    (found,) = json.loads(cli("read", garden / name, "--json").out)["variables"].values()
    one, other, *_ = found["annotators"]
    left = cli("read", garden / name, "--annotators", f"{one},{other}").out
    assert f"2: {one}, {other}\n" in left


def test_score_shows_only_the_selected_annotators(garden: Path, cli: Cli) -> None:
    out = cli("score", garden / "sentences.csv", "-m", "alpha", "--annotators", "Ana,Ben").out
    assert "  Ana, Ben; first: letter1-01 report, report" in out.splitlines()


def test_many_variables_have_a_row_each_below_common_facts(tmp_path: Path, cli: Cli) -> None:
    names = ["q1", "q2", "q3", "q4"]
    rows = [[f"s{k}", who, "yes", "no", "yes", f"w{k}"] for k in range(3) for who in ("Ana", "Ben")]
    out = cli("read", table(tmp_path / "t.csv", [["item", "annotator", *names], *rows])).out
    assert out.splitlines()[0] == "4 variables"
    assert out.count("3: Ana") + out.count("2: Ana, Ben") == 1
    listed = [line.split() for line in out.splitlines() if line.startswith("q")]
    assert [line[:2] for line in listed] == [["q1", "yes"], ["q2", "no"], ["q3", "yes"], ["q4", "w0,"]]

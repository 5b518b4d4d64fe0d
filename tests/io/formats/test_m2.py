"""M2: corrections of sentences by several annotators."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import accord

from ...refusals import raises
from .common import one, units, written


def edit(first: int, last: int, kind: str, words: str, who: int) -> str:
    return f"A {first} {last}|||{kind}|||{words}|||REQUIRED|||-NONE-|||{who}\n"


def test_corrections_become_units_of_annotators(tmp_path: Path) -> None:
    text = (
        "S This are a 😀 test .\n" + edit(1, 2, "R:VERB", "is", 0) + edit(4, 4, "M:ADJ", "small", 0)
        + edit(6, 6, "M:PUNCT", "!", 0) + edit(-1, -1, "noop", "-NONE-", 1) + "\nS Fine\n\n"
    )  # fmt: skip
    data = accord.read(one(tmp_path, "d.m2", text.replace("\n", "\r\n")))
    assert units(data) == [
        ("d 1", "0", 5, 8, "R:VERB"), ("d 1", "0", 13, 13, "M:ADJ"), ("d 1", "0", 19, 19, "M:PUNCT"),
    ]  # fmt: skip
    assert data.annotators == ("0", "1")
    assert data.judged.all()  # all annotators left the sentence without edits unchanged
    assert data.texts["d 1"] == "This are a 😀 test ."


def test_files_are_annotators(tmp_path: Path) -> None:
    folder = written(tmp_path, {f"{who}.m2": "S a b\n" + edit(0, 1, "X", "c", 0) for who in ("Ana", "Ben")})
    assert accord.read(folder, names="{annotator}").annotators == ("Ana 0", "Ben 0")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A 0 9|||X|||c|||REQUIRED|||-NONE-|||0", "invalid-record: d.m2:3"),
        ("A 0 1|||X", "invalid-record: d.m2:3"),
        ("words", "invalid-record: d.m2:3"),
    ],
)
def test_broken_lines_are_refused_with_their_location(tmp_path: Path, line: str, expected: str) -> None:
    with raises(expected):
        accord.read(one(tmp_path, "d.m2", f"S a b\n{edit(0, 1, 'X', 'c', 0)}{line}\n"))


def test_ua_gec_has_as_many_units_as_corrections(corpora: Path) -> None:
    """The M2 file has units by sentence; the published table has units by document."""
    path = corpora / "ua-gec" / "native" / "gec-fluency.test.m2"
    lines = re.findall(r"^A (\d+) \d+\|\|\|(?!noop)(.*?)\|\|\|", path.read_text(encoding="utf-8"), re.MULTILINE)
    data = accord.read(path)
    assert len(data) == len(lines) == 8247
    assert data.annotators == ("0", "1")

"""Behaviour common to all formats: archives, offsets, spans checked against their text."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.data.io.formats.files import gather_files
from accord.data.io.formats.spans import crlf, utf8, utf16

from ...refusals import raises

TEXT = "A 😀 b\nsmall text"


@given(st.text(max_size=30), st.data())
def test_offsets_become_code_points(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    before = text[:at]
    if not any("\ud800" <= sign <= "\udfff" for sign in text):
        assert utf16(text)(len(before.encode("utf-16-le")) // 2) == at
        assert utf8(text)(len(before.encode("utf-8"))) == at
    assert crlf(text)(len(before.replace("\n", "\r\n"))) == at


def brat(folder: Path, spans: dict[str, str], text: str = TEXT) -> Path:
    for who, lines in spans.items():
        (folder / who).mkdir(parents=True)
        (folder / who / "d1.txt").write_text(text, encoding="utf-8")
        (folder / who / "d1.ann").write_text(lines, encoding="utf-8")
    return folder


def test_utf_16_offsets_are_refused_and_repaired_with_the_option(tmp_path: Path) -> None:
    """The offsets count UTF-16, so spans after the emoji are one too high."""
    path = brat(tmp_path, {"Ana": "T1\tX 5 6\tb\nT2\tX 7 12\tsmall\n", "Ben": ""})
    with raises("invalid-record", "d1.ann:1", '"b"', "--repair"):
        accord.read(path)
    read = accord.read(path, repair=True)
    assert [row[2:4] for row in read.rows()[1]] == [(4, 5), (6, 11)]
    assert any("2 spans repaired" in note and "UTF-16" in note for note in read.notes)


def test_span_with_slightly_wrong_offsets_is_kept_and_reported(tmp_path: Path) -> None:
    lines = "".join(f"T{k}\tX 12 16\ttext\n" for k in range(40)) + "T99\tX 6 10\tsmall\n"
    read = accord.read(brat(tmp_path, {"Ana": lines, "Ben": ""}))
    assert any("1 span read with unchanged offsets" in note and "d1.ann:41" in note for note in read.notes)
    assert (6, 10) in {row[2:4] for row in read.rows()[1]}
    assert (6, 11) in {row[2:4] for row in accord.read(tmp_path, repair=True).rows()[1]}


def test_spans_outside_the_text_are_skipped_and_counted(tmp_path: Path) -> None:
    read = accord.read(brat(tmp_path, {"Ana": "T1\tX 2 3\nT2\tX 5 99\n", "Ben": "T1\tX 1 3\n"}))
    assert len(read) == 2
    assert any("1 spans outside the text" in note for note in read.notes)
    assert any("1 span with a blank at the start or end" in note for note in read.notes)


def test_annotator_without_units_still_judged_the_document(tmp_path: Path) -> None:
    read = accord.read(brat(tmp_path, {"Ana": "T1\tX 2 3\t😀\n", "Ben": ""}))
    assert read.annotators == ("Ana", "Ben")
    assert read.judged.all()
    assert read.extents.tolist() == [[0, len(TEXT)]]


def test_archive_gives_the_same_data_as_its_folder(tmp_path: Path) -> None:
    folder = brat(tmp_path / "in", {"Ana": "T1\tX 2 3\t😀\n", "Ben": "T1\tY 2 3\t😀\n"})
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(folder.rglob("*.*")):
            archive.write(file, file.relative_to(folder))
    assert accord.read(packed).digest == accord.read(folder).digest


def test_archive_names_outside_the_archive_are_refused(tmp_path: Path) -> None:
    packed = tmp_path / "evil.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../d1.ann", "")
    with raises("unsafe-file"):
        gather_files([packed])


def test_options_of_tables_are_refused(tmp_path: Path) -> None:
    path = brat(tmp_path, {"Ana": "T1\tX 2 3\t😀\n", "Ben": ""})
    with raises("option-not-for-data"):
        accord.read(path, item="x")
    with raises("unknown-name", '"type"'):
        accord.read(path, label="typ")
    with raises("unknown-name", '"brat"'):
        accord.read(path, format="bratt")


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.xml", b"<?xml version='1.0'?><a/>", "format-unknown"),
        ("a.pdf", b"%PDF-1.4 ...", "format-unknown"),
        ("a.json", b'{\n"a": 1}', "format-unknown"),
        ("a.csv", b'{"a": 1}\n', "format-unknown"),
        ("a.pkl", b"\x80\x04\x95abc", "format-unknown"),
        ("a.bin", bytes(range(256)) * 4, "format-unknown"),
    ],
)
def test_other_files_are_refused_with_a_specific_error(tmp_path: Path, name: str, content: bytes, what: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with raises(what):
        accord.read(path)

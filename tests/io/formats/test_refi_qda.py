"""REFI-QDA: projects of MAXQDA, NVivo and ATLAS.ti."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import accord

from ...refusals import raises
from .common import one, told, units, written

TEXT = "A 😀 line\r\nsmall text"  # as stored in the archive; positions count a line end as one character


def selection(start: object, end: object, *codings: tuple[str, str]) -> str:
    inside = "".join(f'<Coding creatingUser="{user}"><CodeRef targetGUID="{code}"/></Coding>' for user, code in codings)
    return f'<PlainTextSelection startPosition="{start}" endPosition="{end}">{inside}</PlainTextSelection>'


def project(inside: str, sources: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><Project xmlns="urn:QDA-XML:project:1.0" name="p">'
        '<Users><User guid="u1" name="Ana"/><User guid="u2" id="BB"/></Users><CodeBook><Codes>'
        '<Code guid="c1" name="Food"><Code guid="c2" name="Other"/></Code><Code guid="c3" name="Place">'
        '<Code guid="c4" name="Other"/></Code></Codes></CodeBook><Sources>'
        f'<TextSource name="talk" plainTextPath="internal://t1.txt">{inside}</TextSource>{sources}</Sources></Project>'
    )


def write_project(folder: Path, content: str, name: str = "p.qdpx") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.qde", content)
        archive.writestr("sources/t1.txt", b"\xef\xbb\xbf" + TEXT.encode())
    return path


def test_users_are_annotators(tmp_path: Path) -> None:
    inside = (
        selection(9, 14, ("u1", "c1"), ("u2", "c4")) + selection(0, 1, ("u2", "c2")) + selection(0, 1)
        + selection(0, 1, ("u2", "gone")) + '<Coding creatingUser="u1"><CodeRef targetGUID="c1"/></Coding>'
    )  # fmt: skip
    sources = (
        '<PDFSource name="page"><PDFSelection><Coding/></PDFSelection></PDFSource>'
        '<AudioSource name="sound"><Transcript><TranscriptSelection><Coding/></TranscriptSelection></Transcript>'
        '<AudioSelection begin="1500" end="2500"><Coding creatingUser="u1"><CodeRef targetGUID="c3"/></Coding>'
        "</AudioSelection></AudioSource>"
    )
    data = accord.read(write_project(tmp_path, project(inside, sources)))
    assert units(data) == [
        ("sound", "Ana", 1.5, 2.5, "Place"),
        ("talk", "Ana", 9, 14, "Food"), ("talk", "BB", 0, 1, "Food/Other"), ("talk", "BB", 9, 14, "Place/Other"),
    ]  # fmt: skip
    assert data.texts["talk"][9:14] == "small"
    for what in ("1 selections without a code", "1 codings whose code is not", "1 codings of whole documents",
                 "1 codings of images and PDFs", "1 codings of transcripts"):  # fmt: skip
        assert told(data, "skipped", what)


def test_files_are_annotators_if_their_users_are_equal(tmp_path: Path) -> None:
    write_project(tmp_path, project(selection(9, 14, ("u1", "c1"))), "ana.qdpx")
    write_project(tmp_path, project(""), "ben.qdpx")
    data = accord.read(tmp_path)
    assert data.annotators == ("ana", "ben")
    assert data.judged.all()


def test_project_with_embedded_text_is_read(tmp_path: Path) -> None:
    content = project("<PlainTextContent>small text</PlainTextContent>" + selection(0, 5, ("u1", "c1"), ("u2", "c1")))
    assert units(accord.read(one(tmp_path, "p.qde", content))) == [
        ("talk", "Ana", 0, 5, "Food"),
        ("talk", "BB", 0, 5, "Food"),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (project(selection("", 5, ("u1", "c1"))), "invalid-record"),
        (project("")[:-9], "file-damaged"),
    ],
)
def test_broken_projects_are_refused(tmp_path: Path, content: str, expected: str) -> None:
    with raises(expected):
        accord.read(write_project(tmp_path, content))


def test_archive_without_a_project_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "p.qdpx", "w") as archive:
        archive.writestr("x.txt", "x")
    with raises("file-missing"):
        accord.read(tmp_path / "p.qdpx")
    with raises("file-damaged"):
        accord.read(one(tmp_path, "q.qdpx", b"PK\x03\x04 not really"))


def test_different_texts_of_one_name_are_refused(tmp_path: Path) -> None:
    text = "<PlainTextContent>small {}</PlainTextContent>"
    folder = written(tmp_path, {f"{who}.qde": project(text.format(who) + selection(0, 5, (user, "c1")))
                                for who, user in (("ana", "u1"), ("ben", "u2"))})  # fmt: skip
    with raises("repeated-document"):
        accord.read(folder)


def named(start: int, end: int, name: str) -> str:
    coding = '<Coding creatingUser="u1"><CodeRef targetGUID="c1"/></Coding>'
    return (
        f'<PlainTextSelection name="{name}" startPosition="{start}" endPosition="{end}">{coding}</PlainTextSelection>'
    )


@pytest.mark.parametrize(
    ("selections", "expected"),
    [
        (named(9, 14, "small") + named(4, 8, "line"), None),
        (named(9, 13, "small") + named(4, 7, "line"), "ends are offsets of the last character"),
        (named(10, 15, "small") + named(5, 9, "line"), "offsets count UTF-16 code units"),
        (named(10, 14, "small") + named(5, 8, "line"), "UTF-16 code units, and ends are offsets of the last"),
        (named(9, 14, "") + named(4, 8, ""), None),
        (named(9, 13, "") + named(4, 7, ""), "ends are offsets of the last character"),
    ],
)
def test_offset_convention_is_inferred_from_names_or_words(tmp_path: Path, selections: str, expected: str) -> None:
    data = accord.read(write_project(tmp_path, project(selections)))
    assert [(start, end) for _, _, start, end, _ in units(data)] == [(4, 8), (9, 14)]
    assert told(data, expected or "last character") is (expected is not None)


def test_text_of_a_pdf_is_read(tmp_path: Path) -> None:
    coding = '<Coding creatingUser="u1"><CodeRef targetGUID="c1"/></Coding>'
    source = (
        f'<PDFSource name="page"><PDFSelection page="1">{coding}</PDFSelection><Representation name="text of it" '
        f'plainTextPath="internal://t1.txt">{selection(9, 14, ("u1", "c1"))}</Representation></PDFSource>'
    )
    data = accord.read(write_project(tmp_path, project("", source)))
    assert units(data) == [("page", "p", 9, 14, "Food")]
    assert told(data, "1 codings of images and PDFs")

"""Untrusted workbooks, archives and folders: unpacked bytes are limited, and blocking files are not opened."""

from __future__ import annotations

import io
import os
import socket
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import accord
from accord.data.io.formats import files
from accord.data.io.tables import excel

from ..refusals import raises

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_XLSX = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="r1"/>'
    "</sheets></workbook>",
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
_SHEET = "xl/worksheets/sheet1.xml"
_ODS = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "META-INF/manifest.xml": "<manifest/>"}
_ROWS = (("item", "Ana", "Ben"), ("s1", "x", "x"), ("s2", "y", "x"), ("s3", "y", "y"))


def build_zip(
    entries: Mapping[str, str | bytes], claimed: int | None = None, method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Build a zip that states `claimed` bytes as the size of each large entry."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    content = bytearray(made.getvalue())
    for mark, field in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        at = content.find(mark)
        while claimed is not None and at >= 0:
            if struct.unpack_from("<I", content, at + field)[0] > 1 << 16:
                struct.pack_into("<I", content, at + field, claimed)
            at = content.find(mark, at + 4)
    return bytes(content)


def cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def build_sheet(*further: str, before: str = "") -> str:
    rows = [f"<row>{''.join(cell(f'{c}{r}', t) for c, t in zip('ABC', row, strict=True))}</row>"
            for r, row in enumerate(_ROWS, 1)]  # fmt: skip
    return f'<worksheet xmlns="{_MAIN}">{before}<sheetData>{"".join([*rows, *further])}</sheetData></worksheet>'


def ods_cell(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def ods(*further: str) -> str:
    name = "urn:oasis:names:tc:opendocument:xmlns:"
    rows = ["".join(map(ods_cell, row)) for row in _ROWS]
    return (
        f'<office:document-content xmlns:office="{name}office:1.0" xmlns:table="{name}table:1.0" '
        f'xmlns:text="{name}text:1.0"><office:body>'
        '<office:spreadsheet><table:table table:name="S">'
        + "".join(
            f'<table:table-row>{row}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>'
            for row in rows
        )
        + "".join(further)
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )


@pytest.fixture
def book(tmp_path: Path) -> Callable[..., Path]:
    def write(content: str, suffix: str = "xlsx", claimed: int | None = None) -> Path:
        path = tmp_path / f"book.{suffix}"
        entries = {**_ODS, "content.xml": content} if suffix == "ods" else {**_XLSX, _SHEET: content}
        path.write_bytes(build_zip(entries, claimed))
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        build_sheet(),
        build_sheet(before='<dimension ref="A1:XFD1048576"/>'),  # the stated dimension is ignored
        build_sheet('<row r="1048576"><c r="XFD1048576" s="1"/></row>'),  # a formatted cell without content
        build_sheet(f"<row>{cell('A5', 's4 r=&quot;XFD1048576')}{cell('B5', 'x')}{cell('C5', 'x')}</row>"),
    ],
)
def test_a_small_sheet_is_read(book: Callable[..., Path], content: str) -> None:
    assert accord.read(book(content)).annotators == ("Ana", "Ben")


def test_workbook_without_sheets_is_refused(book: Callable[..., Path]) -> None:
    with raises("file-empty"):
        accord.read(book("<office/>", "ods"))


@pytest.mark.parametrize("last", ["</table:table-row>", "<table:table-row>", "</text:p>", "</table:table>"])
def test_truncated_sheet_is_refused(book: Callable[..., Path], last: str) -> None:
    """The library would wait forever for the end of the table."""
    whole = ods()
    with raises("file-damaged", '"content.xml"'):
        accord.read(book(whole[: whole.rindex(last) + len(last)], "ods"))


@pytest.mark.parametrize(
    "row",
    [
        f'<row r="1048576">{cell("XFD1048576", "z")}</row>',
        f"<row>{cell('XFD1048576', 'z')}</row>",
        "<row r='1048576'><c t='inlineStr' r = 'XFD1048576'><is><t>z</t></is></c></row>",
        f"{' ' * (2 << 20)}<row>{cell('XFD1048576', 'z')}</row>",
    ],
)
def test_sheet_with_a_cell_in_the_last_corner_is_refused(book: Callable[..., Path], row: str) -> None:
    path = book(build_sheet(row))
    with raises("file-too-large"):
        accord.read(path)


def test_opendocument_sheet_with_a_cell_in_the_last_corner_is_refused(book: Callable[..., Path]) -> None:
    assert accord.read(book(ods(), "ods")).annotators == ("Ana", "Ben")
    far = (
        '<table:table-row table:number-rows-repeated="1048571"/><table:table-row>'
        f'<table:table-cell table:number-columns-repeated="16383"/>{ods_cell("z")}</table:table-row>'
    )
    with raises("file-too-large"):
        accord.read(book(ods(far), "ods"))


def test_workbook_that_unpacks_to_more_than_it_claims_is_refused(
    book: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(excel, "_LARGEST_BOOK", 3 << 20)
    with raises("file-too-large"):
        accord.read(book(build_sheet(" " * (4 << 20)), claimed=100))


def test_rare_compression_methods_are_refused(tmp_path: Path) -> None:
    """A kilobyte of bzip2 unpacks to a gigabyte at once, even if few bytes are requested."""
    path = tmp_path / "t.zip"
    path.write_bytes(build_zip({"t.csv": "item,Ana,Ben\n1,a,b\n"}, method=zipfile.ZIP_BZIP2))
    with raises("unsafe-file"):
        accord.read(path)


def test_sizes_of_nested_archives_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LARGEST_ARCHIVE", 3 << 20)
    inner = build_zip({"t.csv": b"\0" * (1 << 20)})
    path = tmp_path / "t.zip"
    path.write_bytes(build_zip({f"{name}.zip": inner for name in "abcd"}))
    with raises("file-too-large"):
        accord.read(path)


def test_archive_with_false_sizes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.zip"
    path.write_bytes(build_zip({"t.csv": "item,Ana,Ben\n" + "1,a,b\n" * 99_999}, claimed=100))
    with raises("file-damaged"):
        accord.read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize(
    ("good", "content", "pipe"),
    [
        ("t.csv", "item,Ana,Ben\n1,a,b\n2,b,b\n", "pipe.csv"),
        ("t.csv", "item,Ana,Ben\n1,a,b\n2,b,b\n", "pipe"),
        ("Ana.conllu", "1\tHi\thi\tX\t_\t_\t0\troot\t_\t_\n\n", "Ben.conllu"),
        (
            "Ana.v4_conll",
            "#begin document (d); part 000\nd 0 0 Hi X * - - - - * (1)\n\n#end document\n",
            "Ben.v4_conll",
        ),
        ("d.ann", "T1\tX 0 2\tHi\n", "e.txt"),
    ],
)
def test_pipes_and_sockets_in_a_folder_are_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: str, content: str, pipe: str
) -> None:
    (tmp_path / good).write_text(content)
    if good == "d.ann":
        (tmp_path / "d.txt").write_text("Hi")
    os.mkfifo(tmp_path / pipe)
    monkeypatch.chdir(tmp_path)  # paths of sockets must be short
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("socket.csv")
        with pytest.warns(accord.ReadingWarning, match=f'pipes, sockets or devices: "{pipe}", "socket.csv"'):
            accord.read(tmp_path)


_TEXTS = {"Ana/d1.txt": "the cat sat", "Ana/d2.txt": "a dog", "Ben/d1.txt": "the cat sits", "Ben/d2.txt": "a dog ran"}


@pytest.mark.parametrize("inside", ["", "corpus/"])
def test_archive_of_texts_gives_the_same_data_as_its_folder(tmp_path: Path, inside: str) -> None:
    (tmp_path / "t.zip").write_bytes(build_zip({inside + name: text for name, text in _TEXTS.items()}))
    for name, text in _TEXTS.items():
        (tmp_path / "t" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "t" / name).write_text(text, encoding="utf-8")
    for options in ({}, {"layout": "texts"}):
        found, wanted = (accord.read(tmp_path / name, **options) for name in ("t.zip", "t"))
        assert found.rows() == wanted.rows()
        assert found.notes == wanted.notes
    with raises("unknown-name"):
        accord.read(tmp_path / "t.zip", base="Zoe")


def test_archive_of_texts_per_annotator_is_read(tmp_path: Path) -> None:
    for who in ("Ana", "Ben"):
        mine = {name[4:]: text for name, text in _TEXTS.items() if name.startswith(who)}
        (tmp_path / f"{who}.zip").write_bytes(build_zip(mine))
    texts = accord.read([tmp_path / "Ana.zip", tmp_path / "Ben.zip"], layout="texts")
    assert (texts.docs, texts.annotators) == (("d1", "d2"), ("Ana", "Ben"))


def test_readme_in_an_archive_of_tables_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "t.zip").write_bytes(build_zip({"data/t.csv": "item,Ana,Ben\n1,x,x\n2,y,x\n", "data/README.txt": "Hi"}))
    assert accord.read(tmp_path / "t.zip").annotators == ("Ana", "Ben")


def test_archive_of_chains_is_read_as_chains(tmp_path: Path) -> None:
    line = "d1 0 {} {} - - - - - - {}\n"
    for who, second in (("Ana", "(0)"), ("Ben", "-")):
        body = line.format(0, "Ann", "(0)") + line.format(1, "she", second) + line.format(2, "Bo", "(1)")
        content = f"#begin document (d1); part 000\n{body}\n#end document\n"
        (tmp_path / "c").mkdir(exist_ok=True)
        (tmp_path / "c" / f"{who}.conll").write_text(content, encoding="utf-8")
    (tmp_path / "c.zip").write_bytes(build_zip({f.name: f.read_bytes() for f in (tmp_path / "c").iterdir()}))
    found, wanted = accord.read(tmp_path / "c.zip"), accord.read(tmp_path / "c")
    assert found.kind.name == wanted.kind.name == "chains"
    assert found.rows() == wanted.rows()


def test_errors_in_an_archive_of_texts_name_the_file_inside(tmp_path: Path) -> None:
    (tmp_path / "t.zip").write_bytes(build_zip({"Ana/d1.conllu": "1\ta\n\n", "Ben/d1.conllu": "1\tb\n\n"}))
    with raises("format-unknown", "t.zip/Ana/d1.conllu:1"):
        accord.read(tmp_path / "t.zip")

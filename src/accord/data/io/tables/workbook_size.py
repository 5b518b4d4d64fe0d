"""How much a workbook takes once it is read, found out beforehand: its reader would believe it, and be killed.

What a zip says about its sizes may be a lie, so bytes are counted as they are unpacked. A sheet is read as a rectangle,
so one cell in the last corner makes 17 billion.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats.files import cannot_unpack, windows

_LARGEST_BOOK = 1 << 30  # bytes of all files in it, once unpacked
_LARGEST_AREA = 50_000_000  # cells of a sheet, empty ones between others included
_SMALL_AREA = 2_000_000  # this much may be empty
_FEWEST = 20  # else one cell in so many must hold something
_REFERENCE = re.compile(rb"""r\s*=\s*["']([A-Za-z]*)(\d+)""")  # of a cell, or of a row
_LONGEST_REFERENCE = 32
_ROW, _CELLS = "table-row", ("table-cell", "covered-table-cell")


@dataclass
class _Area:
    """The rectangle around the cells of a sheet that hold something, with its last corner."""

    cells: int = 0
    top: int = 1 << 62
    left: int = 1 << 62
    bottom: int = 0
    right: int = 0

    def add(self, row: int, column: int, rows: int = 1, columns: int = 1) -> None:
        """So many rows and columns of cells, the last of which is here."""
        self.cells += 1
        self.top, self.left = min(self.top, row - rows + 1), min(self.left, column - columns + 1)
        self.bottom, self.right = max(self.bottom, row), max(self.right, column)

    @property
    def rows(self) -> int:
        return max(0, self.bottom - self.top + 1)

    @property
    def columns(self) -> int:
        return max(0, self.right - self.left + 1)

    @property
    def is_too_large(self) -> bool:
        area = self.rows * self.columns
        return area > _LARGEST_AREA or area > max(_SMALL_AREA, _FEWEST * self.cells)


def refuse_too_large(path: Path, name: str) -> None:
    """Refuses a workbook that its reader could not hold: too many bytes, or a sheet with cells far apart."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        left = _LARGEST_BOOK
        for entry in archive.infolist():
            if reason := cannot_unpack(entry):
                raise DataError(f"{name}: {quoted(entry.filename)} is {reason}; save it as a plain workbook")
            looked = _looking_at(entry.filename.lower())
            entry.file_size = 1 << 62  # what it says cuts the stream here, and not for the reader of workbooks
            for window in windows(archive, entry):
                left -= len(window)
                if left < 0:
                    raise DataError(f"{name}: unpacks to more than {_LARGEST_BOOK >> 20:,} MB; save the sheet as CSV")
                if looked is not None:
                    looked.take(window)
            if looked is None or not looked.is_strange:
                continue
            with archive.open(entry) as stream:
                area = _exactly(looked, stream, f"{name}, {quoted(entry.filename)}")
            _refuse(area, f"{name}, {quoted(entry.filename)}")


def _refuse(area: _Area, where: str) -> None:
    if area.is_too_large:
        raise DataError(
            f"{where}: {counted(area.cells, 'cell')} on {area.rows:,} rows × {area.columns:,} columns, as far as "
            f"{_letters(area.right)}{area.bottom}; delete what stands far off, or save the table as CSV"
        )


def _exactly(looked: _References | _Repeats, stream: IO[bytes], where: str) -> _Area:
    """What is no XML is refused: the reader of workbooks would make of it what nobody can foresee."""
    from lxml import etree

    try:
        return looked.exactly(stream)
    except etree.XMLSyntaxError as error:
        raise DataError(f"{where}: damaged; save it again, or the table as CSV") from error


def _looking_at(entry: str) -> _References | _Repeats | None:
    if "worksheets/" in entry and entry.endswith(".xml"):
        return _References()
    return _Repeats() if entry == "content.xml" else None


class _References:
    """Cells of Excel: `<c r="B7">`."""

    def __init__(self) -> None:
        self.cells = 0
        self.columns: set[bytes] = set()
        self.last = 0
        self.rest = b""

    def take(self, window: bytes) -> None:
        text = self.rest + window
        found = _REFERENCE.findall(text)
        self.cells += sum(1 for letters, _ in found if letters)
        self.columns.update(letters for letters, _ in found)
        self.last = max(self.last, max((int(number[:9]) for _, number in found), default=0))
        self.rest = text[-_LONGEST_REFERENCE:]

    @property
    def is_strange(self) -> bool:
        width = max((_number(letters) for letters in self.columns), default=0)
        return _Area(self.cells, 1, 1, self.last, width).is_too_large

    def exactly(self, stream: IO[bytes]) -> _Area:
        """Cells without a value are passed over, as the reader of workbooks does."""
        area = _Area()
        row = column = 0
        for event, element in _elements(stream):
            what = element.tag.rpartition("}")[2]
            if what == "row" and event == "start":
                row, column = _int(element.get("r")) or row + 1, 0
            elif what == "row":
                element.clear()
            elif what == "c" and event == "end":
                place = re.fullmatch(r"([A-Za-z]+)(\d+)", element.get("r") or "")
                column = _number(place[1].encode()) if place else column + 1
                if len(element):
                    area.add(_int(place[2]) if place else row, column)
        return area


class _Repeats:
    """Cells of OpenDocument, which have no places: `table:number-columns-repeated="16000"`."""

    is_strange = True  # it is always looked at whole: of one that is cut off, its reader waits for the end for ever

    def take(self, window: bytes) -> None:
        """Places of cells follow from all that stand before them."""

    def exactly(self, stream: IO[bytes]) -> _Area:
        """Of the first sheet that is too large; of the last, if none is."""
        area = _Area()
        row = column = rows = 0
        for event, element in _elements(stream):
            what = element.tag.rpartition("}")[2]
            if what == "table" and event == "start":
                if area.is_too_large:
                    break
                area, row = _Area(), 0
            elif what == _ROW and event == "start":
                rows, column = _repeated(element, "rows"), 0
                row += rows
            elif what in _CELLS and event == "end":
                columns = _repeated(element, "columns")
                column += columns
                if len(element) or any(name.endswith("}value-type") for name in element.attrib):
                    area.add(row, column, rows, columns)
            elif what == _ROW:
                element.clear()
        return area


def _elements(stream: IO[bytes]) -> Iterator[tuple[str, Any]]:
    from lxml import etree

    return etree.iterparse(
        stream, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_pis=True, remove_comments=True,
    )  # fmt: skip


def _repeated(element: Any, what: str) -> int:
    return max(1, next((_int(n) for key, n in element.attrib.items() if key.endswith(f"}}number-{what}-repeated")), 1))


def _int(text: str | None) -> int:
    return int(text[:12]) if text and text.isdecimal() else 0


def _number(letters: bytes) -> int:
    """A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters.upper()[:8]:
        number = 26 * number + letter - 64
    return number


def _letters(column: int) -> str:
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return letters

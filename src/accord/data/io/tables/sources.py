"""Sources of tables as columns of codes: files, standard input and objects in memory."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from accord.core.errors import DataError, quoted
from accord.data.io.naming import is_about_others
from accord.data.io.opening import encoding_of, is_special, may_open, refuse_name, scratch_file, stream_of, unreadable
from accord.data.io.tables.columns import Column, PooledNames, by_rows, encode_column, polars
from accord.data.io.tables.delimited import WINDOW, DelimitedTable
from accord.data.io.tables.header import LOOKED_AT, HeaderLines, header_lines
from accord.data.model.data import Data, some
from accord.data.model.measurement import Measurement


class Source(Protocol):
    """A table: its name, its columns, and the location of each row."""

    @property
    def name(self) -> str: ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader left out or guessed."""
        ...

    @property
    def header(self) -> tuple[str, ...]: ...

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        """Return columns by name, and the cells of further columns row by row."""
        ...

    def place(self, row: int) -> str: ...

    @property
    def is_file(self) -> bool: ...


@dataclass
class MemorySource:
    """Columns in memory: a dict, a pandas, Polars or Arrow table."""

    columns: Mapping[str, Any]
    name: str = "the table"
    first_row: int = 1
    row_word: str = "row"
    is_file: bool = False
    part: str | None = None  # the name of the sheet in a workbook
    notes: tuple[str, ...] = ()
    unclear: bool = False  # the first row may be a header row or data
    places: Sequence[str] = ()  # locations of rows, if not consecutive
    anonymous: bool = False  # each row is a label, and no column can name its annotator
    labels: tuple[str, ...] = ()  # the columns of labels, if the structure of the data shows them; (): unknown
    item: str | None = None  # the column of items, if the structure shows it
    annotator: str | None = None  # the column of annotators, if the structure shows it
    levels: Mapping[str, Measurement] = field(default_factory=dict)  # of columns, as the file states them

    def __post_init__(self) -> None:
        if not len(self.columns):
            raise DataError("column-missing", f"{self.name} has no columns; give at least one column of labels")
        lengths = {len(column) for column in self.columns.values()}
        if len(lengths) > 1:
            listed = ", ".join(f"{quoted(k)} {len(v)}" for k, v in list(self.columns.items())[:4])
            raise DataError(
                "uneven-rows",
                f"{self.name}: the columns have different lengths ({listed}); fill missing cells with None",
            )

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(str(name) for name in self.columns)

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        named = {str(name): column for name, column in self.columns.items()}
        columns = {name: encode_column(named[name]) for name in wanted}
        return columns, by_rows([named[name] for name in cells]) if cells else None

    def place(self, row: int) -> str:
        if self.places:
            return self.places[row]
        sheet = f", sheet {quoted(self.part)}" if self.part is not None else ""
        return f"{self.name}{sheet}, {self.row_word} {row + self.first_row}"


@dataclass
class View:
    """A table with fewer rows or columns, or with an additional column."""

    source: Source

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def notes(self) -> tuple[str, ...]:
        return self.source.notes

    @property
    def header(self) -> tuple[str, ...]:
        return self.source.header

    @property
    def is_file(self) -> bool:
        return self.source.is_file

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        return self.source.load(wanted, cells)

    def place(self, row: int) -> str:
        return self.source.place(row)


@dataclass
class _BelowHeader(View):
    """A delimited table without the first rows, which belong to the header."""

    lines: HeaderLines
    above: int  # the line of the header row

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.source.notes, self.lines.note(self.name, self.above, "line"))

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        columns, inside = self.source.load(wanted, cells)
        first = self.lines.number
        fewer = {name: _without_first(column, first) for name, column in columns.items()}
        return fewer, None if inside is None else _without_first(inside, first * len(cells))

    def place(self, row: int) -> str:
        return self.source.place(row + self.lines.number)


def _without_first(column: Column, rows: int) -> Column:
    """Return the column without its first rows. Names that occur only there are dropped."""
    codes = column.codes[rows:]
    gone = np.setdiff1d(column.codes[:rows], codes)
    gone = gone[gone >= 0]
    if not len(gone):
        return Column(codes, column.names)
    fewer = (codes - np.searchsorted(gone, codes)).astype(codes.dtype)
    if isinstance(column.names, PooledNames):
        return Column(fewer, PooledNames(column.names.pool, np.delete(column.names.order, gone)))
    lost = set(gone.tolist())
    return Column(fewer, [name for k, name in enumerate(column.names) if k not in lost])


def name_of_table(source: Source) -> str:
    """Return the name for an annotator, variable or document if no column has it: the sheet, else the file."""
    sheet = source.part if isinstance(source, MemorySource) else None
    return sheet or Path(source.name).stem


def open_parquet(path: Path, name: str) -> Source:
    from accord.data.io.tables.parquet import read_parquet, with_orders

    frame, ordered = with_orders(read_parquet(path, name), path)
    return MemorySource({c: frame[c] for c in frame.columns}, name, is_file=True, levels=_of_factors(ordered))


def _of_factors(names: Sequence[str]) -> dict[str, Measurement]:
    return {name: Measurement("ordinal", "file", "ordered factor") for name in names}


HIDDEN = (".", "~$")  # ~$coding.xlsx: Excel has the file open
TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
EXCEL_SUFFIXES = (".xlsx", ".xls", ".xlsm", ".ods")
PARQUET_SUFFIXES = (".parquet", ".pq")
SPSS_SUFFIXES = (".sav", ".zsav")
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json", ".jsonlist")


_HEAD = 1 << 16  # bytes needed to recognise formats of annotation tools
# A .csv file of an annotation tool, or one that is no table, begins with one of these or contains one of the words.
_BEGINS_OTHERWISE = re.compile(r"\s*(?:[\d{\[#]|S |%PDF|BZh|ID3|PK|RIFF|SQLite|7z)|\s*\Z")
_OF_TOOLS = re.compile(
    r'[<\0]|TextGrid|urn:QDA|uima|"annotation_sets"|"behaviors_conf"|Begin Time|Behavior|annotation_id|'
    r"^(?:SPEAKER|SEGMENT|NON-SPEECH|NON-LEX|FILLER|SU|LEXEME|SPKR-INFO|NOSCORE|NO_RT_METADATA|EDIT|IP|CB|A/P)\s",
    re.MULTILINE,
)


def is_plain_csv(path: Path) -> bool:
    """Whether a .csv file cannot have any format in formats/catalogue.py, so that accord need not check them.

    Return False if it may have one, or if reading it will report an error.
    """
    if path.suffix.lower() != ".csv" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            beginning = codecs.getincrementaldecoder("utf-8-sig")().decode(file.read(_HEAD))
    except (OSError, UnicodeError):
        return False
    return not _BEGINS_OTHERWISE.match(beginning) and not _OF_TOOLS.search(beginning)


def open_file(
    path: Path,
    *,
    name: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    named: tuple[str, ...] | None = None,
) -> Source:
    """Open a table by its suffix. A pipe is read like standard input. `named`: names of columns without header row."""
    name = name or str(path)
    refuse_name(path)  # files in folders may have invalid names
    if is_special(path):
        try:
            with stream_of(path) as stream:
                return standard_input(stream, name=name, encoding=encoding, delimiter=delimiter, named=named)
        except OSError as error:
            raise unreadable(path, error) from error
    refuse_empty(path, name)
    suffix = path.suffix.lower()
    if suffix in PARQUET_SUFFIXES:
        return open_parquet(path, name)
    if suffix in EXCEL_SUFFIXES:
        from accord.data.io.tables.excel import read_sheet

        return read_sheet(path, name, sheet, bare=named is not None)
    if suffix in SPSS_SUFFIXES:
        from accord.data.io.tables.spss import read_spss

        return read_spss(path, name)
    if delimiter is None and suffix in {".tsv", ".tab"}:
        delimiter = "\t"
    return _delimited(path, name, encoding, delimiter, named)


def is_json(path: Path) -> bool:
    """Whether a file contains JSON by its suffix, or JSON lines under a suffix of no table."""
    suffix = path.suffix.lower()
    if suffix in JSON_SUFFIXES:
        return True
    if suffix in {*TEXT_SUFFIXES, *EXCEL_SUFFIXES, *PARQUET_SUFFIXES, *SPSS_SUFFIXES} or is_special(path):
        return False
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = [line.strip() for line in islice(file, 2)]
    except (OSError, UnicodeError):
        return False
    return are_json_lines(lines)


def are_json_lines(lines: Sequence[str]) -> bool:
    """Whether the first two lines are JSON objects."""
    if len(lines) < 2 or not all(line.startswith("{") and line.endswith("}") for line in lines[:2]):
        return False
    try:
        return all(isinstance(json.loads(line), dict) for line in lines[:2])
    except (ValueError, RecursionError):
        return False


def copy_aside(path: Path) -> Path:
    """Copy a pipe to a file of the same name, which can be read twice."""
    copy = scratch_file(path.name)
    try:
        with stream_of(path) as stream, copy.open("wb") as file:
            shutil.copyfileobj(stream, file, WINDOW)
    except OSError as error:
        raise unreadable(path, error) from error
    return copy


def refuse_empty(path: Path, name: str) -> None:
    """Refuse a file that cannot be opened or is empty."""
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise unreadable(path, error) from error
    if empty:
        raise DataError("file-empty", f"{name}: the file is empty; save or export the data again")


def refuse_strange(path: Path, name: str, encoding: str | None) -> None:
    """Refuse binary files: many control characters, including zero bytes."""
    with path.open("rb") as file:
        head = file.read(1 << 12)
    control = sum(byte < 32 and byte not in b"\t\n\r\f\v" for byte in head)
    if encoding is None and b"\0" in head and 20 * control > len(head) and encoding_of(head[:4]) == "utf-8-sig":
        raise DataError(
            "format-unknown",
            f"{name}: this is a binary file and not a table of text; `accord formats` lists the formats that accord "
            "reads",
        )


def _delimited(
    path: Path, name: str, encoding: str | None, delimiter: str | None, named: tuple[str, ...] | None
) -> Source:
    refuse_strange(path, name, encoding)
    table = DelimitedTable(path, name, encoding, delimiter, named=named)
    if table.named is not None:
        return table
    with table.path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
        try:
            rows = list(islice(csv.reader(islice(file, table.blank, None), delimiter=table.separator), LOOKED_AT))
        except csv.Error:
            return table  # reading the table reports the error
    lines = header_lines(table.header, [row for row in rows[table.above - table.blank :] if row])
    return _BelowHeader(table, lines, table.above) if lines.number else table


def standard_input(
    stream: IO[bytes] | None = None,
    *,
    name: str = "standard input",
    encoding: str | None = None,
    delimiter: str | None = None,
    named: tuple[str, ...] | None = None,
) -> Source:
    """Read standard input, stored in a file so that it can be read twice."""
    if stream is None and sys.stdin is None:
        raise DataError("file-unreadable", "standard input is closed; give a file instead of -")
    path = scratch_file()
    with path.open("wb") as file:
        shutil.copyfileobj(stream or sys.stdin.buffer, file, WINDOW)
    with path.open("rb") as file:
        head = file.read(4)
    if not head:
        raise DataError("file-empty", f"{name}: no data received; check the command that writes to it")
    if head in {b"PAR1", b"PK\x03\x04"}:
        raise DataError(
            "format-unknown",
            f"{name}: accord cannot read Parquet or Excel from a pipe; save the data to a file and give its name",
        )
    if head[:1] in {b"{", b"["}:
        raise DataError(
            "format-unknown",
            f"{name}: accord cannot read JSON from a pipe; save the data to a file and give its name",
        )
    return _delimited(path, name, encoding, delimiter, named)


def in_folder(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the tables of a folder by name, and the names of other files and of folders, which are not read."""
    known = (*TEXT_SUFFIXES, *EXCEL_SUFFIXES, *PARQUET_SUFFIXES, *SPSS_SUFFIXES)
    try:
        inside = sorted(p for p in folder.iterdir() if not p.name.startswith(HIDDEN) and not p.is_dir() and may_open(p))
    except OSError as error:
        raise unreadable(folder, error) from error
    tables = [p for p in inside if p.suffix.lower() in known and not is_about_others(p.name)]
    files = tables or [p for p in inside if p.suffix in JSON_SUFFIXES]
    below = [f"{p.name}/" for p in _folders_in(folder) if any(p.iterdir())] if files else []
    if not files:
        files = _in_folders_of(folder, known)  # a folder per annotator
    if not files:
        raise DataError(
            "file-empty",
            f"{folder}: the folder contains no table; {_looked_for(folder, (*known, *JSON_SUFFIXES))}",
        )
    return files, [*(p.name for p in inside if p not in files), *below]


def _folders_in(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))


def _in_folders_of(folder: Path, known: Sequence[str]) -> list[Path]:
    """Return the tables of all folders in a folder, if at least two contain tables."""
    folders = [p for p in _folders_in(folder) if _has(p, known)]
    return [file for inside in folders for file in in_folder(inside)[0]] if len(folders) > 1 else []


def _looked_for(folder: Path, known: Sequence[str]) -> str:
    """Suggest folders below that contain tables; otherwise list the suffixes of tables."""
    below = [p.name for p in _folders_in(folder) if _has(p, known)]
    if not below:
        return f"give a folder with files ending in {', '.join(known)}"
    return f"folders below it contain tables ({some(below)}): give one of them, e.g. {folder / below[0]}"


def _has(folder: Path, known: Sequence[str]) -> bool:
    try:
        return any(
            p.suffix.lower() in known and not is_about_others(p.name) and not p.name.startswith(HIDDEN)
            for p in folder.iterdir()
        )
    except OSError:
        return False


def tables_in_archive(path: Path) -> tuple[list[tuple[Path, str]], list[str]]:
    """Unpack the tables of an archive. Return paths and names, and the names of other files."""
    from accord.data.io.formats.files import gather_files

    files = gather_files([path])
    known = (*TEXT_SUFFIXES[:3], *EXCEL_SUFFIXES, *PARQUET_SUFFIXES, *SPSS_SUFFIXES)
    highest = min((len(file.folder) for file in files), default=0)
    folders = {file.folder for file in files if len(file.folder) == highest}
    inside = [file for file in files if {file.folder} == folders]
    tables = [f for f in inside if f.suffix in known] or [f for f in inside if f.suffix in JSON_SUFFIXES]
    tables = tables or [f for f in files if f.suffix in known and len(f.folder) == highest]  # a folder per annotator
    if not tables:
        raise DataError(
            "format-unknown",
            f"{path}: the archive contains no tables and no format of an annotation tool; `accord formats` lists the "
            "formats that accord reads",
        )
    found = []
    for file in tables:
        copy = scratch_file(file.parts[-1])
        copy.write_bytes(file.bytes())
        found.append((copy, file.name))
    return found, ["/".join(file.parts[1:]) for file in files if file not in tables]


def in_memory(data: Any) -> Source:
    """Return a source for a dict of columns, a pandas or Polars table, or an object with the Arrow interface."""
    module = type(data).__module__
    if isinstance(data, Mapping):
        for key, column in data.items():
            if isinstance(column, Data):
                raise DataError(
                    "mixed-inputs",
                    f"{quoted(key)} is already read data, not a column; score it separately, or use compare_all for "
                    "several",
                )
            if isinstance(column, str) or not hasattr(column, "__len__"):
                raise DataError(
                    "invalid-python-data",
                    f"column {quoted(key)} is not a list of values; give a list for each column of the dict",
                )
        return MemorySource(data)
    if module.startswith("pandas") and hasattr(data, "columns"):
        if not data.columns.is_unique:
            twice = quoted(data.columns[data.columns.duplicated()][0])
            raise DataError("header-row", f"the table has two columns with the name {twice}; rename one of them")
        return MemorySource({str(name): data[name] for name in data.columns})
    if module.startswith("polars") and type(data).__name__ in {"DataFrame", "LazyFrame"}:
        frame = data.collect() if hasattr(data, "collect") else data
        return MemorySource({name: frame[name] for name in frame.columns})
    if hasattr(data, "__arrow_c_stream__") and hasattr(data, "schema"):
        from accord.data.io.tables.parquet import with_orders

        frame, ordered = with_orders(polars().DataFrame(data), data)
        return MemorySource({name: frame[name] for name in frame.columns}, levels=_of_factors(ordered))
    if isinstance(data, io.RawIOBase | io.BufferedIOBase):
        return standard_input(data)  # type: ignore[arg-type]
    raise DataError(
        "format-unknown",
        f"accord cannot read data of type {type(data).__name__}; give a path, a dict of columns, a pandas or Polars "
        "table, or rows of labels (one row per item)",
    )

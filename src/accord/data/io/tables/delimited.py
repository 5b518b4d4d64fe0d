"""Delimited text such as CSV and TSV: Polars reads it fast, and the csv module locates errors."""

from __future__ import annotations

import codecs
import csv
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.opening import LONGEST_LINE, decoded, encoding_of, scratch_file, unreadable
from accord.data.io.tables.columns import Column, Pool, by_appearance, by_rows, encode_column, polars, renumber
from accord.data.io.tables.header import (
    LOOKED_AT,
    PYGAMMA,
    ROW,
    UNCLEAR,
    Header,
    as_finite,
    first_line,
    name_columns,
    names_of_gamma_columns,
    titles_above,
)
from accord.data.io.tables.roles import DOC, ITEM, is_called, is_identifier, is_person
from accord.data.model.data import Fact

WINDOW = 1 << 20
_SHORTEST = 2  # a table of fewer lines or columns shows no pattern
_ROW_NAMES = "rownames"  # the name of the column of row names, which write.table of R leaves out
_COMPARED = 20  # lines that show whether a sign is the separator
_SEPARATED = re.compile(r'"?sep=(.)"?')  # the line that Excel writes above a table
_QUOTED_CELLS = re.compile(r'"[^"]*"(?:[\s,;|]+"[^"]*")*')
_RULED = re.compile(r"\|?[\s:|]*-{2,}[\s:|-]*")  # the rule below the header row of a Markdown table


csv.field_size_limit(LONGEST_LINE)


def _unquoted(cell: str) -> str:
    """Remove the quotes around a cell of a table in which other quotes are plain characters."""
    whole = len(cell) > 1 and cell.startswith('"') and cell.endswith('"')
    return cell[1:-1].replace('""', '"') if whole else cell


def no_rows(name: str) -> DataError:
    """Return the error for a table without data rows."""
    return DataError(
        "file-empty",
        f"{name}: the table has a header row but no data rows; add rows, or use --no-header if the first row is data",
    )


def _remark(row: Sequence[str], width: int) -> str:
    return ". If the line is a comment, delete it" if len(row) == 1 < width else ""


def _split_lines(lines: Sequence[str], spaces: bool, separator: str) -> list[list[str]]:
    """Return the cells of lines; [] for a line with broken quotes."""
    rows = []
    for line in lines:
        try:
            rows += list(
                csv.reader([line], delimiter=" " if spaces else separator, skipinitialspace=spaces, strict=True)
            )
        except csv.Error:
            rows.append([])
    return rows


def _have_row_names(rows: Sequence[Sequence[str]], quotes: bool, commas: bool) -> bool:
    """Whether the first cells name the rows below a header row that lacks one name.

    Without quotes, a comma in a text or number also adds a cell: id,label,text above 1,yes,First, a text.
    """
    header, *below = rows
    if not all(below) or not all(any(row[k] for row in below) for k in (0, -1)):
        return False
    distinct = len({row[0] for row in below}) == len(below) and all(row[0] for row in below)
    if commas and not quotes and not all(map(is_person, header)):
        return False
    named = is_called(header[0], (*ITEM, *DOC)) or is_identifier(header[0])
    texts = any(" " in row[-1].strip() for row in below)
    return distinct and (quotes or not (named or texts))


@dataclass
class DelimitedTable:
    """A delimited table. Polars reads it; if that fails, or a row may be short, the csv module finds the line."""

    path: Path
    name: str
    encoding: str | None = None
    delimiter: str | None = None
    is_file: bool = True
    named: tuple[str, ...] | None = None  # names of columns if there is no header row; (): column 1, 2, …
    unclear: bool = False  # the first line may be a header row or data
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            with self.path.open("rb") as file:
                head = file.read(WINDOW)
                if self.encoding or encoding_of(head[:4]) != "utf-8-sig" or (b"\r" in head and b"\n" not in head):
                    self._transcode(head[:4])
                self.quotes = self._check_lines()
            if self._is_spaced():
                self._strip_cells()
            self._read_as_r()
        except OSError as error:
            raise unreadable(Path(self.name), error) from error
        rows = self._first_rows(LOOKED_AT)
        self._refuse_ruled(rows)
        self._refuse_blanks()
        if titles := [line.strip().strip(self.separator) for line in self._above if not _SEPARATED.fullmatch(line)]:
            note = f"{self.name}: text above the table left out: {quoted(' '.join(filter(None, titles)))}"
            self.notes = tuple(dict.fromkeys([*self.notes, note])) if any(titles) else self.notes
        if self.literal:
            note = f"{self.name}: some quotes are not closed, so accord reads quotes as plain characters"
            self.notes = tuple(dict.fromkeys([*self.notes, note]))
        if self.named is None:
            found = first_line(rows)
            self.named = names_of_gamma_columns(rows) or (() if found == ROW else None)
            self.unclear = self.named is None and found == UNCLEAR
        elif self.named == PYGAMMA:
            self.named = names_of_gamma_columns(rows) or PYGAMMA
        if self.named is None and self._names.note:
            self.notes = tuple(dict.fromkeys([*self.notes, self._names.note]))
        if self._blank_columns:
            number = counted(len(self._blank_columns), "empty column")
            self.notes = tuple(dict.fromkeys([*self.notes, Fact(f"{self.name}: {number} without a name left out")]))
        if not self.header:
            raise DataError("file-empty", f"{self.name}: the file is empty; save or export the table again")

    def _transcode(self, head: bytes) -> None:
        """Copy a file to UTF-8 if it has another encoding or line ends of CR alone."""
        encoding = self.encoding or encoding_of(head)
        decoded(b"", self.name, encoding)  # refuses an unknown encoding
        copy = scratch_file()
        try:
            with self.path.open(encoding=encoding) as source, copy.open("w", encoding="utf-8", newline="") as target:
                shutil.copyfileobj(source, target, WINDOW)
        except UnicodeError as error:
            decoded(self.path.read_bytes(), self.name, encoding)  # names the position
            raise DataError(
                "encoding",
                f"{self.name}: the bytes are not valid {encoding.upper()} ({error}); name the encoding of the file, "
                "for example --encoding latin-1 or --encoding cp1252",
            ) from error
        self.path = copy

    def _is_spaced(self) -> bool:
        """Whether a space follows every separator, as in `id, Ana, Ben`."""
        lines = [line.strip() for line in self._head if line.strip()]
        close = re.compile(rf"{re.escape(self.separator)}(?![\s{re.escape(self.separator)}]|$)")
        spaced = f"{self.separator} "
        return len(lines) > 1 and all(spaced in line and not close.search(line) for line in lines)

    def _strip_cells(self) -> None:
        """Copy the file without the spaces after separators. The lines stay the same."""
        copy = scratch_file()
        with copy.open("w", encoding="utf-8", newline="") as target:
            rows = csv.reader(self._text(), delimiter=self.separator, skipinitialspace=True)
            csv.writer(target, delimiter=self.separator, lineterminator="\n").writerows(rows)
        self.path = copy
        del self._head

    def _read_as_r(self) -> None:
        """Copy a table that write.table of R wrote, with spaces between cells or without a name for the row names."""
        spaces = self.delimiter in {None, " "} and not any(sign in line for line in self._head for sign in ",;\t|")
        filled = [line.strip() for line in self._head if line.strip()]
        if self.named is not None or len(filled) <= _SHORTEST or self.blank:
            return
        rows = _split_lines(filled, spaces, self.separator)
        width = len(rows[-1])
        whole = _QUOTED_CELLS.fullmatch(filled[0]) is not None
        commas = not spaces and self.separator in ",;"
        short = len(rows[0]) == width - 1 and _have_row_names(rows, whole, commas)
        if {len(row) for row in rows[1:]} != {width} or any(as_finite(name) is not None for name in rows[0]):
            return
        if not short and not (spaces and whole and len(rows[0]) == width > _SHORTEST):
            return
        copy = scratch_file()
        with copy.open("w", encoding="utf-8", newline="") as target:
            sign = "," if spaces else self.separator
            write = csv.writer(target, delimiter=sign, lineterminator="\n").writerow
            lines = (line.strip() for line in self._text()) if spaces else self._text()
            for row in csv.reader(lines, delimiter=" " if spaces else sign, skipinitialspace=spaces):
                write([_ROW_NAMES, *row] if row and short else row)
                short = short and not row
        self.path, self.delimiter = copy, sign
        for cached in ("separator", "blank", "_head"):
            self.__dict__.pop(cached, None)

    def _check_lines(self) -> bool:
        """Refuse a line of millions of characters. Return whether the file contains quotes."""
        quotes = False
        since = 0
        with self.path.open("rb") as file:
            while window := file.read(WINDOW):
                quotes = quotes or b'"' in window
                since = since + len(window) if b"\n" not in window and b"\r" not in window else 0
                if since > LONGEST_LINE:
                    raise DataError(
                        "file-too-large",
                        f"{self.name}: a line is longer than {LONGEST_LINE >> 20} MB, so this is probably no table; "
                        "`accord formats` lists the formats that accord reads",
                    )
        return quotes

    @cached_property
    def separator(self) -> str:
        if self.delimiter:
            sign = {"tab": "\t", "\\t": "\t"}.get(self.delimiter, self.delimiter)
            if len(sign) != 1 or not sign.isascii() or sign in '"\r\n':
                raise SpecError(
                    "option-value",
                    "--delimiter must be one character, e.g. --delimiter ';' or --delimiter 'tab', not "
                    f"{quoted(self.delimiter)}",
                )
            return sign
        if self._head and (said := _SEPARATED.fullmatch(self._head[0].strip())):
            return said[1]
        filled = [line for line in self._head if line.strip()]
        likely = []
        for k, line in enumerate(filled):
            counts = {sign: line.count(sign) for sign in ",;\t|"}
            if any(counts.values()):
                sign = max(counts, key=lambda sign: counts[sign])
                below = filled[k + 1 : k + 1 + _COMPARED]
                if 2 * sum(sign in other for other in below) >= len(below):  # a title may contain another sign
                    return sign
                likely.append(sign)
        return likely[0] if likely else ","

    @cached_property
    def blank(self) -> int:
        """The number of lines above the header row: empty lines, the sep= line of Excel, titles."""
        declared = bool(self._head) and _SEPARATED.fullmatch(self._head[0].strip()) is not None
        empty = next((k for k, line in enumerate(self._head[declared:]) if line.strip()), 0)
        try:
            rows = [next(csv.reader([line], delimiter=self.separator), []) for line in self._head[declared + empty :]]
        except csv.Error:
            rows = []
        return declared + empty + titles_above(rows)

    @cached_property
    def _head(self) -> list[str]:
        return list(islice(self._text(), LOOKED_AT))

    @property
    def _above(self) -> list[str]:
        return [line.strip() for line in self._head[: self.blank]]

    def _first_rows(self, n: int) -> list[list[str]]:
        try:
            return list(islice(self._reader(islice(self._text(), self.blank, None)), n))
        except (csv.Error, TypeError) as error:
            raise DataError(
                "header-row",
                f"{self.name}:1: the first rows cannot be parsed ({error}); close open quotes, or use --delimiter SIGN",
            ) from error

    def _reader(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Split lines into cells with the csv module."""
        if not self.literal:
            return csv.reader(lines, delimiter=self.separator)
        rows = csv.reader(lines, delimiter=self.separator, quoting=csv.QUOTE_NONE)
        return ([_unquoted(cell) for cell in row] for row in rows)

    @cached_property
    def literal(self) -> bool:
        """Whether quotes are plain characters: each line is then a row, but not if quotes enclose cells."""
        if not self.quotes or self.separator != "\t":
            return False
        tabs = {line.count("\t") for line in self._text() if line.strip()}
        if len(tabs) > 1 or tabs == {0}:
            return False
        lines = sum(1 for line in self._text() if line.strip())
        try:
            return sum(1 for row in csv.reader(self._text(), delimiter="\t", strict=True) if row) < lines
        except csv.Error:
            return True

    def _refuse_ruled(self, rows: Sequence[Sequence[str]]) -> None:
        if len(rows) > 1 and _RULED.fullmatch(self.separator.join(rows[1]).strip()):
            raise DataError(
                "format-unknown", f"{self.name}: the file contains a table in Markdown; save the table as CSV"
            )

    def _refuse_blanks(self) -> None:
        """Refuse columns separated by spaces: equal numbers of words per line and no other separator."""
        lines = [line.split() for line in self._head if line.strip()]
        widths = {len(words) for words in lines}
        marked = self.delimiter is not None or any(sign in line for line in self._head for sign in ",;\t|")
        if not marked and len(lines) > 2 and len(widths) == 1 and widths.pop() > 2:
            bare = " --no-header" if any(as_finite(word) is not None for word in lines[0][1:]) else ""
            raise DataError(
                "uneven-rows",
                f"{self.name}: the columns are separated by spaces; save the table with commas or tabs, or use "
                f'--delimiter " "{bare} if exactly one space separates the cells',
            )

    @property
    def above(self) -> int:
        """The number of lines above the first row of data, including the header row."""
        return self.blank + (self._names.rows if self.named is None else 0)

    @cached_property
    def header(self) -> tuple[str, ...]:
        return tuple(name for k, name in enumerate(self._columns) if k not in self._blank_columns)

    @cached_property
    def _blank_columns(self) -> frozenset[int]:
        """Columns without a name and without cells."""
        rows = self._first_rows(LOOKED_AT) if self.named is None else []
        blank = set(range(len(rows[0]) if rows else 0))
        for row in rows:
            blank -= {k for k, cell in enumerate(row) if cell.strip()}
        if blank and len(rows) == LOOKED_AT:
            for row in self._reader(islice(self._text(), self.blank, None)):
                blank -= {k for k in blank if k < len(row) and row[k].strip()}
        return frozenset(blank)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        """The names of all columns, including blank ones."""
        if self.named:
            return self.named
        first = next(iter(self._first_rows(1)), [])
        if self.named is not None:
            return tuple(f"column {k + 1}" for k in range(len(first)))
        return self._names.names

    @cached_property
    def _names(self) -> Header:
        return name_columns(self._first_rows(LOOKED_AT), f"{self.name}:{self.blank + 1}")

    def without_header(self) -> DelimitedTable:
        """Return the same table with the first line as data."""
        return replace(self, named=(), encoding=None)  # the copy is already UTF-8

    def _text(self) -> Iterator[str]:
        """Yield lines with their ends for the csv module. Report the position of a bad byte."""
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            try:
                yield from file
            except UnicodeDecodeError:
                self._bad_byte()

    def _bad_byte(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")()
        done = 0
        with self.path.open("rb") as file:
            while window := file.read(WINDOW):
                held = len(decoder.getstate()[0])
                try:
                    decoder.decode(window)
                except UnicodeDecodeError as error:
                    at = done - held + error.start
                    raise DataError(
                        "encoding",
                        f"{self.name}: byte {at} (0x{error.object[error.start]:02x}) is not UTF-8; "
                        "name the encoding of the file, for example --encoding latin-1 or --encoding cp1252",
                    ) from error
                done += len(window)
        raise DataError(
            "file-damaged",
            f"{self.name}: the file ends in the middle of a character, so it is probably cut off; copy or export it "
            "again",
        )

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        if self.literal:
            return self._load_slowly(wanted, cells)
        pl = polars()
        at = {name: f"c{k}" for k, name in enumerate(self._columns)}
        last = at[self._columns[-1]]
        try:
            table = pl.scan_csv(
                self.path,
                infer_schema=False,
                separator=self.separator,
                empty_string_is_null=False,
                new_columns=list(at.values()),
                skip_lines=self.blank,
                has_header=self.named is None,
                skip_rows_after_header=max(0, self.above - self.blank - 1),
                glob=False,
            )
            # Columns of labels share their names.
            together = Pool()
            made = {name: Pool() for name in wanted} | dict.fromkeys(cells, together)
            chosen = [pl.col(at[n]).cast(pool.dtype).to_physical().alias(n) for n, pool in made.items()]
            # All columns are read, because a row with too many cells would otherwise go unnoticed.
            rest = [(pl.col(c) == "").alias(f"?{c}") for n, c in at.items() if n not in made or c == last]
            frame = table.select(*chosen, *rest).collect(engine="streaming")
        except (pl.exceptions.PolarsError, OSError) as error:
            if isinstance(error, pl.exceptions.NoDataError):
                raise no_rows(self.name) from error
            self._find_fault(exact=True)
            return self._load_slowly(wanted, cells)
        if frame.height == 0:
            raise no_rows(self.name)
        if frame[f"?{last}"].any():
            self._find_fault(exact=False)
        read = dict(zip(frame.columns, frame.get_columns(), strict=True))
        del frame  # frees each column once it is coded
        columns = {n: by_appearance(read.pop(n), made[n]) for n in wanted}
        if not cells:
            return columns, None
        codes = np.stack([read.pop(n).to_numpy() for n in cells], axis=1).ravel().view(np.int32)
        return columns, renumber(codes, together)

    def _load_slowly(self, wanted: Sequence[str], cells: Sequence[str]) -> tuple[dict[str, Column], Column | None]:
        """Read with the csv module what Polars refuses, for example a quote within a cell."""
        reader = self._reader(self._text())
        rows = [row or [""] * len(self._columns) for row in islice(reader, self.above, None)]
        if not rows:
            raise no_rows(self.name)
        for number, row in enumerate(rows):
            if len(row) != len(self._columns):
                raise self._wide(row, f"{self.name}:{number + 1 + self.above}")
        columns = {name: [row[k] for row in rows] for k, name in enumerate(self._columns)}
        if self.literal:
            self._refuse_quoted_twice(columns)
        return {n: encode_column(columns[n]) for n in wanted}, by_rows([columns[n] for n in cells]) if cells else None

    def _refuse_quoted_twice(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Refuse a quote at the edge of a cell if the same cell also occurs without it."""
        for name, cells in columns.items():
            known = set(cells)
            for row, cell in enumerate(cells):
                if cell.strip('"') != cell and cell.strip('"') in known:
                    raise DataError(
                        "uneven-rows",
                        f"{self.place(row)} (column {quoted(name)}): the quote in {quoted(cell)} is not closed; close "
                        "it or delete it",
                    )

    def _wide(self, row: list[str], place: str) -> DataError:
        width = len(self._columns)
        columns = f"accord expects {width} columns here" if self.named else f"the header row has {width} columns"
        return DataError(
            "uneven-rows",
            f"{place}: {len(row)} cells, but {columns}; correct the row, or use --delimiter SIGN if the separator is "
            f"not {quoted(self.separator)}{_remark(row, width)}",
        )

    def _find_fault(self, exact: bool) -> None:
        """Raise for the first row with too few or too many cells or broken quotes."""
        width = len(self._columns)
        if not self.quotes and not exact:
            pl = polars()
            cells = pl.col("lines").str.strip_chars_end("\r").str.count_matches(self.separator, literal=True)
            short = (cells != width - 1) & (pl.col("lines").str.strip_chars_end("\r") != "")
            lines = pl.scan_lines(self.path, name="lines", row_index_name="line").filter(short).head(1).select("line")
            found = lines.collect(engine="streaming")
            if not found.height:
                return
        reader = csv.reader(self._text(), delimiter=self.separator, strict=True)
        start = 1
        try:
            for row in reader:
                if row and len(row) != width and reader.line_num > self.blank:
                    raise self._wide(row, f"{self.name}:{start}")
                start = reader.line_num + 1
        except csv.Error:
            raise DataError(
                "uneven-rows",
                f'{self.name}:{start}: a quote (") is not closed, or is inside a cell; close it, delete it, or write '
                "it twice and put the whole cell in quotes",
            ) from None

    def place(self, row: int) -> str:
        if not self.quotes or self.literal:
            return f"{self.name}:{row + 1 + self.above}"
        reader = csv.reader(self._text(), delimiter=self.separator)
        for _ in range(row + self.above):
            next(reader, None)
        return f"{self.name}:{reader.line_num + 1}"

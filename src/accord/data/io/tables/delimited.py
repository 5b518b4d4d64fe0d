"""CSV and its kin: Polars reads them fast, the csv module says where one is broken."""

from __future__ import annotations

import codecs
import csv
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.opening import LONGEST_LINE, decoded, encoding_of, scratch_file, unreadable
from accord.data.io.tables.columns import Column, Pool, by_appearance, by_rows, encode_column, polars, renumber
from accord.data.io.tables.header import (
    LOOKED_AT,
    PYGAMMA,
    ROW,
    UNCLEAR,
    first_line,
    header_in_two,
    is_pygamma,
    titles_above,
)

WINDOW = 1 << 20
_SEPARATED = re.compile(r'"?sep=(.)"?')  # what Excel writes, and reads, above a table
_RULED = re.compile(r"\|?[\s:|]*-{2,}[\s:|-]*")  # below the header of a table in Markdown


csv.field_size_limit(LONGEST_LINE)


def _unused(name: str, names: Set[str]) -> str:
    return name if name not in names else _unused(f"{name} (unnamed)", names)


def _unquoted(cell: str) -> str:
    """A cell that is in quotes, beside others in which they are signs."""
    whole = len(cell) > 1 and cell.startswith('"') and cell.endswith('"')
    return cell[1:-1].replace('""', '"') if whole else cell


def _remark(row: Sequence[str], width: int) -> str:
    return "; if it is a remark, take the line out" if len(row) == 1 < width else ""


@dataclass
class DelimitedTable:
    """CSV and its kin. Polars reads; when it stumbles, or a row may be short, the csv module finds the line."""

    path: Path
    name: str
    encoding: str | None = None
    delimiter: str | None = None
    is_file: bool = True
    named: tuple[str, ...] | None = None  # what the columns are, where the first line is a row; (): column 1, 2, …
    unclear: bool = False  # the first line may be either
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            with self.path.open("rb") as file:
                head = file.read(WINDOW)
                if self.encoding or encoding_of(head[:4]) != "utf-8-sig" or (b"\r" in head and b"\n" not in head):
                    self._transcode(head[:4])
                self.quotes = self._check_lines()
        except OSError as error:
            raise unreadable(Path(self.name), error) from error
        rows = self._first_rows(LOOKED_AT)
        self._refuse_ruled(rows)
        self._refuse_blanks()
        if titles := [line.strip().strip(self.separator) for line in self._above if not _SEPARATED.fullmatch(line)]:
            note = f"{self.name}: left out above the table: {quoted(' '.join(filter(None, titles)))}"
            self.notes = tuple(dict.fromkeys([*self.notes, note])) if any(titles) else self.notes
        if self.literal:
            note = f"{self.name}: quotes are taken as they stand: some are not closed, and each line is a row"
            self.notes = tuple(dict.fromkeys([*self.notes, note]))
        if self.named is None:
            if two := header_in_two(rows):
                raise DataError(
                    "header-row",
                    f"{self.name}:{self.blank + 1}: the header has two lines ({two}): write one, with a name of its "
                    "own for each column, e.g. tone_A",
                )
            found = first_line(rows)
            self.named = PYGAMMA if is_pygamma(rows) else () if found == ROW else None
            self.unclear = self.named is None and found == UNCLEAR
        if not self.header:
            raise DataError("file-empty", f"{self.name}: the file is empty")

    def _transcode(self, head: bytes) -> None:
        """Another encoding than UTF-8, or lines that end in CR alone, are rewritten once, aside."""
        encoding = self.encoding or encoding_of(head)
        decoded(b"", self.name, encoding)  # an unknown encoding is refused here
        copy = scratch_file()
        try:
            with self.path.open(encoding=encoding) as source, copy.open("w", encoding="utf-8", newline="") as target:
                shutil.copyfileobj(source, target, WINDOW)
        except UnicodeError as error:
            decoded(self.path.read_bytes(), self.name, encoding)  # says where
            raise DataError("encoding", f"{self.name}: not {encoding.upper()}: {error}") from error
        self.path = copy

    def _check_lines(self) -> bool:
        """Refuses a line of millions of characters; tells whether there are quotes."""
        quotes = False
        since = 0
        with self.path.open("rb") as file:
            while window := file.read(WINDOW):
                quotes = quotes or b'"' in window
                since = since + len(window) if b"\n" not in window and b"\r" not in window else 0
                if since > LONGEST_LINE:
                    raise DataError(
                        "file-empty", f"{self.name}: a line is longer than {LONGEST_LINE >> 20} MB; is this a table?"
                    )
        return quotes

    @cached_property
    def separator(self) -> str:
        if self.delimiter:
            sign = {"tab": "\t", "\\t": "\t"}.get(self.delimiter, self.delimiter)
            if len(sign) != 1 or not sign.isascii() or sign in '"\r\n':
                raise SpecError(
                    "option-value", f"--delimiter is one character, for example ; or tab, not {quoted(self.delimiter)}"
                )
            return sign
        if self._head and (said := _SEPARATED.fullmatch(self._head[0].strip())):
            return said[1]
        for line in self._head:  # a title has none
            counts = {sign: line.count(sign) for sign in ",;\t|"}
            if any(counts.values()):
                return max(counts, key=lambda sign: counts[sign])
        return ","

    @cached_property
    def blank(self) -> int:
        """Lines before the header: empty ones, Excel's word about the separator, titles."""
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
            raise DataError("header-row", f"{self.name}:1: {error}") from error

    def _reader(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Rows of cells, by the csv module."""
        if not self.literal:
            return csv.reader(lines, delimiter=self.separator)
        rows = csv.reader(lines, delimiter=self.separator, quoting=csv.QUOTE_NONE)
        return ([_unquoted(cell) for cell in row] for row in rows)

    @cached_property
    def literal(self) -> bool:
        """Whether quotes are signs as others: a line is a row where they are, and is none where they are quotes."""
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
            raise DataError("format-unknown", f"{self.name}: this is a table in Markdown: save it as CSV")

    def _refuse_blanks(self) -> None:
        """Columns that blanks keep apart: the same number of words on every line, and no other separator."""
        lines = [line.split() for line in self._head if line.strip()]
        widths = {len(words) for words in lines}
        marked = self.delimiter is not None or any(sign in line for line in self._head for sign in ",;\t|")
        if not marked and len(lines) > 2 and len(widths) == 1 and widths.pop() > 2:
            raise DataError(
                "uneven-rows",
                f"{self.name}: columns are kept apart by blanks: save it with commas or tabs; if one blank stands "
                'between any two cells, say --delimiter " "',
            )

    @property
    def above(self) -> int:
        """Lines above the first row: empty ones, and the header if there is one."""
        return self.blank + (self.named is None)

    @cached_property
    def header(self) -> tuple[str, ...]:
        if self.named:
            return self.named
        first = next(iter(self._first_rows(1)), [])
        if self.named is not None:
            return tuple(f"column {k + 1}" for k in range(len(first)))
        names = [cell.strip() for cell in first]
        for name, times in Counter(filter(None, names)).items():
            if times > 1:
                raise DataError(
                    "header-row",
                    f"{self.name}:{self.blank + 1}: column {quoted(name)} occurs twice; "
                    "if this line is a row already, say --no-header",
                )
        known = set(names)
        return tuple(name or _unused(f"column {k + 1}", known) for k, name in enumerate(names))

    def without_header(self) -> DelimitedTable:
        """The same, its first line a row."""
        return replace(self, named=(), encoding=None)  # it may have been transcoded already

    def _text(self) -> Iterator[str]:
        """Lines with their ends, for the csv module; a bad byte is reported by its position."""
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
                        "say the file's encoding, for example --encoding latin-1 or --encoding cp1252",
                    ) from error
                done += len(window)
        raise DataError("file-damaged", f"{self.name}: the last byte is half a character; was the file cut off?")

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        if self.literal:
            return self._load_slowly(wanted, cells)
        pl = polars()
        at = {name: f"c{k}" for k, name in enumerate(self.header)}
        last = at[self.header[-1]]
        try:
            table = pl.scan_csv(
                self.path,
                infer_schema=False,
                separator=self.separator,
                empty_string_is_null=False,
                new_columns=list(at.values()),
                skip_lines=self.blank,
                has_header=self.named is None,
                glob=False,
            )
            # Columns whose cells are labels alike share their names.
            together = Pool()
            made = {name: Pool() for name in wanted} | dict.fromkeys(cells, together)
            chosen = [pl.col(at[n]).cast(pool.dtype).to_physical().alias(n) for n, pool in made.items()]
            # Every column is looked at, or a row with too many cells would pass unseen.
            rest = [(pl.col(c) == "").alias(f"?{c}") for n, c in at.items() if n not in made or c == last]
            frame = table.select(*chosen, *rest).collect(engine="streaming")
        except (pl.exceptions.PolarsError, OSError) as error:
            if isinstance(error, pl.exceptions.NoDataError):
                raise DataError("file-empty", f"{self.name}: there is a header, but no rows below it") from error
            self._find_fault(exact=True)
            return self._load_slowly(wanted, cells)
        if frame.height == 0:
            raise DataError("file-empty", f"{self.name}: there is a header, but no rows below it")
        if frame[f"?{last}"].any():
            self._find_fault(exact=False)
        read = dict(zip(frame.columns, frame.get_columns(), strict=True))
        del frame  # each column goes when it was coded
        columns = {n: by_appearance(read.pop(n), made[n]) for n in wanted}
        if not cells:
            return columns, None
        codes = np.stack([read.pop(n).to_numpy() for n in cells], axis=1).ravel().view(np.int32)
        return columns, renumber(codes, together)

    def _load_slowly(self, wanted: Sequence[str], cells: Sequence[str]) -> tuple[dict[str, Column], Column | None]:
        """What Polars refuses and the csv module understands: a quote in the middle of a cell, say."""
        reader = self._reader(self._text())
        rows = [row or [""] * len(self.header) for row in islice(reader, self.above, None)]
        if not rows:
            raise DataError("file-empty", f"{self.name}: there is a header, but no rows below it")
        for number, row in enumerate(rows):
            if len(row) != len(self.header):
                raise self._wide(row, f"{self.name}:{number + 1 + self.above}")
        columns = {name: [row[k] for row in rows] for k, name in enumerate(self.header)}
        if self.literal:
            self._refuse_quoted_twice(columns)
        return {n: encode_column(columns[n]) for n in wanted}, by_rows([columns[n] for n in cells]) if cells else None

    def _refuse_quoted_twice(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Quotes that belong to texts are signs; beside the same cell without them they are a slip."""
        for name, cells in columns.items():
            known = set(cells)
            for row, cell in enumerate(cells):
                if cell.strip('"') != cell and cell.strip('"') in known:
                    raise DataError(
                        "uneven-rows",
                        f"{self.place(row)} (column {quoted(name)}): a quote that is not closed: {quoted(cell)}",
                    )

    def _wide(self, row: list[str], place: str) -> DataError:
        width = len(self.header)
        columns = f"{width} columns are wanted" if self.named else f"the header names {width} columns"
        return DataError(
            "uneven-rows",
            f"{place}: {len(row)} cells, but {columns}; "
            f"is the separator {quoted(self.separator)}? (--delimiter){_remark(row, width)}",
        )

    def _find_fault(self, exact: bool) -> None:
        """Raises for the first row with too few or too many cells, or broken quotes."""
        width = len(self.header)
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
                f'{self.name}:{start}: a quote (") that is not closed, or stands within a cell: write it twice and put '
                "the cell in quotes, or take it out",
            ) from None

    def place(self, row: int) -> str:
        if not self.quotes or self.literal:
            return f"{self.name}:{row + 1 + self.above}"
        reader = csv.reader(self._text(), delimiter=self.separator)
        for _ in range(row + self.above):
            next(reader, None)
        return f"{self.name}:{reader.line_num + 1}"

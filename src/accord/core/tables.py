"""The base of all results: a Result displays itself as tables with unformatted cells."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, Self, TypeVar, overload

from accord.core.errors import SpecError, UnknownName, for_interface, printable
from accord.core.prose import PLAIN, Paragraph, Prose, Style

MOST_ROWS = 200  # rows on the screen; files contain all
MOST_PAIRS = 20  # pairs of annotators, the worst; 30 annotators have 435 pairs
Library = Literal["pandas", "polars"]
LIBRARIES = ("pandas", "polars")
_LONGEST = 160  # characters of a repr
_P_DIGITS = 3  # decimals of p, in every style
T = TypeVar("T")


@dataclass(frozen=True)
class Interval:
    """A confidence interval and its method."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True)
class Estimate:
    """A value and its interval in one cell."""

    value: float
    interval: Interval | None


class Background(str):
    """A note that most readers do not need. The terminal shows it with --notes, other outputs always."""

    def __add__(self, more: str) -> Background:
        return Background(f"{self}{more}")


def prefixed(prefix: str, note: str) -> str:
    """Return a note behind a prefix; a background note stays one."""
    text = f"{prefix}{note}"
    return Background(text) if isinstance(note, Background) else text


Cell = str | float | int | Interval | Estimate | None


@dataclass(frozen=True)
class Table:
    """Rows of unformatted cells. A table without column names is a plain listing."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    least: tuple[str, ...] = ()  # columns that a narrow screen omits, in this order
    matrix: bool = False  # the columns after the first are the same as the rows

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Whether each column contains numbers."""
        return tuple(any(is_number(row[k]) for row in self.rows) for k in range(len(self.columns)))

    def texts(self, row: Sequence[Cell], digits: int = 3) -> list[str]:
        """Return a row as formatted text."""
        return [_in_column(name, cell, digits) for name, cell in zip(self.columns, row, strict=True)]

    def only_columns(self, kept: Sequence[int]) -> Table:
        """Return the table with these columns, in this order."""
        rows = tuple(tuple(row[k] for k in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[k] for k in kept), rows=rows)

    def without_empty_columns(self) -> Table:
        kept = [k for k in range(len(self.columns)) if not self.rows or any(row[k] is not None for row in self.rows)]
        return self.only_columns(kept)

    def first(self, most: int = MOST_ROWS) -> Table:
        """Return the first rows, with a note on the number of omitted rows."""
        left = len(self.rows) - most
        if left <= 0:
            return self
        return replace(self, rows=self.rows[:most], notes=(*self.notes, more_rows(left)))


def more_rows(left: int) -> str:
    return for_interface(f"{left:,} more rows; use --csv or --json for all")


class Drawing(Protocol):
    """The interface of a figure; see `accord.core.figures`."""

    @property
    def kind(self) -> str:
        """The kind of figure."""
        ...

    @property
    def title(self) -> str:
        """The title above the figure."""
        ...

    @property
    def caption(self) -> str:
        """The caption: what the figure shows."""
        ...

    def table(self) -> Table:
        """Return all numbers of the figure."""
        ...

    def drawn(self) -> Table:
        """Return the numbers that are visible in the figure."""
        ...

    def made(self, width: float) -> tuple[Any, Any]:
        """Return the Matplotlib figure and axes."""
        ...

    def plot(self, ax: Any = None) -> Any:
        """Draw on Matplotlib axes."""
        ...


@dataclass(frozen=True)
class Printed:
    """A table for a paper: with a caption, and numbers in a style."""

    table: Table
    caption: str
    more: str = ""  # a further sentence of the caption
    style: Style = PLAIN
    bounded: tuple[str, ...] = ()  # columns with numbers of at most 1

    def texts(self, row: Sequence[Cell]) -> list[str]:
        """Return a row as formatted text in the style."""
        shown = [
            _in_column(name, cell, _P_DIGITS if is_p(name) else self.style.digits)
            for name, cell in zip(self.table.columns, row, strict=True)
        ]
        numbers = zip(self.table.columns, row, shown, strict=True)
        return [self.style.set(text, name in self.bounded) if is_number(cell) else text for name, cell, text in numbers]

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes below the table, with p in the style."""
        return tuple(
            re.sub(r"\bp [=<] [\d.]+", lambda found: self.style.set(found[0]), note) for note in self.table.notes
        )


class Result:
    """A result of a question. Subclasses define its tables; all outputs, data frames and notebooks use these.

    A pickled result shows the same tables after unpickling.
    """

    subject: ClassVar[str] = ""  # the topic of captions; empty: the name of the class
    is_data: ClassVar[bool] = False  # whether accord can read `flat` as data

    @property
    def title(self) -> str:
        """The title; empty if it is not needed."""
        return ""

    def facts(self) -> list[str]:
        """Return the lines above the tables."""
        return []

    def tables(self) -> list[Table]:
        """Return the tables for display."""
        raise NotImplementedError

    def closing(self) -> list[str]:
        """Return the lines below the tables."""
        return []

    @property
    def topic(self) -> str:
        """The topic of its tables, for captions."""
        return self.subject or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()

    def printed(self) -> list[Printed]:
        """Return the tables of `--latex` and `--markdown`."""
        facts = [fact for fact in self.facts() if fact]
        made = []
        for k, table in enumerate(self.tables()):
            more = facts[0] if facts and not k else ""
            caption = f"{self.topic}: {table.title}" if table.title else self.topic
            made.append(Printed(table.without_empty_columns(), caption, more))
        return made

    def beside_captions(self) -> list[str]:
        """Return the facts that no caption contains."""
        return self.facts()

    def prose(self) -> Prose | None:
        """Return sentences with references for the end of the output, or None."""
        return None

    def in_words(self, color: bool = False, width: int = 80) -> str | None:  # noqa: ARG002
        """Return the whole result as wrapped text, if it has a text form; None if it has tables."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data, the same as `--json`."""
        raise NotImplementedError

    def flat(self) -> Table:
        """Return one table in full precision, the same as `--csv` and `to_frame`."""
        raise NotImplementedError

    def summary(self) -> str:
        """Return a summary in one line."""
        raise NotImplementedError

    def to_frame(self, library: Library | None = None) -> Any:
        """Return `flat` as a data frame of the named library; by default pandas if installed, or Polars."""
        return as_frame(self.flat(), library)

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """Return the available figures by kind, the most informative first; each is made on demand."""
        return {}

    def figures(self) -> list[Drawing]:
        """Return all figures with their numbers."""
        return [make() for make in self.drawings().values()]

    def figure(self, kind: str | None = None) -> Drawing:
        """Return one figure; by default, the most informative."""
        known = self.drawings()
        if not known:
            raise SpecError("measure-for-other-data", f"a {type(self).__name__} has no figure; use its tables")
        if kind is not None and kind not in known:
            raise UnknownName(f"plot of a {type(self).__name__}", kind, known)
        return known[kind or next(iter(known))]()

    def plot(self, ax: Any = None, kind: str | None = None) -> Any:
        """Draw with Matplotlib on `ax` or on new axes; return the axes, an array if there are panels.

        `kind` is one of `drawings()`. Use `save_plot("picture.svg")` to write a file.
        """
        return self.figure(kind).plot(ax)

    def save_plot(self, path: str | Path, kind: str | None = None, width: Literal["one", "two"] = "two") -> None:
        """Write a figure to a PNG, SVG or PDF file, as wide as one or two columns of a paper."""
        saving = import_module("accord.core.figures.figure")  # figures import this module
        saving.check_path(Path(path))
        saving.save_figure(self.figure(kind), path, saving.inches(width))

    def _repr_html_(self) -> str:
        facts = [*filter(None, [self.title]), *self.facts()]
        return as_html(facts, self.tables(), self.closing(), self.prose())

    def __str__(self) -> str:
        return printable(self.summary())

    def __repr__(self) -> str:
        line = printable(self.summary())
        return f"<{type(self).__name__} {line if len(line) <= _LONGEST else f'{line[: _LONGEST - 1]}…'}>"


@dataclass(frozen=True, repr=False)
class Several(Sequence[T], Result):
    """A sequence of results of one kind that are displayed together."""

    each: tuple[T, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "each", tuple(self.each))

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[T]:
        return iter(self.each)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> T | Self:
        return type(self)(self.each[index]) if isinstance(index, slice) else self.each[index]


# -- cells -----------------------------------------------------------------------------------------------------------


def shown(cell: Cell, digits: int = 3) -> str:
    """Return a cell as text: numbers are rounded, control characters in labels are escaped."""
    if cell is None:
        return ""
    if isinstance(cell, Interval):
        return f"[{cell.low:z.{digits}f}, {cell.high:z.{digits}f}]"
    if isinstance(cell, Estimate):
        return f"{_rounded(cell.value, digits)} {shown(cell.interval, digits)}".rstrip()
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return _rounded(cell, digits)
    return f"{cell:,}" if isinstance(cell, int) else printable(cell)


def _rounded(number: float, digits: int) -> str:
    if math.isnan(number):
        return "undefined"
    return f"{number:z.{digits}f}" if abs(number) < 1e6 else f"{number:.{digits}g}"


def _in_column(column: str, cell: Cell, digits: int) -> str:
    """Return a cell as text; a p that would be rounded to 0 is written as < 0.001."""
    if isinstance(cell, float) and is_p(column) and 0 <= cell < 10**-digits:
        return f"< {10**-digits:.{digits}f}"
    return shown(cell, digits)


def is_p(column: str) -> bool:
    """Return whether a column contains p-values."""
    return column == "p" or column.startswith("p (") or column.endswith(" p")


def is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float | Interval | Estimate) and not isinstance(cell, bool)


def percent(level: float) -> str:
    """Return a confidence level for a column heading: 95%."""
    return f"{level * 100:.6g}%"


def p_in_words(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:z.3f}"


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Return the limits of an interval as two cells of a flat table."""
    return (interval.low, interval.high) if interval else (None, None)


# -- for programs ----------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Convert to plain JSON data: NaN to null, NumPy numbers to numbers, sets to lists, other objects to text."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(v) for v in value), key=str)
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)


def as_frame(table: Table, library: Library | None = None) -> Any:
    """Return a data frame of the named library; by default pandas if installed, or Polars."""
    if library is not None and library not in LIBRARIES:
        raise UnknownName("library of data frames", library, LIBRARIES)
    if library == "pandas" and find_spec("pandas") is None:
        raise SpecError("missing-package", "pandas is not installed; use to_frame('polars'), or pip install pandas")
    columns = {name: [row[k] for row in table.rows] for k, name in enumerate(table.columns)}
    if library == "pandas" or (library is None and find_spec("pandas") is not None):
        return import_module("pandas").DataFrame(columns)
    # A column may mix integers and floats, so all values determine its type, not only the first.
    return import_module("polars").DataFrame(columns, strict=False, infer_schema_length=None)


# -- for notebooks ---------------------------------------------------------------------------------------------------


def as_html(facts: Sequence[str], tables: Sequence[Table], closing: Sequence[str], prose: Prose | None = None) -> str:
    """Return lines and tables as HTML; text from the data is escaped."""
    made = [_line(fact) for fact in facts]
    for table in tables:
        made += _html(table)
    made += [_line(text) for text in closing]
    if prose is not None:
        made += [f"<p>{_phrases(paragraph)}</p>" for paragraph in prose.paragraphs]
        made += ["<ul>", *(f"<li>{_phrases(one.phrases)}</li>" for one in prose.references), "</ul>"]
    return "\n".join(["<div>", *made, "</div>"])


def _phrases(paragraph: Paragraph) -> str:
    shown = ((phrase.form, _escaped(phrase.text)) for phrase in paragraph)
    return "".join(f"<i>{text}</i>" if form == "italic" else text for form, text in shown)


def _html(table: Table) -> list[str]:
    lines = []
    if table.rows:
        side = ["right" if numeric else "left" for numeric in table.numeric]
        lines += ["<table>", *([f"<caption>{_escaped(table.title)}</caption>"] if table.title else [])]
        if any(table.columns):
            lines.append(f"<thead>{_row('th', table.columns, side)}</thead>")
        lines += ["<tbody>", *(_row("td", table.texts(row), side) for row in table.rows), "</tbody>", "</table>"]
    elif table.title:
        lines.append(_line(table.title))
    return [*lines, *(_line(note) for note in table.notes)]


def _row(tag: str, cells: Sequence[str], side: Sequence[str]) -> str:
    made = (f'<{tag} style="text-align: {s}">{_escaped(cell)}</{tag}>' for cell, s in zip(cells, side, strict=True))
    return f"<tr>{''.join(made)}</tr>"


def _line(text: str) -> str:
    return f"<p>{_escaped(text)}</p>"


def _escaped(text: str) -> str:
    return html.escape(printable(text))

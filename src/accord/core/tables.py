"""What every answer is: a Result, which shows itself as tables whose cells are not text yet."""

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

MOST_ROWS = 200  # for people; programs get all
MOST_PAIRS = 20  # of annotators, the worst: 30 annotators are 435 pairs
Library = Literal["pandas", "polars"]
LIBRARIES = ("pandas", "polars")
_LONGEST = 160  # characters of a repr
_P_DIGITS = 3  # of p, in every style
T = TypeVar("T")


@dataclass(frozen=True)
class Interval:
    """A confidence interval, and how it was made."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True)
class Estimate:
    """A value and its interval, in one cell."""

    value: float
    interval: Interval | None


Cell = str | float | int | Interval | Estimate | None


@dataclass(frozen=True)
class Table:
    """Rows of cells that are not text yet. Without any name of a column it is a plain listing."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    least: tuple[str, ...] = ()  # the columns that a narrow screen can do without, the first to go first
    matrix: bool = False  # the columns behind the first are the rows once more

    @property
    def numeric(self) -> tuple[bool, ...]:
        """The columns that hold numbers."""
        return tuple(any(is_number(row[k]) for row in self.rows) for k in range(len(self.columns)))

    def texts(self, row: Sequence[Cell], digits: int = 3) -> list[str]:
        """A row for people."""
        return [_in_column(name, cell, digits) for name, cell in zip(self.columns, row, strict=True)]

    def only_columns(self, kept: Sequence[int]) -> Table:
        """Some of the columns, in this order."""
        rows = tuple(tuple(row[k] for k in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[k] for k in kept), rows=rows)

    def without_empty_columns(self) -> Table:
        kept = [k for k in range(len(self.columns)) if not self.rows or any(row[k] is not None for row in self.rows)]
        return self.only_columns(kept)

    def first(self, most: int = MOST_ROWS) -> Table:
        """Not more rows than people read, and a note about the others."""
        left = len(self.rows) - most
        if left <= 0:
            return self
        return replace(self, rows=self.rows[:most], notes=(*self.notes, more_rows(left)))


def more_rows(left: int) -> str:
    return for_interface(f"{left:,} more rows; --csv or --json has all")


class Drawing(Protocol):
    """A figure, as results know it: see `accord.core.figures`."""

    @property
    def kind(self) -> str:
        """What sort of picture it is."""
        ...

    @property
    def title(self) -> str:
        """Above it."""
        ...

    @property
    def caption(self) -> str:
        """What one sees."""
        ...

    def table(self) -> Table:
        """The numbers behind it."""
        ...

    def drawn(self) -> Table:
        """Those of them that one sees."""
        ...

    def made(self, width: float) -> tuple[Any, Any]:
        """Matplotlib's figure and axes."""
        ...

    def plot(self, ax: Any = None) -> Any:
        """On Matplotlib's axes."""
        ...


@dataclass(frozen=True)
class Printed:
    """A table as it stands in a paper: with a caption, and numbers in a style."""

    table: Table
    caption: str
    more: str = ""  # a further sentence of the caption, where nothing stands above the table
    style: Style = PLAIN
    bounded: tuple[str, ...] = ()  # columns of numbers that cannot exceed 1

    def texts(self, row: Sequence[Cell]) -> list[str]:
        """A row for readers."""
        shown = [
            _in_column(name, cell, _P_DIGITS if is_p(name) else self.style.digits)
            for name, cell in zip(self.table.columns, row, strict=True)
        ]
        numbers = zip(self.table.columns, row, shown, strict=True)
        return [self.style.set(text, name in self.bounded) if is_number(cell) else text for name, cell, text in numbers]

    @property
    def notes(self) -> tuple[str, ...]:
        """Below the table; what they say of p is set as p is."""
        return tuple(
            re.sub(r"\bp [=<] [\d.]+", lambda found: self.style.set(found[0]), note) for note in self.table.notes
        )


class Result:
    """An answer that shows itself. A class says what there is; every output, data frame and notebook follows.

    A result pickles whole: what is read back shows the same tables.
    """

    subject: ClassVar[str] = ""  # of its captions; empty: the name of its class says it
    is_data: ClassVar[bool] = False  # whether `flat` is a table that accord reads back

    @property
    def title(self) -> str:
        """What it is about, where that is not plain."""
        return ""

    def facts(self) -> list[str]:
        """Lines above the tables."""
        return []

    def tables(self) -> list[Table]:
        """What people see."""
        raise NotImplementedError

    def closing(self) -> list[str]:
        """Lines below the tables."""
        return []

    @property
    def topic(self) -> str:
        """What its tables are about, in a caption."""
        return self.subject or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()

    def printed(self) -> list[Printed]:
        """What `--latex` and `--markdown` show."""
        facts = [fact for fact in self.facts() if fact]
        made = []
        for k, table in enumerate(self.tables()):
            more = facts[0] if facts and not k else ""
            caption = f"{self.topic}: {table.title}" if table.title else self.topic
            made.append(Printed(table.without_empty_columns(), caption, more))
        return made

    def beside_captions(self) -> list[str]:
        """The facts that no caption says."""
        return self.facts()

    def prose(self) -> Prose | None:
        """Sentences below all else, with their references; None where there are none."""
        return None

    def in_words(self, color: bool = False, width: int = 80) -> str | None:  # noqa: ARG002
        """All of it as text, where sentences say it better than tables; else None. Lines that are long are wrapped."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data, the same as `--json` gives."""
        raise NotImplementedError

    def flat(self) -> Table:
        """One rectangle in full precision: what `--csv` and `to_frame` give."""
        raise NotImplementedError

    def summary(self) -> str:
        """One line."""
        raise NotImplementedError

    def to_frame(self, library: Library | None = None) -> Any:
        """`flat` as a data frame: of pandas if it is installed, else of Polars; or of the library that is named."""
        return as_frame(self.flat(), library)

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """The pictures that there are of it, by kind, the most telling first; each is made when it is wanted."""
        return {}

    def figures(self) -> list[Drawing]:
        """All of its pictures, as values: what is drawn, and the numbers behind it."""
        return [make() for make in self.drawings().values()]

    def figure(self, kind: str | None = None) -> Drawing:
        """One of them; without a kind, the most telling."""
        known = self.drawings()
        if not known:
            raise SpecError(
                "measure-for-other-data", "there is no picture of an answer like this one; its tables say all of it"
            )
        if kind is not None and kind not in known:
            raise UnknownName(f"plot of a {type(self).__name__}", kind, known)
        return known[kind or next(iter(known))]()

    def plot(self, ax: Any = None, kind: str | None = None) -> Any:
        """Draws it with Matplotlib: on `ax`, or on axes of its own; returns them, an array where there are panels.

        `kind`: one of `drawings()`. `save_plot("picture.svg")` writes a file.
        """
        return self.figure(kind).plot(ax)

    def save_plot(self, path: str | Path, kind: str | None = None, width: Literal["one", "two"] = "two") -> None:
        """Draws it into a file: PNG, SVG or PDF by its name, as wide as one column of a paper or two."""
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
    """Results of one kind: what a tuple of them does, and all of them show themselves together."""

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
    """A cell for people: numbers are rounded, strangers' labels made harmless."""
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
    """The same; a p that would be rounded to 0 says that it is not."""
    if isinstance(cell, float) and is_p(column) and 0 <= cell < 10**-digits:
        return f"< {10**-digits:.{digits}f}"
    return shown(cell, digits)


def is_p(column: str) -> bool:
    """Whether a column holds p: of one measure, of one test, corrected."""
    return column == "p" or column.startswith("p (") or column.endswith(" p")


def is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float | Interval | Estimate) and not isinstance(cell, bool)


def percent(level: float) -> str:
    """A level as the head of a column has it: 95%."""
    return f"{level * 100:.6g}%"


def p_in_words(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:z.3f}"


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Two cells of a flat table."""
    return (interval.low, interval.high) if interval else (None, None)


# -- for programs ----------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Plain JSON: NaN is null, NumPy numbers are numbers, sets are lists, all else is text."""
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
    """A data frame: of pandas if it is installed, else of Polars, which always is; or of the one that is named."""
    if library is not None and library not in LIBRARIES:
        raise UnknownName("library of data frames", library, LIBRARIES)
    if library == "pandas" and find_spec("pandas") is None:
        raise SpecError("missing-package", "pandas is not installed; to_frame('polars') needs nothing more")
    columns = {name: [row[k] for row in table.rows] for k, name in enumerate(table.columns)}
    if library == "pandas" or (library is None and find_spec("pandas") is not None):
        return import_module("pandas").DataFrame(columns)
    # A column may hold whole numbers and others: its values decide together, not the first of them.
    return import_module("polars").DataFrame(columns, strict=False, infer_schema_length=None)


# -- for notebooks ---------------------------------------------------------------------------------------------------


def as_html(facts: Sequence[str], tables: Sequence[Table], closing: Sequence[str], prose: Prose | None = None) -> str:
    """Lines and tables; whatever strangers wrote is escaped."""
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

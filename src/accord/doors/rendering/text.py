"""Results for the terminal: facts, tables and sentences in as many columns as it has.

What does not fit gives way in this order, and nothing is left out silently: the gaps, the heads (on several lines),
columns with the same cell in every row (one line below the table gives it), long cells (on several lines), the columns
that the table can do without (they are named). What is still too wide is cut into bands of columns, or is a block per
row. The labels of a matrix are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rich.cells import cell_len

from accord.core.errors import counted, printable
from accord.core.prose import Prose, as_text
from accord.core.result import Result
from accord.core.tables import Background, Table, prefixed
from accord.data.model.texts import clusters

WIDTH = 80  # where nobody knows
Style = Literal["", "bold", "dim"]
_GAP, _NARROW = 3, 2  # between columns
_COMFORT = 16  # of a cell of words, when it is wrapped
_HEAD = 14  # of a word of a head, which is shortened beyond it
_TALLEST = 3  # lines of a row: with more, a block is easier to read
_MOST_LINES = 12  # of one cell of a block
_MOST_NAMED = 8  # columns that were left out
_SIGNS = r",;/|=:_.\-–"
_BREAKS = re.compile(rf"\(?[^({_SIGNS}]*[{_SIGNS}]+|\(?[^({_SIGNS}]+|\(")  # before a bracket, behind other signs
_NOT_FIRST = frozenset("。、，．！？：；）」』】〉》”’")  # never at the beginning of a line
_STYLES: dict[Style, str] = {"bold": "\x1b[1m", "dim": "\x1b[2m"}


@dataclass(frozen=True)
class ScreenLine:
    """A line of the screen."""

    text: str
    style: Style = ""


@dataclass(frozen=True)
class Fitted:
    """A table as lines, and notes about what was left out or moved."""

    lines: tuple[ScreenLine, ...]
    notes: tuple[str, ...] = ()


def render_text(
    result: Result, color: bool = False, digits: int = 3, width: int = WIDTH, all_notes: bool = False
) -> str:
    """Return the words of a result, if it has some, or else its facts, tables and closing lines.

    `all_notes` includes notes that most readers do not need.
    """
    words = result.in_words(color, width)
    if words is not None:
        return "\n".join(line for text in words.split("\n") for line in _wrap_line(text, width))
    indent = "  " if result.title else ""
    facts = [prefixed(indent, fact) for fact in result.facts()]
    made = render_tables(result.tables(), facts, color, digits, result.title, width, all_notes)
    made += "".join(f"{line}\n" for text in result.closing() for line in _wrap_line(printable(text), width))
    prose = result.prose()
    return made if prose is None else "\n".join(filter(None, [made.strip() and made, _prose(prose, width)]))


def _prose(prose: Prose, width: int) -> str:
    """Paragraphs, the works that they cite, and the same as BibTeX."""
    paragraphs = ["\n".join(wrap_text(printable(as_text(paragraph)), width, "")) for paragraph in prose.paragraphs]
    listed = [line for one in prose.references for line in wrap_text(printable(one.text), width, "  ")]
    entries = ["\n".join(_entry(one.bibtex, width)) for one in prose.references]
    return "\n\n".join([*paragraphs, "\n".join(["References", *listed]), *entries]) + "\n"


def _entry(bibtex: str, width: int) -> list[str]:
    """Wrap an entry: in BibTeX a line break counts as a space."""
    return [part for line in bibtex.splitlines() for part in wrap_text(line, width, " " * (line.find("{") + 2))]


def render_tables(
    tables: Iterable[Table],
    head: Sequence[str] = (),
    color: bool = False,
    digits: int = 3,
    title: str = "",
    width: int = WIDTH,
    all_notes: bool = False,
) -> str:
    """Return lines and tables for the terminal, with a count of the notes that are not shown."""
    lines: list[ScreenLine] = []
    hidden = 0

    def say(text: str, style: Style = "") -> None:
        lines.extend(ScreenLine(line, style) for line in _wrap_line(printable(text), width))

    def note(text: str, style: Style = "dim") -> None:
        nonlocal hidden
        if all_notes or not isinstance(text, Background):
            say(text, style)
        else:
            hidden += 1

    if title:
        say(title, "bold")
    for text in head:
        note(text, "")
    for table in tables:
        if table.title:
            say(table.title, "bold" if any(table.columns) else "")
        notes: tuple[str, ...] = ()
        if table.rows:
            made = fit_table(table, width, digits)
            lines += made.lines
            notes = made.notes
        for text in (*notes, *table.notes):
            note(text)
        lines.append(ScreenLine(""))
    while lines and not lines[-1].text:
        lines.pop()
    if hidden:
        say(f"{counted(hidden, 'more note')}: add --notes", "dim")
    return "".join(f"{_painted(line) if color else line.text.rstrip()}\n" for line in lines)


def _painted(line: ScreenLine) -> str:
    text = line.text.rstrip()
    return f"{_STYLES[line.style]}{text}\x1b[0m" if line.style and text else text


def _wrap_line(text: str, width: int) -> list[str]:
    """Wrap a line of prose with a hanging indent. Commands are not wrapped, so that they can be copied."""
    if "\x1b" in text or text.lstrip().startswith("$ "):  # in colour: a result knew the width
        return [text]
    return wrap_text(text, width, " " * (len(text) - len(text.lstrip()) + 2))


# -- tables in so many columns ----------------------------------------------------------------------------------------


def fit_table(table: Table, width: int, digits: int = 3) -> Fitted:
    """The rows of a table, with the names of its columns above a rule, or as a plain listing if they have none."""
    grid = _Grid(
        tuple(map(printable, table.columns)),
        tuple(tuple(table.texts(row, digits)) for row in table.rows),
        table.numeric,
    )
    if not any(table.columns):
        return Fitted(tuple(ScreenLine(f"  {line}") for line in grid.listed(width - 2)))
    if table.matrix and grid.natural(_NARROW) > width:
        return _matrix(table, grid, width, digits)
    nothing = {k for k, head in enumerate(grid.heads) if not head and not any(row[k] for row in grid.cells)}
    return _narrowed(grid.without(nothing), table.least, width)


def _narrowed(grid: _Grid, least: Sequence[str], width: int) -> Fitted:
    behind = range(1, len(grid.heads))
    empty = [{k} for k in behind if not any(row[k] for row in grid.cells)]  # they say nothing, and go first
    going = [{k for k in behind if grid.heads[k] == name} for name in least]
    alike = [group for group in going if len(group) == 1 and all(grid.same(k) for k in group)]
    gone: set[int] = set()
    for group in (*empty, *alike):
        if grid.without(gone).least_width(wrap=False) <= width:
            break
        gone |= group
    known = {k for group in alike for k in group} & gone
    left: list[set[int]] = []
    for group in going:
        if not grid.without(gone).crowded(width):
            break
        if not group <= gone:
            left.append(group)
            gone |= group
    if grid.without(gone).least_width(wrap=True) > width:
        words = any(row[k] and not grid.numeric[k] for row in grid.cells for k in behind)
        return grid.blocks(width) if words else grid.bands(width)
    for group in reversed(left):  # the last to go may have made room for others
        if not grid.without(gone - group).crowded(width):
            gone -= group
    lines = grid.without(gone).ruled(width)
    if lines is None:
        return grid.blocks(width)
    said = []
    if known:
        every, colon = ("", ":") if len(grid.cells) == 1 else ("in every row: ", "")
        said.append(every + ", ".join(f"{grid.heads[k]}{colon} {grid.cells[0][k]}" for k in sorted(known)))
    if missing := list(dict.fromkeys(grid.heads[k] for k in sorted(set().union(*left) & gone))):
        said.append(f"columns not shown because the terminal is narrow: {_some(missing)}; --json has all")
    return Fitted(tuple(lines), tuple(said))


def _matrix(table: Table, grid: _Grid, width: int, digits: int) -> Fitted:
    """Number the labels of a matrix: the rows are the key of the columns."""
    names = [row[0] for row in grid.cells]
    same = names == list(grid.heads[1:])
    digits_of = len(str(len(names)))
    numbered = [f"{k:>{digits_of}} {name}" for k, name in enumerate(names, 1)] if same else names
    heads = (grid.heads[0], *(str(k) for k in range(1, len(grid.heads)))) if same else grid.heads
    made = replace(grid, heads=heads, cells=tuple((n, *row[1:]) for n, row in zip(numbered, grid.cells, strict=True)))
    if made.natural(_NARROW) > width:
        made = made.rounded(table, digits)
    room = width - (made.least_width(wrap=False) - made.leasts(wrap=False)[0])
    if room >= min(_COMFORT, made.bodies()[0]):
        cells = tuple((shorten_to_width(row[0], room), *row[1:]) for row in made.cells)
        return Fitted(tuple(replace(made, cells=cells).ruled(width) or ()))
    return made.bands(width)


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


@dataclass(frozen=True)
class _Grid:
    """Heads and cells as text."""

    heads: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]

    def without(self, gone: set[int]) -> _Grid:
        kept = [k for k in range(len(self.heads)) if k not in gone]
        return self.only(kept)

    def only(self, kept: Sequence[int]) -> _Grid:
        return _Grid(
            tuple(self.heads[k] for k in kept),
            tuple(tuple(row[k] for k in kept) for row in self.cells),
            tuple(self.numeric[k] for k in kept),
        )

    def crowded(self, width: int) -> bool:
        """Whether the columns do not fit, or more than a third of the rows would need several lines."""
        if self.least_width(wrap=True) > width:
            return True
        widths = self.widths(width, _NARROW)
        tall = sum(any(cell_len(cell) > w for cell, w in zip(row, widths, strict=True)) for row in self.cells)
        return 3 * tall > len(self.cells)

    def same(self, column: int) -> bool:
        """Whether all rows have the same cell, which is not empty."""
        return len({row[column] for row in self.cells}) == 1 and bool(self.cells[0][column])

    def rounded(self, table: Table, digits: int) -> _Grid:
        """The numbers of a matrix with two decimals at most."""
        few = min(digits, 2)
        cells = tuple((old[0], *table.texts(row, few)[1:]) for old, row in zip(self.cells, table.rows, strict=True))
        return replace(self, cells=cells)

    # -- widths ------------------------------------------------------------------------------------------------------

    def bodies(self) -> list[int]:
        return [max((cell_len(row[k]) for row in self.cells), default=0) for k in range(len(self.heads))]

    def natural(self, gap: int) -> int:
        """The width with everything on one line."""
        columns = zip(self.bodies(), self.heads, strict=True)
        return sum(max(body, cell_len(head)) for body, head in columns) + gap * (len(self.heads) - 1)

    def leasts(self, wrap: bool) -> list[int]:
        """The smallest widths of columns: heads are wrapped, and so are cells of words if `wrap`."""
        made = []
        for head, body, numeric in zip(self.heads, self.bodies(), self.numeric, strict=True):
            words = max((min(cell_len(piece), _HEAD) for piece in _pieces(head)), default=0)
            made.append(max(words, body if numeric or not wrap else min(body, _COMFORT)))
        return made

    def least_width(self, wrap: bool) -> int:
        return sum(self.leasts(wrap)) + _NARROW * (len(self.heads) - 1)

    def widths(self, room: int, gap: int) -> list[int]:
        """Divide the room among the columns: first so that cells stay on one line, then heads."""
        own = self.bodies()
        widths = self.leasts(wrap=False)
        if sum(widths) + gap * (len(widths) - 1) > room:
            widths = self.leasts(wrap=True)
        spare = room - sum(widths) - gap * (len(widths) - 1)
        for wanted in (own, [max(body, cell_len(head)) for body, head in zip(own, self.heads, strict=True)]):
            while spare > 0 and (lacking := [k for k, width in enumerate(widths) if width < wanted[k]]):
                widths[min(lacking, key=widths.__getitem__)] += 1  # the narrowest of those that want more
                spare -= 1
        return widths

    # -- lines -------------------------------------------------------------------------------------------------------

    def ruled(self, width: int) -> list[ScreenLine] | None:
        """The table with its heads above a rule; None if a row would need too many lines."""
        gap = _GAP if self.natural(_GAP) <= width else _NARROW
        widths = self.widths(width, gap)
        rows = [self._lines(row, widths, gap) for row in self.cells]
        if any(len(lines) > _TALLEST for lines in rows):
            return None
        head = self._lines(self.heads, widths, gap, bottom=True)
        rule = "─" * (sum(widths) + gap * (len(widths) - 1))
        return [*_above(head, rule), *(ScreenLine(line) for lines in rows for line in lines)]

    def listed(self, width: int) -> list[str]:
        """The table without heads; on a narrow screen the other cells stand below the first."""
        if self.least_width(wrap=True) > width:
            below = [(cell, "  " if k else "") for row in self.cells for k, cell in enumerate(row) if cell]
            return [f"{indent}{line}" for cell, indent in below for line in wrap_cell(cell, width - len(indent))]
        widths = self.widths(width, _NARROW)
        return [line for row in self.cells for line in self._lines(row, widths, _NARROW)]

    def _lines(self, row: Sequence[str], widths: Sequence[int], gap: int, bottom: bool = False) -> list[str]:
        columns = [wrap_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
        tallest = max(map(len, columns))
        lines = []
        for k in range(tallest):
            at = [k - (tallest - len(column) if bottom else 0) for column in columns]
            texts = [column[i] if 0 <= i < len(column) else "" for column, i in zip(columns, at, strict=True)]
            cells = (
                _justified(text, width, numeric)
                for text, width, numeric in zip(texts, widths, self.numeric, strict=True)
            )
            lines.append((" " * gap).join(cells).rstrip())
        return lines

    def bands(self, width: int) -> Fitted:
        """Bands of as many columns as fit, one below the other, each with the first column."""
        first = max(min(self.leasts(wrap=False)[0], width // 3), min(cell_len(self.heads[0]), _HEAD))
        rest = self.leasts(wrap=False)[1:]
        bands: list[list[int]] = [[]]
        used = first
        for k, own in enumerate(rest, 1):
            if bands[-1] and used + _NARROW + own > width:
                bands.append([])
                used = first
            bands[-1].append(k)
            used += _NARROW + own
        lines: list[ScreenLine] = []
        for band in bands:
            part = self.only([0, *band])
            widths = [first, *(rest[k - 1] for k in band)]
            head = part._lines(part.heads, widths, _NARROW, bottom=True)
            rule = "─" * (sum(widths) + _NARROW * len(band))
            rows = (part._lines((shorten_to_width(row[0], first), *row[1:]), widths, _NARROW) for row in part.cells)
            lines += [ScreenLine("")] if lines else []
            lines += _above(head, rule)
            lines += [ScreenLine(line) for row in rows for line in row]
        return Fitted(tuple(lines))

    def blocks(self, width: int) -> Fitted:
        """A block per row: its first cell, then `name: value`, short ones side by side."""
        lines: list[ScreenLine] = []
        for row in self.cells:
            lines += [ScreenLine("")] if lines else []
            title = f"{self.heads[0]}: {row[0]}" if self.heads[0] else row[0]
            lines += [ScreenLine(line, "bold") for line in wrap_cell(title, width)]
            flowing: list[str] = []
            for head, cell in zip(self.heads[1:], row[1:], strict=True):
                if not cell:
                    continue
                field = f"{head}: {cell}" if head else cell
                together = "   ".join([*flowing, field])
                if flowing and cell_len(together) > width - 2:
                    lines += _fields(flowing, width)
                    flowing = []
                flowing.append(field)
            lines += _fields(flowing, width)
        return Fitted(tuple(lines))


def _above(head: Sequence[str], rule: str) -> list[ScreenLine]:
    """The heads of columns and the rule below them."""
    return [*(ScreenLine(line, "bold") for line in head), ScreenLine(rule)]


def _fields(fields: Sequence[str], width: int) -> list[ScreenLine]:
    """Several fields side by side, or one that needs several lines."""
    together = "   ".join(fields)
    lines = [together] if cell_len(together) <= width - 2 else wrap_cell(together, width - 4, _MOST_LINES)
    return [ScreenLine(f"{'    ' if k else '  '}{line}") for k, line in enumerate(lines) if line]


def _justified(text: str, width: int, right: bool) -> str:
    pad = " " * (width - cell_len(text))
    return pad + text if right else text + pad


# -- text in so many columns -----------------------------------------------------------------------------------------


def wrap_text(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most so many columns, broken at blanks and between wide letters; a longer word stays whole.

    Lines below the first one begin with `indent`.
    """
    if cell_len(text) <= width:
        return [text]
    lines, line = [], ""
    for atom in _atoms(text):
        if line.strip() and cell_len(line) + cell_len(atom) > width:
            lines.append(line)
            line = indent + atom.lstrip()
        else:
            line += atom
    return [*lines, line]


def wrap_cell(text: str, width: int, most: int = 0) -> list[str]:
    """Wrap the text of a cell, where nothing may stick out: long words are broken after a sign, or shortened."""
    if most and cell_len(text) > most * width:
        text = shorten_to_width(text, most * width)
    lines: list[str] = []
    for line in wrap_text(text, width):
        if cell_len(line) <= width:
            lines.append(line)
            continue
        part = ""
        for piece in _pieces(line):
            if part and cell_len(part) + cell_len(piece) > width:
                lines.append(shorten_to_width(part, width))
                part = ""
            part += piece
        lines.append(shorten_to_width(part, width))
    return lines


def shorten_to_width(text: str, width: int) -> str:
    """The beginning and the end of a text with … in the middle, if it does not fit."""
    if cell_len(text) <= width:
        return text
    letters = clusters(text)
    head, tail = _up_to(letters, width // 2), _up_to(letters[::-1], width - 1 - width // 2)
    return f"{''.join(head)}…{''.join(tail[::-1])}"


def _up_to(letters: Sequence[str], width: int) -> list[str]:
    taken: list[str] = []
    room = width
    for letter in letters:
        room -= cell_len(letter)
        if room < 0:
            break
        taken.append(letter)
    return taken


def _pieces(text: str) -> list[str]:
    """The pieces into which a head or a long word may be broken: at spaces and after signs."""
    return [piece for word in text.split() for piece in _BREAKS.findall(word)]


def _atoms(text: str) -> list[str]:
    """Words, each with the spaces before it; wide letters are words of their own."""
    made: list[str] = []
    for word in re.findall(r"\s*\S+|\s+$", text):
        if word.isascii() or cell_len(word) == len(word):
            made.append(word)
            continue
        made.append("")
        for before, letter in zip(["", *(letters := clusters(word))], letters, strict=False):
            wide = cell_len(letter) > 1 or cell_len(before) > 1
            if wide and made[-1].strip() and letter not in _NOT_FIRST:
                made.append(letter)
            else:
                made[-1] += letter
    return made

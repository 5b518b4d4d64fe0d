"""Header rows of tables: whether the first line names the columns, and which lines above and below belong to it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import chain

from accord.core.errors import DataError, quoted
from accord.data.io.tables.cleaning import LIKE_MISSING
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    DOC,
    END,
    ITEM,
    LABEL,
    LENGTH,
    START,
    is_person,
    is_variable,
    plain_name,
)

LOOKED_AT = 1_000  # rows examined to classify the first lines
_SURVEY_MONKEY = {"Response", "Open-Ended Response"}
_IMPORT = re.compile(r"""\{\s*["']ImportId["']""")
PYGAMMA = ("annotator", "label", "start", "end")
GAMMA = ("unit", "annotator", "label", "features", "start", "end")  # of the γ software; it writes no features
NO_HEADER = "the table has no header row: the first line is read as data, and columns are named by number"
NAMES, ROW, UNCLEAR = "names", "row", "unclear"
_KNOWN = {*ITEM, *ANNOTATOR, *LABEL, *ASIDE, *DOC, *START, *END, *LENGTH}
_A_FEW = 7  # fewer lines do not show the range of numbers
_LONG_SEQUENCE = 5  # this many columns named 1, 2, 3, … are no coincidence
_MOST_TITLES = 10  # lines above a header row
NOTHING = {"", "na", "nan", "n/a", "null", "none", "missing", "?", ".", "-"}  # text for missing values


def first_line(rows: Sequence[Sequence[str]]) -> str:
    """Classify the first line by the lines below it: names, data, or unclear."""
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows[1:]):
        return NAMES
    cells = [cell.strip() for cell in rows[0]]
    below = [[row[k].strip() for row in rows[1:] if row[k].strip().lower() not in NOTHING] for k in range(len(cells))]
    filled = [cell for cell in cells if cell]
    repeated = len(set(filled)) < len(filled)
    known = any(plain_name(cell) in _KNOWN and cell not in column for cell, column in zip(cells, below, strict=True))
    corner = not cells[0] and not repeated and set(below[0]).isdisjoint(chain(*below[1:]))  # above the row names
    if known or corner:
        return NAMES
    looks = _looks(cells, below)
    numbers = all(as_finite(cell) is not None for cell in filled)
    few = numbers and len(rows) < _A_FEW and "other" in looks
    if "name" in looks or not ({"again", "alike", "near"} & set(looks) or repeated or few):
        return NAMES
    again, alike, near, other = (looks.count(sign) for sign in ("again", "alike", "near", "other"))
    if repeated:  # a header row has no name twice
        verdict = ROW if again or alike or numbers else NAMES
    elif _in_sequence(filled):
        verdict = NAMES if other or len(filled) >= _LONG_SEQUENCE else UNCLEAR
    elif _are_votes(cells, below):
        verdict = UNCLEAR
    elif other:
        verdict = UNCLEAR if again >= other or alike or near or few else NAMES
    elif again:
        verdict = ROW if 2 * again + alike >= len(looks) else UNCLEAR
    else:
        decimal = any((n := as_finite(cell)) is not None and not n.is_integer() for cell in filled)
        verdict = ROW if not near and decimal else UNCLEAR
    return verdict


def titles_above(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of title lines above the header row: text in the first cell only, or nothing.

    A title may contain the separator: it then has fewer cells than the rows of the table.
    """
    width = max(Counter(map(len, rows)).items(), key=lambda entry: (entry[1], entry[0]), default=(0, 0))[0]
    for k, row in enumerate(rows[: _MOST_TITLES + 1]):
        filled = [cell.strip() for cell in row if cell.strip()]
        if len(filled) > 1 and not (2 * len(row) <= width and " " in filled[0]):
            below = [other[0].strip() for other in rows[k:] if other and other[0].strip()]
            cells = {cell.strip() for other in rows[k:] for cell in other}
            titles = [above[0].strip() for above in rows[:k] if above and above[0].strip()]
            return k if not any(title in cells or _same_make(title, below) for title in titles) else 0
        if filled and (not row[0].strip() or as_finite(filled[0]) is not None or plain_name(filled[0]) in _KNOWN):
            return 0
    return 0


@dataclass(frozen=True)
class Header:
    """Unique names of columns, the number of header rows, and a note if the names are not those of the file."""

    names: tuple[str, ...]
    rows: int = 1
    note: str = ""


def name_columns(rows: Sequence[Sequence[str]], where: str) -> Header:
    """Return the names of columns from the first rows of a table. `where` is the location of the header row.

    Two header rows with merged cells are joined. Repeated names are numbered if they repeat regularly.
    """
    first = [cell.strip() for cell in rows[0]] if rows else []
    if joined := _join_rows(rows):
        return Header(_named(joined), 2, f"{where}: two header rows are joined, for example {quoted(joined[-1])}")
    if two := header_in_two(rows):
        raise DataError(
            "header-row",
            f"{where}: the header has two rows ({two}); write one header row with a different name for each column, "
            "e.g. tone_A",
        )
    if repeated := {name: times for name, times in Counter(filter(None, first)).items() if times > 1}:
        numbered = _number_names(first, repeated, [row for row in rows[1:] if len(row) == len(first)], where)
        note = f"{where}: columns with the same name are read as annotators 1 to {max(repeated.values())}, in order: "
        return Header(_named(numbered), 1, note + ", ".join(map(quoted, repeated)))
    return Header(_named(first))


def _named(names: Sequence[str]) -> tuple[str, ...]:
    known = set(names)
    return tuple(name or _unused(f"column {k + 1}", known) for k, name in enumerate(names))


def _unused(name: str, names: Set[str]) -> str:
    return name if name not in names else _unused(f"{name} (unnamed)", names)


def _join_rows(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """Join two header rows: `coder 1` above `tone` and `topic`, `coder 2` above `tone` and `topic`.

    All cells of the first row must have the same cells below them, and these must not be labels.
    """
    rows = [row for row in rows if row]
    if len(rows) < 4 or any(len(row) != len(rows[0]) for row in rows):
        return None
    first, second, *rest = ([cell.strip() for cell in row] for row in rows)
    groups: dict[str, list[str]] = {}
    names, above = [], ""
    for k, (upper, lower) in enumerate(zip(first, second, strict=True)):
        above = (upper or above) if lower else ""
        if above:
            if any(row[k] == lower for row in rest) or as_finite(lower) is not None:
                return None
            groups.setdefault(above, []).append(lower)
        names.append(f"{above}_{lower}" if above else upper or lower)
    alike = {tuple(sorted(group)) for group in groups.values()}
    if len(groups) < 2 or len(alike) != 1 or len(set(names)) < len(names):
        return None
    return names if len(alike.pop()) > 1 else None


def _number_names(
    cells: Sequence[str], repeated: dict[str, int], rows: Sequence[Sequence[str]], where: str
) -> list[str]:
    """Number repeated names by position: the second `tone` is the tone of annotator 2. Refuse irregular repetition."""
    name = next(iter(repeated))
    inside = {cell.strip() for row in rows for cell in row}
    known = any(plain_name(cell) in _KNOWN or is_variable(cell) for cell in cells)
    if not inside.isdisjoint(repeated) or not (known or len(rows) >= _A_FEW):
        raise DataError(
            "header-row",
            f"{where}: column {quoted(name)} occurs twice in the header row; rename one, or use --no-header if the "
            "first row is data",
        )
    places = {name: [k for k, cell in enumerate(cells) if cell == name] for name in repeated}
    people = [name for name in repeated if is_person(name) and plain_name(name) not in _KNOWN]
    if people or len(set(repeated.values())) > 1:
        name = people[0] if people else min(repeated, key=lambda name: (repeated[name], places[name][0]))
        columns = " and ".join(str(k + 1) for k in places[name])
        raise DataError(
            "header-row",
            f"{where}: {quoted(name)} is the name of columns {columns}; rename these cells of the header row, e.g. "
            f"{quoted(f'{name}_1')} and {quoted(f'{name}_2')}",
        )
    again = next((name for name in repeated if plain_name(name) in {*ITEM, *DOC, *ANNOTATOR}), None)
    if again is not None and any(len({row[k].strip() for k in places[again]}) > 1 for row in rows):
        raise DataError(
            "header-row",
            f"{where}: {quoted(again)} is the name of columns {' and '.join(str(k + 1) for k in places[again])}, which "
            "differ, so these are tables side by side; save each of them as a file of its own",
        )
    numbered = list(cells)
    several = len(repeated) > (again is not None) + 1
    for name, positions in places.items():
        for number, k in enumerate(positions, 1):
            numbered[k] = f"{name}_annotator {number}" if several and name != again else f"{name} {number}"
    if again is not None:
        numbered[places[again][0]] = again
    return numbered


def header_in_two(rows: Sequence[Sequence[str]]) -> str | None:
    """Describe a header of two lines with merged cells in the first; None if the header has one line."""
    rows = [row for row in rows if row]
    if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows):
        return None
    first, second, *rest = ([cell.strip() for cell in row] for row in rows)
    for k in range(1, len(first)):
        column = {row[k] for row in rest} - {""}
        if first[k] or not second[k] or not column or second[k] in column or as_finite(second[k]) is not None:
            continue
        above = next((name for name in reversed(first[:k]) if name), None)
        if above is not None and second[k - 1]:
            return f"{above!r} above {second[k - 1]!r} and {second[k]!r}"
    return None


def _looks(cells: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Classify each filled cell of the first line by the cells below it."""
    labels = [set(column) for column in below]
    looks = []
    for k, cell in enumerate(cells):
        if cell.lower() in NOTHING or not below[k]:
            continue
        alike = (other for other in labels if cell in other and 2 * len(labels[k] & other) >= len(labels[k]))
        looks.append("again" if cell in labels[k] or any(alike) else _look(cell, below[k], labels[k]))
        if looks[-1] == "name":
            break
    return looks


def _look(cell: str, below: Sequence[str], column: set[str]) -> str:
    """Classify a cell that does not occur below: "alike" in form, "near" the numbers, "other", or a "name"."""
    number = as_finite(cell)
    numbers = [as_finite(other) for other in below]
    known = [n for n in numbers if n is not None]
    if len(known) == len(numbers):
        return "name" if number is None else _beside_numbers(number, known)
    if number is not None:
        return "other"
    distinct = len(column) > 0.9 * len(below) and len(column) > 2
    sentence = distinct and " " in cell and 2 * sum(" " in other for other in column) > len(column)
    if any(c.isdigit() for c in cell) and _same_make(cell, below):
        return "alike"
    return "name" if distinct and not sentence else "other"


def _beside_numbers(number: float, below: Sequence[float]) -> str:
    numbered = len(below) > 1 and _goes_on(number, below)
    if numbered or not number.is_integer():
        return "alike"
    return "near" if min(below) <= number <= max(below) else "other"


def _goes_on(first: float, then: Sequence[float]) -> bool:
    """Whether numbers continue by one: 1 above 2, 3, 4."""
    return all(b - a == 1 for a, b in zip([first, *then], then, strict=False))


def _same_make(cell: str, column: Sequence[str]) -> bool:
    """Whether a cell has the same form as those below: s1 above s2, s3, or identifiers of capitals and digits."""
    make = _make(cell)
    return 10 * sum(_make(other) == make for other in column) >= 9 * len(column)


def _make(text: str) -> str:
    return "id" if re.fullmatch(r"(?=.*\d)[A-Z0-9]{8,}", text) else re.sub(r"\d+", "9", text)


def _in_sequence(cells: Sequence[str]) -> bool:
    """Whether cells are typical names of columns: 1, 2, 3 or A, B, C."""
    if all(cell.isdecimal() for cell in cells):
        first = int(cells[0])
        return first in {0, 1} and [int(cell) for cell in cells] == list(range(first, first + len(cells)))
    if all(len(cell) == 1 and cell.isalpha() for cell in cells) and cells[0].lower() == "a":
        return [ord(cell) for cell in cells] == list(range(ord(cells[0]), ord(cells[0]) + len(cells)))
    return False


def _are_votes(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether three or more names are also labels elsewhere: annotators who choose each other, or data."""
    if len(cells) < 3 or any(as_finite(cell) is not None for cell in cells):
        return False
    elsewhere = sum(any(cell in other for j, other in enumerate(below) if j != k) for k, cell in enumerate(cells))
    return 2 * elsewhere >= len(cells)


def names_of_gamma_columns(rows: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """Return the names of columns if this is a table of γ software without header row, else None."""
    rows = [row for row in rows if row]
    return PYGAMMA if _is_pygamma(rows) else GAMMA if _is_gamma(rows) else None


def _is_gamma(rows: Sequence[Sequence[str]]) -> bool:
    """Whether these rows are id, annotator, category, an empty cell, start, end. One row is enough."""
    if not rows or any(len(row) != len(GAMMA) for row in rows):
        return False
    cells = [[cell.strip() for cell in row] for row in rows]
    starts, ends = ([as_finite(row[k]) for row in cells] for k in (4, 5))
    named = all(row[0] and row[1] and not row[3] for row in cells)
    ids = [row[0] for row in cells]
    return (
        named
        and len(set(ids)) == len(ids)
        and plain_name(ids[0]) not in _KNOWN
        and all(as_finite(row[1]) is None or as_finite(row[2]) is None for row in cells)
        and all(a is not None and b is not None and a <= b for a, b in zip(starts, ends, strict=True))
    )


def _is_pygamma(rows: Sequence[Sequence[str]]) -> bool:
    """Whether this is a table of pygamma-agreement without header row: annotator, label, start, end."""
    if len(rows) < 2 or any(len(row) != len(PYGAMMA) for row in rows):
        return False
    if plain_name(rows[0][0]) in {*ITEM, *ANNOTATOR, *DOC}:
        return False  # a wide table with annotators named 1, 2, 3
    again = len({row[0] for row in rows}) < len(rows)
    places = [(as_finite(row[2]), as_finite(row[3])) for row in rows]
    in_order = sum(start is not None and end is not None and start <= end for start, end in places)
    return again and None not in places[0] and 2 * in_order > len(rows) and not _are_codes(rows)


def _are_codes(rows: Sequence[Sequence[str]]) -> bool:
    """Whether four columns contain the same codes, so that they are ratings and not positions."""
    codes = {row[0].strip() for row in rows} | {row[1].strip() for row in rows}
    if any(as_finite(code) is None for code in codes if code):
        return False
    places = [cell.strip() for row in rows for cell in row[2:]]
    return 2 * sum(place in codes for place in places) > len(places)


def as_finite(cell: object) -> float | None:
    """Return a finite number, or None if the cell is not one."""
    try:
        number = float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


# -- Further header lines of survey tools --


@dataclass(frozen=True)
class HeaderLines:
    """The number of header lines below the first, and a description of them."""

    number: int = 0
    what: str = ""

    def note(self, name: str, first: int, line: str) -> str:
        """Return a note. `first` is the line of the header row."""
        lines = f"{line} {first + 1}" if self.number == 1 else f"{line}s {first + 1} and {first + 2}"
        return f"{name}: {lines} left out ({self.what})"


def header_lines(header: Sequence[str], rows: Sequence[Sequence[object]]) -> HeaderLines:
    """Recognise header lines: questions and import ids of Qualtrics, or text above columns of numbers."""
    for k, row in enumerate(rows[:2]):
        cells = [str(cell) for cell in row if cell not in {None, ""}]
        if cells and all(map(_IMPORT.match, cells)):
            what = "questions and import ids of Qualtrics" if k else "import ids of Qualtrics"
            return HeaderLines(k + 1, what)
    if not rows:
        return HeaderLines()
    if ("ResponseId", "Response ID") in zip(header, rows[0], strict=False):
        return HeaderLines(1, "questions of Qualtrics")
    if titles := _titles(header, rows):
        return HeaderLines(1, f"descriptions of columns of numbers: {', '.join(map(quoted, titles[:2]))} …")
    if {str(cell) for cell in rows[0] if cell not in {None, ""}} <= _SURVEY_MONKEY and "Respondent ID" in header:
        return HeaderLines(1, "types of answers of SurveyMonkey")
    return HeaderLines()


def _titles(header: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the text above columns that contain only numbers, if it cannot be labels."""
    first, *rest = rows
    rest = [row for row in rest if len(row) == len(header)]
    if len(rest) < 3 or len(first) != len(header) or any(as_finite(cell) is not None for cell in first):
        return []
    below = [[row[k] for row in rest if row[k] not in {None, ""}] for k in range(len(header))]
    numbers = [k for k, cells in enumerate(below) if cells and None not in map(as_finite, cells)]
    titles = [str(first[k] if first[k] is not None else "").strip() for k in range(len(header))]
    above = [titles[k] for k in numbers]
    if not above or any(not title or title.casefold() in LIKE_MISSING for title in above):
        return []
    if any(titles[k] and titles[k] in map(str, cells) for k, cells in enumerate(below)):
        return []  # a label or item that occurs again
    plain = len(set(above)) == len(above) and any(" " in title for title in above)
    return above if plain or not titles[0] or 0 in numbers else []

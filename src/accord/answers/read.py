"""`accord read`: how accord reads the data, without scoring them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from accord._version import __version__
from accord.answers import options
from accord.answers.question import question
from accord.answers.raw_tables import explicit_reading
from accord.core.context import Run, silent
from accord.core.errors import quoted
from accord.core.tables import Cell, Result, Table, plain, shown
from accord.data.door import opened_all
from accord.data.io.reading import READ_AS, READING, Reading
from accord.data.io.tables.sources import EXCEL_SUFFIXES
from accord.data.kinds import CHAINS, ITEMS, SEGMENTATIONS, TEXTS, UNITS
from accord.data.model.data import Data, Rectangle

WIDTH = 80  # of a terminal
_SHOWN = 5  # first items or units
_LONGEST = 24  # characters of a cell
_EACH = 3  # up to this many variables, each has its own table; more have a row each
_FIRST = {ITEMS.name: "items", TEXTS.name: "tokens", SEGMENTATIONS.name: "segmentations"}
# Options that correct the reading, by kind of data.
_FOR_ALL = ("--layout", "--format", "--missing", "--annotators-in")
_OPTIONS = {
    ITEMS.name: ("--item", "--annotator", "--label", "--columns", "--no-header"),
    UNITS.name: ("--doc", "--annotator", "--start", "--end", "--end-is-length", "--label", "--docs", "--judged"),
    SEGMENTATIONS.name: ("--doc", "--annotator"),
    CHAINS.name: ("--doc", "--annotator", "--label", "--judged"),
    TEXTS.name: ("--base", "--texts", "--label"),
}
_OF_FORMATS = ("--label", "--format", "--names", "--annotators-in", "--repair", "--missing", "--encoding")


@dataclass(frozen=True, repr=False)
class Understood(Result):
    """The data as accord read them, by variable."""

    subject: ClassVar[str] = "Data as accord read them"

    variables: Mapping[str, Data]
    paths: tuple[str, ...] = ()

    @property
    def options(self) -> list[str]:
        """Return the options that can correct the reading of these data."""
        kinds = dict.fromkeys(data.kind.name for data in self.variables.values())
        files = len(self.paths) > 1 or any(Path(path).is_dir() for path in self.paths)
        books = any(Path(path).suffix.lower() in EXCEL_SUFFIXES for path in self.paths)
        if any(note.startswith(READ_AS) for data in self.variables.values() for note in data.notes):
            return list(_OF_FORMATS)
        own = (option for name in kinds for option in _OPTIONS.get(name, ()))
        return list(dict.fromkeys([*own, *_FOR_ALL, *["--names"] * files, *["--sheet"] * books]))

    def as_reading(self, reading: Reading) -> dict[str, Any]:
        """Return the reading as the file of `--save-reading` has it."""
        options = explicit_reading(self.paths, self.variables, reading)
        return {"accord": __version__, "reading": {name: options[name] for name in READING if name in options}}

    def summary(self) -> str:
        return "; ".join(f"{name}: {data.about()[0]}" for name, data in self.variables.items())

    def tables(self) -> list[Table]:
        if len(self.variables) > _EACH:
            return _rows_of(self.variables)
        return [table for variable, data in self.variables.items() for table in _tables(variable, data)]

    def closing(self) -> list[str]:
        return ["", f"If this is wrong, try: {', '.join(self.options)}."]

    def to_dict(self) -> dict[str, Any]:
        found = {name: _as_dict(data) for name, data in self.variables.items()}
        return plain({"variables": found, "options": self.options})

    def flat(self) -> Table:
        rows = ((variable, *fact) for variable, data in self.variables.items() for fact in _facts(data))
        return Table("", ("variable", "what", "fact"), tuple(rows))


def _as_dict(data: Data) -> dict[str, Any]:
    columns, rows = data.first(_SHOWN)
    return {"kind": data.kind.plural, **data.summary(), "first": {"columns": columns, "rows": rows}}


def _facts(data: Data) -> tuple[tuple[str, str], ...]:
    left_out = (("left out", line.partition(": ")[2]) for line in data.about()[1:] if line.startswith("left out"))
    return (*data.described(), *left_out, *(("note", note) for note in data.notes), ("digest", data.digest))


def _rows_of(variables: Mapping[str, Data]) -> list[Table]:
    """Return the facts that many variables share, and a row for each variable."""
    facts = {name: (("data", data.kind.title), *_facts(data)) for name, data in variables.items()}
    first, *others = facts.values()
    common = tuple(fact for fact in first if all(fact in each for each in others))
    own = {name: [fact for fact in each if fact not in common] for name, each in facts.items()}
    columns = tuple(dict.fromkeys(what for each in own.values() for what, _ in each))
    rows = tuple(
        (name, *("; ".join(fact for what, fact in each if what == column) for column in columns))
        for name, each in own.items()
    )
    hint = "to see the first items of a variable, add --label VARIABLE"
    return [
        Table(f"{len(variables)} variables", ("", ""), common),
        Table("each variable", ("variable", *columns), rows, (hint,), least=("digest",)),
    ]


def _tables(variable: str, data: Data) -> list[Table]:
    """Return facts, and the first items as accord read them."""
    return [
        Table(f"{variable}: {data.kind.title}", ("", ""), _facts(data)),
        Table(f"first {_FIRST.get(data.kind.name, data.kind.things)}", *_fitting(data.first(_SHOWN))),
    ]


def _fitting(first: Rectangle) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return the columns that fit the terminal, with long cells shortened."""
    columns, rows = [_cut(name) for name in first[0]], [[_cut(shown(cell)) for cell in row] for row in first[1]]
    width, most = 0, 0
    for k, name in enumerate(columns):
        width += max(len(cell) for cell in (name, *(row[k] for row in rows))) + 3
        if width > WIDTH + 3 - (4 if k + 1 < len(columns) else 0):
            break
        most = k + 1
    more = ("…",) if most < len(columns) else ()
    return (*columns[:most], *more), tuple((*row[:most], *more) for row in rows)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def in_a_line(data: Data) -> str:
    """Return the annotators and the first item or unit on one line."""
    who = _some(data.present) if data.identified else "annotators not identified"
    columns, rows = data.first(1)
    if not rows:
        return who
    cells = [_cut(shown(cell)) for cell in rows[0]]
    if data.kind is ITEMS:
        found = f"{cells[0]} {_some([cell or '–' for cell in cells[1:]], 8)}"
    else:
        if columns[-1] == "text" and cells[-1]:
            cells[-1] = quoted(cells[-1])
        place = ["–".join(cells[2:4]), *cells[4:]] if columns[2:4] == ("start", "end") else cells[2:]
        found = f"{cells[0]} by {cells[1]}: {' '.join(place)}"
    line = f"{who}; first: {found}"
    return line if len(line) < WIDTH - 2 else f"{line[: WIDTH - 3]}…"


def _some(names: Sequence[str], most: int = 4) -> str:
    cut = [_cut(name) for name in names[:most]]
    return ", ".join(cut) + (" …" if len(names) > most else "")


@question("ratings.csv", python_name="read_all")
def read(
    data: options.Data, *, progress: options.Progress = None, jobs: options.Jobs = None, **reading: Any
) -> Understood:
    """Show how accord reads the data, without scoring them.

    In Python, `accord.read` and `accord.read_all` return the data.
    """
    run = Run(0, progress or silent, jobs)
    return Understood(opened_all(data, reading, run=run), options.paths_in(data))

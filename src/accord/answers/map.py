"""`accord map`: the columns of tables with their roles, and what happens if the user changes a role."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from accord._version import __version__
from accord.answers import options
from accord.answers.levels import level_in_words
from accord.answers.question import question
from accord.answers.raw_tables import explicit_reading
from accord.core.context import Run, silent
from accord.core.errors import AccordError, DataError, SpecError, counted, for_interface, suggestions
from accord.core.tables import Result, Table, plain
from accord.data.door import is_data, opened_all
from accord.data.io import map_tables
from accord.data.io.reading import READING, ROLES, Reading, as_tuple
from accord.data.io.tables.column_map import ColumnMap
from accord.data.model.data import Data

_GUESSED = "as guessed"
_LONGEST = 24  # characters of the examples on the screen
_MOST_WAYS = 6
_REPEATABLE = ("label", "role", "missing")


@dataclass(frozen=True)
class Effect:
    """What accord reads, or why it needs an option."""

    name: str
    variables: Mapping[str, Data] | None
    refusal: str = ""
    code: str = ""
    ways: tuple[tuple[str, dict[str, Any]], ...] = ()  # options that the refusal suggests

    def as_dict(self) -> dict[str, Any]:
        read = {name: data.summary() for name, data in (self.variables or {}).items()}
        refused = None if self.variables is not None else {"code": self.code, "message": self.refusal}
        return {"reading": self.name, "variables": read, "refusal": refused}


@dataclass(frozen=True, repr=False)
class MappedTables(Result):
    """Tables with the role of each column, and what accord reads.

    `before` is the reading without --role. `ways` are the readings that a refusal suggests.
    """

    subject: ClassVar[str] = "Columns and their roles"

    maps: tuple[ColumnMap, ...]
    effect: Effect
    before: Effect | None = None
    ways: tuple[Effect, ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether accord reads the tables without another option."""
        return self.effect.variables is not None

    @property
    def effects(self) -> list[Effect]:
        return [*([self.before] if self.before is not None else []), self.effect, *self.ways]

    def as_reading(self, reading: Reading) -> dict[str, Any]:
        """Return the reading as the file of `--save-reading` has it."""
        if self.effect.variables is None:
            raise DataError(
                "roles-unclear",
                f"the reading cannot be saved, because the roles are not settled: {self.effect.refusal}",
            )
        stated = explicit_reading(self.paths, self.effect.variables, reading, self.maps)
        return {"accord": __version__, "reading": {name: stated[name] for name in READING if name in stated}}

    def summary(self) -> str:
        tables = (f"{one.path}: {counted(len(one.columns), 'column')}" for one in self.maps)
        return "; ".join([*tables, *(f"{variable} {text}".strip() for variable, text in _read_as(self.effect))])

    def tables(self) -> list[Table]:
        return [*(_columns_table(one, n) for one, n in _alike(self.maps)), _effect_table(self.effects)]

    def closing(self) -> list[str]:
        shown = [
            "",
            for_interface(
                "Change a role with --role COLUMN=ROLE (repeatable). Write several columns that name the item together "
                "as COLUMN+COLUMN=item."
            ),
            f"Roles: {', '.join(ROLES)}.",
        ]
        if not self.is_settled:
            return ["", f"accord needs an option: {self.effect.refusal}", *shown]
        return [
            *shown,
            for_interface("Save this reading with --save-reading FILE; every command reads it with --reading FILE."),
        ]

    def to_dict(self) -> dict[str, Any]:
        return plain({
            "tables": [_as_dict(one) for one in self.maps],
            "effects": [effect.as_dict() for effect in self.effects],
            "settled": self.is_settled,
            "roles": list(ROLES),
        })  # fmt: skip

    def flat(self) -> Table:
        rows = (
            (one.path, column.name, column.role.role, column.role.confidence, column.role.reason, column.filled,
             column.distinct, " | ".join(column.examples))
            for one in self.maps for column in one.columns
        )  # fmt: skip
        names = ("table", "column", "role", "confidence", "reason", "filled", "distinct", "examples")
        return Table("", names, tuple(rows))


def _as_dict(one: ColumnMap) -> dict[str, Any]:
    columns = [
        {
            "name": column.name,
            "role": column.role.role,
            "confidence": column.role.confidence,
            "reason": column.role.reason,
            "filled": column.filled,
            "distinct": column.distinct,
            "examples": list(column.examples),
        }
        for column in one.columns
    ]
    refusal = None if one.refusal is None else {"code": one.refusal.code, "message": str(one.refusal)}
    return {"path": one.path, "rows": one.rows, "columns": columns, "options": dict(one.options), "refusal": refusal}


def _alike(maps: Sequence[ColumnMap]) -> list[tuple[ColumnMap, int]]:
    """Return the first of tables with the same columns and roles, and the number of such tables."""
    groups: dict[tuple[tuple[str, str], ...], list[ColumnMap]] = {}
    for one in maps:
        groups.setdefault(tuple((column.name, column.role.role) for column in one.columns), []).append(one)
    return [(group[0], len(group)) for group in groups.values()]


def _columns_table(one: ColumnMap, n: int) -> Table:
    rows = tuple(
        (column.name, column.role.role, column.role.confidence, _cut(" | ".join(column.examples)), column.role.reason)
        for column in one.columns
    )
    more = (f"{counted(n - 1, 'more table')} with the same columns and roles",) if n > 1 else ()
    names = ("column", "role", "confidence", "examples", "reason")
    return Table(f"{one.path}: {counted(one.rows, 'row')}", names, rows, more, least=("confidence",))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _effect_table(effects: Sequence[Effect]) -> Table:
    rows = tuple(
        (effect.name if len(effects) > 1 else "", variable, text)
        for effect in effects
        for variable, text in _read_as(effect)
    )
    table = Table("what accord reads", ("reading", "variable", "data"), rows)
    return table if len(effects) > 1 else table.only_columns([1, 2])


def _read_as(effect: Effect) -> list[tuple[str, str]]:
    if effect.variables is None:
        return [("", "nothing: an option is needed")]
    return [
        (name, "; ".join(filter(None, (data.about()[0], level_in_words(data)))))
        for name, data in effect.variables.items()
    ]


def _effect(name: str, data: Any, reading: Mapping[str, Any], run: Run) -> Effect:
    try:
        with warnings.catch_warnings(action="ignore"):  # the notes are in the answer of `accord read`
            return Effect(name, opened_all(data, reading, run=run))
    except AccordError as error:
        return Effect(name, None, str(error), error.code, suggested_options(error))


def suggested_options(refusal: AccordError) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the options that a refusal suggests, as typed and as a reading."""
    return tuple(_readings_of(suggestions(str(refusal.args[1]))))


def try_suggestions(
    ways: Sequence[tuple[str, dict[str, Any]]], data: Any, reading: Mapping[str, Any], run: Run
) -> Iterator[tuple[dict[str, Any], Effect]]:
    """Yield the reading with each suggestion and its effect, without suggestions with which accord cannot read."""
    for typed, way in ways[:_MOST_WAYS]:
        options = _with(reading, way)
        effect = _effect(typed, data, options, run)
        if effect.variables is not None:
            yield options, effect


def _readings_of(groups: Sequence[Sequence[tuple[str, str]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the options that a message suggests, as typed and as a reading."""
    for group in groups:
        made: dict[str, Any] = {}
        for flag, value in group:
            name = flag.removeprefix("--").replace("-", "_")
            made[name] = (*made.get(name, ()), value) if name in _REPEATABLE else value or True
        if made.keys() <= READING.keys():
            yield " ".join(f"{flag} {shlex.quote(value)}" if value else flag for flag, value in group), made


@question("ratings.csv", "ratings.csv --role comment=ignore --save-reading reading.toml")
def map(  # noqa: A001 - the name of the command
    data: options.Data, *, progress: options.Progress = None, jobs: options.Jobs = None, **reading: Any
) -> MappedTables:
    """Show the columns of a table with their roles and the reasons, and change roles.

    Returns
    -------
    MappedTables
        `maps` has the columns of each table, `effects` the data that accord reads with these roles.

    Examples
    --------
    >>> rows = {"id": [1, 1, 2, 2], "coder": ["Ana", "Ben"] * 2, "tone": ["x", "y", "x", "x"]}
    >>> [(column.name, column.role.role) for column in accord.map(rows).maps[0].columns]
    [('id', 'item'), ('coder', 'annotator'), ('tone', 'label')]
    """
    if is_data(data):
        raise SpecError("option-not-for-data", "the data are already read; give the table or its path to accord.map")
    run = Run(0, progress or silent, jobs)
    maps, how = map_tables(data, reading, run)
    if not maps:
        raise DataError(
            "option-not-for-data",
            "these are files of an annotation tool or texts, and their format states the roles; use accord read",
        )
    effect = _effect(for_interface("with --role") if how.role else _GUESSED, data, reading, run)
    before = _effect(_GUESSED, data, {**reading, "role": ()}, run) if how.role else None
    ways = tuple(tried for _, tried in try_suggestions(effect.ways, data, reading, run))
    return MappedTables(tuple(maps), effect, before, ways, options.paths_in(data))


def _with(reading: Mapping[str, Any], way: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reading with further options; a suggested role is added to those given."""
    roles = (*as_tuple("role", reading.get("role")), *way.get("role", ()))
    return {**reading, **way, **({"role": roles} if roles else {})}

"""A table of labels while rules give its columns their roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from accord.core.errors import UnknownName
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, without_blank
from accord.data.io.tables.evidence import Profile, profiles_of
from accord.data.io.tables.roles import ANNOTATOR, ColumnRole, Roles, first_of, in_full
from accord.data.io.tables.sources import Source
from accord.data.io.tables.variables import Grid


@dataclass
class Assignment:
    """A table of labels, and the roles that rules have assigned so far."""

    source: Source
    how: Reading
    needed: Sequence[str]  # columns that --by, --keep or --only use
    several: bool  # there are several tables, and each may be one annotator
    layout: str | None = None
    settled: bool = False  # no further rule applies
    item: str | None = None
    annotator: str | None = None
    labels: tuple[str, ...] = ()  # long: variables; wide: annotators; rows: items
    candidates: tuple[str, ...] = ()  # wide: the columns that may be annotators by their names
    identifiers: Sequence[str] = ()  # wide: columns with the names of rows
    computed: Mapping[str, str] = field(default_factory=dict)  # wide: columns computed from others, with a description
    aside_by_name: tuple[str, ...] = ()
    aside_by_value: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    grid: Grid | None = None
    anonymous: bool = False  # long: no column names the annotators
    key: tuple[str, ...] = ()  # long: the columns that name the items together
    namers: tuple[str, ...] = ()  # wide: for each column of labels, the column that names its annotator
    known: dict[str, ColumnRole] = field(default_factory=dict)

    def give(self, role: str, reason: str, *names: str | None, confidence: str = "likely") -> None:
        """Record the role of columns, for `accord map`."""
        for name in names:
            if name is not None:
                self.known[name] = ColumnRole(role, reason, confidence)

    @cached_property
    def header(self) -> tuple[str, ...]:
        return self.source.header

    @property
    def where(self) -> str:
        return self.source.name

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """Names in --label that are not columns: variables of a grid that a later rule finds."""
        return () if set(self.how.label) & set(self.header) else self.how.label

    @cached_property
    def label_columns(self) -> tuple[str, ...]:
        return () if self.variables else self.how.label

    @cached_property
    def free(self) -> list[str]:
        """The columns that --label does not name."""
        return [name for name in self.header if name not in self.label_columns]

    @property
    def declared_layout(self) -> str | None:
        return "wide" if self.how.annotators_in in {"rows", "columns"} else self.how.layout

    @property
    def is_declared(self) -> bool:
        return bool(self.how.layout or self.how.annotators_in)

    @property
    def in_columns(self) -> bool:
        """Whether the user declared that each column is an annotator."""
        return self.how.annotators_in == "columns"

    @property
    def names_no_annotator(self) -> bool:
        """Whether no option and no name identifies the column of annotators."""
        return self.how.annotator is None and first_of(self.header, ANNOTATOR) is None

    @property
    def has_rows(self) -> bool:
        """Whether values can be examined. Tables in databases have only names of columns."""
        return not getattr(self.source, "header_only", False)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All columns, without blank rows."""
        return without_blank(*self.source.load(self.header))[0]

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        return profiles_of(self.columns)

    def profiled(self, names: Sequence[str]) -> list[Profile]:
        return [self.profiles[name] for name in names]

    def options_naming(self, names: Sequence[str], option: str = "--annotators-in columns") -> str:
        """Return the options that read these columns as annotators. They name them if there are others."""
        others = [name for name in self.header if name not in names and name != self.item]
        return option + ("".join(f" --label {in_full(name)}" for name in names) if others else "")

    @property
    def annotators(self) -> list[str]:
        """Wide: the columns of annotators. In a grid, only columns that belong to it."""
        return list(self.labels) if self.grid is None else [name for of in self.grid.values() for name in of.values()]

    def roles(self) -> Roles:
        """Return the roles that the rules found."""
        wanted = self.how.label if self.how.columns is not None else self.variables
        for name in wanted:
            if self.grid is None or name not in self.grid:
                raise UnknownName("label column", name, self.grid or self.header)
        grid = {name: self.grid[name] for name in wanted} if wanted and self.grid else self.grid
        aside = (*self.aside_by_name, *self.aside_by_value)
        notes = (*self.notes, f"columns not read as annotators: {', '.join(aside)}") if aside else tuple(self.notes)
        return Roles(
            self.layout or "",
            self.item,
            self.annotator,
            self.labels,
            notes,
            grid,
            self.anonymous,
            self.key,
            self.namers,
            dict(self.known),
        )


@dataclass(frozen=True)
class Rule:
    """One step: its layouts, its evidence, its outcome and the reason."""

    layouts: tuple[str | None, ...]
    looks_at: str
    gives: str
    reason: str
    apply: Callable[[Assignment], None]


def rule(*layouts: str | None, looks_at: str, gives: str) -> Callable[[Callable[[Assignment], None]], Rule]:
    """Make a function a rule. Its docstring is the reason."""

    def make(apply: Callable[[Assignment], None]) -> Rule:
        return Rule(layouts, looks_at, gives, apply.__doc__ or "", apply)

    return make

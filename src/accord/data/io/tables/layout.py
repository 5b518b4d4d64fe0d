"""The role of each column in a table of labels, found by one ordered list of rules.

`roles_of` applies the rules below from first to last. Each rule names its evidence and its outcome; its docstring is
the reason. A rule assigns a role, leaves columns out, adds a note, or refuses the table and names the options that
resolve the question. If the evidence is ambiguous, accord does not guess. A rule applies to tables to which earlier
rules gave one of its layouts (None: no layout yet).

- long: one row per item and annotator, with columns for both and for the labels.
- wide: one row per item and one column per annotator; several variables form a grid of annotators and variables.
- rows: one row per annotator and one column per item.

roles.py lists the known names of columns, evidence.py examines values, variables.py finds grids, counts.py recognises
counts per category, header.py header rows, and exports.py exports of survey tools.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, permutations

import numpy as np

from accord.core.errors import DataError, UnknownName, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, without_blank
from accord.data.io.tables.counts import first_is_distinct, refuse_confusion, refuse_counts
from accord.data.io.tables.evidence import (
    SHARED,
    Profile,
    agreement_of,
    coded_together,
    comes_once,
    computed_columns,
    down_and_across,
    groups_alike,
    pairs_once,
    pooled_share,
    profiles_of,
    settles,
    tell_the_same,
    unevenness,
)
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    COULD_BE_ANNOTATORS,
    DOC,
    ITEM,
    LABEL,
    NO_VARIABLES,
    ROW_NAMES,
    START,
    Roles,
    annotator_columns,
    calls_an_annotator,
    end_of,
    first_of,
    holds_units,
    is_called,
    is_no_name,
    is_person,
    is_variable,
    listed,
    plain_name,
    respondent_of,
)
from accord.data.io.tables.sources import Source
from accord.data.io.tables.variables import Grid, grid_by_pattern, of_named_annotators, recognise_grid
from accord.data.model.data import Fact
from accord.data.model.labels import label_name

_MOST_COLUMNS = 1000  # more columns are not compared with each other
_A_FEW = 6  # fewer rows show no pattern
_ENOUGH = 20  # rows needed to see whether an annotator uses the labels of others
MANY_ITEMS, MANY_BY_ROW = 10, 2.5  # from this number of columns, and columns per row, columns may be items
_AGREE = 0.3  # agreement that shows on which side of a table the items are
_AT_ALL, _NEARLY_ALL = 0.1, 0.9
_FEW_COLUMNS, _MOST_ROWS = 8, 100_000  # largest table that is searched for computed columns
_SHOW_AGREEMENT = 10  # rows needed to judge agreement
_HARDLY, _CLEARLY = 0.2, 0.4  # chance-corrected agreement
_ENTRY = re.compile(r".+--[12]")
_LABEL_PREFIXES = ("label_", "rating_", "score_", "category_", "answer.")
_DOCUMENTS = ("doc", "document", "doc_id", "file", "filename")


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

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All columns, without blank rows."""
        return without_blank(*self.source.load(self.header))[0]

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        return profiles_of(self.columns)

    def profiled(self, names: Sequence[str]) -> list[Profile]:
        return [self.profiles[name] for name in names]

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
        return Roles(self.layout or "", self.item, self.annotator, self.labels, notes, grid)


@dataclass(frozen=True)
class Rule:
    """One step: its layouts, its evidence, its outcome and the reason."""

    layouts: tuple[str | None, ...]
    looks_at: str
    gives: str
    reason: str
    apply: Callable[[Assignment], None]


RULES: list[Rule] = []
_Step = Callable[[Assignment], None]


def _rule(*layouts: str | None, looks_at: str, gives: str) -> Callable[[_Step], _Step]:
    """Add a function to the rules. Its docstring is the reason."""

    def add(apply: _Step) -> _Step:
        RULES.append(Rule(layouts, looks_at, gives, apply.__doc__ or "", apply))
        return apply

    return add


def roles_of(source: Source, how: Reading, needed: Sequence[str], several: bool) -> Roles:
    """Return the role of each column by applying the rules in order."""
    table = Assignment(source, how, needed, several)
    for rule in RULES:
        if table.layout in rule.layouts and not table.settled:
            rule.apply(table)
    return table.roles()


# -- Options and names of columns --


@_rule(None, looks_at="the first line", gives="a refusal")
def _refuse_unclear_header(table: Assignment) -> None:
    """If the first line may be a header row or data, the names of columns are unknown."""
    how = table.how
    if getattr(table.source, "unclear", False) and not (how.label or how.item or how.annotator or how.annotators_in):
        raise DataError(
            "header-row",
            f"{table.where}:1: the first row may be data or names of columns ({listed(table.header)}); use "
            "--no-header if it is data, or --annotators-in columns if these are names of annotators",
        )


@_rule(None, looks_at="--columns", gives="a grid of annotators and variables; the item")
def _read_pattern(table: Assignment) -> None:
    """The user gives the pattern of names in a wide table with several variables. The item is found by its name;
    otherwise it is the first column without repeated values.
    """
    how, header = table.how, table.header
    if how.columns is None:
        return
    table.grid = grid_by_pattern(
        how.columns, [h for h in header if h != how.item and h not in table.needed], table.where
    )
    table.layout, table.settled = "wide", True
    table.labels = tuple(table.annotators)
    taken = set(table.labels)
    rest = [h for h in header if h not in taken]
    if how.item is not None and how.item not in header:
        raise UnknownName("item column", how.item, header)
    never_twice = (h for h in rest if Profile(h, table.source.load([h])[0][h]).never_twice)
    table.item = how.item or first_of(rest, ITEM) or next(never_twice, None)
    table.aside_by_name = tuple(h for h in rest if h != table.item)


@_rule(None, looks_at="every row", gives="a refusal")
def _refuse_broken_rows(table: Assignment) -> None:
    """A row with too few or too many cells must be corrected first."""
    if table.names_no_annotator:
        _ = table.columns  # loading refuses them


@_rule(None, looks_at="--item, --annotator, --label", gives="item, annotator, label")
def _take_named_columns(table: Assignment) -> None:
    """The user names the columns. accord refuses a name that is not a column."""
    table.item, table.annotator = table.how.item, table.how.annotator
    said = (("item", table.item), ("annotator", table.annotator), *(("label", name) for name in table.label_columns))
    for role, name in said:
        if name is not None and name not in table.header:
            raise UnknownName(f"{role} column", name, table.header)


@_rule(None, looks_at="names", gives="the annotator")
def _find_annotator(table: Assignment) -> None:
    """A column named annotator, rater or coder gives the annotator of each row. A column named expert or model may also
    be one annotator of a wide table, so a column named label must be present too.
    """
    if table.annotator is not None or table.declared_layout == "wide":
        return
    table.annotator = first_of(table.free, ANNOTATOR)
    unsure = table.annotator is not None and is_called(table.annotator, COULD_BE_ANNOTATORS)
    if unsure and table.declared_layout is None and not (table.label_columns or first_of(table.free, LABEL)):
        table.annotator = None


@_rule(None, looks_at="names", gives="the item")
def _find_item(table: Assignment) -> None:
    """A column named item, id or sentence gives the item. If there is a column pre, post is a time and not an item."""
    times = first_of(table.free, ("pre",)) is not None
    others = [h for h in table.free if h != table.annotator and not (times and is_called(h, ("post",)))]
    table.item = table.item or first_of(others, ITEM)


@_rule(None, looks_at="several files; names", gives="long: the annotator is the file")
def _take_file_as_annotator(table: Assignment) -> None:
    """Several files with an item and one label column each, but no annotator, are one annotator each."""
    if not table.several or table.annotator is not None or table.declared_layout == "wide" or table.item is None:
        return
    rest = [h for h in table.free if h != table.item and h not in table.needed and not is_called(h, ASIDE)]
    labels = table.label_columns or tuple(h for h in rest if is_called(h, LABEL))
    if labels or len(rest) == 1:
        table.layout, table.labels = "long", labels or tuple(rest)
        table.notes.append("each file is one annotator, named after the file")


@_rule(None, looks_at="a column of annotators; names", gives="long, with the document as the item; or rows")
def _take_long(table: Assignment) -> None:
    """If a column names annotators, each row is a label. Without an item, the document is the item. If no column is
    named label, the columns may be items, with one row per annotator.
    """
    if table.annotator is None:
        return
    table.layout = "long"
    if table.item is not None:
        return
    taken = {table.annotator, *table.label_columns}
    rest = [h for h in table.header if h not in taken and not is_called(h, LABEL)]
    table.item = next((h for h in rest if is_called(h, _DOCUMENTS)), None)
    if table.item is not None:
        return
    fewest = 1 if table.how.annotators_in == "rows" else 3
    if table.label_columns or len(rest) < fewest or len(rest) + 1 < len(table.header):
        columns = listed(table.header)
        raise DataError(
            "column-missing",
            f"{table.where}: no column names the item; use --item COLUMN (columns: {columns})",
        )
    table.layout, table.item, table.annotator = "rows", table.annotator, None
    table.labels = tuple(h for h in rest if not is_called(h, ASIDE))


@_rule("long", looks_at="names", gives="labels")
def _find_labels(table: Assignment) -> None:
    """Columns named label or label_topic contain labels. If there is none, each column without another role may. A
    column genre is not a label if there is a column label; with tone and topic it may be a variable.
    """
    if table.annotator is None:
        return  # the file is the annotator, and its labels are known
    others = [h for h in table.header if h not in {table.item, table.annotator}]
    named = tuple(h for h in others if is_called(h, LABEL) or plain_name(h).startswith(_LABEL_PREFIXES))
    every = tuple(h for h in others if not is_called(h, ASIDE) and h not in table.needed)
    table.labels = labels = table.label_columns or named or every
    if not labels:
        columns = listed(table.header)
        raise DataError(
            "column-missing",
            f"{table.where}: no column contains labels; use --label COLUMN (columns: {columns})",
        )
    if table.label_columns:
        return
    several = len(labels) > 1
    if several:
        listed_labels = ", ".join(labels)
        table.notes.append(Fact(f"{len(labels)} label columns, each scored: {listed_labels} (select with --label)"))
    taken = {*labels, *table.needed}
    beside = [h for h in others if h not in taken and (several or not (is_called(h, ASIDE) or is_called(h, DOC)))]
    if beside:
        them = "it" if len(beside) == 1 else "them"
        note = f"columns not scored: {listed(beside)}; use --label or --by to include {them}"
        table.notes.append(Fact(note))


@_rule(None, looks_at="--layout long", gives="a refusal")
def _refuse_long_without_annotator(table: Assignment) -> None:
    """A long table needs a column of annotators."""
    if table.declared_layout == "long":
        columns = listed(table.header)
        raise DataError(
            "column-missing",
            f"{table.where}: no column names the annotator; use --annotator COLUMN, or --layout wide if each column is "
            f"an annotator (columns: {columns})",
        )


@_rule(None, looks_at="names", gives="a refusal")
def _refuse_respondents(table: Assignment) -> None:
    """In answers to a form, rows are respondents, who may be annotators or items."""
    name = respondent_of(table.header, table.item)
    if name is not None and not table.label_columns:
        raise DataError(
            "roles-unclear",
            f"{table.where}: column {name!r} names respondents; use --annotators-in rows --annotator {name!r} if each "
            f"row is an annotator and columns are items, or --item {name!r} if each row is an item",
        )


@_rule(None, looks_at="names", gives="wide: a column per annotator")
def _take_wide(table: Assignment) -> None:
    """Without a column of annotators, each column is an annotator, unless its name means something else: a
    description, a comment, a consensus, or start and end of a segment that all annotators labelled.
    """
    header = table.header
    table.layout = "wide"
    table.labels = table.label_columns or annotator_columns(header, table.item, table.needed)
    if holds_units(header) and not table.label_columns:
        segment = first_of(header, START), end_of(header)
        table.labels = tuple(h for h in table.labels if h not in segment)
        note = "each row is read as an item: a segment that all annotators labelled (use --layout units if not)"
        table.notes.append(note)
    if not table.label_columns:
        taken = {table.item, *table.labels}
        table.aside_by_name = tuple(h for h in header if h not in taken)
    if len(table.labels) < 2:
        raise DataError(
            "roles-unclear",
            f"{table.where}: the table has neither the columns item, annotator and label nor one column per annotator; "
            f"name the columns with --item COLUMN --annotator COLUMN --label COLUMN (columns: {listed(header)})",
        )


# -- Values, if no column names the annotators --


@_rule("wide", looks_at="names of rows and columns; numbers", gives="a refusal")
def _refuse_confusion(table: Assignment) -> None:
    """Numbers in rows and columns of the same names are a confusion matrix or ratings."""
    if table.names_no_annotator and not (table.how.label or table.is_declared):
        refuse_confusion(table.header, table.columns, table.where)


@_rule("wide", looks_at="--label; the first column", gives="the item")
def _take_named_annotators(table: Assignment) -> None:
    """The user named the annotators. The first column names the items if its values never repeat and the next column
    has none of them.
    """
    first = table.header[0]
    if not table.label_columns:
        return
    table.settled = True
    if table.item is None and first_is_distinct(table.source) and first not in table.labels:
        table.item = first
        table.notes.append(_taken_as_item(first))


@_rule("wide", "rows", looks_at="the first columns of more than 1,000", gives="the item")
def _look_at_first_of_many(table: Assignment) -> None:
    """More than 1,000 columns are not compared with each other, because that takes too long."""
    if len(table.labels) <= _MOST_COLUMNS:
        return
    table.settled = True
    first, *others = table.profiled(table.labels[:_ENOUGH])
    if table.item is None and _identifies(first, others, first=True):
        table.item, table.labels = first.name, table.labels[1:]
        table.notes.append(_taken_as_item(first.name, _why(first)))


@_rule("wide", "rows", looks_at="--annotators-in rows; a column of annotators", gives="rows: the annotator")
def _take_rows(table: Assignment) -> None:
    """One column names the annotators, each once. Columns describe the annotators if most of them share no labels with
    others.
    """
    if table.how.annotators_in != "rows" and table.layout != "rows":
        return
    names = table.how.annotator or table.item or first_of(table.labels, ANNOTATOR)
    if names is None:
        first, *others = table.profiled(table.labels)
        alike = max((first.likeness(other) for other in others), default=1.0)
        names = first.name if first.never_twice and alike == 0 else None
    items = tuple(name for name in table.labels if name != names)
    if names is not None and not table.profiles[names].never_twice:
        by = table.columns[names]
        repeated = [name for name in items if not table.profiles[name].never_twice]
        rated = next((name for name in repeated if comes_once(table.columns[name], by)), None)
        use = f"use --annotator {quoted(names)} --item"
        fix = f"if {quoted(rated)} names what was rated, {use} {quoted(rated)}" if rated else f"{use} COLUMN"
        without = " without --annotators-in rows" if table.how.annotators_in else ""
        raise DataError(
            "roles-unclear", f"{table.where}: column {quoted(names)} has several rows per annotator; {fix}{without}"
        )
    known = table.profiled(items)
    alien = [a for a in known if pooled_share([a], [b for b in known if b is not a]) < 1]
    if table.how.annotators_in is None and 2 * len(alien) > len(items):
        raise DataError(
            "column-missing",
            f"{table.where}: no column names the item; use --item COLUMN (columns: {listed(items)})",
        )
    table.layout, table.item, table.labels, table.settled = "rows", names, items, True


@_rule("wide", looks_at="how often values of three columns repeat", gives="long: annotator, item, label")
def _find_long_in_three_columns(table: Assignment) -> None:
    """If each pair of values of two columns occurs once and each value often, each row is a label. The annotators are
    the column with fewer values, more variable numbers of rows, and names of annotators.
    """
    names = [*((table.item,) if table.item else ()), *table.labels]
    if table.how.layout is not None or len(names) != 3:
        return
    columns = table.profiled(names)
    if len(columns[0].column.codes) < _A_FEW or any(profile.never_twice for profile in columns):
        return
    labels = [
        label
        for annotator, item, label in permutations(columns, 3)
        if annotator.name < item.name and _are_entries(annotator, item, label) and label.name != table.item
    ]
    if len(labels) != 1:
        return
    label = quoted(labels[0].name)
    annotator, item = (profile for profile in columns if profile is not labels[0])
    if table.item is not None:
        annotator, item = (annotator, item) if item.name == table.item else (item, annotator)
    else:
        signs = _more_like_annotators(annotator, item)
        if signs == 0:
            raise DataError(
                "roles-unclear",
                f"{table.where}: each row is a label, but {quoted(annotator.name)} or {quoted(item.name)} may be the "
                f"annotator; use --annotator {quoted(annotator.name)} --item {quoted(item.name)} --label {label}, or "
                f"--annotator {quoted(item.name)} --item {quoted(annotator.name)} --label {label}",
            )
        annotator, item = (annotator, item) if signs > 0 else (item, annotator)
    note = (
        f"each row is a label: {quoted(annotator.name)} is read as the annotator, {quoted(item.name)} as the item, "
        f"{label} as the label (change with --annotator, --item, --label)"
    )
    table.layout, table.item, table.annotator, table.labels = "long", item.name, annotator.name, (labels[0].name,)
    table.notes, table.aside_by_name = [note], ()


def _are_entries(annotator: Profile, item: Profile, label: Profile) -> bool:
    """Whether pairs of annotator and item occur once, both values often, and neither shares labels with the third."""
    n = len(annotator.column.codes)
    if 3 * annotator.distinct > 2 * n or 3 * item.distinct > 2 * n or label.measured:
        return False
    if any(min(label.share_in(profile), profile.share_in(label)) >= SHARED for profile in (annotator, item)):
        return False
    return pairs_once(annotator.column, item.column) > _NEARLY_ALL


def _more_like_annotators(a: Profile, b: Profile) -> int:
    """Return above 0 if the first is the annotator, below 0 if the second is, 0 if the signs contradict each other."""
    if named := calls_an_annotator(a.name) - calls_an_annotator(b.name):
        return named
    fewer = (2 * a.distinct <= b.distinct) - (2 * b.distinct <= a.distinct)
    uneven = [unevenness(profile.column) for profile in (a, b)]
    less_even = (uneven[0] > 1.5 * uneven[1] + 0.05) - (uneven[1] > 1.5 * uneven[0] + 0.05)
    called = [all(calls_an_annotator(label_name(n)) for n in list(profile.column.names)[:50]) for profile in (a, b)]
    people = called[0] - called[1]
    if people * fewer < 0:
        return 0  # a1, a2, …, a30 may be items
    return people or (fewer + less_even if fewer * less_even >= 0 else 0)


@_rule("wide", looks_at="empty columns", gives="nothing")
def _leave_out_nameless(table: Assignment) -> None:
    """A column without a name and without filled cells is ignored."""
    table.labels = tuple(name for name in table.labels if table.profiles[name].n or not is_no_name(name))
    table.candidates = table.labels


@_rule("wide", looks_at="how often values repeat, and whether they are labels of others", gives="identifiers of rows")
def _find_identifiers(table: Assignment) -> None:
    """Values that never repeat and are not labels of other columns name the rows. A column that numbers the rows may be
    the item or an annotator if its numbers are also labels elsewhere.
    """
    candidates = table.profiled(table.labels)
    identifiers = []
    for k, profile in enumerate(candidates):
        others = [other for other in candidates if other is not profile and other.n]
        first = k == 0 and table.item is None
        if others and profile.n and _identifies(profile, others, first):
            identifiers.append(profile.name)
        elif first and len(others) > 1 and profile.n > 2 and _numbers_rows(profile, others) and not table.in_columns:
            raise DataError(
                "roles-unclear",
                f"{table.where}: column {quoted(profile.name)} numbers the rows, but its numbers are also labels in "
                f"other columns; use --item {quoted(profile.name)}, or --annotators-in columns if it is an annotator",
            )
    if not (table.in_columns and len(table.labels) - len(identifiers) < 2):
        table.identifiers = identifiers
    taken = {*table.identifiers, table.item}
    table.labels = tuple(name for name in table.labels if name not in taken)


def _identifies(profile: Profile, others: Sequence[Profile], first: bool) -> bool:
    """Whether a column clearly names rows. `first`: it is the first column, where names usually are."""
    if not profile.never_twice:
        rare = profile.n >= _ENOUGH and profile.distinct >= _NEARLY_ALL * profile.n
        return rare and len(others) > 1 and all(2 * other.distinct <= other.n for other in others)
    if any((profile.measures_as(other) or 0.0) >= SHARED for other in others):
        return _numbers_rows(profile, others)
    share = pooled_share([profile], others)
    if first and share == 0:
        return True
    repeat = any(not other.never_twice for other in others)
    return len(others) > 1 and profile.n >= _A_FEW and repeat and share < SHARED


def _numbers_rows(profile: Profile, others: Sequence[Profile]) -> bool:
    """Whether this column numbers the rows and no other does."""
    return profile.counts_up and not any(other.counts_up for other in others)


@_rule("wide", looks_at="shape; names of rows and columns; agreement down and across", gives="rows")
def _find_annotators_in_rows(table: Assignment) -> None:
    """A table of few rows and many columns often has one row per annotator. Names of annotators show it, or agreement,
    which is larger on the side of the items.
    """
    first = table.item or next(iter(table.identifiers), None)
    n = len(table.profiles[table.labels[0]].column.codes) if table.labels else 0
    named = table.item is not None and plain_name(table.item) not in ROW_NAMES  # not the index of a DataFrame
    if not n or named or table.how.annotators_in or table.how.layout == "wide":
        return
    if len(table.labels) < max(MANY_ITEMS, MANY_BY_ROW * n):
        return
    if all(map(calls_an_annotator, table.labels)) or of_named_annotators(table.labels):
        return
    names = table.columns[first].names if first is not None else ()
    if first is None or not all(calls_an_annotator(label_name(name)) for name in names):
        down, across = down_and_across([table.columns[name] for name in table.labels])
        if max(down, across) < _AGREE or abs(down - across) < _AGREE:
            raise DataError(
                "roles-unclear",
                f"{table.where}: {n} rows and {len(table.labels)} columns of labels, and either may be the "
                "annotators; use --annotators-in rows or --annotators-in columns",
            )
        if down <= across:
            return
    columns = f"each of {len(table.labels)} columns as an item"
    note = f"each row is read as an annotator and {columns} (change with --annotators-in columns)"
    table.layout, table.item, table.settled = "rows", first, True
    table.notes.append(note)


@_rule("wide", looks_at="identifiers of rows", gives="the item")
def _take_identifier_as_item(table: Assignment) -> None:
    """The first identifier names the items."""
    if table.item is None and table.identifiers:
        table.item = table.identifiers[0]
        table.notes.insert(0, _taken_as_item(table.item, _why(table.profiles[table.item])))


def _taken_as_item(column: str, why: str = "its values are all different") -> str:
    return f"column {column!r} read as the item because {why} (change with --item)"


def _why(profile: Profile) -> str:
    return "its values are all different" if profile.never_twice else "its values hardly ever repeat"


@_rule("wide", looks_at="names of items", gives="a refusal")
def _refuse_double_entry(table: Assignment) -> None:
    """REDCap names two entries of one record 1--1 and 1--2, with item and annotator in one cell."""
    if table.is_declared or table.item is None:
        return
    names = [label_name(name) for name in islice(table.columns[table.item].names, _MOST_ROWS)]
    if len(names) > 1 and all(_ENTRY.fullmatch(name) for name in names):
        raise DataError(
            "export-not-usable",
            f"{table.where}: {quoted(names[0])} in column {quoted(table.item)} is one of two entries of a REDCap "
            "record; split it into two columns, item for the record and annotator for the person who entered it",
        )


@_rule("wide", looks_at="names, sums and agreement of columns of whole numbers (counts.py)", gives="a refusal")
def _refuse_counts(table: Assignment) -> None:
    """Counts per category look like ratings."""
    if not table.is_declared:
        beside = table.profiled(table.aside_by_name)
        refuse_counts(table.item, table.profiled(table.labels), beside, table.where)


@_rule("wide", looks_at="whether a column follows from two others in every row", gives="computed columns")
def _find_computed(table: Assignment) -> None:
    """A column that marks the agreement of two others, or is their mean, sum or difference, is not an annotator. If
    names do not show which of three columns was computed, the user must decide.
    """
    columns = table.profiled(table.labels)
    if table.is_declared or not 3 <= len(columns) <= _FEW_COLUMNS:
        return
    if not _A_FEW <= len(columns[0].column.codes) <= _MOST_ROWS:
        return
    computed = computed_columns(columns)
    if len(columns) - len(computed) < 2:
        sure = {name: what for name, what in computed.items() if not is_person(name)}
        if not sure or len(columns) - len(sure) < 2:
            name, what = next(reversed(computed.items()))
            raise DataError(
                "roles-unclear",
                f"{table.where}: column {quoted(name)} {what} in every row; name each annotator with --label COLUMN, "
                "or use --annotators-in columns if all columns are annotators",
            )
        computed = sure
    table.computed = computed
    table.labels = tuple(name for name in table.labels if name not in computed)
    table.notes += [f"column {quoted(name)} {what} and is not an annotator" for name, what in computed.items()]


@_rule("wide", looks_at="which labels columns share", gives="annotators; other columns are set aside")
def _keep_columns_that_share_labels(table: Assignment) -> None:
    """Annotators of the same items use the same labels. A column with other labels describes the items, and so does a
    column that numbers rows repeatedly.
    """
    rest = table.profiled(table.labels)
    if not table.in_columns:
        aside = [profile.name for profile in rest if profile.counts_again]
        aside = aside if len(rest) - len(aside) >= 2 else []
        filled = [profile for profile in rest if profile.n and profile.name not in aside]
        groups = [group for group in groups_alike(filled) if len(group) > 1]
        groups = groups or [group for group in groups_alike(filled, _AT_ALL) if len(group) > 1]
        if groups:
            grouped = {name for group in groups for name in group}
            aside += _with_other_labels(table, filled, grouped)
            table.labels = tuple(name for name in table.labels if name not in aside)
        elif max((profile.n for profile in rest), default=0) > 2 and len(filled) > 1:
            names = listed([profile.name for profile in filled])
            raise DataError(
                "roles-unclear",
                f"{table.where}: no two columns share a label ({names}), so the annotators are unclear; use --item "
                "COLUMN --annotator COLUMN --label COLUMN if each row is a label, or --annotators-in columns if each "
                "column is an annotator",
            )
        table.aside_by_value += aside
    table.aside_by_value += table.computed


def _with_other_labels(table: Assignment, filled: Sequence[Profile], grouped: set[str]) -> list[str]:
    """Return the columns to leave out because they share no labels. Refuse or note unclear ones."""
    aside, odd = [], []
    for profile in filled:
        others = [other for other in filled if other is not profile]
        own = pooled_share([profile], others)
        measured = any(profile.measures_as(other) is not None for other in others)
        if own >= SHARED or (profile.name in grouped and (measured or len(filled) < 3)):
            continue
        foreign = all((profile.numbers is None) != (other.numbers is None) for other in others)
        if (own == 0 and (profile.n >= _A_FEW or foreign)) or profile.in_blocks:
            aside.append(profile.name)
        elif profile.n >= _ENOUGH or (own == 0 and profile.n > 2):
            name = quoted(profile.name)
            raise DataError(
                "roles-unclear",
                f"{table.where}: only {own:.0%} of the labels in column {name} occur in other columns; use --by "
                f"{name} if it describes the items, or --annotators-in columns if it is an annotator",
            )
        else:
            odd.append(profile.name)
    if len(odd) > 1 and 2 * len(odd) >= len(filled):
        raise DataError(
            "roles-unclear",
            f"{table.where}: few labels of {listed(odd)} occur in other columns; name each annotator with --label "
            "COLUMN, or use --annotators-in columns if all columns are annotators",
        )
    if odd:
        note = f"few labels of {listed(odd)} occur in other columns; if not all columns are annotators, use --label"
        table.notes.append(note)
    return aside


@_rule("wide", looks_at="parts of names; which labels columns share; agreement (variables.py)", gives="a grid")
def _find_variables(table: Assignment) -> None:
    """Columns of one variable share labels and agree; columns of different variables do not. If trials are compared,
    Ana_1 and Ana_2 are trials and not variables.
    """
    if table.in_columns or table.how.repeats == "trials":
        return
    annotators = table.profiled(table.labels)
    guess = recognise_grid({profile.name: profile for profile in annotators}) if len(annotators) > 3 else None
    if guess is not None and guess.grid is not None:
        labelled = {name: of for name, of in guess.grid.items() if plain_name(name) not in NO_VARIABLES}
        table.grid = grid = labelled or guess.grid  # text_x and text_y come from joining tables
        number = f"{len(grid)} variables, each scored" if len(grid) > 1 else "1 variable"
        table.notes.append(f"{number}: {listed(list(grid))}; columns read as '{guess.pattern}' (select with --label)")
        return
    if guess is not None and guess.doubt:
        ways = " or ".join(f"--columns {quoted(pattern)}" for pattern in guess.doubt)
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns may be several variables per annotator ({listed(table.labels)}); use {ways}, "
            "or --annotators-in columns if each column is an annotator",
        )
    groups = [
        group for group in groups_alike([profile for profile in annotators if profile.n >= _A_FEW]) if len(group) > 1
    ]
    if len(groups) > 1:
        shown = "; ".join(listed(group) for group in groups[:3])
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns form {len(groups)} groups with different labels ({shown}); name the columns "
            "of one variable with --label COLUMN, or describe their names, e.g. --columns '{annotator}_{label}'",
        )


@_rule("wide", looks_at="names", gives="a refusal")
def _refuse_variables(table: Assignment) -> None:
    """tone and frame are not names of annotators. They are two answers of one annotator."""
    if not table.is_declared and table.grid is None and len(table.labels) > 1 and all(map(is_variable, table.labels)):
        raise DataError(
            "roles-unclear",
            f"{table.where}: the columns have names of variables ({listed(table.labels)}); use --item COLUMN "
            "--annotator COLUMN --label COLUMN if each row has the answers of one annotator, or --annotators-in "
            "columns if each column is an annotator",
        )


@_rule("wide", looks_at="agreement of columns without names of annotators", gives="a note")
def _doubt_strangers(table: Assignment) -> None:
    """Columns that hardly agree may be variables or counts. A column that always agrees may be the consensus."""
    columns = table.profiled(table.labels)
    if table.is_declared or table.grid is not None or not 2 <= len(columns) <= _FEW_COLUMNS:
        return
    if _SHOW_AGREEMENT <= len(columns[0].column.codes) <= _MOST_ROWS:
        table.notes += _doubts(columns)


def _doubts(columns: Sequence[Profile]) -> Iterator[str]:
    strange = [k for k, profile in enumerate(columns) if not is_person(profile.name)]
    names = [profile.name for profile in columns]
    if 3 * len(strange) > 2 * len(columns):
        if agreement_of(columns) < _HARDLY:
            yield (
                f"{listed(names)} hardly agree; if they are not annotators, name the annotators with --label COLUMN, "
                "or use --layout counts for counts per category"
            )
        return
    codes, _ = coded_together([profile.column for profile in columns])
    for c in strange:
        others = [profile for k, profile in enumerate(columns) if k != c]
        if len(others) < 2:
            continue
        alone = max(agreement_of([columns[c], other]) for other in others)
        if alone < _HARDLY and agreement_of(others) >= _CLEARLY:
            yield (
                f"{names[c]} hardly agrees with the others, who agree with each other; if it is not an annotator, name "
                "the annotators with --label COLUMN"
            )
        elif settles(np.delete(codes, c, axis=0), codes[c]):
            yield (
                f"{names[c]} never differs from the consensus of the others; if it was derived from them, name the "
                "annotators with --label COLUMN"
            )


@_rule("wide", looks_at="the same as for counts above, without the columns left out since", gives="a refusal")
def _refuse_counts_again(table: Assignment) -> None:
    """Counts may become visible once a total or a description is left out."""
    if not table.is_declared and table.grid is None and table.aside_by_value:
        beside = table.profiled((*table.aside_by_name, *table.aside_by_value))
        refuse_counts(table.item, table.profiled(table.labels), beside, table.where)


@_rule("wide", looks_at="names; how many columns are left", gives="annotators")
def _take_annotators(table: Assignment) -> None:
    """At least two annotators are needed. With coder1 and coder2, a column with another kind of name is doubtful."""
    taken = table.annotators
    if len(taken) < 2:
        raise DataError(
            "roles-unclear",
            f"{table.where}: fewer than two columns contain labels of annotators "
            f"({listed(taken or table.candidates)}); use --item COLUMN --annotator COLUMN --label COLUMN if each row "
            "is a label, or --annotators-in columns",
        )
    rest = (*table.identifiers, *table.labels)
    table.aside_by_value += [name for name in rest if name not in taken and name != table.item]
    table.labels = tuple(taken)
    called = [name for name in taken if calls_an_annotator(name)] if table.grid is None else []
    strange = [name for name in taken if name not in called]
    if len(called) > 1 and 0 < len(strange) <= len(called):
        note = f"{listed(strange)} read as annotators like {listed(called)}; if wrong, name the annotators with --label"
        table.notes.append(note)


# -- Several columns with the same role in a long table --


@_rule("long", looks_at="names; whether columns distinguish the same rows", gives="annotator, item")
def _choose_among_several(table: Assignment) -> None:
    """If several columns have names of annotators or items, any of them is used if they are equivalent. The item is a
    column with values that each annotator has once.
    """
    if table.annotator is None:
        return
    free = [h for h in table.header if h not in table.labels and h not in table.how.needed]
    called = [h for h in free if is_called(h, ANNOTATOR)]
    certain = [h for h in called if not is_called(h, COULD_BE_ANNOTATORS)]
    annotators = [] if table.how.annotator else certain or called
    items = [] if table.how.item else [h for h in free if is_called(h, ITEM) and h not in called]
    if len(annotators) < 2 and len(items) < 2:
        return
    wanted = list(dict.fromkeys([*annotators, *items, table.annotator]))
    columns = without_blank(*table.source.load(wanted))[0]
    if len(annotators) > 1:
        if not all(tell_the_same(columns[annotators[0]], columns[other]) for other in annotators[1:]):
            ways = _either("--annotator", annotators)
            raise DataError("roles-unclear", f"{table.where}: {_and(annotators)} may name the annotator; use {ways}")
        table.annotator = table.annotator if table.annotator in annotators else annotators[0]
    if len(items) > 1:
        by = columns[table.annotator]
        once = [name for name in items if comes_once(columns[name], by)]
        fitting = [name for name in once if len(columns[name].names) < len(columns[name].codes)]
        if not all(tell_the_same(columns[fitting[0]], columns[other]) for other in fitting[1:]):
            ways = _either("--item", fitting)
            raise DataError("roles-unclear", f"{table.where}: {_and(fitting)} may name the item; use {ways}")
        table.item = table.item if table.item in fitting or not fitting else fitting[0]


def refuse_numbers_of_rows(roles: Roles, columns: Mapping[str, Column], where: str) -> None:
    """Refuse an item column that is different in every row if another column groups the rows of several annotators."""
    assert roles.item is not None and roles.annotator is not None  # noqa: PT018
    item, by = columns[roles.item], columns[roles.annotator]
    if len(item.names) < len(item.codes) or len(by.names) < 2:
        return
    rest = [name for name in columns if name not in {roles.item, roles.annotator}]
    few = (name for name in rest if 2 * len(columns[name].names) <= len(item.codes))
    other = next((name for name in few if comes_once(columns[name], by)), None)
    if other is not None:
        raise DataError(
            "roles-unclear",
            f"{where}: column {quoted(roles.item)} is different in every row, so no item has two labels; if "
            f"{quoted(other)} names what was labelled, use --item {quoted(other)}",
        )


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(map(quoted, names[:-1]))} and {quoted(names[-1])}"


def _either(option: str, names: Sequence[str]) -> str:
    return " or ".join(f"{option} {quoted(name)}" for name in names)

"""Several sheets or files of one project: whether each is an annotator, a variable, or a part of one table.

Tables per annotator (columns are variables) and tables per variable (columns are annotators) look the same. Labels
distinguish them: annotators of the same items use the same labels, so columns or tables without common labels are
variables. If labels do not decide, names do. If names do not decide either, the user must.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np

from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, cells_of
from accord.data.io.tables.counts import first_is_distinct
from accord.data.io.tables.ratings import named_otherwise
from accord.data.io.tables.roles import ANNOTATOR, ASIDE, COULD_BE_ANNOTATORS, ITEM, LABEL, first_of, plain_name
from accord.data.io.tables.several import describe_other_items
from accord.data.io.tables.sources import MemorySource, Source, View, name_of_table
from accord.data.model.data import Fact, some

_ANNOTATOR = "annotator"  # the column added to a table of one annotator
_LABELS_SAY_NOTHING = 1_000  # more different labels in a column are texts or measurements

Means = Literal["annotators", "variables", "one table"]


@dataclass
class Arrangement:
    """The relation between tables. Variables are read separately, each under its name."""

    sources: list[Source]
    how: Reading
    notes: list[str] = field(default_factory=list)
    variables: list[str] | None = None


@dataclass
class ByAnnotator(View):
    """A table with an additional column for its annotator."""

    annotator: str
    label: str | None = None  # the column that is renamed to `label`

    @property
    def header(self) -> tuple[str, ...]:
        return (*("label" if name == self.label else name for name in self.source.header), _ANNOTATOR)

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        real = {_ANNOTATOR: self.source.header[0], **({"label": self.label} if self.label else {})}
        loaded, inside = self.source.load(list(dict.fromkeys(real.get(c, c) for c in wanted)), cells)
        columns = {c: loaded[real.get(c, c)] for c in wanted}
        n = len(next(iter(columns.values())).codes)
        if _ANNOTATOR in columns:
            columns[_ANNOTATOR] = Column(np.where(_blank_rows(columns, n), -1, 0).astype(np.int32), [self.annotator])
        return columns, inside


def _blank_rows(columns: dict[str, Column], n: int) -> np.ndarray:
    """Return which rows are blank. They have no annotator."""
    blank = np.ones(n, dtype=bool)
    for column in columns.values():
        empty = column.is_empty()
        blank &= False if empty is None else empty
    return blank


def sheets_by_annotator(sources: Sequence[Source], how: Reading) -> Arrangement:
    """Give each sheet its own annotator if no column names one, for example for units."""
    if how.annotator is not None or any(_part(s) is None or _names_annotator(s) for s in sources):
        return Arrangement(list(sources), how)
    names = [name_of_table(s) for s in sources]
    by_sheet: list[Source] = [ByAnnotator(s, name) for s, name in zip(sources, names, strict=True)]
    return Arrangement(by_sheet, how, [f"each sheet is one annotator: {some(names, 5)}"])


def arrange_tables(sources: Sequence[Source], how: Reading) -> Arrangement:
    """Decide what each table of labels is."""
    word = "sheet" if all(_part(s) is not None for s in sources) else "file"
    if how.annotators_in not in {None, "columns", "rows", f"{word}s"}:
        parts = f", --annotators-in {word}s" if len(sources) > 1 else ""
        raise DataError(
            "option-not-for-data",
            f"{sources[0].name}: --annotators-in {how.annotators_in} does not apply to labels of items here; use "
            f"--annotators-in columns{parts} or --annotators-in rows",
        )
    if how.annotators_in == f"{word}s" and len(sources) < 2:
        raise DataError(
            "roles-unclear",
            f"{sources[0].name}: --annotators-in {word}s needs several {word}s, but there is only one; use "
            "--annotators-in columns or --annotators-in rows",
        )
    if len(sources) < 2 or how.layout in {"counts", "confusion"}:
        return Arrangement(list(sources), how)
    named = [how.annotator in s.header if how.annotator else _names_annotator(s) for s in sources]
    if how.annotators_in == f"{word}s" and any(named):
        other = next(s for s, there in zip(sources, named, strict=True) if there)
        raise DataError(
            "roles-unclear",
            f"{other.name}: a column already names the annotator, which contradicts --annotators-in {word}s; leave "
            f"out --annotators-in, or delete the column",
        )
    if how.annotators_in == f"{word}s" and how.columns is not None:
        raise SpecError(
            "option-conflict",
            f"--columns declares columns as annotators, and --annotators-in {word}s declares {word}s; use only one of "
            "them",
        )
    tables = _Tables.of(sources, how, word)
    if all(named):
        return _of_long(tables)
    if any(named) or (word == "file" and tables.one_each and how.annotators_in is None and not tables.own_columns):
        return Arrangement(list(sources), how if any(named) else tables.with_item())
    said: dict[str | None, Means] = {f"{word}s": "annotators"}
    means = said.get(how.annotators_in) or tables.meaning()
    if how.columns is not None and means == "annotators":  # --columns declares columns as annotators
        means = "one table"
    note = Fact if how.annotators_in is not None else str  # a declaration is no guess
    names = [name_of_table(s) for s in sources]
    if means == "annotators":
        notes = [note(f"each {word} is one annotator: {some(names, 5)}")]
        how = tables.with_item()
        own: Sequence[str | None] = tables.own_columns or [None] * len(names)
        return Arrangement([ByAnnotator(*table) for table in zip(sources, names, own, strict=True)], how, notes)
    if means == "variables":
        notes = [note(f"each {word} is one variable, with annotators in columns: {some(names, 5)}")]
        return Arrangement(list(sources), how, notes, names)
    return Arrangement(list(sources), how, [f"{counted(len(names), word)} read as one table: {some(names, 5)}"])


def _of_long(tables: _Tables) -> Arrangement:
    """Arrange tables with a column of annotators: parts of one table, or one variable per sheet with the same items."""
    sources, how = tables.sources, tables.how
    if tables.word == "file" or tables.item is None:
        return Arrangement(list(sources), how)
    names = [name_of_table(s) for s in sources]
    seen: Counter[tuple[str, str]] = Counter()
    for source in sources:
        annotator = how.annotator or first_of(source.header, ANNOTATOR)
        assert annotator is not None  # every table has one
        pairs = zip(_cells(source, tables.item), _cells(source, annotator), strict=True)
        seen.update({pair for pair in pairs if all(pair)})
    again = sum(n > 1 for n in seen.values())
    if 2 * again > len(seen):
        return Arrangement(list(sources), how, [f"each sheet is one variable: {some(names, 5)}"], names)
    return Arrangement(list(sources), how, [f"{counted(len(names), 'sheet')} read as one table: {some(names, 5)}"])


@dataclass
class _Tables:
    """Tables without a column of annotators."""

    sources: Sequence[Source]
    how: Reading
    word: str
    item: str | None
    columns: list[list[str]]  # columns of labels by table

    @classmethod
    def of(cls, sources: Sequence[Source], how: Reading, word: str) -> _Tables:
        item = how.item or first_of([h for h in sources[0].header if h not in how.label], ITEM)
        if item is None and len({s.header[0] for s in sources}) == 1 and all(map(first_is_distinct, sources)):
            item = sources[0].header[0]
        passed = {item, *how.needed}
        columns = [
            [h for h in s.header if h not in passed and (plain_name(h) not in ASIDE or h in how.label)] for s in sources
        ]
        if how.label:
            columns = [[h for h in mine if h in how.label] for mine in columns]
        return cls(sources, how, word, item, columns)

    def with_item(self) -> Reading:
        """Return the reading with the column of items, if its name does not show it."""
        if self.how.item is not None or self.item is None or plain_name(self.item) in ITEM:
            return self.how
        return replace(self.how, item=self.item)

    @property
    def one_each(self) -> bool:
        """Whether each table has one column of labels, which is then one annotator."""
        return all(len(mine) == 1 or sum(plain_name(h) in LABEL for h in mine) == 1 for mine in self.columns)

    @property
    def own_columns(self) -> list[str] | None:
        """The single column of each table if the names differ: `Ana` in Ana's table, `Ben` in Ben's."""
        names = [mine[0] for mine in self.columns if len(mine) == 1]
        return names if len(set(names)) == len(self.columns) else None

    def meaning(self) -> Means:
        """Return what the tables are, or refuse them and name the options."""
        shared = self._shared_items()
        if self.one_each and self.how.annotators_in is None:
            if shared == 0:
                raise self._unclear_items()
            used = [set[str]().union(*(self._labels(s, c) for c in mine)) for s, mine in self._tables]
            if _any_apart(used):
                raise self._unclear("share no label")
            return "annotators"
        common = set(self.columns[0]).intersection(*self.columns[1:])
        if not all(set(mine) == common for mine in self.columns):
            if not any(set(a) & set(b) for a, b in combinations(self.columns, 2)):
                return "one table"  # each table has other annotators of the same items
            if self.how.annotators_in != "columns":
                raise self._unclear("share some columns, but not all")
        if self.how.annotators_in == "columns":
            known: Means | None = "variables"
        else:
            known = self._by_labels(sorted(common)) or self._by_names(sorted(common))
        if known == "annotators" and shared > 0:
            return known
        if known != "annotators" and (shared == 0 or self._describe_others()):
            return "one table"
        if known == "variables" and shared > 0.5:
            return known
        raise self._unclear("share all columns" + (" and items" if shared > 0.5 else " and some items"))

    @property
    def _tables(self) -> list[tuple[Source, list[str]]]:
        return list(zip(self.sources, self.columns, strict=True))

    def _unclear(self, fact: str) -> DataError:
        first = quoted(name_of_table(self.sources[0]))
        one = f"--sheet {first} to read only this one" if self.word == "sheet" else "give only one file"
        variable = f", --annotators-in columns if each {self.word} is one variable with annotators in columns"
        other = f"{'' if self.how.annotators_in == 'columns' else variable}, or {one}"
        return DataError(
            "roles-unclear",
            f"{self._first_two} {fact}; use --annotators-in {self.word}s if each {self.word} is one annotator"
            f"{'' if self.one_each else other}",
        )

    def _unclear_items(self) -> DataError:
        """Return the refusal of tables of one annotator each that have no item in common."""
        return DataError(
            "roles-unclear",
            f"{self._first_two} share no item{self._otherwise()}, so there is nothing to compare; write the same "
            f"names of items in each {self.word}, or name their column with --item COLUMN",
        )

    @property
    def _first_two(self) -> str:
        names = [quoted(name_of_table(s)) if self.word == "sheet" else Path(s.name).name for s in self.sources[:2]]
        return f"{f'{self.sources[0].name}: sheets ' if self.word == 'sheet' else ''}{names[0]} and {names[1]}"

    def _shared_items(self) -> float:
        """Return the share of items in two or more tables. Without a column of items, rows are items."""
        if self.item is None:
            return 1.0
        items = [set(_cells(s, self.item)) - {""} for s in self.sources if self.item in s.header]
        seen = Counter(name for mine in items for name in mine)
        return sum(n > 1 for n in seen.values()) / max(1, len(seen))

    def _describe_others(self) -> bool:
        """Whether files describe items of the same name differently: they are parts with items of their own."""
        labels = [name for name in self.columns[0] if _is_person(name)]
        return self.word == "file" and describe_other_items(self.sources, self.item, labels)

    def _otherwise(self) -> str:
        """Return a hint if items differ only in spelling."""
        assert self.item is not None  # otherwise rows are items
        same = named_otherwise(name for s in self.sources for name in _cells(s, self.item) if name)
        return f" ({same[0]} and {same[1]} may be the same item: spell it the same way)" if same else ""

    def _by_labels(self, columns: Sequence[str]) -> Means | None:
        """Columns or tables without common labels are variables."""
        used = [[self._labels(s, c) for c in columns] for s in self.sources]
        by_column = [set[str]().union(*mine) for mine in zip(*used, strict=True)]
        by_table = [set[str]().union(*mine) for mine in used]
        if any(len(labels) > _LABELS_SAY_NOTHING for labels in by_column):
            return None
        columns_differ, tables_differ = map(_any_apart, (by_column, by_table))
        if columns_differ == tables_differ:
            return None
        return "annotators" if columns_differ else "variables"

    def _labels(self, source: Source, column: str) -> set[str]:
        return set(_cells(source, column)).difference(self.how.missing, ("",))

    def _by_names(self, columns: Sequence[str]) -> Means | None:
        """Decide by names: `Coder 1` is an annotator, `label_tone` a variable."""
        people = [_is_person(name) for name in columns], [_is_person(name_of_table(s)) for s in self.sources]
        if all(people[0]) != all(people[1]):
            return "variables" if all(people[0]) else "annotators"
        if all(plain_name(c) in LABEL or plain_name(c).startswith(("label_", "rating_", "score_")) for c in columns):
            return "annotators"
        return None


def _any_apart(sets: Sequence[set[str]]) -> bool:
    return any(a and b and not a & b for a, b in combinations(sets, 2))


def _is_person(name: str) -> bool:
    """Whether a name is that of an annotator: `annotator`, `Coder 1`, `rater_B`, `R2`."""
    word = re.fullmatch(r"([a-z_]*?)[_.]?(?:\d+|[a-z])?", plain_name(name))
    return word is not None and word[1].rstrip("_") in {*ANNOTATOR, "r", "a"} and plain_name(name) not in {"r", "a"}


def _names_annotator(source: Source) -> bool:
    """Whether a column names annotators. `expert` next to `novice`, without labels, is itself an annotator."""
    who = first_of(source.header, ANNOTATOR)
    return who is not None and (
        plain_name(who) not in COULD_BE_ANNOTATORS or first_of(source.header, LABEL) is not None
    )


def _part(source: Source) -> str | None:
    return source.part if isinstance(source, MemorySource) else None


def _cells(source: Source, column: str) -> list[str]:
    return cells_of(source.load([column])[0][column])

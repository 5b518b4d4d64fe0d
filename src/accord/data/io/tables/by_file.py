"""Tables of labels whose annotators and documents are in the names of files and folders.

Examples: goethe_01.csv, goethe_02.csv, schiller_01.csv; Ana/x.xlsx, Ben/x.xlsx. The tables become one table with a
column for the annotator. Documents with items of the same names, such as numbers of rows, become part of the items.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from accord.core.arrays import Codes
from accord.core.errors import DataError, SpecError, counted, quoted
from accord.data.io.naming import Contents, Key, Named, Parts, named, parts_of
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, cells_of, places_of, stacked
from accord.data.io.tables.evidence import groups_alike, profiles_of
from accord.data.io.tables.layout import roles_of
from accord.data.io.tables.mapping import SIGN
from accord.data.io.tables.roles import ANNOTATOR, ITEM, LABEL, calls_an_annotator, first_of, plain_name
from accord.data.io.tables.sources import Source
from accord.data.model.data import Fact, some
from accord.data.model.labels import label_name

_ANNOTATOR = "annotator"
_FILE = "file"  # the column with documents, which are names of files
_ROW = "row"  # the column with the numbers of rows, if no other column names the items
_MOST_WAYS = 3  # columns that a message names with an option
_MOST_CELLS = 50_000  # cells of a file that show its document


@dataclass
class ByFile:
    """Tables as one table, with columns for the annotator and the document of each file."""

    sources: Sequence[Source]
    keys: Sequence[Key]
    item: str | None = None  # the column of items, if it is known
    of_items: str | None = None  # the column of `sources` that is joined with the document
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    is_file: bool = True

    @property
    def name(self) -> str:
        return self.sources[0].name

    @property
    def header(self) -> tuple[str, ...]:
        named_columns = dict.fromkeys(name for source in self.sources for name in source.header)
        named_columns.pop(self.of_items or "", None)
        return (*([self.item] if self.of_items is not None and self.item else ()), *named_columns, _ANNOTATOR)

    @cached_property
    def _lengths(self) -> list[int]:
        return [len(_column(source, source.header[0]).codes) for source in self.sources]

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        names = dict.fromkeys([*wanted, *cells])
        columns = {name: self._stacked(name) for name in names if name != _ANNOTATOR}
        if _ANNOTATOR in names:
            columns[_ANNOTATOR] = self._annotators(columns)
        return {name: columns[name] for name in wanted}, _by_rows([columns[name] for name in cells]) if cells else None

    def place(self, row: int) -> str:
        return places_of(self.sources, self._lengths)(row)

    def _stacked(self, name: str) -> Column:
        if name == self.item and self.of_items is not None:
            return stacked([self._items(k) for k in range(len(self.sources))])
        return stacked(
            [
                _column(source, name) if name in source.header else Column(np.full(length, -1, dtype=np.int32), [])
                for source, length in zip(self.sources, self._lengths, strict=True)
            ]
        )

    def _items(self, k: int) -> Column:
        """Return the items of a table, with its document before their names."""
        before, length = (f"{self.keys[k][0]} " if self.item != self.of_items else ""), self._lengths[k]
        if self.of_items == _ROW and _ROW not in self.sources[k].header:
            return Column(np.arange(length, dtype=np.int32), [f"{before}{row}" for row in range(1, length + 1)])
        column = _column(self.sources[k], str(self.of_items))
        return Column(column.codes, ["" if name == "" else f"{before}{label_name(name)}" for name in column.names])

    def _annotators(self, columns: Mapping[str, Column]) -> Column:
        """Return the annotator of each row. Rows that are blank in all columns have none."""
        people = list(dict.fromkeys(who for _, who in self.keys))
        codes = np.repeat([people.index(who) for _, who in self.keys], self._lengths).astype(np.int32)
        blank = np.ones(len(codes), dtype=bool)
        for name, column in columns.items():
            if name != self.item or self.of_items != _ROW:
                empty = column.is_empty()
                blank &= False if empty is None else empty
        return Column(np.where(blank & bool(columns), -1, codes).astype(np.int32), people)


def _column(source: Source, name: str) -> Column:
    return source.load([name])[0][name]


def _first_cells(column: Column) -> list[str]:
    return cells_of(Column(column.codes[:_MOST_CELLS], column.names))


def _by_rows(columns: Sequence[Column]) -> Column:
    """Return the cells of several columns row by row."""
    together = stacked(columns)
    codes: Codes = together.codes.reshape(len(columns), -1).T.ravel()
    return Column(codes, together.names)


def join_by_file(sources: Sequence[Source], how: Reading) -> tuple[list[Source], Reading, tuple[str, ...]]:
    """Return one table with an annotator column if names of files and folders show the annotators, and notes.

    Other tables are returned unchanged. Raise DataError if the names have two meanings.
    """
    table = _joined_by_file(sources, how)
    if table is None:
        return list(sources), how, ()
    item = table.item if how.item is not None and how.item == table.of_items else how.item
    return [table], replace(how, names=None, annotators_in=None, item=item), table.notes


def _joined_by_file(sources: Sequence[Source], how: Reading) -> ByFile | None:
    if not _may_be_named(sources, how):
        _refuse_unused_names(sources, how)
        return _joined_by_row(sources, how)
    tables = _Tables(sources, how)
    read = named(tables.parts, how, tables.documents, contents=tables.contents, proves=tables.documents_are_known)
    if how.names is not None or how.annotators_in == "folders":
        if len({who for _, who in read.keys}) < 2:
            raise DataError(
                "annotators-needed",
                f"{sources[0].name}: names of files and folders show only one annotator; use --names with a pattern, "
                "e.g. '{doc}_{annotator}' or '{annotator}/{doc}'",
            )
        return tables.joined(Named(read.keys, Fact(read.said)))
    docs = {doc for doc, _ in read.keys}
    if tables.in_folders:
        if not read.grid or not tables.are_annotators(read):
            raise tables.unclear_folders()
    elif not read.grid or len(docs) < 2 or not tables.show(read):
        possible = tables.possible_grid() if tables.one_label else None
        if possible is not None:
            raise tables.unclear_names(possible)
        return _joined_by_row(sources, how)
    elif not tables.are_annotators(read):
        raise tables.unclear_names(read)
    tables.refuse_variables(read)
    return tables.joined(read)


def _joined_by_row(sources: Sequence[Source], how: Reading) -> ByFile | None:
    """Return one table if files are annotators who labelled the same rows, which no column names; otherwise None.

    A text is the same in each row of all files, but occurs in several rows. Names of files are those of annotators, or
    a single column differs.
    """
    if len(sources) < 2 or how.item or how.label or how.columns or how.layout or how.annotators_in or how.names:
        return None
    if (
        len({source.header for source in sources}) > 1
        or _with_annotator(sources)
        or not all(source.is_file for source in sources)
    ):
        return None
    tables = _Tables(sources, how)
    if tables.item is not None or len(set(tables.rows)) > 1:
        return None
    same = [name for name in sources[0].header if len({tuple(_first_cells(_column(s, name))) for s in sources}) == 1]
    names = [Path(source.name).stem for source in sources]
    differ = len(sources[0].header) - len(same)
    alike = len({re.sub(r"[\W_]*(?:\d+|[A-Za-z])$", "", name) for name in names}) == 1  # coder_1, coder_2; setA, setB
    people = alike or all(map(calls_an_annotator, names))
    if not any(tables.tells_rows(name) for name in same) or not (people or differ == 1):
        return None
    keys = tuple(("", name) for name in names)
    return tables.joined(Named(keys, f"each file is one annotator: {some(names, 5)}; rows are items"))


def _may_be_named(sources: Sequence[Source], how: Reading) -> bool:
    """Return whether these are tables without annotators, each in a file of its own, whose names may have meanings."""
    if how.annotator is not None or how.columns is not None or how.annotators_in not in {None, "folders"}:
        return False
    if how.layout not in {None, "long"} or how.anonymous or len(sources) < 2 or _FILE in how.needed:
        return False
    files = list(dict.fromkeys(source.name for source in sources))
    if len(files) < len(sources) or not all(source.is_file for source in sources):
        return False
    if _with_annotator(sources) is not None:
        return False
    parts = parts_of(files)
    return how.names is not None or _are_in_folders(parts) or _possible_grid(parts, how) is not None


def _with_annotator(sources: Sequence[Source]) -> Source | None:
    return next((source for source in sources if first_of(source.header, ANNOTATOR) is not None), None)


def _refuse_unused_names(sources: Sequence[Source], how: Reading) -> None:
    """Refuse --names if the names of files do not show annotators."""
    if how.names is None:
        return
    if (known := _with_annotator(sources)) is not None:
        why = f"a column of {known.name} names the annotators"
    elif len({source.name for source in sources}) < 2:
        why = f"{sources[0].name} is the only table"
    else:
        why = "other options or the files state the annotators"
    raise SpecError("option-not-for-data", f"--names does not apply, because {why}; leave it out")


def _are_in_folders(parts: Sequence[Parts]) -> bool:
    """Return whether folders may be annotators. One file each in its folder is named by the file."""
    folders, names = {one[:-1] for one in parts}, {one[-1] for one in parts}
    return len(folders) > 1 and min(len(folders), len(names)) < len(parts)


def _possible_grid(parts: Sequence[Parts], how: Reading) -> Named | None:
    """Return the documents and annotators that names may mean, if there are several of both."""
    read = named(parts, replace(how, annotators_in="files"))
    docs, people = ({key[k] for key in read.keys} for k in (0, 1))
    return read if read.grid and min(len(docs), len(people)) > 1 else None


def refuse_studies(folder: Path, sources: Sequence[Source]) -> None:
    """Refuse tables in folders below a folder if columns name their annotators: each folder is a study."""
    nested = [source for source in sources if Path(source.name).parent != folder]
    if nested and any(first_of(source.header, ANNOTATOR) for source in nested):
        below = list(dict.fromkeys(str(Path(source.name).parent) for source in nested))
        raise DataError(
            "file-empty",
            f"{folder}: the folder contains no table; folders below it contain tables with annotators "
            f"({some([Path(path).name for path in below])}): give one of them, e.g. {shlex.quote(below[0])}",
        )


class _Tables:
    """Tables in several files: their items, and what distinguishes their documents."""

    def __init__(self, sources: Sequence[Source], how: Reading) -> None:
        self.sources, self.how = sources, how
        self.parts = parts_of([source.name for source in sources])
        self.in_folders = _are_in_folders(self.parts)
        headers = [set(source.header) for source in sources]
        self.same_columns = all(header == headers[0] for header in headers)
        self.item = self._item()
        self.rows = [len(_column(source, source.header[0]).codes) for source in sources]

    def _item(self) -> str | None:
        """Return the column of items: declared, of a usual name, or the first column; its values never repeat."""
        if self.how.item is not None:
            return self.how.item if all(self.how.item in source.header for source in self.sources) else None
        header = [name for name in self.sources[0].header if name not in self.how.label]
        likely = [name for name in (first_of(header, ITEM), *header[:1]) if name is not None]
        there = [name for name in likely if all(name in source.header for source in self.sources)]
        return next((name for name in there if self._is_distinct(name)), None)

    @cached_property
    def labels(self) -> list[str]:
        """The columns that may contain labels: those with repeated values in a table."""
        if self.how.label:
            return list(self.how.label)
        rest = [name for name in self.sources[0].header if name != self.item]
        usual = [name for name in rest if plain_name(name) in LABEL]
        return usual if len(usual) == 1 else rest

    @property
    def one_label(self) -> bool:
        return len(self.labels) == 1

    def are_annotators(self, read: Named) -> bool:
        """Return whether each table can have one annotator: no two of its columns share labels."""
        if not self.same_columns:
            return False
        if self.one_label or self.how.label:
            return True
        roles = roles_of(self.joined(read), self.how, (), several=False)
        if roles.layout != "long":
            return False
        columns = {name: stacked([_column(source, name) for source in self.sources]) for name in roles.labels}
        used = [one for one in profiles_of(columns).values() if one.n]
        return not any(len(group) > 1 for group in groups_alike(used))

    @cached_property
    def _names(self) -> list[frozenset[Hashable] | None]:
        """What names the items of each table: the cells of the columns without repeated values."""
        naming = [self.item] if self.item is not None else []
        if self.same_columns:
            naming += [name for name in self.sources[0].header if name not in naming and self._is_distinct(name)]
        found: list[frozenset[Hashable] | None] = []
        for source in self.sources:
            cells = [(name, cell) for name in naming for cell in _first_cells(_column(source, name))]
            found.append(frozenset(cells) or None)
        return found

    def _is_distinct(self, name: str) -> bool:
        columns = [_column(source, name) for source in self.sources]
        return all(len(column.codes) > 1 and len(column.names) == len(column.codes) for column in columns)

    def tells_rows(self, name: str) -> bool:
        """Return whether the values of a column seldom repeat in the first table."""
        profile = profiles_of({name: _column(self.sources[0], name)})[name]
        return profile.n > 1 and 2 * profile.distinct > profile.n

    @property
    def contents(self) -> Contents:
        return Contents(self._names, least=0.0 if self.item is None else 0.05, distinctive=True, enough=0.5)

    @cached_property
    def documents(self) -> list[Hashable | None]:
        """What identifies the document of each table: its items, or else its number of rows, if they recur."""
        known: list[Hashable] = list(zip(self.rows, self._names, strict=True))
        again = all(known.count(one) > 1 for one in known)
        return list(known) if again and len(set(known)) > 1 else [None] * len(known)

    @property
    def documents_are_known(self) -> bool:
        return None not in self.documents

    def show(self, read: Named) -> bool:
        """Return whether the items show the documents, not only the names of files."""
        return self.documents_are_known or self.contents.show(read.keys)

    def possible_grid(self) -> Named | None:
        """Return the documents and annotators that names may mean, if every annotator has every document."""
        read = _possible_grid(self.parts, self.how)
        docs, people = ({key[k] for key in read.keys} if read else set() for k in (0, 1))
        return read if read is not None and len(read.keys) == len(docs) * len(people) else None

    def joined(self, read: Named) -> ByFile:
        """Return one table. Rows are items if no column names them."""
        item, of_items = self.item, None
        docs = [doc for doc, _ in read.keys]
        if item is None and (self.one_label or not any(self._names)):
            of_items = _ROW
            self._refuse_other_lengths(docs)
        elif item is not None and self._again(item, docs):
            of_items = item
        if of_items is not None:
            item = f"{_FILE}{SIGN}{of_items}" if len(set(docs)) > 1 else of_items
        return ByFile(self.sources, read.keys, item, of_items, notes=(read.said,))

    def _refuse_other_lengths(self, docs: Sequence[str]) -> None:
        """Refuse files of one document that have different numbers of rows, if rows are the items."""
        first: dict[str, int] = {}
        for k, doc in enumerate(docs):
            before = first.setdefault(doc, k)
            if self.rows[before] != self.rows[k]:
                header = self.sources[k].header
                names = [quoted(name) for name in header if self.same_columns and self._is_distinct(name)]
                ways = " or ".join(f"--item {name}" for name in names[:_MOST_WAYS])
                raise DataError(
                    "roles-unclear",
                    f"{self.sources[before].name} has {counted(self.rows[before], 'row')}, {self.sources[k].name} "
                    f"{self.rows[k]:,}, and no column names the items; "
                    f"{f'use {ways}' if ways else 'add a column item with the name of each item to all files'} "
                    f"(columns: {', '.join(header[:6])})",
                )

    def _again(self, item: str, docs: Sequence[str]) -> bool:
        """Return whether two documents have items of the same names."""
        by_doc: dict[str, set[str]] = {}
        for source, doc in zip(self.sources, docs, strict=True):
            by_doc.setdefault(doc, set()).update(cell for cell in cells_of(_column(source, item)) if cell)
        return any(a & b for a, b in combinations(by_doc.values(), 2))

    def refuse_variables(self, read: Named) -> None:
        """Refuse files such as Ana/tone.csv and Ana/topic.csv, which have other labels: they are variables."""
        used: dict[str, set[str]] = {}
        for source, (doc, _) in zip(self.sources, read.keys, strict=True):
            cells = (cells_of(_column(source, name)) for name in self.labels if name in source.header)
            used.setdefault(doc, set()).update(cell for column in cells for cell in column if cell)
        apart = next(((a, b) for a, b in combinations(used, 2) if used[a] and used[b] and not used[a] & used[b]), None)
        if apart is None or not self.one_label:
            return
        mine = [s.name for s, (doc, _) in zip(self.sources, read.keys, strict=True) if doc == apart[0]]
        pattern = _pattern(read, self.in_folders)
        raise DataError(
            "roles-unclear",
            f"files of {quoted(apart[0])} and {quoted(apart[1])} share no label, so they may be variables; read one of "
            f"them: {_listed(mine)}; or use {pattern} if they are documents",
        )

    def unclear_folders(self) -> DataError:
        folders = list(dict.fromkeys(os.path.dirname(source.name) for source in self.sources))
        shown = some([Path(folder).name for folder in folders])
        inside = not Path(folders[0]).is_dir()  # of an archive
        first = "; unpack the archive first" if inside else f", e.g. {shlex.quote(folders[0])}"
        alone = "" if self.one_label else f", or give one folder{first}"
        return DataError(
            "roles-unclear",
            f"tables are in several folders ({shown}), and it is unclear what the folders are; use --annotators-in "
            f"folders if each folder is one annotator{alone}",
        )

    def unclear_names(self, read: Named) -> DataError:
        return DataError(
            "roles-unclear",
            f"{self.sources[0].name}: the names of files may contain documents; use {_pattern(read, False)} if they "
            "do, or --annotators-in files if each file is one annotator",
        )


def _pattern(read: Named, folders: bool) -> str:
    """Return the option that declares what names mean."""
    pattern = read.said.removeprefix("file names are ").partition(" (")[0]
    return "--annotators-in folders" if folders or "{" not in pattern else f"--names {shlex.quote(pattern)}"


def _listed(files: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, files))

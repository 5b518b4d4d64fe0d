"""Tables of labels → Ratings: long and wide; missing labels, folding, sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes
from accord.core.errors import DataError, UnknownName, quoted
from accord.data.io.reading import Declared, Reading
from accord.data.io.tables.candidates import chosen_among, refuse_numbers_of_rows, several_candidates
from accord.data.io.tables.choices import chosen, merged
from accord.data.io.tables.cleaning import clean_together, declared_categories, missing_noted, order_noted, two_types
from accord.data.io.tables.columns import Column, stacked, without_blank
from accord.data.io.tables.counted import sums_noted
from accord.data.io.tables.counts import first_is_distinct, is_summary, read_counts, refuse_confusion
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.evidence import Seen
from accord.data.io.tables.headerless import NO_HEADER
from accord.data.io.tables.roles import ANNOTATOR, ITEM, Roles, first_of, listed, resolve, taken_as_item
from accord.data.io.tables.signs import refuse_other_names, signs_of
from accord.data.io.tables.sources import Source
from accord.data.io.tables.variables import by_pattern
from accord.data.io.tables.wide import looked_into
from accord.data.model.labels import Label, counts_of, label_name
from accord.data.model.numbered import Numbered, Unnamed
from accord.data.model.ratings import Feature, Ratings
from accord.data.model.repeats import settled

_LAST = 6  # rows below which nothing stands


def holds(sources: Sequence[Source], how: Reading) -> bool:  # noqa: ARG001
    """Labels of items are what every other table is taken for."""
    return True


def read(sources: Sequence[Source], how: Reading, declared: Declared) -> dict[str, Ratings]:  # noqa: ARG001
    return read_ratings(sources, how)


def read_ratings(sources: Sequence[Source], how: Reading) -> dict[str, Ratings]:
    """Ratings by variable, in the order of the columns."""
    if how.layout in {"counts", "confusion"}:
        if len(sources) > 1:
            raise DataError(f"--layout {how.layout} takes one file at a time")
        return {"label": read_counts(sources[0], how)}
    several = len(sources) > 1
    tables = [entries for source in sources for entries in Entries.all_of(source, how, several)]
    variables = list(dict.fromkeys(v for table in tables for v in table.variables))
    return {v: assembled(v, [t for t in tables if v in t.variables], how) for v in variables}


@dataclass(frozen=True)
class Counted:
    """Of a table whose equal items were counted: for how many labels each entry stands, and how many items each is."""

    labels: NDArray[np.int64]
    items: NDArray[np.int64]


@dataclass
class Entries:
    """A table as entries: one per cell that may hold a label."""

    source: Source
    roles: Roles
    item: Column
    annotator: Column
    row: Codes | None  # the table's row of each entry; None: entry i is row i
    variables: dict[str, Column]
    features: dict[str, Column]
    notes: list[str] = field(default_factory=list)
    counted: Counted | None = None

    @classmethod
    def all_of(cls, source: Source, how: Reading, several: bool) -> list[Entries]:
        """Of one table: one for each variable of a wide table, one for all variables of a long one."""
        header = source.header
        for column in how.needed:
            if column not in header and not (several and column == "file"):
                raise UnknownName("column", column, header)
        needed = [c for c in how.needed if c in header]
        roles = roles_of(source, how, needed, several)
        if roles.grid is None:
            return [cls._of(source, how, roles, needed, several)]
        made = []
        for variable, columns in roles.grid.items():
            alone = replace(roles, labels=tuple(columns.values()))
            entries = cls._of(source, how, alone, needed, several)
            entries.variables = {variable: entries.variables["label"]}
            entries.annotator = Column(entries.annotator.codes, tuple(columns))
            made.append(entries)
        return made

    @classmethod
    def _of(cls, source: Source, how: Reading, roles: Roles, needed: list[str], several: bool) -> Entries:
        crossed = roles.layout in {"wide", "rows"}
        wanted = [
            c for c in (roles.item, roles.annotator, *(() if crossed else roles.labels), *needed) if c is not None
        ]
        columns, cells, rows = without_blank(*source.load(list(dict.fromkeys(wanted)), roles.labels if crossed else ()))
        if cells is None:
            entries = cls._of_long(source, roles, columns)
        elif roles.layout == "rows":
            entries = cls._of_rows(source, roles, columns, cells)
        else:
            entries = cls._of_wide(source, roles, columns, cells)
            _refuse_summaries(entries)
            if hint := sums_noted(cells, len(cells.codes) // len(roles.labels)):
                entries.notes.append(hint)
        if rows is not None:
            entries.row = rows if entries.row is None else rows[entries.row]
        repeat = len(roles.labels) if crossed else 1
        entries.features = {c: Column(np.repeat(columns[c].codes, repeat), columns[c].names) for c in needed}
        if isinstance(source, DelimitedTable) and source.named == () and not how.no_header:
            entries.notes.append(NO_HEADER)
        entries.notes.extend(roles.notes)
        if several and "file" in how.needed and "file" not in source.header:
            entries.features["file"] = _constant(Path(source.name).name, len(entries.item.codes))
        return entries

    @classmethod
    def _of_long(cls, source: Source, roles: Roles, columns: dict[str, Column]) -> Entries:
        assert roles.item is not None  # noqa: S101
        n = len(columns[roles.item].codes)
        annotator = columns[roles.annotator] if roles.annotator else _constant(Path(source.name).stem, n)
        variables = {v: columns[v] for v in roles.labels}
        return cls(source, roles, columns[roles.item], annotator, None, variables, {})

    @classmethod
    def _of_wide(cls, source: Source, roles: Roles, columns: dict[str, Column], cells: Column) -> Entries:
        r = len(roles.labels)
        n = len(cells.codes) // r
        row = np.repeat(np.arange(n, dtype=np.int32), r)
        if roles.item is None:
            item = Column(row, Numbered(n))
        else:
            item = Column(columns[roles.item].codes[row], columns[roles.item].names)
        annotator = Column(np.tile(np.arange(r, dtype=np.int32), n), roles.labels)
        return cls(source, roles, item, annotator, row, {"label": cells}, {})

    @classmethod
    def _of_rows(cls, source: Source, roles: Roles, columns: dict[str, Column], cells: Column) -> Entries:
        r = len(roles.labels)
        row = np.repeat(np.arange(len(cells.codes) // r, dtype=np.int32), r)
        item = Column(np.tile(np.arange(r, dtype=np.int32), len(cells.codes) // r), roles.labels)
        if roles.item is None:
            annotator = Column(row, [f"row {k + 1}" for k in range(len(cells.codes) // r)])
        else:
            annotator = Column(columns[roles.item].codes[row], columns[roles.item].names)
        return cls(source, roles, item, annotator, row, {"label": cells}, {})

    def place(self, entry: int) -> str:
        place = self.source.place(entry if self.row is None else int(self.row[entry]))
        if self.roles.layout in {"wide", "rows"}:
            return f"{place} (column {quoted(self.roles.labels[entry % len(self.roles.labels)])})"
        return place


def roles_of(source: Source, how: Reading, needed: Sequence[str], several: bool) -> Roles:
    """What each column is: as said, by its name, and by what stands in it."""
    header, where = source.header, source.name
    if getattr(source, "unclear", False) and not (how.label or how.item or how.annotator or how.annotators_in):
        raise DataError(
            f"{where}:1: is this a row already, or what the columns are called ({listed(header)})? "
            "Say --no-header if it is a row, --annotators-in columns if they are names of annotators"
        )
    if how.columns is not None:
        return _in_grid(source, how, needed)
    columns: dict[str, Column] = {}
    if how.annotator is None and first_of(header, ANNOTATOR) is None:
        columns = without_blank(*source.load(header))[0]  # a row that is too short is what is said first
    variables = () if set(how.label) & set(header) else how.label  # of a grid that is still to be found
    roles = resolve(
        header,
        where,
        layout="wide" if how.annotators_in in {"rows", "columns"} else how.layout,
        item=how.item,
        annotator=how.annotator,
        label=() if variables else how.label,
        needed=needed,
        file_is_annotator=several,
    )
    if roles.layout == "wide" and columns and not (how.label or how.layout or how.annotators_in):
        refuse_confusion(header, columns, where)
    if roles.layout in {"wide", "rows"} and (variables or not how.label):
        roles = looked_into(roles, columns or without_blank(*source.load(header))[0], how, where)
    elif roles.layout == "wide" and roles.item is None and first_is_distinct(source) and header[0] not in roles.labels:
        roles = replace(roles, item=header[0], notes=(*roles.notes, taken_as_item(header[0])))
    if roles.layout == "long" and roles.annotator is not None:
        who, what = several_candidates(roles, header, how)
        if len(who) > 1 or len(what) > 1:
            wanted = list(dict.fromkeys([*who, *what, roles.annotator]))
            roles = chosen_among(roles, who, what, without_blank(*source.load(wanted))[0], where)
    roles = _of_variables(roles, variables, header)
    if not roles.aside:
        return roles
    return replace(roles, notes=(*roles.notes, f"not taken as annotators: {', '.join(roles.aside)}"))


def _in_grid(source: Source, how: Reading, needed: Sequence[str]) -> Roles:
    """A wide table of several variables whose columns are called as `--columns` says."""
    assert how.columns is not None  # noqa: S101
    header = source.header
    grid = by_pattern(how.columns, [h for h in header if h != how.item and h not in needed], source.name)
    taken = tuple(name for cells in grid.values() for name in cells.values())
    rest = [h for h in header if h not in taken]
    if how.item is not None and how.item not in header:
        raise UnknownName("item column", how.item, header)
    item = (
        how.item or first_of(rest, ITEM) or next((h for h in rest if Seen(h, source.load([h])[0][h]).never_twice), None)
    )
    aside = [h for h in rest if h != item]
    notes = (f"not taken as annotators: {', '.join(aside)}",) if aside else ()
    return _of_variables(Roles("wide", item, None, taken, notes, grid=grid), how.label, header)


def _of_variables(roles: Roles, variables: Sequence[str], header: Sequence[str]) -> Roles:
    """Those variables of a grid that `--label` names."""
    if not variables:
        return roles
    for name in variables:
        if roles.grid is None or name not in roles.grid:
            raise UnknownName("label column", name, roles.grid or header)
    return replace(roles, grid={name: roles.grid[name] for name in variables} if roles.grid else None)


def _refuse_summaries(table: Entries) -> None:
    """A total or a mean below the items is no item: it is called so, and its numbers are no labels of others."""
    names, width = table.item.names, len(table.roles.labels)
    if isinstance(names, Numbered):
        return
    items, cells = table.item.codes[::width], table.variables["label"]
    last = [row for row in range(max(0, len(items) - _LAST), len(items)) if items[row] >= 0]
    summed = [row for row in last if is_summary(label_name(names[items[row]]))]
    inside = cells.codes.reshape(-1, width)
    others = {-1, cells.empty, *np.delete(inside, summed, axis=0).ravel().tolist()} if summed else set()
    for row in summed:
        if set(inside[row].tolist()) - {-1, cells.empty} and not set(inside[row].tolist()) & (
            others - {-1, cells.empty}
        ):
            name = quoted(label_name(names[items[row]]))
            raise DataError(f"{table.place(row * width)}: {name} is no item, but sums up those above: take the row out")


def _constant(name: str, n: int) -> Column:
    return Column(np.zeros(n, dtype=np.int32), [name])


def assembled(variable: str, tables: Sequence[Entries], how: Reading) -> Ratings:
    """One Ratings from the entries of all tables; of one that was counted, from its alone."""
    counted = tables[0].counted
    times = None if counted is None else counted.labels
    columns = [table.variables[variable] for table in tables]
    cleaned = clean_together(columns, how, [(table.source.is_file, table.place) for table in tables], times)
    item = stacked([table.item for table in tables], as_text=True)
    annotator = stacked([table.annotator for table in tables], as_text=True)
    label = stacked([one.column for one in cleaned])
    _filled(tables, item, annotator, label)
    annotators = tuple(label_name(name) for name in annotator.names)
    names = list(dict.fromkeys(name for table in tables for name in table.features))
    features = {}
    for name in names:
        column = stacked([table.features[name] for table in tables])
        features[name] = Feature(column.codes, tuple(label_name(lab) for lab in column.names))
    starts = np.cumsum([0, *(len(table.item.codes) for table in tables)])

    def places(entry: int) -> str:
        which = int(np.searchsorted(starts, entry, side="right")) - 1
        return tables[which].place(entry - int(starts[which]))

    every = [note for table, one in zip(tables, cleaned, strict=True) for note in (*table.notes, *one.notes)]
    notes = tuple(dict.fromkeys(every))
    # Choices come first: what is left out can neither repeat a label nor need a category.
    labelled = label.codes >= 0
    label, said = chosen(label, features, annotators, annotator.codes, how, times)
    read = Ratings.assemble(
        item=item.codes,
        items=_item_names(item.names),
        annotator=annotator.codes,
        annotators=annotators,
        label=label.codes,
        labels=label.names,
        categories=declared_categories(how, label),
        features=features,
        variable=variable,
        places=places,
        notes=(*notes, *two_types(label), *order_noted(how, label), *missing_noted(cleaned), *said),
    )
    if counted is not None:
        read = replace(read, items=Unnamed(len(counted.items)), times=counted.items)
    ratings = settled(read, how.repeats, how.by)
    if said:  # items that the choice emptied are not there; those that nobody labelled are, and are reported
        before = counts_of(item.codes[labelled], len(item.names)) > 0
        ratings = ratings.only_items((ratings.sizes > 0) | ~before) if len(ratings.items) == len(before) else ratings
    crossed = sum(len(table.item.codes) for table in tables if table.roles.layout in {"wide", "rows"})
    ratings = merged(ratings, how)
    refuse_other_names(ratings)
    by_name = len(tables) == 1 and counted is None and how.item is None and tables[0].roles.annotator is not None
    if by_name and not ratings.n_pairable:
        source = tables[0].source
        refuse_numbers_of_rows(tables[0].roles, without_blank(*source.load(source.header))[0], source.name)
    return ratings.with_notes(*signs_of(ratings, 0 if said else crossed))


def _filled(tables: Sequence[Entries], item: Column, annotator: Column, label: Column) -> None:
    """A label without item or annotator is an error; a row without all three is blank and passed over."""
    starts = np.cumsum([0, *(len(table.item.codes) for table in tables)])
    for what, column in (("item", item), ("annotator", annotator)):
        empty = column.is_empty()
        if empty is None:
            continue
        bad = np.flatnonzero(empty & (label.codes >= 0))
        if len(bad):
            which = int(np.searchsorted(starts, bad[0], side="right")) - 1
            place = tables[which].place(int(bad[0] - starts[which]))
            raise DataError(f"{place}: the {what} is empty, but there is a label")


def _item_names(names: Sequence[Label]) -> Sequence[str]:
    """Names are text or numbers; what else a program or JSON may name an item by (a date, a list) is spelled out."""
    if not isinstance(names, list) or all(isinstance(name, str | int | float) for name in names):
        return names  # type: ignore[return-value]
    return [name if isinstance(name, str | int | float) else label_name(name) for name in names]  # type: ignore[misc]

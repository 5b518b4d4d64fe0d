"""Tables of labels → Ratings: long and wide; missing labels, folding, sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from accord.arrays import Codes
from accord.errors import DataError, UnknownName, quoted
from accord.io.reading import Declared, Reading
from accord.io.tables.choices import chosen, merged
from accord.io.tables.cleaning import clean, declared_categories, missing_noted, two_types
from accord.io.tables.columns import Column, stacked, without_blank
from accord.io.tables.counts import first_is_distinct, looks_counted, read_counts
from accord.io.tables.roles import ANNOTATOR, Roles, plain_name, resolve
from accord.io.tables.sources import Source
from accord.model.labels import counts_of, label_name
from accord.model.ratings import Feature, Numbered, Ratings
from accord.model.repeats import settled


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
    tables = [_Entries.of(source, how, several) for source in sources]
    variables = list(dict.fromkeys(v for table in tables for v in table.variables))
    return {v: _assembled(v, [t for t in tables if v in t.variables], how) for v in variables}


@dataclass
class _Entries:
    """A table as entries: one per cell that may hold a label."""

    source: Source
    roles: Roles
    item: Column
    annotator: Column
    row: Codes | None  # the table's row of each entry; None: entry i is row i
    variables: dict[str, Column]
    features: dict[str, Column]
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, source: Source, how: Reading, several: bool) -> _Entries:
        header = source.header
        for column in how.needed:
            if column not in header and not (several and column == "file"):
                raise UnknownName("column", column, header)
        needed = [c for c in how.needed if c in header]
        roles = resolve(
            header,
            source.name,
            layout=how.layout,
            item=how.item,
            annotator=how.annotator,
            label=how.label,
            needed=needed,
            distinct_first=first_is_distinct(source) if _maybe_wide(header) else False,
            file_is_annotator=several,
        )
        wide = roles.layout == "wide"
        wanted = [c for c in (roles.item, roles.annotator, *(() if wide else roles.labels), *needed) if c is not None]
        columns, cells, rows = without_blank(*source.load(list(dict.fromkeys(wanted)), roles.labels if wide else ()))
        if cells is not None:
            entries = cls._of_wide(source, roles, columns, cells)
        else:
            entries = cls._of_long(source, roles, columns)
        if rows is not None:
            entries.row = rows if entries.row is None else rows[entries.row]
        repeat = len(roles.labels) if wide else 1
        entries.features = {c: Column(np.repeat(columns[c].codes, repeat), columns[c].names) for c in needed}
        entries.notes.extend(roles.notes)
        if several and "file" in how.needed and "file" not in header:
            entries.features["file"] = _constant(Path(source.name).name, len(entries.item.codes))
        return entries

    @classmethod
    def _of_long(cls, source: Source, roles: Roles, columns: dict[str, Column]) -> _Entries:
        assert roles.item is not None  # noqa: S101
        n = len(columns[roles.item].codes)
        annotator = columns[roles.annotator] if roles.annotator else _constant(Path(source.name).stem, n)
        variables = {v: columns[v] for v in roles.labels}
        return cls(source, roles, columns[roles.item], annotator, None, variables, {})

    @classmethod
    def _of_wide(cls, source: Source, roles: Roles, columns: dict[str, Column], cells: Column) -> _Entries:
        r = len(roles.labels)
        n = len(cells.codes) // r
        row = np.repeat(np.arange(n, dtype=np.int32), r)
        if roles.item is None:
            item = Column(row, Numbered(n))
        else:
            item = Column(columns[roles.item].codes[row], columns[roles.item].names)
        annotator = Column(np.tile(np.arange(r, dtype=np.int32), n), roles.labels)
        made = cls(source, roles, item, annotator, row, {"label": cells}, {})
        if hint := looks_counted(roles, item, cells, n):
            made.notes.append(hint)
        return made

    def place(self, entry: int) -> str:
        place = self.source.place(entry if self.row is None else int(self.row[entry]))
        if self.roles.layout == "wide":
            return f"{place} (column {quoted(label_name(self.annotator.names[int(self.annotator.codes[entry])]))})"
        return place


def _maybe_wide(header: Sequence[str]) -> bool:
    return not any(plain_name(h) in ANNOTATOR for h in header)


def _constant(name: str, n: int) -> Column:
    return Column(np.zeros(n, dtype=np.int32), [name])


def _assembled(variable: str, tables: Sequence[_Entries], how: Reading) -> Ratings:
    """One Ratings from the entries of all tables."""
    cleaned = [clean(t.variables[variable], how, t.source.is_file, t.place) for t in tables]
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
    label, said = chosen(label, features, annotators, annotator.codes, how)
    read = Ratings.assemble(
        item=item.codes,
        items=item.names,  # type: ignore[arg-type]
        annotator=annotator.codes,
        annotators=annotators,
        label=label.codes,
        labels=label.names,
        categories=declared_categories(how),
        features=features,
        variable=variable,
        places=places,
        notes=(*notes, *two_types(label), *missing_noted(cleaned), *said),
    )
    ratings = settled(read, how.repeats, how.by)
    if said:  # items that the choice emptied are not there; those that nobody labelled are, and are reported
        before = counts_of(item.codes[labelled], len(item.names)) > 0
        ratings = ratings.only_items((ratings.sizes > 0) | ~before) if len(ratings.items) == len(before) else ratings
    return merged(ratings, how)


def _filled(tables: Sequence[_Entries], item: Column, annotator: Column, label: Column) -> None:
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

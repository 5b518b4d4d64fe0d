"""Read tables of labels as Ratings: long and wide, with missing labels, folding and sets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes, Floats
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.io.reading import Declared, Reading
from accord.data.io.tables.cleaning import (
    LIKE_MISSING,
    apply_merge,
    clean_together,
    declared_categories,
    keep_chosen,
    leave_out_computed,
    note_missing,
    note_order,
    note_two_types,
    refuse_other_case,
)
from accord.data.io.tables.columns import Column, cells_of, places_of, stacked, stacked_features, without_blank
from accord.data.io.tables.counts import as_count, check_options, is_summary, note_equal_sums, read_counts
from accord.data.io.tables.delimited import DelimitedTable
from accord.data.io.tables.header import NO_HEADER
from accord.data.io.tables.layout import roles_of
from accord.data.io.tables.long_rules import refuse_numbers_of_rows
from accord.data.io.tables.mapping import with_key
from accord.data.io.tables.roles import ITEM, Roles, in_full
from accord.data.io.tables.several import describe_other_items, named_by_file
from accord.data.io.tables.sources import Source, in_memory
from accord.data.io.tables.wide_rules import MANY_BY_ROW, MANY_ITEMS
from accord.data.kinds import ITEMS
from accord.data.model.labels import Label, as_number, counts_of, label_name
from accord.data.model.measurement import Measurement
from accord.data.model.ratings import Numbered, Ratings, Unnamed
from accord.data.model.repeats import settle_repeats

_LAST = 6  # last rows that are examined for totals


def holds(sources: Sequence[Source], how: Reading) -> bool:  # noqa: ARG001
    """Return True, because every other table is read as labels of items."""
    return True


def read(sources: Sequence[Source], how: Reading, declared: Declared) -> dict[str, Ratings]:  # noqa: ARG001
    return read_ratings(sources, how)


def read_ratings(sources: Sequence[Source], how: Reading) -> dict[str, Ratings]:
    """Return ratings by variable, in the order of columns."""
    if how.layout in {"counts", "confusion"}:
        if len(sources) > 1:
            raise DataError(
                "layout-unclear",
                f"--layout {how.layout} takes one file, but {len(sources)} are given; read each file separately",
            )
        return {"label": read_counts(sources[0], how)}
    several = len(sources) > 1
    if not several and (votes := _read_votes(sources[0], how)):
        return votes
    tables = [entries for source in sources for entries in Entries.all_of(source, how, several)]
    tables = _apart_by_file(sources, tables, how)
    variables = list(dict.fromkeys(v for table in tables for v in table.variables))
    return {v: assembled(v, [t for t in tables if v in t.variables], how) for v in variables}


def _read_votes(source: Source, how: Reading) -> dict[str, Ratings] | None:
    """Read columns of votes that the rules recognise; return None for other tables."""
    if how.layout is not None or how.label or how.annotator or how.annotators_in or how.anonymous or how.needed:
        return None
    roles = roles_of(source, how, (), several=False)
    if roles.layout != "counts":
        return None
    counts = replace(how, layout="counts", item=roles.item, label=roles.labels)
    return {"label": read_counts(source, counts).with_notes(*roles.notes)}


def _apart_by_file(sources: Sequence[Source], tables: list[Entries], how: Reading) -> list[Entries]:
    """Return tables with the file in the names of items, if files have other items with the same names.

    An annotator then has an item in several files, and texts or other columns differ.
    """
    roles = tables[0].roles
    files = {table.source.name for table in tables}
    if len(files) < 2 or len(files) < len(sources) or how.repeats != "error" or how.by or roles.key:
        return tables
    if any(table.roles.item != roles.item or not table.source.is_file for table in tables):
        return tables
    if sum(len(table.item.codes) for table in tables) > _MOST_COMPARED:
        return tables
    seen: dict[tuple[str, str, str], str] = {}
    again = False
    for table in tables:
        for variable in table.variables:
            pairs = zip(cells_of(table.item), cells_of(table.annotator), strict=True)
            again = again or any(
                seen.setdefault((variable, *pair), table.source.name) != table.source.name for pair in pairs
            )
    labels = {name for table in tables for name in (*table.roles.labels, table.roles.annotator or "")}
    if not again or not describe_other_items(sources, roles.item, tuple(labels)):
        return tables
    tables[0].notes.append(
        f"items of the same name in {Path(tables[0].source.name).name} and other files have other texts, so they are "
        "different items, named after the file"
    )
    return [replace(table, item=named_by_file(table.item, table.source.name)) for table in tables]


@dataclass(frozen=True)
class Counted:
    """A table of counted items: the number of labels of each entry and the number of items of each kind."""

    labels: NDArray[np.int64]
    items: NDArray[np.int64]


@dataclass
class Entries:
    """A table as entries, one per cell that may have a label."""

    source: Source
    roles: Roles
    item: Column
    annotator: Column
    row: Codes | None  # the row of each entry; None: entry i is row i
    variables: dict[str, Column]
    features: dict[str, Column]
    notes: list[str] = field(default_factory=list)
    counted: Counted | None = None

    @classmethod
    def all_of(cls, source: Source, how: Reading, several: bool) -> list[Entries]:
        """Read one table: an object per variable of a wide table, one object for a long table."""
        header = source.header
        for column in how.needed:
            if column not in header and not (several and column == "file"):
                raise UnknownName("column", column, header)
        needed = [c for c in how.needed if c in header]
        roles = roles_of(source, how, needed, several)
        source = with_key(source, roles.key)
        if roles.grid is None:
            return [cls._of(source, how, roles, needed, several)]
        tables = []
        for variable, columns in roles.grid.items():
            alone = replace(roles, labels=tuple(columns.values()))
            entries = cls._of(source, how, alone, needed, several)
            entries.variables = {variable: entries.variables["label"]}
            entries.annotator = Column(entries.annotator.codes, tuple(columns))
            tables.append(entries)
        return tables

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
            kept = _items_alone(roles, columns, cells)
            if kept is not None:
                rows = kept if rows is None else rows[kept]
                summaries = len(cells.codes) // len(roles.labels) - len(kept)
                columns, cells = _at_rows(columns, cells, kept)
            entries = cls._of_wide(source, roles, columns, cells)
            if kept is not None:
                entries.notes.append(
                    f"{source.name}: {counted(summaries, 'row')} below the items left out: totals or means"
                )
            if roles.namers:
                entries.annotator = _annotators_of_cells(source, roles, rows)
            if hint := note_equal_sums(cells, len(cells.codes) // len(roles.labels)):
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
        assert roles.item is not None
        n = len(columns[roles.item].codes)
        if roles.anonymous:
            annotator = _numbered_within(columns[roles.item])
        else:
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


def _items_alone(roles: Roles, columns: dict[str, Column], cells: Column) -> NDArray[np.intp] | None:
    """Return the rows without totals or means below the items; None if there are none.

    The name of such a row shows what it is, and its numbers are not labels of other rows.
    """
    width = len(roles.labels)
    inside = cells.codes.reshape(-1, width)
    if roles.item is None or isinstance(columns[roles.item].names, Numbered):
        return None
    names, items = columns[roles.item].names, columns[roles.item].codes
    last = [row for row in range(max(0, len(items) - _LAST), len(items)) if items[row] >= 0]
    named = [row for row in last if is_summary(label_name(names[items[row]]))]
    if not named:
        return None
    nothing = {-1, cells.empty}
    others = set(np.delete(inside, named, axis=0).ravel().tolist()) - nothing
    summed = [row for row in named if set(inside[row].tolist()) - nothing and not set(inside[row].tolist()) & others]
    return np.delete(np.arange(len(items)), summed) if summed else None


def _at_rows(columns: dict[str, Column], cells: Column, kept: NDArray[np.intp]) -> tuple[dict[str, Column], Column]:
    """Return columns and cells of these rows, without names that occur on other rows only."""
    inside = cells.codes.reshape(len(next(iter(columns.values())).codes), -1)[kept].ravel()
    left = {name: Column(column.codes[kept], column.names, column.order) for name, column in columns.items()}
    return {name: _with_used_names(column) for name, column in left.items()}, _with_used_names(
        Column(inside, cells.names, cells.order)
    )


def _with_used_names(column: Column) -> Column:
    used, codes = np.unique(column.codes, return_inverse=True)
    names = [column.names[int(code)] for code in used if code >= 0]
    shift = int(bool(len(used)) and used[0] < 0)
    return Column((codes.reshape(-1) - shift).astype(column.codes.dtype), names, column.order)


def _annotators_of_cells(source: Source, roles: Roles, rows: NDArray[np.intp] | None) -> Column:
    """Return the annotator of each label of a wide table in which other columns name them."""
    names = source.load([], roles.namers)[1]
    assert names is not None
    codes = names.codes.reshape(-1, len(roles.namers))
    return Column((codes if rows is None else codes[rows]).ravel(), names.names)


def _numbered_within(item: Column) -> Column:
    """Return a number for each row of an item: the labels of unknown annotators, in the order of the file."""
    order = np.argsort(item.codes, kind="stable")
    codes = item.codes[order]
    first = np.concatenate([[True], codes[1:] != codes[:-1]]) if len(codes) else np.zeros(0, dtype=bool)
    start = np.maximum.accumulate(np.where(first, np.arange(len(codes)), 0))
    number = np.empty(len(codes), dtype=np.int32)
    number[order] = np.arange(len(codes)) - start
    return Column(number, [str(k + 1) for k in range(int(number.max(initial=-1)) + 1)])


def _constant(name: str, n: int) -> Column:
    return Column(np.zeros(n, dtype=np.int32), [name])


def assembled(variable: str, tables: Sequence[Entries], how: Reading) -> Ratings:
    """Assemble one Ratings from the entries of all tables. A counted table must be the only one."""
    counted = tables[0].counted
    times = None if counted is None else counted.labels
    columns = [table.variables[variable] for table in tables]
    cleaned = clean_together(columns, how, [(table.source.is_file, table.place) for table in tables], times)
    item = stacked([table.item for table in tables], as_text=True)
    annotator = stacked([table.annotator for table in tables], as_text=True)
    label = stacked([part.column for part in cleaned])
    places = places_of(tables, (len(table.item.codes) for table in tables))
    _filled({"item": item, "annotator": annotator}, label, places)
    annotators = tuple(label_name(name) for name in annotator.names)
    names = list(dict.fromkeys(name for table in tables for name in table.features))
    features = stacked_features(tables, names)
    every = [note for table, part in zip(tables, cleaned, strict=True) for note in (*table.notes, *part.notes)]
    notes = tuple(dict.fromkeys(every))
    # Selections come first, because removed labels cannot repeat others or need a category.
    labelled = label.codes >= 0
    label, choices = keep_chosen(label, features, annotators, annotator.codes, how, times)
    if all(table.roles.layout in {"long", "rows"} and not table.roles.anonymous for table in tables):
        label, without = leave_out_computed(label, annotators, annotator.codes, how)
        choices += without
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
        notes=(*notes, *note_two_types(label), *note_order(how, label), *note_missing(cleaned), *choices),
    )
    if label.order and how.categories is None:
        read = replace(read, level=Measurement("ordinal", "file", "ordered factor"))
    if counted is not None:
        read = replace(read, items=Unnamed(len(counted.items)), times=counted.items)
    ratings = settle_repeats(read, how.repeats, how.by)
    if choices:  # drops items emptied by the selection; items without any label stay and are reported
        before = counts_of(item.codes[labelled], len(item.names)) > 0
        ratings = ratings.only_items((ratings.sizes > 0) | ~before) if len(ratings.items) == len(before) else ratings
    crossed = sum(len(table.item.codes) for table in tables if table.roles.layout in {"wide", "rows"})
    ratings = apply_merge(ratings, how)
    refuse_other_names(ratings)
    refuse_other_case(ratings)
    _refuse_codes_for_nothing(ratings)
    if any(table.roles.anonymous for table in tables):
        ratings = ratings.anonymised()
    by_name = len(tables) == 1 and counted is None and how.item is None and tables[0].roles.annotator is not None
    if by_name and not ratings.n_pairable:
        source = tables[0].source
        refuse_numbers_of_rows(tables[0].roles, without_blank(*source.load(source.header))[0], source.name)
    return ratings.with_notes(*note_signs(ratings, 0 if choices else crossed))


def _filled(columns: Mapping[str, Column], label: Column, place: Callable[[int], str]) -> None:
    """Refuse a label without item or annotator. A row without all three is blank and skipped."""
    for what, column in columns.items():
        empty = column.is_empty()
        if empty is not None and (bad := np.flatnonzero(empty & (label.codes >= 0))).size:
            raise DataError(
                "empty-cell",
                f"{place(int(bad[0]))}: the {what} is empty, but the row has a label; fill in the {what}, or delete "
                "the label",
            )


def _item_names(names: Sequence[Label]) -> Sequence[str]:
    """Return names as text or numbers. Other names, such as dates or lists from Python or JSON, become text."""
    if not isinstance(names, list) or all(isinstance(name, str | int | float) for name in names):
        return names  # type: ignore[return-value]
    return [name if isinstance(name, str | int | float) else label_name(name) for name in names]  # type: ignore[misc]


# -- Rows of labels in memory --


def read_rows(rows: Any, how: Reading) -> Ratings:
    """Read rows of labels in memory: one list per item with a label per annotator, or counts, or a confusion matrix."""
    rows = _checked_rows(rows)
    array = rows if isinstance(rows, np.ndarray) else None
    if how.layout is not None and how.layout not in ITEMS.layouts:
        raise SpecError(
            "option-not-for-data",
            f"rows of labels cannot be read with --layout {how.layout}; give a dict of columns instead",
        )
    if how.layout == "long":
        raise SpecError(
            "option-not-for-data",
            "rows of labels are wide: one row per item, one column per annotator; leave out --layout long, or give a "
            "dict of the columns item, annotator and label",
        )
    if how.item or how.annotator or how.by or how.keep or how.label:
        raise SpecError(
            "option-not-for-data",
            "rows of labels have no named columns; give a dict of columns or a table to use item, annotator, label or "
            "by",
        )
    if how.annotators_in == "rows":
        rows = rows.T if array is not None else list(zip(*_of_equal_length(rows), strict=True))
        array = rows if isinstance(rows, np.ndarray) else None
    plain = Reading(missing=how.missing, fold=how.fold, sets=how.sets, only=how.only, annotators=how.annotators,
                    merge=how.merge, categories=how.categories, repeats=how.repeats)  # fmt: skip
    if how.layout in {"counts", "confusion"}:
        check_options(how)
        table = _numbers_in(rows, how.layout)
        names = how.categories or tuple(range(1, table.shape[1] + 1))
        counted = Ratings.from_counts(table, names) if how.layout == "counts" else Ratings.from_confusion(table, names)
        return apply_merge(counted.only_annotators(how.annotators) if how.annotators else counted, how)
    if array is not None and array.dtype.kind in "iuf" and plain == Reading(categories=how.categories):
        return Ratings.from_rows(array, categories=how.categories).with_notes(*_lying(array, how))
    lists: Sequence[Sequence[object]] = array.tolist() if array is not None else _of_equal_length(rows)
    columns = {f"A{g + 1}": [row[g] for row in lists] for g in range(len(lists[0]))}
    wide = Reading(**{**plain.__dict__, "layout": "wide", "label": tuple(columns)})
    return read_ratings([in_memory(columns)], wide)["label"].with_notes(*_lying(lists, how))


def _checked_rows(rows: Any) -> Any:
    """Return rows of labels, with masked cells as missing."""
    if isinstance(rows, np.ma.MaskedArray):
        hidden, rows = np.ma.getmaskarray(rows), rows.data.astype(object)
        rows[hidden] = None
    if isinstance(rows, np.ndarray):
        if rows.ndim != 2:
            raise DataError(
                "invalid-python-data",
                f"an array of ratings must have two dimensions, items × annotators, but this one has {rows.ndim}; "
                "reshape it",
            )
    elif not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        raise DataError(
            "invalid-python-data",
            "not every row is a list; give one list per item with one label per annotator, e.g. [[1, 1], [1, 2]]",
        )
    if len(rows) == 0 or len(rows[0]) == 0:
        raise DataError(
            "nothing-annotated", "the rows contain no labels; give one list per item with one label per annotator"
        )
    first = rows[0][0]
    if (
        isinstance(first, str)
        and first.strip().lower() in ITEM
        and all(str(row[0]) != first for row in rows[1:] if len(row))
    ):
        raise DataError(
            "header-row",
            f"the first row is a header row ({quoted(first)} …), but rows may contain only labels; give a dict of "
            "columns",
        )
    return rows


def _numbers_in(rows: Any, layout: str) -> Floats:
    try:
        return np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # an integer of 400 digits
        pass
    for number, row in enumerate(rows, 1):
        for cell in row:
            if np.isnan(as_count(cell)):
                raise DataError(
                    "invalid-counts", f"row {number}: {quoted(cell)} is not a count; write a whole number of at least 0"
                ) from None
    raise DataError(
        "invalid-counts", f"--layout {layout} needs rows of equal length; fill missing cells with 0"
    ) from None


def _of_equal_length(rows: Sequence[Sequence[object]]) -> Sequence[Sequence[object]]:
    width = max(len(row) for row in rows)
    for i, row in enumerate(rows):
        if len(row) != width:
            raise DataError(
                "uneven-rows",
                f"row {i + 1} has {len(row)} labels, but others have {width}; fill missing labels with None",
            )
    return rows


def _lying(rows: Any, how: Reading) -> tuple[str, ...]:
    """Return a note if there are few items and many annotators, because rows and columns may be swapped."""
    if how.annotators_in is not None or len(rows[0]) < max(MANY_ITEMS, MANY_BY_ROW * len(rows)) or len(rows) < 2:
        return ()
    return (f'{len(rows)} items, {len(rows[0])} annotators; if rows are annotators, use annotators_in="rows"',)


# -- Notes on data that look unusual. They change nothing. --


_FEW_SHARED = 0.05  # share of the items
_ENOUGH = 20  # items needed for the note
_MANY_LABELS = 1000
_A_FEW = 7  # fewer items do not show what the first line is
_OF_A_SCALE = 0.6  # share of the whole numbers of a scale that occur as labels
_FEW_WORDS = 2  # words among numbers that may mean missing
_MOSTLY = 0.9
_MOST_COMPARED = 100_000  # items with names that are compared
_FOR_NOTHING = {-1, -7, -8, -9, -77, -88, -99, -999, -9999, 8, 9, 77, 88, 97, 98, 99, 777, 888, 998, 999, 9998, 9999}
_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,4}")  # file suffix, as in d1.txt


def note_signs(ratings: Ratings, cells: int) -> tuple[str, ...]:
    """Return notes on unusual data. `cells` is the number of cells that could contain labels."""
    if not ratings.identified or not len(ratings):
        return ()
    signs = (
        _alone(ratings, cells),
        _alike(ratings),
        _empty(ratings, cells),
        _apart(ratings),
        _like_text(ratings),
        _like_names(ratings),
        _first_row(ratings, cells),
        _words_among_numbers(ratings),
    )
    return tuple(note for notes in signs for note in notes)


def _alike(ratings: Ratings) -> tuple[str, ...]:
    """Return notes on annotators with names that differ only by case or spaces."""
    groups: dict[str, list[str]] = {}
    for name in ratings.present:
        groups.setdefault(" ".join(name.split()).casefold(), []).append(name)
    return tuple(
        f"annotators {', '.join(map(quoted, names))} differ only by case or spaces; if they are the same person, spell "
        "the name the same way"
        for names in groups.values()
        if len(names) > 1
    )


def _empty(ratings: Ratings, cells: int) -> tuple[str, ...]:
    missing = 1 - len(ratings) / cells if cells else 0.0
    if missing < _MOSTLY or cells < _ENOUGH:
        return ()
    return (f"{missing:.0%} of the labels are missing; if not all columns are annotators, name those with --label",)


def _apart(ratings: Ratings) -> tuple[str, ...]:
    """Return notes on annotators without common items."""
    notes = []
    if ratings.n_items >= _ENOUGH and ratings.n_pairable < _FEW_SHARED * ratings.n_items:
        how = f" ({same[0]} and {same[1]} may be the same)" if (same := _called_otherwise(ratings)) else ""
        few = f"only {ratings.n_pairable:,} of {ratings.n_items:,} items have two labels"
        notes.append(f"{few}; check that all annotators use the same names of items{how}")
    together = (ratings.sizes > 1)[ratings.item]
    shared = np.bincount(ratings.annotator[together], minlength=len(ratings.annotators)) > 0
    alone = np.flatnonzero(ratings.took_part & ~shared)
    if len(alone) and shared.any():
        names = ", ".join(quoted(ratings.annotators[a]) for a in alone[:3]) + (" …" if len(alone) > 3 else "")
        notes.append(f"{counted(len(alone), 'annotator')} without common items with others: {names}")
    return tuple(notes)


def refuse_other_names(ratings: Ratings) -> None:
    """Refuse items that differ only in spelling: 001 and 1, d1 and d1.txt."""
    if ratings.n_pairable or not ratings.identified or not (same := _called_otherwise(ratings)):
        return
    raise DataError(
        "nothing-shared",
        f"no two annotators labelled the same item, but {same[0]} and {same[1]} may be the same item; spell the names "
        "of items the same way for all annotators",
    )


def _called_otherwise(ratings: Ratings) -> tuple[str, str] | None:
    return (
        named_otherwise([label_name(name) for name in ratings.items]) if len(ratings.items) <= _MOST_COMPARED else None
    )


def named_otherwise(items: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that may be one item, if half of the items have such names."""
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(items):
        known.setdefault(_bare(name), []).append(name)
    again = [names for names in known.values() if len(names) > 1]
    if not again or 2 * len(again) < len(known):
        return None
    return quoted(again[0][0]), quoted(again[0][1])


def _bare(name: str) -> str:
    """Return an identifier without folders, suffixes, leading zeros, case and spaces."""
    plain = re.sub(r"\s+", "", name).casefold().replace("\\", "/").rpartition("/")[2]
    number = as_number(plain)
    if number.is_integer():
        return str(int(number))
    return re.sub(r"\d+", lambda digits: digits[0].lstrip("0") or "0", _ENDING.sub("", plain))


def _alone(ratings: Ratings, cells: int) -> tuple[str, ...]:
    """Return a note if there is only one label and most cells are empty, because empty may be a label too."""
    if len(ratings.categories) != 1 or len(ratings) > _MOSTLY * cells or cells < _ENOUGH:
        return ()
    name = quoted(ratings.categories.names[0])
    return (f"{name} is the only label; if an empty cell is a label too, use --keep-empty",)


def _like_text(ratings: Ratings) -> tuple[str, ...]:
    """Return a note on thousands of words that hardly repeat, which may be texts or identifiers."""
    if len(ratings.categories) < _MANY_LABELS or ratings.categories.numeric:
        return ()
    pairs = np.unique(ratings.annotator.astype(np.int64) * len(ratings.categories) + ratings.label)
    different = np.bincount(pairs // len(ratings.categories), minlength=len(ratings.annotators))
    most = int(different.argmax())
    if different[most] < _MANY_LABELS or 2 * different[most] < ratings.labels_per_annotator[most]:
        return ()
    name = quoted(ratings.annotators[most])
    return (f"{name} gave {different[most]:,} different labels; if these are texts, name the labels with --label",)


def _like_names(ratings: Ratings) -> tuple[str, ...]:
    """Return a note if labels are names of annotators, because columns may be confused."""
    if len(ratings.categories) > _MANY_LABELS:
        return ()
    words = [name for name in ratings.categories.names if math.isnan(as_number(name)) and len(name) > 1]
    known = set(ratings.annotators)
    if len(words) < 2 or sum(name in known for name in words) < _MOSTLY * len(words):
        return ()
    return (
        f"the labels are names of annotators ({quoted(words[0])} …); if this is the wrong column, name the labels with "
        "--label COLUMN",
    )


def _first_row(ratings: Ratings, cells: int) -> tuple[str, ...]:
    """Return a note if a column has the name of a label, because the first of few rows may be data."""
    called = [name for name in ratings.present if name in ratings.categories.names]
    if not cells or not called or ratings.n_items >= _A_FEW:
        return ()
    name = quoted(called[0])
    return (f"{name} is both the name of a column and a label; if the first row is data, use --no-header",)


def _refuse_codes_for_nothing(ratings: Ratings) -> None:
    """Refuse 99, 999 or -9 far from all other numbers: surveys use them for no answer.

    As labels, they would change the value and the level of measurement. Declared categories are labels.
    """
    if not ratings.categories.numeric or len(ratings.categories) > _MANY_LABELS or ratings.categories.declared:
        return
    found, others = _numbers_apart(ratings)
    if not found:
        return
    listed, said = ", ".join(map(quoted, found)), " ".join(f"--missing {quoted(name)}" for name in found)
    every = ",".join(name for name, n in zip(ratings.categories.names, ratings.marginals, strict=True) if n)
    raise DataError(
        "missing-unclear",
        f"column {quoted(ratings.variable)}: {counted(sum(found.values()), 'label')} {listed}, while all others are "
        f"{others}; use {said} if this means missing, or --categories {quoted(every, 400)} if it is a label",
    )


def _numbers_apart(ratings: Ratings) -> tuple[dict[str, int], str]:
    """Return usual codes for missing labels that are far from all other numbers, and the range of the others."""
    used = ratings.marginals
    values = np.asarray(ratings.categories.values, dtype=np.float64)
    like = np.isin(values, list(_FOR_NOTHING)) & (used > 0)
    others = values[~like & (used > 0)]
    if not like.any() or len(np.unique(others)) < 2:
        return {}, ""
    low, high = float(others.min()), float(others.max())
    if len(np.unique(others)) < _OF_A_SCALE * (high - low + 1):
        return {}, ""  # codes such as 3, 7, 99
    apart = (values > max(high + 2 * (high - low), 2 * high)) | ((values < 0) & (low >= 0))
    apart &= (values != -1) | (low >= 1)  # -1, 0, 1 are a scale
    found = {ratings.categories.names[int(k)]: int(used[k]) for k in np.flatnonzero(like & apart)}
    return found, f"from {low:g} to {high:g}"


def _words_among_numbers(ratings: Ratings) -> tuple[str, ...]:
    """Return a note on one or two words among numbers, such as unclear."""
    used = [(name, int(n)) for name, n in zip(ratings.categories.names, ratings.marginals, strict=True) if n]
    if len(used) > _MANY_LABELS or ratings.categories.declared:
        return ()
    words = [(name, n) for name, n in used if math.isnan(as_number(name))]
    numbers = [n for name, n in used if not math.isnan(as_number(name))]
    words = [(name, n) for name, n in words if name.strip().casefold() not in LIKE_MISSING]
    if (
        not 0 < len(words) <= _FEW_WORDS
        or len(numbers) + len(words) < len(used)
        or len(numbers) < 2
        or (sum(n for _, n in words) > sum(numbers))
    ):
        return ()
    listed, said = ", ".join(quoted(name) for name, _ in words), " ".join(f"--missing {in_full(w)}" for w, _ in words)
    return (
        f"{counted(sum(n for _, n in words), 'label')} {listed}, while all others are numbers; if this means missing, "
        f"use {said}",
    )

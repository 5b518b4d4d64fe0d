"""Tables → Ratings: long, wide, counts, confusion; missing labels, folding, sets, repetitions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.io.columns import Column, measurements, stacked, without_blank
from accord.io.roles import ANNOTATOR, Layout, Roles, plain_name, resolve
from accord.io.sources import Source
from accord.model.labels import MANY, Categories, Codes, Label, Numbers, counts_of, label_name
from accord.model.ratings import Feature, Numbered, Ratings, Repeats, choose_annotators, merge_labels

_LIKE_MISSING = {"na", "n/a", "nan", "none", "null", "-", "?", "missing", "."}


@dataclass(frozen=True)
class Reading:
    """How a table is to be read: all that a user can say about it."""

    layout: Layout | None = None
    item: str | None = None
    annotator: str | None = None
    label: tuple[str, ...] = ()
    by: tuple[str, ...] = ()  # further columns to keep
    missing: tuple[str, ...] = ()
    keep_empty: bool = False  # the empty cell is a label
    fold: tuple[str, ...] = ()  # case, space: differences to overlook
    sets: str | None = None  # separator of set-valued labels
    categories: tuple[Label, ...] | None = None  # declared, in order
    repeats: Repeats = "error"
    only: tuple[str, ...] = ()  # COLUMN=VALUE,VALUE or LABEL,LABEL
    annotators: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()  # a,b=c
    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        for how in self.fold:
            if how not in {"case", "space"}:
                raise UnknownName("kind of folding", how, ("case", "space"))
        if self.repeats not in {"error", "first", "last", "trials"}:
            raise UnknownName("way to treat repeats", self.repeats, ("error", "first", "last", "trials"))

    @property
    def options(self) -> dict[str, Any]:
        """As keywords for `read`."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def filters(self) -> dict[str, tuple[str, ...]]:
        """--only by column; "" stands for the label itself."""
        wanted: dict[str, tuple[str, ...]] = {}
        for text in self.only:
            column, sign, values = text.partition("=")
            key, chosen = (column, values) if sign else ("", column)
            wanted[key] = (*wanted.get(key, ()), *chosen.split(","))
        return wanted

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.by, *(c for c in self.filters if c)]))


def read_ratings(sources: Sequence[Source], how: Reading) -> dict[str, Ratings]:
    """Ratings by variable, in the order of the columns."""
    if how.layout in {"counts", "confusion"}:
        if len(sources) > 1:
            raise DataError(f"--layout {how.layout} takes one file at a time")
        return {"label": _finish(_counted(sources[0], how), how)}
    several = len(sources) > 1
    tables = [_Entries.of(source, how, several) for source in sources]
    variables = list(dict.fromkeys(v for table in tables for v in table.variables))
    return {v: _finish(_assembled(v, [t for t in tables if v in t.variables], how), how) for v in variables}


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
            distinct_first=_first_is_distinct(source) if _maybe_wide(header) else False,
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
        if hint := _looks_counted(roles, item, cells, n):
            made.notes.append(hint)
        return made

    def place(self, entry: int) -> str:
        place = self.source.place(entry if self.row is None else int(self.row[entry]))
        if self.roles.layout == "wide":
            return f"{place} (column {quoted(label_name(self.annotator.names[int(self.annotator.codes[entry])]))})"
        return place


def _looks_counted(roles: Roles, item: Column, cells: Column, n: int) -> str | None:
    """A wide table of small numbers may be counts that were meant otherwise: say so."""
    if len(cells.names) > 1000 or n > 100_000 or n < 2:
        return None
    numbers = np.array([_count(lab) for lab in cells.names] + [0.0])[cells.codes].reshape(n, -1)
    if np.isnan(numbers).any() or (numbers % 1 != 0).any() or (numbers < 0).any():
        return None
    if n == len(roles.labels) and {label_name(lab) for lab in item.names} == set(roles.labels):
        return "rows and columns have the same names: if this is a confusion matrix, say --layout confusion"
    total = numbers.sum(axis=1)
    if (numbers == 0).any() and total[0] > 1 and (total == total[0]).all():
        return "every row adds up to the same: if these are counts per category, say --layout counts"
    return None


def _maybe_wide(header: Sequence[str]) -> bool:
    return not any(plain_name(h) in ANNOTATOR for h in header)


def _first_is_distinct(source: Source) -> bool:
    """A first column that never repeats and shares no value with the next one identifies the rows."""
    first, *rest = source.header
    columns, _ = source.load([first, *rest[:1]])
    column = columns[first]
    if len(column.names) < len(column.codes) or len(column.codes) < 2:
        return False
    others = {label_name(lab) for c in rest[:1] for lab in columns[c].names}
    return not others.intersection(label_name(column.names[i]) for i in range(min(len(column.names), 1000)))


def _constant(name: str, n: int) -> Column:
    return Column(np.zeros(n, dtype=np.int32), [name])


def _assembled(variable: str, tables: Sequence[_Entries], how: Reading) -> Ratings:
    """One Ratings from the entries of all tables."""
    cleaned = [_clean(table, table.variables[variable], how) for table in tables]
    item = stacked([table.item for table in tables])
    annotator = stacked([table.annotator for table in tables])
    label = stacked([column for column, _ in cleaned])
    _filled(tables, item, annotator, label)
    names = list(dict.fromkeys(name for table in tables for name in table.features))
    features = {}
    for name in names:
        column = stacked([table.features[name] for table in tables])
        features[name] = Feature(column.codes, tuple(label_name(lab) for lab in column.names))
    starts = np.cumsum([0, *(len(table.item.codes) for table in tables)])

    def places(entry: int) -> str:
        which = int(np.searchsorted(starts, entry, side="right")) - 1
        return tables[which].place(entry - int(starts[which]))

    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    left_out_for: dict[str, int] = defaultdict(int)
    for _, left_out in cleaned:
        for reason, number in left_out.items():
            left_out_for[reason] += number
    return Ratings.assemble(
        item=item.codes,
        items=item.names,  # type: ignore[arg-type]
        annotator=annotator.codes,
        annotators=tuple(label_name(name) for name in annotator.names),
        label=label.codes,
        labels=label.names,
        categories=_declared(how),
        features=features,
        variable=variable,
        places=places,
        repeats=how.repeats,
        notes=(*notes, *(f"{counted(n, 'label')} missing ({why})" for why, n in left_out_for.items())),
    )


def _declared(how: Reading) -> tuple[Label, ...] | None:
    if how.categories is None or how.sets is None:
        return how.categories
    return tuple(frozenset(lab.split(how.sets)) if isinstance(lab, str) else lab for lab in how.categories)


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


def _clean(table: _Entries, column: Column, how: Reading) -> tuple[Column, dict[str, int]]:
    """Labels with the missing taken out, folded, split into sets; and what was taken as missing how often."""
    if len(column.names) > MANY and not how.missing and not how.keep_empty and how.sets is None:
        found = measurements(column)
        if found is not None:
            return _measured(column, *found)
    index: dict[Label, int] = {}
    recode = np.full(len(column.names) + 1, -1, dtype=column.codes.dtype)
    reasons: dict[int, str] = {}
    for code, label in enumerate(column.names):
        reason = _missing(label, how, table.source.is_file)
        if reason:
            reasons[code] = reason
            continue
        folded = _folded(label, how)
        if isinstance(folded, str) and ("\n" in folded or "\r" in folded):
            entry = int(np.flatnonzero(column.codes == code)[0])
            raise DataError(
                f"{table.place(entry)}: the label {quoted(folded)} has a line break; --fold space takes it as a space"
            )
        if how.sets is not None and isinstance(folded, str):
            folded = frozenset(part.strip() for part in folded.split(how.sets) if part.strip())
        recode[code] = index.setdefault(folded, len(index))
    labels = list(index)
    counts = counts_of(column.codes, len(column.names))
    absent = len(column.codes) - int(counts.sum())
    left_out: dict[str, int] = defaultdict(int)
    for code, reason in reasons.items():
        if counts[code]:
            left_out[reason] += int(counts[code])
    if absent:
        left_out["no value"] += absent
    table.notes.extend(_look_alikes(labels, column, recode, counts))
    same = (recode[:-1] == np.arange(len(column.names))).all()
    return Column(column.codes if same else recode[column.codes], labels), {r: n for r, n in left_out.items() if n}


def _measured(column: Column, numbers: np.ndarray, empty: np.ndarray) -> tuple[Column, dict[str, int]]:
    """Measurements: labels by their number, 1.5 and 1.50 the same."""
    distinct, inverse = np.unique(numbers[~empty], return_inverse=True)
    recode = np.full(len(numbers) + 1, -1, dtype=np.int32)
    recode[np.flatnonzero(~empty)] = inverse
    missing = int(np.isin(column.codes, np.flatnonzero(empty)).sum()) if empty.any() else 0
    return Column(recode[column.codes], Numbers(distinct)), {"empty cell": missing} if missing else {}


def _missing(label: Label, how: Reading, is_file: bool) -> str | None:
    if label == "" and is_file and not how.keep_empty:
        return "empty cell"
    name = label_name(label)
    return f"said to be missing: {quoted(name)}" if name in how.missing else None


def _folded(label: Label, how: Reading) -> Label:
    if isinstance(label, str):
        if "space" in how.fold:
            label = re.sub(r"\s+", " ", label.strip())
        if "case" in how.fold:
            label = label.casefold()
    return label


def _look_alikes(labels: Sequence[Label], column: Column, recode: Codes, counts: np.ndarray) -> list[str]:
    """Says when labels differ by case or space only, or look like missing values; never decides."""
    notes: list[str] = []
    if len(labels) > 5_000:
        return notes
    number = np.zeros(len(labels), dtype=np.int64)
    for code in range(len(column.names)):
        if recode[code] >= 0:
            number[recode[code]] += counts[code]
    groups: dict[str, list[str]] = defaultdict(list)
    for k, label in enumerate(labels):
        name = label_name(label)
        groups[re.sub(r"\s+", " ", name.strip()).casefold()].append(name)
        if name.strip().casefold() in _LIKE_MISSING:
            notes.append(
                f"label {quoted(name)} occurs {number[k]:,} times; if it means missing, say --missing {quoted(name)}"
            )
    for names in groups.values():
        if len(names) > 1:
            listed = ", ".join(quoted(name) for name in names)
            spaced = len({re.sub(r"\s+", " ", name.strip()) for name in names}) < len(names)
            cased = len({name.casefold() for name in names}) < len(names)
            how = " and ".join(f"--fold {kind}" for kind, so in (("case", cased), ("space", spaced)) if so)
            notes.append(f"labels {listed} are different; {how or '--fold case and --fold space'} takes them as one")
    return notes


def _counted(source: Source, how: Reading) -> Ratings:
    """Counts per item and category, or a confusion matrix."""
    assert how.layout is not None  # noqa: S101
    first = how.layout == "counts" and _first_is_distinct(source) and not _numbers_only(source, source.header[0])
    roles = resolve(source.header, source.name, layout=how.layout, item=how.item, distinct_first=first)
    columns, _ = source.load(list(source.header))
    n = len(columns[source.header[0]].codes)
    counts = np.zeros((n, len(roles.labels)))
    for k, name in enumerate(roles.labels):
        column = columns[name]
        numbers = np.array([_count(lab) for lab in column.names] + [0.0])
        counts[:, k] = numbers[column.codes]
        bad = np.flatnonzero(np.isnan(counts[:, k]) | (counts[:, k] < 0) | (counts[:, k] % 1 != 0))
        if len(bad):
            cell = column.names[int(column.codes[bad[0]])]
            raise DataError(
                f"{source.place(int(bad[0]))}: {quoted(label_name(cell))} (column {quoted(name)}) is not a count"
            )
    names = [label_name(columns[roles.item].names[int(c)]) for c in columns[roles.item].codes] if roles.item else None
    if how.layout == "counts":
        if how.categories is not None:
            return _with_declared(counts, roles.labels, how.categories, names)
        return Ratings.from_counts(counts, roles.labels, names)
    assert names is not None  # noqa: S101
    order = list(dict.fromkeys([*names, *roles.labels]))
    if not set(names) & set(roles.labels):
        raise DataError(
            f"{source.name}: rows and columns of a confusion matrix name the same categories; "
            f"here rows are {quoted(names[0])} …, columns {quoted(roles.labels[0])} …"
        )
    square = np.zeros((len(order), len(order)))
    for i, row in enumerate(names):
        for k, name in enumerate(roles.labels):
            square[order.index(row), order.index(name)] += counts[i, k]
    if how.categories is not None:
        declared = [label_name(lab) for lab in how.categories]
        unknown = [lab for lab in order if lab not in declared]
        if unknown:
            raise DataError(f"{source.name}: label {quoted(unknown[0])} is not among the declared categories")
        wide = np.zeros((len(declared), len(declared)))
        at = [declared.index(lab) for lab in order]
        wide[np.ix_(at, at)] = square
        square, order = wide, declared
    corner = re.split(r"[\\/|]", source.header[0]) if re.search(r"[\\/|]", source.header[0]) else []
    annotators = (corner[0].strip(), corner[1].strip()) if len(corner) == 2 and all(corner) else ("rows", "columns")
    return Ratings.from_confusion(square, order, annotators)


def _with_declared(
    counts: np.ndarray, labels: Sequence[str], categories: Sequence[Label], names: Sequence[str] | None
) -> Ratings:
    declared = [label_name(lab) for lab in categories]
    for lab in labels:
        if lab not in declared:
            raise DataError(f"label {quoted(lab)} is not among the declared categories")
    wide = np.zeros((len(counts), len(declared)))
    wide[:, [declared.index(lab) for lab in labels]] = counts
    return Ratings.from_counts(wide, declared, names)


def _numbers_only(source: Source, column: str) -> bool:
    return all(not np.isnan(_count(lab)) for lab in source.load([column])[0][column].names)


def _count(label: Label) -> float:
    if label == "":
        return 0.0
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float("nan")


def _finish(ratings: Ratings, how: Reading) -> Ratings:
    """The choices that are made on any kind of data: --only, --annotators, --merge."""
    notes = list(ratings.notes)
    for column, values in how.filters.items():
        before = len(ratings)
        ratings = _only(ratings, column, values)
        notes.append(f"--only: {len(ratings):,} of {before:,} labels kept")
    if how.annotators and ratings.identified:
        before = len(ratings)
        ratings = choose_annotators(ratings, how.annotators)
        notes.append(f"--annotators: {len(ratings):,} of {before:,} labels kept")
    if how.merge:
        ratings = merge_labels(ratings, _groups(how.merge))
    return replace(ratings, notes=tuple(notes))


def _only(ratings: Ratings, column: str, values: Sequence[str]) -> Ratings:
    if column and column not in ratings.features:
        raise UnknownName("column", column, ratings.features)
    names = ratings.features[column].names if column else ratings.categories.names
    for value in values:
        if value not in names:
            raise UnknownName(f"value of {column}" if column else "label", value, names)
    codes = ratings.features[column].codes if column else ratings.label
    kept = ratings.keep(np.isin(codes, [names.index(value) for value in values]))
    if column:
        return kept
    order = [k for k, name in enumerate(names) if name in values]
    table = np.full(len(names), -1, dtype=np.int32)
    table[order] = np.arange(len(order), dtype=np.int32)
    categories = Categories(tuple(ratings.categories.labels[k] for k in order), ratings.categories.declared)
    return replace(kept, label=table[kept.label], categories=categories)


def _groups(merge: Sequence[str]) -> dict[str, str]:
    groups: dict[str, str] = {}
    for text in merge:
        names, sign, target = text.rpartition("=")
        if not sign or not names or not target:
            raise SpecError(f"--merge {quoted(text)}: write the labels, then what they become: a,b=c")
        groups |= dict.fromkeys(names.split(","), target)
    return groups

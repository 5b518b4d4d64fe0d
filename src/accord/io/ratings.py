"""Tables of labels → Ratings: long and wide; missing labels, folding, sets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from accord.errors import DataError, UnknownName, counted, quoted
from accord.io.choices import chosen, merged
from accord.io.columns import Column, measurements, stacked, without_blank
from accord.io.counts import first_is_distinct, looks_counted, read_counts
from accord.io.reading import Reading
from accord.io.roles import ANNOTATOR, Roles, plain_name, resolve
from accord.io.sources import Source
from accord.model.labels import MANY, Codes, Label, Numbers, counts_of, label_name
from accord.model.ratings import Feature, Numbered, Ratings
from accord.model.repeats import settled

_LIKE_MISSING = {"na", "n/a", "nan", "none", "null", "-", "?", "missing", "."}


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
    cleaned = [_clean(table, table.variables[variable], how) for table in tables]
    item = stacked([table.item for table in tables], as_text=True)
    annotator = stacked([table.annotator for table in tables], as_text=True)
    label = stacked([column for column, _ in cleaned])
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

    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    left_out_for: dict[str, int] = defaultdict(int)
    for _, left_out in cleaned:
        for reason, number in left_out.items():
            left_out_for[reason] += number
    missing = tuple(f"{counted(n, 'label')} missing ({why})" for why, n in left_out_for.items())
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
        categories=_declared(how),
        features=features,
        variable=variable,
        places=places,
        notes=(*notes, *_two_types(label), *missing, *said),
    )
    ratings = settled(read, how.repeats, how.by)
    if said:  # items that the choice emptied are not there; those that nobody labelled are, and are told
        before = counts_of(item.codes[labelled], len(item.names)) > 0
        ratings = ratings.only_items((ratings.sizes > 0) | ~before) if len(ratings.items) == len(before) else ratings
    return merged(ratings, how)


def _two_types(label: Column) -> tuple[str, ...]:
    """1 in a Parquet file and "1" in a CSV are different labels: say so."""
    if len(label.names) > 5_000:
        return ()
    names = [label_name(lab) for lab in label.names]
    twice = sorted({name for name in names if names.count(name) > 1})
    return tuple(f"label {quoted(name)} occurs as a number and as text: these are different labels" for name in twice)


def _declared(how: Reading) -> tuple[Label, ...] | None:
    """The declared categories, folded and split like the labels."""
    if how.categories is None:
        return None
    return tuple(_as_set(_folded(lab, how), how) for lab in how.categories)


def _as_set(label: Label, how: Reading) -> Label:
    if how.sets is None or not isinstance(label, str):
        return label
    return frozenset(part.strip() for part in label.split(how.sets) if part.strip())


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
        folded = _as_set(folded, how)
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

"""Read tables of units: `doc,annotator,start,end,label`.

In addition, docs.csv gives extents and texts of documents, and judged.csv the annotators who saw each document.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes, Floats
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.io.naming import ONLY_DOCUMENT, Contents, named, parts_of
from accord.data.io.reading import DOCUMENT, Declared, Reading
from accord.data.io.tables.cleaning import (
    apply_merge,
    choice_masks,
    clean_together,
    declared_categories,
    note_missing,
    note_two_types,
)
from accord.data.io.tables.columns import (
    Column,
    PooledNames,
    cells_of,
    places_of,
    polars,
    refuse_empty_cells,
    stacked,
    stacked_features,
    without_blank,
)
from accord.data.io.tables.evidence import Profile, groups_alike, profiles_of
from accord.data.io.tables.header import GAMMA, as_finite
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    DOC,
    END,
    ITEM,
    LABEL,
    LENGTH,
    START,
    annotator_columns,
    end_of,
    first_of,
    holds_units,
    named_column,
    plain_name,
)
from accord.data.io.tables.sources import MemorySource, Source, name_of_table, open_file
from accord.data.kinds import UNITS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Choice, Fact, some
from accord.data.model.labels import Numbers, arrange, as_number, label_name
from accord.data.model.ratings import Feature

_FARTHEST = 1e15  # beyond this, floats cannot distinguish neighbouring positions
_MOST_CATEGORIES = 50
_SOME, _SPARSE = 10, 20  # starts and ends; the length of the text for each of them
_A_FEW_IN_COMMON = 0.05  # annotators of one text share more positions than this
_MANY_IN_COMMON = 0.2  # by chance, two documents share a twentieth of sparse positions
_LIKE_LABEL = re.compile(
    r"(?:[a-z\d][ _.\-]?(?:Label|Category|Class|Tag|Type)|[ _.\-](?:label|category|class|tag|type))$|^type$"
)
_OF_THE_TEXT = ("text", "surface", "token", "tokens", "word", "span", "covered_text", "coveredtext", "quote", "excerpt",
                "leftcontext", "rightcontext", "left_context", "right_context", "context", "tier",
                "features")  # fmt: skip
_CLOCK = ((9e8, 3e9), (9e11, 3e12))  # seconds and milliseconds since 1970, from 1998 on
_NEAREST = 1e-100  # smaller numbers are no positions, and dividing by them overflows


def holds(sources: Sequence[Source], how: Reading) -> bool:
    """Whether the tables contain units: the user declares it, or columns give start and end."""
    if how.layout is not None or how.item is not None:
        return how.layout in UNITS.layouts
    if len(sources) == 1 and not how.about_units and are_segments(sources[0], how):
        return False  # the same segments for all annotators: labels of items
    if len(sources) == 1 and not how.about_units and _are_working_times(sources[0]):
        return False
    return any(_has_units(source, how) for source in tables_alone(sources))


def _are_working_times(source: Source) -> bool:
    """Whether start and end are times of the clock beside labels: when the annotator worked, not where a unit is."""
    start = first_of(source.header, START)
    if not holds_units(source.header) or first_of(source.header, LABEL) is None or start is None:
        return False
    if "time" not in start.lower():
        return False  # large positions
    if getattr(source, "header_only", False):
        return False
    try:
        profile = Profile(start, source.load([start])[0][start])
    except DataError:  # an infinite number: reading the units reports it
        return False
    if profile.numbers is None:
        return profile.is_time
    return any(low <= profile.numbers.min() and profile.numbers.max() < high for low, high in _CLOCK)


def read(sources: Sequence[Source], how: Reading, declared: Declared) -> dict[str, Corpus]:
    found = read_all_units(sources, how, declared)
    return {found.variable: found}


def read_all_units(sources: Sequence[Source], how: Reading, declared: Declared) -> Corpus:
    """Read the corpus, including docs.csv and judged.csv among the tables or in their folder."""
    tables, beside = tables_alone(sources), given_beside(declared.extents, declared.judged)
    beside.texts.update(declared.texts or {})
    others = [s.name for s in tables if not _has_units(s, how)]
    if others and how.layout is None:
        first = next(s.name for s in tables if _has_units(s, how))
        raise DataError(
            "mixed-inputs", f"{first} contains units, but {others[0]} does not; read the two tables separately"
        )
    for kind, given, reader in ((DOCS, how.docs, read_docs), (JUDGED, how.judged, read_judged)):
        inside = [s for s in sources if s not in tables and is_beside(s) == kind]
        paths = [Path(given)] if given else [] if inside else _next_to(tables, kind)
        for source in [*inside, *(open_file(p, encoding=how.encoding, delimiter=how.delimiter) for p in paths)]:
            reader(source, beside)
    return read_units(tables, beside, how)


def tables_alone(sources: Sequence[Source]) -> list[Source]:
    """Return the tables without docs.csv and judged.csv."""
    return [s for s in sources if is_beside(s) is None] or list(sources)


def _has_units(source: Source, how: Reading) -> bool:
    return bool(how.start) or holds_units(source.header)


def _next_to(tables: Sequence[Source], kind: str) -> list[Path]:
    """Return the files of this name in the folders of the tables."""
    folders = dict.fromkeys(Path(s.name).parent for s in tables if s.is_file and Path(s.name).is_file())
    return [path for folder in folders if (path := folder / f"{kind}.csv").is_file()]


def read_units(sources: Sequence[Source], beside: Beside, how: Reading) -> Corpus:
    """Read one corpus from one or more tables."""
    alone = {*beside.extents, *beside.judged, *beside.texts, *(d for by in beside.lengths.values() for d in by)}
    single = alone.pop() if len(alone) == 1 else ONLY_DOCUMENT
    keys, read_so = keys_of_tables(sources, how, single)
    how, chosen_so = _with_label(sources, how, all(annotator for _, annotator in keys))
    tables = [UnitTable.of(source, how, key) for source, key in zip(sources, keys, strict=True)]
    _refuse_same_names(tables)
    place = places_of(tables, (len(t.start) for t in tables))
    cleaned = clean_together(
        [t.label for t in tables], how, [(t.source.is_file, t.place) for t in tables], infer_missing=False
    )
    label = stacked([one.column for one in cleaned])
    used = [label.names[k] for k in np.unique(label.codes[label.codes >= 0])]
    categories = arrange(used, declared_categories(how, label))
    start, end = (np.concatenate([getattr(t, side) for t in tables]) for side in ("start", "end"))
    where = stacked([t.doc for t in tables], as_text=True)
    settle_lengths(beside, _last_ends(where, end))
    docs, doc = _named(where, [*beside.extents, *beside.judged])
    looked = [a for names in beside.judged.values() for a in names] + (beside.looked or [])
    annotators, annotator = _named(stacked([t.annotator for t in tables], as_text=True), looked)
    if len(docs) == 1:
        beside = _for_one(docs[0], beside)
    elif beside.extent is not None or beside.looked is not None:
        raise DataError(
            "option-value",
            f"there are {len(docs):,} documents; give extents and judged as dicts with the names of documents as keys",
        )
    extents, given, wider = _extents(docs, doc, start, end, beside, place)
    judged, seen = _judged(docs, annotators, doc, annotator, beside)
    corpus = Corpus(
        doc=doc,
        annotator=annotator,
        start=start,
        end=end,
        label=_recoded(label, categories.labels),
        docs=docs,
        annotators=annotators,
        categories=categories,
        extents=extents,
        extent_given=given,
        judged=judged,
        judged_given=bool(beside.judged),
        features=stacked_features(tables, how.columns_of_units()),
        texts=beside.texts,
        places=place,
        notes=tuple(
            dict.fromkeys(
                [
                    *read_so,
                    *chosen_so,
                    *_note_units_again(sources),
                    *(note for t in tables for note in t.notes),
                    *(note for one in cleaned for note in one.notes),
                    *note_two_types(label),
                    *wider,
                    *seen,
                    *beside.notes,
                    *_without_units(docs, doc, beside),
                    *(note_missing(cleaned) if len(categories) else ()),
                ]
            )
        ),
    )
    chosen = apply_merge(_chosen(corpus, label, how), how)
    return chosen.with_notes(*_observations(chosen))


def _refuse_same_names(tables: Sequence[UnitTable]) -> None:
    """Refuse documents of the same name and annotator in two tables, because they may be different documents.

    A single one is allowed, because splitting a table may have split it.
    """
    if len(tables) < 2:
        return
    known: dict[tuple[str, str], str] = {}
    again: dict[str, tuple[str, str, str]] = {}
    for table in tables:
        people = table.annotator.names
        pairs = np.unique(table.doc.codes.astype(np.int64) * len(people) + table.annotator.codes).tolist()
        for pair in pairs:
            doc, annotator = label_name(table.doc.names[pair // len(people)]), label_name(people[pair % len(people)])
            before = known.setdefault((doc, annotator), table.source.name)
            if before != table.source.name:
                again.setdefault(doc, (annotator, before, table.source.name))
    if len(again) < 2:
        return
    doc, (annotator, first, second) = next(iter(again.items()))
    many = f"{counted(len(again), 'document')}, e.g. {quoted(doc)} by {quoted(annotator)}"
    raise DataError(
        "repeated-document",
        f"{second}: {many}, also occur in {Path(first).name}; if these are different documents, read the files "
        "separately or rename the documents. If they are the same, put each document into one file",
    )


def keys_of_tables(
    sources: Sequence[Source], how: Reading, single: str
) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Return document and annotator of each table without such columns, and notes on how names were interpreted."""
    with_annotator = [bool(how.annotator) or first_of(s.header, ANNOTATOR) is not None for s in sources]
    with_doc = [bool(how.doc) or first_of(s.header, DOC) is not None for s in sources]
    if how.names is not None and all(with_annotator):
        raise SpecError(
            "option-not-for-data",
            f"--names does not apply, because a column of {sources[0].name} names the annotators; leave it out",
        )
    if all(with_annotator) or (len(sources) == 1 and how.names is None):
        several = len(sources) > 1
        return [(name_of_table(s) if several else single, None) for s in sources], []
    inside = [_docs_inside(s, how) if there else None for s, there in zip(sources, with_doc, strict=True)]
    positions = [None if there else _positions(s, how) for s, there in zip(sources, with_doc, strict=True)]
    sparse = all(map(_are_sparse, positions))
    in_text = sparse and all(first_of(s.header, _OF_THE_TEXT) for s in sources)  # times are never exactly the same
    contents = Contents(positions, _A_FEW_IN_COMMON if in_text else 0.0, sparse, _MANY_IN_COMMON)
    read = named(parts_of([s.name for s in sources]), how, inside, contents=contents)
    if all(with_doc) and not read.grid:  # columns name the documents, so files must be annotators
        names = [name_of_table(s) for s in sources]
        return [(single, annotator) for annotator in names], [f"each file is one annotator ({some(names, 6)})"]
    note = Fact(read.said) if how.names or how.annotators_in else read.said
    return [(single if doc == ONLY_DOCUMENT else doc, annotator) for doc, annotator in read.keys], [note]


def _note_units_again(sources: Sequence[Source]) -> list[str]:
    """Return a note if files of γ software contain the same ids of units: one may be the corpus of all others."""
    first: dict[str, str] = {}
    again: dict[str, tuple[str, str]] = {}
    for source in sources if all(s.header == GAMMA for s in sources) else ():
        for name in cells_of(source.load(GAMMA[:1])[0][GAMMA[0]]):
            before = first.setdefault(name, source.name)
            if before != source.name:
                again[name] = (before, source.name)
    if not again:
        return []
    name, files = next(iter(again.items()))
    shown = " and ".join(Path(file).name for file in files)
    many = counted(len(again), "unit")
    return [f"{many} in two files, so counted twice (e.g. {quoted(name)} in {shown}); name the files to read"]


def _with_label(sources: Sequence[Source], how: Reading, known: bool) -> tuple[Reading, list[str]]:
    """Choose the column of labels if none has a usual name, and return a note; refuse if several may be it.

    `known`: files name their annotators. Tables without columns of annotators and positions are refused elsewhere.
    """
    complete = all(
        (how.start or first_of(s.header, START))
        and (how.end or end_of(s.header))
        and (known or how.annotator or first_of(s.header, ANNOTATOR))
        for s in sources
    )
    if how.label or not complete:
        return how, []
    if any(first_of(s.header, LABEL) for s in sources):
        return how, _note_further_labels(sources, how)
    rest = _other_columns(sources, how)
    likely = [name for name in rest if _LIKE_LABEL.search(name)] or [n for n in rest if _is_categorical(sources, n)]
    if len(likely) > 1:
        options = " or ".join(f"--label {shlex.quote(name)}" for name in likely[:3])
        raise DataError(
            "roles-unclear",
            f"{sources[0].name}: no column is called label, and several may contain the labels of units; use {options}",
        )
    if not likely:
        return how, [Fact(f"no column read as the label of units (other columns: {some(rest, 4)})")] if rest else []
    return replace(how, label=(likely[0],)), [f"column {quoted(likely[0])} read as the label (change with --label)"]


def _other_columns(sources: Sequence[Source], how: Reading) -> list[str]:
    """Return the columns of all tables whose names give them no other role."""
    header = [name for name in sources[0].header if all(name in s.header for s in sources)]
    used = {how.doc, how.annotator, how.start, how.end, *how.needed, first_of(header, START), end_of(header)}
    no_labels = {*DOC, *ANNOTATOR, *START, *END, *LENGTH, *ITEM, *ASIDE, *_OF_THE_TEXT}
    return [name for name in header if name not in used and plain_name(name) not in no_labels]


def _note_further_labels(sources: Sequence[Source], how: Reading) -> list[str]:
    """Return a note on columns that may be labels, beside the one that is called label."""
    if any(getattr(source, "header_only", False) for source in sources):
        return []
    labels = {first_of(source.header, LABEL) for source in sources}
    further = [name for name in _other_columns(sources, how) if name not in labels and _is_categorical(sources, name)]
    them = "it" if len(further) == 1 else "them"
    return [Fact(f"columns not scored: {some(further, 4)}; use --label or --by to include {them}")] if further else []


def _is_categorical(sources: Sequence[Source], name: str) -> bool:
    """Whether a few values of a column occur again and again; numbers may be measurements."""
    columns = [source.load([name])[0][name] for source in sources]
    if any(len(column.names) > _MOST_CATEGORIES + 1 for column in columns):  # one may be empty
        return False
    cells = [cell for column in columns for cell in cells_of(column) if cell]
    values = set(cells)
    return 1 < len(values) <= _MOST_CATEGORIES and 2 * len(values) <= len(cells) and None in map(as_finite, values)


def _positions(source: Source, how: Reading) -> frozenset[str] | None:
    """Return starts and ends of units. Annotators of one document share many of them."""
    sides = [how.start or first_of(source.header, START), how.end or end_of(source.header)]
    wanted = [column for column in sides if column in source.header]
    loaded = source.load(wanted)[0]
    return frozenset(f"{k} {cell}" for k, column in enumerate(wanted) for cell in cells_of(loaded[column]) if cell)


def _are_sparse(positions: frozenset[str] | None) -> bool:
    """Whether two documents hardly have the same positions: offsets in a long text, but not equal intervals."""
    numbers = [as_finite(text.partition(" ")[2]) for text in positions or ()]
    known = [number for number in numbers if number is not None]
    return len(known) >= _SOME and max(known) - min(known) >= _SPARSE * len(known)


def _docs_inside(source: Source, how: Reading) -> frozenset[str]:
    column = how.doc or first_of(source.header, DOC)
    if column not in source.header:
        raise UnknownName("document column", column, source.header)
    return frozenset(label_name(name) for name in source.load([column])[0][column].names)


def _chosen(corpus: Corpus, label: Column, how: Reading) -> Corpus:
    """Apply --only and --annotators. Annotators stay listed for documents they saw, unless left out by name."""
    kept = np.ones(len(corpus), dtype=bool)
    notes = []
    named = dict.fromkeys(DOCUMENT, Feature(corpus.doc, corpus.docs))
    for option, mask in choice_masks(label, {**named, **corpus.features}, corpus.annotators, corpus.annotator, how):
        notes.append(Choice(f"{option}: {int((kept & mask).sum()):,} of {int(kept.sum()):,} units kept"))
        kept &= mask
    chosen = corpus.keep(kept) if notes else corpus
    for column in how.filters.keys() & set(DOCUMENT):
        chosen = chosen.only_docs(np.isin(chosen.docs, how.filters[column]))
    if how.annotators:
        chosen = chosen.only_annotators(how.annotators)
    return chosen.with_notes(*notes)


def _observations(corpus: Corpus) -> list[str]:
    """Return notes that matter for the interpretation of results."""
    notes = []
    unknown = int((~corpus.extent_given).sum())
    if 0 < unknown < len(corpus.docs):
        note = "without given extent: accord uses the first start and the last end"
        notes.append(f"{counted(unknown, 'document')} {note}")
    if not corpus.judged_given and len(corpus.docs) > 1:
        notes.append(
            "no judged.csv lists which annotator saw which document; accord counts only annotators with units there"
        )
    if corpus.repeated:
        many = counted(corpus.repeated, "unit")
        notes.append(f"{many} repeated: same document, annotator, position and label; all are counted")
    return notes


@dataclass
class UnitTable:
    """One table of units with known columns."""

    source: Source
    doc: Column
    annotator: Column
    label: Column
    start: Floats
    end: Floats
    rows: NDArray[np.intp] | None  # the row of each unit; None: unit i is row i
    features: dict[str, Column]
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, source: Source, how: Reading, key: tuple[str, str | None]) -> UnitTable:
        """Read a table. `key` is the document and the annotator if no columns name them."""
        header = source.header
        named = partial(named_column, header)
        begin, stop = named("start", START, how.start), named("end", END, how.end) if how.end else end_of(header)
        if len(how.label) > 1:
            raise DataError(
                "column-missing",
                f"{source.name}: --label names {len(how.label)} columns, but units have one label each; use --label "
                "COLUMN with one of them",
            )
        doc, annotator = named("document", DOC, how.doc), named("annotator", ANNOTATOR, how.annotator)
        tag = named("label", LABEL, how.label[0] if how.label else None)
        if begin is None or stop is None or (annotator is None and key[1] is None):
            people = annotators_of_segments(header, how.needed) if annotator is None else ()
            roles = {"annotator": annotator or key[1], "start": begin, "end": stop}
            lacking = [role for role, column in roles.items() if column is None]
            use = " ".join(f"--{role} COLUMN" for role in lacking)
            fixed = ". If all annotators labelled the same segments, use --layout wide and --label for each annotator"
            raise DataError(
                "column-missing",
                f"{source.name}: the table of units has no column for {' and '.join(lacking)}; use {use}"
                f"{fixed if people[1:] else ''} (columns: {', '.join(header[:8])})",
            )
        for name in how.columns_of_units():
            if name not in header:
                raise UnknownName("column", name, header)
        wanted = list(
            dict.fromkeys(c for c in (doc, annotator, begin, stop, tag, *how.columns_of_units()) if c is not None)
        )
        _refuse_infinite(source, (begin, stop))
        columns, _, rows = without_blank(*source.load(wanted))
        n = len(columns[begin].codes)
        whole, file = (Column(np.zeros(n, dtype=np.int32), [name or ""]) for name in key)
        table = cls(
            source,
            columns[doc] if doc else whole,
            columns[annotator] if annotator else file,
            columns[tag] if tag else Column(np.full(n, -1, dtype=np.int32), []),
            np.zeros(n),
            np.zeros(n),
            rows,
            {name: columns[name] for name in how.columns_of_units()},
        )
        table.start, table.end = table._numbers(columns[begin], begin), table._numbers(columns[stop], stop)
        if how.end_is_length or plain_name(stop) in LENGTH:
            short = np.flatnonzero(table.end < 0)
            if len(short):
                other = "leave out --end-is-length" if how.end_is_length else f"rename column {quoted(stop)} to end"
                raise DataError(
                    "invalid-position",
                    f"{table.place(int(short[0]))}: the length {table.end[short[0]]:g} is negative; correct it, or "
                    f"{other} if the column contains positions",
                )
            table.end = table.start + table.end
        table._check()
        return table

    def place(self, unit: int) -> str:
        return self.source.place(unit if self.rows is None else int(self.rows[unit]))

    def _numbers(self, column: Column, name: str) -> Floats:
        """Return positions as numbers, or report the first that is not one."""
        if isinstance(column.names, PooledNames):
            values = column.names.series().str.strip_chars().cast(polars().Float64, strict=False).to_numpy()
        elif isinstance(column.names, Numbers):
            values = column.names.array
        else:
            values = np.array([as_number(lab) for lab in column.names], dtype=np.float64)
        numbers = np.append(values, np.nan).astype(np.float64)[column.codes]
        size = np.abs(numbers)
        bad = np.flatnonzero(~(size < _FARTHEST) | ((size > 0) & (size < _NEAREST)))
        if len(bad):
            code = int(column.codes[bad[0]])
            text = quoted(label_name(column.names[code])) if code >= 0 and column.names[code] != "" else "empty"
            what = "not a position on the continuum; write a number"
            if np.isfinite(size[bad[0]]):
                far = size[bad[0]] > 1
                what = "too large to be exact; use larger units" if far else "too close to 0; use smaller units"
            if re.fullmatch(r'"[+-]?\d+,\d+"', text):
                what = "not a position on the continuum; write a point instead of the decimal comma"
            raise DataError("invalid-position", f"{self.place(int(bad[0]))}: {name} is {text}, {what}")
        return numbers

    def _check(self) -> None:
        refuse_empty_cells({"document": self.doc, "annotator": self.annotator}, self.place)
        wrong = np.flatnonzero(self.end < self.start)
        if len(wrong):
            unit = int(wrong[0])
            raise DataError(
                "end-before-start",
                f"{self.place(unit)}: end {self.end[unit]:g} is before start {self.start[unit]:g}; "
                "correct the row, or try --end-is-length if the column contains lengths",
            )


def _refuse_infinite(source: Source, names: tuple[str, str]) -> None:
    """Refuse infinite positions, which are possible in memory, and name the location."""
    for name in names:
        column = source.columns[name] if isinstance(source, MemorySource) and name in source.columns else ()
        values = (
            column.to_list() if hasattr(column, "to_list") else np.ravel(column) if hasattr(column, "dtype") else column
        )
        bad = next(
            (k for k, value in enumerate(values) if isinstance(value, float | np.floating) and math.isinf(value)), None
        )
        if bad is not None:
            raise DataError(
                "invalid-position",
                f"{source.place(bad)}: {name} is infinite, which is not a position on the continuum; write a finite "
                "number",
            )


def _named(column: Column, more: Sequence[str]) -> tuple[tuple[str, ...], Codes]:
    """Return all names in order, including those only in docs.csv or judged.csv, and the codes."""
    names = [label_name(n) for n in column.names]
    order = tuple(sorted({*names, *more}))
    at = {name: k for k, name in enumerate(order)}
    return order, np.array([at[name] for name in names], dtype=np.int64)[column.codes]


def _last_ends(doc: Column, end: Floats) -> dict[str, float]:
    """Return the end of the last unit of each document."""
    last = np.full(len(doc.names), -np.inf)
    np.maximum.at(last, doc.codes, end)
    return {label_name(name): float(at) for name, at in zip(doc.names, last, strict=True)}


def _recoded(label: Column, order: Sequence[object]) -> Codes:
    at = {lab: k for k, lab in enumerate(order)}
    return np.array([*(at.get(lab, -1) for lab in label.names), -1], dtype=np.int64)[label.codes]


def _for_one(doc: str, beside: Beside) -> Beside:
    """Assign information without a document name to the only document."""
    return Beside(
        {doc: beside.extent} if beside.extent is not None else beside.extents,
        {doc: beside.looked} if beside.looked is not None else beside.judged,
        beside.texts,
        notes=beside.notes,
    )


def _judged(
    docs: Sequence[str], annotators: Sequence[str], doc: Codes, annotator: Codes, beside: Beside
) -> tuple[NDArray[np.bool_], list[str]]:
    """Return which annotators saw which documents: those with units and those listed; all, if there is one document."""
    judged = np.zeros((len(docs), len(annotators)), dtype=bool)
    judged[doc, annotator] = True
    if not beside.judged and len(docs) == 1:
        judged[:] = True
    row, column = ({name: k for k, name in enumerate(names)} for names in (docs, annotators))
    said = np.zeros_like(judged)
    for name, looked in beside.judged.items():
        said[row[name], [column[a] for a in looked]] = True
    notes = []
    if beside.judged and (silent := int((judged & ~said).any(axis=1).sum())):
        where = counted(silent, "document")
        notes.append(f"judged.csv does not list all annotators with units in {where}; accord counts them as well")
    return judged | said, notes


def _without_units(docs: Sequence[str], doc: Codes, beside: Beside) -> list[str]:
    """Return a note on documents that occur only in docs.csv."""
    used = {docs[d] for d in np.unique(doc)} | set(beside.judged)
    lost = [name for name in beside.extents if name not in used]
    return (
        [f"{counted(len(lost), 'document')} with an extent but without units or annotators ({quoted(lost[0])} …)"]
        if lost
        else []
    )


def _extents(
    docs: Sequence[str], doc: Codes, start: Floats, end: Floats, beside: Beside, place: Callable[[int], str]
) -> tuple[Floats, NDArray[np.bool_], list[str]]:
    """Return begin and end of each document, given or from its units; which were given; and notes."""
    low, high = np.full(len(docs), np.inf), np.full(len(docs), -np.inf)
    np.minimum.at(low, doc, start)
    np.maximum.at(high, doc, end)
    low[~np.isfinite(low)] = high[~np.isfinite(high)] = 0.0
    extents = np.stack([low, high], axis=1)
    at = {name: k for k, name in enumerate(docs)}
    known = np.array([at[name] for name in beside.extents], dtype=np.int64)
    given = np.zeros(len(docs), dtype=bool)
    given[known] = True
    if len(known):
        extents[known] = list(beside.extents.values())
    outside = np.flatnonzero(given[doc] & ((start < extents[doc, 0]) | (end > extents[doc, 1])))
    if not len(outside):
        return extents, given, []
    wide = np.unique(doc[outside])
    extents[wide] = np.stack(
        [np.minimum(extents[wide, 0], low[wide]), np.maximum(extents[wide, 1], high[wide])], axis=1
    )
    note = (
        f"{counted(len(outside), 'unit')} outside the given extent of {counted(len(wide), 'document')}, which accord "
        f"widened; the first is {start[outside[0]]:g}–{end[outside[0]]:g} at {place(int(outside[0]))}"
    )
    return extents, given, [note]


# -- Additional tables: docs.csv and judged.csv --

TEXT = ("text", "content")
LENGTHS = ("length", "duration", "seconds", "tokens", "chars")  # the length of a document without begin and end
DOCS, JUDGED = "docs", "judged"  # the names of the files


@dataclass
class Beside:
    """Extents, texts and annotators by document, also of annotators who marked nothing."""

    extents: dict[str, tuple[float, float]] = field(default_factory=dict)
    judged: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, dict[str, float]] = field(default_factory=dict)  # by column; one of them may be the extent
    # For a single document without a name:
    extent: tuple[float, float] | None = None
    looked: list[str] | None = None
    notes: list[str] = field(default_factory=list)


def is_beside(source: Source) -> str | None:
    """Return docs or judged if a file has this name, else None."""
    stem = Path(source.name).stem.lower()
    return stem if source.is_file and stem in {DOCS, JUDGED} else None


def read_docs(source: Source, beside: Beside) -> None:
    header = source.header
    doc, begin, end, text = (first_of(header, names) for names in (DOC, START, END, TEXT))
    if doc is None or (begin is None) != (end is None):
        raise DataError(
            "column-missing",
            f"{source.name}: the table of documents lacks doc, begin or end; rename its columns to doc, begin, end "
            "(and text)",
        )
    lengths = [name for name in header if plain_name(name) in LENGTHS] if begin is None else []
    again = bool(lengths) and text is None and first_of(header, ANNOTATOR) is not None  # one row per annotator
    if begin is None and text is None and not lengths:
        beside.notes.append(f"{source.name} has neither begin and end nor a length, so accord does not use it")
        return
    wanted = [name for name in (doc, begin, end, text, *lengths) if name is not None]
    columns, _, rows = without_blank(*source.load(wanted))

    def place(row: int) -> str:
        return source.place(row if rows is None else int(rows[row]))

    names = cells_of(columns[doc])
    seen: set[str] = set()
    for row, name in enumerate(names):
        if not name:
            raise DataError("empty-cell", f"{place(row)}: the document is empty; fill in its name or delete the row")
        if name in seen and not again:
            raise DataError(
                "repeated-document", f"{place(row)}: document {quoted(name)} occurs twice; delete one of the rows"
            )
        seen.add(name)
    if begin is not None and end is not None:
        low, high = (np.array([as_number(n) for n in cells_of(columns[c])]) for c in (begin, end))
        for row, name in enumerate(names):
            if not (math.isfinite(low[row]) and math.isfinite(high[row])):
                raise DataError(
                    "invalid-position",
                    f"{place(row)}: begin or end of document {quoted(name)} is not a number; write numbers in both",
                )
            beside.extents[name] = _extent(low[row], high[row], place(row))
    for column in lengths:
        beside.lengths[column] = _longest(column, columns[column], names, place)
    if text is not None:
        beside.texts.update(zip(names, cells_of(columns[text]), strict=True))


def _longest(column: str, cells: Column, names: Sequence[str], place: Callable[[int], str]) -> dict[str, float]:
    """Return the lengths of documents, the longest if annotators have different versions."""
    lengths: dict[str, float] = {}
    for row, (name, cell) in enumerate(zip(names, cells_of(cells), strict=True)):
        length = as_number(cell)
        if not 0 <= length < math.inf:
            raise DataError(
                "invalid-position",
                f"{place(row)}: {column} of document {quoted(name)} is not a length; write a number of at least 0",
            )
        lengths[name] = max(float(length), lengths.get(name, 0.0))
    return lengths


def read_judged(source: Source, beside: Beside) -> None:
    doc, annotator = first_of(source.header, DOC), first_of(source.header, ANNOTATOR)
    if doc is None or annotator is None:
        raise DataError(
            "column-missing",
            f"{source.name}: the table of documents that annotators saw lacks doc or annotator; rename its columns to "
            "doc, annotator",
        )
    columns, _, rows = without_blank(*source.load([doc, annotator]))
    for row, (name, who) in enumerate(zip(cells_of(columns[doc]), cells_of(columns[annotator]), strict=True)):
        if not name or not who:
            place = source.place(row if rows is None else int(rows[row]))
            empty = "annotator" if name else "document"
            raise DataError("empty-cell", f"{place}: the {empty} is empty; fill in the name or delete the row")
        beside.judged.setdefault(name, []).append(who)


def settle_lengths(beside: Beside, ends: Mapping[str, float]) -> None:
    """Use a length as the extent from 0 if it is the only one that contains all units. `ends`: of the last units."""
    if not beside.lengths or beside.extents:
        return
    beyond = {
        column: [doc for doc, end in ends.items() if end > lengths.get(doc, math.inf)]
        for column, lengths in beside.lengths.items()
    }
    fitting = [column for column, docs in beyond.items() if not docs]
    if len(fitting) > 1:
        raise DataError(
            "roles-unclear",
            f"{' and '.join(map(quoted, fitting))} in the table of documents may both be the extent; delete all but "
            "the one in the unit of the positions, or add the columns begin and end",
        )
    for column, docs in beyond.items():
        if docs:
            many = f"units of {counted(len(docs), 'document')} extend beyond it ({quoted(docs[0])} …)"
            beside.notes.append(f"column {quoted(column)} of the table of documents is not used: {many}")
    for column in fitting:
        beside.extents = {doc: (0.0, length) for doc, length in beside.lengths[column].items()}
        beside.notes.append(f"documents extend from 0 to their {column}")


def given_beside(extents: Any, judged: Any) -> Beside:
    """Convert Python arguments: {doc: (begin, end)} and {doc: [names]}, or without doc for a single document."""
    beside = Beside()
    if isinstance(extents, Mapping):
        beside.extents = {label_name(doc): _pair(pair, f"document {quoted(doc)}") for doc, pair in extents.items()}
    elif extents is not None:
        beside.extent = _pair(extents, "the document")
    if isinstance(judged, Mapping):
        beside.judged = {label_name(doc): [label_name(a) for a in names] for doc, names in judged.items()}
    elif judged is not None:
        beside.looked = [label_name(a) for a in judged]
    return beside


def _pair(pair: Any, place: str) -> tuple[float, float]:
    if not isinstance(pair, Iterable) or isinstance(pair, str) or len(values := list(pair)) != 2:
        raise SpecError("option-value", f"extents: {place}: {quoted(pair)} is not a pair; give (begin, end)")
    try:
        begin, end = (float(value) for value in values)
    except (TypeError, ValueError):
        raise SpecError(
            "option-value", f"extents: {place}: {quoted(pair)} is not a pair of numbers; give (begin, end)"
        ) from None
    if not (math.isfinite(begin) and math.isfinite(end)):
        raise DataError(
            "option-value", f"extents: {place}: {quoted(pair)} is not finite; give finite numbers for begin and end"
        )
    return _extent(begin, end, f"extents: {place}")


def _extent(begin: float, end: float, place: str) -> tuple[float, float]:
    if end < begin:
        raise DataError("end-before-start", f"{place}: end {end:g} is before begin {begin:g}; correct one of them")
    return float(begin), float(end)


# -- Fixed segments: `file, start, end, Ana, Ben` looks like units, but each segment is an item --


def annotators_of_segments(header: Sequence[str], needed: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns next to segments that may be annotators; none if a column names annotators or labels."""
    if not holds_units(header) or first_of(header, ANNOTATOR) or first_of(header, LABEL):
        return ()
    segment = (first_of(header, START), end_of(header), first_of(header, DOC))
    rest = [name for name in header if name not in segment]
    return annotator_columns(rest, first_of(rest, ITEM), needed)


def are_segments(source: Source, how: Reading) -> bool:
    """Whether each segment occurs once and at least two columns share labels."""
    people = annotators_of_segments(source.header, how.needed) if how.annotator is None else ()
    if len(people) < 2:
        return False
    where = [
        name for name in (first_of(source.header, DOC), first_of(source.header, START), end_of(source.header)) if name
    ]
    columns = without_blank(*source.load([*where, *people]))[0]
    places = np.stack([columns[name].codes for name in where])
    if len(np.unique(places, axis=1).T) < places.shape[1]:
        return False
    known = profiles_of({name: columns[name] for name in people})
    labelled = [one for one in known.values() if one.n and not one.never_twice]
    return len(labelled) > 1 and len(groups_alike(labelled)) == 1

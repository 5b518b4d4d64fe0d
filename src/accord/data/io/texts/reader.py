"""Read versions of texts from files, tables and columns in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.errors import DataError, SpecError, UnknownName, counted
from accord.data.io.opening import may_open
from accord.data.io.reading import DOCUMENT, Declared, Reading
from accord.data.io.tables.roles import ANNOTATOR, DOC, END, START, first_of
from accord.data.io.tables.several import labels_by_line
from accord.data.io.tables.sources import EXCEL_SUFFIXES, PARQUET_SUFFIXES, Source, in_memory, open_file, standard_input
from accord.data.io.tables.units import is_beside
from accord.data.io.texts.files import READERS, find_texts, read_text_files
from accord.data.io.texts.tables import (
    CORRECTION,
    FOLDER,
    TEXT,
    TOKEN,
    TextsBeside,
    edited_texts,
    has_places,
    list_columns,
    read_text_rows,
    token_texts,
    whole_texts,
)
from accord.data.model.labels import label_name
from accord.data.model.texts import BASE, Texts

_TABLES = (".csv", ".tab", *PARQUET_SUFFIXES, *EXCEL_SUFFIXES)
_OF_TEXTS = {suffix for suffix in READERS if suffix not in {".txt", ".tsv"}}  # .txt and .tsv may be tables
# The kinds of tables, in the order of preference within a folder.
EDITS, TOKENS, WHOLE, SPANS = "edits", "tokens with text", "texts", "spans without text"
_OF_FILES = ("merge_symbol", "split_symbol")
_OF_TABLES = ("texts", "docs", "judged", "doc", "annotator", "start", "end", "end_is_length", "missing", "keep_empty",
              "fold", "delimiter", "sheet")  # fmt: skip
_KINDS = (EDITS, TOKENS, WHOLE, SPANS)
_A_LOOK, _LINES = 1 << 16, 20  # bytes and lines that decide whether a file is a table


def are_texts(paths: Sequence[Path], how: Reading) -> bool:
    """Return whether these are annotated texts, by the user's options or by the file names."""
    if how.layout is not None or how.about_texts:
        return how.layout in {None, "texts"}
    if any(p.is_dir() and any(f.suffix.lower() in _TABLES and may_open(f) for f in p.iterdir()) for p in paths):
        return False
    files = [f for p in paths for f in (p.rglob("*") if p.is_dir() else [p]) if f.is_file()]
    if any(f.suffix.lower() in _OF_TEXTS for f in files):
        return True
    shown = [f for f in files if not f.name.startswith(".")]
    plain = bool(shown) and all(f.suffix.lower() == ".txt" for f in shown)
    in_folders = plain and all(p.is_dir() for p in paths)
    return in_folders and not any(_in_columns(f) for f in shown) and labels_by_line(shown) is None


def _in_columns(path: Path) -> bool:
    """Return whether every line has as many separators as the first, so that the file may be a table."""
    try:
        with path.open("rb") as file:
            lines = [line for line in file.read(_A_LOOK).splitlines() if line.strip()][:_LINES]
    except OSError:
        return True  # the reader reports the error
    return len(lines) > 1 and any(
        all(line.count(sign) == lines[0].count(sign) > 0 for line in lines) for sign in (b",", b";", b"\t", b"|")
    )


def table_kind(header: Sequence[str], how: Reading) -> str | None:
    """Return the kind of a table of texts, or None; columns with another role are ignored."""
    header = [name for name in header if name not in {how.doc, how.annotator}]
    named = first_of(header, TEXT) or first_of(header, TOKEN)
    if has_places(header, how):
        return EDITS if first_of(header, CORRECTION) else TOKENS if named else SPANS
    return WHOLE if named else None


def holds(sources: Sequence[Source], how: Reading) -> bool:
    return all(_holds_texts(source.header, how) for source in sources)


def read(sources: Sequence[Source], how: Reading, declared: Declared) -> dict[str, Texts]:  # noqa: ARG001
    return {"text": read_text_tables(sources, how)}


def _holds_texts(header: Sequence[str], how: Reading) -> bool:
    """Return whether a table contains only document, annotator and text, or the user declared texts."""
    if how.layout is not None or how.about_texts:
        return how.layout in {None, "texts"}
    text, who = first_of(header, TEXT), first_of(header, ANNOTATOR)
    return text is not None and who is not None and {text, who, first_of(header, DOC)} >= set(header)


def read_texts(paths: Sequence[str], how: Reading) -> Texts:
    """Read texts from files or tables; a folder may contain either."""
    tables: list[Source] = []
    beside: list[Source] = []
    files: list[tuple[Path | None, Path]] = []
    notes: list[str] = []
    for path in paths:
        place = Path(path)
        if place.is_dir():
            found, around, passed = _tables_in(place, how)
            tables, beside = [*tables, *found], [*beside, *around]
            if not found:
                inside, others = find_texts(place)
                files += [(place, file) for file in inside]
                passed = [*others, *passed]
                if not inside:
                    raise DataError(
                        "file-missing",
                        f"{place}: the folder contains no texts; accord reads {', '.join([*READERS, *_TABLES])}"
                        f"{_why(passed)}",
                    )
            notes += passed
        elif str(path) == "-":
            tables.append(standard_input(encoding=how.encoding, delimiter=how.delimiter))
        elif _is_table(place, how):
            source = _opened(place, how)
            (beside if is_beside(source) and len(paths) > 1 else tables).append(source)
        else:
            if not place.exists():
                raise DataError("file-missing", f"{place}: no such file; check the path")
            if place.suffix.lower() not in READERS:
                raise DataError(
                    "format-unknown",
                    f"{place}: accord reads texts from {', '.join([*READERS, *_TABLES])}; convert the file",
                )
            files.append((None, place))
    if tables and files:
        raise DataError(
            "mixed-inputs",
            f"{tables[0].name} is a table, {files[0][1]} is a text; read one kind at a time, or use --texts FOLDER "
            "for the "
            "texts of a table",
        )
    if tables:
        notes += [note for source in tables for note in source.notes]
        return read_text_tables(tables, how, beside).with_notes(*notes)
    _check_options(how, _OF_TABLES)
    return choose_texts(read_text_files(files, how), how).with_notes(*notes)


def read_text_tables(sources: Sequence[Source], how: Reading, beside: Sequence[Source] = ()) -> Texts:
    """Read tables of edits, tokens or whole texts, depending on the columns."""
    _check_options(how, _OF_FILES)
    kinds = {table_kind(source.header, how): source.name for source in sources}
    if None in kinds:
        header = next(source.header for source in sources if source.name == kinds[None])
        raise DataError(
            "column-missing",
            f"{kinds[None]}: a table of texts needs the columns doc, annotator, text; or start, end, and text or "
            f"correction; rename columns (columns: {list_columns(header)})",
        )
    if len(kinds) > 1:
        (one, first), (other, second), *_ = kinds.items()
        raise DataError(
            "mixed-inputs", f"{first} contains {one}, but {second} contains {other}; read one kind of table at a time"
        )
    kind = next(iter(kinds))
    rows = read_text_rows(sources, how)
    if kind == WHOLE:
        return choose_texts(whole_texts(rows, how), how)
    around = TextsBeside.of(sources, beside, how)
    return choose_texts((edited_texts if kind == EDITS else token_texts)(rows, around, how), how)


def _is_table(path: Path, how: Reading) -> bool:
    """Return whether a file is a table, by its suffix; a .tsv is a table if its header row fits, CoNLL if not."""
    if path.suffix.lower() != ".tsv":
        return path.suffix.lower() in _TABLES
    try:
        header = _opened(path, how).header
    except DataError:
        return False  # the CoNLL reader reports errors
    return first_of(header, ANNOTATOR) is not None and table_kind(header, how) is not None


def _opened(path: Path, how: Reading) -> Source:
    return open_file(path, encoding=how.encoding, delimiter=how.delimiter, sheet=how.sheet)


def _tables_in(folder: Path, how: Reading) -> tuple[list[Source], list[Source], list[str]]:
    """Return the tables of texts in a folder, all of one kind; docs.csv and judged.csv; and notes on skipped files."""
    files = sorted(f for f in folder.iterdir() if f.is_file() and not f.name.startswith(".") and _is_table(f, how))
    sources = [_opened(file, how) for file in files]
    beside = [source for source in sources if is_beside(source)]
    kinds = {s.name: table_kind(s.header, how) for s in sources if s not in beside}
    with_texts = how.texts is not None or (folder / FOLDER).is_dir() or any(first_of(s.header, TEXT) for s in beside)
    usable = [kind for kind in _KINDS if kind in kinds.values() and (kind not in {EDITS, SPANS} or with_texts)]
    chosen = [s for s in sources if usable and kinds.get(s.name) == usable[0]]
    others = {Path(name).name: kind for name, kind in kinds.items() if name not in {s.name for s in chosen}}
    named = [f"{name} ({kind or 'no texts'})" for name, kind in others.items()]
    if chosen:
        named += [f.name for f in find_texts(folder)[0] if f.parent == folder and f not in files]
    if not named:
        return chosen, beside, []
    listed = ", ".join(named[:5]) + (" …" if len(named) > 5 else "")
    read = f"read {', '.join(Path(s.name).name for s in chosen)} ({usable[0]}); " if chosen else ""
    return chosen, beside, [f"{folder}: {read}not read: {listed}{'; name a file to read it' if chosen else ''}"]


def _why(passed: Sequence[str]) -> str:
    return f"; {passed[-1]}" if passed else ""


def _check_options(how: Reading, others: Sequence[str]) -> None:
    """Refuse options that would be ignored; `others` are options of the other kind of input."""
    if how.not_for_texts:
        other = ", or choose documents with --only doc=…" if "only" in how.not_for_texts else ""
        raise SpecError(
            "option-not-for-data",
            f"{_options(how.not_for_texts)}: this option does not apply to texts; remove it{other}",
        )
    said = [name for name in others if getattr(how, name) != Reading.__dataclass_fields__[name].default]
    if said:
        kind = "CorA-XML" if others is _OF_FILES else "tables of texts"
        raise SpecError("option-not-for-data", f"{_options(said)}: this option is for {kind}; remove it")


def _options(names: Sequence[str]) -> str:
    return ", ".join("--" + name.replace("_", "-") for name in names)


def choose_texts(texts: Texts, how: Reading) -> Texts:
    """Apply --only and --annotators."""
    for column, values in how.filters.items():
        if column not in DOCUMENT:
            raise SpecError("option-not-for-data", "--only: texts can be chosen only by document; use --only doc=…")
        for value in values:
            if value not in texts.docs:
                raise UnknownName("document", value, texts.docs)
        texts = texts.only_docs(np.isin(texts.docs, values))
    if how.annotators:
        texts = texts.only_annotators(how.annotators)
    return texts.with_notes(*_alone(texts))


def _alone(texts: Texts) -> list[str]:
    """Return a note on documents with texts of fewer than two annotators."""
    often = np.bincount(texts.version_doc[texts.version_annotator != BASE], minlength=len(texts.docs))
    few = np.flatnonzero(often < 2)
    if not 0 < len(few) < len(texts.docs):
        return []
    named = ", ".join(texts.docs[k] for k in few[:3]) + (" …" if len(few) > 3 else "")
    return [f"{counted(len(few), 'document')} with fewer than two annotators, which cannot be compared: {named}"]


# -- tokens, edits and texts in memory --

_BASE = "base must be the name of an annotator, or (columns, text)"
_HEARD = ("label", "annotators", "only", "doc", "annotator", "start", "end")  # options that texts= allows


def texts_in_memory(data: Any, texts: Any, base: Any, how: Reading) -> Texts:
    """Read columns of tokens with texts by annotator or (doc, annotator), or columns of edits with {doc: text}."""
    if not isinstance(texts, Mapping):
        raise SpecError(
            "option-value",
            "texts must be {annotator: text}, {(doc, annotator): text}, or the folder with the texts of a table",
        )
    for name, field in Reading.__dataclass_fields__.items():
        usual = {field.default, "texts"} if name == "layout" else {field.default}
        if name not in _HEARD and getattr(how, name) not in usual:
            raise SpecError(
                "option-not-for-data",
                f"{name}: this option is for files and tables; with texts= in memory, change the columns instead",
            )
    source = in_memory(data)
    if table_kind(source.header, how) == EDITS:
        if base is not None:
            raise SpecError(
                "option-not-for-data", "base: the pre-annotation of edits is always their source text; remove it"
            )
        sources = TextsBeside(how, {label_name(doc): text for doc, text in texts.items()})
        return choose_texts(edited_texts(read_text_rows([source], how), sources, how), how)
    if isinstance(base, tuple):
        if len(base) != 2:
            raise SpecError("option-value", _BASE)
        base = _by_role(base[0], replace(how, label=())), base[1]
    elif isinstance(base, Mapping | list):
        raise SpecError("option-value", _BASE)
    columns = _by_role(data, how)
    spelled = [name for name in (*TEXT, *TOKEN) if name in columns and name not in how.label]
    made = Texts.of({name: column for name, column in columns.items() if name not in spelled}, texts, base)
    passed = [f"not used as features: {', '.join(spelled)}; name features with label=…"] if spelled else []
    return choose_texts(made, how).with_notes(*passed)


def _by_role(data: Any, how: Reading) -> dict[str, Any]:
    """Return the columns of a table in memory, with document, annotator, start and end under these names."""
    source: Any = in_memory(data)
    header = source.header
    given = {"doc": how.doc, "annotator": how.annotator, "start": how.start, "end": how.end}
    for name in (*how.label, *(name for name in given.values() if name is not None)):
        if name not in header:
            raise UnknownName("column", name, header)
    known = {"doc": DOC, "annotator": ANNOTATOR, "start": START, "end": END}
    roles = {given[role] or first_of(header, known[role]): role for role in known}
    roles.pop(None, None)
    columns = {str(name): column for name, column in source.columns.items()}
    wanted = [name for name in header if name in roles or not how.label or name in how.label]
    return {roles.get(name, name): _plain(columns[name]) for name in wanted}


def _plain(column: Any) -> Any:
    """Return a numeric column as an array, another column as a list."""
    if isinstance(column, list | tuple) or "128" in str(getattr(column, "dtype", "")):  # NumPy has no 128-bit integers
        return list(column)
    array = np.asarray(column)
    return array if array.dtype.kind in "iuf" else list(column)

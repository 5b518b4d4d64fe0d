"""Read files and tables into data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from accord.core.context import Run, silent
from accord.core.errors import (
    AccordError,
    DataError,
    Interface,
    ReadingWarning,
    SpecError,
    UnknownName,
    first_words,
    for_interface,
    quoted,
    warn,
)
from accord.data.io.copies import refuse_copies
from accord.data.io.large import count_ratings
from accord.data.io.large.addresses import without_secrets
from accord.data.io.levels import read_codebooks, with_codebook, with_levels, with_levels_of_columns
from accord.data.io.naming import not_read
from accord.data.io.opening import is_special, lacks_room, read_unpacked, refuse_name, unreadable
from accord.data.io.reading import Declared, Reading, as_tuple, options_of_reading
from accord.data.io.strangers import refuse_strangers_among
from accord.data.io.tables.by_file import join_by_file, refuse_studies
from accord.data.io.tables.chains import conll_files, read_conll
from accord.data.io.tables.column_map import ColumnMap, map_columns
from accord.data.io.tables.exports import answers_alone, refuse_exports
from accord.data.io.tables.header import PYGAMMA
from accord.data.io.tables.mapping import apply_roles
from accord.data.io.tables.packed import unpack_cells
from accord.data.io.tables.pairs import name_choices
from accord.data.io.tables.parts import Arrangement, arrange_tables, sheets_by_annotator
from accord.data.io.tables.ratings import read_rows
from accord.data.io.tables.reshaping import reshape
from accord.data.io.tables.several import open_labels_by_line, with_equal_headers, without_descriptions
from accord.data.io.tables.sources import (
    EXCEL_SUFFIXES,
    Source,
    copy_aside,
    in_folder,
    in_memory,
    is_json,
    is_plain_csv,
    open_file,
    standard_input,
    tables_in_archive,
)
from accord.data.kinds import CHAINS, ITEMS, KINDS, SEGMENTATIONS, UNITS, Kind
from accord.data.model.corpus import Continuum
from accord.data.model.data import Data, Fact

_MARKED = (UNITS, CHAINS)  # kinds with positions in documents
_LONGEST_NAME = 255  # bytes of a file name, on every file system
_OF_FILES = ("encoding", "delimiter", "sheet", "table")


def read(data: Any, **options: Any) -> Data:
    """Read data with one variable.

    Labels of items become `Ratings`, units with start and end `Corpus`, coreference chains `Chains`, masses or
    boundaries `Segmentations`, and the annotators' own texts `Texts`.

    Parameters
    ----------
    data : path, folder, data frame, dict of columns, rows, or data
        Files, a table in memory, or rows with a label per annotator. Data that accord has read are returned unchanged.
    **options
        Reading options; docs/data.md explains each of them.

        - Columns: `layout`, `item`, `annotator`, `label`, `by`, `keep`, `annotators_in`, `columns`, `names`.
        - Labels: `missing`, `keep_empty`, `fold`, `sets`, `categories`, `repeats`, `only`, `annotators`, `merge`.
        - Files: `format`, `encoding`, `delimiter`, `sheet`, `table`, `no_header`, `repair`.
        - Units: `doc`, `start`, `end`, `end_is_length`, `docs`, `judged`, `extents`. For a table in memory,
          `extents={doc: (begin, end)}` gives the extents of documents, and `judged={doc: [annotator]}` the annotators
          who saw each document. Omit `doc` if there is only one document.
        - Texts: with `texts={annotator: text}` or `{(doc, annotator): text}`, the columns are tokens of the annotators'
          own texts; `texts=folder` is the folder with the texts of a table. `base` is the name of the pre-annotation.
          `merge_symbol` and `split_symbol` are for CorA-XML.
        - `jobs` is the number of processes that read files of annotation tools (default: all cores). accord calls
          `progress` with a task, the number of finished steps and the total.
        - `reading` is a file written by `accord read --save-reading`, or a dict of options. Options given separately
          take precedence.

    Returns
    -------
    Ratings, Corpus, Chains, Segmentations or Texts

    Raises
    ------
    DataError
        If the data cannot be read, are ambiguous, or have several variables (see `read_all`).
    UnknownName
        If an option does not exist.

    Examples
    --------
    >>> accord.read({"item": [1, 2, 3], "Ana": ["a", "b", "b"], "Ben": ["a", "b", "a"]})
    <Ratings: 3 items, 2 annotators, 2 categories>
    """
    return the_only(read_all(data, **options))


def the_only(variables: Mapping[str, Data]) -> Data:
    """Return the data of the only variable; raise DataError if there are several."""
    if len(variables) > 1:
        raise DataError(
            "several-variables",
            f"several variables: {', '.join(variables)}; choose one, for example --label "
            f"{quoted(next(iter(variables)))}"
            + ("" if Interface.command_line else ", or read all with accord.read_all"),
        )
    return next(iter(variables.values()))


def read_all(
    data: Any,
    *,
    extents: Any = None,
    texts: Any = None,
    progress: Any = silent,
    jobs: int | None = None,
    reading: Any = None,
    **options: Any,
) -> dict[str, Data]:
    """Read data with several variables, such as a table with several columns of labels.

    Parameters
    ----------
    data : path, folder, data frame, dict of columns, rows, or data
        As for `read`.
    extents : dict, optional
        For a table in memory: the begin and end of each document.
    texts : dict or path, optional
        The annotators' own texts, or the folder that contains them.
    progress : callable, optional
        Called with a task, the number of finished steps and the total.
    jobs : int, optional
        Number of processes that read files of annotation tools. Default: all cores.
    reading : path, Reading or dict, optional
        A file written by `accord read --save-reading`, or options by name. Options given separately take precedence.
    **options
        The other options of `read`.

    Returns
    -------
    dict
        The data of each variable, by name.

    Raises
    ------
    DataError
        If the data cannot be read or are ambiguous.

    Examples
    --------
    >>> rows = {"item": [1, 1], "annotator": ["Ana", "Ben"], "topic": ["x", "y"], "tone": ["p", "p"]}
    >>> list(accord.read_all(rows))
    ['topic', 'tone']
    """
    run = Run(0, progress, jobs)
    if reading is not None:
        options = options_of_reading(reading) | options
        texts = options.pop("texts", None) if texts is None else texts
    data = without_secrets(data)
    levels = as_tuple("measurement", options.get("measurement", ()))
    if isinstance(data, Data | Continuum):
        options.pop("measurement", None)
        return with_levels(_read_already(data, {**options, "extents": extents, "texts": texts}), levels)
    try:
        variables = _read(data, extents, texts, options, run)
    except (AccordError, Warning, KeyboardInterrupt, MemoryError, SystemExit):
        raise
    except OSError as error:
        if not isinstance(error.filename, str) and not lacks_room(error):
            raise DataError(
                "file-unreadable", f"{_what(data)}: cannot be read: {first_words(error)}; check the input"
            ) from error
        raise unreadable(_what(data) if lacks_room(error) else error.filename, error) from error
    except BaseException as error:  # parsers raise anything on damaged files; panics of Polars are not Exceptions
        raise DataError(
            "file-damaged",
            f"{_what(data)}: cannot be read, damaged or in another format: {first_words(error)}; save it again",
        ) from error
    variables = with_levels(variables, levels)
    notes = [note for variable in variables.values() for note in variable.notes if not isinstance(note, Fact)]
    for note in dict.fromkeys(notes):
        warn(note, ReadingWarning)
    return {
        name: variable.noted(tuple(map(_in_words_of_asker, variable.notes))) for name, variable in variables.items()
    }


def _in_words_of_asker(note: str) -> str:
    return type(note)(for_interface(note))


def _what(data: Any) -> str:
    return ", ".join(map(str, _listed(data))) if _is_path(data) else "these data"


def _read(data: Any, extents: Any, texts: Any, options: dict[str, Any], run: Run) -> dict[str, Data]:
    data = _as_columns(data)
    if isinstance(texts, str | os.PathLike):
        options["texts"] = str(texts)
    elif texts is not None:
        from accord.data.io.texts.reader import texts_in_memory

        base = options.pop("base", None)
        return {"text": texts_in_memory(data, texts, base, _reading(options))}
    looked = options.get("judged")
    if isinstance(looked, Iterable) and not isinstance(looked, str | bytes):
        del options["judged"]
    else:
        looked = None  # the path of a table
    how = _reading(options)
    declared = Declared(extents, looked)
    if _is_path(data):
        _refuse_unusable(_listed(data))
        notes = refuse_copies(_listed(data), how)
        variables, reasons = _counted_or_read(_listed(data), how, declared, run)
        variables = with_codebook(variables, read_codebooks(_listed(data)))
        notes += [note for path in _listed(data) for note in _unopened(Path(path))]
        return {name: read.with_notes(*notes, *reasons) for name, read in variables.items()}
    if unfit := [name for name in _OF_FILES if getattr(how, name) is not None]:
        raise SpecError(
            "option-not-for-data",
            f"{', '.join(unfit)}: this option is for files, but the data are in memory; remove it",
        )
    from accord.data.io.formats.objects import are_objects, read_objects

    if are_objects(data):
        from accord.data.io.formats.assembling import assemble

        if declared.said:
            raise SpecError(
                "option-not-for-data",
                f"{', '.join(declared.said)}: this option is for tables, but these are annotations of recordings; "
                "remove it",
            )
        return assemble(read_objects(data), "annotations in memory", how)
    if isinstance(data, np.ndarray | list | tuple):
        if unfit := [*declared.said, *how.about_units]:
            raise SpecError(
                "option-not-for-data",
                f"{', '.join(unfit)}: this option is for units; give columns annotator, start, end, or remove it",
            )
        return {"label": read_rows(data, how)}
    return _understood([name_choices(reshape(unpack_cells(in_memory(data), how), how), how)], how, declared, ())


def _counted_or_read(
    given: Sequence[str | os.PathLike[str]], how: Reading, declared: Declared, run: Run
) -> tuple[dict[str, Data], tuple[str, ...]]:
    """Count databases and very large tables in place; read other input. Notes state why a large table is read."""
    if how.format is None:
        refuse_strangers_among({Path(path): str(path) for path in given if "://" not in str(path)})
    counted, notes = count_ratings(given, how, run, files=not declared.said)
    return (_from_paths(given, how, declared, run) if counted is None else counted), notes


def _refuse_unusable(given: Sequence[str | os.PathLike[str]]) -> None:
    for path in map(str, given):
        if not path:
            raise DataError("file-missing", "the path is empty; name a table, a folder, or - for standard input")
        refuse_name(path)
        if "://" not in path and max(map(len, map(os.fsencode, Path(path).parts)), default=0) > _LONGEST_NAME:
            raise DataError(
                "file-missing",
                f"{quoted(path)}: no such file, the name is longer than {_LONGEST_NAME} bytes; check the path",
            )


def _listed(data: Any) -> Sequence[str | os.PathLike[str]]:
    return [data] if isinstance(data, str | os.PathLike) else data


def _from_paths(given: Sequence[str | os.PathLike[str]], how: Reading, declared: Declared, run: Run) -> dict[str, Data]:
    found = _opened_paths(given, how, run)
    if isinstance(found, dict):
        return found
    sources, how, passed = found
    return _understood([_unpacked(source, how) for source in sources], how, declared, passed)


def _unpacked(source: Source, how: Reading) -> Source:
    """Return a table without columns that a tool added, and with one row per label if cells contain several."""
    refuse_exports(source, how)
    return name_choices(reshape(unpack_cells(answers_alone(source, how), how), how), how)


def _opened_paths(
    given: Sequence[str | os.PathLike[str]], how: Reading, run: Run
) -> dict[str, Data] | tuple[list[Source], Reading, tuple[str, ...]]:
    """Return data of annotation tools, texts and chains; or tables, with the options and notes to read them."""
    paths = [Path(path) for path in given]
    if how.format is not None or not all(map(is_plain_csv, paths)):
        from accord.data.io.formats.assembling import read_native
        from accord.data.io.formats.catalogue import format_named

        native = read_native(paths, how, run)
        if native is not None:
            return native
        if how.format is not None and how.layout is None:
            how = replace(how, layout=format_named(how.format).layout)
    texts = read_unpacked(paths, partial(_chains_or_texts, how=how))
    if texts is not None:
        return texts
    sources, passed = _sources(given, how)
    return sources, how, passed


def _chains_or_texts(paths: Sequence[Path], how: Reading) -> dict[str, Data] | None:
    """Read files of chains or texts; return None for tables."""
    from accord.data.io.texts.reader import are_texts, read_texts

    if files := conll_files(paths, how):
        chains = read_conll(files, how)
        return _understood([chains.source], replace(how, layout="chains"), chains.declared, chains.notes)
    return {"text": read_texts([str(path) for path in paths], how)} if are_texts(paths, how) else None


def _unopened(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    from accord.data.io.formats.files import list_unopened

    passed = list_unopened(folder)
    listed = f"{', '.join(map(quoted, passed[:5]))}{' …' if len(passed) > 5 else ''}"
    return [f"{folder}: skipped because they are pipes, sockets or devices: {listed}"] if passed else []


def _by_variable(parts: Arrangement, declared: Declared, passed: tuple[str, ...]) -> dict[str, Data]:
    """Read tables that are variables one by one, under their names."""
    variables: dict[str, Data] = {}
    for source, name in zip(parts.sources, parts.variables or (), strict=True):
        read = _understood([source], parts.how, declared, passed)
        named = {name if len(read) == 1 else f"{name} {variable}": data for variable, data in read.items()}
        variables |= {variable: replace(data, variable=variable) for variable, data in named.items()}  # type: ignore[type-var]
    return variables


def _read_already(data: Data | Continuum, options: Mapping[str, Any]) -> dict[str, Data]:
    given = {name: value for name, value in options.items() if value is not None}
    _reading(
        {name: value for name, value in given.items() if name not in {"extents", "texts"}}
    )  # refuses misspelt options
    if given:
        raise SpecError(
            "option-not-for-data", f"{', '.join(given)}: the data are already read; give this to accord.read(data, …)"
        )
    known = data.alone if isinstance(data, Continuum) else data
    return {known.variable: known}


def _reading(options: Mapping[str, Any]) -> Reading:
    for key in options:
        if key not in Reading.__dataclass_fields__:
            raise UnknownName("option", key, (*Reading.__dataclass_fields__, "extents"))
    values = {key: os.fspath(value) if isinstance(value, os.PathLike) else value for key, value in options.items()}
    return Reading(**{key: as_tuple(key, value) for key, value in values.items()})


def map_tables(data: Any, options: Mapping[str, Any], run: Run) -> tuple[list[ColumnMap], Reading]:
    """Return the columns of tables with their roles, and the reading; no tables for files of annotation tools."""
    how = _reading(options)
    if _is_path(data):
        _refuse_unusable(_listed(data))
        found = _opened_paths(_listed(data), how, run)
        if isinstance(found, dict):
            return [], how
        sources, how, _ = found
    else:
        sources = [in_memory(_as_columns(data))]
    refused: DataError | None = None
    given = sources
    try:
        given = [_unpacked(source, how) for source in sources]
        applied, known = apply_roles(given, how)
        kind, _ = _kind_of(applied, known)
        joined, by_file, _ = join_by_file(applied, known) if kind is ITEMS else (applied, known, ())
        if len(joined) < len(applied):
            applied, given, known = joined, joined, by_file
    except DataError as error:
        applied, known, kind, refused = given, how, ITEMS, error
    several = len(given) > 1
    maps = [map_columns(a, b, known, how, kind, several) for a, b in zip(given, applied, strict=True)]
    return [one if refused is None else replace(one, refusal=refused, options={}) for one in maps], how


def _kind_of(sources: Sequence[Source], how: Reading) -> tuple[Kind, Any]:
    """Return the first kind of data that recognises the columns, and its reader."""
    readers = ((kind, kind.part(kind.reader)) for kind in KINDS)
    return next((kind, candidate) for kind, candidate in readers if candidate.holds(sources, how))


def _understood(sources: list[Source], how: Reading, declared: Declared, passed: tuple[str, ...]) -> dict[str, Data]:
    """Read tables as the first kind of data that recognises their columns."""
    sources, how = apply_roles(sources, how)
    kind, reader = _kind_of(sources, how)
    if unfit := [*declared.said, *how.about_units] if kind is ITEMS else declared.said if kind not in _MARKED else ():
        options = ", ".join(f"--{name.replace('_', '-')}" for name in unfit)
        raise SpecError(
            "option-not-for-data",
            f"{options}: this option is for units, but there are no columns start and end; remove it, or name "
            "them with --start and --end",
        )
    if how.repeats in {"first", "last"} and kind in {UNITS, SEGMENTATIONS}:  # `intra` uses trials for all kinds
        raise SpecError(
            "option-not-for-data",
            f"--repeats {how.repeats}: this option is for labels of items and chains, but these are {kind.words}; "
            "remove it",
        )
    notes = (*passed, *(note for source in sources for note in source.notes))
    if kind is ITEMS:
        sources, renamed = with_equal_headers(sources)
        notes = (*notes, *renamed)
        sources, how, by_file = join_by_file(sources, how)
        notes = (*notes, *by_file)
    parts = arrange_tables(sources, how) if kind is ITEMS else sheets_by_annotator(sources, how)
    notes = (*notes, *parts.notes)
    if parts.variables is not None:
        return _by_variable(parts, declared, notes)
    variables: dict[str, Data] = reader.read(parts.sources, parts.how, declared)
    if how.categories is None and any(getattr(source, "orders", None) for source in sources):
        from accord.data.io.tables.spss import order_labels

        variables = order_labels(sources, variables)
    variables = with_levels_of_columns(variables, sources)
    return {name: data.with_notes(*notes) for name, data in variables.items()}


def _sources(paths: Sequence[str | os.PathLike[str]], how: Reading) -> tuple[list[Source], tuple[str, ...]]:
    """Open the tables at the paths; the notes list skipped files in folders."""
    sources: list[Source] = []
    notes: list[str] = []
    named = PYGAMMA if how.layout == "pygamma" else () if how.no_header else None
    for path in paths:
        if str(path) == "-":
            sources.append(standard_input(encoding=how.encoding, delimiter=how.delimiter, named=named))
            continue
        place = Path(path)
        if place.suffix.lower() == ".zip" and place.is_file():
            files, passed = tables_in_archive(place)
        else:
            inside, passed = in_folder(place) if place.is_dir() else ([place], [])
            files = [(file, str(file)) for file in inside]
        together = len(paths) == len(files) == 1
        found = open_labels_by_line(files) if named is None else None
        if found is None:
            found = [source for file, name in files for source in _opened(file, name, how, named, together)]
        if place.is_dir():
            refuse_studies(place, found)
        if len(files) > 1:
            found, described = without_descriptions(found)
            passed = [*passed, *described]
        sources += found
        if passed:
            notes.append(not_read(place, passed))
    if how.sheet is not None and not any(Path(source.name).suffix.lower() in EXCEL_SUFFIXES for source in sources):
        raise SpecError(
            "option-not-for-data",
            f"--sheet {quoted(how.sheet)}: this option is for Excel files, but {sources[0].name} is not one; remove it",
        )
    return sources, tuple(notes)


def _opened(file: Path, name: str, how: Reading, named: tuple[str, ...] | None, together: bool) -> Sequence[Source]:
    """Open the tables of one file; of a single workbook, all its sheets (`together`)."""
    refuse_strangers_among({file: name})
    suffix = file.suffix.lower()
    if is_json(file):
        from accord.data.io.tables.records import read_records

        return [read_records(copy_aside(file) if is_special(file) else file, name, how)]
    if together and suffix in EXCEL_SUFFIXES and not is_special(file):
        from accord.data.io.tables.excel import read_sheets

        return read_sheets(file, name, how.sheet, everybody=how.annotators_in == "sheets", bare=how.no_header)
    return [open_file(file, name=name, encoding=how.encoding, delimiter=how.delimiter, sheet=how.sheet, named=named)]


def _is_path(data: Any) -> bool:
    """Return whether the input is a path or several paths."""
    several = data if isinstance(data, list | tuple) and data else [data]
    return all(isinstance(path, str | os.PathLike) for path in several)


def _as_columns(data: Any) -> Any:
    """Return a list of dicts as a dict of columns, and other data unchanged."""
    if not (isinstance(data, list) and data and all(isinstance(row, Mapping) for row in data)):
        return data
    return {name: [row.get(name) for row in data] for name in dict.fromkeys(key for row in data for key in row)}


__all__ = ["ColumnMap", "Reading", "map_tables", "read", "read_all", "the_only"]

"""Files and tables → model."""

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
    ReadingWarning,
    SpecError,
    UnknownName,
    first_words,
    for_interface,
    quoted,
    warn,
)
from accord.data.io.large import count_ratings
from accord.data.io.large.addresses import without_secrets
from accord.data.io.naming import not_read
from accord.data.io.opening import is_special, lacks_room, read_unpacked, refuse_name, unreadable
from accord.data.io.reading import Declared, Reading, as_tuple, options_of_reading
from accord.data.io.tables.chains import conll_files, read_conll
from accord.data.io.tables.exports import answers_alone, refuse_exports
from accord.data.io.tables.header import PYGAMMA
from accord.data.io.tables.parts import Arrangement, arrange_tables, sheets_by_annotator
from accord.data.io.tables.ratings import read_rows
from accord.data.io.tables.sources import (
    EXCEL_SUFFIXES,
    JSON_SUFFIXES,
    Source,
    copy_aside,
    in_folder,
    in_memory,
    is_plain_csv,
    open_file,
    standard_input,
    tables_in_archive,
)
from accord.data.kinds import CHAINS, ITEMS, KINDS, SEGMENTATIONS, UNITS
from accord.data.model.corpus import Continuum
from accord.data.model.data import Data, Fact

_MARKED = (UNITS, CHAINS)  # kinds that are marked somewhere in documents
_LONGEST_NAME = 255  # bytes, on every file system
_OF_FILES = ("encoding", "delimiter", "sheet", "table")


def read(data: Any, **options: Any) -> Data:
    """Read data with one variable.

    Labels of items become `Ratings`, starts and ends `Corpus`, chains `Chains`, masses or boundaries `Segmentations`,
    and the annotators' own texts `Texts`.

    Parameters
    ----------
    data : path, folder, data frame, dict of columns, rows, or data
        What to read: files, a table in memory, or rows with a label per annotator. Data that were read are returned.
    **options
        How to read it; docs/data.md explains each option.

        - Columns: `layout`, `item`, `annotator`, `label`, `by`, `keep`, `annotators_in`, `columns`, `names`.
        - Labels: `missing`, `keep_empty`, `fold`, `sets`, `categories`, `repeats`, `only`, `annotators`, `merge`.
        - Files: `format`, `encoding`, `delimiter`, `sheet`, `table`, `no_header`, `repair`.
        - Units: `doc`, `start`, `end`, `end_is_length`, `docs`, `judged`, `extents`. For a table in memory,
          `extents={doc: (begin, end)}` gives the extents of documents and `judged={doc: [annotator]}` who looked at
          them. Leave out `doc` where there is only one.
        - Texts: `texts={annotator: text}` or `{(doc, annotator): text}` says that columns are tokens of the annotators'
          own texts; `texts=folder` is the folder of a table's texts. `base` is the version the others started from.
          `merge_symbol` and `split_symbol` are for CorA-XML.
        - `jobs` is the number of processes that read many files of annotation tools (default: all cores), and
          `progress` is called with a task, what is done and the total.
        - `reading` is a file that `accord read --save-reading` wrote, or a dict of options; others go first.

    Returns
    -------
    Ratings, Corpus, Chains, Segmentations or Texts

    Raises
    ------
    DataError
        If the data cannot be read, can be read in two ways, or have several variables (see `read_all`).
    UnknownName
        If there is no such option.

    Examples
    --------
    >>> accord.read({"item": [1, 2, 3], "Ana": ["a", "b", "b"], "Ben": ["a", "b", "a"]})
    <Ratings: 3 items, 2 annotators, 2 categories>
    """
    return the_only(read_all(data, **options))


def the_only(variables: Mapping[str, Data]) -> Data:
    """The data of the one variable that there is."""
    if len(variables) > 1:
        raise DataError(
            "several-variables",
            f"several variables: {', '.join(variables)}; choose one with --label, or read them all (read_all)",
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
        The annotators' own texts, or the folder where they are.
    progress : callable, optional
        Called with a task, what is done and the total.
    jobs : int, optional
        Processes that read many files of annotation tools. Default: all cores.
    reading : path, Reading or dict, optional
        A file that `accord read --save-reading` wrote, or options by name. The options beside it go first.
    **options
        The other options of `read`.

    Returns
    -------
    dict
        The data of each variable, by name.

    Raises
    ------
    DataError
        If the data cannot be read, or can be read in two ways.

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
    if isinstance(data, Data | Continuum):
        return _read_already(data, {**options, "extents": extents, "texts": texts})
    try:
        variables = _read(data, extents, texts, options, run)
    except (AccordError, Warning, KeyboardInterrupt, MemoryError, SystemExit):
        raise
    except OSError as error:
        if not isinstance(error.filename, str) and not lacks_room(error):
            raise DataError("file-unreadable", f"{_what(data)}: cannot be read: {first_words(error)}") from error
        raise unreadable(_what(data) if lacks_room(error) else error.filename, error) from error
    except BaseException as error:  # what parsers raise on damaged files; Polars' panics are no Exceptions
        raise DataError(
            "file-damaged", f"{_what(data)}: cannot be read, damaged or not what it seems: {first_words(error)}"
        ) from error
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
    if _is_records(data):
        data = {name: [row.get(name) for row in data] for name in dict.fromkeys(key for row in data for key in row)}
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
        looked = None  # a table, which is read
    how = _reading(options)
    declared = Declared(extents, looked)
    if _is_path(data):
        variables, reasons = _counted_or_read(_listed(data), how, declared, run)
        notes = [note for path in _listed(data) for note in _unopened(Path(path))]
        return {name: read.with_notes(*notes, *reasons) for name, read in variables.items()}
    if unfit := [name for name in _OF_FILES if getattr(how, name) is not None]:
        raise SpecError("option-not-for-data", f"{', '.join(unfit)}: this is for files, and these data are in memory")
    from accord.data.io.formats.objects import are_objects, read_objects

    if are_objects(data):
        from accord.data.io.formats.assembling import assemble

        if declared.said:
            raise SpecError(
                "option-not-for-data",
                f"{', '.join(declared.said)}: this is for tables, and these are annotations of recordings",
            )
        return assemble(read_objects(data), "annotations in memory", how)
    if isinstance(data, np.ndarray | list | tuple):
        if unfit := [*declared.said, *how.about_units]:
            raise SpecError(
                "option-not-for-data", f"{', '.join(unfit)}: this is for units: columns annotator, start, end"
            )
        return {"label": read_rows(data, how)}
    return _understood([in_memory(data)], how, declared, ())


def _counted_or_read(
    given: Sequence[str | os.PathLike[str]], how: Reading, declared: Declared, run: Run
) -> tuple[dict[str, Data], tuple[str, ...]]:
    """Count databases and very large tables where they are; read others. The notes say why a large one is read."""
    _refuse_unusable(given)
    counted, notes = count_ratings(given, how, run, files=not declared.said)
    return (_from_paths(given, how, declared, run) if counted is None else counted), notes


def _refuse_unusable(given: Sequence[str | os.PathLike[str]]) -> None:
    for path in map(str, given):
        if not path:
            raise DataError("file-missing", "an empty path: name a table, a folder, or - for standard input")
        refuse_name(path)
        if "://" not in path and max(map(len, map(os.fsencode, Path(path).parts)), default=0) > _LONGEST_NAME:
            raise DataError("file-missing", f"{quoted(path)}: there is no such file: no name is as long as this")


def _listed(data: Any) -> Sequence[str | os.PathLike[str]]:
    return [data] if isinstance(data, str | os.PathLike) else data


def _from_paths(given: Sequence[str | os.PathLike[str]], how: Reading, declared: Declared, run: Run) -> dict[str, Data]:
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
    for source in sources:
        refuse_exports(source, how)
    return _understood([answers_alone(source, how) for source in sources], how, declared, passed)


def _chains_or_texts(paths: Sequence[Path], how: Reading) -> dict[str, Data] | None:
    """Files that are no tables; None where these are."""
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
    return [f"{folder}: not opened, as no files but pipes, sockets or devices: {listed}"] if passed else []


def _by_variable(parts: Arrangement, declared: Declared, passed: tuple[str, ...]) -> dict[str, Data]:
    """Tables that are variables are read one by one, under their names."""
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
    )  # are they spelt right?
    if given:
        raise SpecError("option-not-for-data", f"{', '.join(given)}: say this when reading: accord.read(data, …)")
    known = data.alone if isinstance(data, Continuum) else data
    return {known.variable: known}


def _reading(options: Mapping[str, Any]) -> Reading:
    for key in options:
        if key not in Reading.__dataclass_fields__:
            raise UnknownName("option", key, (*Reading.__dataclass_fields__, "extents"))
    values = {key: os.fspath(value) if isinstance(value, os.PathLike) else value for key, value in options.items()}
    return Reading(**{key: as_tuple(key, value) for key, value in values.items()})


def _understood(sources: list[Source], how: Reading, declared: Declared, passed: tuple[str, ...]) -> dict[str, Data]:
    """Tables by what their columns are: the first kind that takes them."""
    readers = ((kind, kind.part(kind.reader)) for kind in KINDS)
    kind, reader = next((kind, candidate) for kind, candidate in readers if candidate.holds(sources, how))
    if unfit := [*declared.said, *how.about_units] if kind is ITEMS else declared.said if kind not in _MARKED else ():
        raise SpecError(
            "option-not-for-data",
            f"{', '.join(unfit)}: this is for units, and there are no columns for their start and end",
        )
    if how.repeats in {"first", "last"} and kind in {UNITS, SEGMENTATIONS}:  # intra says trials to all
        raise SpecError(
            "option-not-for-data", f"repeats: this is for labels of items and for chains, and these are {kind.words}"
        )
    notes = (*passed, *(note for source in sources for note in source.notes))
    parts = arrange_tables(sources, how) if kind is ITEMS else sheets_by_annotator(sources, how)
    notes = (*notes, *parts.notes)
    if parts.variables is not None:
        return _by_variable(parts, declared, notes)
    variables: dict[str, Data] = reader.read(parts.sources, parts.how, declared)
    if how.categories is None and any(getattr(source, "orders", None) for source in sources):
        from accord.data.io.tables.spss import order_labels

        variables = order_labels(sources, variables)
    return {name: data.with_notes(*notes) for name, data in variables.items()}


def _sources(paths: Sequence[str | os.PathLike[str]], how: Reading) -> tuple[list[Source], tuple[str, ...]]:
    """The tables behind the paths, and what was passed over in folders."""
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
        sources += [source for file, name in files for source in _opened(file, name, how, named, together)]
        if passed:
            notes.append(not_read(place, passed))
    if how.sheet is not None and not any(Path(source.name).suffix.lower() in EXCEL_SUFFIXES for source in sources):
        raise SpecError("option-not-for-data", f"sheet: this is for Excel files, and {sources[0].name} is none")
    return sources, tuple(notes)


def _opened(file: Path, name: str, how: Reading, named: tuple[str, ...] | None, together: bool) -> Sequence[Source]:
    """The tables of one file: of a workbook that was given alone, its sheets together."""
    suffix = file.suffix.lower()
    if suffix in JSON_SUFFIXES:
        from accord.data.io.tables.records import read_records

        return [read_records(copy_aside(file) if is_special(file) else file, name, how)]
    if together and suffix in EXCEL_SUFFIXES and not is_special(file):
        from accord.data.io.tables.excel import read_sheets

        return read_sheets(file, name, how.sheet, everybody=how.annotators_in == "sheets", bare=how.no_header)
    return [open_file(file, name=name, encoding=how.encoding, delimiter=how.delimiter, sheet=how.sheet, named=named)]


def _is_path(data: Any) -> bool:
    """A path, or several."""
    several = data if isinstance(data, list | tuple) and data else [data]
    return all(isinstance(path, str | os.PathLike) for path in several)


def _is_records(data: Any) -> bool:
    """A list of dicts, as data frames give them."""
    return isinstance(data, list) and len(data) > 0 and all(isinstance(row, Mapping) for row in data)


__all__ = ["Reading", "read", "read_all", "the_only"]

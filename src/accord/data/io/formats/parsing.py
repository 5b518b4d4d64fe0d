"""Parse files of unknown origin: one after the other or on several cores; their lines, tables, XML and JSON.

Nothing in a file is expanded or fetched. What is broken is reported with its place.
"""

from __future__ import annotations

import csv
import gc
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import isfinite, nan
from typing import Any, TypeVar

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.core.parallel import spread
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.opening import LONGEST_LINE

T = TypeVar("T")
R = TypeVar("R")

# -- files, one after the other --

READING = "reading files"
_MOST_TOGETHER = 32  # files in one task: what goes to a worker and back is small then, and so is its overhead
_TASKS = 64  # at least, where there are as many files


def each(parsed: Callable[[T], R], files: Sequence[T], run: Run) -> list[R]:
    """Apply `parsed` to every file, and return the results in order. The error of the first broken file is raised.

    It may run in another process: arguments and results must be picklable, and it must not change anything else.
    """
    size = max(1, min(_MOST_TOGETHER, len(files) // _TASKS))
    tasks = [files[at : at + size] for at in range(0, len(files), size)]

    def tell(what: str, done: int, total: int) -> None:
        run.progress(what, len(files) if done == total else done * size, len(files))

    results = spread(partial(_several, parsed), tasks, replace(run, progress=tell), READING, here=True)
    return [result for several in results for result in several]


def each_counted(parsed: Callable[[T, Export], R], files: Sequence[T], export: Export, run: Run) -> list[R]:
    """Apply a `parsed` that counts in an export what it leaves out."""
    results = each(partial(_counted, parsed), files, run)
    for _, own in results:
        export.leave_also(own)
    return [result for result, _ in results]


def _counted(parsed: Callable[[T, Export], R], file: T) -> tuple[R, Export]:
    own = Export()
    return parsed(file, own), own


def watched(files: Sequence[T], run: Run) -> Iterator[T]:
    """Iterate over files and report progress."""
    for done, file in enumerate(files):
        run.progress(READING, done, len(files))
        yield file
    run.progress(READING, len(files), len(files))


def _several(parsed: Callable[[T], R], files: Sequence[T]) -> list[R]:
    with without_collecting():
        return [parsed(file) for file in files]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause garbage collection: reading makes many objects and no cycles, and collection takes a sixth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# -- lines and tables --


def lines_of(file: File, encoding: str | None = None) -> Iterator[tuple[str, str]]:
    """Lines that are not blank, with their places and without their ends."""
    for number, line in enumerate(file.text(encoding).split("\n"), 1):
        if line.strip():
            yield f"{file.name}:{number}", line.rstrip("\r")


def rows_of(file: File, lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The cells of delimited lines."""
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:
        raise DataError("file-damaged", f"{file.name}: no table of values: {error}") from error


def seconds_of(cell: str, place: str) -> float:
    try:
        seconds = float(cell)
    except ValueError:
        seconds = nan
    if not isfinite(seconds):
        raise DataError("invalid-record", f"{place}: {quoted(cell, 40)} is no time in seconds")
    return seconds


def one_line(text: str | None) -> str:
    """A text with single blanks, whatever blanks and line breaks are in it."""
    return " ".join((text or "").split())


# -- XML --

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_of(file: File) -> Any:
    """The root element. Declared entities are refused; a document type alone, which some tools write, is not."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=True,
        remove_pis=True, remove_comments=True, collect_ids=False,
    )  # fmt: skip
    try:
        root = etree.fromstring(file.bytes(), parser)
    except etree.XMLSyntaxError as error:
        what = one_line(error.msg) or "the file is empty"
        raise DataError("file-damaged", f"{file.name}:{error.lineno or 1}: broken XML: {what}") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise DataError(
            "unsafe-file", f"{file.name}: entities are declared, which are not read; write out what they stand for"
        )
    return root


def local(element: Any) -> str:
    """The name of an element, without its namespace."""
    name: str = element.tag
    return name.rpartition("}")[2]


def xml_text(text: str) -> str:
    """The same text, if XML can hold it."""
    wrong = _NOT_XML.search(text)
    if wrong is not None:
        raise DataError(
            "output-name", f"{quoted(text, 30)}: XML cannot hold the sign U+{ord(wrong[0]):04X}; rename or remove it"
        )
    return text


def add_element(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:
    """A new element at the end of its parent."""
    from lxml import etree

    element = etree.SubElement(parent, tag, attributes)
    element.text = xml_text(text) if text is not None else None
    return element


def xml_bytes(root: Any) -> bytes:
    from lxml import etree

    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return content


# -- JSON --

_BLANK = re.compile(r"\s*")
_MOST_DIGITS = 300  # of a whole number: more are no float
_LONG = f"a number of more than {_MOST_DIGITS} digits; is the file damaged?"


def json_of(file: File, encoding: str | None = None) -> Any:
    """The value that a file holds."""
    return _decoded(file.text(encoding), file.name)


def json_rows(file: File, encoding: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON list, of JSON lines, or of concatenated JSON, with their places."""
    beginning = file.beginning.lstrip()
    rows: Iterable[tuple[str, Any]]
    if beginning.startswith("["):
        rows = _numbered(file, json_of(file, encoding))
    elif _goes_on(beginning) and (values := _one_by_one(file, encoding)):
        rows = _numbered(file, values)
    else:
        rows = _json_lines(file, encoding)
    for place, row in rows:
        if not isinstance(row, dict):
            raise DataError("invalid-record", f"{place}: {quoted(row)} is no object with named fields")
        yield place, row


def _numbered(file: File, values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"{file.name}, entry {k}", value) for k, value in enumerate(values, 1))


def _json_lines(file: File, encoding: str | None) -> Iterator[tuple[str, Any]]:
    for place, line in lines_of(file, encoding):
        if len(line) > 4 * LONGEST_LINE:
            raise DataError("file-too-large", f"{place}: a line of {len(line):,} characters; is it JSON by lines?")
        yield place, _decoded(line, place)


def _goes_on(beginning: str) -> bool:
    """Whether the first value is written over several lines."""
    first, broken, _ = beginning.partition("\n")
    if not broken:
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return True
    return False


def _one_by_one(file: File, encoding: str | None) -> list[Any]:
    text, at, values = file.text(encoding).strip(), 0, []
    decoder = json.JSONDecoder(parse_int=_whole)
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise DataError("file-damaged", f"{file.name}:{error.lineno}: broken JSON: {error.msg}") from error
        except (ValueError, RecursionError) as error:
            raise _unusual(error, file.name) from None
        values.append(value)
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # it matches nothing, too
    return values


def _decoded(text: str, place: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_int=_whole)
    except json.JSONDecodeError as error:
        line = f":{error.lineno}" if "\n" in text.strip() else ""
        raise DataError(
            "file-damaged", f"{place}{line}: broken JSON at character {error.colno}: {error.msg}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise _unusual(error, place) from None


def _unusual(error: Exception, place: str) -> DataError:
    return DataError(
        "file-damaged", f"{place}: {'nested too deeply to be read' if isinstance(error, RecursionError) else _LONG}"
    )


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(_LONG)
    return int(digits)


def fields_of(value: Any) -> Mapping[str, Any]:
    """The fields of an object; none where a value is something else."""
    return value if isinstance(value, Mapping) else {}


def objects_of(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; none where a value is something else."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []

"""Parse untrusted files, in sequence or on several cores: lines, tables, XML and JSON.

Parsers expand no entities and fetch nothing. Errors contain the location.
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

# -- files --

READING = "reading files"
_MOST_TOGETHER = 32  # files in one task, which keeps the data sent to a worker small
_TASKS = 64  # the minimum number of tasks, if there are enough files


def each(parsed: Callable[[T], R], files: Sequence[T], run: Run) -> list[R]:
    """Apply `parsed` to every file, and return the results in order. Raise the error of the first broken file.

    `parsed` may run in another process. Arguments and results must be picklable, and it must have no side effects.
    """
    size = max(1, min(_MOST_TOGETHER, len(files) // _TASKS))
    tasks = [files[at : at + size] for at in range(0, len(files), size)]

    def tell(what: str, done: int, total: int) -> None:
        run.progress(what, len(files) if done == total else done * size, len(files))

    results = spread(partial(_several, parsed), tasks, replace(run, progress=tell), READING, here=True)
    return [result for several in results for result in several]


def each_counted(parsed: Callable[[T, Export], R], files: Sequence[T], export: Export, run: Run) -> list[R]:
    """Apply a `parsed` that counts skipped data in an export."""
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
    """Pause garbage collection, which takes a sixth of the time. Reading makes many objects and no cycles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# -- lines and tables --


def lines_of(file: File, encoding: str | None = None) -> Iterator[tuple[str, str]]:
    """Yield location and content of lines that are not blank."""
    for number, line in enumerate(file.text(encoding).split("\n"), 1):
        if line.strip():
            yield f"{file.name}:{number}", line.rstrip("\r")


def rows_of(file: File, lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the cells of delimited lines."""
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:
        raise DataError("file-damaged", f"{file.name}: not a valid table: {error}; export it again") from error


def seconds_of(cell: str, place: str) -> float:
    try:
        seconds = float(cell)
    except ValueError:
        seconds = nan
    if not isfinite(seconds):
        raise DataError(
            "invalid-record", f"{place}: {quoted(cell, 40)} is not a valid time; expected seconds, e.g. 12.5"
        )
    return seconds


def one_line(text: str | None) -> str:
    """Return a text with single blanks instead of line breaks and sequences of blanks."""
    return " ".join((text or "").split())


# -- XML --

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_of(file: File) -> Any:
    """Return the root element. Refuse declared entities. A document type without entities is allowed."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=True,
        remove_pis=True, remove_comments=True, collect_ids=False,
    )  # fmt: skip
    try:
        root = etree.fromstring(file.bytes(), parser)
    except etree.XMLSyntaxError as error:
        what = one_line(error.msg) or "the file is empty"
        raise DataError(
            "file-damaged",
            f"{file.name}:{error.lineno or 1}: not valid XML: {what}; correct it, or export the file again",
        ) from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise DataError(
            "unsafe-file",
            f"{file.name}: the file declares entities, which accord does not expand; replace them by their text",
        )
    return root


def local(element: Any) -> str:
    """Return the name of an element without its namespace."""
    name: str = element.tag
    return name.rpartition("}")[2]


def xml_text(text: str) -> str:
    """Return the text unchanged. Raise if XML cannot represent it."""
    wrong = _NOT_XML.search(text)
    if wrong is not None:
        raise DataError(
            "output-name",
            f"{quoted(text, 30)}: XML does not allow the character U+{ord(wrong[0]):04X}; remove it from the data",
        )
    return text


def add_element(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:
    """Append a new element to its parent, and return it."""
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
_MOST_DIGITS = 300  # of a whole number; longer numbers are not floats
_LONG = f"a number has more than {_MOST_DIGITS} digits; correct it"
_DEEP = "the values are nested too deeply; export the file again with less nesting"


def json_of(file: File, encoding: str | None = None) -> Any:
    """Return the value of a JSON file."""
    return _decoded(file.text(encoding), file.name)


def json_rows(file: File, encoding: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield location and content of the objects of a JSON list, of JSON lines, or of concatenated JSON."""
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
            raise DataError(
                "invalid-record",
                f'{place}: {quoted(row)} is not a JSON object; expected fields in braces: {{"text": …}}',
            )
        yield place, row


def _numbered(file: File, values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"{file.name}, entry {k}", value) for k, value in enumerate(values, 1))


def _json_lines(file: File, encoding: str | None) -> Iterator[tuple[str, Any]]:
    for place, line in lines_of(file, encoding):
        if len(line) > 4 * LONGEST_LINE:
            raise DataError(
                "file-too-large", f"{place}: a line has {len(line):,} characters; write one JSON object per line"
            )
        yield place, _decoded(line, place)


def _goes_on(beginning: str) -> bool:
    """Whether the first value spans several lines."""
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
            raise DataError(
                "file-damaged",
                f"{file.name}:{error.lineno}: not valid JSON: {error.msg}; correct it, or export the file again",
            ) from error
        except (ValueError, RecursionError) as error:
            raise _unusual(error, file.name) from None
        values.append(value)
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # it always matches
    return values


def _decoded(text: str, place: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_int=_whole)
    except json.JSONDecodeError as error:
        line = f":{error.lineno}" if "\n" in text.strip() else ""
        raise DataError(
            "file-damaged",
            f"{place}{line}: not valid JSON at character {error.colno}: {error.msg}; correct it, or export it again",
        ) from error
    except (ValueError, RecursionError) as error:
        raise _unusual(error, place) from None


def _unusual(error: Exception, place: str) -> DataError:
    return DataError("file-damaged", f"{place}: {_DEEP if isinstance(error, RecursionError) else _LONG}")


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(_LONG)
    return int(digits)


def fields_of(value: Any) -> Mapping[str, Any]:
    """Return the fields of an object, or no fields if the value is not an object."""
    return value if isinstance(value, Mapping) else {}


def objects_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list, or no objects if the value is not a list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []

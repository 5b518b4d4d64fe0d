"""XML and JSON from strangers: nothing is expanded or fetched, and what is broken is named by its place."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from accord.core.errors import DataError, quoted
from accord.data.io.formats.files import File
from accord.data.io.opening import LONGEST_LINE

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BLANK = re.compile(r"\s*")
_DEEP = "nested too deeply to be read"
_MOST_DIGITS = 300  # of a whole number: more are no float
_LONG = f"a number of more than {_MOST_DIGITS} digits; is the file damaged?"


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
        said = " ".join((error.msg or "").split())
        raise DataError(f"{file.name}:{error.lineno or 1}: broken XML: {said or 'the file is empty'}") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise DataError(f"{file.name}: entities are declared, which are not read; write out what they stand for")
    return root


def xml_text(text: str) -> str:
    """A text that XML can hold."""
    wrong = _NOT_XML.search(text)
    if wrong is not None:
        raise DataError(f"{quoted(text, 30)}: XML cannot hold the sign U+{ord(wrong[0]):04X}; rename or remove it")
    return text


def local(element: Any) -> str:
    """The name of an element, without its namespace."""
    name: str = element.tag
    return name.rpartition("}")[2]


def json_of(file: File, encoding: str | None = None) -> Any:
    """The value that a file holds."""
    return _loaded(file.text(encoding), file.name)


def json_lines(file: File, encoding: str | None = None) -> Iterator[tuple[str, Any]]:
    """The value of each line, with its place; empty lines are passed over."""
    for number, line in enumerate(file.text(encoding).split("\n"), 1):
        if line.strip():
            if len(line) > 4 * LONGEST_LINE:
                raise DataError(f"{file.name}:{number}: a line of {len(line):,} characters; is it JSON by lines?")
            place = f"{file.name}:{number}"
            yield place, _loaded(line, place)


def json_rows(file: File, encoding: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list, of lines, or one behind another, with their places; whatever the suffix says."""
    beginning = file.beginning.lstrip()
    if beginning.startswith("["):
        listed: Iterable[Any] = json_of(file, encoding)
    elif _goes_on(beginning):
        listed = _one_by_one(file, encoding)
    else:
        listed = ()
    rows: Iterable[tuple[str, Any]] = ((f"{file.name}, entry {k}", row) for k, row in enumerate(listed, 1))
    if not beginning.startswith("[") and not listed:
        rows = json_lines(file, encoding)
    for place, row in rows:
        if not isinstance(row, dict):
            raise DataError(f"{place}: {quoted(row)} is no object with named fields")
        yield place, row


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
    text, at, found = file.text(encoding).strip(), 0, []
    while at < len(text):
        try:
            value, end = json.JSONDecoder(parse_int=_whole).raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise DataError(f"{file.name}:{error.lineno}: broken JSON: {error.msg}") from error
        except ValueError:
            raise DataError(f"{file.name}: {_LONG}") from None
        except RecursionError:
            raise DataError(f"{file.name}: {_DEEP}") from None
        found.append(value)
        at = _BLANK.match(text, end).end()  # type: ignore[union-attr]  # it matches nothing, too
    return found


def first_json(file: File) -> Any:
    """The value that a file begins with: of a list its first entry, of lines the first; None where it is no JSON."""
    return file.first_value


def _loaded(text: str, place: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_int=_whole)
    except json.JSONDecodeError as error:
        if "\n" in text.strip():
            place = f"{place}:{error.lineno}"
        raise DataError(f"{place}: broken JSON at character {error.colno}: {error.msg}") from error
    except RecursionError:
        raise DataError(f"{place}: {_DEEP}") from None
    except ValueError:
        raise DataError(f"{place}: {_LONG}") from None


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(_LONG)
    return int(digits)


def rows_of(file: File, lines: Sequence[str], delimiter: str, quotes: bool = True) -> list[list[str]]:
    """The cells of delimited lines."""
    try:
        return list(csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE))
    except csv.Error as error:
        raise DataError(f"{file.name}: no table of values: {error}") from error

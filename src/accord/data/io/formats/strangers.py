"""Files that are no table and no format that accord knows are named for what they are, never guessed at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from accord.core.errors import DataError
from accord.data.io.formats import audacity
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import first_json
from accord.data.io.reading import Reading

_BY_BYTES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x1f\x8b", "packed with gzip"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"BZh", "packed with bzip2"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"RIFF", "a recording"),
    (b"ID3", "a recording"),
    (b"\x80\x04\x95", "a Python pickle, which can run code and is never opened"),
    (b"{\\rtf", "a text in RTF"),
)
# JSON of tools, by the names in its first record: what it is, and what to do.
_ROWS = "write rows: item,annotator,label or doc,annotator,start,end,label"
_BY_KEYS = (
    ({"data_row", "projects"}, "an export of Labelbox", _ROWS),
    ({"DataRow ID", "Labeled Data"}, "an export of Labelbox", _ROWS),
    ({"examples", "schema"}, "an export of LightTag", _ROWS),
    ({"annotatable", "anncomplete"}, "an export of tagtog", _ROWS),
    ({"documentName", "document", "tokens"}, "an export of UBIAI, which does not say who annotated", _ROWS),
    ({"datasetObjectId", "dataObject", "annotations"}, "a request of SageMaker Ground Truth for consolidation", _ROWS),
    ({"answers"}, "answers of workers in SageMaker Ground Truth to one item", _ROWS),
)
_MANIFEST = "a manifest of SageMaker Ground Truth, with one consolidated label for each item"
_BOUNDARY = re.compile(r"(\d+\.\d+)(?:\t|,)([^\t\d].*)")
_YAML = (".yml", ".yaml", ".bdocym")
_JSON = (".json", ".jsonl", ".ndjson")
_TABLES = (".xlsx", ".xlsm", ".ods", ".xls", ".parquet", ".pq", ".sav", ".zsav")


def refuse_strangers(files: Sequence[File], how: Reading) -> None:
    """A file that can be no table is refused by name, where it was given alone; in a folder it is passed over."""
    boundaries = next((file for file in files if _are_boundaries(file)), None)
    if boundaries is not None:
        raise DataError(
            f"{boundaries.name}: a time and a label on each line, without an end, in no format that accord knows; "
            "write when each stretch begins and ends: start, end, label, with tabs between (Audacity), or a table"
        )
    said = how.no_header or how.layout or how.item or how.annotator or how.label or how.annotators_in
    either = next((file for file in files if audacity.may_be(file)), None) if not said else None
    if either is not None:
        raise DataError(
            f"{either.name}: two numbers and a word on each line: say --format audacity if these are times and labels, "
            "or --no-header if it is a table"
        )
    if len(files) != 1 or files[0].suffix in _TABLES:
        return
    _refuse_tools(files[0])
    what = _what(files[0])
    if what is not None:
        raise DataError(
            f"{files[0].name}: this is {what}, in no format that accord knows (see `accord formats`); "
            "--format says which it is, or export a table: doc,annotator,start,end,label or item,annotator,label"
        )


def _refuse_tools(file: File) -> None:
    first = file.first_value
    if not isinstance(first, Mapping):
        return
    known = next(((what, instead) for keys, what, instead in _BY_KEYS if keys <= set(first)), None)
    if known is not None and ("answers" not in first or _are_answers(first["answers"])):
        raise DataError(f"{file.name}: {known[0]}, in no format that accord reads: {known[1]}")
    if any(isinstance(value, Mapping) and {"job-name", "human-annotated"} <= set(value) for value in first.values()):
        raise DataError(f"{file.name}: {_MANIFEST}: take the answers of workers (worker-response), and {_ROWS}")


def _are_answers(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, Mapping) and "answerContent" in one for one in value)


def _are_boundaries(file: File) -> bool:
    """Labels that last until the next begins, as SALAMI and Sonic Visualiser write them; as a table, nonsense."""
    if file.suffix not in {".txt", ".lab", ".csv", ""}:
        return False
    lines = [line.strip() for line in file.beginning.split("\n")[:200] if line.strip()]
    said = [one for line in lines[:-1] if (one := _BOUNDARY.fullmatch(line)) is not None]
    times = [float(one[1]) for one in said]
    return bool(said) and len(said) == len(lines) - 1 and times == sorted(times)


def _what(file: File) -> str | None:
    known = next((what for begins, what in _BY_BYTES if file.head.startswith(begins)), None)
    if known is not None or file.suffix in _YAML:
        return known or "YAML"
    text = file.beginning.lstrip()
    marked_up = text.startswith("<") and file.suffix in {".xml", ".xmi", ".html", ".htm", ".tei"}
    if (marked_up or text.startswith("<?xml")) and "<mod" not in text:  # that is CorA-XML, which is read as texts
        return "XML" if "html" not in file.suffix else "a web page"
    if text.startswith(("{", "[")):
        if file.suffix in _JSON:
            return None if _are_records(file, text) else "JSON"
        return "JSON under another name" if isinstance(first_json(file), Mapping) else None
    if b"\0" in file.head[:512] and not file.head.startswith((b"\xff\xfe", b"\xfe\xff")) and _mostly_binary(file.head):
        return "a binary file"
    return None


def _are_records(file: File, text: str) -> bool:
    """Rows of a table: a list of objects, or an object per line."""
    lines = text.split("\n", 2)
    return isinstance(first_json(file), Mapping) and (text.startswith("[") or lines[0].strip() != "{")


def _mostly_binary(head: bytes) -> bool:
    """UTF-16 without a mark has zeros in every second place; other files with zeros are no text."""
    sides = (head[:512:2].count(0), head[1:512:2].count(0))
    return min(sides) > 8 or max(sides) < len(head[:512]) // 8

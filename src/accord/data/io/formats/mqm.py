"""Errors of translations, marked by raters: Multidimensional Quality Metrics (MQM).

Files: .tsv or .csv with a row per error: system, doc, seg_id (or globalSegId), rater, source, target, category,
severity. `<v>…</v>` or `<tag>…</tag>` in the target marks the error. Files name their raters.
Keeps: marked errors as units in the translated segment, without the tags: the variables `category` and `severity`. A
document is a segment of a system. A row No-error, or without category, records that the rater saw the segment.
Skips and counts: further columns, errors marked in the source, errors without a mark, rows that test the attention of
raters (HOTW-test), and segments of a rater whose text differs from that of other raters in more than spaces.
Reference: Freitag et al. (2021), Experts, Errors, and Context: A Large-Scale Study of Human Evaluation for Machine
Translation. TACL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import lines_of, rows_of, watched
from accord.data.io.reading import Reading

# Names of columns without case and signs, the best first.
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "system": ("system", "mt"),
    "doc": ("doc", "document"),
    "segment": ("globalsegid", "segid", "segment", "segmentid"),
    "rater": ("rater", "annotatorid", "annotator"),
    "source": ("taggedsource", "source"),
    "target": ("taggedtarget", "target"),
    "plain": ("target",),
    "category": ("category", "errorcategory"),
    "severity": ("severity",),
}
_MAY_LACK = {"doc", "source"}
_ABOUT = frozenset(("timestamp", "docsegid", "docid", "segid", "globalsegid", "source", "target", "reference", "ref",
                    "metadata"))  # fmt: skip
_MARKED = re.compile(r"<(v|tag)>(.*?)</\1>", re.DOTALL)
_TAG = re.compile(r"</?(?:v|tag)>")
_NO_ERROR = {"", "noerror", "none"}
_TEST = "hotwtest"  # an error that the tool inserts to see whether the rater finds it


@dataclass(frozen=True)
class _Row:
    """A row: an error, or the statement that there is none."""

    doc: str
    rater: str
    source: str
    target: str
    category: str
    severity: str
    place: str

    @property
    def text(self) -> str:
        return _TAG.sub("", self.target)


def recognises(file: File) -> bool:
    if file.suffix not in {".tsv", ".csv", ".txt"}:
        return False
    return _columns_of(file.beginning.split("\n", 1)[0]) is not None


def _columns_of(line: str) -> tuple[str, dict[str, int]] | None:
    """Return the separator and the position of each column; None if a column is missing."""
    separator = "\t" if "\t" in line else ","
    names = [_plain(cell) for cell in line.strip().split(separator)]
    found = {role: next((names.index(name) for name in known if name in names), -1) for role, known in _COLUMNS.items()}
    return (separator, found) if all(at >= 0 for role, at in found.items() if role not in _MAY_LACK) else None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    by_file = [list(_rows(file, export, how)) for file in watched(mine, run)]
    _tell_apart(by_file, mine)
    versions: dict[str, dict[str, list[_Row]]] = {}
    for row in (row for rows in by_file for row in rows):
        versions.setdefault(row.doc, {}).setdefault(row.rater, []).append(row)
    for doc, raters in versions.items():
        _take(export, doc, raters)
    if versions and "category" not in export.units:
        raise DataError(
            "export-not-usable",
            f"{mine[0].name}: no error is marked in a target with <v>…</v>, so accord does not know the positions; "
            "export the table with marks, or use --format table with --item, --annotator and --label",
        )
    return export


def _rows(file: File, export: Export, how: Reading) -> Iterator[_Row]:
    lines = list(lines_of(file, how.encoding))
    found = _columns_of(lines[0][1].lstrip("\ufeff")) if lines else None
    if found is None:
        columns = "system, seg_id, rater, target, category, severity"
        raise DataError(
            "column-missing", f"{file.name}:1: not a table of MQM; the header row must have the columns {columns}"
        )
    separator, at = found
    width = max(at.values()) + 1
    header = [name.strip() for name in lines[0][1].lstrip("\ufeff").split(separator)]
    for place, cells in _cells(file, lines, separator, how):
        _pass_cells(export, header, cells, at)
        if len(cells) < width:
            raise DataError(
                "uneven-rows",
                f"{place}: {len(cells)} cells, but the header row has at least {width}; correct the row",
            )
        cell = {role: cells[k].strip() if role != "target" else cells[k] for role, k in at.items() if k >= 0}
        for role in ("rater", "segment"):
            if not cell[role]:
                raise DataError("empty-cell", f"{place}: the {role} is empty; fill in the cell or delete the row")
        if _plain(cell["severity"]) == _TEST:
            export.leave("rows that test the attention of raters (HOTW-test)", place)
            continue
        doc = " ".join(filter(None, (cell["system"], cell.get("doc", ""), cell["segment"])))
        target = cell["target"] if cell["target"].strip() else cells[at["plain"]]  # the mark is in the source
        yield _Row(doc, cell["rater"], cell.get("source", ""), target, cell["category"], cell["severity"], place)


def _pass_cells(export: Export, header: Sequence[str], cells: Sequence[str], at: Mapping[str, int]) -> None:
    """Count cells in columns that are not read."""
    used = {*at.values()}
    for k, cell in enumerate(cells):
        name = header[k] if k < len(header) else "without a name"
        if k not in used and cell.strip() and _plain(name) not in _ABOUT:
            export.unused.add("columns", name)


def _cells(
    file: File, lines: Sequence[tuple[str, str]], separator: str, how: Reading
) -> Iterator[tuple[str, list[str]]]:
    """Yield location and cells of each row. Quotes in a table with tabs are plain characters."""
    if separator == "\t":
        yield from ((place, line.split("\t")) for place, line in islice(lines, 1, None))
        return
    rows = rows_of(file, file.text(how.encoding).lstrip("\ufeff").splitlines(keepends=True), separator)
    yield from ((f"{file.name}, row {number}", row) for number, row in enumerate(rows[1:], 2) if any(row))


def _tell_apart(by_file: list[list[_Row]], files: Sequence[File]) -> None:
    """Add the name of the file to documents if two files have different texts of the same name."""
    texts: dict[str, str] = {}
    for rows in by_file:
        mine = {row.doc: " ".join(row.text.split()) for row in rows}
        if any(texts.get(doc, text) != text for doc, text in mine.items()):
            break
        texts |= mine
    else:
        return
    for k, (rows, file) in enumerate(zip(by_file, files, strict=True)):
        by_file[k] = [
            _Row(f"{file.stem} {r.doc}", r.rater, r.source, r.target, r.category, r.severity, r.place) for r in rows
        ]


def _take(export: Export, doc: str, raters: Mapping[str, Sequence[_Row]]) -> None:
    """Add a segment with the errors of all raters."""
    texts = {row.text.rstrip() for rows in raters.values() for row in rows}
    spaces_differ = len(texts) > 1
    if spaces_differ:
        texts = {" ".join(text.split()) for text in texts}
    shared = next(iter(texts)) if len(texts) == 1 else _most_frequent(raters)
    export.document(doc, shared)
    for rater, rows in raters.items():
        if len(texts) > 1 and any(" ".join(row.text.split()) != shared for row in rows):
            export.leave("segments of a rater whose text differs from that of other raters", rows[0].place)
            continue
        export.saw(doc, rater)
        for row in rows:
            _take_errors(export, row, folded=spaces_differ)


def _most_frequent(raters: Mapping[str, Sequence[_Row]]) -> str:
    """Return the text that most raters have; spaces are ignored."""
    texts = [" ".join(rows[0].text.split()) for rows in raters.values()]
    return max(dict.fromkeys(texts), key=texts.count)


def _take_errors(export: Export, row: _Row, *, folded: bool) -> None:
    """Add the errors of a row. `folded`: positions are those in the text with single spaces."""
    if _plain(row.category) in _NO_ERROR and _plain(row.severity) in _NO_ERROR:
        return
    marks = list(_MARKED.finditer(row.target))
    if not marks:
        source = _TAG.search(row.source)
        export.leave("errors marked in the source" if source else "errors without a mark in the target", row.place)
    end = len(row.text.rstrip())
    for mark in marks:
        before, inside = _TAG.sub("", row.target[: mark.start()]), mark[2]
        if folded:
            start, stop = len(_fold(before, inside)), len(_fold(before + inside, ""))
        else:
            start, stop = min(len(before), end), min(len(before) + len(inside), end)
        for variable, label in (("category", row.category), ("severity", row.severity)):
            if label:
                export.unit(variable, row.doc, row.rater, start, max(start, stop), label, place=row.place)


def _fold(text: str, following: str) -> str:
    """Return text with single spaces. A space at its end is kept if text follows."""
    folded = " ".join(text.split())
    spaced = bool(folded) and text[-1:].isspace() and bool(following.strip()) and not following[:1].isspace()
    return f"{folded} " if spaced else folded

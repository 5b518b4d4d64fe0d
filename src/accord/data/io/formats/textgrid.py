"""TextGrid of Praat, the program for phonetics.

Files: .TextGrid, long and short, in any encoding of Praat. Binary and chronological files are refused. Annotators have
a file each, or are tiers (see tiers.py).
Keeps: intervals with a text as units, in seconds; each tier is a variable. Empty intervals are gaps.
Skips and counts: points, which have no length, and values after the last tier.
Reference: Praat manual, "TextGrid file formats".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import each_counted, one_line
from accord.data.io.formats.tiers import Tier, Tiers, read_tiers
from accord.data.io.formats.writing import FOLDERS, Draft, Mark, Material, file_names, number
from accord.data.io.reading import Reading

# Praat reads texts in quotes (inner quotes are doubled), numbers and flags, and ignores everything else.
_TOKEN = re.compile(r'"((?:[^"]|"")*)"|<(exists|absent)>|(?<![\w.\[])(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w\]])|(\n)')
_OTHER = ("chronological TextGrid", "ooBinaryFile")  # further forms that Praat writes


def recognises(file: File) -> bool:
    beginning = file.beginning[:200]
    return "TextGrid" in beginning and any(form in beginning for form in ("ooTextFile", *_OTHER))


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    return read_tiers(each_counted(partial(_tiers, how=how), mine, export, run), export, how)


class _Tokens:
    """Values in sequence, with the line of each."""

    def __init__(self, file: File, text: str) -> None:
        self.file, self.line = file, 1
        self.found = self._values(text)

    def _values(self, text: str) -> Iterator[str | float | bool]:
        for token in _TOKEN.finditer(text):
            if token[4]:
                self.line += 1
            elif token[1] is not None:
                yield token[1].replace('""', '"')
                self.line += token[1].count("\n")
            elif token[2]:
                yield token[2] == "exists"
            else:
                yield float(token[3])

    def of(self, kind: type) -> str | float | bool:
        value = next(self.found, None)
        if value is None or not isinstance(value, kind):
            what = "a number" if kind is float else "a text" if kind is str else "<exists>"
            raise DataError(
                "file-damaged", f"{self.file.name}:{self.line}: {what} is missing; save the TextGrid again in Praat"
            )
        return value

    def text(self) -> str:
        return str(self.of(str))

    def rest(self) -> int:
        """Return the number of values that are left."""
        return sum(1 for _ in self.found)

    def number(self) -> float:
        return float(self.of(float)) + 0.0  # no -0

    def count(self) -> int:
        number = self.number()
        if not 0 <= number <= 10_000_000 or number != int(number):
            raise DataError(
                "file-damaged",
                f"{self.file.name}:{self.line}: {number:g} is not a valid number of tiers or intervals; "
                "save the TextGrid again in Praat",
            )
        return int(number)


def _tiers(file: File, export: Export, how: Reading) -> Tiers:
    if any(form in file.beginning[:200] for form in _OTHER):
        raise DataError(
            "export-not-usable",
            f"{file.name}: the TextGrid is binary or chronological; save it in Praat as a text file",
        )
    tokens = _Tokens(file, file.text(how.encoding).replace("\r\n", "\n").replace("\r", "\n"))
    tokens.text(), tokens.text()  # ooTextFile, TextGrid
    extent = (tokens.number(), tokens.number())
    tiers = []
    for _ in range(tokens.count() if tokens.of(bool) else 0):
        kind, tier = tokens.text(), Tier(tokens.text().strip())
        if kind not in {"IntervalTier", "TextTier"}:
            raise DataError(
                "invalid-record",
                f"{file.name}:{tokens.line}: {quoted(kind, 40)} is not a kind of tier; "
                "expected IntervalTier or TextTier",
            )
        tokens.number(), tokens.number()
        for _ in range(tokens.count()):
            start = tokens.number()
            end = tokens.number() if kind == "IntervalTier" else start
            label, place = tokens.text(), f"{file.name}:{tokens.line}"
            if label.strip():
                tier.marked.append((start, end, one_line(label), place))
        tiers.append(tier)
    export.unused.add("values", "after the last tier", tokens.rest())
    return Tiers(file, _told_apart(tiers), extent)


def _told_apart(tiers: list[Tier]) -> list[Tier]:
    """Number tiers with the same name."""
    names = [tier.name for tier in tiers]
    for k, tier in enumerate(tiers):
        if names.count(tier.name) > 1:
            tier.name = f"{tier.name} {names[: k + 1].count(names[k])}".strip()
    return tiers


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write a file per annotator and document, with a tier per variable. Gaps are empty intervals."""
    material.needs_tiers()
    draft = Draft(dict(FOLDERS), texts=False)
    file_names(material, draft)
    for doc, annotator, marks in material.versions():
        begin, end, _ = material.extents[doc]
        if end <= begin:
            raise DataError(
                "not-representable",
                f"a TextGrid needs the length of each recording, and {quoted(doc)} has none; add it to docs.csv",
            )
        lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", *_extent(begin, end, ""),
                 "tiers? <exists>", f"size = {len(marks)}", "item []:"]  # fmt: skip
        for k, (variable, found) in enumerate(marks.items(), 1):
            lines += _tier_lines(k, variable, found, begin, end)
        draft.add(f"{draft.annotators[annotator]}/{draft.docs[doc]}.TextGrid", "\n".join(lines) + "\n")
    return draft


def _tier_lines(k: int, variable: str, marks: Sequence[Mark], begin: float, end: float) -> list[str]:
    intervals: list[Mark] = []
    at = begin
    for mark in [*marks, Mark(end, end, None)]:
        if mark.start > at:
            intervals.append(Mark(at, mark.start, None))
        if mark.end > mark.start:
            intervals.append(mark)
        at = mark.end
    lines = [f"    item [{k}]:", '        class = "IntervalTier"', f"        name = {_quoted(variable)}"]
    lines += [*_extent(begin, end, " " * 8), f"        intervals: size = {len(intervals)}"]
    for number_of, mark in enumerate(intervals, 1):
        lines += [f"        intervals [{number_of}]:", *_extent(mark.start, mark.end, " " * 12)]
        lines.append(f"            text = {_quoted(mark.label or '')}")
    return lines


def _extent(begin: float, end: float, indent: str) -> list[str]:
    return [f"{indent}xmin = {number(begin)}", f"{indent}xmax = {number(end)}"]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'

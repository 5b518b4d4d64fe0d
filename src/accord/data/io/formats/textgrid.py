"""TextGrid of Praat, the program for phonetics.

Files: .TextGrid, long and short, in any encoding of Praat; binary and chronological ones are refused. Annotators are a
file each, or tiers (see tiers.py).
Keeps: intervals with a text as units, in seconds; each tier is a variable. Empty intervals are gaps.
Leaves out, and counts: points, which have no length.
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
from accord.data.io.formats.parsing import each, one_line
from accord.data.io.formats.tiers import Tier, Tiers, read_tiers
from accord.data.io.formats.writing import FOLDERS, Draft, Mark, Material, file_names, number
from accord.data.io.reading import Reading

# What Praat reads of such a file: texts in quotes (a quote within is doubled), numbers, flags; all else is for people.
_TOKEN = re.compile(r'"((?:[^"]|"")*)"|<(exists|absent)>|(?<![\w.\[])(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w\]])|(\n)')
_OTHER = ("chronological TextGrid", "ooBinaryFile")  # further forms that Praat writes


def recognises(file: File) -> bool:
    beginning = file.beginning[:200]
    return "TextGrid" in beginning and any(form in beginning for form in ("ooTextFile", *_OTHER))


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    return read_tiers(each(partial(_tiers, how=how), mine, run), Export(), how)


class _Tokens:
    """Values one after another, with the line they stand on."""

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
                "file-damaged", f"{self.file.name}:{self.line}: {what} is missing; is the TextGrid cut off?"
            )
        return value

    def text(self) -> str:
        return str(self.of(str))

    def number(self) -> float:
        return float(self.of(float)) + 0.0  # no -0

    def count(self) -> int:
        number = self.number()
        if not 0 <= number <= 10_000_000 or number != int(number):
            raise DataError(
                "file-damaged", f"{self.file.name}:{self.line}: {number:g} is no number of tiers or intervals"
            )
        return int(number)


def _tiers(file: File, how: Reading) -> Tiers:
    if any(form in file.beginning[:200] for form in _OTHER):
        raise DataError(
            "export-not-usable", f"{file.name}: a binary or chronological TextGrid; save it in Praat as a text file"
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
                f"{file.name}:{tokens.line}: {quoted(kind, 40)} is no kind of tier; is the TextGrid damaged?",
            )
        tokens.number(), tokens.number()
        for _ in range(tokens.count()):
            start = tokens.number()
            end = tokens.number() if kind == "IntervalTier" else start
            label, place = tokens.text(), f"{file.name}:{tokens.line}"
            if label.strip():
                tier.marked.append((start, end, one_line(label), place))
        tiers.append(tier)
    return Tiers(file, _told_apart(tiers), extent)


def _told_apart(tiers: list[Tier]) -> list[Tier]:
    """Tiers of the same name are numbered."""
    names = [tier.name for tier in tiers]
    for k, tier in enumerate(tiers):
        if names.count(tier.name) > 1:
            tier.name = f"{tier.name} {names[: k + 1].count(names[k])}".strip()
    return tiers


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """A file per annotator and document, a tier per variable; what is not marked is an empty interval."""
    material.needs_tiers()
    draft = Draft(dict(FOLDERS), texts=False)
    file_names(material, draft)
    for doc, annotator, marks in material.versions():
        begin, end, _ = material.extents[doc]
        if end <= begin:
            raise DataError(
                "not-representable",
                f"a TextGrid has a length, and that of {quoted(doc)} is not known: docs.csv says it",
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

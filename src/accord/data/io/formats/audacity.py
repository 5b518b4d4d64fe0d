"""Labels of Audacity, the audio editor.

Files: .txt with start, end and label on each line, separated by tabs; a file per annotator and recording. An empty file
means that the annotator marked nothing.
Keeps: labels with a text as units, in seconds; there is one variable, `label`.
Skips and counts: labels without a text, points, ranges of frequencies.
Reference: Audacity Manual, "Importing and Exporting Labels".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import HEAD, File
from accord.data.io.formats.parsing import lines_of, watched
from accord.data.io.formats.tiers import Tier, Tiers, read_tiers
from accord.data.io.reading import Reading

_LINE = re.compile(r"(-?\d+(?:[.,]\d+)?)\t(-?\d+(?:[.,]\d+)?)(?:\t(.*))?")
_FREQUENCIES = "\\"  # a second line of a label, with its range of frequencies
_WRITTEN = re.compile(r"-?\d+[.,]\d{6}")  # a time as Audacity writes it
_NUMBER = re.compile(r"\s*(?:-?\d+(?:[.,]\d+)?)?\s*")
_SHOW_ORDER = 3  # whole numbers are times if at least this many lines follow each other
_SUFFIXES = (".txt", "")


def recognises(file: File) -> bool:
    """Whether every line has two times in order.

    If labels are numbers too, all times must have the six decimals that Audacity writes. Whole numbers are times if
    each stretch begins after the previous one ends. Other tables of numbers are not Audacity labels.
    """
    said = _lines(file)
    if all(_NUMBER.fullmatch(one[3] or "") for one in said):
        return bool(said) and all(_WRITTEN.fullmatch(one[k]) for one in said for k in (1, 2))
    if any(sign in one[k] for one in said for k in (1, 2) for sign in ".,"):
        return True
    return (
        len(said) >= _SHOW_ORDER
        and all(a < b for a, b in pairwise(_starts(said)))
        and all(_seconds(before[2]) <= _seconds(after[1]) for before, after in pairwise(said))
    )


def may_be(file: File) -> bool:
    """Whether whole numbers may be times or columns of a table: starts are in order, but stretches overlap."""
    said = _lines(file)
    named = bool(said) and not any(_NUMBER.fullmatch(one[3] or "") for one in said)
    return named and not recognises(file) and all(a <= b for a, b in pairwise(_starts(said)))


def _starts(said: Sequence[re.Match[str]]) -> list[float]:
    return [_seconds(one[1]) for one in said]


def _lines(file: File) -> list[re.Match[str]]:
    """Return the lines if all are labels that end after they start, else an empty list."""
    if file.suffix not in _SUFFIXES:
        return []
    lines = [line.rstrip("\r") for line in file.beginning.split("\n")[:200] if line.strip()]
    whole = lines if len(file.head) < HEAD else lines[:-1]
    lines = [line for line in whole if not line.startswith(_FREQUENCIES)]
    said = [one for line in lines if (one := _LINE.fullmatch(line)) is not None]
    if len(said) < len(lines) or any(_seconds(one[1]) > _seconds(one[2]) for one in said):
        return []
    return said


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    export = Export()
    given, known = [], set(mine)
    for file in watched(files, run):
        if file not in known:
            empty = file.suffix in _SUFFIXES and not file.head.strip()
            if not (empty or may_be(file)) or file.name in export.also:
                continue
            export.also.add(file.name)  # a file with no labels or few of them
        given.append(Tiers(file, [_labels(file, export, how)]))
    return read_tiers(given, export, how)


def _labels(file: File, export: Export, how: Reading) -> Tier:
    tier = Tier("label")
    for place, line in lines_of(file, how.encoding):
        if line.startswith(_FREQUENCIES):
            export.unused.add("lines", "ranges of frequencies")
            continue
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise DataError(
                "invalid-record",
                f"{place}: not a valid Audacity label; expected start, end and label, separated by tabs",
            )
        if (parts[3] or "").strip():
            tier.marked.append((_seconds(parts[1]), _seconds(parts[2]), parts[3].strip(), place))
        else:
            export.leave("labels without a text", place)
    return tier


def _seconds(cell: str) -> float:
    return float(cell.replace(",", "."))

"""Audacity labels: start, end and label on each line, with tabs between. A file per annotator and recording."""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.context import Run
from accord.errors import DataError
from accord.io.formats.by_file import watched
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.tiers import Tier, Tiers, read_tiers
from accord.io.reading import Reading

_LINE = re.compile(r"(-?\d+(?:[.,]\d+)?)\t(-?\d+(?:[.,]\d+)?)(?:\t(.*))?")
_FREQUENCIES = "\\"  # a second line of a label, with the frequencies that it spans
_WRITTEN = re.compile(r"-?\d+[.,]\d{6}")  # a time as Audacity itself writes it
_NUMBER = re.compile(r"\s*(?:-?\d+(?:[.,]\d+)?)?\s*")
_SUFFIXES = (".txt", "")


def recognises(file: File) -> bool:
    """Two times in order on every line, some with decimals; where labels are numbers, too, as Audacity writes times.

    Other tables of numbers are something else.
    """
    if file.suffix not in _SUFFIXES:
        return False
    lines = [line.rstrip("\r") for line in file.beginning.split("\n")[:200] if line.strip()]
    lines = [line for line in lines[:-1] or lines if not line.startswith(_FREQUENCIES)]
    said = [one for line in lines if (one := _LINE.fullmatch(line)) is not None]
    if not said or len(said) < len(lines) or any(_seconds(one[1]) > _seconds(one[2]) for one in said):
        return False
    if all(_NUMBER.fullmatch(one[3] or "") for one in said):
        return all(_WRITTEN.fullmatch(one[k]) for one in said for k in (1, 2))
    return any(sign in one[k] for one in said for k in (1, 2) for sign in ".,")


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    export = Export()
    given, known = [], set(mine)
    for file in watched(files, run):
        if file not in known:
            if file.suffix not in _SUFFIXES or file.head.strip() or file.name in export.also:
                continue
            export.also.add(file.name)  # somebody marked nothing
        given.append(Tiers(file, [_labels(file, export, how)]))
    return read_tiers(given, export, how)


def _labels(file: File, export: Export, how: Reading) -> Tier:
    tier = Tier("label")
    for number, line in enumerate(file.text(how.encoding).split("\n"), 1):
        line, place = line.rstrip("\r"), f"{file.name}:{number}"  # noqa: PLW2901
        if not line.strip() or line.startswith(_FREQUENCIES):
            continue
        said = _LINE.fullmatch(line)
        if said is None:
            raise DataError(f"{place}: a label of Audacity is written: start, end, label, with tabs between")
        if (said[3] or "").strip():
            tier.marked.append((_seconds(said[1]), _seconds(said[2]), said[3].strip(), place))
        else:
            export.leave("labels without a text", place)
    return tier


def _seconds(cell: str) -> float:
    return float(cell.replace(",", "."))

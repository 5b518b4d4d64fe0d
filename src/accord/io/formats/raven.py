"""Raven selection tables: a row per selection, its times and what people noted. A file per annotator and recording.

Columns with notes are variables; times, frequencies and measurements are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.parsing import rows_of
from accord.io.formats.tiers import Tier, Tiers, read_tiers
from accord.io.reading import Reading

_BEGIN, _END = "Begin Time (s)", "End Time (s)"
_MEASURED = re.compile(
    r".*\((s|Hz|kHz|dB|dB FS|u|samples|bits|%)\)\s*|Selection|View|Channel|Begin (File|Path)|End (File|Path)"
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")


def recognises(file: File) -> bool:
    header = file.beginning.split("\n", 1)[0].rstrip("\r").split("\t")
    return "Selection" in header and _BEGIN in header and _END in header


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    return read_tiers([_selections(file, export, how) for file in mine], export, how)


def _selections(file: File, export: Export, how: Reading) -> Tiers:
    lines = file.text(how.encoding).splitlines()
    rows = rows_of(file, lines, "\t", quotes=False)
    header = rows[0]
    tiers = {name: Tier(name) for name in header if name and not _MEASURED.fullmatch(name)}
    column = {name: k for k, name in enumerate(header)}
    seen: set[str] = set()
    for number, row in enumerate(rows[1:], 2):
        place = f"{file.name}:{number}"
        if not any(row):
            continue
        if len(row) < len(header):
            row = [*row, *[""] * (len(header) - len(row))]  # noqa: PLW2901 - empty cells at the end may be left out
        selection = row[column["Selection"]]
        if selection in seen:  # the same selection in the waveform and in the spectrogram
            continue
        seen.add(selection)
        start, end = (_time(row[column[name]], place) for name in (_BEGIN, _END))
        for name, tier in tiers.items():
            if row[column[name]].strip():
                tier.marked.append((start, end, row[column[name]].strip(), place))
            else:
                export.leave(f"selections without {name}", place)
    noted = [
        tier for tier in tiers.values() if not tier.marked or not all(_NUMBER.fullmatch(m[2]) for m in tier.marked)
    ]
    return Tiers(file, noted or list(tiers.values()))


def _time(cell: str, place: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataError(f"{place}: {quoted(cell)} is no time in seconds") from None

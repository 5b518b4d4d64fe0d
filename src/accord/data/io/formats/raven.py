"""Selection tables of Raven, the sound analysis program of the Cornell Lab of Ornithology.

Files: .txt with tabs (or .csv) and the columns Selection, Begin Time (s), End Time (s); a file per annotator and
recording, or a column that names the annotator.
Keeps: selections as units, in seconds; each column of notes is a variable.
Skips and counts: columns of measurements, selections without a note. A selection in several views is read once.
Reference: Raven Pro User's Manual, "Selection tables".
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from functools import partial

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import each_counted, seconds_of
from accord.data.io.formats.tiers import Tier, Tiers, read_tiers
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import plain_name

_BEGIN, _END = "Begin Time (s)", "End Time (s)"
_MEASURED = re.compile(
    r".*\((s|Hz|kHz|dB|dB FS|u|samples|bits|%)\)\s*|Selection|View|Channel|Begin (File|Path)|End (File|Path)"
)
_PEOPLE = ("annotator", "observer", "analyst", "coder", "rater", "labeler", "labeller", "reviewer")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")


def recognises(file: File) -> bool:
    line = file.beginning.split("\n", 1)[0]
    return _BEGIN in line and {"Selection", _BEGIN, _END} <= set(_cells(line))


def _cells(line: str) -> list[str]:
    """Split a line at tabs, as Raven writes it, or at commas, as spreadsheet programs save it."""
    plain = line.rstrip("\r")
    if "\t" in plain:
        return plain.split("\t")
    try:
        return next(csv.reader([plain]), [])
    except csv.Error:  # characters that the csv module refuses
        return plain.split(",")


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    given = each_counted(partial(_selections, how=how), mine, export, run)
    every = [tier for one in given for tier in one.tiers]
    labels: dict[str, list[str]] = {}
    for tier in every:
        labels.setdefault(tier.name, []).extend(str(m[2]) for m in tier.marked)
    numbers = {name for name, said in labels.items() if said and all(_NUMBER.fullmatch(label) for label in said)}
    if numbers < set(labels):  # if all columns are numbers, they are the notes
        for name in sorted(numbers):
            export.leave("columns of numbers, which are probably measurements", name)
        for one in given:
            one.tiers = [tier for tier in one.tiers if tier.name not in numbers]
    return read_tiers(given, export, how)


def _selections(file: File, export: Export, how: Reading) -> Tiers:
    rows = [_cells(line) for line in file.text(how.encoding).split("\n")]
    header = rows[0]
    column = {name: k for k, name in enumerate(header)}
    if not {"Selection", _BEGIN, _END} <= set(column):
        raise DataError(
            "invalid-record",
            f"{file.name}:1: the header row lacks Selection, {_BEGIN} or {_END}; save the table again in Raven",
        )
    notes = [name for name in header if name and not _MEASURED.fullmatch(name)]
    person = next((name for name in notes if plain_name(name) in _PEOPLE), None)
    notes = [name for name in notes if name != person]
    used = {*notes, person, "", "Selection", "View", "Channel", _BEGIN, _END}
    tiers: dict[tuple[str, str | None], Tier] = {} if person else {(name, None): Tier(name) for name in notes}
    seen: set[tuple[str, ...]] = set()
    for number, row in enumerate(rows[1:], 2):
        place = f"{file.name}:{number}"
        if not any(row):
            continue
        if len(row) > len(header):
            raise DataError(
                "invalid-record",
                f"{place}: {len(row)} cells, but the header row has {len(header)}; remove the additional cells",
            )
        row = [*row, *[""] * (len(header) - len(row))]  # noqa: PLW2901 - empty cells at the end may be missing
        for name, cell in zip(header, row, strict=True):
            if name not in used and cell.strip():
                export.unused.add("columns of measurements", name, harmless=True)
        view = tuple(
            cell for name, cell in zip(header, row, strict=True) if name in {"Selection", _BEGIN, _END, *notes}
        )
        if view in seen:  # the same selection in the waveform and in the spectrogram
            continue
        seen.add(view)
        start, end = (seconds_of(row[column[name]], place) for name in (_BEGIN, _END))
        annotator = row[column[person]].strip() or None if person else None
        for name in notes:
            tier = tiers.setdefault((name, annotator), Tier(name, annotator))
            if row[column[name]].strip():
                tier.marked.append((start, end, row[column[name]].strip(), place))
            else:
                export.leave(f"selections without {name}", place)
    if not notes and seen:
        export.leave("selections without a column of notes", file.name, len(seen))
    return Tiers(file, list(tiers.values()))

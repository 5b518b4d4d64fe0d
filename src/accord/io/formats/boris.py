"""BORIS: projects (.boris) and its exported events, tabular or aggregated. State events are units; points are counted.

Who observed is a variable called observer or coder, else what the names of observations or files say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.errors import DataError, quoted
from accord.io.formats.documents import plain_value
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.parsing import json_of, rows_of
from accord.io.naming import named
from accord.io.reading import Reading
from accord.io.tables.roles import ANNOTATOR, plain_name

BEHAVIOR = "behavior"
_EVENTS = ("Time", "Behavior", "Status")
_AGGREGATED = ("Observation id", "Behavior", "Start (s)", "Stop (s)")
_POINTS = "point events, which have no length"


@dataclass
class _Observation:
    file: File
    name: str
    media: str | None = None
    length: float | None = None
    observer: str | None = None
    units: list[tuple[float, float, str, str, str]] = field(
        default_factory=list
    )  # start, end, behaviour, subject, place


def recognises(file: File) -> bool:
    beginning = file.beginning
    if file.suffix == ".boris" or ('"behaviors_conf"' in beginning and '"observations"' in beginning):
        return beginning.lstrip().startswith("{")
    if file.suffix not in {".csv", ".tsv", ".txt"}:
        return False
    return _header_row(file) is not None


def _header_row(file: File) -> int | None:
    """The line of the table's header: BORIS writes facts about the observation above it."""
    for number, line in enumerate(file.beginning.split("\n")[:60]):
        cells = line.rstrip("\r").replace("\t", ",").split(",")
        if all(name in cells for name in _EVENTS) or all(name in cells for name in _AGGREGATED):
            return number
    return None


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    found: list[_Observation] = []
    for file in mine:
        found += _project(file, export, how) if file.beginning.lstrip().startswith("{") else _table(file, export, how)
    if not found:
        raise DataError(f"{mine[0].name}: there is no observation in this project")
    if all(one.observer for one in found):
        keys = [(one.media or one.name, str(one.observer)) for one in found]
    else:
        several = len({one.file.name for one in found}) > 1
        paths = [((one.file.stem, f"{one.name}.x") if several else (f"{one.name}.x",)) for one in found]
        names = named(paths, how, [one.media for one in found])
        export.notes.extend([names.said] if names.said else [])
        keys = list(names.keys)
    for one, (doc, annotator) in zip(found, keys, strict=True):
        export.saw(doc, annotator)
        if one.length:
            export.document(doc, extent=(0.0, one.length))
        for start, end, label, subject, place in one.units:
            export.unit(BEHAVIOR, doc, annotator, start, end, label, place=place, subject=subject)
    return export


def _project(file: File, export: Export, how: Reading) -> list[_Observation]:
    project = json_of(file, how.encoding)
    observations = project.get("observations") if isinstance(project, Mapping) else None
    if not isinstance(observations, Mapping):
        raise DataError(f"{file.name}: a project of BORIS has observations")
    behaviours = project.get("behaviors_conf")
    kinds = behaviours.values() if isinstance(behaviours, Mapping) else ()
    states = {str(one.get("code")) for one in kinds if isinstance(one, Mapping) and "State" in str(one.get("type"))}
    return [_observed(file, str(name), one, states, export) for name, one in observations.items()]


def _observed(file: File, name: str, one: Any, states: set[str], export: Export) -> _Observation:
    if not isinstance(one, Mapping) or not isinstance(one.get("events"), list):
        raise DataError(f"{file.name}: the observation {quoted(name)} has no list of events")
    variables = one.get("independent_variables")
    lengths = (one.get("media_info") or {}).get("length") if isinstance(one.get("media_info"), Mapping) else None
    files = one.get("file")
    media = [path for paths in files.values() for path in paths or []] if isinstance(files, Mapping) else []
    total = [lengths.get(path) for path in media] if isinstance(lengths, Mapping) else []
    made = _Observation(
        file,
        name,
        ", ".join(str(path).rpartition("/")[2] for path in media) or None,
        float(total[0]) if total and isinstance(total[0], int | float) else None,
        _observer(variables) if isinstance(variables, Mapping) else None,
    )
    open_since: dict[tuple[str, str], float] = {}
    for number, event in enumerate(one["events"], 1):
        place = f"{file.name}, {name}, event {number}"
        if not isinstance(event, list) or len(event) < 3 or not isinstance(event[0], int | float):
            raise DataError(f"{place}: an event says its time, its subject and its behaviour")
        time, subject, code = float(event[0]), str(event[1]), str(event[2])
        if code not in states:
            export.leave(_POINTS, place)
        elif (subject, code) in open_since:
            made.units.append((open_since.pop((subject, code)), time, code, subject, place))
        else:
            open_since[subject, code] = time
    for (_, code), time in open_since.items():
        export.leave("state events that do not end", f"{code} at {time:g} in {name}")
    return made


def _observer(variables: Mapping[str, Any]) -> str | None:
    return next((plain_value(v) for k, v in variables.items() if plain_name(str(k)) in ANNOTATOR), None)


def _table(file: File, export: Export, how: Reading) -> list[_Observation]:
    lines = file.text(how.encoding).splitlines()
    above = _header_row(file) or 0
    delimiter = "\t" if "\t" in lines[above] else ","
    rows = rows_of(file, lines, delimiter)
    header = rows[above]
    facts = {row[0]: row[1] for row in rows[:above] if len(row) > 1 and row[0]}
    aggregated = all(name in header for name in _AGGREGATED)
    made: dict[str, _Observation] = {}
    open_since: dict[tuple[str, str, str], float] = defaultdict(float)
    for number, cells in enumerate(rows[above + 1 :], above + 2):
        place, row = f"{file.name}:{number}", dict(zip(header, cells, strict=False))
        if not row.get("Behavior"):
            continue
        name = row.get("Observation id") or facts.get("Observation id") or file.stem
        media = row.get("Media file") or row.get("Media file name") or row.get("Media file path") or None
        length = row.get("Total length") or row.get("Media duration (s)") or ""
        one = made.setdefault(
            name,
            _Observation(file, name, media, _seconds(length, place) if length else None, _observer({**facts, **row})),
        )
        subject, label = row.get("Subject", ""), row["Behavior"]
        start: float | None
        end: float | None
        if aggregated:
            start, end = (_seconds(row.get(side, ""), place) for side in ("Start (s)", "Stop (s)"))
        else:
            start, end = _paired(row, (name, subject, label), open_since, place)
        if start is None:
            continue
        if end is None or end <= start:
            export.leave(_POINTS, place)
        else:
            one.units.append((start, end, label, subject, place))
    for name, _, label in open_since:
        export.leave("state events that do not end", f"{label} in {name}")
    return list(made.values())


def _paired(
    row: Mapping[str, str], key: tuple[str, str, str], open_since: dict[tuple[str, str, str], float], place: str
) -> tuple[float | None, float | None]:
    """A stretch where one ends; nothing where one begins; a point for all else."""
    time, status = _seconds(row["Time"], place), row.get("Status", "").upper()
    if status == "START":
        open_since[key] = time
        return None, None
    if status == "STOP" and key in open_since:
        return open_since.pop(key), time
    return time, None


def _seconds(cell: str, place: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataError(f"{place}: {quoted(cell)} is no time in seconds") from None

"""BORIS, the event-logging program for observations of behaviour.

Files: projects (.boris), and exported events (.csv, .tsv), tabular or aggregated. The annotator is the value of an
independent variable called observer or coder, else the names of observations or files give it.
Keeps: state events as units, in seconds; there is one variable, `behavior`, with the columns subject and modifiers.
Skips and counts: point events, state events without a start or an end, events without a time.
Reference: BORIS user guide, "Export events".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export, plain_value
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import fields_of, json_of, rows_of, seconds_of, watched
from accord.data.io.naming import named
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import plain_name
from accord.data.io.unused import has_content

BEHAVIOR = "behavior"
_EVENTS = ({"Time", "Behavior", "Status"}, {"Observation id", "Time", "Behavior", "Behavior type"})  # older, newer
_AGGREGATED = {"Observation id", "Behavior", "Start (s)", "Stop (s)"}
_OBSERVER = ("observer", "observer_id", "coder", "coder_id", "annotator", "annotator_id", "rater", "rater_id", "scorer")
_CLOCK = re.compile(r"(-?)(\d+):(\d\d):(\d\d(?:\.\d+)?)")
_PROJECT = frozenset((
    "time_format", "project_date", "project_name", "project_description", "project_format_version", "subjects_conf",
    "behaviors_conf", "observations", "behavioral_categories", "behavioral_categories_config", "independent_variables",
    "coding_map", "behaviors_coding_map", "converters", "project_media_file_info", "project_media_file_info2",
))  # fmt: skip
_OBSERVATION = frozenset((
    "events", "type", "date", "description", "file", "media_info", "independent_variables", "time offset",
    "time_interval", "observation time interval", "scan_sampling_time", "close_behaviors_between_videos", "plot_data",
    "visualize_spectrogram", "visualize_waveform", "media_creation_date_as_offset", "media_scan_sampling_duration",
    "image_display_duration", "time offset second player", "directories_list", "use_exif_date",
    "start_from_current_time", "start_from_current_epoch_time",
))  # fmt: skip
# Columns of exported events, without those that are read: facts about the observation and its recording.
_COLUMNS = frozenset((
    "observation id", "observation date", "observation duration", "observation type", "source", "time offset (s)",
    "media duration (s)", "media duration", "fps", "fps (frame/s)", "subject", "behavior", "behavioral category",
    "behavior type", "time", "status", "start (s)", "stop (s)", "duration (s)", "media file name", "media file path",
    "media file", "total length", "image index", "image index start", "image index stop", "image file path",
    "image file path start", "image file path stop", "time relative", "date", "", "description", "time_offset",
))  # fmt: skip
_POINTS = "point events, which have no length"


@dataclass
class _Observation:
    file: File
    name: str
    media: str | None = None
    length: float | None = None
    observer: str | None = None
    units: list[tuple[float, float, str, str, str, str]] = field(default_factory=list)  # with subject, modifiers, place


def recognises(file: File) -> bool:
    beginning = file.beginning
    if file.suffix == ".boris" or ('"behaviors_conf"' in beginning and '"observations"' in beginning):
        return beginning.lstrip().startswith("{")
    if file.suffix not in {".csv", ".tsv", ".txt"}:
        return False
    return _header_row(file) is not None


def _header_row(file: File) -> int | None:
    """Return the line of the header row. BORIS writes facts about the observation above it."""
    for number, line in enumerate(file.beginning.split("\n")[:60]):
        cells = {cell.strip('"') for cell in line.rstrip("\r").replace("\t", ",").split(",")}
        if any(names <= cells for names in (*_EVENTS, _AGGREGATED)):
            return number
    return None


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    found: list[_Observation] = []
    for file in watched(mine, run):
        found += _project(file, export, how) if file.beginning.lstrip().startswith("{") else _table(file, export, how)
    if not found:
        raise DataError(
            "nothing-annotated",
            f"{mine[0].name}: this project has no observations; record one in BORIS, or read another file",
        )
    if all(one.observer for one in found):
        keys = [(one.media or _without(one.name, str(one.observer)), str(one.observer)) for one in found]
        if len(set(keys)) < len(keys):  # several observations of one recording
            keys = [(one.name, str(one.observer)) for one in found]
    else:
        several = len({one.file.name for one in found}) > 1
        paths = [((one.file.stem, f"{one.name}.x") if several else (f"{one.name}.x",)) for one in found]
        names = named(paths, how, [one.media for one in found])
        export.note(names.said)
        keys = list(names.keys)
    for one, (doc, annotator) in zip(found, keys, strict=True):
        export.saw(doc, annotator)
        if one.length:
            export.document(doc, extent=(0.0, one.length))
        for start, end, label, subject, modifiers, place in one.units:
            export.unit(BEHAVIOR, doc, annotator, start, end, label, place=place, subject=subject, modifiers=modifiers)
    return export


def _project(file: File, export: Export, how: Reading) -> list[_Observation]:
    project = fields_of(json_of(file, how.encoding))
    observations = project.get("observations")
    if not isinstance(observations, Mapping):
        raise DataError(
            "invalid-record",
            f'{file.name}: this BORIS project has no field "observations"; save the project again in BORIS',
        )
    export.unused.add_keys("keys of projects", project, _PROJECT)
    kinds = map(fields_of, fields_of(project.get("behaviors_conf")).values())
    states = {str(one.get("code")) for one in kinds if "State" in str(one.get("type"))}
    return [_observed(file, str(name), one, states, export) for name, one in observations.items()]


def _observed(file: File, name: str, one: Any, states: set[str], export: Export) -> _Observation:
    if not isinstance(one, Mapping) or not isinstance(one.get("events"), list):
        raise DataError(
            "invalid-record",
            f"{file.name}: observation {quoted(name)} has no list of events; save the project again in BORIS",
        )
    export.unused.add_keys("keys of observations", one, _OBSERVATION)
    _pass_variables(export, fields_of(one.get("independent_variables")))
    players = [paths for paths in fields_of(one.get("file")).values() if isinstance(paths, list)]
    media = ", ".join(_file_name(path) for paths in players for path in paths) or None
    length = _longest(players, fields_of(fields_of(one.get("media_info")).get("length")))
    made = _Observation(file, name, media, length, _observer(fields_of(one.get("independent_variables"))))
    open_since: dict[
        tuple[str, str, str], float
    ] = {}  # BORIS pairs events with the same subject, behaviour and modifiers
    for number, event in enumerate(one["events"], 1):
        place = f"{file.name}, {name}, event {number}"
        if not isinstance(event, list) or len(event) < 3 or not isinstance(event[0], int | float):
            raise DataError(
                "invalid-record",
                f"{place}: the event lacks a time, subject or behaviour; "
                "expected [time in seconds, subject, behaviour, …]",
            )
        time, subject, code = float(event[0]), str(event[1]), str(event[2])
        modifiers = str(event[3]) if len(event) > 3 and event[3] is not None else ""
        if any(has_content(cell) for cell in event[4:5]):
            export.unused.add("parts of events", "comment")
        export.unused.add("parts of events", "after the seventh", sum(map(has_content, event[7:])))
        key = (subject, code, modifiers)
        if not isfinite(time):
            export.leave("events without a time", place)
        elif code not in states:
            export.leave(_POINTS, place)
        elif key in open_since:
            _take(made, open_since.pop(key), time, key, place, export)
        else:
            open_since[key] = time
    for (_, code, _), time in open_since.items():
        export.leave("state events without an end", f"{code} at {time:g} in {name}")
    return made


def _pass_variables(export: Export, variables: Mapping[str, Any]) -> None:
    """Count independent variables other than the observer."""
    observer = {name for name in variables if plain_name(str(name)) in _OBSERVER}
    export.unused.add_keys("independent variables", variables, observer)


def _take(one: _Observation, start: float, end: float, key: tuple[str, str, str], place: str, export: Export) -> None:
    subject, code, modifiers = key
    if end < start:
        raise DataError(
            "end-before-start",
            f"{place}: {quoted(code, 40)} ends at {end:g}, before it starts at {start:g}; correct the times",
        )
    if end == start:
        export.leave(_POINTS, place)
    else:
        one.units.append((start, end, code, subject, modifiers, place))


def _file_name(path: object) -> str:
    return str(path).replace("\\", "/").rpartition("/")[2]


def _longest(players: Sequence[Sequence[object]], lengths: Mapping[str, Any]) -> float | None:
    """Return the length of an observation. A player shows its files in sequence; players run in parallel."""
    known = [
        sum(float(lengths[str(path)]) for path in paths)
        for paths in players
        if paths and all(isinstance(lengths.get(str(path)), int | float) for path in paths)
    ]
    return max(known, default=None)


def _without(name: str, observer: str) -> str:
    """Return the name of a live observation without the name of its observer: visit1_Ana becomes visit1."""
    return re.sub(rf"[\W_]*{re.escape(observer)}[\W_]*", "", name, count=1) or name


def _observer(variables: Mapping[str, Any]) -> str | None:
    return next((plain_value(v) for k, v in variables.items() if plain_name(str(k)) in _OBSERVER), None)


def _table(file: File, export: Export, how: Reading) -> list[_Observation]:
    lines = file.text(how.encoding).splitlines()
    above = _header_row(file) or 0
    delimiter = "\t" if "\t" in lines[above] else ","
    rows = rows_of(file, lines, delimiter)
    if above >= len(rows):  # a cell with line breaks
        raise DataError(
            "file-damaged", f"{file.name}: a quotation mark above line {above + 1} is not closed; close or remove it"
        )
    header = rows[above]
    facts = {row[0]: row[1] for row in rows[:above] if len(row) > 1 and row[0]}
    aggregated = set(header) >= _AGGREGATED
    made: dict[tuple[str, str | None], _Observation] = {}
    open_since: dict[tuple[str | None, ...], float] = {}
    for number, cells in enumerate(rows[above + 1 :], above + 2):
        place, row = f"{file.name}:{number}", dict(zip(header, cells, strict=False))
        if not row.get("Behavior"):
            if any(cells):
                export.leave("rows without a behaviour", place)
            continue
        export.unused.add("cells", "behind the header row", sum(map(bool, cells[len(header) :])))
        _pass_columns(export, row)
        observer = _observer({**facts, **row})
        name = row.get("Observation id") or facts.get("Observation id") or file.stem
        one = made.setdefault((name, observer), _Observation(file, name, observer=observer))
        one.media = one.media or _media(row, facts)
        one.length = one.length or _length(row)
        modifiers = "|".join(v for k, v in row.items() if k and k.startswith("Modifier") and v)
        key = (row.get("Subject") or "", row["Behavior"], modifiers)
        times = [row.get(name) or "" for name in (("Start (s)", "Stop (s)") if aggregated else ("Time",))]
        if any(time in {"NA", "NaN", "nan"} for time in times):
            export.leave("events without a time", place)
            continue
        time, *end = (_seconds(cell, place) for cell in times)
        status, whole = (row.get("Status") or row.get("Behavior type") or "").upper(), (name, observer, *key)
        if end:
            _take(one, time, end[0], key, place, export)
        elif status == "START":
            if whole in open_since:
                export.leave("state events without an end", place)
            open_since[whole] = time
        elif status == "STOP" and whole in open_since:
            _take(one, open_since.pop(whole), time, key, place, export)
        elif status == "STOP":
            export.leave("state events without a start", place)
        else:
            export.leave(_POINTS, place)
    for observation, _, _, label, _ in open_since:
        export.leave("state events without an end", f"{label} in {observation}")
    return list(made.values())


def _pass_columns(export: Export, row: Mapping[str, str]) -> None:
    """Count cells in further columns: comments, independent variables."""
    for name, cell in row.items():
        called = name.strip().lower()
        used = called in _COLUMNS or called.startswith("modifier") or plain_name(name) in _OBSERVER
        if cell and cell != "NA" and not used:
            export.unused.add("columns", name)


def _media(row: Mapping[str, str], facts: Mapping[str, str]) -> str | None:
    """Return the recording: all files of an observation if the export names them, else the file of its first event."""
    said = row.get("Source") or facts.get("Player #1") or row.get("Media file") or row.get("Media file path")
    said = said or row.get("Media file name") or ""
    return ", ".join(_file_name(part) for part in re.split(r"player #\d+:|[;|]", said) if part.strip()) or None


def _length(row: Mapping[str, str]) -> float | None:
    """Return the length of the recording. `|` separates players, and `;` separates files of a player."""
    said = row.get("Total length") or row.get("Media duration (s)") or ""
    try:
        return max(sum(float(part) for part in player.split(";")) for player in said.split("|"))
    except ValueError:
        return None


def _seconds(cell: str, place: str) -> float:
    clock = _CLOCK.fullmatch(cell.strip())
    if clock is not None:
        seconds = int(clock[2]) * 3600 + int(clock[3]) * 60 + float(clock[4])
        return -seconds if clock[1] else seconds
    return seconds_of(cell, place)

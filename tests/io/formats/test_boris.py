"""BORIS: projects and exported events of several versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .samples import notes, rows


def project(path: Path, observations: dict[str, Any]) -> Path:
    kinds = {"0": {"code": "sit", "type": "State event"}, "1": {"code": "blink", "type": "Point event"}}
    path.write_text(json.dumps({"behaviors_conf": kinds, "observations": observations}), encoding="utf-8")
    return path


def observation(events: list[Any], observer: str = "", media: str = "/d/v1.mp4", **more: Any) -> dict[str, Any]:
    return {
        "events": events,
        "file": {"1": [media], "2": []},
        "media_info": {"length": {media: 60.5}},
        "independent_variables": {"Observer": observer} if observer else {},
        **more,
    }


def test_observer_variable_of_a_project_names_annotators(tmp_path: Path) -> None:
    events = [[1.5, "m", "sit", "", ""], [2, "", "blink", "", ""], [4, "m", "sit", "", ""], [9, "m", "sit", "", ""]]
    later = [[1, "m", "sit", "", "", 25], [3, "m", "sit", "", "", 75]]  # with a frame number
    read = accord.read(
        project(
            tmp_path / "p.boris", {"o1": observation(events, "Ana"), "o2": observation(later, "Ben", "C:\\d\\v1.mp4")}
        )
    )
    assert rows(read) == [("v1.mp4", "Ana", 1.5, 4, "sit"), ("v1.mp4", "Ben", 1, 3, "sit")]
    assert read.extents.tolist() == [[0, 60.5]]
    assert "skipped: 1 point events, which have no length" in notes(read)
    assert 'skipped: 1 state events without an end (e.g. "sit at 9 in o1")' in notes(read)


def test_events_are_paired_by_subject_and_modifiers(tmp_path: Path) -> None:
    events = [[1, "m", "sit", "near"], [2, "f", "sit", "near"], [3, "m", "sit", "far"], [4, "m", "sit", "near"],
              [5, "f", "sit", "near"], [6, "m", "sit", "far"]]  # fmt: skip
    read = accord.read(project(tmp_path / "p.boris", {"o1": observation(events)}))
    assert [row[2:4] for row in rows(read)] == [(1, 4), (2, 5), (3, 6)]


def test_extent_is_the_total_length_of_the_files_of_a_player(tmp_path: Path) -> None:
    one = observation([[70, "", "sit", ""], [90, "", "sit", ""]])
    one["file"] = {"1": ["a.mp4", "b.mp4"], "2": ["c.mp4"]}
    one["media_info"] = {"length": {"a.mp4": 60, "b.mp4": 40.5, "c.mp4": 80}}
    assert accord.read(project(tmp_path / "p.boris", {"o1": one})).extents.tolist() == [[0, 100.5]]


def test_participant_variable_does_not_name_annotators(tmp_path: Path) -> None:
    both = {
        f"o{k}": observation([[1, "", "sit", ""], [2, "", "sit", ""]], independent_variables={"participant": f"p{k}"})
        for k in (1, 2)
    }
    assert not set(accord.read(project(tmp_path / "p.boris", both)).annotators) & {"p1", "p2"}


OLD = """Observation id,obs1,,,
,,,,
Player #1,v1.mp4,,,
variable,value,,,
Observer,Ana,,,
,,,,
Time,Media file path,Total length,FPS,Subject,Behavior,Behavioral category,Comment,Status
3.300,v1.mp4,60.5,25,m,sit,,,START
4.000,v1.mp4,60.5,25,m,blink,,,POINT
7.750,v1.mp4,60.5,25,m,sit,,,STOP
"""
NEW = (
    "Observation id,Observation date,Description,Observation duration,Observation type,Source,Time offset (s),"
    "Media duration (s),FPS,Coder,Subject,Behavior,Behavioral category,Modifier #1,Behavior type,Time,Media file name,"
    "Image index,Image file path,Comment\n"
    'o1,2024,"a, b",9,Media file(s),player #1:d/v1.mp4;d/v2.mp4,0,60.5;40,25,Ana,m,sit,,near,START,1.5,v1.mp4,37,NA,\n'
    "o1,2024,,9,Media file(s),player #1:d/v1.mp4;d/v2.mp4,0,60.5;40,25,Ana,m,blink,,,POINT,1.6,v1.mp4,40,NA,\n"
    "o1,2024,,9,Media file(s),player #1:d/v1.mp4;d/v2.mp4,0,60.5;40,25,Ana,m,sit,,near,STOP,70.25,v2.mp4,240,NA,\n"
    "o2,2024,,9,Media file(s),player #1:e/v1.mp4;e/v2.mp4,0,60.5;40,25,Ben,m,sit,,,START,00:00:02.5,v1.mp4,37,NA,\n"
    "o2,2024,,9,Media file(s),player #1:e/v1.mp4;e/v2.mp4,0,60.5;40,25,Ben,m,sit,,,STOP,00:01:09.5,v1.mp4,37,NA,\n"
    "o2,2024,,9,Media file(s),player #1:e/v1.mp4;e/v2.mp4,0,60.5;40,25,Ben,m,sit,,,STOP,80,v1.mp4,37,NA,\n"
)
AGGREGATED = (
    "Observation id\tObservation date\tSource\tMedia duration (s)\tObserver\tSubject\tBehavior\tModifier #1\t"
    "Behavior type\tStart (s)\tStop (s)\tDuration (s)\n"
    "o1\t2024\tplayer #1:v1.mp4\t60.5\tAna\tm\tsit\t\tSTATE\t1.5\t4\t2.5\n"
    "o1\t2024\tplayer #1:v1.mp4\t60.5\tAna\tm\tblink\t\tPOINT\t2\t2\tNA\n"
    "o2\t2024\tplayer #1:v1.mp4\t60.5\tBen\tm\tsit\t\tSTATE\t1\t4\t3\n"
)


def test_old_and_new_tabular_exports_are_read(tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text(OLD, encoding="utf-8")
    new.write_text(NEW, encoding="utf-8")
    assert rows(accord.read(old)) == [("v1.mp4", "Ana", 3.3, 7.75, "sit")]
    read = accord.read(new)
    assert rows(read) == [("v1.mp4, v2.mp4", "Ana", 1.5, 70.25, "sit"), ("v1.mp4, v2.mp4", "Ben", 2.5, 69.5, "sit")]
    assert read.extents.tolist() == [[0, 100.5]]
    assert "skipped: 1 state events without a start" in notes(read)


def test_aggregated_events_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(AGGREGATED, encoding="utf-8")
    assert rows(accord.read(path)) == [("v1.mp4", "Ana", 1.5, 4, "sit"), ("v1.mp4", "Ben", 1, 4, "sit")]
    path.write_text(AGGREGATED.replace("1.5\t4", "1.5\tsoon"), encoding="utf-8")
    with raises("invalid-record", "a.tsv:2", '"soon"'):
        accord.read(path)
    path.write_text(AGGREGATED.replace("1.5\t4", "5\t4"), encoding="utf-8")
    with raises("end-before-start", "a.tsv:2", '"sit"'):
        accord.read(path)


@pytest.mark.parametrize(
    ("observations", "expected"),
    [
        ({"o1": {"events": [["soon", "", "sit", ""]]}}, "invalid-record"),
        ({"o1": {"events": {}}}, 'invalid-record: "o1"'),
        ({"o1": 3}, 'invalid-record: "o1"'),
        ([], "invalid-record"),
        ({}, "nothing-annotated"),
    ],
)
def test_damaged_projects_are_refused(tmp_path: Path, observations: Any, expected: str) -> None:
    with raises(expected):
        accord.read(project(tmp_path / "p.boris", observations))
    whole = (tmp_path / "p.boris").read_text()
    (tmp_path / "p.boris").write_text(whole[:-3])
    with raises("file-damaged"):
        accord.read(tmp_path / "p.boris")


def test_real_files_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples/boris"
    tabular = [accord.read(folder / f"test_export_events_tabular.{suffix}") for suffix in ("csv", "tsv")]
    assert [row[2:] for row in rows(tabular[0])] == [
        (3.3, 7.75, "s"), (9.9, 16.2, "s"), (18.35, 24.475, "s"), (38.425, 46.1, "s")
    ]  # fmt: skip
    assert tabular[0].digest == tabular[1].digest
    whole = accord.read(folder / "test.boris")
    one = [row[2:] for row in rows(whole) if row[0] == "observation #1"]
    assert one == [row[2:] for row in rows(tabular[0])]  # the project equals its export
    two = [row[2:] for row in rows(whole) if row[0] == "observation #2"]
    assert two == [row[2:] for row in rows(accord.read(folder / "test_export_aggregated_events_test_full_1.tsv"))]


def test_unclosed_quotation_mark_is_refused(tmp_path: Path) -> None:
    """The cell would include the following lines and the header."""
    head = 'Observation id,obs1,,,"\n,,,,\nTime,Media file path,Total length,FPS,Subject,Behavior,Behavioral category'
    (tmp_path / "old.csv").write_text(f"{head},Comment,Status\n3.3,v1.mp4,60.5,25,m,sit,,,START\n", encoding="utf-8")
    with raises("file-damaged"):
        accord.read(tmp_path / "old.csv")

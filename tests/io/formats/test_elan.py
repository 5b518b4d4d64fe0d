"""ELAN: time slots with and without a time, dependent tiers, annotators."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

from ...refusals import raises
from .samples import every_cut, notes, rows


def eaf(tiers: str, slots: str = "", media: str = "file:///C:/media/rec1.wav", units: str = "milliseconds") -> str:
    slots = slots or "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{k}" TIME_VALUE="{k * 1000}"/>' for k in range(10))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ANNOTATION_DOCUMENT AUTHOR="" DATE="2024-01-01T00:00:00+01:00" FORMAT="3.0" VERSION="3.0">\n'
        f'<HEADER MEDIA_FILE="" TIME_UNITS="{units}">'
        + (f'<MEDIA_DESCRIPTOR MEDIA_URL="{media}" MIME_TYPE="audio/x-wav"/>' if media else "")
        + f"</HEADER>\n<TIME_ORDER>{slots}</TIME_ORDER>\n{tiers}\n"
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="x" TIME_ALIGNABLE="true"/>\n</ANNOTATION_DOCUMENT>\n'
    )


def tier(name: str, *annotations: str, **attributes: str) -> str:
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    inside = "\n".join(f"<ANNOTATION>{one}</ANNOTATION>" for one in annotations)
    return f'<TIER LINGUISTIC_TYPE_REF="x" TIER_ID="{name}"{written}>\n{inside}\n</TIER>'


def at(key: str, start: int | str, end: int | str, value: str) -> str:
    return (
        f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{key}" TIME_SLOT_REF1="ts{start}" TIME_SLOT_REF2="ts{end}">'
        f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"
    )


def on(key: str, parent: str, value: str, before: str = "") -> str:
    previous = f' PREVIOUS_ANNOTATION="{before}"' if before else ""
    return (
        f'<REF_ANNOTATION ANNOTATION_ID="{key}" ANNOTATION_REF="{parent}"{previous}>'
        f"<ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></REF_ANNOTATION>"
    )


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_are_annotators_and_tiers_are_variables(tmp_path: Path) -> None:
    write(
        tmp_path / "Ana.eaf", eaf(tier("gaze", at("a1", 1, 3, "left")) + tier("hand", at("a2", 2, 4, "up &amp; down")))
    )
    write(
        tmp_path / "Ben.eaf", eaf(tier("gaze", at("a1", 1, 2, "left")) + tier("hand"), media="file:///home/b/rec1.mp4")
    )
    found = accord.read_all(tmp_path)
    assert rows(found["gaze"]) == [("document", "Ana", 1, 3, "left"), ("document", "Ben", 1, 2, "left")]
    assert rows(found["hand"]) == [("document", "Ana", 2, 4, "up & down")]
    assert found["hand"].annotators == ("Ana", "Ben")  # Ben judged it and marked nothing
    assert "each file is one annotator (Ana, Ben), 1 document" in notes(found["gaze"])


def test_folders_are_annotators(tmp_path: Path) -> None:
    for who in ("Ana", "Ben"):
        for rec in ("s1", "s2"):
            write(tmp_path / who / f"{rec}.eaf", eaf(tier("gaze", at("a1", 1, 3, "left")), media=f"{rec}.wav"))
    assert [row[:2] for row in rows(accord.read(tmp_path))] == [
        ("s1", "Ana"), ("s1", "Ben"), ("s2", "Ana"), ("s2", "Ben")
    ]  # fmt: skip


def test_different_recordings_with_one_name_are_documents(tmp_path: Path) -> None:
    """Each child has a file audio.wav in its own folder; these are different recordings."""
    for k in (1, 2):
        write(tmp_path / f"P0{k}.eaf", eaf(tier("gaze", at("a1", 1, 3, "x")), media=f"file:///d/P0{k}/audio.wav"))
    assert accord.read(tmp_path).annotators == ("annotator",)
    for k in (1, 2):
        write(tmp_path / f"P0{k}.eaf", eaf(tier("gaze", at("a1", 1, 3, "x")), media="file:///d/audio.wav"))
    assert accord.read(tmp_path).annotators == ("P01", "P02")  # the same media file


def test_tier_attribute_names_the_annotator(tmp_path: Path) -> None:
    tiers = [
        tier(f"{what}{sign}{who}", at(f"{what}{who}", 1, 2, "x"), ANNOTATOR=who)
        for what, sign in (("HAND", "_"), ("gaze", "@"))
        for who in ("A", "B")
    ]
    found = accord.read_all(write(tmp_path / "s1.eaf", eaf("".join(tiers) + tier("notes", at("n", 1, 2, "hm")))))
    assert {name: data.annotators for name, data in found.items()} == {"HAND": ("A", "B"), "gaze": ("A", "B")}
    assert rows(found["HAND"]) == [("s1", "A", 1, 2, "x"), ("s1", "B", 1, 2, "x")]
    assert 'skipped: 1 tiers without an annotator (e.g. "notes in' in notes(found["HAND"])


def test_tier_attributes_name_annotators_across_files_of_one_recording(tmp_path: Path) -> None:
    for name, who in (("one", "Ana"), ("two", "Ben")):
        write(tmp_path / f"{name}.eaf", eaf(tier("gaze", at("a1", 1, 2, "x"), ANNOTATOR=who)))
    assert [row[:2] for row in rows(accord.read(tmp_path))] == [("document", "Ana"), ("document", "Ben")]
    for name, who in (("x1", "Ana"), ("x2", "Ben")):
        write(
            tmp_path / "b" / f"{name}.eaf", eaf(tier("gaze", at("a1", 1, 2, "x"), ANNOTATOR=who), media=f"{name}.wav")
        )
    assert [row[:2] for row in rows(accord.read(tmp_path / "b"))] == [("x1", "Ana"), ("x2", "Ben")]


def test_repeated_tier_of_an_annotator_is_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        tiers = tier("gaze", at("a1", 1, 2, "x"), ANNOTATOR="Ana") + tier("hand", at("a2", 1, 2, "y"), ANNOTATOR="Ben")
        write(tmp_path / f"{name}.eaf", eaf(tiers))
    with raises("format-ambiguous", '"gaze"', '"Ana"'):
        accord.read_all(tmp_path)


def test_speakers_are_variables(tmp_path: Path) -> None:
    tiers = tier("Ann", at("a1", 1, 5, "speech"), PARTICIPANT="Ann") + tier(
        "Bob", at("a2", 1, 5, "speech"), PARTICIPANT="B"
    )
    found = accord.read_all(write(tmp_path / "s1.eaf", eaf(tiers)))
    assert {name: data.annotators for name, data in found.items()} == {"Ann": ("s1",), "Bob": ("s1",)}


def test_empty_default_tier_is_not_an_annotator(tmp_path: Path) -> None:
    tiers = tier("default") + tier("Ana", at("a1", 1, 5, "x")) + tier("Ben", at("a2", 6, 7, "x")) + tier("Cleo")
    read = accord.read(write(tmp_path / "s1.eaf", eaf(tiers)), annotators_in="tiers")
    assert read.annotators == ("Ana", "Ben", "Cleo")


def test_dependent_annotations_take_times_from_their_parents(tmp_path: Path) -> None:
    """An association has the time of its parent. Parts of a subdivision divide it in the order of their links."""
    tiers = (
        tier("gloss", on("g1", "w2", "two"), PARENT_REF="parts")  # before the tier it depends on
        + tier("text", at("a1", 2, 5, "one two three"), at("a2", 6, 8, "four"))
        + tier(
            "parts",
            on("w1", "a1", "one"),
            on("w3", "a1", "three", "w2"),
            on("w2", "a1", "two", "w1"),
            PARENT_REF="text",
        )
        + tier("lost", on("z1", "nowhere", "z"), on("z2", "nowhere", "z"), PARENT_REF="text")
    )
    found = accord.read_all(write(tmp_path / "s1.eaf", eaf(tiers)))
    assert [row[2:] for row in rows(found["parts"])] == [(2, 3, "one"), (3, 4, "two"), (4, 5, "three")]
    assert [row[2:] for row in rows(found["gloss"])] == [(3, 4, "two")]
    assert "skipped: 2 annotations that refer to an annotation without a time" in notes(found["text"])


def test_slots_without_a_time_divide_the_interval_evenly(tmp_path: Path) -> None:
    """Other slots between them in the file have no effect."""
    slots = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="ts{k}"{value}/>'
        for k, value in (("1", ' TIME_VALUE="1000"'), ("8", ' TIME_VALUE="1500"'), ("2", ""), ("3", ""),
                        ("9", ' TIME_VALUE="1700"'), ("4", ' TIME_VALUE="4000"'))
    )  # fmt: skip
    tiers = tier("w", at("a1", 1, 2, "a"), at("a2", 2, 3, "b"), at("a3", 3, 4, "c")) + tier("v", at("a4", 8, 9, "x"))
    found = accord.read_all(write(tmp_path / "s1.eaf", eaf(tiers, slots)))
    assert [row[2:4] for row in rows(found["w"])] == [(1, 2), (2, 3), (3, 4)]


def test_annotations_without_time_length_or_value_are_counted(tmp_path: Path) -> None:
    tiers = tier("x", at("a1", 1, 2, "x"), at("a2", 3, 3, "p"), at("a3", 3, 77, "q"), at("a4", 4, 5, " \n "))
    found = notes(accord.read(write(tmp_path / "s1.eaf", eaf(tiers))))
    assert 'skipped: 1 annotations without a time (e.g. "a3 in' in found
    assert 'skipped: 1 annotations without a value (e.g. "a4 in' in found
    assert 'skipped: 1 points in time, which have no length (e.g. "p at' in found


def test_time_units_are_converted_to_seconds(tmp_path: Path) -> None:
    slots = '<TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="1"/><TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="3"/>'
    path = write(tmp_path / "s1.eaf", eaf(tier("x", at("a", 1, 2, "x")), slots, units="seconds"))
    assert rows(accord.read(path)) == [("s1", "s1", 1, 3, "x")]
    write(path, eaf(tier("x", at("a", 1, 2, "x")), slots, units="NTSC-frames"))
    with raises("invalid-record", '"NTSC-frames"'):
        accord.read(path)
    write(path, eaf(tier("x", at("a", 1, 2, "x")), slots.replace('"3"', '"soon"')))
    with raises("invalid-record", "s1.eaf:4", '"soon"'):
        accord.read(path)


def test_truncated_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "s1.eaf", eaf(tier("x", at("a", 1, 2, "x"))))
    cut = tmp_path / "cut.eaf"
    for part in every_cut(path, 17)[8:-1]:
        cut.write_bytes(part)
        with raises("file-damaged"):
            accord.read(cut)


def test_file_without_annotations_is_refused(tmp_path: Path) -> None:
    with raises("nothing-annotated"):
        accord.read(write(tmp_path / "s1.eaf", eaf(tier("default"))))


def test_real_files_are_read(corpora: Path) -> None:
    found = accord.read_all(corpora / "native-samples/elan-eaf/sample_2.8.eaf")
    assert {name: len(data) for name, data in found.items()} == {  # type: ignore[arg-type]
        "text": 399, "words-timesub": 1995, "words-symsub": 1995, "gestures": 1197, "gest_included": 1197,
        "words-pos": 3,
    }  # fmt: skip
    words = rows(found["words-timesub"])
    assert [row[2:] for row in words[:2]] == [(2.0, 2.47, "The"), (2.47, 3.52, "quick")]
    three = accord.read(corpora / "native-samples/pygamma-csv/MaureenMarvinRobin.eaf", annotators_in="tiers")
    assert three.annotators == ("Marvin", "Maureen", "Robin")
    assert [row[1:] for row in rows(three)] == [
        ("Marvin", 2.401, 3.422, "S"), ("Maureen", 1.006, 1.896, "S"), ("Maureen", 3.738, 4.926, "S"),
        ("Robin", 5.294, 5.781, "S"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["sample_2.8.eaf", "childproject/eaf.eaf", "childproject/example.eaf"])
def test_annotations_equal_those_of_pympi(corpora: Path, name: str) -> None:
    """Compare tiers with given times only, because pympi does not divide intervals."""
    pympi = pytest.importorskip("pympi")
    path = corpora / "native-samples/elan-eaf" / name
    other, compared = pympi.Elan.Eaf(str(path)), 0
    for variable, data in accord.read_all(path).items():
        if variable in {"words-timesub", "words-symsub", "words-pos"}:
            continue
        theirs = sorted(
            (start / 1000, end / 1000, " ".join(value.split()))
            for start, end, value, *_ in other.get_annotation_data_for_tier(variable)
            if value.strip() and end > start
        )
        assert sorted(row[2:] for row in rows(data)) == theirs
        compared += len(theirs)
    assert compared > 200

"""Label Studio: what its controls write, in JSON, JSON-MIN and CSV, and in its versions."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import accord

from ...refusals import raises
from .common import labels, one, told, units, variables, written

TEXT = "A 😀 b small text"


def region(
    start: Any, end: Any, *names: str, control: str = "ner", text: str | None = None, **more: Any
) -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": list(names), **({"text": text} if text else {}), **more}
    return {"id": f"r{start}{end}", "from_name": control, "to_name": "text", "type": "labels", "value": value}


def choice(control: str, *chosen: str, kind: str = "choices", **more: Any) -> dict[str, Any]:
    return {"id": control, "from_name": control, "to_name": "text", "type": kind, "value": {kind: list(chosen)}, **more}


def task(number: int, by: dict[Any, Any], data: Any = None, **more: Any) -> dict[str, Any]:
    annotations = [{"id": k, "completed_by": who, "was_cancelled": False, "result": result}
                   for k, (who, result) in enumerate(by.items())]  # fmt: skip
    return {"id": number, "annotations": annotations, "data": data or {"text": TEXT}, **more}


def test_regions_and_choices_are_read_and_annotators_without_regions_kept(tmp_path: Path) -> None:
    relation = {"from_id": "a", "to_id": "b", "type": "relation", "direction": "right"}
    ana = [
        region(5, 6, "X", text="b"),
        choice("mood", "good"),
        relation,
        {"value": {"text": ["note"]}, "type": "textarea"},
    ]
    ben = [region(7, 12, "X", "Y", text="small"), choice("mood", "bad")]
    tasks = [task(7, {1: ana, 2: ben, 3: []}, predictions=[{"model_version": "m", "result": []}], drafts=[{}, {}])]
    tasks[0]["annotations"].append({"completed_by": 4, "was_cancelled": True, "result": []})
    found = variables(one(tmp_path, "export.json", tasks))
    assert units(found["ner"]) == [("7", "1", 4, 5, "X"), ("7", "2", 6, 11, "X"), ("7", "2", 6, 11, "Y")]
    assert found["ner"].annotators == (
        "1",
        "2",
        "3",
    )  # offsets of JavaScript are converted to code points; 3 marked nothing
    assert found["ner"].extents.tolist() == [[0, len(TEXT)]]
    assert labels(found["mood"]) == {("7", "1"): "good", ("7", "2"): "bad"}
    for what in ("1 relations", "1 free texts", "1 cancelled", "2 drafts", "1 predictions"):
        assert told(found["ner"], "skipped", what)


@pytest.mark.parametrize(
    ("by", "name"),
    [
        (5, "5"),
        ("ana@x.org", "ana@x.org"),
        ({"id": 5, "email": "ana@x.org", "first_name": "Ana"}, "ana@x.org"),
        ({"id": 5, "email": "", "first_name": "Ana", "last_name": "B"}, "Ana B"),
        ({"id": 5}, "5"),
        (None, "annotator 1"),
    ],
)
def test_completed_by_names_the_annotator(tmp_path: Path, by: Any, name: str) -> None:
    tasks = [
        {"id": 1, "data": {"text": TEXT}, "annotations": [{"completed_by": by, "result": [choice("mood", "good")]}]}
    ]
    assert accord.read(one(tmp_path, "export.json", tasks)).annotators == (name,)


def test_completions_of_older_versions_are_read(tmp_path: Path) -> None:
    tasks = [
        {"id": 1, "data": {"text": TEXT}, "completions": [{"created_username": "ana", "result": [region(0, 1, "X")]}]}
    ]
    assert units(accord.read(one(tmp_path, "export.json", tasks))) == [("1", "ana", 0, 1, "X")]


def test_offsets_without_region_text_count_utf_16(tmp_path: Path) -> None:
    """Offsets count UTF-16 code units, even if the region does not contain its text."""
    data = accord.read(one(tmp_path, "export.json", [task(1, {1: [region(5, 6, "X")]})]))
    assert units(data) == [("1", "1", 4, 5, "X")]
    assert data.extents.tolist() == [[0, len(TEXT)]]


def test_offsets_within_dialogue_turns_are_read(tmp_path: Path) -> None:
    turns = [{"author": "a", "text": "Hi 😀 you"}, {"author": "b", "text": "Good day"}]
    first = region("0", "0", startOffset=6, endOffset=9, text="you", paragraphlabels=["X"])
    second = region("0", "1", startOffset=6, endOffset=4, text="you\nGood", paragraphlabels=["Y"])
    lost = region("0", "5", startOffset=0, endOffset=4, paragraphlabels=["Y"])
    for one_region in (first, second, lost):
        del one_region["value"]["labels"]
    path = one(tmp_path, "export.json", [task(1, {1: [first, second, lost]}, {"dialogue": turns})])
    data = accord.read(path)
    assert units(data) == [("1", "1", 5, 8, "X"), ("1", "1", 5, 13, "Y")]
    assert told(data, "1 regions outside the text of their dialogue")
    elsewhere = one(
        tmp_path, "other.json", [task(1, {1: [first, choice("mood", "good")]}, {"dialogue": "s3://x/y.json"})]
    )
    found = variables(elsewhere)
    assert list(found) == ["mood"]
    assert told(found["mood"], "regions of dialogues whose text is not in the file")


def test_global_offsets_of_web_pages_are_read(tmp_path: Path) -> None:
    known = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 3,
             "globalOffsets": {"start": 4, "end": 7}, "text": "two", "hypertextlabels": ["X"]}  # fmt: skip
    unknown = {key: value for key, value in known.items() if key != "globalOffsets"}
    results = [{"id": str(k), "from_name": "ner", "to_name": "page", "type": "hypertextlabels", "value": value}
               for k, value in enumerate([known, unknown])]  # fmt: skip
    data = accord.read(one(tmp_path, "export.json", [task(1, {1: results}, {"html": "<p>one <b>two</b></p>"})]))
    assert units(data) == [("1", "1", 4, 7, "X")]  # offsets refer to the displayed text, not to its source
    assert told(data, "1 regions of web pages without offsets")


def test_regions_of_recordings_time_series_and_videos_are_read(tmp_path: Path) -> None:
    sound = {"id": "a", "from_name": "sound", "to_name": "audio", "type": "labels", "original_length": 9.5,
             "value": {"start": 1, "end": 2, "channel": 0, "labels": ["X"]}}  # fmt: skip
    asked = {**sound, "from_name": "how", "type": "choices", "value": {**sound["value"], "choices": ["loud"]}}
    del asked["value"]["labels"]
    found = variables(one(tmp_path, "audio.json", [task(1, {1: [sound, asked]}, {"audio": "/data/upload/1/a.wav"})]))
    assert units(found["sound"]) == [("/data/upload/1/a.wav", "1", 1, 2, "X")]
    assert found["sound"].extents.tolist() == [[0, 9.5]]
    assert units(found["how"])[0][2:] == (1, 2, "loud")
    series = region(1.5, 2.5, instant=False, timeserieslabels=["run"])
    del series["value"]["labels"]
    assert units(accord.read(one(tmp_path, "series.json", [task(1, {1: [series]}, {"csv": "/a.csv"})])))[0][2:] == (
        1.5,
        2.5,
        "run",
    )
    frames = {"id": "f", "from_name": "what", "to_name": "video", "type": "timelinelabels",
              "value": {"ranges": [{"start": 1, "end": 10}, {"start": 20, "end": 20}],
                        "timelinelabels": ["X"]}}  # fmt: skip
    box = {"id": "b", "from_name": "box", "to_name": "video", "type": "videorectangle",
           "value": {"framesCount": 9, "sequence": [{"frame": 1, "x": 2}], "labels": ["Car"]}}  # fmt: skip
    data = accord.read(one(tmp_path, "video.json", [task(1, {1: [frames, box]}, {"video": "/v.mp4"})]))
    assert [row[2:] for row in units(data)] == [(0, 10, "X"), (19, 20, "X")]
    assert told(data, "1 regions of images")


def test_answers_about_the_whole_task_are_labels_of_items(tmp_path: Path) -> None:
    def answer(kind: str, value: Any) -> dict[str, Any]:
        return {
            "from_name": kind,
            "to_name": "text",
            "type": kind,
            "value": {kind if kind != "pairwise" else "selected": value},
        }

    results = [answer("rating", 4), answer("number", 2.5), answer("pairwise", "left"), answer("taxonomy", [["a", "b"]]),
               answer("choices", ["x", "y"]), answer("ranker", {"rank": ["q"]}), answer("choices", [])]  # fmt: skip
    results[-1]["from_name"] = "empty"
    found = variables(one(tmp_path, "export.json", [task(1, {1: results})]))
    assert {name: next(iter(labels(data).values())) for name, data in found.items()} == {
        "rating": "4", "number": "2.5", "pairwise": "left", "taxonomy": "a/b", "choices": "x|y",
    }  # fmt: skip
    assert told(found["rating"], "2 answers that are empty or of an unsupported kind")


def test_extent_of_a_text_without_regions_is_its_length(tmp_path: Path) -> None:
    tasks = [task(1, {1: [region(0, 1, "X")], 2: []}), task(2, {1: [], 2: []}, {"text": "nothing here"})]
    data = accord.read(one(tmp_path, "export.json", tasks))
    assert data.extents.tolist() == [[0, len(TEXT)], [0, 12]]
    assert data.judged.all()


def test_regions_without_a_label_are_counted(tmp_path: Path) -> None:
    data = accord.read(one(tmp_path, "export.json", [task(1, {1: [region(0, 1), region(2, 3, "X")]})]))
    assert len(data) == 1
    assert told(data, "1 regions without a label")


def test_two_texts_of_a_task_are_two_documents(tmp_path: Path) -> None:
    first, second = region(0, 3, "X", text="one"), region(0, 3, "Y", text="two")
    second["to_name"] = "b"
    data = accord.read(
        one(tmp_path, "export.json", [task(1, {1: [first, second], 2: []}, {"left": "one", "right": "two"})])
    )
    assert units(data) == [("1/b", "1", 0, 3, "Y"), ("1/text", "1", 0, 3, "X")]
    assert data.judged.all()


def rows(answers: dict[str, Any], **data: Any) -> list[dict[str, Any]]:
    who = {"annotator": 1, "annotation_id": 10, "created_at": "t", "updated_at": "t", "lead_time": 1.5}
    return [
        {**data, "id": 3, **answers, **who},
        {**data, "id": 3, **answers, **who, "annotator": 2, "annotation_id": 11},
    ]


def test_order_of_json_min_fields_separates_data_from_labels(tmp_path: Path) -> None:
    """Fields before the id are data of the task, even if they look like labels."""
    span = [{"start": 5, "end": 6, "text": "b", "labels": ["X"]}]
    found = variables(one(tmp_path, "min.json", rows({"ner": span, "mood": "good"}, text=TEXT, source="news")))
    assert sorted(found) == ["mood", "ner"]
    assert units(found["ner"]) == [("3", "1", 4, 5, "X"), ("3", "2", 4, 5, "X")]
    assert labels(found["mood"]) == {("3", "1"): "good", ("3", "2"): "good"}


@pytest.mark.parametrize("write", [json.dumps, repr])
def test_csv_with_answers_as_json_or_python_is_read(tmp_path: Path, write: Any) -> None:
    path = tmp_path / "export.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        many = rows({"ner": write([{"start": 0, "end": 1, "text": "A", "labels": ["X"]}]), "mood": "good"}, text=TEXT)
        writer = csv.DictWriter(file, list(many[0]))
        writer.writeheader()
        writer.writerows(many)
    found = variables(path)
    assert units(found["ner"]) == [("3", "1", 0, 1, "X"), ("3", "2", 0, 1, "X")]
    assert sorted(found) == ["mood", "ner"]


def test_file_with_a_long_first_task_is_recognised(tmp_path: Path) -> None:
    data = accord.read(one(tmp_path, "export.json", [task(1, {1: [region(0, 1, "X")]}, {"text": "word " * 50_000})]))
    assert data.notes[0] == "read as Label Studio"


@pytest.mark.parametrize(
    "annotations",
    [[1], "x", [{"result": "x"}], [{"result": [1]}]],
)
def test_invalid_annotations_are_refused(tmp_path: Path, annotations: Any) -> None:
    tasks = [task(1, {1: []}), {"id": 2, "data": {"text": "x"}, "annotations": annotations}]
    with raises("invalid-record"):
        accord.read(one(tmp_path, "export.json", tasks))


@pytest.mark.parametrize(
    "value", [{"start": {}, "end": 1, "labels": ["X"]}, {"labels": 3}, {"choices": {"a": 1}}, 5, None]
)
def test_invalid_values_are_counted(tmp_path: Path, value: Any) -> None:
    odd = {"id": "o", "from_name": "ner", "to_name": "text", "type": "labels", "value": value}
    path = one(tmp_path, "export.json", [task(1, {1: [odd, region(0, 1, "X")]})])
    found = variables(path)
    assert (
        len(found["ner"]) + sum("skipped" in note for note in found["ner"].notes) >= 2
        or "ner (labels of items)" in found
    )


def test_files_of_several_people_share_documents(tmp_path: Path) -> None:
    folder = written(tmp_path, {f"{k}.json": [task(k, {k: [region(0, 1, "X")]})] for k in (1, 2)})
    data = accord.read(folder)
    assert (len(data.docs), data.annotators) == (1, ("1", "2"))


def test_leoka_corpus_equals_its_table(corpora: Path) -> None:
    """Every coder has the spans of the table, except for cancelled annotations."""
    folder = corpora / "leoka-labelstudio"
    data = accord.read(folder / "native", label="label")
    called = {path.read_text(encoding="utf-8"): path.stem for path in (folder / "texts_shared").iterdir()}
    names = {doc: called[data.texts[doc]] for doc in data.docs}
    mine = Counter(
        (names[doc], who.partition("@")[0], start, end, label) for doc, who, start, end, label in units(data)
    )
    with (folder / "spans.csv").open(encoding="utf-8") as file:
        theirs = Counter(
            (row["doc"], row["annotator"], int(row["start"]), int(row["end"]), row["label"])
            for row in csv.DictReader(file)
            if row["doc"] in set(names.values())
        )
    cancelled = [
        result
        for path in sorted((folder / "native").iterdir())
        for one_task in json.loads(path.read_text(encoding="utf-8"))
        for annotation in one_task["annotations"]
        if annotation["was_cancelled"]
        for result in annotation["result"]
        if "labels" in result["value"]
    ]
    assert not mine - theirs
    assert (theirs - mine).total() == len(cancelled) == 36
    assert mine.total() == 14342


def _tasks_of_user_1(texts: str, labels: str, first: int = 1) -> list[dict[str, Any]]:
    """Return a task for each label, annotated by user 1 of an installation."""
    return [
        {
            "id": number,
            "data": {"text": f"{texts} {number}"},
            "annotations": [
                {
                    "id": number,
                    "completed_by": 1,
                    "result": [
                        {"id": f"{texts}{label}", "from_name": "c", "to_name": "t", "type": "choices",
                         "value": {"choices": [label]}}
                    ],
                }
            ],
        }
        for number, label in enumerate(labels, first)
    ]  # fmt: skip


def test_same_user_number_on_the_same_tasks_needs_an_option(tmp_path: Path) -> None:
    """Each annotator has an own installation, in which the user has the number 1."""
    written(tmp_path, {"ana.json": _tasks_of_user_1("t", "xyxy"), "ben.json": _tasks_of_user_1("t", "xyyy")})
    with raises("format-ambiguous", "ben.json", "user 1", "--annotators-in files"):
        accord.read(tmp_path)
    data = accord.read(tmp_path, annotators_in="files")
    assert data.annotators == ("ana", "ben")
    assert labels(data)["3", "ben"] == "y"


def test_same_user_number_in_tables_needs_an_option(tmp_path: Path) -> None:
    header = "text,id,c,annotator,annotation_id,created_at,updated_at,lead_time\n"
    written(tmp_path, {"ana.csv": f"{header}t,1,x,1,5,,,1.5\n", "ben.csv": f"{header}t,1,y,1,5,,,1.5\n"})
    with raises("format-ambiguous", "ben.csv", "--annotators-in files"):
        accord.read(tmp_path)
    assert labels(accord.read(tmp_path, annotators_in="files")) == {("1", "ana"): "x", ("1", "ben"): "y"}


def test_exports_of_two_installations_are_noted(tmp_path: Path) -> None:
    """Annotations of the same number are different ones, so the user of the same number may be another person."""
    written(tmp_path, {"a.json": _tasks_of_user_1("t", "xyxy"), "b.json": _tasks_of_user_1("u", "xyyy")})
    assert told(accord.read(tmp_path), "two installations", "user 1", "--annotators-in files")


def test_exports_of_one_installation_have_the_same_users(tmp_path: Path) -> None:
    """An annotation that two files contain is read once."""
    both = {
        "a.json": _tasks_of_user_1("t", "xy"),
        "b.json": [*_tasks_of_user_1("t", "xy"), *_tasks_of_user_1("u", "x", 7)],
    }
    data = accord.read(written(tmp_path, both))
    assert data.annotators == ("1",)
    assert not told(data, "installations")
    assert told(data, "2 annotations that another file contains")


_HEADER = "id,text,annotator,annotation_id,created_at,updated_at,lead_time,sentiment\n"


@pytest.mark.parametrize("people", [("1", "2", "3"), ("a@x.org", "b@x.org", "c@x.org")], ids=["numbers", "addresses"])
@pytest.mark.parametrize("given", ["xyy", "xxx"], ids=["differ", "agree"])
def test_texts_after_the_id_are_no_labels(tmp_path: Path, people: tuple[str, ...], given: str) -> None:
    """Tools that rebuild the table write the data of a task after its id. Rows may have any order."""
    rows = [
        f"{n},some sentence number {n},{who},{n}0{k},2024-01-01T00:00:00Z,2024-01-02T00:00:00Z,5.{k},"
        f"{given[(n + k) % 3]}"
        for k, who in enumerate(people)
        for n in range(1, 13)
    ]
    written(tmp_path, {"t.csv": _HEADER + "\n".join(rows[::5] + [row for k, row in enumerate(rows) if k % 5]) + "\n"})
    found = variables(tmp_path / "t.csv")
    assert list(found) == ["sentiment"]
    assert labels(found["sentiment"]) == {
        (str(n), who): given[(n + k) % 3] for k, who in enumerate(people) for n in range(1, 13)
    }


@pytest.mark.parametrize("given", ["xyxyxyxyxyxy", "xxxxxxxxxxxx"])
def test_label_with_full_agreement_is_read(tmp_path: Path, given: str) -> None:
    header = "text,id,tone,annotator,annotation_id,created_at,updated_at,lead_time\n"
    rows = [f"t {n},{n},{label},{who},{n}{who},,,1\n" for n, label in enumerate(given) for who in (1, 2)]
    data = accord.read(one(tmp_path, "t.csv", header + "".join(rows)))
    assert set(labels(data).values()) == set(given)

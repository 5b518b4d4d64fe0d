"""Exports of crowdsourcing platforms: answers are scored, and metadata, content and remarks are not."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

import accord

from ..command_line import Cli
from ..refusals import raises

ANSWERS = {"s1": "aab", "s2": "bbb", "s3": "aba", "s4": "ccc", "s5": "cac", "s6": "bbc"}
ROWS = [(item, f"w{k}", label) for item, labels in ANSWERS.items() for k, label in enumerate(labels)]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def expected_alpha() -> float:
    items, annotators, labels = zip(*ROWS, strict=True)
    return accord.alpha({"item": items, "annotator": annotators, "label": labels}).value


def make_appen(item: str, worker: str, label: str, n: int) -> dict[str, Any]:
    return {
        "_unit_id": item,
        "_created_at": f"7/12/2014 08:21:{n:02}",
        "_golden": "false",
        "_id": 9000 + n,
        "_tainted": "false",
        "_channel": "elite",
        "_trust": 0.5 + n / 100,
        "_worker_id": worker,
        "_country": "USA",
        "tone": label,
        "browser": "Firefox",
        "why": f"because it is so {n}",
        "source": f"news {item[1:]}",
        "text": f"this is the text of {item}",
    }


def make_mturk(item: str, worker: str, label: str, n: int) -> dict[str, Any]:
    return {
        "HITId": item,
        "HITTypeId": "T",
        "Title": "Rate the tone",
        "Reward": "$0.34",
        "AssignmentId": f"A{n}",
        "WorkerId": worker,
        "AssignmentStatus": "Approved",
        "AcceptTime": f"Wed Jan 24 09:49:{n:02} PST 2018",
        "WorkTimeInSeconds": 30 + n,
        "Input.text": f"the text of {item}",
        "Answer.tone": label,
        "Answer.age": {"w0": "25", "w1": "31", "w2": "44"}[worker],
        "Answer.clicks": '{"user_agent": "Mozilla", "n": 3}',
        "Answer.feedback": "good task" if n % 2 else "",
        "Approve": "",
        "Reject": "",
    }


def write_export(path: Path, make: Any, **more: Any) -> Path:
    return write_rows(path, [{**make(*row, n), **more} for n, row in enumerate(ROWS)])


@pytest.mark.parametrize("make", [make_appen, make_mturk])
def test_full_export_gives_the_value_of_a_plain_table(tmp_path: Path, make: Any) -> None:
    found = accord.read_all(write_export(tmp_path / "export.csv", make))
    (variable,) = found
    assert variable.removeprefix("Answer.") == "tone"
    assert accord.alpha(found[variable]).value == pytest.approx(expected_alpha(), abs=1e-12)
    assert found[variable].annotators == ("w0", "w1", "w2")
    assert list(found[variable].items) == list(ANSWERS)


@pytest.mark.parametrize(
    ("make", "kept"),
    [
        (make_appen, ["_unit_id", "_worker_id", "tone"]),
        (make_mturk, ["HITId", "WorkerId", "Answer.tone"]),
        (make_mturk, ["HITId", "WorkerId", "AssignmentId", "Answer.tone", "Input.text"]),
    ],
)
def test_exports_with_few_columns_are_recognised(tmp_path: Path, make: Any, kept: list[str]) -> None:
    rows = [{key: make(*row, n)[key] for key in kept} for n, row in enumerate(ROWS)]
    read = accord.read(write_rows(tmp_path / "export.csv", rows))
    assert accord.alpha(read).value == pytest.approx(expected_alpha(), abs=1e-12)


def test_notes_name_what_is_left_out(tmp_path: Path) -> None:
    path = write_export(tmp_path / "export.csv", make_mturk)
    notes = "\n".join(accord.read(path).notes)
    assert "columns of Amazon Mechanical Turk left out: HITTypeId, Title" in notes
    for reason in ("age (the same for each annotator)", "clicks (JSON)", "feedback (remarks)"):
        assert f"Answer.{reason}" in notes
    notes = "\n".join(accord.read(write_export(tmp_path / "export.csv", make_appen)).notes)
    assert "source (the same for each item)" in notes
    assert "why (text)" in notes


def test_options_of_the_user_take_precedence(tmp_path: Path) -> None:
    path = write_export(tmp_path / "export.csv", make_mturk)
    assert accord.read(path, label="Answer.age").variable == "Answer.age"
    read = accord.read(path, item="Input.text", only="AssignmentStatus=Approved")
    assert read.items[0] == "the text of s1"


def test_gold_columns_show_questions_on_which_all_agree(tmp_path: Path) -> None:
    rows = [{**make_appen(*row, n), "topic": row[0] in {"s1", "s2"}, "topic_gold": ""} for n, row in enumerate(ROWS)]
    found = accord.read_all(write_rows(tmp_path / "export.csv", rows))
    assert set(found) == {"tone", "topic"}
    assert accord.alpha(found["topic"]).value == 1


def test_export_without_a_varying_question_is_refused_with_the_option(tmp_path: Path) -> None:
    rows = [{"_unit_id": i, "_worker_id": w, "tone": i > "s3", "kind": i < "s3"} for i, w, _ in ROWS]
    path = write_rows(tmp_path / "export.csv", rows)
    with raises("export-not-usable", '--label "tone" or --label "kind"'):
        accord.read(path)
    assert accord.alpha(accord.read(path, label="tone")).value == 1


def test_aggregated_report_is_refused(tmp_path: Path) -> None:
    rows = [{"_unit_id": k, "_trusted_judgments": 3, "tone": "a", "tone:confidence": 0.7} for k in range(4)]
    with raises("export-not-usable", "download the full report"):
        accord.read(write_rows(tmp_path / "export.csv", rows))


def test_content_is_the_item_if_each_judgment_has_its_own_id(tmp_path: Path) -> None:
    rows = [{**make_mturk(*row, n), "HITId": f"H{n}"} for n, row in enumerate(ROWS)]
    read = accord.read(write_rows(tmp_path / "export.csv", rows))
    assert accord.alpha(read).value == pytest.approx(expected_alpha(), abs=1e-12)


def test_radio_buttons_are_joined_into_one_variable(tmp_path: Path) -> None:
    rows = []
    for n, (item, worker, label) in enumerate(ROWS):
        row = make_mturk(item, worker, label, n)
        del row["Answer.tone"]
        rows.append(row | {f"Answer.tone.{choice}": str(choice == label).lower() for choice in "abc"})
    read = accord.read(write_rows(tmp_path / "export.csv", rows))
    assert read.variable == "Answer.tone"
    assert read.categories.names == ("a", "b", "c")
    assert accord.alpha(read).value == pytest.approx(expected_alpha(), abs=1e-12)
    assert any("are read as one variable, Answer.tone" in note for note in read.notes)


def test_checkboxes_stay_separate_variables(tmp_path: Path) -> None:
    rows = []
    for n, (item, worker, label) in enumerate(ROWS):
        row = make_mturk(item, worker, label, n)
        del row["Answer.tone"]
        rows.append(row | {"Answer.tone.a": label == "a", "Answer.tone.ab": label in "ab"})
    found = accord.read_all(write_rows(tmp_path / "export.csv", rows))
    assert set(found) == {"Answer.tone.a", "Answer.tone.ab"}
    assert found["Answer.tone.a"].categories.names == ("False", "True")


@pytest.mark.parametrize(
    "record",
    [
        '[{{"tone": {{"label": "{0}"}}}}]',
        '[{{"tone": "{0}", "clicks": [[1, 2]]}}]',
        '[{{"tone": {{"a": {a}, "b": {b}, "c": {c}}}}}]',
    ],
)
def test_answers_in_json_are_read(tmp_path: Path, record: str) -> None:
    rows = []
    for n, (item, worker, label) in enumerate(ROWS):
        row = make_mturk(item, worker, label, n)
        for name in list(row):
            if name.startswith("Answer."):
                del row[name]
        chosen = {choice: str(choice == label).lower() for choice in "abc"}
        rows.append(row | {"Answer.taskAnswers": record.format(label, **chosen)})
    read = accord.read(write_rows(tmp_path / "export.csv", rows))
    assert read.variable == "tone"
    assert accord.alpha(read).value == pytest.approx(expected_alpha(), abs=1e-12)


def test_deep_json_in_a_cell_is_no_answer(tmp_path: Path) -> None:
    deep = '[{"tone": ' + "[" * 100_000
    rows = [{**make_mturk(*row, n), "Answer.taskAnswers": deep} for n, row in enumerate(ROWS)]
    assert accord.read(write_rows(tmp_path / "export.csv", rows)).variable == "Answer.tone"


def test_rejected_assignments_are_counted_and_can_be_left_out(tmp_path: Path, cli: Cli) -> None:
    rows = [
        {**make_mturk(*row, n), "AssignmentStatus": "Rejected" if n < 2 else "Approved"} for n, row in enumerate(ROWS)
    ]
    path = write_rows(tmp_path / "export.csv", rows)
    with pytest.warns(accord.ReadingWarning, match='2 rows marked as rejected.*--only "AssignmentStatus=Approved"'):
        assert len(accord.read(path)) == len(ROWS)
    assert len(accord.read(path, only="AssignmentStatus=Approved")) == len(ROWS) - 2
    assert cli("score", path, "--only", "AssignmentStatus=Approved").code == 0


def make_toloka(item: str, worker: str, label: str, n: int) -> dict[str, Any]:
    return {
        "INPUT:image": f"{item}.png",
        "OUTPUT:tone": label,
        "GOLDEN:tone": "",
        "HINT:text": "",
        "ASSIGNMENT:link": f"https://example.org/{n}",
        "ASSIGNMENT:assignment_id": f"a{n}",
        "ASSIGNMENT:worker_id": worker,
        "ASSIGNMENT:status": "APPROVED",
    }


def make_labelbox(item: str, worker: str, label: str, n: int) -> dict[str, Any]:
    answer = f'{{"objects": [], "classifications": [{{"title": "tone", "answer": {{"title": "{label}"}}}}]}}'
    return {
        "ID": f"L{n}",
        "DataRow ID": item,
        "Labeled Data": f"https://example.org/{item}",
        "Label": answer if n % 2 else f'{{"tone": "{label}"}}',
        "Created By": worker,
        "Seconds to Label": 3 + n,
    }


def make_prodigy(item: str, worker: str, label: str, n: int) -> dict[str, Any]:
    return {
        "text": f"the text of {item}",
        "_input_hash": item,
        "_task_hash": item,
        "_session_id": worker,
        "_view_id": "choice",
        "accept": f'["{label}"]' if n < 0 else label,
        "answer": "accept",
        "_timestamp": n,
    }


@pytest.mark.parametrize("make", [make_toloka, make_labelbox, make_prodigy])
def test_exports_of_other_platforms_give_the_value_of_a_plain_table(tmp_path: Path, make: Any) -> None:
    read = accord.read(write_export(tmp_path / "export.csv", make))
    assert accord.alpha(read).value == pytest.approx(expected_alpha(), abs=1e-12)
    assert read.annotators == ("w0", "w1", "w2")


def test_doccano_tables_of_two_people_need_no_option(tmp_path: Path) -> None:
    for worker in ("w0", "w1"):
        rows = [{"id": i, "data": f"text {i}", "label": lab, "Comments": ""} for i, w, lab in ROWS if w == worker]
        write_rows(tmp_path / f"{worker}.csv", rows)
    read = accord.read(tmp_path)
    assert read.annotators == ("w0", "w1")
    assert len(read) == 2 * len(ANSWERS)

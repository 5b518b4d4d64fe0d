"""Folders of tables: other files beside the coders, headers in another case, items that files number alike.

Ana and Ben agree on 6 of 8 items; n = 16, 8 of each label: D_o = 2/8, D_e = 8/15, α = 17/32. With the labels twice
(16 items, n = 32, 16 of each): D_e = 2·16·16/(32·31) = 16/31, α = 1 − 31/64.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

from .formats.common import written

ANA, BEN, ALPHA, TWICE = "xyxyxxyy", "xyyyxxyx", 17 / 32, 33 / 64
pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


def alpha(data: Any, **how: Any) -> float:
    return float(accord.alpha(data, distance="nominal", interval="none", **how).value)


def coder(labels: str, header: str = "id,label") -> str:
    return f"{header}\n" + "".join(f"{k},{label}\n" for k, label in enumerate(labels))


def wide(part: str, header: str = "id,text,annotator_1,annotator_2", item: bool = True) -> str:
    rows = [f"{k}," * item + f"text {k} of {part},{a},{b}" for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))]
    return "\n".join([header, *rows]) + "\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [("codebook.csv", "code,meaning\nx,agrees\ny,does not\n"), ("items.csv", "id,text\n0,a\n1,b\n"),
     ("~$ana.xlsx", b"\x02JB" + b" " * 160), ("project_metadata.csv", "id,year\n0,2020\n")],
)  # fmt: skip
def test_files_beside_the_coders_are_not_read(tmp_path: Path, name: str, content: Any) -> None:
    folder = written(tmp_path / "d", {"ana.csv": coder(ANA), "ben.csv": coder(BEN), name: content})
    read = accord.read(folder)
    assert read.present == ("ana", "ben")
    assert alpha(read) == pytest.approx(ALPHA)


def test_codebook_beside_a_table_of_annotators(tmp_path: Path) -> None:
    folder = written(tmp_path / "d", {"labels.csv": wide("a"), "codebook.csv": "code,meaning\nx,agrees\ny,does not\n"})
    with pytest.warns(accord.ReadingWarning, match="not read: codebook.csv"):
        assert alpha(folder) == pytest.approx(ALPHA)


def test_names_of_columns_in_another_case(tmp_path: Path) -> None:
    folder = written(tmp_path / "d", {"ana.csv": coder(ANA), "ben.csv": coder(BEN, "ID, Label")})
    assert alpha(folder) == pytest.approx(ALPHA)


@pytest.mark.parametrize("item", [True, False])
def test_files_that_number_other_texts_alike_have_other_items(tmp_path: Path, item: bool) -> None:
    header = "id,text,annotator_1,annotator_2".removeprefix("" if item else "id,")
    folder = written(tmp_path / "d", {f"{part}.csv": wide(part, header, item) for part in ("de", "en")})
    read = accord.read(folder)
    assert read.n_items == 16
    assert alpha(read) == pytest.approx(TWICE)


def test_splits_with_labels_by_annotator(tmp_path: Path) -> None:
    parts = {
        f"X_{part}.json": {str(k): {"text": f"{part} {k}", "annotations": {"Ann1": a, "Ann2": b}}
                           for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))}
        for part in ("train", "dev")
    }  # fmt: skip
    read = accord.read(written(tmp_path / "d", parts))
    assert read.n_items == 16
    assert alpha(read) == pytest.approx(TWICE)


def test_files_with_the_same_texts_repeat_their_items(tmp_path: Path) -> None:
    """Two rounds of the same texts are not documents of their own."""
    rows = [{"id": k, "text": f"text {k}", "annotator": who, "label": label}
            for who, given in (("a", ANA), ("b", BEN)) for k, label in enumerate(given)]  # fmt: skip
    folder = written(tmp_path / "d", {"r1.jsonl": rows, "r2.jsonl": rows[::-1]})
    with pytest.raises(accord.DataError, match="twice"):
        accord.read(folder)


def test_variables_of_objects_of_annotators(tmp_path: Path) -> None:
    records = [
        {"id": k, "scores": {"fluency": {"A1": "xy".index(a), "A2": "xy".index(b)}, "style": {"A1": 1, "A2": k % 2}}}
        for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))
    ]
    (tmp_path / "d.json").write_text(json.dumps(records), encoding="utf-8")
    read = accord.read_all(tmp_path / "d.json")
    assert set(read) == {"fluency", "style"}
    assert alpha(read["fluency"]) == pytest.approx(ALPHA)


def test_annotators_and_counts_in_distributions_of_labels(tmp_path: Path) -> None:
    records = [
        {"text_id": f"t{k}", "model_0_probs": {"x": 0.25, "y": 0.5}, "label_distribution": {
            "x": [who for who, label in (("w1", a), ("w2", b)) if label == "x"],
            "y": [who for who, label in (("w1", a), ("w2", b)) if label == "y"]}}
        for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))
    ]  # fmt: skip
    (tmp_path / "d.json").write_text(json.dumps(records), encoding="utf-8")
    read = accord.read(tmp_path / "d.json")
    assert set(read.present) == {"w1", "w2"}
    assert alpha(read) == pytest.approx(ALPHA)
    counts = [{**one, "metadata": {"city": "x"}, "label_distribution": {name: len(people) for name, people in
                                                                       one["label_distribution"].items()}}
              for one in records]  # fmt: skip
    (tmp_path / "e.json").write_text(json.dumps(counts), encoding="utf-8")
    assert alpha(tmp_path / "e.json") == pytest.approx(ALPHA)


def test_confidence_of_models_is_no_variable(tmp_path: Path) -> None:
    rows = [
        {"id": k, "human_label": a, "gpt4_label": b, "gpt4_confidence": 0.5 + k / 20, "claude_label": a,
         "claude_confidence": 0.9 - k / 30}
        for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))
    ]  # fmt: skip
    (tmp_path / "d.json").write_text(json.dumps(rows), encoding="utf-8")
    assert list(accord.read_all(tmp_path / "d.json")) == ["label"]


def test_files_with_a_label_per_line(tmp_path: Path) -> None:
    """The labels five times: 40 items, n = 80, 40 of each: D_o = 1/4, D_e = 2·40·40/(80·79) = 40/79."""
    folder = written(
        tmp_path / "d", {f"{who}.txt": "\n".join(given * 5) + "\n" for who, given in (("ana", ANA), ("ben", BEN))}
    )
    read = accord.read(folder)
    assert (read.n_items, read.present) == (40, ("ana", "ben"))
    assert alpha(read) == pytest.approx(1 - 79 / 160)


def test_questions_with_two_lists_of_annotators(tmp_path: Path) -> None:
    """untimed_annotator_id names annotators; the lists are not labels."""
    questions = [
        {"question": f"q{k}", "validation": [{"untimed_annotator_id": who, "untimed_answer": "xy".index(label)}
                                             for who, label in (("11", a), ("12", b))],
         "speed_validation": [{"speed_annotator_id": who, "speed_answer": 1 + k % 2} for who in ("13", "14")]}
        for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))
    ]  # fmt: skip
    (tmp_path / "d.json").write_text(json.dumps(questions), encoding="utf-8")
    read = accord.read_all(tmp_path / "d.json")
    assert alpha(read["untimed_answer"]) == pytest.approx(ALPHA)


def test_a_single_row_of_numbers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text(
        json.dumps({f"{name}gual": [k / 7] for k, name in enumerate("jzdgcikmsp")}), encoding="utf-8"
    )
    with pytest.raises(accord.DataError, match="single row"):
        accord.read(tmp_path / "d.json")

"""Lists of objects in records: parts of an item, what was rated, or descriptions beside a label.

Ana and Ben label six items. They agree on 4; n = 12: 6 of the first, 4 of the second, 2 of the third label.
D_o = 2·2/12 = 1/3, D_e = 2·(6·4 + 6·2 + 4·2)/(12·11) = 2/3, so α = 1/2.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord

from ..refusals import raises

FIRST, SECOND, ALPHA = (1, 2, 1, 2, 1, 1), (1, 2, 3, 2, 1, 3), 0.5
BY = {"a1": FIRST, "a2": SECOND}
SYSTEMS = ("gpt-4", "llama", "claude")
pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


def write(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def alpha(path: Path) -> float:
    return float(accord.alpha(path, distance="nominal", interval="none").value)


def test_systems_are_items_if_the_record_names_its_annotator(tmp_path: Path) -> None:
    rows = [
        {"id": k, "annotator": who, "outputs": [{"model": m, "score": given[3 * k + j]} for j, m in enumerate(SYSTEMS)]}
        for who, given in BY.items()
        for k in range(2)
    ]
    read = accord.read(write(tmp_path, rows))
    assert (read.n_items, read.present) == (6, ("a1", "a2"))
    assert accord.alpha(read, distance="nominal", interval="none").value == pytest.approx(ALPHA)


@pytest.mark.parametrize(
    ("outputs", "system", "label"),
    [("responses", "model", "rating"), ("candidates", "model_name", "rank"), ("outputs", "system", "score"),
     ("summaries", "policy", "overall")],
)  # fmt: skip
def test_rated_systems_without_raters_are_refused(tmp_path: Path, outputs: str, system: str, label: str) -> None:
    rows = [
        {"prompt": f"prompt {k}", outputs: [{system: m, "text": f"{m} {k}", label: (k * j) % 3 + 1}
                                            for j, m in enumerate(SYSTEMS)]}
        for k in range(20)
    ]  # fmt: skip
    with raises("annotators-needed", outputs, system, label, "rated"):
        accord.read(write(tmp_path, rows))


def test_models_that_label_items_are_annotators(tmp_path: Path) -> None:
    rows = [
        {"id": k, "judgments": [{"model": m, "label": "xyz"[given[k] - 1]} for m, given in
                                zip(("gpt-4", "claude"), BY.values(), strict=True)]}
        for k in range(6)
    ]  # fmt: skip
    assert alpha(write(tmp_path, rows)) == pytest.approx(ALPHA)


@pytest.mark.parametrize(
    ("who", "label", "beside"),
    [
        ("annotator", "choice", {"options": [{"id": "A", "model": "gpt4"}, {"id": "B", "model": "llama"}]}),
        ("annotator", "label", {"messages": [{"role": "user", "content": "a"}, {"role": "system", "content": "b"}]}),
        ("worker", "rating", {"entities": [{"text": "Rome", "type": "LOC"}, {"text": "Ann", "type": "PER"}]}),
        ("annotator", "preferred", {"candidates": [{"system": "A", "text": "a"}, {"system": "B", "text": "b"}]}),
    ],
)
def test_lists_beside_annotator_and_label_do_not_repeat_items(
    tmp_path: Path, who: str, label: str, beside: dict[str, Any]
) -> None:
    rows = [{"item_id": f"q{k}", **beside, who: name, label: given[k]} for k in range(6) for name, given in BY.items()]
    read = accord.read(write(tmp_path, rows))
    assert read.n_items == 6
    assert accord.alpha(read, distance="nominal", interval="none").value == pytest.approx(ALPHA)
    assert any("lists of records not read" in note for note in read.notes)


def test_annotators_in_the_fields_of_words(tmp_path: Path) -> None:
    """Two texts of three words; the fields of a word are its annotators."""
    texts = [
        {"text": "a b c", "annotations": [{"word": w, "annotator_1": f"T{FIRST[3 * t + k]}",
                                           "annotator_2": f"T{SECOND[3 * t + k]}"} for k, w in enumerate("abc")]}
        for t in range(2)
    ]  # fmt: skip
    read = accord.read(write(tmp_path, texts))
    assert (read.n_items, read.present) == (6, ("annotator_1", "annotator_2"))
    assert accord.alpha(read, distance="nominal", interval="none").value == pytest.approx(ALPHA)


def test_annotators_of_sentences_with_sets(tmp_path: Path) -> None:
    texts = [
        {"hash": f"h{t}", "summary_sentences": ["one", "two", "three"],
         "summary_sentences_annotations": [{"annotator_0": [f"T{FIRST[3 * t + k]}"],
                                            "annotator_1": [f"T{SECOND[3 * t + k]}"]} for k in range(3)]}
        for t in range(2)
    ]  # fmt: skip
    read = accord.read(write(tmp_path, texts))
    assert (read.n_items, read.present) == (6, ("annotator_0", "annotator_1"))


@pytest.mark.parametrize("answer", ["Paris", "The capital of this country is a large town, as everybody knows."])
def test_ratings_below_answers_are_read_and_answers_are_not(tmp_path: Path, answer: str) -> None:
    questions = [
        {"question": f"question {q}", "answers": [
            {"answer": f"{answer} {k % 2}", "ratings": [{"rater": who, "score": given[3 * q + k]}
                                                        for who, given in BY.items()]} for k in range(3)]}
        for q in range(2)
    ]  # fmt: skip
    for content in (questions, {"questions": questions}):
        read = accord.read(write(tmp_path, content))
        assert (read.n_items, read.present) == (6, ("a1", "a2"))
        assert accord.alpha(read, distance="nominal", interval="none").value == pytest.approx(ALPHA)


def test_lists_per_label_with_judgments_inside_are_refused(tmp_path: Path) -> None:
    def explained(who: int) -> dict[str, Any]:
        return {"annotator": who, "reason": "r", "judgments": [{"annotator": b, "good": b > who} for b in range(3)]}

    rows = [{"id": k, "yes": [explained(0), explained(1)], "no": [explained(2)]} for k in range(8)]
    with raises("roles-unclear", "yes, no"):
        accord.read(write(tmp_path, rows))


def test_systems_between_items_and_annotators_are_part_of_the_item(tmp_path: Path) -> None:
    texts = {
        f"src{t}": {m: {"rater1": FIRST[3 * t + k], "rater2": SECOND[3 * t + k]}
                    for k, m in enumerate(("nmt", "pbmt", "gpt"))}
        for t in range(2)
    }  # fmt: skip
    texts |= {f"src{t + 2}": one for t, one in enumerate(texts.values())}  # twice the same labels
    read = accord.read(write(tmp_path, texts))
    assert read.n_items == 12
    # n = 24: D_o = 1/3 as before; D_e = 2·(12·8 + 12·4 + 8·4)/(24·23) = 352/552
    assert accord.alpha(read, distance="nominal", interval="none").value == pytest.approx(1 - 552 / (3 * 352))

"""Labels in nested JSON and packed cells, in the forms of published data sets. Each α is computed by hand or counted
from the labels: `ALPHA` is the nominal α of `LABELS`.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import accord

from ..refusals import raises
from .formats.common import labels, one, told, variables, written

# Items by annotator. Ana and Ben agree on 4 of 6 items. n = 12: 6 x, 4 y, 2 z.
# Observed disagreement 2·2/12 = 1/3; expected 2·(6·4 + 6·2 + 4·2)/(12·11) = 2/3: α = 1/2.
LABELS = {"s1": ("x", "x"), "s2": ("y", "y"), "s3": ("x", "z"), "s4": ("y", "y"), "s5": ("x", "x"), "s6": ("x", "z")}
ALPHA = 0.5
WHO = ("annotator_1", "annotator_2")
BY_ITEM = {item: dict(zip(WHO, given, strict=True)) for item, given in LABELS.items()}
BY_ANNOTATOR = {who: {item: given[k] for item, given in LABELS.items()} for k, who in enumerate(WHO)}
GOLD = dict.fromkeys(LABELS, "x")


def alphas(path: Path) -> dict[str, float]:
    return {name: accord.alpha(data).value for name, data in variables(path).items()}


def table(tmp_path: Path, rows: list[dict[str, Any]]) -> Path:
    path = tmp_path / "a.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def records(**fields: Any) -> list[dict[str, Any]]:
    """Return a record per item. A function gives the value of a field from the labels of the item."""
    return [
        {"id": item, **{name: value(given) if callable(value) else value for name, value in fields.items()}}
        for item, given in BY_ITEM.items()
    ]


def reviewed(item: str) -> dict[str, Any]:
    return {
        "response": "text",
        "reviews": [{"worker_id": who, "rating": label} for who, label in BY_ITEM[item].items()],
    }


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(records(annotations=lambda by: {**by, "gold": "z", "kappa": 0.3}), id="gold beside annotators"),
        pytest.param({**BY_ANNOTATOR, "gold": GOLD}, id="gold beside annotators outside"),
        pytest.param({"dataset": "d", "annotators": BY_ANNOTATOR}, id="levels inside metadata"),
        pytest.param({item: list(map(list, by.items())) for item, by in BY_ITEM.items()}, id="pairs by item"),
        pytest.param(records(labels=lambda by: list(map(list, by.items()))), id="pairs"),
        pytest.param({item: {who: [label] for who, label in by.items()} for item, by in BY_ITEM.items()}, id="sets"),
        pytest.param(
            [{"id": item, **{who: {"label": label} for who, label in by.items()}} for item, by in BY_ITEM.items()],
            id="an object per annotator",
        ),
        pytest.param(
            records(classes=lambda by: [{"class": c, "annotators": [w for w in WHO if by[w] == c]} for c in "xyz"]),
            id="annotators of each label",
        ),
        pytest.param(
            {"train": records(labels=dict)[:3], "test": records(labels=dict)[3:]}, id="the same records in two lists"
        ),
        pytest.param(
            [{"id": item, "human": {"tone": a}, "llm": {"tone": b}} for item, (a, b) in LABELS.items()],
            id="human beside llm",
        ),
        pytest.param(
            {
                "passage": "p1",
                "questions": {
                    doc: {system: {**reviewed(item), "overall": {"rating": 0.5}} for system, item in pair.items()}
                    for doc, pair in (
                        ("0", {"bart": "s1", "t5": "s2"}),
                        ("1", {"bart": "s3", "t5": "s4"}),
                        ("2", {"bart": "s5", "t5": "s6"}),
                    )
                },
            },
            id="reviews of systems in the questions of a single record",
        ),
        pytest.param(
            {
                who: [{"id": item, "text": f"about {item}", "label": by[who]} for item, by in BY_ITEM.items()]
                for who in WHO
            },
            id="a list of records per annotator",
        ),
        pytest.param(
            {
                "annotators": [{"id": who, "age": 30} for who in WHO],
                "annotations": [
                    {"item_id": item, "annotator_id": who, "label": label}
                    for item, by in BY_ITEM.items()
                    for who, label in by.items()
                ],
            },
            id="a list of annotators beside a list of labels",
        ),
        pytest.param(
            [
                {"doc": doc, "annotations": {who: {item: BY_ITEM[item][who] for item in items} for who in WHO}}
                for doc, items in (("a", ["s1", "s2"]), ("b", ["s3", "s4"]), ("c", ["s5", "s6"]))
            ],
            id="labels of the parts of a record",
        ),
        pytest.param(
            [
                {
                    "id": doc,
                    "scores": {system: BY_ITEM[item] for system, item in zip(("bart", "t5"), items, strict=True)},
                }
                for doc, items in (("a", ["s1", "s2"]), ("b", ["s3", "s4"]), ("c", ["s5", "s6"]))
            ],
            id="labels of the output of systems",
        ),
        pytest.param(
            [
                {"id": doc, "questions": {"0": {"bart": reviewed(a), "t5": reviewed(b)}}}
                for doc, a, b in (("a", "s1", "s2"), ("b", "s3", "s4"), ("c", "s5", "s6"))
            ],
            id="systems in questions",
        ),
    ],
)
def test_nested_labels_have_the_same_alpha_in_all_forms(tmp_path: Path, content: Any) -> None:
    found = alphas(one(tmp_path, "a.json", content))
    assert list(found.values()) == [pytest.approx(ALPHA)]


@pytest.mark.parametrize("annotator_level", [0, 1, 2])
def test_annotators_are_found_on_each_of_three_levels(tmp_path: Path, annotator_level: int) -> None:
    content: dict[str, Any] = {}
    for item, by in BY_ITEM.items():
        for who, label in by.items():
            for variable, given in (("tone", label), ("stance", "pro" if label == "x" else "con")):
                keys = [item, variable]
                keys.insert(annotator_level, who)
                content.setdefault(keys[0], {}).setdefault(keys[1], {})[keys[2]] = given
    # stance: 10 of 12 labels in agreement pairs: observed 2·2/12 = 1/3, expected 2·6·6/(12·11) = 6/11: α = 7/18
    assert alphas(one(tmp_path, "a.json", content)) == {"tone": pytest.approx(ALPHA), "stance": pytest.approx(7 / 18)}


@pytest.mark.parametrize(
    "cell",
    [
        "annotator_1:{0};annotator_2:{1}",
        "annotator_1={0}|annotator_2={1}",
        "[('annotator_1', '{0}'), ('annotator_2', '{1}')]",
        "OrderedDict([('annotator_1', '{0}'), ('annotator_2', '{1}')])",
    ],
)
def test_annotators_and_labels_in_cells(tmp_path: Path, cell: str) -> None:
    path = table(tmp_path, [{"id": item, "annotations": cell.format(*given)} for item, given in LABELS.items()])
    assert list(alphas(path).values()) == [pytest.approx(ALPHA)]


# Three labels per item: 4 items with x x y, 2 with y y y. n = 18: 8 x, 10 y.
# Observed 4·(2·1·2)/2/18 = 4/9; expected 2·8·10/(18·17) = 80/153: α = 1 - 68/80 = 0.15.
VOTES = [("x", "x", "y")] * 4 + [("y", "y", "y")] * 2


@pytest.mark.parametrize("cell", ["{0};{1};{2}", "{0}, {1}, {2}", "[{0}, {1}, {2}]", "['{0}', '{1}', '{2}', nan]"])
def test_votes_joined_in_cells(tmp_path: Path, cell: str) -> None:
    path = table(tmp_path, [{"id": k, "labels": cell.format(*votes)} for k, votes in enumerate(VOTES)])
    assert alphas(path) == {"labels": pytest.approx(0.15)}


def test_counter_in_cells(tmp_path: Path) -> None:
    cells = [f"Counter({ {c: votes.count(c) for c in 'xy' if c in votes} })" for votes in VOTES]
    path = table(tmp_path, [{"id": k, "label_counts": cell} for k, cell in enumerate(cells)])
    assert alphas(path) == {"label_counts": pytest.approx(0.15)}


def test_sets_in_cells_are_not_votes(tmp_path: Path) -> None:
    """A set has no label twice."""
    rows = [{"id": k, "labels": ";".join(sorted(set(votes) | {"z"}))} for k, votes in enumerate(VOTES)]
    with raises("roles-unclear"):
        accord.read(table(tmp_path, rows))


def test_answers_of_an_annotator_in_an_object_are_variables(tmp_path: Path) -> None:
    rows = [
        {"task_id": item, "worker_id": who, "answers": {"q1": label, "q2": "y"}, "started": "9:00"}
        for item, by in BY_ITEM.items()
        for who, label in by.items()
    ]
    assert alphas(one(tmp_path, "a.jsonl", rows))["q1"] == pytest.approx(ALPHA)


def test_several_labels_of_an_annotator_are_a_set_with_a_note(tmp_path: Path) -> None:
    given = [{"annotator": "ana", "label": "x"}, {"annotator": "ana", "label": "y"}, {"annotator": "ben", "label": "x"}]
    data = accord.read(one(tmp_path, "a.json", [{"id": k, "annotations": given} for k in range(3)]))
    assert any("3 times an annotator gives an item several labels" in note for note in data.notes)


def test_labels_without_annotator_are_left_out_with_a_note(tmp_path: Path) -> None:
    rows = [{"id": item, "annotators": [None, *WHO], "labels": ["z", *given]} for item, given in LABELS.items()]
    data = accord.read(one(tmp_path, "a.json", rows))
    assert data.annotators == WHO
    assert any("6 labels without the name of an annotator" in note for note in data.notes)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"label": [3, 2]}, None),
        ({"annotators": "ann1,ann2", "annotations": {}}, "nothing-annotated: \"annotations\" is empty"),
        ({"labels": {"1": 0.25, "2": 0.75}}, "annotators-needed: sum 1"),
        ({"judgments": {"order_ab": "A", "order_ba": "B"}}, "roles-unclear: both orders"),
        ({"judgments": {"original": {"label": "A"}, "swapped": {"label": "B"}}}, "roles-unclear: both orders"),
        ({"judge": ["gpt-4", "v2"], "g1_winner": "a", "g2_winner": "b"}, "roles-unclear: both orders"),
        ({"annotator_labels": ["x"]}, "annotators-needed: at most one label"),
    ],
)  # fmt: skip
def test_records_without_comparable_labels_are_refused(
    tmp_path: Path, fields: dict[str, Any], error: str | None
) -> None:
    rows = [{"id": k, **fields} for k in range(6)]
    if error is None:  # votes per category
        rows = [{"id": k, "label": [k % 6, 5 - k % 6]} for k in range(6)]
        error = "roles-unclear: same sum"
    with raises(error):
        accord.read(one(tmp_path, "a.json", rows))


def test_rankings_are_refused(tmp_path: Path) -> None:
    orders = (["a", "b", "c"], ["b", "a", "c"])
    rows = [{"id": k, "rankings": {who: orders[(k + n) % 2] for n, who in enumerate(WHO)}} for k in range(6)]
    with raises("roles-unclear: rankings"):
        accord.read(one(tmp_path, "a.json", rows))


def test_an_embedding_is_no_annotator(tmp_path: Path) -> None:
    rows = [{"id": k, "embedding": [0.1, 0.2], "label": "xy"[k % 2]} for k in range(6)]
    with raises("roles-unclear"):
        accord.read(one(tmp_path, "a.json", rows))


def test_extracts_of_zooniverse_are_read(tmp_path: Path) -> None:
    rows = [
        {"classification_id": f"{item}{who}", "user_name": who, "task": "T0", "subject_id": item,
         "extractor": "question_extractor", "data.aggregation_version": "4.1",
         **{f"data.{c}": "1.0" if label == c else "" for c in "xyz"}}
        for item, by in BY_ITEM.items()
        for who, label in by.items()
    ]  # fmt: skip
    assert alphas(table(tmp_path, rows)) == {"T0": pytest.approx(ALPHA)}


def test_reductions_of_zooniverse_are_votes(tmp_path: Path) -> None:
    rows = [
        {"subject_id": k, "task": "T0", "reducer": "question_reducer", **{f"data.{c}": votes.count(c) for c in "xy"}}
        for k, votes in enumerate(VOTES)
    ]
    assert alphas(table(tmp_path, rows)) == {"T0": pytest.approx(0.15)}


def test_shapes_drawn_in_zooniverse_are_refused(tmp_path: Path) -> None:
    rows = [
        {"subject_id": k, "task": "T0", "reducer": "polygon_reducer", "data.frame0.T0_toolIndex0_pathX": "[1.0, 2.0]"}
        for k in range(6)
    ]
    with raises("export-not-usable"):
        accord.read(table(tmp_path, rows))


def test_total_beside_counts_is_no_category(tmp_path: Path) -> None:
    rows = [{"id": k, "votes": {"x": v.count("x"), "y": v.count("y"), "total": 3}} for k, v in enumerate(VOTES)]
    assert alphas(one(tmp_path, "a.json", rows)) == {"votes": pytest.approx(0.15)}


def test_results_of_systems_are_refused(tmp_path: Path) -> None:
    results = {system: {"arc": 0.1 * k + 0.05, "mmlu": 0.1 * k + 0.07} for k, system in enumerate(("gpt-4", "llama"))}
    with raises("roles-unclear: results of systems"):
        accord.read(one(tmp_path, "a.json", results))


def test_texts_with_signs_do_not_hide_the_labels(tmp_path: Path) -> None:
    rows = [
        {"item": item, "annotator": who, "label": label, "response": "x=1;y=2"}
        for item, by in BY_ITEM.items()
        for who, label in by.items()
    ]
    assert alphas(table(tmp_path, rows))["label"] == pytest.approx(ALPHA)
    wide = [{"item": item, **by, "score": "a:1;b:2"} for item, by in BY_ITEM.items()]
    assert list(alphas(table(tmp_path, wide)).values()) == [pytest.approx(ALPHA)]


# -- Words and numbers beside each other --

_STANCES = {"ana": "aabbccaabbcc", "ben": "aabbcbaabbca", "cho": "abbbccaaabcc"}
_SCORES = {"ana": "112233112233", "ben": "112231112233", "cho": "122233113233"}


def _given(first: str, second: str, **beside: Any) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the labels of two variables by item and annotator. A function gives a value beside them."""
    return {
        f"d{k}": {
            who: {
                first: _STANCES[who][k],
                second: int(_SCORES[who][k]),
                **{name: value(who, k) for name, value in beside.items()},
            }
            for who in _STANCES
        }
        for k in range(12)
    }


def _in_lists(by_item: dict[str, dict[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"id": item, "annotations": [{"annotator": who, **given} for who, given in by.items()]}
        for item, by in by_item.items()
    ]


def _by_annotator(by_item: dict[str, dict[str, dict[str, Any]]]) -> dict[str, dict[str, dict[str, Any]]]:
    return {who: {item: by[who] for item, by in by_item.items()} for who in _STANCES}


def _side_by_side(by_item: dict[str, dict[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    names = list(by_item["d0"]["ana"])
    return [
        {"id": item, "annotators": list(by), **{name: [given[name] for given in by.values()] for name in names}}
        for item, by in by_item.items()
    ]


@pytest.mark.parametrize("form", [dict, _by_annotator, _in_lists, _side_by_side])
@pytest.mark.parametrize(
    ("first", "second"),
    [("stance", "score"), ("stance", "rating"), ("sentiment", "intensity"), ("category", "score")],
)
def test_words_and_numbers_are_two_variables(tmp_path: Path, form: Any, first: str, second: str) -> None:
    """One of the names means labels, and the other does not."""
    found = variables(written(tmp_path, {"t.json": form(_given(first, second))}) / "t.json")
    assert set(found) == {first, second}
    for name, wanted in ((first, _STANCES), (second, _SCORES)):
        given = {at: str(label) for at, label in labels(found[name]).items()}
        assert given == {(f"d{k}", who): wanted[who][k] for who in _STANCES for k in range(12)}


@pytest.mark.parametrize("form", [dict, _in_lists])
def test_descriptions_beside_labels_are_no_variables(tmp_path: Path, form: Any) -> None:
    """A trait of annotators, a property of items and the state of an answer are named, but not scored."""
    content = form(
        _given(
            "stance",
            "score",
            confidence=lambda who, k: (len(who) + k) % 3,
            seconds=lambda who, k: ord(who[0]) % 7 + k % 2,
            comment=lambda who, k: who[0] * (k % 2),
            status=lambda who, k: "late" if k % 5 == 0 and who == "ben" else "done",
            team=lambda who, _: "south" if who == "ben" else "north",
            genre_of_item=lambda _, k: "tuv"[k % 3],
        )
    )
    found = variables(written(tmp_path, {"t.json": content}) / "t.json")
    assert set(found) == {"stance", "score"}
    assert told(found["stance"], "columns not scored: status, team, genre_of_item")

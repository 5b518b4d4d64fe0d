"""Public functions accept data in every form and of every kind they apply to, and refuse wrong options alike."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import accord
from accord.data.model.ratings import Feature

from ..cases import for_each
from ..refusals import raises

LABELS = {
    "item": [f"i{k}" for k in range(12) for _ in range(3)],
    "annotator": ["A", "B", "C"] * 12,
    "label": [str((k + (k % 5 == a)) % 3) for k in range(12) for a in range(3)],
}
SPANS = {
    "doc": [f"d{d}" for d in range(3) for _ in range(3) for _ in range(3)],
    "annotator": [who for _ in range(3) for who in "ABC" for _ in range(3)],
    "start": [10 * k + a for _ in range(3) for a in range(3) for k in range(3)],
    "end": [10 * k + 6 for _ in range(3) for a in range(3) for k in range(3)],
    "label": ["xy"[(k + (a == d)) % 2] for d in range(3) for a in range(3) for k in range(3)],
}
MASSES = {
    "doc": ["d1", "d1", "d1", "d2", "d2", "d2"],
    "annotator": ["A", "B", "C"] * 2,
    "masses": ["3 4 5", "3 3 6", "7 5", "4 4 4", "4 8", "4 4 4"],
}
WORDS = {
    "doc": ["d1", "d1", "d1", "d2", "d2", "d2"],
    "annotator": ["A", "B", "C"] * 2,
    "text": ["a cat sat down", "a cat sits down", "the cat sat down", "so it goes", "so it went", "so it goes"],
}
MENTIONS = {
    "doc": [f"d{d}" for d in range(3) for _ in range(3) for _ in range(4)],
    "annotator": [who for _ in range(3) for who in "ABC" for _ in range(4)],
    "start": [10 * k + (k == 3 and a == 1) for _ in range(3) for a in range(3) for k in range(4)],
    "end": [10 * k + 6 for _ in range(9) for k in range(4)],
    "chain": ["xy"[(k + (a == d == k)) % 2] for d in range(3) for a in range(3) for k in range(4)],
}
TWICE = {"item": ["i1", "i1", "i2", "i2"] * 2, "annotator": ["A"] * 4 + ["B"] * 4, "label": list("xxyyxyyy")}
KINDS = {"items": LABELS, "units": SPANS, "segmentations": MASSES, "texts": WORDS, "chains": MENTIONS}
FAST = {
    "items": "alpha",
    "units": "f1",
    "segmentations": "boundary_similarity",
    "texts": "text_gamma(samples=2,precision=0.9)",
    "chains": "conll",
}
ERROR = {"items": "category", "units": "shift", "segmentations": "shift", "texts": "token", "chains": "category"}


def in_rounds(data: Any) -> accord.Ratings:
    """Return ratings in which every other item belongs to round 2."""
    read = data if isinstance(data, accord.Ratings) else accord.read(data)
    assert isinstance(read, accord.Ratings)
    return replace(read, features={"round": Feature(read.item % 2, ("1", "2"))})


Call = Callable[..., Any]
# Calls of functions for data of a kind; `how` are options of reading and options under test.
ASKED: dict[str, Callable[[str], Call]] = {
    "cite": lambda kind: lambda data, **how: accord.cite(data, FAST[kind], **how),
    "advise": lambda kind: accord.advise,  # noqa: ARG005 - of any kind
    "score": lambda kind: lambda data, **how: accord.score(data, FAST[kind], **how),
    "compare": lambda kind: lambda data, **how: accord.compare(data, data, FAST[kind], replicates=100, **how),
    "compare_all": lambda kind: (
        lambda data, **how: accord.compare_all({"a": data, "b": data}, [FAST[kind]], replicates=100, **how)
    ),
    "compare_groups": lambda kind: (
        lambda data, **how: accord.compare_groups(
            data, {"one": ["A", "B"], "two": ["C"]}, FAST[kind], replicates=100, **how
        )
    ),
    "influence": lambda kind: lambda data, **how: accord.influence(data, FAST[kind], replicates=100, **how),
    "check": lambda kind: (
        lambda data, **how: accord.check(
            data, {"alpha(distance=nominal)" if kind == "items" else FAST[kind]: 0.1}, replicates=100, **how
        )
    ),
    "sample_size": lambda kind: (
        lambda data, **how: accord.sample_size(FAST[kind], width=0.3, pilot=data, simulations=0, **how)
    ),
    "meaning": lambda kind: (
        lambda data, **how: accord.meaning(data, FAST[kind], errors=[ERROR[kind]], step=1.0, sets=2, **how)
    ),
    "shuffle": lambda kind: lambda data, **how: accord.shuffle(data, ERROR[kind], magnitude=0.2, **how),
    "xray": lambda kind: lambda data, **how: accord.xray(data, ERROR[kind], [FAST[kind]], step=1.0, sets=1, **how),
}
SIMULATED = {"meaning", "shuffle", "xray"}  # these cannot simulate annotators of chains
ON_ONE = {"shuffle", "xray"}  # these need the data of one annotator as reference
OTHERS: dict[str, tuple[str, Call]] = {
    "align": ("units", accord.align),
    "marginals": ("items", accord.marginals),
    "bland_altman": ("items", lambda data, **how: accord.bland_altman(data, "A", "B", **how)),
    "icc_forms": ("items", accord.icc_forms),
    "limits": ("items", lambda data, **how: accord.limits(data, **{"annotators": ["A", "B"], **how})),
    "plan": ("items", lambda data, **how: accord.plan(data, "alpha", width=0.5, simulations=0, **how)),
    "plot": ("items", lambda data, **how: accord.plot(data, kind="forest", measure="alpha", **how)),
    "crossing": ("items", lambda data, **how: accord.crossing(data, designs=3, **how)),
    "side_by_side": ("texts", lambda data, **how: accord.side_by_side(data, "d1", "A", "B", **how)),
    "convert": ("items", lambda data, **how: accord.convert(data, Path(tempfile.mkdtemp()) / "out.csv", **how)),
    "gold": ("items", accord.gold),
    "disagreements": ("items", accord.disagreements),
    "replace": ("items", lambda data, **how: accord.replace(data, "C", least_items=5, **how)),
    "replacement_size": (
        "items",
        lambda data, **how: accord.replacement_size("C", pilot=data, epsilon=0.9, least_items=5, simulations=0, **how),
    ),
    "annotators": ("items", accord.annotators),
    "trend": ("items", lambda data, **how: accord.trend(in_rounds(data), "round", **how)),
    "report": ("items", lambda data, **how: accord.report(data, None, "alpha", **how)),
    "read": ("items", accord.read),
    "read_all": ("items", accord.read_all),
    "map": ("items", accord.map),
}
OF_TABLES = {"read", "read_all", "map"}  # they do not take data that were read
NO_DATA = {
    "cluster",
    "checkpoint",
    "generate",
    "layout",
    "measure",
    "dissimilarity",
    "as_units",
    "as_segmentations",
    "intra",
}


def one_annotator(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    kept = [k for k, who in enumerate(table["annotator"]) if who == "A"]
    return {name: [column[k] for k in kept] for name, column in table.items()}


def forms(table: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    """Return the same data as a path, a string, a folder, a data frame, a dict and the result of `read`."""
    frame = pd.DataFrame(table)
    folder.mkdir()
    path = folder / "table.csv"
    frame.to_csv(path, index=False)
    return {
        "path": path,
        "text": str(path),
        "folder": folder,
        "frame": frame,
        "dict": table,
        "read": accord.read(table),
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ASKED)
def test_every_form_of_data_gives_the_same_answer(name: str, kind: str, tmp_path: Path) -> None:
    table = one_annotator(KINDS[kind]) if name in ON_ONE else KINDS[kind]
    call = ASKED[name](kind)
    if kind == "chains" and name in SIMULATED:
        with raises("measure-for-other-data"):
            call(table)
        return
    found = {form: call(data) for form, data in forms(table, tmp_path / "data").items()}
    shown = {form: str(getattr(answer, "digest", answer)) for form, answer in found.items()}
    assert len({text.replace(str(tmp_path), "") for text in shown.values()}) == 1, shown


@pytest.mark.parametrize("name", OTHERS)
def test_functions_for_one_kind_take_every_form_of_data(name: str, tmp_path: Path) -> None:
    kind, call = OTHERS[name]
    for form, data in forms(KINDS[kind], tmp_path / "data").items():
        if not (name in OF_TABLES and form == "read"):
            assert call(data) is not None, form


def test_folder_of_plain_texts_is_read_as_texts(tmp_path: Path) -> None:
    """The folder contains only .txt files, so accord needs no option."""
    for doc, who, text in zip(*WORDS.values(), strict=True):
        (tmp_path / who).mkdir(exist_ok=True)
        (tmp_path / who / f"{doc}.txt").write_text(text, encoding="utf-8")
    assert accord.read(tmp_path).digest == accord.read(WORDS).digest
    assert accord.score(tmp_path)[0].measure == "text_gamma"
    asked = {"replicates": 100, "seed": 1}
    assert str(accord.influence(tmp_path, FAST["texts"], **asked)) == str(
        accord.influence(WORDS, FAST["texts"], **asked)
    )
    assert accord.compare(tmp_path, tmp_path, FAST["texts"], **asked).difference == 0


@pytest.mark.parametrize("name", [*ASKED, *OTHERS])
def test_misspelt_options_are_refused_with_a_suggestion(name: str) -> None:
    kind, call = OTHERS[name] if name in OTHERS else ("items", ASKED[name]("items"))
    table = one_annotator(KINDS[kind]) if name in ON_ONE else KINDS[kind]
    with raises("unknown-name"):
        call(table, anotator="annotator")
    if name not in OF_TABLES:
        with raises("unknown-name"):
            call(accord.read(table), anotator="annotator")


MISSPELT = {
    "compare": "pairred",
    "influence": "levl",
    "check": "usee",
    "crossing": "desings",
    "meaning": "stepp",
    "xray": "setts",
}


@pytest.mark.parametrize(("name", "option"), MISSPELT.items())
def test_misspelt_option_of_the_function_is_named_once(name: str, option: str) -> None:
    with raises("unknown-name") as caught:
        called(name, **{option: 1})
    assert str(caught.value).count(option) == 1


def test_options_that_need_a_pilot_are_refused_without_one() -> None:
    with raises("unknown-name", '"value"'):
        accord.sample_size("alpha", difference=0.1, vlaue=0.3)
    with raises("option-conflict"):
        accord.sample_size("alpha", width=0.3, pilot=LABELS, annotators=3)
    with raises("option-value"):
        accord.sample_size("alpha", width=0.3, pilot=LABELS, annotators=["A", "B"])
    with raises("option-conflict"):
        accord.sample_size("alpha", width=0.3, correlation=0.5)
    with raises("option-conflict"):
        accord.sample_size("alpha", difference=0.1, missing=["NA"])


def test_names_separated_by_commas_equal_a_list_of_names() -> None:
    assert accord.read(pd.DataFrame(LABELS).to_dict("records")).digest == accord.read(LABELS).digest
    asked = {"of": "annotator", "replicates": 100}
    both = accord.influence(LABELS, annotators="A,B", **asked), accord.influence(LABELS, annotators=["A", "B"], **asked)
    assert both[0].to_dict() == both[1].to_dict()
    two = accord.compare(LABELS, annotators_a="A,B", annotators_b="B,C")
    assert two.to_dict() == accord.compare(LABELS, annotators_a=["A", "B"], annotators_b=["B", "C"]).to_dict()


def test_values_of_wrong_types_are_refused() -> None:
    for wrong in (3, None, b"alpha", accord.alpha):
        with raises("spec-syntax"):
            accord.measure(wrong)  # type: ignore[arg-type]
    for wrong in ({"level": "0.9"}, {"replicates": 150.5}, {"items_population": "x"}, {"interval": 3}):
        with pytest.raises(accord.SpecError):
            accord.alpha(LABELS, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*ASKED, *(name for name in OTHERS if name not in OF_TABLES)])
def test_reading_options_are_refused_for_data_already_read(name: str) -> None:
    kind, call = OTHERS[name] if name in OTHERS else ("items", ASKED[name]("items"))
    data = accord.read(one_annotator(KINDS[kind]) if name in ON_ONE else KINDS[kind])
    with raises("option-not-for-data"):
        call(data, missing=["x"])


def takes(call: Any, option: str) -> bool:
    return option in inspect.signature(call).parameters


PUBLIC = {
    name: getattr(accord, name)
    for name in dir(accord)
    if inspect.isfunction(getattr(accord, name)) and name not in NO_DATA
}
MEASURES = {cls.name: cls.data for cls in accord.MEASURES}


def called(name: str, **how: Any) -> Any:
    """Call a public function with data of its kind."""
    if name in MEASURES:
        return PUBLIC[name](KINDS[MEASURES[name]], **how)
    kind, call = OTHERS[name] if name in OTHERS else ("items", ASKED[name]("items"))
    return call(one_annotator(KINDS[kind]) if name in ON_ONE else KINDS[kind], **how)


def test_every_public_function_is_in_this_module() -> None:
    assert set(PUBLIC) == {*ASKED, *OTHERS, *MEASURES}


@pytest.mark.parametrize("name", [name for name, call in PUBLIC.items() if takes(call, "seed")])
@for_each("seed", [-1, 1.5, True, "one"])
def test_seeds_must_be_whole_numbers_from_0(name: str, seed: Any) -> None:
    with raises("option-value"):
        called(name, seed=seed)


@pytest.mark.parametrize("name", [name for name, call in PUBLIC.items() if takes(call, "jobs")])
@for_each("jobs", [0, -2, 1.5, True])
def test_jobs_must_be_at_least_1(name: str, jobs: Any) -> None:
    with raises("option-value"):
        called(name, jobs=jobs)


@for_each("seed", [-1, 0.5])
def test_functions_without_data_check_seeds(seed: Any) -> None:
    for call in (lambda: accord.generate(units=3, seed=seed), lambda: accord.layout(4, 2, seed=seed)):
        with raises("option-value"):
            call()
    with raises("option-value"):
        accord.intra(TWICE, seed=seed)


def test_intra_takes_every_form_of_data(tmp_path: Path) -> None:
    given = forms({**TWICE, "item": [f"{item}{k}" for k, item in enumerate(TWICE["item"])]}, tmp_path / "none")
    with raises("nothing-shared"):
        accord.intra(given["dict"])
    frame = pd.DataFrame(TWICE)
    (tmp_path / "twice").mkdir()
    frame.to_csv(tmp_path / "twice" / "table.csv", index=False)
    found = [accord.intra(data) for data in (TWICE, frame, tmp_path / "twice", tmp_path / "twice" / "table.csv")]
    assert len({str(one) for one in found}) == 1

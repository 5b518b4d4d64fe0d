"""Every public function refuses arguments of a wrong type in one line, without internal exceptions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.core.typed import fits
from accord.data.io import Reading
from accord.measures.catalogue import MEASURES

from ..cases import for_each
from ..refusals import raises

TABLE = {"item": [1, 2, 3, 4, 5, 6], "A": [1, 2, 3, 1, 2, 2], "B": [1, 2, 3, 2, 2, 1], "C": [1, 2, 2, 1, 2, 2]}
TWICE = {"item": [1, 2, 1, 2], "annotator": ["A"] * 4, "label": list("aabb"), "trial": [1, 1, 2, 2]}
ITEMS = accord.read(TABLE)
UNITS = accord.read(
    {"annotator": list("AABB"), "start": [0, 40, 5, 40], "end": [20, 60, 20, 70], "label": list("abab")}
)
ROUNDS = accord.read({**{name: 2 * column for name, column in TABLE.items()}, "round": [1] * 6 + [2] * 6}, by="round")
SEGMENTS = accord.Segmentations.from_boundaries({"A": [3, 5], "B": [4, 5]}, 9)
CHAINS = accord.read({"annotator": list("AABB"), "start": [0, 4, 0, 4], "end": [2, 6, 2, 6], "chain": list("xxxy")})
TEXTS = accord.read(
    {"doc": ["d", "d"], "annotator": ["A", "B"], "text": ["the cat sat", "the cat sits"]}, layout="texts"
)
DATA = {"items": ITEMS, "units": UNITS, "segmentations": SEGMENTS, "chains": CHAINS, "texts": TEXTS}
FEW = {"replicates": 100}
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    **{cls.name: ((DATA[cls.data],), {"interval": "none"}) for cls in MEASURES},
    "advise": ((ITEMS,), {}),
    "align": ((UNITS,), {}),
    "annotators": ((ITEMS,), {}),
    "as_segmentations": ((UNITS,), {}),
    "as_units": ((SEGMENTS,), {}),
    "bland_altman": ((ITEMS, "A", "B"), {}),
    "check": ((ITEMS, {"alpha": 0.5}), FEW),
    "checkpoint": (("kept",), {}),
    "cite": ((ITEMS, "alpha"), {}),
    "cluster": (("local:1",), {}),
    "compare": ((ITEMS, TABLE), FEW),
    "compare_all": (({"x": ITEMS, "y": ITEMS},), FEW),
    "compare_groups": ((ITEMS, {"x": ["A"], "y": ["B", "C"]}), FEW),
    "convert": ((ITEMS, "out.csv"), {}),
    "crossing": ((ITEMS,), {"designs": 5}),
    "disagreements": ((ITEMS,), {}),
    "dissimilarity": ((lambda one, other: one.start - other.start,), {}),
    "generate": ((), {}),
    "gold": ((ITEMS,), {}),
    "icc_forms": ((ITEMS,), {}),
    "influence": ((ITEMS,), FEW),
    "intra": ((TWICE,), {}),
    "layout": ((4, 3), {}),
    "limits": ((ITEMS,), {"annotators": ["A", "B"]}),
    "marginals": ((ITEMS,), {}),
    "meaning": ((ITEMS,), {"sets": 2, "step": 0.5, "jobs": 1}),
    "measure": (("alpha",), {}),
    "plan": ((), {"measure": "kappa", "width": 0.5, "simulations": 20, "jobs": 1}),
    "plot": ((ITEMS,), {"kind": "confusion", "jobs": 1}),
    "read": ((TABLE,), {}),
    "read_all": ((TABLE,), {}),
    "map": ((TABLE,), {}),
    "replace": ((ITEMS, ["C"]), {"min_items": 2}),
    "report": ((ITEMS,), {"measure": "alpha", "interval": "none", "jobs": 1}),
    "replacement_size": (("C",), {"pilot": ITEMS, "simulations": 20}),
    "sample_size": (("kappa",), {"width": 0.5, "simulations": 20, "jobs": 1}),
    "score": ((ITEMS, "alpha"), {}),
    "shuffle": ((UNITS,), {}),
    "trend": ((ROUNDS, "round"), {}),
    "side_by_side": ((TEXTS, "d", "A", "B"), {}),
    "xray": ((UNITS, "shift", ["f1"]), {"sets": 2, "step": 0.5, "annotators": 2, "jobs": 1}),
}
WRONG = (object(), "x", 1.5, True, [], {"a": 1}, (1, 2, 3), b"x", -1, float("nan"), [["x"]])
CALLERS = {"progress"}  # exceptions in a function of the user are not accord's


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write files to a temporary folder."""
    monkeypatch.chdir(tmp_path)


def test_every_public_function_has_a_call_in_this_module() -> None:
    public = {name for name in dir(accord) if inspect.isfunction(getattr(accord, name))}
    assert public == set(CALLS)


def options(name: str, args: tuple[Any, ...]) -> list[str]:
    parameters = inspect.signature(getattr(accord, name)).parameters.values()
    own = [p.name for p in parameters if p.kind in {p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD}][len(args) :]
    of_reading = [field.name for field in fields(Reading)] if name.startswith("read") else []
    return [option for option in (*own, *of_reading) if option not in CALLERS]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", CALLS)
def test_wrong_types_are_accepted_or_refused_in_one_line(name: str) -> None:
    args, usual = CALLS[name]
    function = getattr(accord, name)
    for wrong in WRONG:
        calls = [(args, {**usual, option: wrong}) for option in options(name, args)]
        calls += [((*args[:k], wrong, *args[k + 1 :]), usual) for k in range(len(args))]
        for given, named in calls:
            try:
                function(*given, **named)
            except accord.AccordError as error:
                assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: accord.compare(ITEMS, TABLE, names=("a", "b", "c")), "option-value"),
        (lambda: accord.crossing(ITEMS, designs="x"), 'option-value: "x"'),
        (lambda: accord.crossing(ITEMS, designs=1), "option-value"),
        (lambda: accord.sample_size("kappa", width="x"), 'option-value: "x"'),
        (lambda: accord.sample_size("kappa", width=0.1, shares=["a"]), "option-value"),
        (lambda: accord.read(TABLE, encoding=3), 'option-value: "3"'),
        (lambda: accord.read(TABLE, categories=[["a"]]), "option-value"),
        (lambda: accord.influence(ITEMS, by=3), "option-value"),
        (lambda: accord.score(ITEMS, "alpha", null="x"), "option-value"),
        (lambda: accord.as_units(3), "option-value"),
    ],
)
def test_wrong_arguments_have_exact_messages(call: Any, words: str) -> None:
    with raises(words):
        call()


@for_each(
    ("value", "kind", "wanted"),
    [
        (1, float, True), (True, int, False), (1.0, int, False), ("a", str | None, True), (None, str | None, True),
        (3, str | None, False), ([1, 2.5], Sequence[float], True), (["1"], Sequence[float], False),
        ("12", Sequence[float], False), (["a", 1], Sequence[str], True), (3, Sequence[str], False),
        ({"a": ["b"]}, Mapping[str, Sequence[str]], True), ({"a": 1}, Mapping[str, Sequence[str]], False),
        (("a", "b"), tuple[str, str], True), (("a",), tuple[str, str], False), (object(), Any, True),
    ],
)  # fmt: skip
def test_fits_checks_values_against_annotations(value: Any, kind: Any, wanted: bool) -> None:
    assert fits(value, kind) is wanted

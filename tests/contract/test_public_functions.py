"""Functions in Python: one for each measure, and `score` for one, several or the usual measures."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
import pydoc
import re
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score

import accord
from accord.core.manual import bullets, page
from accord.core.spec import Named
from accord.data.door import OPTIONS as READING
from accord.data.io import Reading
from accord.data.kinds import ITEMS
from accord.doors.functions.making import SCORING
from accord.measures.catalogue import MEASURES, ON_ITEMS, ON_SCALES
from accord.measures.measure import Measure

from ..cases import for_each
from ..refusals import raises

EVERY = for_each("cls", MEASURES)
COLUMNS = pytest.mark.parametrize("cls", [*ON_ITEMS, *ON_SCALES], ids=lambda cls: cls.name)
FIRST = [1, 2, 3, 3, 2, 1, 4, 4, 2, 1, 3, 2]
SECOND = [1, 2, 3, 2, 2, 1, 4, 3, 2, 2, 3, 1]
ROWS = [list(pair) for pair in zip(FIRST, SECOND, strict=True)]
SPANS = {"annotator": ["A", "A", "B", "B"], "start": [0, 40, 5, 40], "end": [20, 60, 20, 70], "label": list("abab")}


def function_of(cls: type[Measure]) -> Callable[..., accord.Score]:
    return getattr(accord, cls.name)


def parameters(cls: type[Measure]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function_of(cls)).parameters)


# -- signatures and help -------------------------------------------------------------------------------------------


@EVERY
def test_signature_has_the_options_with_their_defaults(cls: type[Measure]) -> None:
    found = parameters(cls)
    own = dataclasses.fields(cls)
    columns = ["second"] if cls in (*ON_ITEMS, *ON_SCALES) else []
    assert list(found) == ["data", *columns, *(f.name for f in own), *SCORING, "reading"]
    for field in own:
        assert found[field.name].default == field.default
        assert found[field.name].kind is inspect.Parameter.KEYWORD_ONLY
    assert found["reading"].kind is inspect.Parameter.VAR_KEYWORD
    assert (found["seed"].default, found["level"].default, found["interval"].default) == (0, 0.95, "default")


@EVERY
def test_class_attributes_of_measures_are_not_options(cls: type[Measure]) -> None:
    inner = {name for kind in cls.__mro__ if issubclass(kind, Named) for name in vars(kind).get("__annotations__", {})}
    inner -= {field.name for field in dataclasses.fields(cls)}
    assert {"title", "source", "lowest", "unnamed"} <= inner
    assert not inner & set(parameters(cls)) - {"data"}  # the ClassVar "data" is the kind, the parameter is the data
    with pytest.raises(accord.UnknownName):
        function_of(cls)(ROWS, title="another")


@EVERY
def test_names_of_options_are_unique(cls: type[Measure]) -> None:
    names = [*(field.name for field in dataclasses.fields(cls)), *SCORING, *(n for n in READING if n != "by")]
    assert len(set(names)) == len(names)


@EVERY
def test_type_hints_can_be_resolved(cls: type[Measure]) -> None:
    hints = typing.get_type_hints(function_of(cls))
    assert hints["return"] is accord.Score
    assert set(hints) == {*parameters(cls), "return"}


def documented(function: Callable[..., Any]) -> dict[str, str]:
    """Return the documented parameters of a function by name."""
    text = (function.__doc__ or "").split("Parameters\n----------\n")[1].split("\n\n")[0]
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    return {e.split(" :")[0].split("\n")[0]: " ".join(e.split("\n", 1)[1].split()) for e in entries if e.strip()}


@EVERY
def test_docstring_documents_every_parameter(cls: type[Measure]) -> None:
    entries = documented(function_of(cls))
    assert list(entries) == [*(name for name in parameters(cls) if name != "reading"), "**reading"]
    assert all(len(text) > 10 for text in entries.values())
    for name, text in page(cls.name).options.items():  # the same text as the page
        assert entries[name] == text


@EVERY
def test_help_shows_signature_and_source(cls: type[Measure]) -> None:
    text = pydoc.plain(pydoc.render_doc(function_of(cls)))
    assert f"{cls.name}(data: Any" in text
    assert "0x" not in text  # no objects in the signature
    assert cls.source in " ".join(text.split())


@EVERY
def test_function_is_found_in_its_module(cls: type[Measure]) -> None:
    function = function_of(cls)
    assert (function.__module__, function.__qualname__) == ("accord", cls.name)
    assert pickle.loads(pickle.dumps(function)) is function  # noqa: S301


@EVERY
def test_misspelt_option_is_refused_with_a_suggestion(cls: type[Measure]) -> None:
    own = [field.name for field in dataclasses.fields(cls)]
    for name in (*own, "interval", "replicates", "categories", "delimiter"):
        with raises("unknown-name", f'did you mean "{name}"?'):
            function_of(cls)(ROWS, **{f"{name}x": 1})


def test_pages_describe_only_options_of_their_measures() -> None:
    for cls in MEASURES:
        found = page(cls.name)
        assert found.summary
        assert set(found.options) <= {field.name for field in dataclasses.fields(cls)}


def test_bullets_can_span_several_lines() -> None:
    text = "- `one`: first\n  and more.\n\n- `two`: second.\nAnd text.\n  Not of it.\n"
    assert bullets(text) == {"one": "first and more.", "two": "second."}
    assert bullets("It has none.") == {}


def test_option_of_a_measure_is_refused_outside_the_spec() -> None:
    with raises("measure-option"):
        accord.score(ROWS, "alpha", distance="ordinal")
    with raises("unknown-name", '"missing"'):
        accord.score(ROWS, "alpha", mising="NA")
    with raises("measure-option"):
        accord.score(ROWS, ["kappa", "lin"], weights="linear")
    assert set(READING) == {field.name for field in dataclasses.fields(Reading)} | {"extents"}


@EVERY
def test_bad_seeds_and_jobs_are_refused(cls: type[Measure]) -> None:
    for wrong in ({"seed": -1}, {"seed": True}, {"seed": 0.5}, {"jobs": 0}):
        with pytest.raises(accord.SpecError):
            function_of(cls)(ROWS, **wrong)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([True, False], [1, 0], "invalid-label"),
        ([1, 2], ["1", "2"], "invalid-label"),
        (pd.Series([1, 2]), np.array(["a", "b"]), "invalid-label"),
    ],
)
def test_columns_of_different_types_are_refused(first: Any, second: Any, words: str) -> None:
    with raises(words):
        accord.kappa(first, second)


def test_equal_labels_of_different_types_agree() -> None:
    assert accord.percent([True, False], ["True", "False"]).value == 1
    assert accord.percent([1, 2], [1.0, 2.0]).value == 1
    assert accord.percent([1, None, 2], [1.0, 2.0, 2.0]).value == 1
    with raises("invalid-label"):
        accord.alpha([[1, "1"], [2, 2]])


def test_header_row_among_labels_is_refused() -> None:
    rows = [["item", "Ana", "Ben"], ["1", "a", "b"], ["2", "a", "a"]]
    with raises("header-row", '"item"'):
        accord.score(rows)
    assert accord.percent([["item", "unit"], ["item", "item"]]).value == 0.5  # valid labels


# -- score ---------------------------------------------------------------------------------------------------------


def test_score_without_a_measure_uses_the_usual_ones() -> None:
    scores = accord.score([[f"c{label}" for label in row] for row in ROWS])
    assert isinstance(scores, accord.Scores)
    assert [score.measure for score in scores] == list(ITEMS.usual)
    assumed = [score.measure for score in accord.score(ROWS)]
    assert assumed[:3] == [f"alpha(distance={level})" for level in ("nominal", "ordinal", "interval")]
    assert [score.measure for score in accord.score(SPANS, interval="none")] == ["gamma", "gamma_cat"]


def test_score_of_several_measures() -> None:
    scores = accord.score(ROWS, ["alpha(distance=ordinal)", accord.measure("kappa")], seed=3)
    assert scores["kappa"] == accord.kappa(ROWS, seed=3)
    assert scores["alpha(distance=ordinal)"] == scores[0] == accord.alpha(ROWS, distance="ordinal", seed=3)
    assert len(scores) == 2
    assert len(accord.score(ROWS, ("alpha",))) == 1
    with raises("option-value"):
        accord.score(ROWS, [])


def test_score_of_one_measure_is_a_score() -> None:
    assert isinstance(accord.score(ROWS, "alpha"), accord.Score)
    assert accord.score(ROWS, accord.measure("alpha")) == accord.alpha(ROWS)


# -- two columns ---------------------------------------------------------------------------------------------------


@COLUMNS
def test_two_columns_equal_a_table_of_two(cls: type[Measure]) -> None:
    whole = function_of(cls)(ROWS)
    kinds = (list, tuple, np.array, pd.Series, pl.Series, lambda x: pd.Series(x, index=range(5, 5 + len(x))))
    for made in kinds:
        assert function_of(cls)(made(FIRST), made(SECOND)) == whole
    assert function_of(cls)(np.array(FIRST), SECOND).value == whole.value
    assert function_of(cls)(FIRST, second=pd.Series(SECOND)).value == whole.value


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_of_two_columns_equals_scikit_learn(weights: str | None) -> None:
    expected = cohen_kappa_score(FIRST, SECOND, weights=weights)
    assert accord.kappa(FIRST, SECOND, weights=weights).value == pytest.approx(expected)
    counts = pd.crosstab(pd.Series(FIRST), pd.Series(SECOND)).to_numpy()
    table = accord.read(counts, layout="confusion")
    assert accord.kappa(table, weights=weights).value == pytest.approx(expected)


def test_missing_labels_in_two_columns() -> None:
    first, second = ["a", "b", None, "a", "b", "NA"], ["a", "b", "b", "b", "b", "a"]
    rows = list(zip(first, second, strict=True))
    assert accord.kappa(first, second, missing="NA") == accord.kappa([list(row) for row in rows], missing="NA")
    assert accord.kappa(pd.Series(first), pd.Series(second), missing="NA").n == 4
    masked = np.ma.array(FIRST, mask=[True] + [False] * 11)
    for other in (SECOND, np.array(SECOND), pd.Series(SECOND)):
        assert accord.kappa(masked, other).value == accord.kappa([[None, SECOND[0]], *ROWS[1:]]).value
    numbers = pd.array([1, None, *FIRST[2:]], dtype="Int64")
    assert accord.kappa(numbers, SECOND).n == 11


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (FIRST, SECOND[:-1], "uneven-rows"),
        ("a.csv", "b.csv", "invalid-python-data"),
        (FIRST, "linear", "invalid-python-data"),
        (ROWS, ROWS, "invalid-python-data"),
        (np.array(ROWS), np.array(SECOND), "invalid-python-data"),
        (pd.DataFrame(ROWS), SECOND, "invalid-python-data"),
        ({"a": FIRST}, SECOND, "invalid-python-data"),
        (FIRST, 3, "invalid-python-data"),
        (accord.read(ROWS), SECOND, "invalid-python-data"),
    ],
)
def test_invalid_pairs_of_columns_are_refused(first: Any, second: Any, code: str) -> None:
    with raises(code):
        accord.kappa(first, second)


@pytest.mark.parametrize(
    "alone", [FIRST, tuple(FIRST), np.array(FIRST), pd.Series(FIRST), pl.Series(FIRST), ["a", "b"]]
)
def test_single_column_is_refused(alone: Any) -> None:
    with raises("invalid-label"):
        accord.alpha(alone)
    with raises("invalid-label"):
        accord.score(alone)


def test_list_of_missing_paths_is_not_read_as_labels() -> None:
    for paths in (["nowhere.csv"], ["nowhere.csv", "neither.csv"]):
        with raises("file-missing"):
            accord.alpha(paths)


def test_options_for_columns_are_refused_with_two_columns() -> None:
    with raises("option-not-for-data"):
        accord.kappa(FIRST, SECOND, item="id")
    with pytest.raises(TypeError, match="gamma"):
        accord.gamma(SPANS, SPANS)


def test_icc_forms_equal_icc() -> None:
    forms = accord.icc_forms(FIRST, SECOND, level=0.9)
    assert dict(forms) == {form: accord.icc(ROWS, form=form, level=0.9) for form in forms}
    assert accord.icc(ROWS, form=3, level=0.9) == forms["3"]
    assert accord.icc(ROWS, jobs=1) == accord.icc(ROWS)
    with raises("unknown-name", '"level"'):
        accord.icc_forms(ROWS, levle=0.9)


# -- values without a name -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("alpha(ordinal)", "alpha(distance=ordinal)"),
        ('alpha(matrix("costs.csv"))', 'alpha(distance=matrix("costs.csv"))'),
        ("alpha_boundaries(jaccard)", "alpha_boundaries(distance=jaccard)"),
        ("gamma(ordinal)", "gamma(distance=ordinal)"),
        ("gamma_cat(ordinal,categorical=2)", "gamma_cat(distance=ordinal,categorical=2)"),
        ("cu_alpha(interval)", "cu_alpha(distance=interval)"),
        *((f"{name}(linear)", f"{name}(weights=linear)") for name in ("percent", "s", "pi", "kappa", "ac")),
        ("kappa_boundaries(linear)", "kappa_boundaries(weights=linear)"),
        ("kappa(power(1.5))", "kappa(weights=power(1.5))"),
        ("icc(3k)", "icc(form=3k)"),
        ("icc(1)", "icc(form=1)"),
    ],
)
def test_unnamed_option_is_the_usual_one_of_the_literature(short: str, whole: str) -> None:
    assert accord.measure(short) == accord.measure(whole)


def test_alpha_ordinal_uses_krippendorffs_distance() -> None:
    tone = Path(__file__).parents[2] / "examples" / "garden" / "tone.csv"
    assert accord.score(tone, "alpha(ordinal)").value == pytest.approx(0.760, abs=5e-4)  # as in docs/distances.md
    assert accord.score(tone, "alpha(weights=ordinal)").value == pytest.approx(0.686, abs=5e-4)  # Gwet's weights


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("gamma(2)", "spec-syntax"),
        ("gamma_k(PLANT)", "spec-syntax"),
        ("ku_alpha(PLANT)", "spec-syntax"),
        ("ser(Ana)", "spec-syntax"),
        ("pk(5)", "spec-syntax"),
        ("text_gamma(pos)", "spec-syntax"),
        ("alpha(ordinal,linear)", "spec-syntax"),
        ("alpha(linear)", "spec-syntax"),
        ("kappa(interval)", "spec-syntax"),
        ("lin(2)", "spec-syntax"),
    ],
)
def test_ambiguous_unnamed_option_is_refused(spec: str, code: str) -> None:
    with raises(code):
        accord.measure(spec)

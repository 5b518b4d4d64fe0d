"""A function for each measure. Its options are the fields of the class; their descriptions are from the manual page."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from inspect import Parameter, Signature
from operator import or_
from types import UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import numpy as np

from accord.answers.options import texts_in
from accord.answers.question import declared_in, documented_entry, with_parameters
from accord.answers.score import score
from accord.core.errors import UnknownName
from accord.core.manual import page
from accord.core.result import NamedScores, Score
from accord.data.door import OPTIONS as READING
from accord.data.door import opened
from accord.data.io.reading import PARTS, options_of_reading
from accord.data.label_columns import check_not_one_column, two_columns
from accord.measures.catalogue import ON_ITEMS, ON_SCALES
from accord.measures.distances import Distance
from accord.measures.measure import Measure
from accord.measures.scales.icc import FORMS, IntraclassCorrelation
from accord.measures.segmentations.edit_distances import EditMeasure
from accord.measures.texts.text_gamma import Feature

WIDTH = 88
_TYPES_OF_SCORE = get_type_hints(declared_in(score).function)
_OF_SCORE = {
    name: argument.replace(annotation=_TYPES_OF_SCORE[name])
    for name, argument in declared_in(score).python_signature().parameters.items()
    if name not in {"data", "measure", "reading"}
}
SCORING = tuple(_OF_SCORE)  # options of every measure: those of `score`
_OF_COLUMNS = (*ON_ITEMS, *ON_SCALES)  # measures that accept two columns of labels
_SECOND = "The labels of a second annotator, if `data` are the labels of the first: a list, an array or a Series."
_RETURNS = """Returns
-------
Score
    Has `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns), `details`, and `signature` (a line
    for a footnote)."""


def measure_function(cls: type[Measure]) -> Callable[..., Score]:
    """Return a measure of the catalogue as a function: `alpha(data, distance="ordinal", seed=7)`."""
    own = option_names(cls)

    def of_columns(data: Any, second: Any = None, **options: Any) -> Score:
        chosen = cls(**{name: options.pop(name) for name in own if name in options})
        _check(options, cls)
        return score(_data(data, second, cls.name, options), chosen, **options)

    def of_data(data: Any, **options: Any) -> Score:
        return of_columns(data, None, **options)

    function = of_columns if takes_columns(cls) else of_data
    return _dressed(function, cls, signature(cls), docstring(cls), cls.name)


def _data(data: Any, second: Any, name: str, options: dict[str, Any]) -> Any:
    """Return the data. Two columns of labels are read here, so remove their reading options from `options`."""
    if second is None:
        return data
    parts_alone = set(texts_in(options.get("by"))) <= set(
        PARTS
    )  # two columns contain no further column for a breakdown
    return two_columns(data, second, name, _taken_out(options, but=("by",) if parts_alone else ()))


def _taken_out(options: dict[str, Any], but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Remove the reading options from `options` and return them, with those of `reading=`."""
    kept = options_of_reading(options.pop("reading", None))
    return kept | {name: options.pop(name) for name in READING if name in options and name not in but}


def icc_forms(data: Any, second: Any = None, **options: Any) -> NamedScores:
    """Compute all six forms of the intraclass correlation.

    Returns
    -------
    NamedScores
        The score of each form, by its name: 1, 2, 3, 1k, 2k, 3k.

    Examples
    --------
    >>> rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> scores = accord.icc_forms(rows, annotators_in="columns")
    >>> {form: round(score.value, 2) for form, score in scores.items()}
    {'1': 0.17, '2': 0.29, '3': 0.71, '1k': 0.44, '2k': 0.62, '3k': 0.91}

    References
    ----------
    Shrout & Fleiss 1979, source of the example.
    """
    _check(options, IntraclassCorrelation, without=("form",))
    check_not_one_column(_data(data, second, "icc_forms", dict(options)), "icc_forms")
    reading = _taken_out(options, but=("by",))
    read = two_columns(data, second, "icc_forms", reading) if second is not None else opened(data, reading, ("items",))
    scores = score(read, [IntraclassCorrelation(form) for form in FORMS], **options)
    return NamedScores(dict(zip(FORMS, scores, strict=True)))


def option_names(cls: type[Measure]) -> tuple[str, ...]:
    """Return the option names of a measure."""
    return tuple(field.name for field in dataclasses.fields(cls))


def takes_columns(cls: type[Measure]) -> bool:
    """Whether the measure accepts two columns of labels."""
    return cls in _OF_COLUMNS


def signature(cls: type[Measure], without: tuple[str, ...] = ()) -> Signature:
    """Return the signature: data, options of the measure, options of `score`, and options of `read`."""
    data = Parameter("data", Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
    second = Parameter("second", Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Any)
    own = [
        Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=shown)
        for f, (_, shown) in _types(cls).items()
        if f.name not in without
    ]
    columns = [second] if takes_columns(cls) else []
    reading = Parameter("reading", Parameter.VAR_KEYWORD, annotation=Any)
    returned = Mapping[str, Score] if without else Score
    return Signature([data, *columns, *own, *_OF_SCORE.values(), reading], return_annotation=returned)


def docstring(cls: type[Measure]) -> str:
    """Return the docstring of a measure, from its manual page."""
    text = page(cls.name)
    parts = [
        f"{cls.title}.",
        textwrap.fill(text.summary or inspect.cleandoc(cls.__doc__ or ""), WIDTH),
        _parameters(cls, text.options),
        _RETURNS,
        *(["Examples\n--------\n" + "\n".join(text.example)] if text.example else []),
        "References\n----------\n" + textwrap.fill(f"{cls.source}. Manual page: `accord measures {cls.name}`.", WIDTH),
    ]
    return "\n\n".join(parts)


def _parameters(cls: type[Measure], described: Mapping[str, str], without: tuple[str, ...] = ()) -> str:
    """Return the section Parameters."""
    declared = declared_in(score)
    arguments = declared.signature.parameters
    lines = ["Parameters", "----------", *declared.documented(arguments["data"])]
    if takes_columns(cls):
        lines += documented_entry("second : labels, optional", _SECOND)
    for field, (_, shown) in _types(cls).items():
        if field.name not in without:
            kind = shown if isinstance(shown, str) else inspect.formatannotation(shown).replace(" | None", "")
            says = described.get(field.name, f"See `accord measures {cls.name}`.")
            lines += documented_entry(f"{field.name} : {kind}, default {field.default!r}", says)
    for name in (*SCORING, "reading"):
        lines += declared.documented(arguments[name])
    return "\n".join(lines)


def _types(cls: type[Measure]) -> dict[dataclasses.Field[Any], tuple[Any, Any]]:
    """The accepted type of each option, and its shorter form for readers."""
    hints = get_type_hints(cls)
    return {f: accepted(hints[f.name], *f.metadata.get("also", ())) for f in dataclasses.fields(cls)}


def _check(options: Mapping[str, Any], cls: type[Measure], without: tuple[str, ...] = ()) -> None:
    own = tuple(name for name in option_names(cls) if name not in without)
    for name in options:
        if name not in SCORING and name not in READING and name != "reading":
            raise UnknownName(f"option of {cls.name}", name, (*own, *SCORING, *READING))


def _dressed(
    function: Callable[..., Any], cls: type[Measure], looks: Signature, says: str, name: str
) -> Callable[..., Any]:
    """Set the name, signature, docstring and annotations of a function."""
    whole = {field.name: kind for field, (kind, _) in _types(cls).items()}
    function.__name__ = function.__qualname__ = name
    function.__module__ = "accord"
    function.__doc__ = says
    function.__signature__ = looks  # type: ignore[attr-defined]
    function.__annotations__ = {p: whole.get(p, shown.annotation) for p, shown in looks.parameters.items()}
    function.__annotations__["return"] = looks.return_annotation
    return function


# -- types that options accept in addition to those of their fields ------------------------------------------------

DistanceLike: TypeAlias = (
    Distance | str | Mapping[tuple[Any, Any], float] | Sequence[Sequence[float]] | np.ndarray[Any, Any]
)
SimilarityLike: TypeAlias = EditMeasure | str
FeaturesLike: TypeAlias = str | Sequence[Feature] | Mapping[str, Distance | str]
PairLike: TypeAlias = Sequence[float]

# Type of the field → name of the accepted type, accepted type.
_TAKEN: dict[object, tuple[str, Any]] = {
    Distance: ("DistanceLike", DistanceLike),
    EditMeasure: ("SimilarityLike", SimilarityLike),
    tuple[Feature, ...]: ("FeaturesLike", FeaturesLike),
    tuple[float, float]: ("PairLike", PairLike),
}


def accepted(field: Any, *also: Any) -> tuple[Any, Any]:
    """Return the accepted type of an option and its written form, from the type of its field."""
    parts = (*(get_args(field) if get_origin(field) in {Union, UnionType} else (field,)), *also)
    whole = reduce(or_, (_TAKEN[part][1] if part in _TAKEN else part for part in parts))
    if not any(part in _TAKEN for part in parts):
        return whole, whole
    return whole, " | ".join(_TAKEN[part][0] if part in _TAKEN else _name(part) for part in parts)


def _name(part: Any) -> str:
    return "None" if part is type(None) else str(part.__name__)


_dressed(
    icc_forms,
    IntraclassCorrelation,
    signature(IntraclassCorrelation, without=("form",)),
    with_parameters(icc_forms.__doc__ or "", _parameters(IntraclassCorrelation, {}, without=("form",))),
    "icc_forms",
)

"""A function for each measure: its options from the fields of its class, what they do from its page."""

from __future__ import annotations

import dataclasses
import inspect
import textwrap
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any, get_type_hints

from accord.core.errors import UnknownName
from accord.core.manual import bullets, page
from accord.core.result import NamedScores, Score
from accord.data.door import OPTIONS as READING
from accord.doors.functions.accepted import accepted
from accord.doors.functions.columns import two_columns
from accord.doors.functions.scoring import SCORING, opened, option_names, score
from accord.measures.catalogue import ON_ITEMS, ON_SCALES
from accord.measures.measure import Measure
from accord.measures.scales.icc import FORMS, IntraclassCorrelation

WIDTH = 100
_OF_COLUMNS = (*ON_ITEMS, *ON_SCALES)  # measures that two columns of labels are enough for
_SECOND = "the labels of a second annotator, where `data` are those of the first: a list, an array, a Series."
_RETURNS = (
    "Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns), `details`, and "
    "`signature`, the line for the footnote."
)


def measure_function(cls: type[Measure]) -> Callable[..., Score]:
    """A measure of the catalogue as a function: `alpha(data, distance="ordinal", seed=7)`."""
    own = option_names(cls)

    def of_columns(data: Any, second: Any = None, **options: Any) -> Score:
        chosen = cls(**{name: options.pop(name) for name in own if name in options})
        _check(options, cls)
        if second is None:
            return score(data, chosen, **options)
        reading = {name: options.pop(name) for name in READING if name in options}
        return score(two_columns(data, second, cls.name, reading), chosen, **options)

    def of_data(data: Any, **options: Any) -> Score:
        return of_columns(data, None, **options)

    function = of_columns if takes_columns(cls) else of_data
    return _dressed(function, cls, signature(cls), docstring(cls), cls.name)


def icc_forms(data: Any, second: Any = None, **options: Any) -> NamedScores:
    """All six forms of the intraclass correlation, by name: `icc_forms(data)["3k"].value`."""
    _check(options, IntraclassCorrelation, without=("form",))
    reading = {name: options.pop(name) for name in READING if name in options}
    if second is None:
        found = opened(data, reading, (IntraclassCorrelation(),))
    else:
        found = two_columns(data, second, "icc_forms", reading)
    scores = score(found, [IntraclassCorrelation(form) for form in FORMS], **options)
    return NamedScores(dict(zip(FORMS, scores, strict=True)))


def takes_columns(cls: type[Measure]) -> bool:
    """Whether the labels of two annotators can be its arguments."""
    return cls in _OF_COLUMNS


def signature(cls: type[Measure], without: tuple[str, ...] = ()) -> Signature:
    """The data, the options of the measure, those of `score`, and those of `read`."""
    of_score = inspect.signature(score, eval_str=True).parameters
    own = [
        Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=shown)
        for f, (_, shown) in _types(cls).items()
        if f.name not in without
    ]
    second = Parameter("second", Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Any)
    return Signature(
        [
            of_score["data"],
            *([second] if takes_columns(cls) else []),
            *own,
            *(of_score[name] for name in SCORING),
            of_score["reading"],
        ],
        return_annotation=Mapping[str, Score] if without else Score,
    )


def docstring(cls: type[Measure]) -> str:
    """What a measure is and what its options do, as its page says it."""
    text = page(cls.name)
    parts = [
        f"{cls.title}.",
        textwrap.fill(text.summary or inspect.cleandoc(cls.__doc__ or ""), WIDTH),
        _explained(cls, text.options),
        textwrap.fill(_RETURNS, WIDTH),
        *(["Example:\n\n" + "\n".join(f"    {line}" for line in text.example)] if text.example else []),
        textwrap.fill(f"Source: {cls.source}. The whole page: `accord measures {cls.name}`.", WIDTH),
    ]
    return "\n\n".join(parts)


def _explained(cls: type[Measure], options: Mapping[str, str], without: tuple[str, ...] = ()) -> str:
    """A line for each parameter."""
    of_score = bullets(score.__doc__ or "")
    own = [name for name in option_names(cls) if name not in without]
    what = {
        "data": of_score["data"],
        **({"second": _SECOND} if takes_columns(cls) else {}),
        **{name: options.get(name, f"see `accord measures {cls.name}`.") for name in own},
        **{name: of_score[name] for name in (*SCORING, "**reading")},
    }
    return "\n".join(_bullet(name, says) for name, says in what.items())


def _bullet(name: str, says: str) -> str:
    return textwrap.fill(f"- `{name}`: {says}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _types(cls: type[Measure]) -> dict[dataclasses.Field[Any], tuple[Any, Any]]:
    """What each option takes; and as a reader sees it, where a name is shorter than all that the name stands for."""
    hints = get_type_hints(cls)
    return {f: accepted(hints[f.name], *f.metadata.get("also", ())) for f in dataclasses.fields(cls)}


def _check(options: Mapping[str, Any], cls: type[Measure], without: tuple[str, ...] = ()) -> None:
    own = tuple(name for name in option_names(cls) if name not in without)
    for name in options:
        if name not in SCORING and name not in READING:
            raise UnknownName(f"option of {cls.name}", name, (*own, *SCORING, *READING))


def _dressed(
    function: Callable[..., Any], cls: type[Measure], looks: Signature, says: str, name: str
) -> Callable[..., Any]:
    """With the name, the signature and the docstring that a reader and a completer look for."""
    whole = {field.name: kind for field, (kind, _) in _types(cls).items()}
    function.__name__ = function.__qualname__ = name
    function.__module__ = "accord"
    function.__doc__ = says
    function.__signature__ = looks  # type: ignore[attr-defined]
    function.__annotations__ = {p: whole.get(p, shown.annotation) for p, shown in looks.parameters.items()}
    function.__annotations__["return"] = looks.return_annotation
    return function


_dressed(
    icc_forms,
    IntraclassCorrelation,
    signature(IntraclassCorrelation, without=("form",)),
    f"{icc_forms.__doc__}\n\n{_explained(IntraclassCorrelation, {}, without=('form',))}",
    "icc_forms",
)

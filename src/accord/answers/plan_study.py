"""`accord plan`: who annotates what, and how many items or documents it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from accord.answers import options
from accord.answers.options import LEVEL
from accord.answers.plan_layout import Crossing, Layout, layout
from accord.answers.plan_layout import crossing as crossing_of
from accord.answers.plan_size import SampleSize, sample_size
from accord.answers.question import declared_in, question
from accord.answers.replacement import Epsilon, Family, Likeness, MinItems, MinPeople, Rate
from accord.answers.replacement_size import replacement_size
from accord.answers.scoring import kinds_of
from accord.core.context import Run, silent
from accord.core.errors import SpecError, quoted
from accord.core.options import Option
from accord.data.door import is_data, opened

# The questions that an option is for; the question is the option that asks it.
_SIZES = ("width", "difference", "null")
_REPLACING = ("replace", "advantage")
_OF: dict[str, tuple[str, ...]] = {
    "measure": (*_SIZES, "crossing"),
    "per_document": ("documents",),
    "everybody": ("documents",),
    "power": ("difference", "null", *_REPLACING),
    "unpaired": ("difference",),
    "correlation": ("difference",),
    "value": _SIZES,
    "shares": _SIZES,
    "raters": (*_SIZES, "advantage"),
    "simulations": (*_SIZES, *_REPLACING),
    "epsilon": _REPLACING,
    "q": _REPLACING,
    "score": ("replace",),
    "family": ("replace",),
    "people": ("replace",),
    "min_people": ("replace",),
    "min_items": _REPLACING,
    "ties": ("advantage",),
    "level": (*_SIZES, "crossing"),
}
_ASSUMED = ("value", "shares", "raters")  # what is assumed where there is no pilot

_layout = partial(Option, heading="Who gets what")
_size = partial(Option, heading="How many")
_test = partial(Option, heading="The test")


@question(
    "--documents 100 --team Ana,Ben,Chloé -o layout.csv",
    "pilot.csv -m alpha --width 0.1",
    "-m kappa --difference 0.1 --value 0.6",
    "-m kappa --null 0.4 --value 0.7",
    "pilot.csv --replace gpt --epsilon 0.2",
    "--advantage 0.9 --ties 0.7",
)
def plan(
    data: options.Data = None,
    measure: Annotated[options.Measure, Option("A measure.")] = None,
    *,
    documents: Annotated[
        str | int | Sequence[str] | None, _layout("How many documents, or their names.", metavar="N|A,B", shape="names")
    ] = None,
    team: Annotated[
        str | int | Sequence[str] | None,
        _layout("How many annotators, or their names.", metavar="N|X,Y", shape="names"),
    ] = None,
    per_document: Annotated[int, _layout("Annotators for each document.")] = 2,
    everybody: Annotated[int, _layout("Documents that all of them get.")] = 0,
    width: Annotated[float | None, _size("Wanted width of the interval.")] = None,
    difference: Annotated[float | None, _size("A difference that should be seen.")] = None,
    null: Annotated[float | None, _size("A value that the value should be told from.")] = None,
    power: Annotated[float, _size("The probability to see it.")] = 0.8,
    unpaired: Annotated[bool, _size("Two studies on other items, not the same ones.")] = False,
    correlation: Annotated[float, _size("Of the two values, with a pilot and the same items.")] = 0.0,
    value: Annotated[float, _size("Without a pilot: the value that is assumed.")] = 0.7,
    shares: Annotated[
        str | Sequence[float],
        _size("Without a pilot: the shares of the categories.", metavar="P,Q", shape="names"),
    ] = "0.5,0.5",
    raters: Annotated[
        int | None, _size("Without a pilot: how many annotators. Default: 2; with --advantage 3 people.")
    ] = None,
    simulations: Annotated[int, _size("Simulated studies to check the answer.")] = 200,
    crossing: Annotated[bool, _size("With data: what two annotators per item would give instead of all.")] = False,
    replace: Annotated[
        str | None,
        _test(
            "With a pilot: how many items it takes to show that this annotator, a model, may stand in for a person.",
            metavar="MODEL",
        ),
    ] = None,
    advantage: Annotated[
        float | None,
        _test(
            "The same without a pilot: the share of items on which the model is at least as like the others as a "
            "person is."
        ),
    ] = None,
    ties: Annotated[
        float | None,
        _test("Of that share, the items on which both are the same. Default: all of them, which takes the most."),
    ] = None,
    people: Annotated[
        options.Names,
        _test("The annotators that are people. Default: all others.", metavar="X,Y", shape="names"),
    ] = None,
    epsilon: Epsilon = "experts",
    q: Rate = 0.05,
    score: Likeness = None,
    family: Family = None,
    min_people: MinPeople = 2,
    min_items: MinItems = 30,
    level: options.Level = LEVEL,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Layout | SampleSize | Crossing:
    """Plan a study: who annotates what (as CSV), or how many items or documents it takes.

    One of `documents`, `width`, `difference`, `null`, `crossing`, `replace` and `advantage` asks the question. In
    Python, `layout`, `sample_size`, `crossing` and `replacement_size` answer one each.

    Returns
    -------
    Layout, SampleSize or Crossing

    Examples
    --------
    >>> accord.plan(measure="kappa", width=0.2, value=0.7, simulations=100).n > 50
    True
    """
    given = dict(locals())
    asked = _question(given)
    _refuse_idle(given, asked)
    run = Run(seed, progress or silent, jobs)
    around: dict[str, Any] = {"seed": seed, "progress": run.progress, "jobs": jobs}
    if asked == "documents":
        if documents is None or team is None:
            raise SpecError("option-missing", "a layout takes both: --documents 100 --team Ana,Ben,Chloé")
        if data is not None:
            raise SpecError(
                "option-conflict",
                f"a layout takes no table ({quoted(_first(data))}): --documents names what is laid out",
            )
        sizes = _number_or_names(documents), _number_or_names(team)
        return layout(*sizes, per_document=per_document, everybody=everybody, seed=seed)
    if asked in _REPLACING:
        if replace is None and data is not None:
            raise SpecError(
                "option-conflict", f"--advantage is assumed where there is no pilot, and {quoted(_first(data))} is one"
            )
        if replace is not None and data is None:
            raise SpecError(
                "option-missing",
                f"--replace takes a pilot: accord plan pilot.csv --replace {replace}; without one, --advantage 0.9",
            )
        by = {} if family is None or is_data(data) else {"by": family}
        pilot = None if data is None else opened(data, reading | by)
        return replacement_size(
            replace, pilot=pilot, family=family, advantage=advantage, ties=ties,
            annotators=3 if raters is None else raters,
            epsilon=epsilon, q=q, power=power, score=score, min_people=min_people, min_items=min_items,
            people=options.names_in(people), simulations=simulations, **around,
        )  # fmt: skip
    if asked == "crossing":
        if data is None:
            raise SpecError(
                "option-missing", "name a table: accord plan ratings.csv --crossing -m ac (or - for standard input)"
            )
        spec = measure or "ac"
        return crossing_of(opened(data, reading, kinds_of(spec), run), spec, level=level, **around)
    _check_assumed(given)
    return sample_size(
        measure, width=width, difference=difference, null=null, power=power, paired=not unpaired,
        pilot=None if data is None else opened(data, reading, kinds_of(measure), run), correlation=correlation,
        value=value, annotators=2 if raters is None else raters, shares=_numbers(shares), level=level,
        simulations=simulations, **around,
    )  # fmt: skip


def _question(given: Mapping[str, Any]) -> str:
    """The option that asks; there is just one."""
    asked = {
        "documents": given["documents"] is not None
        or given["team"] is not None
        or (given["people"] is not None and given["replace"] is None),
        **{name: given[name] is not None for name in _SIZES},
        "crossing": given["crossing"],
        **{name: given[name] is not None for name in _REPLACING},
    }
    wanted = [name for name, is_asked in asked.items() if is_asked]
    if not wanted:
        raise SpecError(
            "option-missing",
            "say what should be planned: --documents and --team, or --width, or --difference, or --null, or --crossing "
            "with data, or --replace MODEL with a pilot, or --advantage",
        )
    if len(wanted) > 1:
        raise SpecError("option-missing", f"--{wanted[0]} and --{wanted[1]} are two questions; ask one at a time")
    return wanted[0]


def _refuse_idle(given: Mapping[str, Any], asked: str) -> None:
    """Refuse an option that would change nothing."""
    if asked == "documents" and given["people"] is not None:
        raise SpecError(
            "option-renamed", "the annotators of a layout are --team now: --documents 100 --team Ana,Ben,Chloé"
        )
    for name, questions in _OF.items():
        if given[name] != declared_in(plan).parameters[name].default and asked not in questions:
            raise SpecError("option-conflict", f"--{name.replace('_', '-')} says nothing with --{asked}: leave it out")


def _check_assumed(given: Mapping[str, Any]) -> None:
    """From a pilot, if there are data, else from assumed values."""
    for name in _ASSUMED:
        if given["data"] is not None and given[name] != declared_in(plan).parameters[name].default:
            raise SpecError(
                "option-conflict",
                f"--{name} is assumed where there is no pilot, and {quoted(_first(given['data']))} is one",
            )
    if given["correlation"] and given["data"] is None:
        raise SpecError(
            "option-conflict",
            "--correlation goes with a pilot: without one, the model says how closely two studies agree",
        )


def _first(data: Any) -> str:
    return next(iter(options.paths_in(data)), "the data")


def _number_or_names(given: str | int | Sequence[str]) -> int | list[str]:
    if isinstance(given, int):
        return given
    if isinstance(given, str) and given.removeprefix("-").isdecimal():
        return int(given)
    return options.names_in(given) or []


def _numbers(given: str | Sequence[float]) -> list[float]:
    try:
        return [float(part) for part in (given.split(",") if isinstance(given, str) else given)]
    except ValueError:
        raise SpecError(
            "option-value", f"--shares takes numbers, for example 0.6,0.3,0.1; not {quoted(given)}"
        ) from None

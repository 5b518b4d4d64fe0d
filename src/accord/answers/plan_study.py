"""`plan`: assign documents to annotators, or compute a required sample size."""

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

# Options by question; the question is the option that asks it.
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
_ASSUMED = ("value", "shares", "raters")  # assumptions without a pilot

_layout = partial(Option, heading="Layout")
_size = partial(Option, heading="Sample size")
_test = partial(Option, heading="Alternative annotator test")


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
        str | int | Sequence[str] | None,
        _layout("Number of documents, or their names.", metavar="N|A,B", shape="names"),
    ] = None,
    team: Annotated[
        str | int | Sequence[str] | None,
        _layout("Number of annotators, or their names.", metavar="N|X,Y", shape="names"),
    ] = None,
    per_document: Annotated[int, _layout("Number of annotators per document.")] = 2,
    everybody: Annotated[int, _layout("Number of documents that all annotators get.")] = 0,
    width: Annotated[float | None, _size("Target width of the interval.")] = None,
    difference: Annotated[float | None, _size("Difference between two studies to detect.")] = None,
    null: Annotated[float | None, _size("Null hypothesis: the value to distinguish from.")] = None,
    power: Annotated[float, _size("Power: the probability of detecting it.")] = 0.8,
    unpaired: Annotated[bool, _size("The two studies have different items. Default: the same items.")] = False,
    correlation: Annotated[float, _size("Correlation between the two values, with a pilot and the same items.")] = 0.0,
    value: Annotated[float, _size("Without a pilot: the assumed value.")] = 0.7,
    shares: Annotated[
        str | Sequence[float],
        _size("Without a pilot: the category shares.", metavar="P,Q", shape="names"),
    ] = "0.5,0.5",
    raters: Annotated[
        int | None, _size("Without a pilot: number of annotators. Default: 2; with --advantage 3 people.")
    ] = None,
    simulations: Annotated[int, _size("Number of simulated studies that check the answer.")] = 200,
    crossing: Annotated[bool, _size("With data: compare two annotators per item with all annotators.")] = False,
    replace: Annotated[
        str | None,
        _test(
            "With a pilot: items needed to show that this model (the name of an annotator) can replace a person.",
            metavar="MODEL",
        ),
    ] = None,
    advantage: Annotated[
        float | None,
        _test(
            "The same without a pilot: assumed share of items on which the model agrees with the others at least as "
            "well as a person."
        ),
    ] = None,
    ties: Annotated[
        float | None,
        _test("Part of that share in which model and person are tied. Default: all of it, which needs most items."),
    ] = None,
    people: Annotated[
        options.Names,
        _test("Annotators who are people. Default: all others.", metavar="X,Y", shape="names"),
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
    """Plan a study: assign documents to annotators, or compute a sample size.

    One of `documents`, `width`, `difference`, `null`, `crossing`, `replace` and `advantage` selects the question. In
    Python, `layout`, `sample_size`, `crossing` and `replacement_size` each answer one of them.

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
            raise SpecError(
                "option-missing", "a layout needs documents and annotators: --documents 100 --team Ana,Ben,Chloé"
            )
        if data is not None:
            raise SpecError(
                "option-conflict",
                f"a layout needs no table, and {quoted(_first(data))} is given; remove it, --documents names the "
                "documents",
            )
        sizes = _number_or_names(documents), _number_or_names(team)
        return layout(*sizes, per_document=per_document, everybody=everybody, seed=seed)
    if asked in _REPLACING:
        if replace is None and data is not None:
            raise SpecError(
                "option-conflict",
                f"--advantage is an assumption for use without a pilot, and {quoted(_first(data))} is given; use "
                "--replace MODEL",
            )
        if replace is not None and data is None:
            raise SpecError(
                "option-missing",
                f"--replace needs a pilot: accord plan pilot.csv --replace {replace}; without a pilot, use "
                "--advantage 0.9 instead of --replace",
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
                "option-missing",
                "--crossing needs a table, or - for standard input: accord plan ratings.csv --crossing -m ac",
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
    """Return the option that selects the question; exactly one is allowed."""
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
            "nothing to plan; give --documents and --team, or --width, or --difference, or --null, or --crossing with "
            "data, or --replace MODEL with a pilot, or --advantage",
        )
    if len(wanted) > 1:
        raise SpecError(
            "option-conflict", f"--{wanted[0]} and --{wanted[1]} ask two different questions; use one at a time"
        )
    return wanted[0]


def _refuse_idle(given: Mapping[str, Any], asked: str) -> None:
    """Refuse an option that would have no effect."""
    if asked == "documents" and given["people"] is not None:
        raise SpecError(
            "option-renamed",
            "use --team instead of --people to name the annotators of a layout, for example --team Ana,Ben,Chloé",
        )
    for name, questions in _OF.items():
        if given[name] != declared_in(plan).parameters[name].default and asked not in questions:
            raise SpecError("option-conflict", f"--{name.replace('_', '-')} has no effect with --{asked}; leave it out")


def _check_assumed(given: Mapping[str, Any]) -> None:
    """Use a pilot if there are data, else assumed values."""
    for name in _ASSUMED:
        if given["data"] is not None and given[name] != declared_in(plan).parameters[name].default:
            raise SpecError(
                "option-conflict",
                f"--{name} is an assumption for use without a pilot, and {quoted(_first(given['data']))} is given; "
                "leave it out",
            )
    if given["correlation"] and given["data"] is None:
        raise SpecError(
            "option-conflict",
            "--correlation needs a pilot; without one, the model determines it, so leave it out",
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
            "option-value", f"--shares needs numbers, such as --shares 0.6,0.3,0.1, not {quoted(given)}"
        ) from None

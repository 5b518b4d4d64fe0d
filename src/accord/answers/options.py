"""Parameters that several questions share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from accord.core.context import Progress as ProgressFunction
from accord.core.errors import SpecError, quoted
from accord.core.options import Option
from accord.measures.catalogue import measure
from accord.measures.measure import Measure as MeasureValue

LEVEL, REPLICATES = 0.95, 2000  # defaults of intervals
MEASURES, OUTPUT, DATA = "Measures", "Output", "Data"
_rare = partial(Option, heading=MEASURES, rare=True)

Data = Any  # anything that `accord.read` accepts; on the command line a path
Target = Annotated[
    Any, Option("File or folder to write.", formerly=("path",), shape="target")
]  # on the command line the last path


def as_specs(given: str | MeasureValue | Iterable[str | MeasureValue]) -> tuple[str, ...]:
    """Return specs in canonical form: `alpha( distance = ordinal )` → `alpha(distance=ordinal)`."""
    several = (given,) if isinstance(given, str | MeasureValue) else given
    return tuple(str(measure(spec)) for spec in several)


def as_spec(given: str | MeasureValue) -> str:
    return str(measure(given))


Measure = Annotated[
    str | MeasureValue | None,
    Option(
        "A measure. Default: alpha for labels of items, gamma for units, boundary_similarity for segmentations, "
        "text_gamma for texts, chain_alpha for chains.",
        flag="-m", metavar="SPEC", heading=MEASURES, complete="measures", shape="text", formerly=("spec", "measures"),
    ),
]  # fmt: skip
Measures = Annotated[
    str | MeasureValue | Sequence[str | MeasureValue] | None,
    Option(
        "A measure; repeatable. Default: alpha for labels of items, gamma for units, boundary_similarity for "
        "segmentations, text_gamma for texts, chain_alpha for chains.",
        flag="-m", metavar="SPEC", heading=MEASURES, complete="measures", shape="texts", formerly=("spec", "measures"),
    ),
]  # fmt: skip
Interval = Annotated[
    str,
    Option(
        "Interval method: linearised (default on items), added (default on items with few labels), unconditional, "
        "bootstrap, fleiss_cohen_everitt, hayes_krippendorff, krippendorff_2013, table, irrcac, formula (default on "
        "scales), monte_carlo, bca, jackknife, blocks, donner_eliasziw, none.",
        heading=MEASURES, complete="intervals",
    ),
]  # fmt: skip
Level = Annotated[float, _rare("Confidence level of intervals.")]
Replicates = Annotated[int, _rare("Number of bootstrap replicates or permutations.")]
ItemsPopulation = Annotated[int | None, _rare("Size of the population of items, for a finite population correction.")]
AnnotatorsPopulation = Annotated[
    int | None, _rare("Size of the population of annotators, with --interval unconditional.")
]
Null = Annotated[
    float | str | None,
    _rare(
        "Null hypothesis of the test: a value, tested with the standard error of the interval; or `permutation`, which "
        "tests for no agreement with --replicates permutations [default: no agreement].",
        metavar="VALUE",
    ),
]
Seed = Annotated[int, Option("Random seed.", heading=MEASURES)]
Jobs = Annotated[
    int | None,
    _rare("Number of workers for long computations; the result does not depend on it. Default: all cores.", least=1),
]
Progress = ProgressFunction | None
By = Annotated[
    str | Sequence[str],
    Option(
        "Break the score down by category, annotator, pair or item (document for units and texts, kind for texts), or "
        "score each value of a COLUMN separately; repeatable.",
        metavar="WHAT", heading=OUTPUT, complete="by", shape="texts",
    ),
]  # fmt: skip
Names = str | Sequence[str] | None  # `Ana,Ben`, or a list


def names_in(given: Names) -> list[str] | None:
    """Return names from `"Ana, Ben"` or a list."""
    if given is None:
        return None
    parts = given.split(",") if isinstance(given, str) else map(str, given)
    return [name.strip() for name in parts if name.strip()]


def texts_in(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return one or several texts as a list."""
    several = () if given is None else (given,) if isinstance(given, str) else tuple(given)
    for text in several:
        if not isinstance(text, str):
            raise SpecError("option-value", f"this option needs text, not {quoted(text)}")
    return several


def bounds_in(given: Mapping[str, float] | Sequence[str] | str | None, option: str) -> dict[str, float]:
    """Return bounds by spec from `{"alpha": 0.8}`, or from `["alpha=0.8"]` as typed."""
    if isinstance(given, Mapping):
        return {str(spec): float(value) for spec, value in given.items()}
    made: dict[str, float] = {}
    for text in texts_in(given):
        spec, _, value = text.rpartition("=")
        try:
            made[spec] = float(value)
        except ValueError:
            raise SpecError(
                "option-value", f"{option} needs a measure and a value, for example alpha=0.8, not {quoted(text)}"
            ) from None
    return made


def groups_in(given: Mapping[str, Names] | Sequence[str] | str | None) -> dict[str, list[str]]:
    """Return names by group from `{"people": ["Ana", "Ben"]}`, or from `["people=Ana,Ben"]` as typed."""
    if isinstance(given, Mapping):
        return {str(name): names_in(members) or [] for name, members in given.items()}
    groups: dict[str, list[str]] = {}
    for text in texts_in(given):
        name, equals, members = text.partition("=")
        if not equals or not name:
            raise SpecError(
                "option-value",
                f"--group needs a name and annotators, for example --group people=Ana,Ben, not {quoted(text)}",
            )
        groups[name] = [*groups.get(name, ()), *(names_in(members) or ())]
    return groups


def paths_in(given: Any) -> tuple[str, ...]:
    """Return the paths among the data of a question, to show them with the answer."""
    several = given if isinstance(given, list | tuple) else [given]
    return tuple(os.fspath(path) for path in several if isinstance(path, str | os.PathLike))

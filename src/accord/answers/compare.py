"""`compare`: two studies, teams, rounds, measures or groups of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from accord.answers import options
from accord.answers.compare_groups import GroupAgreement, agreement_of_groups
from accord.answers.comparison import METHODS, Comparisons, How, compare_data, correct_for_several
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.question import declared_in, question
from accord.answers.scoring import common_measure, kinds_of, main_measure
from accord.core.context import Run, silent
from accord.core.errors import DataError, FewLabelsWarning, SpecError, counted, quoted, warn
from accord.core.options import Option
from accord.core.typed import checks_types
from accord.data.door import is_data, opened
from accord.data.io.reading import DOCUMENT
from accord.data.model.data import Data, check_annotators
from accord.measures.measure import Measure

Method = Annotated[
    str,
    Option(
        "linearised (default for labels of items), bootstrap or permutation. Default for other data: bootstrap with a "
        "permutation test.",
        heading=options.MEASURES,
        choices=METHODS,
    ),
]
_about = partial(Option, heading="What to compare")
SecondMeasure = Annotated[
    str | Measure | None,
    _about("A second measure, for B. Compares two measures on the same data.", metavar="SPEC", complete="measures",
           shape="text", formerly=("spec_b", "with")),
]  # fmt: skip
Groups = Annotated[
    Mapping[str, Sequence[str]] | Sequence[str],
    _about(
        "A named group of annotators, e.g. people=Ana,Ben; give two or more. Shows agreement within and between "
        "groups. The first group is the reference.",
        metavar="NAME=X,Y", shape="texts", in_python=options.groups_in,
    ),
]  # fmt: skip


def _in_python(arguments: dict[str, Any]) -> Any:
    """Return one `Comparison`, or several as `Comparisons`."""
    found = declared_in(compare).function(**arguments)
    several = found.each if isinstance(found, Comparisons) else found.comparisons
    for one in several:
        if one.few:
            warn(f"{one.summary()}: {one.few}", FewLabelsWarning)
    return found[0] if isinstance(found, Comparisons) and len(found) == 1 else found


@question("before.csv after.csv -m alpha", "ratings.csv --group people=Ana,Ben --group models=m1,m2", python=_in_python)
def compare(
    a: options.Data,
    b: options.Data = None,
    measure: options.Measures = None,
    *,
    measure_b: SecondMeasure = None,
    annotators_a: Annotated[options.Names, _about("Annotators of A.", metavar="X,Y", shape="names")] = None,
    annotators_b: Annotated[options.Names, _about("Annotators of B.", metavar="X,Y", shape="names")] = None,
    group: Groups = (),
    by: Annotated[
        str | None,
        _about(
            "Compare the parts of the data by the values of this column, e.g. rounds.",
            metavar="COLUMN",
            complete="columns",
        ),
    ] = None,
    paired: Annotated[
        bool | None,
        _about(
            "Paired: only items or documents in both studies. Unpaired: two independent samples. Default: pairs items "
            "or documents with the same name.",
            flag="--paired/--unpaired",
        ),
    ] = None,
    method: Method = "default",
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    names: Annotated[tuple[str, str] | None, "Names of a and b in the output. Default: the file names."] = None,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Comparisons | GroupAgreement:
    """Compare two studies, teams, rounds or measures, with a test.

    Items or documents with the same name are compared as pairs. Without `b`, give a second measure, two groups of
    annotators, named groups, or a column.

    Returns
    -------
    Comparison, Comparisons or GroupAgreement
        One comparison; several for several measures or values of a column; agreement within and between groups for
        named groups.

    Examples
    --------
    >>> before, after = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "a"]] * 5, [["a", "a"], ["b", "b"]] * 10
    >>> round(accord.compare(before, after, "alpha").difference, 3)
    0.975
    """
    run = Run(seed, progress or silent, jobs)
    how = How(method, paired, level, replicates, interval)
    specs = () if measure is None else (measure,) if isinstance(measure, str | Measure) else tuple(measure)
    teams = options.names_in(annotators_a), options.names_in(annotators_b)
    kinds = kinds_of(*specs, measure_b)
    if group:
        if b is not None:
            raise SpecError(
                "option-conflict", "--group compares annotators within one table; give one table, or leave --group out"
            )
        _refuse_beside_groups(annotators_a, annotators_b, by, paired, measure_b, method, interval)
        if len(specs) > 1:
            raise SpecError("option-conflict", "--group accepts one measure; run accord compare once per measure")
        groups = options.groups_in(group)
        if len(groups) < 2:
            raise SpecError("option-missing", "--group needs at least two groups; add another --group")
        spec = specs[0] if specs else None
        return agreement_of_groups(opened(a, reading, kinds, run), groups, spec, how.settings, run)
    if by is not None:
        if b is not None:
            raise SpecError("option-conflict", "--by compares parts of one table; give one table, or leave --by out")
        studies = _by_column(opened(a, reading if is_data(a) else reading | {"by": by}, kinds, run), by)
    elif b is not None:
        studies = _two_studies(a, b, names or _names(a, b), reading, kinds, run)
    else:
        return _on_one(opened(a, reading, kinds, run), specs, measure_b, teams, names or _names(a), how, run)
    each = list(studies.values())
    chosen = [common_measure(spec, each) for spec in specs or (None,)]
    other = None if measure_b is None else common_measure(measure_b, each)
    return correct_for_several(
        compare_data((_team(one, teams[0]), _team(two, teams[1])), (spec, other or spec), how, run, (first, second))
        for spec in chosen
        for (first, one), (second, two) in combinations(studies.items(), 2)
    )


def _names(*given: Any) -> tuple[str, ...]:
    """Return names of studies: the file name, or the whole path if two files have the same name."""
    paths = [options.paths_in(one) for one in given]
    if any(len(path) != 1 for path in paths):
        return ("a", "b")[: len(given)]
    names = [Path(path[0]).stem or path[0] for path in paths]
    names = names if len(set(names)) == len(names) else [path[0] for path in paths]
    if len(set(names)) < len(names):
        return ("a", "b")
    return tuple(names)


def _two_studies(
    a: Any, b: Any, names: Sequence[str], reading: Mapping[str, Any], kinds: Sequence[str], run: Run
) -> dict[str, Data]:
    read_now = is_data(a) != is_data(b)  # the reading options apply to the data that are read now
    return {
        name: opened(given, {} if read_now and is_data(given) else reading, kinds, run)
        for name, given in zip(names, (a, b), strict=True)
    }


def _by_column(data: Data, column: str) -> dict[str, Data]:
    """Split the data into one study per value of a column; an item that recurs in another round is the same item."""
    if data.kind.noun == "document" and column in DOCUMENT:
        raise DataError(
            "nothing-shared",
            f"--by: column {quoted(column)} names the documents; choose a column that divides the documents into "
            "groups",
        )
    parts = data.by(column)
    if len(parts) < 2:
        raise DataError(
            "nothing-shared",
            f"column {quoted(column)} has only one value, so there is nothing to compare; choose another column with "
            "--by",
        )
    return {value: part.without_ending(f" ({value})") for value, part in parts.items()}


def _on_one(
    data: Data,
    specs: tuple[str | Measure, ...],
    other: str | Measure | None,
    teams: tuple[list[str] | None, list[str] | None],
    names: Sequence[str],
    how: How,
    run: Run,
) -> Comparisons:
    """Compare two measures or two teams on the same data."""
    chosen: tuple[str | Measure, ...] = specs or (data.kind.main,)
    if teams == (None, None):
        if other is None and len(chosen) == 2:
            other, chosen = chosen[-1], chosen[:1]
        if other is None:
            raise SpecError(
                "option-missing",
                "only one table given; add a second table, or use --measure-b SPEC for a second measure, "
                "--annotators-a and --annotators-b for two teams, --group for groups, or --by COLUMN",
            )
    whose = (_team(data, teams[0]), _team(data, teams[1]))
    made = []
    for spec in chosen:
        first, second = (main_measure(spec, data), main_measure(spec if other is None else other, data))
        if len(names) == 2:  # the caller gave names
            called = (names[0], names[-1])
        elif teams == (None, None):
            called = str(spec), str(other)
        else:
            called = (",".join(teams[0] or names), ",".join(teams[1] or names))
        made.append(compare_data(whose, (first, second), how, run, called))
    return correct_for_several(made)


def _refuse_beside_groups(
    annotators_a: Any, annotators_b: Any, by: Any, paired: Any, measure_b: Any, method: str, interval: str
) -> None:
    """Refuse options that would have no effect."""
    given = {
        "--annotators-a": annotators_a is not None,
        "--annotators-b": annotators_b is not None,
        "--by": by is not None,
        "--paired" if paired else "--unpaired": paired is not None,
        "--measure-b": measure_b is not None,
        "--method": method != "default",
        "--interval": interval != "default",
    }
    for option, is_given in given.items():
        if is_given:
            raise SpecError(
                "option-conflict",
                f"{option} cannot be combined with --group, which compares pairs of annotators on common items; leave "
                "it out",
            )


def _team(data: Data, annotators: list[str] | None) -> Data:
    if annotators is None:
        return data
    check_annotators(annotators, data.present)
    return data.only_annotators(annotators)


@checks_types
def compare_all(
    studies: Mapping[str, Any], measure: Sequence[str | Measure | None] = (None,), **options: Any
) -> Comparisons:
    """Compare each pair of studies by each measure; p is corrected (Holm) for all comparisons.

    Parameters
    ----------
    studies : dict
        Studies by name: anything that `accord.read` accepts, or data that were read.
    measure : str or list of str, optional
        One or several measures. Default: the usual one for this kind of data.
    **options
        Options of `compare`.

    Returns
    -------
    Comparisons

    Raises
    ------
    SpecError
        If there are fewer than two studies, or the list of measures is empty.

    Examples
    --------
    >>> studies = {"pilot": [["a", "a"], ["b", "b"], ["a", "b"]] * 4, "main": [["a", "a"], ["b", "b"]] * 6}
    >>> round(accord.compare_all(studies, ["percent"])[0].difference, 3)
    0.333
    """
    specs = [measure] if isinstance(measure, str | Measure) else list(measure)
    if not specs:
        raise SpecError("option-value", "measure is an empty list; leave it out for the usual measure")
    if len(studies) < 2:
        raise SpecError(
            "option-missing",
            f"{counted(len(studies), 'study')} given, and a comparison needs at least two; add another to the dict",
        )
    return correct_for_several(
        compare(a, b, spec, names=(one, other), **options)
        for spec in specs
        for (one, a), (other, b) in combinations(studies.items(), 2)
    )

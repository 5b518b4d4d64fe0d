"""What a user asks on one line → the questions: which studies, sides, teams, groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from accord.context import Run
from accord.errors import DataError, SpecError, quoted
from accord.inference.comparison.checks import Checks, threshold
from accord.inference.comparison.checks import checked as held
from accord.inference.comparison.compare import compare
from accord.inference.comparison.comparisons import Comparisons, corrected
from accord.inference.comparison.groups import GroupAgreement, compare_groups
from accord.inference.comparison.influence import WHAT, influence
from accord.inference.comparison.without import Influence
from accord.inference.intervals.methods import Settings
from accord.inference.planning.designs import layout
from accord.inference.planning.results import Layout, SampleSize
from accord.inference.planning.sample_size import sample_size
from accord.io.reading import DOCUMENT
from accord.measures.base import Measure
from accord.measures.catalogue import measure
from accord.model.data import Data

_ASSUMED = {"value": 0.7, "shares": "0.5,0.5", "raters": 2}  # as the options have them where nothing is said

Tell = Callable[[str, int, int], None]
Options = Mapping[str, Any]


class Read(Protocol):
    """Reads tables as the user said; `by` names a column whose values are kept apart."""

    def __call__(self, paths: Sequence[str], by: str | None = None) -> Any: ...


def asked_measures(given: Options) -> tuple[Measure, ...]:
    """All measures that a line names, whatever the command."""
    specs = [*(given.get("measures") or ()), *(s for s in (given.get("measure"), given.get("spec_b")) if s)]
    limits = [threshold(t, bound).measure for bound in ("min", "max") for t in given.get(f"{bound}imum") or ()]
    return (*(measure(spec) for spec in specs), *limits)


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def compared(given: Options, read: Read, tell: Tell) -> Comparisons | GroupAgreement:
    """Two paths, or one with two teams, two measures, the values of a column, or groups."""
    paths: list[str] = given["paths"] or []
    if not 1 <= len(paths) <= 2:
        raise SpecError("name two tables to compare: accord compare before.csv after.csv -m alpha")
    common: dict[str, Any] = {"level": given["level"], "replicates": given["replicates"], "seed": given["seed"]}
    common |= {"progress": tell, "jobs": given["jobs"]}
    if given["group"]:
        return _groups(given, paths, read, common)
    if given["by"] is not None:
        studies = _by_column(given["by"], paths, read)
    else:
        names = [Path(path).stem or path for path in paths]
        names = names if len(set(names)) == len(names) else list(paths)
        studies = {name: read([path]) for name, path in zip(names, paths, strict=True)}
        if len(paths) == 2 and len(studies) < 2:
            raise SpecError(f"{quoted(paths[0])} is named twice; two teams are --annotators-a and --annotators-b")
    common |= {"method": given["method"], "interval": given["interval"], "paired": given["paired"]}
    specs = given["measures"] or [next(iter(studies.values())).kind.main]
    if len(studies) == 1:
        return _on_one(given, *next(iter(studies.items())), specs, common)
    common |= {"annotators_a": _listed(given["annotators_a"]), "annotators_b": _listed(given["annotators_b"])}
    listed = list(studies.items())
    return corrected(
        compare(a, b, spec, spec_b=given["spec_b"], names=(first, second), **common)
        for spec in specs
        for k, (first, a) in enumerate(listed)
        for second, b in listed[k + 1 :]
    )


def _on_one(given: Options, name: str, data: Data, specs: Sequence[str], common: dict[str, Any]) -> Comparisons:
    """The same data: two measures, or two teams."""
    teams = _listed(given["annotators_a"]), _listed(given["annotators_b"])
    if teams == (None, None):
        if given["spec_b"] is None and len(specs) == 2:
            specs, given = specs[:1], {**given, "spec_b": specs[1]}
        if given["spec_b"] is None:
            raise SpecError(
                "one table: compare it with another, or say --with SPEC for a second measure, --annotators-a and "
                "--annotators-b for two teams, --group for groups, or --by COLUMN"
            )
        return corrected(
            compare(data, None, spec, spec_b=given["spec_b"], names=(spec, given["spec_b"]), **common) for spec in specs
        )
    named = tuple(",".join(team) if team else name for team in teams)
    return corrected(
        compare(
            data,
            None,
            spec,
            spec_b=given["spec_b"],
            annotators_a=teams[0],
            annotators_b=teams[1],
            names=(named[0], named[1]),
            **common,
        )
        for spec in specs
    )


def _groups(given: Options, paths: Sequence[str], read: Read, common: dict[str, Any]) -> GroupAgreement:
    if len(paths) != 1:
        raise SpecError("--group compares the annotators of one table")
    others = ("annotators_a", "annotators_b", "by", "paired", "spec_b")
    idle = [name for name in others if given[name] is not None]
    idle += [name for name in ("method", "interval") if given[name] != "default"]
    if idle:
        said = {"paired": "--paired" if given["paired"] else "--unpaired", "spec_b": "--with"}
        option = said.get(idle[0], "--" + idle[0].replace("_", "-"))
        raise SpecError(f"{option} does not go with --group: pairs of annotators are compared on what they share")
    groups: dict[str, list[str]] = {}
    for text in given["group"]:
        name, equals, members = text.partition("=")
        if not equals or not name:
            raise SpecError(f"--group takes a name and annotators, for example people=Ana,Ben; not {quoted(text)}")
        groups[name] = [*groups.get(name, ()), *(_listed(members) or ())]
    if len(groups) < 2:
        raise SpecError("name two groups at least: --group people=Ana,Ben --group models=m1")
    data = read(paths)
    specs = given["measures"] or [data.kind.main]
    if len(specs) > 1:
        raise SpecError("--group takes one measure at a time")
    return compare_groups(data, groups, specs[0], **common)


def _by_column(column: str, paths: Sequence[str], read: Read) -> dict[str, Data]:
    """One study per value of a column; an item that comes back in another round is the same item."""
    data: Data = read(paths, column)
    if data.kind.noun == "document" and column in DOCUMENT:
        raise DataError(f"{quoted(column)} names the documents: they are what a comparison rests on, not its sides")
    parts = data.by(column)
    if len(parts) < 2:
        raise DataError(f"column {quoted(column)} has one value only: there is nothing to compare it with")
    return {value: part.without_ending(f" ({value})") for value, part in parts.items()}


def one(given: Options, read: Read, example: str) -> Any:
    """The tables that were named."""
    if not given["paths"]:
        raise SpecError(f"name a table: accord {example}")
    return read(given["paths"])


def influenced(given: Options, read: Read, tell: Tell) -> Influence:
    data = one(given, read, "influence ratings.csv -m alpha")
    specs = given["measures"] or [data.kind.main]
    if len(specs) > 1:
        raise SpecError("influence takes one measure at a time")
    return influence(
        data,
        specs[0],
        of=given["of"] or WHAT,
        annotators=_listed(given["leave_out"]),
        level=given["level"],
        replicates=given["replicates"],
        seed=given["seed"],
        progress=tell,
        jobs=given["jobs"],
    )


def checked(given: Options, read: Read, tell: Tell) -> Checks:
    asked = [threshold(text, "min") for text in given["minimum"] or ()]
    asked += [threshold(text, "max") for text in given["maximum"] or ()]
    settings = Settings(given["interval"], given["level"], given["replicates"])
    data = one(given, read, "check ratings.csv --min alpha=0.8")
    return held(data, asked, given["use"], settings, Run(given["seed"], tell, given["jobs"]))


def laid_out(given: Options) -> Layout:
    if given["documents"] is None or given["people"] is None:
        raise SpecError("a layout takes both: --documents 100 --people Ana,Ben,Chloé")
    if given["paths"]:
        raise SpecError(f"a layout takes no table ({quoted(given['paths'][0])}): --documents names what is laid out")
    return layout(
        _number_or_names(given["documents"]),
        _number_or_names(given["people"]),
        per_document=given["per_document"],
        everybody=given["everybody"],
        seed=given["seed"],
    )


def sized(given: Options, read: Read, tell: Tell) -> SampleSize:
    """From a pilot, if tables were named, else from assumed values."""
    idle = [n for n, usually in _ASSUMED.items() if given["paths"] and given[n] != usually]
    if idle:
        raise SpecError(f"--{idle[0]} is assumed where there is no pilot, and {quoted(given['paths'][0])} is one")
    if given["correlation"] and not given["paths"]:
        raise SpecError(
            "--correlation goes with a pilot: without one, the model knows how far two studies hang together"
        )
    pilot = read(given["paths"]) if given["paths"] else None
    return sample_size(
        given["measure"],
        width=given["width"],
        difference=given["difference"],
        power=given["power"],
        paired=not given["unpaired"],
        pilot=pilot,
        correlation=given["correlation"],
        value=given["value"],
        annotators=given["raters"],
        shares=_numbers(given["shares"]),
        level=given["level"],
        simulations=given["simulations"],
        seed=given["seed"],
        progress=tell,
        jobs=given["jobs"],
    )


def _number_or_names(text: str) -> int | list[str]:
    return int(text) if text.removeprefix("-").isdecimal() else _listed(text) or []


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise SpecError(f"--shares takes numbers, for example 0.6,0.3,0.1; not {quoted(text)}") from None

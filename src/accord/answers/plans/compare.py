"""`accord compare`: two studies, teams, rounds, measures, or groups of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from accord.answers.compare import Comparisons, compare, correct_for_several
from accord.answers.compare_groups import GroupAgreement, compare_groups
from accord.answers.plans.base import Plan, names_in, one_measure
from accord.answers.scoring import kinds_of
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.data.door import opened
from accord.data.io.reading import DOCUMENT
from accord.data.model.data import Data


@dataclass(frozen=True)
class ComparePlan(Plan):
    """Two paths, or one with two teams, two measures, the values of a column, or groups."""

    command: ClassVar[str] = "compare"
    example: ClassVar[str] = "before.csv after.csv -m alpha"

    measures: tuple[str, ...] = ()
    spec_b: str | None = None
    annotators_a: str | None = None
    annotators_b: str | None = None
    group: tuple[str, ...] = ()
    by: str | None = None
    paired: bool | None = None
    method: str = "default"
    interval: str = "default"
    level: float = 0.95
    replicates: int = 2000

    def answer(self, run: Run) -> Comparisons | GroupAgreement:
        if not 1 <= len(self.paths) <= 2:
            raise SpecError(f"name two tables to compare: accord compare {self.example}")
        common: dict[str, Any] = {"level": self.level, "replicates": self.replicates, "seed": run.seed}
        common |= {"progress": run.progress, "jobs": run.jobs}
        if self.group:
            return self._groups(common, run)
        studies = self._by_column(self.by, run) if self.by is not None else self._studies(run)
        common |= {"method": self.method, "interval": self.interval, "paired": self.paired}
        specs = self.measures or (next(iter(studies.values())).kind.main,)
        if len(studies) == 1:
            return self._on_one(*next(iter(studies.items())), specs, common)
        common |= {"annotators_a": names_in(self.annotators_a), "annotators_b": names_in(self.annotators_b)}
        listed = list(studies.items())
        return correct_for_several(
            compare(a, b, spec, spec_b=self.spec_b, names=(first, second), **common)
            for spec in specs
            for k, (first, a) in enumerate(listed)
            for second, b in listed[k + 1 :]
        )

    def _read(self, paths: Sequence[str], run: Run) -> Data:
        reading = self.reading if self.by is None else replace(self.reading, by=(self.by,))
        return opened(list(paths), reading, kinds_of(*self.measures, self.spec_b), run)

    def _studies(self, run: Run) -> dict[str, Data]:
        """Each path by a name: that of the file, or the whole path where two files are called alike."""
        names = [Path(path).stem or path for path in self.paths]
        names = names if len(set(names)) == len(names) else list(self.paths)
        if len(set(names)) < len(names):
            raise SpecError(f"{quoted(self.paths[0])} is named twice; two teams are --annotators-a and --annotators-b")
        return {name: self._read([path], run) for name, path in zip(names, self.paths, strict=True)}

    def _by_column(self, column: str, run: Run) -> dict[str, Data]:
        """One study per value of a column; an item that comes back in another round is the same item."""
        data = self._read(self.paths, run)
        if data.kind.noun == "document" and column in DOCUMENT:
            raise DataError(f"{quoted(column)} names the documents: they are what a comparison rests on, not its sides")
        parts = data.by(column)
        if len(parts) < 2:
            raise DataError(f"column {quoted(column)} has one value only: there is nothing to compare it with")
        return {value: part.without_ending(f" ({value})") for value, part in parts.items()}

    def _on_one(self, name: str, data: Data, specs: Sequence[str], common: dict[str, Any]) -> Comparisons:
        """The same data: two measures, or two teams."""
        teams = names_in(self.annotators_a), names_in(self.annotators_b)
        other = self.spec_b
        if teams == (None, None):
            if other is None and len(specs) == 2:
                specs, other = specs[:1], specs[1]
            if other is None:
                raise SpecError(
                    "one table: compare it with another, or say --with SPEC for a second measure, --annotators-a and "
                    "--annotators-b for two teams, --group for groups, or --by COLUMN"
                )
            return correct_for_several(
                compare(data, None, spec, spec_b=other, names=(spec, other), **common) for spec in specs
            )
        first, second = (",".join(team) if team else name for team in teams)
        common |= {"annotators_a": teams[0], "annotators_b": teams[1], "names": (first, second)}
        return correct_for_several(compare(data, None, spec, spec_b=other, **common) for spec in specs)

    def _groups(self, common: dict[str, Any], run: Run) -> GroupAgreement:
        if len(self.paths) != 1:
            raise SpecError("--group compares the annotators of one table")
        self._check_groups_alone()
        groups: dict[str, list[str]] = {}
        for text in self.group:
            name, equals, members = text.partition("=")
            if not equals or not name:
                raise SpecError(f"--group takes a name and annotators, for example people=Ana,Ben; not {quoted(text)}")
            groups[name] = [*groups.get(name, ()), *(names_in(members) or ())]
        if len(groups) < 2:
            raise SpecError("name at least two groups: --group people=Ana,Ben --group models=m1")
        spec = one_measure(self.measures, "--group")
        return compare_groups(self._read(self.paths, run), groups, spec, **common)

    def _check_groups_alone(self) -> None:
        """Refuses options that would not be heard."""
        said = {
            "--annotators-a": self.annotators_a is not None,
            "--annotators-b": self.annotators_b is not None,
            "--by": self.by is not None,
            "--paired" if self.paired else "--unpaired": self.paired is not None,
            "--with": self.spec_b is not None,
            "--method": self.method != "default",
            "--interval": self.interval != "default",
        }
        for option, given in said.items():
            if given:
                raise SpecError(
                    f"{option} does not go with --group: pairs of annotators are compared on what they share"
                )

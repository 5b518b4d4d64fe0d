"""`accord shuffle`: annotators who make known errors on a reference."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

from accord.answers.gold.consensus import NAME as CONSENSUS
from accord.answers.gold.consensus import consensus
from accord.answers.plans.base import Plan
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.generate import generate
from accord.answers.simulate.shuffle import kinds_of_errors, shuffle
from accord.answers.simulate.shufflers import shuffler_of
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.core.tables import Result, Table, plain
from accord.data.door import opened
from accord.data.model.data import Data


@dataclass(frozen=True)
class ReferencePlan(Plan):
    """What starts from a reference: one annotator of a file, the consensus of several, or a model."""

    reference: str | None = None
    generate: str | None = None

    def given(self, asked: Collection[str], run: Run) -> Data:
        """The reference, from a file or from a model."""
        if self.generate is not None and self.paths:
            raise SpecError("a reference is read or generated: leave out the file, or --generate")
        if self.generate is None and not self.paths:
            raise SpecError("name a reference, a table or texts of one annotator, or say --generate MODEL")
        if self.generate is not None and self.reference is not None:
            raise SpecError("--reference chooses an annotator of a file, and --generate needs none")
        if self.generate is not None:
            return generate(self.generate, seed=run.seed)
        return of_annotator(opened(list(self.paths), self.reading, asked, run), self.reference)


def of_annotator(data: Data, who: str | None) -> Data:
    """What one annotator gave, or the consensus of all unless somebody is called so, ready to be shuffled."""
    shuffler = shuffler_of(data)
    if who == CONSENSUS and who not in data.annotators:
        chosen = consensus(data).data
    else:
        chosen = data if who is None else shuffler.only(data, who)
    found: Data = shuffler.ready(chosen)
    return found


@dataclass(frozen=True, repr=False)
class Shuffled(Result):
    """Simulated annotations, and the reference they come from."""

    subject: ClassVar[str] = "Shuffled data"
    is_data: ClassVar[bool] = True

    data: Data
    reference: Data

    def summary(self) -> str:
        return self.data.about()[0]

    def facts(self) -> list[str]:
        return [*self.data.about(), *self.data.unsaid()]

    def tables(self) -> list[Table]:
        return [self.flat().first()]

    def to_dict(self) -> dict[str, Any]:
        columns, rows = self.data.rows()
        records = [dict(zip(columns, row, strict=True)) for row in rows]
        return plain({"data": {"kind": self.data.kind.plural, **self.data.summary()}, "rows": records})

    def flat(self) -> Table:
        """The table from which the annotations are read back."""
        return Table("", *self.data.rows())


@dataclass(frozen=True)
class ShufflePlan(ReferencePlan):
    """Which errors, how much of them, by how many annotators."""

    command: ClassVar[str] = "shuffle"
    example: ClassVar[str] = "gold.csv --error shift"

    error: tuple[str, ...] = ()
    magnitude: tuple[float, ...] = (0.3,)
    annotators: int | None = None

    def answer(self, run: Run) -> Shuffled:
        errors = [error_type(spec) for spec in self.error]
        reference = self.given(kinds_of_errors(errors), run)
        made = shuffle(reference, errors or None, magnitude=self.magnitude, annotators=self.annotators, seed=run.seed)
        return Shuffled(made, reference)

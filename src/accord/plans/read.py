"""`accord read`: how data are understood, without scoring them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from accord.context import Run
from accord.door import opened_all
from accord.model.data import Data
from accord.plans.base import Plan
from accord.tables import Result, Table, plain


@dataclass(frozen=True, repr=False)
class Understood(Result):
    """What was read, by variable."""

    variables: Mapping[str, Data]

    def summary(self) -> str:
        return "; ".join(f"{name}: {data.about()[0]}" for name, data in self.variables.items())

    def tables(self) -> list[Table]:
        return [
            Table(f"{variable}: {data.kind.title}", ("", ""), _facts(data)) for variable, data in self.variables.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {"variables": {name: {"kind": d.kind.plural, **d.summary()} for name, d in self.variables.items()}}
        )

    def flat(self) -> Table:
        rows = ((variable, *fact) for variable, data in self.variables.items() for fact in _facts(data))
        return Table("", ("variable", "what", "fact"), tuple(rows))


def _facts(data: Data) -> tuple[tuple[str, str], ...]:
    return (*data.described(), *(("note", note) for note in data.notes), ("digest", data.digest))


@dataclass(frozen=True)
class ReadPlan(Plan):
    """Tables, and how they are to be read."""

    command: ClassVar[str] = "read"
    example: ClassVar[str] = "ratings.csv"

    def answer(self, run: Run) -> Understood:  # noqa: ARG002 - nothing is computed
        self.check_named()
        return Understood(opened_all(list(self.paths), self.reading))

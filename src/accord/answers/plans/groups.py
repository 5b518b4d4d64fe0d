"""What was scored: a variable, or a part of it, with its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.answers.marginals import Marginals
from accord.core.result import Score
from accord.data.model.data import Data
from accord.measures.units.unitary import UnitaryAlignments


@dataclass(frozen=True)
class Group:
    """The scores of one set of data: a variable, or a part of it by the values of a column."""

    variable: str
    where: Mapping[str, str]
    data: Data
    scores: tuple[Score, ...]
    marginals: Marginals | None = None
    problem: str | None = None  # why this part cannot be scored at all
    explained: UnitaryAlignments | None = None

    @property
    def name(self) -> str:
        return ", ".join([self.variable, *(f"{k} = {v}" for k, v in self.where.items())])

    @property
    def part(self) -> str:
        """The same where there is one variable."""
        return ", ".join(f"{k} = {v}" for k, v in self.where.items()) or "all"

    @property
    def place(self) -> dict[str, Any]:
        """Where its scores belong, in JSON."""
        return {"variable": self.variable, "where": dict(self.where)}

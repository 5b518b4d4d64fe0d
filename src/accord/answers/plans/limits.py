"""`accord limits`: how far two annotators who give numbers are apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from accord.answers.limits import BlandAltman, bland_altman
from accord.answers.plans.base import Plan
from accord.core.context import Run
from accord.core.errors import SpecError


@dataclass(frozen=True)
class LimitsPlan(Plan):
    """Bland–Altman limits of agreement of two annotators."""

    command: ClassVar[str] = "limits"
    example: ClassVar[str] = "ratings.csv --annotators Ana,Ben"

    level: float = 0.95

    def answer(self, run: Run) -> BlandAltman:
        data = self.opened(run)
        names = self.reading.annotators or data.present
        if len(names) != 2:
            raise SpecError(f"limits of agreement are of two annotators, not {len(names)}: --annotators Ana,Ben")
        return bland_altman(data, *names, level=self.level)

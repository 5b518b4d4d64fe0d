"""`accord convert`: the same data in another format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from accord.answers.converting import Converted, checked_target, converted
from accord.answers.plans.base import Plan
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.data.door import opened_all


@dataclass(frozen=True)
class ConvertPlan(Plan):
    """What to read, behind it where to write, and in which format."""

    command: ClassVar[str] = "convert"
    example: ClassVar[str] = "project/ out/"

    to: str | None = None
    wide: bool = False
    decimals: int | None = None

    def inputs(self) -> list[Path]:
        return Plan(self.paths[:-1], self.reading).inputs()

    def targets(self) -> list[Path]:
        return [Path(self.paths[-1])] if len(self.paths) > 1 else []

    def answer(self, run: Run) -> Converted:
        if len(self.paths) < 2:
            raise SpecError("name what to read and where to write: accord convert project/ out/ --to textgrid")
        *given, target = self.paths
        place, chosen = checked_target(given, target, self.to)
        return converted(opened_all(given, self.reading, run=run), place, chosen, self.wide, self.decimals)

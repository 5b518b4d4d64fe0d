"""`accord xray`: how measures react to errors of every magnitude."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from accord.answers.plans.shuffle import ReferencePlan
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.shuffle import kinds_of_errors
from accord.answers.simulate.xray import Xray, xray
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.measures.catalogue import measure


@dataclass(frozen=True)
class XrayPlan(ReferencePlan):
    """Errors, measures, and how finely they are looked at."""

    command: ClassVar[str] = "xray"
    example: ClassVar[str] = "gold.csv --error shift -m gamma"

    error: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    function: tuple[str, ...] = ()
    step: float = 0.05
    sets: int = 40
    annotators: int = 3

    def answer(self, run: Run) -> Xray:
        return self.resumed(run)

    def resumed(self, run: Run, journal: Path | None = None, resume: bool = False) -> Xray:
        """The same; a journal keeps what is finished, and a run that was stopped goes on from there."""
        errors, measures = [error_type(spec) for spec in self.error], [measure(spec) for spec in self.measures]
        asked: list[Any] = [*measures, *(own_function(name) for name in self.function)]
        return xray(
            self.given(kinds_of_errors(errors) or [one.data for one in measures], run),
            errors or None,
            asked or None,
            step=self.step,
            sets=self.sets,
            annotators=self.annotators,
            seed=run.seed,
            journal=journal,
            resume=resume,
            progress=run.progress,
            jobs=run.jobs,
        )


def own_function(given: str) -> Callable[[Any], float]:
    """`FILE.py:NAME` → the function."""
    path, _, name = given.rpartition(":")
    if not path or not name:
        raise SpecError(f"a function is named FILE.py:NAME, not {quoted(given)}")
    try:
        found = runpy.run_path(path).get(name)
    except OSError as error:
        raise DataError(f"{quoted(path)}: {error.strerror}") from None
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a user's file
        raise DataError(f"{quoted(path)}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise SpecError(f"{quoted(path)} has no function {quoted(name)}")
    return found

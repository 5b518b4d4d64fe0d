"""`accord plan`: who annotates what, and how many items or documents it takes."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as replaced
from typing import ClassVar

from accord.answers.plan_layout import Crossing, Layout, crossing, layout
from accord.answers.plan_size import SampleSize, sample_size
from accord.answers.plans.base import Plan, names_in
from accord.answers.replacement_size import replacement_size
from accord.core.context import Run
from accord.core.errors import SpecError, quoted
from accord.data.door import opened
from accord.data.model.data import Data

# The questions that an option is for.
_SIZES = ("--width", "--difference", "--null")
_REPLACING = ("--replace", "--advantage")
_OF: dict[str, tuple[str, ...]] = {
    "measure": (*_SIZES, "--crossing"),
    "per_document": ("--documents",),
    "everybody": ("--documents",),
    "power": ("--difference", "--null", *_REPLACING),
    "unpaired": ("--difference",),
    "correlation": ("--difference",),
    "value": _SIZES,
    "shares": _SIZES,
    "raters": (*_SIZES, "--advantage"),
    "simulations": (*_SIZES, *_REPLACING),
    "epsilon": _REPLACING,
    "q": _REPLACING,
    "score": ("--replace",),
    "kind": ("--replace",),
    "least_people": ("--replace",),
    "least_items": _REPLACING,
    "ties": ("--advantage",),
    "level": (*_SIZES, "--crossing"),
}
_ASSUMED = ("value", "shares", "raters")  # what is assumed where there is no pilot


@dataclass(frozen=True)
class StudyPlan(Plan):
    """One question: a layout, a width, a difference, a value to tell from, full crossing, a model that passes."""

    command: ClassVar[str] = "plan"
    example: ClassVar[str] = "ratings.csv --crossing -m ac"

    measure: str | None = None
    documents: str | None = None
    people: str | None = None
    per_document: int = 2
    everybody: int = 0
    width: float | None = None
    difference: float | None = None
    null: float | None = None
    power: float = 0.8
    unpaired: bool = False
    correlation: float = 0.0
    value: float = 0.7
    shares: str = "0.5,0.5"
    raters: int | None = None
    simulations: int = 200
    crossing: bool = False
    replace: str | None = None
    advantage: float | None = None
    ties: float | None = None
    epsilon: str = "experts"
    q: float = 0.05
    score: str | None = None
    kind: str | None = None
    least_people: int = 2
    least_items: int = 30
    level: float = 0.95

    def answer(self, run: Run) -> Layout | SampleSize | Crossing:
        question = self.question
        idle = [name for name in _OF if getattr(self, name) != getattr(StudyPlan, name) and question not in _OF[name]]
        if idle:
            raise SpecError(f"--{idle[0].replace('_', '-')} says nothing with {question}: leave it out")
        if question == "--documents":
            return self._layout(run)
        if question in _REPLACING:
            return self._replacement(run)
        if question == "--crossing":
            spec = self.measure or "ac"
            return crossing(
                self.opened(run, spec), spec, level=self.level, seed=run.seed, progress=run.progress, jobs=run.jobs
            )
        return self._size(run)

    @property
    def question(self) -> str:
        """The option that asks; there is just one."""
        asked = {
            "--documents": self.documents is not None or (self.people is not None and self.replace is None),
            "--width": self.width is not None,
            "--difference": self.difference is not None,
            "--null": self.null is not None,
            "--crossing": self.crossing,
            "--replace": self.replace is not None,
            "--advantage": self.advantage is not None,
        }
        wanted = [option for option, on in asked.items() if on]
        if not wanted:
            raise SpecError(
                "say what should be planned: --documents and --people, or --width, or --difference, or --null, or "
                "--crossing with data, or --replace MODEL with a pilot, or --advantage"
            )
        if len(wanted) > 1:
            raise SpecError(f"{wanted[0]} and {wanted[1]} are two questions; ask one at a time")
        return wanted[0]

    def _layout(self, run: Run) -> Layout:
        if self.documents is None or self.people is None:
            raise SpecError("a layout takes both: --documents 100 --people Ana,Ben,Chloé")
        if self.paths:
            raise SpecError(f"a layout takes no table ({quoted(self.paths[0])}): --documents names what is laid out")
        return layout(
            _number_or_names(self.documents),
            _number_or_names(self.people),
            per_document=self.per_document,
            everybody=self.everybody,
            seed=run.seed,
        )

    def _replacement(self, run: Run) -> SampleSize:
        if self.replace is None and self.paths:
            raise SpecError(f"--advantage is assumed where there is no pilot, and {quoted(self.paths[0])} is one")
        if self.replace is not None and not self.paths:
            raise SpecError(
                f"--replace takes a pilot: accord plan pilot.csv --replace {self.replace}; without one, --advantage 0.9"
            )
        return replacement_size(
            self.replace,
            pilot=self._pilot() if self.paths else None,
            kind=self.kind,
            advantage=self.advantage,
            ties=self.ties,
            annotators=3 if self.raters is None else self.raters,
            epsilon=self.epsilon,
            q=self.q,
            power=self.power,
            score=self.score,
            least_people=self.least_people,
            least_items=self.least_items,
            people=names_in(self.people),
            simulations=self.simulations,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )

    def _pilot(self) -> Data:
        by = () if self.kind is None else (self.kind,)
        return opened(list(self.paths), replaced(self.reading, by=by))

    def _size(self, run: Run) -> SampleSize:
        """From a pilot, if tables were named, else from assumed values."""
        idle = [name for name in _ASSUMED if self.paths and getattr(self, name) != getattr(StudyPlan, name)]
        if idle:
            raise SpecError(f"--{idle[0]} is assumed where there is no pilot, and {quoted(self.paths[0])} is one")
        if self.correlation and not self.paths:
            raise SpecError(
                "--correlation goes with a pilot: without one, the model says how closely two studies agree"
            )
        return sample_size(
            self.measure,
            width=self.width,
            difference=self.difference,
            null=self.null,
            power=self.power,
            paired=not self.unpaired,
            pilot=self.opened(run, self.measure) if self.paths else None,
            correlation=self.correlation,
            value=self.value,
            annotators=2 if self.raters is None else self.raters,
            shares=_numbers(self.shares),
            level=self.level,
            simulations=self.simulations,
            seed=run.seed,
            progress=run.progress,
            jobs=run.jobs,
        )


def _number_or_names(text: str) -> int | list[str]:
    return int(text) if text.removeprefix("-").isdecimal() else names_in(text) or []


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise SpecError(f"--shares takes numbers, for example 0.6,0.3,0.1; not {quoted(text)}") from None

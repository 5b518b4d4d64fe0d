"""A claim under every setting: where it holds, where it does not, and where noise leaves it open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accord.studies.checks import Claim, Curves, Finding, Outcome
from accord.studies.experiments import EXPERIMENTS, Experiment

Grid = Mapping[str, Curves]  # by the name of the setting
SOME = "holds under these settings"
WORDS = (Outcome.HOLDS.value, SOME, Outcome.FAILS.value, Outcome.NOISE.value)


def settings_of(claim: Claim, experiments: Sequence[Experiment] = EXPERIMENTS) -> tuple[str, ...]:
    """The settings under which all experiments of a claim are run."""
    named = {one.key: [setting.name for setting in one.settings] for one in experiments}
    first, *others = (named[key] for key in claim.reads)
    return tuple(name for name in first if all(name in other for other in others))


@dataclass(frozen=True)
class Verdict:
    """What is found under each setting, by its name."""

    claim: Claim
    findings: Mapping[str, Finding]

    def __post_init__(self) -> None:
        if not self.findings:
            raise ValueError(f"{self.claim.key}: its experiments have no setting in common")

    def where(self, outcome: Outcome) -> tuple[str, ...]:
        """The settings with such an outcome."""
        return tuple(name for name, found in self.findings.items() if found.outcome is outcome)

    @cached_property
    def word(self) -> str:
        """One of four. Noise under one setting is no proof against a claim that fails under the others."""
        holding, open_ = self.where(Outcome.HOLDS), self.where(Outcome.NOISE)
        if len(holding) == len(self.findings):
            return Outcome.HOLDS.value
        if holding:
            return SOME
        return Outcome.NOISE.value if open_ else Outcome.FAILS.value

    @cached_property
    def words(self) -> str:
        """With the settings, where they differ."""
        if self.word == SOME:
            rest = [f"{outcome.value}: {', '.join(self.where(outcome))}" for outcome in (Outcome.FAILS, Outcome.NOISE)
                    if self.where(outcome)]  # fmt: skip
            return f"{SOME}: {', '.join(self.where(Outcome.HOLDS))} ({'; '.join(rest)})"
        failing = self.where(Outcome.FAILS)
        if self.word == Outcome.NOISE.value and failing:
            return f"{self.word}: {', '.join(self.where(Outcome.NOISE))} ({Outcome.FAILS.value}: {', '.join(failing)})"
        return self.word

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Of each setting; its name goes without saying where there is one."""
        if len(self.findings) == 1:
            return tuple(found.numbers for found in self.findings.values())
        return tuple(f"{name}: {found.numbers}" for name, found in self.findings.items())


def verdict(claim: Claim, grid: Grid, experiments: Sequence[Experiment] = EXPERIMENTS) -> Verdict:
    """A claim held against the curves of every setting it can be checked under."""
    return Verdict(claim, {name: claim.check(grid[name]) for name in settings_of(claim, experiments)})

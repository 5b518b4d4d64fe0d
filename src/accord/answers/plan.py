"""What is asked for: data, measures, breakdowns."""

from __future__ import annotations

from dataclasses import dataclass, field

from accord.errors import SpecError, UnknownName
from accord.inference.intervals.methods import Settings
from accord.io import Reading

PARTS = ("category", "annotator", "pair", "item")


@dataclass(frozen=True)
class Plan:
    """All that a run depends on; it can be kept as TOML and repeated."""

    paths: tuple[str, ...]
    measures: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    settings: Settings = field(default_factory=Settings)
    parts: tuple[str, ...] = ()  # breakdowns to show
    seed: int = 0
    scales: tuple[str, ...] = ()
    marginals: bool = False
    matrix: bool = False
    explain: bool = False  # the most costly places

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise SpecError("the seed is a whole number from 0")
        for part in self.parts:
            if part not in PARTS:
                raise UnknownName("breakdown", part, PARTS)

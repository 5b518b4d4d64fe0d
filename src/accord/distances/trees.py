"""Distances in a hierarchy of labels (Artstein & Poesio 2008, 4.2 and 4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from accord.arrays import Floats
from accord.distances.base import Distance, check_file_name
from accord.distances.hierarchy import Tree, leaf_overlap, related_levels
from accord.distances.spaces import Space
from accord.errors import SpecError, quoted
from accord.io.tables.sidefiles import read_parents
from accord.model.labels import Categories


@dataclass(frozen=True, repr=False)
class MelamedResnik(Distance):
    file: str
    mass: str = "leaves"
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "melamed_resnik"
    aliases: ClassVar[tuple[str, ...]] = ("hierarchy",)
    summary: ClassVar[str] = (
        "hierarchy: 1 − Σ min(P(l|A), P(l|B)) over leaves; file has label,parent; mass=leaves or levels"
    )

    def __post_init__(self) -> None:
        check_file_name(self.name, self.file)
        if self.mass not in {"leaves", "levels"}:
            raise SpecError(f"melamed_resnik: mass is leaves or levels, not {quoted(self.mass)}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        return self.table(lambda: leaf_overlap(tree, categories.names, self.mass == "levels"), len(categories))


@dataclass(frozen=True, repr=False)
class GeertzenBunt(Distance):
    file: str
    step: float = 0.75
    level: float = 1.0
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "geertzen_bunt"
    summary: ClassVar[str] = (
        "hierarchy: (1 − step^Δ)·level^(Γ−1) between ancestor and offspring, else 1; file has label,parent"
    )

    def __post_init__(self) -> None:
        check_file_name(self.name, self.file)
        for option in ("step", "level"):
            value = getattr(self, option)
            if not (isinstance(value, int | float) and 0 < value <= 1):
                raise SpecError(f"geertzen_bunt: {option} lies between 0 and 1, not {value}")

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        return self.table(lambda: related_levels(tree, categories.names, self.step, self.level), len(categories))

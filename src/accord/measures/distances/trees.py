"""Distances in a hierarchy of labels (Artstein & Poesio 2008, 4.2 and 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from accord.core.arrays import Floats
from accord.core.errors import SpecError, UnknownName, quoted
from accord.data.io.tables.sidefiles import read_parents
from accord.data.model.labels import Categories
from accord.measures.distances.base import Distance, check_file_name
from accord.measures.distances.hierarchy import Tree, by_best_match, leaf_overlap, nodes_of, related_levels
from accord.measures.distances.sets import Dice, Jaccard, Masi, MasiNltk, Passonneau
from accord.measures.distances.spaces import Space


@dataclass(frozen=True, repr=False)
class TreeDistance(Distance):
    """Labels are nodes of a tree, or sets of nodes: those are compared by their best matches."""

    file: str

    def __post_init__(self) -> None:
        check_file_name(self.name, self.file)

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        sets = [nodes_of(label) for label in categories]
        return self.table(lambda: by_best_match(sets, lambda nodes: self.between(tree, nodes)), len(categories))

    def between(self, tree: Tree, nodes: Sequence[str]) -> Floats:
        """How far every two of the nodes are apart."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class MelamedResnik(TreeDistance):
    mass: str = "leaves"
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "melamed_resnik"
    aliases: ClassVar[tuple[str, ...]] = ("hierarchy",)
    summary: ClassVar[str] = (
        "hierarchy: 1 − Σ min(P(l|A), P(l|B)) over leaves; file has label,parent; mass=leaves or levels"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mass not in {"leaves", "levels"}:
            raise SpecError(f"melamed_resnik: mass is leaves or levels, not {quoted(self.mass)}")

    def between(self, tree: Tree, nodes: Sequence[str]) -> Floats:
        return leaf_overlap(tree, nodes, self.mass == "levels")


@dataclass(frozen=True, repr=False)
class GeertzenBunt(TreeDistance):
    step: float = 0.75
    level: float = 1.0
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "geertzen_bunt"
    summary: ClassVar[str] = (
        "hierarchy: (1 − step^Δ)·level^(Γ−1) between ancestor and offspring, else 1; file has label,parent"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for option in ("step", "level"):
            value = getattr(self, option)
            if not (isinstance(value, int | float) and 0 < value <= 1):
                raise SpecError(f"geertzen_bunt: {option} lies between 0 and 1, not {value}")

    def between(self, tree: Tree, nodes: Sequence[str]) -> Floats:
        return related_levels(tree, nodes, self.step, self.level)


@dataclass(frozen=True, repr=False)
class ExtendedSenses(Distance):
    """A label stands for itself and all that lies above it, a set of labels for those of its members together."""

    file: str
    sets: str = "passonneau"
    name: ClassVar[str] = "extended_senses"
    summary: ClassVar[str] = "hierarchy: labels with all their ancestors, compared as sets; file has label,parent"

    def __post_init__(self) -> None:
        check_file_name(self.name, self.file)
        if self.sets not in _BETWEEN_SETS:
            raise UnknownName("distance between sets", self.sets, _BETWEEN_SETS)

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        extended = [frozenset(up for node in nodes_of(label) for up in tree.path(node)) for label in categories]
        return self.table(lambda: _BETWEEN_SETS[self.sets]().matrix(extended), len(categories))


_BETWEEN_SETS = {cls.name: cls for cls in (Passonneau, Jaccard, Dice, Masi, MasiNltk)}

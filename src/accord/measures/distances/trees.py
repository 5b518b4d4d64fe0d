"""Distances in a hierarchy of labels, also between sets of its nodes (Artstein & Poesio 2008, 4.2 and 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from accord.core.arrays import Floats
from accord.core.errors import DataError, SpecError, UnknownName, quoted
from accord.data.model.labels import Categories, Label, label_name
from accord.measures.distances.matrices import read_cells
from accord.measures.distances.sets import Dice, Jaccard, Masi, MasiNltk, Passonneau
from accord.measures.distances.spaces import Distance, Space, check_file_name

_DEEPEST = 200  # limit on the levels of a hierarchy
_BETWEEN_SETS = {cls.name: cls for cls in (Passonneau, Jaccard, Dice, Masi, MasiNltk)}


@dataclass(frozen=True)
class Tree:
    """Labels with their parents; a label without parent is at the top, level 1."""

    parents: dict[str, str]

    @cached_property
    def children(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {label: [] for label in self.parents}
        for label, parent in self.parents.items():
            if parent:
                found[parent].append(label)
        return found

    def path(self, label: str) -> list[str]:
        """Return the path from the label to the top."""
        if label not in self.parents:
            several = ', or use sets="|" if it combines several labels' if "|" in label else ""
            raise DataError(
                "hierarchy-invalid", f"label {quoted(label)} is not in the hierarchy; add a row for it{several}"
            )
        nodes = [label]
        while self.parents[nodes[-1]]:
            nodes.append(self.parents[nodes[-1]])
        return nodes

    def leaves(self, label: str) -> list[str]:
        below = self.children[label]
        return [leaf for child in below for leaf in self.leaves(child)] if below else [label]

    def leaf_mass(self, label: str, by_level: bool) -> dict[str, float]:
        """Return P(l|T): the mass of a node, split evenly over its leaves, or over its children at each level."""
        below = self.children[label]
        if not below:
            return {label: 1.0}
        if not by_level:
            leaves = self.leaves(label)
            return dict.fromkeys(leaves, 1.0 / len(leaves))
        return {
            leaf: mass / len(below) for child in below for leaf, mass in self.leaf_mass(child, by_level=True).items()
        }


def nodes_of(label: Label) -> tuple[str, ...]:
    """Return a label as nodes of the tree: the label itself, or the sorted members of a set."""
    return tuple(sorted(label_name(node) for node in label)) if isinstance(label, frozenset) else (label_name(label),)


def by_best_match(sets: Sequence[tuple[str, ...]], between: Callable[[Sequence[str]], Floats]) -> Floats:
    """d(A, B) = (Σ_a min_b d(a, b) + Σ_b min_a d(a, b)) / (|A| + |B|): each node is compared with its nearest.

    For two single nodes it is their distance. If all nodes have distance 1, it is Dice's distance. The empty set has
    distance 1 to all other sets.
    """
    nodes = sorted({node for one in sets for node in one})
    code = {node: k for k, node in enumerate(nodes)}
    apart = between(nodes) if nodes else np.zeros((0, 0))
    if all(len(one) == 1 for one in sets):
        at = [code[one[0]] for one in sets]
        return apart[np.ix_(at, at)]
    members = [np.array([code[node] for node in one], dtype=np.intp) for one in sets]
    filled = [k for k, one in enumerate(members) if len(one)]
    distance = np.ones((len(sets), len(sets)))
    if filled:
        inside = np.concatenate([members[k] for k in filled])
        sizes = np.array([len(members[k]) for k in filled])
        starts = np.cumsum(sizes) - sizes
        nearest = np.array([np.minimum.reduceat(apart[members[k]][:, inside], starts, axis=1).sum(0) for k in filled])
        distance[np.ix_(filled, filled)] = (nearest + nearest.T) / (sizes[:, None] + sizes)
    np.fill_diagonal(distance, 0.0)
    return distance


def leaf_overlap(tree: Tree, labels: Sequence[str], by_level: bool) -> Floats:
    """Return 1 − Σ_l min(P(l|A), P(l|B)): 0 for equal tags, 1 for tags without a common leaf."""
    for label in labels:
        tree.path(label)
    masses = [tree.leaf_mass(label, by_level) for label in labels]
    columns = {leaf: k for k, leaf in enumerate(sorted({leaf for mass in masses for leaf in mass}))}
    share = np.zeros((len(labels), len(columns)))
    for row, mass in enumerate(masses):
        for leaf, p in mass.items():
            share[row, columns[leaf]] = p
    distance = np.array([1.0 - np.minimum(share, row).sum(axis=1) for row in share]).reshape(len(labels), -1)
    np.fill_diagonal(distance, 0.0)
    return np.maximum(distance, 0.0)


def related_levels(tree: Tree, labels: Sequence[str], step: float, level: float) -> Floats:
    """Return (1 − step^Δ)·level^(Γ−1) for an ancestor on level Γ and its descendant Δ levels below; otherwise 1."""
    paths = [tree.path(label) for label in labels]
    distance = np.ones((len(labels), len(labels)))
    np.fill_diagonal(distance, 0.0)
    for i, lower in enumerate(paths):
        for j, upper in enumerate(paths):
            if i != j and labels[j] in lower:
                apart, top = lower.index(labels[j]), len(upper)
                distance[i, j] = distance[j, i] = (1.0 - step**apart) * level ** (top - 1)
    return distance


@dataclass(frozen=True, repr=False)
class TreeDistance(Distance):
    """Labels are nodes of a tree, or sets of nodes compared by their best matches."""

    file: str

    def __post_init__(self) -> None:
        check_file_name(self.name, self.file)

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        sets = [nodes_of(label) for label in categories]
        return self.table(lambda: by_best_match(sets, lambda nodes: self.between(tree, nodes)), len(categories))

    def between(self, tree: Tree, nodes: Sequence[str]) -> Floats:
        """Return the distances between all nodes."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class MelamedResnik(TreeDistance):
    mass: str = "leaves"
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "melamed_resnik"
    aliases: ClassVar[tuple[str, ...]] = ("hierarchy",)
    summary: ClassVar[str] = (
        "hierarchy: 1 − Σ min(P(l|A), P(l|B)) over leaves; the file has the columns label,parent; mass=leaves or levels"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mass not in {"leaves", "levels"}:
            raise SpecError("measure-option", f"melamed_resnik: mass must be leaves or levels, not {quoted(self.mass)}")

    def between(self, tree: Tree, nodes: Sequence[str]) -> Floats:
        return leaf_overlap(tree, nodes, self.mass == "levels")


@dataclass(frozen=True, repr=False)
class GeertzenBunt(TreeDistance):
    step: float = 0.75
    level: float = 1.0
    up_to_one: ClassVar[bool] = True
    name: ClassVar[str] = "geertzen_bunt"
    summary: ClassVar[str] = (
        "hierarchy: (1 − step^Δ)·level^(Γ−1) between ancestor and descendant, otherwise 1; "
        "the file has the columns label,parent"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for option in ("step", "level"):
            value = getattr(self, option)
            if not (isinstance(value, int | float) and 0 < value <= 1):
                raise SpecError("measure-option", f"geertzen_bunt: {option} must lie between 0 and 1, not {value}")

    def between(self, tree: Tree, nodes: Sequence[str]) -> Floats:
        return related_levels(tree, nodes, self.step, self.level)


@dataclass(frozen=True, repr=False)
class ExtendedSenses(Distance):
    """A label represents itself and its ancestors; a set of labels represents the union over its members."""

    file: str
    sets: str = "passonneau"
    name: ClassVar[str] = "extended_senses"
    summary: ClassVar[str] = (
        "hierarchy: labels with their ancestors, compared as sets; the file has the columns label,parent"
    )

    def __post_init__(self) -> None:
        check_file_name(self.name, self.file)
        if self.sets not in _BETWEEN_SETS:
            raise UnknownName("distance between sets", self.sets, _BETWEEN_SETS)

    def space(self, categories: Categories, marginals: Floats) -> Space:  # noqa: ARG002
        tree = Tree(read_parents(self.file))
        extended = [frozenset(up for node in nodes_of(label) for up in tree.path(node)) for label in categories]
        return self.table(lambda: _BETWEEN_SETS[self.sets]().matrix(extended), len(categories))


def read_parents(path: str) -> dict[str, str]:
    """Read a hierarchy with the columns `label,parent`; a label without parent is at the top."""
    rows = read_cells(path)
    if not rows or [cell.lower() for cell in rows[0][1][:2]] != ["label", "parent"]:
        raise DataError("hierarchy-invalid", f"{path}:1: the header row must be label,parent; add it")
    parents: dict[str, str] = {}
    for line, row in rows[1:]:
        label, parent = row[0], row[1] if len(row) > 1 else ""
        if not label:
            raise DataError("hierarchy-invalid", f"{path}:{line}: the label is empty; fill it in, or delete the row")
        if label in parents:
            raise DataError(
                "hierarchy-invalid", f"{path}:{line}: {quoted(label)} has two parents; delete one of the rows"
            )
        parents[label] = parent
    for parent in list(parents.values()):
        if parent:
            parents.setdefault(parent, "")
    for label in parents:
        node, steps = label, 0
        while parents[node]:
            node, steps = parents[node], steps + 1
            if steps > min(len(parents), _DEEPEST):
                raise DataError(
                    "hierarchy-invalid",
                    f"{path}: {quoted(label)} is its own ancestor or below level {_DEEPEST}; correct its parent",
                )
    return parents

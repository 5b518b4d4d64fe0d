"""Build chains from sets of numbers, and draw random partitions."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

import accord

from .naive import Chain, Partition


def table(docs: Mapping[str, Mapping[str, Collection[Collection[int]]]]) -> dict[str, list[object]]:
    """Mention k is at k, k + 1."""
    rows = [
        (doc, who, m, m + 1, f"{who} {k}")
        for doc, partitions in docs.items()
        for who, partition in partitions.items()
        for k, chain in enumerate(partition)
        for m in chain
    ]
    names = ("doc", "annotator", "start", "end", "chain")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def chains(docs: Mapping[str, Mapping[str, Collection[Collection[int]]]]) -> accord.Chains:
    found = accord.read(table(docs))
    assert isinstance(found, accord.Chains)
    return found


def of_two(one: Collection[Collection[int]], other: Collection[Collection[int]]) -> accord.Chains:
    return chains({"d": {"A": one, "B": other}})


def random_partition(rng: np.random.Generator, mentions: int = 8, marked: float = 0.8) -> Partition:
    """Draw a partition of a random subset of the mentions."""
    there = [m for m in range(mentions) if rng.random() < marked] or [0]
    names = rng.integers(0, int(rng.integers(1, 6)), len(there))
    found: list[Chain] = [frozenset(m for m, n in zip(there, names, strict=True) if n == k) for k in set(names)]
    return found

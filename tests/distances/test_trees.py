"""Distances of nodes of a hierarchy, and of sets of nodes: by best matches, or with all ancestors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.data.model.labels import Categories
from accord.measures.distances import distance
from accord.measures.distances.sets import Dice

from ..refusals import raises

PARENTS = {"animal": "", "dog": "animal", "cat": "animal", "puppy": "dog", "hound": "dog", "plant": "", "oak": "plant"}
NODES = sorted(PARENTS)
SPECS = ('melamed_resnik("{}")', 'melamed_resnik("{}",mass=levels)', 'geertzen_bunt("{}",level=0.9)')
sets = st.lists(st.frozensets(st.sampled_from(NODES), max_size=4), min_size=2, max_size=6, unique=True)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "tree.csv"
    path.write_text("label,parent\n" + "".join(f"{label},{parent}\n" for label, parent in PARENTS.items()))
    return path


def table(spec: str, labels: list[Any]) -> np.ndarray[Any, Any]:
    made = distance(spec).space(Categories(tuple(labels)), np.ones(len(labels)))
    return np.asarray(made.matrix)  # type: ignore[attr-defined]


def between_nodes(spec: str) -> dict[tuple[str, str], float]:
    found = table(spec, NODES)
    return {(a, b): found[i, j] for i, a in enumerate(NODES) for j, b in enumerate(NODES)}


@pytest.mark.parametrize("spec", SPECS)
@given(labels=sets)
def test_distance_of_sets_is_the_mean_of_best_matches(tree: Path, spec: str, labels: list[frozenset[str]]) -> None:
    d = between_nodes(spec.format(tree))
    found = table(spec.format(tree), labels)
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            if i == j:
                wanted = 0.0
            elif not a or not b:
                wanted = 1.0
            else:
                there = sum(min(d[x, y] for y in b) for x in a)
                back = sum(min(d[x, y] for x in a) for y in b)
                wanted = (there + back) / (len(a) + len(b))
            assert found[i, j] == pytest.approx(wanted, abs=1e-12)
            assert 0 <= found[i, j] <= 1 + 1e-12
    assert (found == found.T).all()


@given(labels=sets)
def test_flat_hierarchy_gives_dice(tmp_path_factory: pytest.TempPathFactory, labels: list[frozenset[str]]) -> None:
    flat = tmp_path_factory.getbasetemp() / "flat.csv"
    flat.write_text("label,parent\n" + "".join(f"{label},\n" for label in NODES))
    assert table(f'melamed_resnik("{flat}")', labels) == pytest.approx(Dice().matrix(labels))


@pytest.mark.parametrize("spec", SPECS)
def test_set_of_one_node_equals_the_node(tree: Path, spec: str) -> None:
    assert table(spec.format(tree), [frozenset([node]) for node in NODES]) == pytest.approx(
        table(spec.format(tree), NODES)
    )


def test_sets_of_senses_from_a_file(tree: Path, tmp_path: Path) -> None:
    """{puppy} and {dog, oak}: (1/2 + 1/2 + 1) / 3; {puppy} and {dog} 1/2."""
    labels = tmp_path / "senses.csv"
    labels.write_text("item,Ana,Ben\n1,puppy,oak|dog\n2,puppy,dog\n3,oak|dog,dog|oak\n4,oak,cat\n")
    data = accord.read(labels, sets="|")
    parts = accord.alpha(data, distance=f'melamed_resnik("{tree}")', interval="none").parts["item"]
    assert [1 - parts[name].value for name in "1234"] == pytest.approx([2 / 3, 1 / 2, 0, 1])
    with raises("hierarchy-invalid"):
        accord.alpha(labels, distance=f'melamed_resnik("{tree}")')


def test_empty_sets_alone_have_distance_0(tree: Path) -> None:
    assert table(f'melamed_resnik("{tree}")', [frozenset()]).tolist() == [[0.0]]


def test_extended_senses_include_all_ancestors(tree: Path) -> None:
    """{puppy, oak} includes puppy, dog, animal, oak, plant; it shares 4 of 6 with {hound, oak}."""
    labels = [frozenset({"puppy", "oak"}), frozenset({"hound", "oak"}), frozenset({"dog"})]
    found = table(f'extended_senses("{tree}",sets=jaccard)', labels)
    assert found[0] == pytest.approx([0, 1 - 4 / 6, 1 - 2 / 5])
    assert table(f'extended_senses("{tree}")', labels)[0] == pytest.approx([0, 2 / 3, 1 / 3])
    with raises("unknown-name"):
        distance(f'extended_senses("{tree}",sets=nominal)')

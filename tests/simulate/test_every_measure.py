"""`meaning` and `xray` work for every measure on its kind of data."""

from __future__ import annotations

from typing import Any

import pytest

import accord
from accord.answers.simulate.generate import generate
from accord.answers.simulate.meaning import meaning
from accord.answers.simulate.shuffle import shuffle
from accord.answers.simulate.xray import xray
from accord.measures.catalogue import MEASURES
from studies.experiments import Harbour

from ..refusals import raises

NUMBERS = accord.read({"item": list(range(80)), "annotator": ["gold"] * 80, "label": [1, 2, 3, 4] * 20})
# For each kind of data: a reference, an error that affects every measure, and its magnitude.
KINDS: dict[str, tuple[Any, str, float]] = {
    "items": (NUMBERS, "category", 0.3),
    "units": (generate(units=20, categories=3, seed=1), "combination([shift(overlap=false),category])", 0.3),
    "segmentations": (generate(units=30, categories=0, segmentation=True, seed=1), "shift", 0.15),
    "texts": (Harbour().made(), "combination([text,token,category],shares=[0.5,0.1,1])", 0.3),
}


@pytest.mark.parametrize("cls", [m for m in MEASURES if m.data in KINDS], ids=lambda cls: cls.name)
def test_meaning_and_xray_work_for_every_measure(cls: Any) -> None:
    gold, error, magnitude = KINDS[cls.data]
    made = shuffle(gold, error, magnitude=magnitude, seed=1)
    found = meaning(made, cls.name, gold=gold, errors=[error], step=0.5, sets=2, jobs=1)
    match = found.matches[0]
    assert match.magnitude is not None
    assert 0 < match.magnitude < 1
    assert f"{found.value:.2f}" in str(found)
    curve = xray(gold, error, [cls.name], step=0.5, sets=2, jobs=1).curves[0]
    assert curve.mean[0] > curve.mean[1]


def test_only_chains_cannot_be_shuffled() -> None:
    assert {m.data for m in MEASURES} - set(KINDS) == {"chains"}
    chains = accord.read({"annotator": ["A", "A"], "start": [0, 9], "end": [4, 12], "chain": [1, 1]})
    with raises("measure-for-other-data"):
        shuffle(chains)

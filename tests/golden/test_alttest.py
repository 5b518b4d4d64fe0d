"""../shared/golden/alttest: the alternative annotator test of Calderon, Reichart & Dror (2025) on their own sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.answers.alternative_test import alternative, likeness
from accord.core.context import Run

SHARED = Path(__file__).parents[3] / "shared"
GOLDEN = SHARED / "golden" / "alttest" / "alttest.json"
SETS = ("wax", "mtbench", "cebab_stars", "cebab_aspects")


@pytest.mark.parametrize("name", SETS)
def test_the_values_of_its_authors(name: str) -> None:
    if not GOLDEN.exists():
        pytest.skip("../shared/golden is not there")
    wanted = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    data = accord.read(SHARED / "corpora" / "alttest" / name / "labels.csv", by="kind", label="label")
    models = [case["model"] for case in wanted["cases"]]
    people = [who for who in data.present if who not in models]
    like = likeness(data, people, models, wanted["scoring"], Run())
    for case in wanted["cases"]:
        found = alternative(
            like, case["model"], epsilon=wanted["epsilon"], q=wanted["q"], least_people=wanted["min_humans_per_item"],
            least_items=wanted["min_items_per_human"], level=0.95,
        )  # fmt: skip
        assert found.winning_rate == pytest.approx(case["winning_rate"], abs=1e-12)
        assert found.advantage == pytest.approx(case["advantage_probability"], abs=1e-12)

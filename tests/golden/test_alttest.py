"""The alternative annotator test of Calderon, Reichart & Dror (2025) on their own datasets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.answers.alternative_test import assess_model, make_likeness
from accord.core.context import Run

SETS = ("wax", "mtbench", "cebab_stars", "cebab_aspects")


@pytest.mark.parametrize("name", SETS)
def test_alternative_annotator_test_equals_its_authors_values(
    name: str, golden: Callable[[str], Any], corpora: Path
) -> None:
    wanted = golden("alttest/alttest.json")[name]
    data = accord.read(corpora / "alttest" / name / "labels.csv", by="kind", label="label")
    models = [case["model"] for case in wanted["cases"]]
    people = [who for who in data.present if who not in models]
    like = make_likeness(data, people, models, wanted["scoring"], Run())
    for case in wanted["cases"]:
        found = assess_model(
            like, case["model"], epsilon=wanted["epsilon"], q=wanted["q"], least_people=wanted["min_humans_per_item"],
            least_items=wanted["min_items_per_human"], level=0.95,
        )  # fmt: skip
        assert found.winning_rate == pytest.approx(case["winning_rate"], abs=1e-12)
        assert found.advantage == pytest.approx(case["advantage_probability"], abs=1e-12)

"""Choices between two things that annotators see in different orders: labels are positions, read as what was chosen.

Ana and Ben choose between two systems for 8 items and agree on 6. n = 16, 8 choices of each: D_o = 2/8,
D_e = 2·8·8/(16·15) = 8/15, α = 1 − 15/32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord

CHOICES = {"ana": "xyxyxxyy", "ben": "xyyyxxyx"}
ALPHA = 17 / 32
pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


def alpha(data: Any) -> float:
    return float(accord.alpha(data, distance="nominal", interval="none").value)


def rows(
    first: str, second: str, label: str, *sides: str, systems: tuple[str, str] = ("x", "y")
) -> list[dict[str, Any]]:
    """Return choices with an order that differs between annotators and items."""
    found = []
    for a, (who, given) in enumerate(CHOICES.items()):
        for k, chosen in enumerate(given):
            order = "xy" if (k + a) % 3 else "yx"
            names = [systems["xy".index(side)] for side in order]
            found.append({"pair_id": f"q{k}", "annotator": who, first: names[0], second: names[1],
                          label: sides[order.index(chosen)]})  # fmt: skip
    return found


@pytest.mark.parametrize(
    "form",
    [("left", "right", "choice", "left", "right"), ("system_a", "system_b", "preference", "A", "B"),
     ("model_a", "model_b", "winner", "model_a", "model_b"), ("candidate_1", "candidate_2", "preference", "1", "2")],
)  # fmt: skip
def test_labels_are_what_was_chosen(form: tuple[str, ...]) -> None:
    with pytest.warns(accord.ReadingWarning, match="different orders.*positions"):
        read = accord.read(rows(*form))
    assert set(read.categories.names) == {"x", "y"}
    assert alpha(read) == pytest.approx(ALPHA)


def test_ties_are_kept() -> None:
    given = rows("left", "right", "choice", "left", "right")
    given[0]["choice"] = given[8]["choice"] = "tie"
    assert set(accord.read(given).categories.names) == {"tie", "x", "y"}


def test_one_order_for_each_item_is_left_alone() -> None:
    given = [
        {
            "pair_id": f"q{k}",
            "annotator": who,
            "left": "x",
            "right": "y",
            "choice": "left" if chosen == "x" else "right",
        }
        for who, choices in CHOICES.items()
        for k, chosen in enumerate(choices)
    ]
    read = accord.read(given)
    assert set(read.categories.names) == {"left", "right"}
    assert alpha(read) == pytest.approx(ALPHA)


def test_positions_of_several_pairs_follow_the_alphabet(tmp_path: Path) -> None:
    """A question has two pairs; the pair is part of the item, in any order."""
    given = [
        {**row, "question_id": int(row.pop("pair_id")[1:]) // 2, "model_a": names[0], "model_b": names[1]}
        for row in rows("model_a", "model_b", "winner", "model_a", "model_b")
        for names in [[f"{row[side]}{int(row['pair_id'][1:]) % 2}" for side in ("model_a", "model_b")]]
    ]
    path = tmp_path / "d.csv"
    path.write_text(
        "\n".join([",".join(given[0]), *(",".join(map(str, row.values())) for row in given)]) + "\n", encoding="utf-8"
    )
    read = accord.read(path)
    assert read.n_items == 8
    assert set(read.categories.names) == {"model_a", "model_b"}
    assert alpha(read) == pytest.approx(ALPHA)


def test_parts_called_a_and_b_are_no_pair() -> None:
    """Raters a and b are annotators."""
    read = accord.read({"item": [1, 2, 3, 4], "rater_a": list("ABAB"), "rater_b": list("BAAB")})
    assert read.present == ("rater_a", "rater_b")

"""Codes that may mean missing are noted with the option; accord never drops them on its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

from ..command_line import Cli


@pytest.mark.parametrize(
    ("codes", "others"),
    [(["99"], "123"), (["999"], "12345"), (["-9"], "01"), (["-99", "-88"], "01"), (["9"], "01"), (["-1"], "12345"),
     (["88", "99"], "1234567")],
)  # fmt: skip
def test_numbers_far_from_all_others_are_noted(codes: list[str], others: str) -> None:
    data = {"Ana": [*others, *codes, others[0]], "Ben": [*others, *codes, others[1]]}
    with pytest.warns(accord.ReadingWarning, match="all others are from .* if this means missing") as caught:
        ratings = accord.read(data)
    assert len(ratings) == 2 * (len(others) + len(codes) + 1)  # accord drops no label without the option
    assert all(f'"{code}"' in str(caught[0].message) for code in codes)
    assert len(accord.read(data, missing=codes)) == 2 * len(others) + 2


@pytest.mark.filterwarnings("error::accord.ReadingWarning")
@pytest.mark.parametrize(
    "labels",
    [["-1", "0", "1"], ["7", "8", "9", "10"], ["97", "98", "99", "100"], ["1", "2", "3", "4", "5", "8", "9"],
     ["0", "9"], ["-2", "-1", "0", "1", "2"]],
)  # fmt: skip
def test_numbers_of_a_scale_are_not_missing_codes(labels: list[str]) -> None:
    accord.read({"Ana": labels * 2, "Ben": labels * 2})


@pytest.mark.parametrize("word", ["k.A.", "keine Angabe", "#N/A", "NA", "n/a", "-", ".", "?", "N.A."])
def test_words_that_may_mean_missing_are_noted(word: str) -> None:
    data = {"Ana": ["pos", "neg", word], "Ben": ["pos", "neg", "neg"]}
    with pytest.warns(accord.ReadingWarning, match="if it means missing"):
        assert len(accord.read(data)) == 6
    assert len(accord.read(data, missing=word)) == 5


def test_read_and_score_suggest_the_missing_code(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,A,B\na,1,1\nb,2,3\nc,3,99\nd,99,1\ne,2,2\n", encoding="utf-8")
    for command in ("read", "score"):
        assert '--missing "99"' in cli(command, path).out
    assert "if this means missing" not in cli("score", path, "--missing", "99").out

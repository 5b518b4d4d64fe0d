"""Repeated runs of a model: items that flip within and between settings."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.answers.annotator_figures import wilson_interval

from ..command_line import Cli

ROWS = [
    # item, prompt, temperature, label
    *(("a", "p1", 0, x) for x in "xx"),
    *(("a", "p1", 1, x) for x in "xy"),
    *(("a", "p2", 0, x) for x in "yy"),
    *(("b", "p1", 0, x) for x in "yy"),
    *(("b", "p1", 1, x) for x in "yyx"),
    *(("b", "p2", 0, x) for x in "xx"),
    *(("c", "p1", 0, x) for x in "xx"),
    *(("c", "p1", 1, x) for x in "xx"),
    *(("c", "p2", 0, x) for x in "xx"),
]


def table(rows: list[tuple[str, str, int, str]]) -> dict[str, list[object]]:
    columns = dict(zip(("item", "prompt", "temperature", "label"), map(list, zip(*rows, strict=True)), strict=True))
    return {**columns, "annotator": ["gpt"] * len(rows)}


def test_flips_by_hand() -> None:
    found = accord.intra(table(ROWS), by=["prompt", "temperature"])
    assert [one.values for one in found.settings] == [("p1", "0"), ("p1", "1"), ("p2", "0")]
    assert [(one.flips.n, one.flips.flipped) for one in found.settings] == [(3, 0), (3, 2), (3, 0)]
    hot = found.settings[1].flips
    assert hot.differ == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert hot.repetitions == pytest.approx(7 / 3)
    assert found.settings[0].score.value == 1.0
    cold = next(one for one in found.between if (one.one, one.other) == (("p1", "0"), ("p2", "0")))
    assert (cold.n, cold.differ) == (3, pytest.approx(2 / 3))  # p2 changes all labels of a and b
    assert cold.score is not None
    assert cold.score.value < 0
    assert [(one.item, one.settings, one.differ) for one in found.unstable] == [
        ("a", 1, pytest.approx(1 / 3)),
        ("b", 1, pytest.approx(2 / 9)),
    ]
    assert found.unstable[0].labels == {"x": 3, "y": 3}
    assert found.flips[""].share == pytest.approx(2 / 3)


def test_flips_equal_plain_loops() -> None:
    rng = np.random.default_rng(5)
    settings = product(range(15), ("p1", "p2"), (0, 1))
    rows = [(f"i{k}", p, t, str(x)) for k, p, t in settings for x in rng.choice(list("xyz"), rng.integers(0, 5))]
    rows = [rows[k] for k in rng.permutation(len(rows))]
    found = accord.intra(table(rows), by="prompt")
    given = {
        (p, f"i{k}"): [x for i, q, _, x in rows if (i, q) == (f"i{k}", p)] for p in ("p1", "p2") for k in range(15)
    }
    for one in found.settings:
        again = [labels for (p, _), labels in given.items() if p == one.values[0] and len(labels) > 1]
        assert (one.flips.n, one.flips.flipped) == (len(again), sum(len(set(labels)) > 1 for labels in again))
        shares = [
            sum(a != b for a, b in combinations(labels, 2)) / len(list(combinations(labels, 2))) for labels in again
        ]
        assert one.flips.differ == pytest.approx(sum(shares) / len(shares))
    both = [(given["p1", i], given["p2", i]) for _, i in list(given)[:15] if given["p1", i] and given["p2", i]]
    apart = [sum(a != b for a, b in product(*pair)) / (len(pair[0]) * len(pair[1])) for pair in both]
    assert (found.between[0].n, found.between[0].differ) == (len(both), pytest.approx(sum(apart) / len(apart)))


def test_flips_are_counted_without_settings() -> None:
    found = accord.intra({"item": list("aabbcc"), "annotator": ["m"] * 6, "label": list("xxxyyy")})
    assert (found.flips[""].flipped, found.flips["m"].n) == (1, 3)
    assert [one.item for one in found.unstable] == ["b"]
    wide = accord.intra({"item": list("abc"), "Ana_1": list("xxy"), "Ana_2": list("xyy")})
    assert wide.flips["Ana"].flipped == 1


def test_rows_of_one_item_are_one_cluster() -> None:
    """Three models that flip on the same items give no more information than one."""
    rows = [(f"i{k}", m, x) for k in range(20) for m in ("m1", "m2", "m3") for x in ("xy" if k < 5 else "xx")]
    names = ("item", "annotator", "label")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    found = accord.intra({**columns, "prompt": ["p"] * len(rows)}, by="prompt")
    alone = found.flips["m1"].interval
    assert alone is not None
    for all_of_them in (found.flips[""], found.settings[0].flips):
        made = all_of_them.interval
        assert (all_of_them.n, all_of_them.share) == (60, 0.25)
        assert made is not None
        # 19 instead of 20 rows: the error of items is estimated, with 19 in the denominator
        expected = wilson_interval(0.25 * 19, 19, 0.95)
        assert expected is not None
        assert (made.low, made.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
        assert made.high - made.low > alone.high - alone.low
        assert made.method == "wilson, clustered by item"
    never = accord.intra(
        {name: [v for v, row in zip(columns[name], rows, strict=True) if row[0] > "i4"] for name in names}
    )
    none = wilson_interval(0, never.flips["m1"].n, 0.95)
    assert never.flips[""].interval is not None
    assert none is not None
    assert never.flips[""].interval.high == pytest.approx(none.high)


def test_wide_tables_are_clustered_by_item() -> None:
    table = {"item": [f"i{k}" for k in range(12)]}
    for name in ("Ana", "Ben"):
        table |= {f"{name}_1": ["x"] * 12, f"{name}_2": ["y"] * 4 + ["x"] * 8}
    found = accord.intra(table)
    both, one = found.flips[""].interval, found.flips["Ana"].interval
    assert both is not None
    assert one is not None
    assert both.high - both.low > one.high - one.low


def test_note_states_that_intervals_between_settings_may_be_short(cli: Cli, tmp_path: Path) -> None:
    several = [("gpt", *row) for row in ROWS] + [("llama", *row) for row in ROWS]
    for rows, noted in ((several, True), (several[: len(ROWS)], False)):
        lines = ["annotator,item,prompt,temperature,label", *(",".join(map(str, row)) for row in rows)]
        (tmp_path / "runs.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        made = cli("intra", str(tmp_path / "runs.csv"), "--by", "prompt")
        assert made.code == 0, made.err
        assert ("intervals may be too short" in made.out) is noted


def test_settings_without_repetitions_can_be_compared() -> None:
    """No label is repeated within a prompt; prompts can still be compared."""
    rows = [(f"i{k}", p, 0, "xy"[(k + (p == "p2" and k < 3)) % 2]) for k in range(12) for p in ("p1", "p2")]
    found = accord.intra(table(rows), by=["prompt"])
    assert [one.flips.n for one in found.settings] == [0, 0]
    assert all(one.score.undefined == "no item is repeated" for one in found.settings)
    assert found.between[0].differ == pytest.approx(3 / 12)
    assert found.between[0].score is not None


def test_intra_reads_lines_of_json(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("item", "prompt", "temperature", "label")
    lines = [json.dumps({"model": "gpt", **dict(zip(names, row, strict=True))}) for row in ROWS]
    Path("runs.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = cli("intra", "runs.jsonl", "--by", "prompt", "--by", "temperature")
    assert made.code == 0, made.err
    assert "within each setting" in made.out
    assert "between settings" in made.out
    assert "items that change" in made.out
    refused = cli("intra", "runs.jsonl", "--by", "promt")
    assert (refused.code, refused.err) == (2, 'accord: unknown column "promt": did you mean "prompt"? [unknown-name]\n')

"""Many annotators and many variables: the worst pairs first, one row per variable, common notes once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..command_line import Cli

PEOPLE = [f"P{k:02}" for k in range(30)]
VARIABLES = [f"v{k:02}" for k in range(12)]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """30 annotators; those with higher numbers make more errors."""
    lines = ["item,annotator," + ",".join(f"label_{v}" for v in VARIABLES)]
    for i in range(40):
        for g, who in enumerate(PEOPLE):
            labels = ("abc"[(i + v + (1 if (i * 7 + g * 5 + v) % 40 < g else 0)) % 3] for v in range(12))
            lines.append(f"i{i},{who},{','.join(labels)}")
    path = tmp_path / "many.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_breakdown_shows_the_worst_pairs_and_counts_the_rest(cli: Cli, many: Path) -> None:
    got = cli("score", many, "-m", "alpha", "--label", "label_v00", "--by", "pair", columns=80)
    table = got.out.split("by pair\n")[1].splitlines()
    assert table[22] == "415 more pairs; use --csv or --json for all, --matrix for one measure"
    shown = [float(line.split()[-1]) for line in table[2:22]]
    found = json.loads(cli("score", many, "-m", "alpha", "--label", "label_v00", "--by", "pair", "--json").out)
    values = sorted(part["value"] for part in found["scores"][0]["parts"]["pair"].values())
    assert len(values) == 435
    assert shown == pytest.approx(values[:20], abs=5e-4)


def test_breakdown_of_an_error_measure_starts_with_the_largest(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "spans.csv", "-m", "ser", "--by", "pair", "--interval", "none")
    values = [float(line.split()[-1]) for line in got.out.split("by pair\n")[1].splitlines()[2:5]]
    assert values == sorted(values, reverse=True)


def test_matrix_of_pairs_is_symmetric(cli: Cli, many: Path) -> None:
    options = ("--label", "label_v00", "--by", "pair", "--matrix")
    got = cli("score", many, "-m", "alpha", *options, columns=400)
    lines = got.out.split("alpha of each two annotators\n")[1].splitlines()
    assert lines[0].split() == PEOPLE
    rows = [line.split() for line in lines[2:32]]
    assert [row[0] for row in rows] == PEOPLE
    assert all(len(row) == 30 for row in rows)  # the diagonal is empty
    full = [[*row[1 : k + 1], None, *row[k + 1 :]] for k, row in enumerate(rows)]
    assert all(full[a][b] == full[b][a] for a in range(30) for b in range(30))
    found = json.loads(cli("score", many, "-m", "alpha", *options, "--json").out)["scores"][0]["parts"]["pair"]
    assert float(full[3][17] or "nan") == pytest.approx(found["P03 – P17"]["value"], abs=5e-4)
    narrow = cli("score", many, *options, columns=80).out
    assert " 1 P00 " in narrow
    assert "only s is shown; -m selects another measure" in narrow
    assert "coincidence matrix" in narrow


def test_matrix_of_pairs_is_shown_for_units(cli: Cli, garden: Path) -> None:
    got = cli("score", garden / "spans.csv", "-m", "f1", "--by", "pair", "--matrix", "--interval", "none")
    assert "f1 of each two annotators" in got.out
    assert "no labels of items" not in got.out


def test_many_variables_have_a_row_each(cli: Cli, many: Path) -> None:
    got = cli("score", many, "--notes", columns=80)
    head = next(line for line in got.out.splitlines() if line.startswith("data "))
    assert head.split() == ["data", "percent", "95%", "interval", "s", "pi", "kappa", "alpha", "ac", "items"]
    rows = [line.split() for line in got.out.splitlines() if line.startswith("label_v")]
    assert [row[0] for row in rows] == [f"label_{v}" for v in VARIABLES]
    found = json.loads(cli("score", many, "--json").out)["scores"]
    alpha = {one["variable"]: one["value"] for one in found if one["measure"] == "alpha"}
    assert [float(row[-3]) for row in rows] == pytest.approx(list(alpha.values()), abs=5e-4)
    assert "in every row: annotators 30" in got.out
    assert got.out.count("p for no agreement: < 0.001 to 0.002; --json has each") == 1
    assert got.out.count("3 categories") == 1


def test_notes_about_some_variables_name_them(cli: Cli, tmp_path: Path) -> None:
    table = tmp_path / "two.csv"
    rows = [f"i{k},{who},{'xy'[(k + (g == k % 2)) % 2]},{'xyz'[k % 3]}" for k in range(8) for g, who in enumerate("AB")]
    table.write_text("\n".join(["item,annotator,label_one,label_two", *rows]), encoding="utf-8")
    out = cli("score", table, "-m", "alpha", "-m", "pi").out
    assert "(label_one)" in out
    assert "(label_two)" in out


def test_marginals_show_the_most_different_pairs(cli: Cli, many: Path) -> None:
    got = cli("score", many, "-m", "alpha", "--label", "label_v00", "--marginals")
    lines = got.out.split("tests of equal marginal distributions (label_v00)\n")[1].splitlines()
    assert lines[22].startswith("415 more pairs with larger p of Stuart–Maxwell; --json has all")
    found = json.loads(cli("score", many, "-m", "alpha", "--label", "label_v00", "--marginals", "--json").out)
    tests = [pair["stuart_maxwell"]["p"] for pair in found["marginals"][0]["pairs"] if pair["stuart_maxwell"]]
    assert len(found["marginals"][0]["pairs"]) == 435
    assert float(lines[2].split()[6]) == pytest.approx(min(tests), abs=5e-4)

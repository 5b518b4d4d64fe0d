"""Exported tables: accord recognises the roles of columns, or refuses the table and names the options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord

from ..cases import for_each
from ..command_line import Cli
from ..refusals import raises

# Cohen's κ of this matrix is .4: observed .7, expected .5.
MATRIX = {("1", "1"): 20, ("1", "2"): 5, ("2", "1"): 10, ("2", "2"): 15}
PAIRS = [pair for pair, n in MATRIX.items() for _ in range(n)]
FIRST, SECOND = ([pair[k] for pair in PAIRS] for k in (0, 1))
# The example of Krippendorff's α on Wikipedia: three coders, fifteen units, nominal α .691.
CODERS = [", , , , ,3,4,1,2,1,1,3,3, ,3", "1, ,2,1,3,3,4,3, , , , , , , ", " , ,2,1,3,4,4, ,2,1,1,3,3, ,4"]
CODERS = [line.replace(" ", "") for line in CODERS]


def table(
    folder: Path, columns: Sequence[Iterable[object]], header: Sequence[object] = (), name: str = "t.csv"
) -> Path:
    lines = [",".join(map(str, row)) for row in ([header] if header else []) + list(zip(*columns, strict=True))]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def recode(labels: Sequence[str], one: str, two: str) -> list[str]:
    return [{"1": one, "2": two}[label] for label in labels]


def kappa(data: Any, **options: Any) -> float:
    return accord.kappa(data, interval="none", **options).value


def draw_noisy_labels(
    seed: int, labels: Sequence[object], annotators: int, n: int = 60, right: float = 0.8
) -> list[list[object]]:
    """Draw labels of annotators who mostly give the true label."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(len(labels), size=n)
    guessed = rng.integers(len(labels), size=(annotators, n))
    codes = np.where(rng.random((annotators, n)) < right, truth, guessed)
    return [[labels[k] for k in line] for line in codes]


# -- several variables ------------------------------------------------------------------------------------------------

TONE = [recode(FIRST, "pos", "neg"), recode(SECOND, "pos", "neg")]
FRAME = [recode(FIRST, "x", "y")] * 2
OUTLET = ["NYT", "FAZ", "BBC", "taz", "SZ"] * 10
DATE = [f"2024-01-{k % 28 + 1:02}" for k in range(50)]


@pytest.mark.parametrize(
    ("names", "annotators"),
    [
        (["coder1_tone", "coder2_tone", "coder1_frame", "coder2_frame"], ("coder1", "coder2")),
        (["tone.ana", "tone.ben", "frame.ana", "frame.ben"], ("ana", "ben")),
        (["tone1", "tone2", "frame1", "frame2"], ("1", "2")),
        (["coder 1: tone", "coder 2: tone", "coder 1: frame", "coder 2: frame"], ("coder 1", "coder 2")),
        (["coder1Tone", "coder2Tone", "coder1Frame", "coder2Frame"], ("coder1", "coder2")),
        (["ana-tone", "ben-tone", "ana-frame", "ben-frame"], ("ana", "ben")),
    ],
)
def test_wide_table_of_several_variables_is_split_by_column_names(
    tmp_path: Path, names: list[str], annotators: tuple[str, str]
) -> None:
    columns = [range(1, 51), OUTLET, DATE, *TONE, *FRAME]
    found = accord.read_all(table(tmp_path, columns, ["nr", "outlet", "day", *names]))
    tone, frame = found.values()
    assert [name.strip().lower() for name in found] == ["tone", "frame"]
    assert (tone.annotators, tone.n_items) == (annotators, 50)
    assert (kappa(tone), kappa(frame)) == (pytest.approx(0.4), 1.0)
    assert any("not read as annotators: outlet, day" in note for note in tone.notes)


def test_variables_with_the_same_codes_are_distinguished_by_column_names(tmp_path: Path) -> None:
    columns = [*draw_noisy_labels(1, [0, 1], 3), *draw_noisy_labels(2, [0, 1], 3), *draw_noisy_labels(3, [0, 1], 3)]
    wanted = [accord.alpha(np.array(columns[k : k + 3]).T, interval="none").value for k in (0, 3, 6)]
    variables = ["tone", "frame", "topic"]
    for pattern in ("coder{a}_{v}", "{v}{a}", "{v}_{a}", "q{v}-rater {a}", "{v}_r{a}"):
        names = [pattern.format(a=a, v=v) for v in variables for a in (1, 2, 3)]
        found = accord.read_all(table(tmp_path, [range(60), *columns], ["id", *names]))
        assert [accord.alpha(data, interval="none").value for data in found.values()] == pytest.approx(wanted)


def test_variables_named_like_annotators_are_variables(tmp_path: Path) -> None:
    columns = [*draw_noisy_labels(1, [0, 1], 2), *draw_noisy_labels(2, [0, 1], 2)]
    for variables in (["a1", "a2"], ["a", "b"]):
        names = [f"coder{a}_{v}" for v in variables for a in (1, 2)]
        assert list(accord.read_all(table(tmp_path, [range(60), *columns], ["id", *names]))) == variables


def test_columns_pattern_names_annotator_and_variable(tmp_path: Path, cli: Cli) -> None:
    path = table(tmp_path, [range(50), *TONE, *FRAME], ["id", "k1", "k2", "m1", "m2"])
    found = accord.read_all(path, columns="{label}{annotator}")
    assert (list(found), kappa(found["k"]), kappa(found["m"])) == (["k", "m"], pytest.approx(0.4), 1.0)
    assert kappa(path, columns="{label}{annotator}", label="k") == pytest.approx(0.4)
    got = cli("score", path, "-m", "kappa", "-m", "pi", "--columns", "{label}{annotator}")
    assert got.code == 0
    assert "by variable" in got.out
    with raises("option-value"):
        accord.read(path, columns="{label}")
    with raises("roles-unclear"):
        accord.read(path, columns="{annotator}_{label}")
    with raises("unknown-name", '"q"'):
        accord.read(path, columns="{label}{annotator}", label="q")


def test_label_option_chooses_one_of_several_variables(tmp_path: Path) -> None:
    path = table(tmp_path, [*TONE, *FRAME], ["coder1_tone", "coder2_tone", "coder1_frame", "coder2_frame"])
    assert kappa(path, label="tone") == pytest.approx(0.4)
    with raises("several-variables"):
        accord.read(path)
    with raises("unknown-name", '"tone"'):
        accord.read(path, label="tne")


@pytest.mark.parametrize(
    "names",
    [
        ["A1", "A2", "B1", "B2"],
        ["coder_1", "coder_2", "expert_1", "expert_2"],
        ["nurse1", "nurse2", "doctor1", "doctor2"],
        ["ana_h", "ben_h", "ana_m", "ben_m"],
    ],
)
def test_annotators_whose_names_form_a_grid_are_annotators(tmp_path: Path, names: list[str]) -> None:
    columns = draw_noisy_labels(4, ["a", "b", "c"], 4)
    ratings = accord.read(table(tmp_path, [range(60), *columns], ["id", *names]))
    assert ratings.annotators == tuple(names)


def test_ambiguous_grid_of_columns_is_refused_with_the_options(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    columns = rng.integers(0, 2, (4, 60)).tolist()
    path = table(tmp_path, [range(60), *columns], ["id", "ana_x1", "ben_x1", "ana_y1", "ben_y1"])
    with raises("roles-unclear", "--columns", '"{label}_{annotator}"', "--annotators-in columns"):
        accord.read(path)
    assert accord.read(path, annotators_in="columns").n_annotators == 4
    groups = table(tmp_path, [range(50), *TONE, *FRAME], ["id", "Ana", "Ben", "Cleo", "Dan"])
    with raises("roles-unclear"):
        accord.read(groups)
    assert kappa(groups, label=["Ana", "Ben"]) == pytest.approx(0.4)


# -- without a header -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "two"), [("1", "2"), ("0", "1"), ("yes", "no"), ("pos", "neg")])
def test_matrix_of_codes_without_header_keeps_its_first_row(tmp_path: Path, one: str, two: str) -> None:
    columns = [recode(FIRST, one, two), recode(SECOND, one, two)]
    ratings = accord.read(table(tmp_path, columns))
    assert (ratings.n_items, kappa(ratings)) == (50, pytest.approx(0.4))
    assert any("no header row" in note for note in ratings.notes)
    named = accord.read(table(tmp_path, [[f"s{k}" for k in range(50)], *columns]))
    assert (named.n_items, named.items[0], kappa(named)) == (50, "s0", pytest.approx(0.4))


def test_matrix_of_four_annotators_is_not_a_table_of_units(tmp_path: Path) -> None:
    columns = [FIRST, SECOND, FIRST, SECOND]
    ratings = accord.read(table(tmp_path, columns))
    assert (ratings.kind.name, ratings.n_items, ratings.n_annotators) == ("items", 50, 4)
    for units in ("Ana,x,1,3\nBen,x,1,3\nAna,y,4,6\n", "1,1,10,30\n2,1,11,30\n1,2,50,80\n2,2,49,80\n"):
        (tmp_path / "u.csv").write_text(units, encoding="utf-8")
        assert accord.read(tmp_path / "u.csv").kind.name == "units"


def test_measurements_without_header_keep_all_rows(tmp_path: Path) -> None:
    values = np.random.default_rng(6).normal(50, 10, (30, 2)).round(2)
    ratings = accord.read(table(tmp_path, values.T.tolist()))
    assert (ratings.n_items, ratings.n_annotators) == (30, 2)


def test_possible_header_needs_an_option(tmp_path: Path, cli: Cli) -> None:
    path = table(tmp_path, [["1", *FIRST], ["2", *SECOND]])
    with raises("header-row", "t.csv:1", "--no-header", "--annotators-in columns"):
        accord.read(path)
    assert accord.read(path, no_header=True).n_items == 51
    named = accord.read(path, annotators_in="columns")
    assert (named.n_items, named.annotators, kappa(named)) == (50, ("1", "2"), pytest.approx(0.4))
    assert "51 items" in cli("score", path, "--no-header", "-m", "kappa").out
    votes = table(tmp_path, [["Ana", "Ben", "Ana", "Ben"], ["Ben", "Ana", "Ana", "Ben"], ["Cleo", "Ben", "Ana", "Cleo"],
                             ["Dan", "Ana", "Cleo", "Dan"]])  # fmt: skip
    with raises("header-row"):
        accord.read(votes)


@pytest.mark.parametrize("header", [["item", 1, 2, 3, 4, 5], ["photo", "r1", "r2", "r3", "r4", "r5"]])
def test_numbers_in_the_header_name_annotators(tmp_path: Path, header: list[object]) -> None:
    columns = draw_noisy_labels(7, [1, 2, 3, 4, 5], 5)
    ratings = accord.read(table(tmp_path, [range(1, 61), *columns], header))
    assert (ratings.n_items, ratings.annotators) == (60, tuple(map(str, header[1:])))
    bare = accord.read(table(tmp_path, columns, [1, 2, 3, 4, 5]))
    assert (bare.n_items, bare.annotators) == (60, ("1", "2", "3", "4", "5"))


def test_sentences_are_items_with_and_without_header(tmp_path: Path) -> None:
    sentences = [f"this is number {'x' * k} here" for k in range(12)]
    labels = [["pos", "neg", "pos"] * 4, ["pos", "pos", "neg"] * 4]
    ratings = accord.read(table(tmp_path, [sentences, *labels], ["tweet text", "Ana", "Ben"]))
    assert (ratings.annotators, ratings.n_items) == (("Ana", "Ben"), 12)
    bare = table(tmp_path, [sentences[:-1], *(line[1:] for line in labels)])
    with raises("header-row"):
        accord.read(bare)
    assert accord.read(bare, no_header=True).n_items == 11


def test_two_columns_of_one_person_are_refused_with_the_cells_to_rename(tmp_path: Path) -> None:
    path = table(tmp_path, [["a", "b"], ["x", "y"], ["x", "x"]], ["id", "Ana", "Ana"])
    with raises("header-row", '"Ana" is the name of columns 2 and 3', '"Ana_1"'):
        accord.read(path)


# -- items by their values --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["patient", "image", "epoch", "k"])
@for_each("start", [0, 1, 1001])
def test_a_column_of_different_values_is_the_item(tmp_path: Path, name: str, start: int) -> None:
    codes = [recode(FIRST, "0", "1"), recode(SECOND, "0", "1")]
    for columns, header in (
        ([range(start, start + 50), *codes], [name, "A", "B"]),
        ([*codes, range(start, start + 50)], ["A", "B", name]),
    ):
        ratings = accord.read(table(tmp_path, columns, header))
        assert (ratings.annotators, kappa(ratings)) == (("A", "B"), pytest.approx(0.4))
        assert any(f"column {name!r} read as the item" in note for note in ratings.notes)


def test_paragraph_numbers_are_not_labels(tmp_path: Path) -> None:
    codes = [recode(FIRST, "0", "1"), recode(SECOND, "0", "1")]
    for articles in ([k // 5 for k in range(50)], [f"art{k // 5}" for k in range(50)]):
        columns = [articles, [k % 5 + 1 for k in range(50)], *codes]
        ratings = accord.read(table(tmp_path, columns, ["article", "par", "A", "B"]))
        assert (ratings.annotators, ratings.n_items, kappa(ratings)) == (("A", "B"), 50, pytest.approx(0.4))


def test_column_with_few_shared_labels_needs_an_option(tmp_path: Path) -> None:
    codes = [recode(FIRST, "0", "1"), recode(SECOND, "0", "1")]
    path = table(tmp_path, [range(50), ["3", "2", "2", "1", "3"] * 10, *codes], ["id", "wave", "A", "B"])
    with raises("roles-unclear", '--role "wave=ignore"', "(2 annotators)", "--annotators-in columns"):
        accord.read(path)
    assert kappa(path, by="wave") == pytest.approx(0.4)


def test_tables_of_few_rows_are_read_by_their_headers(tmp_path: Path) -> None:
    assert accord.read(table(tmp_path, ["xy", "xy", "yy"], ["A", "B", "C"])).annotators == ("A", "B", "C")
    assert accord.read(table(tmp_path, ["12", "xy", "xy", "yy"], ["item", "A", "B", "C"])).n_items == 2
    same = accord.read(table(tmp_path, ["123", "123"], ["A", "B"]))
    assert (same.annotators, same.n_items) == (("A", "B"), 3)
    with raises("roles-unclear", '"A"', "--item"):
        accord.read(table(tmp_path, ["123", "112", "133"], ["A", "B", "C"]))


def test_columns_that_share_nothing_are_refused(tmp_path: Path) -> None:
    path = table(tmp_path, ["aabbccdd", "xyzxyzxy", "12312312"], ["one", "two", "three"])
    with raises("roles-unclear"):
        accord.read(path)
    measured = np.random.default_rng(0).normal(size=(2, 50)).round(6).tolist()
    assert accord.read(table(tmp_path, measured, ["Ana", "Ben"])).n_annotators == 2


# -- a label per row --------------------------------------------------------------------------------------------------


def draw_triples(workers: int = 20, items: int = 120, each: int = 4) -> list[tuple[int, int, int]]:
    rng = np.random.default_rng(8)
    truth = rng.integers(4, size=items)
    busy = rng.dirichlet(np.full(workers, 0.5)) * 0.5 + 0.5 / workers
    made = [
        (int(who), item, int(truth[item] if rng.random() < 0.7 else rng.integers(4)))
        for item in range(items)
        for who in rng.choice(workers, each, replace=False, p=busy)
    ]
    return [made[k] for k in rng.permutation(len(made))]


@pytest.mark.parametrize("header", [(), ("wid", "tid", "lab")])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_triples_are_read_as_long_layout(tmp_path: Path, header: tuple[str, ...], order: tuple[int, int, int]) -> None:
    rows = draw_triples()
    who, what, label = zip(*rows, strict=True)
    wanted = accord.read(
        {"annotator": list(map(str, who)), "item": list(map(str, what)), "label": list(map(str, label))}
    )
    columns = [list(zip(*rows, strict=True))[k] for k in order]
    ratings = accord.read(table(tmp_path, columns, [header[k] for k in order] if header else ()))
    assert (ratings.n_items, ratings.n_annotators, len(ratings.categories)) == (120, 20, 4)
    assert accord.alpha(ratings, interval="none").value == accord.alpha(wanted, interval="none").value
    assert any("each row is a label" in note for note in ratings.notes)


def test_ambiguous_triples_need_options(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    rows = [(who, item, int(rng.integers(2))) for item in range(8) for who in range(6)]
    path = table(tmp_path, list(zip(*rows, strict=True)))
    with raises("roles-unclear", '"column 1"', '"column 2"', "--annotator", "--item"):
        accord.read(path)
    ratings = accord.read(path, annotator="column 1", item="column 2", label="column 3")
    assert (ratings.n_annotators, ratings.n_items) == (6, 8)


# -- matrices, and rows of annotators ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Total", "Summe", "gesamt", ""])
def test_totals_of_a_confusion_matrix_are_left_out(tmp_path: Path, name: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(f"Ana/Ben,a,b,{name}\na,20,5,25\nb,10,15,25\n{name},30,20,50\n", encoding="utf-8")
    ratings = accord.read(path, layout="confusion")
    assert (ratings.n_items, kappa(ratings)) == (50, pytest.approx(0.4))
    assert sum("is left out because it is a total" in note for note in ratings.notes) == 2


def test_wrong_totals_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(",a,b,Total\na,20,5,25\nb,10,15,26\nTotal,30,20,50\n", encoding="utf-8")
    with raises("invalid-counts", '"Total"'):
        accord.read(path, layout="confusion")
    path.write_text(",a,b,c\na,20,5,25\nb,10,15,25\nc,30,20,50\n", encoding="utf-8")
    with raises("invalid-counts"):
        accord.read(path, layout="confusion")
    with raises("layout-unclear", "--layout confusion", "--layout wide"):
        accord.read(path)


def test_totals_of_counts_are_left_out(tmp_path: Path) -> None:
    path = table(
        tmp_path, ["abcd", [3, 1, 0, 2], [0, 2, 2, 0], [0, 0, 1, 1], [3] * 4], ["item", "x", "y", "z", "Total"]
    )
    plainly = {"x": [3, 1, 0, 2], "y": [0, 2, 2, 0], "z": [0, 0, 1, 1]}
    assert accord.pi(path, layout="counts").value == accord.pi(plainly, layout="counts").value


def test_matrices_of_counts_need_no_header(tmp_path: Path) -> None:
    counts = [[44, 5, 8], [5, 30, 2], [4, 3, 27]]
    wanted = accord.read(counts, layout="confusion")
    path = table(tmp_path, list(zip(*counts, strict=True)))
    ratings = accord.read(path, layout="confusion")
    assert (ratings.n_items, kappa(ratings)) == (128, kappa(wanted))
    named = accord.read(table(tmp_path, ["xyz", *zip(*counts, strict=True)]), layout="confusion")
    assert (named.n_items, named.categories.names, kappa(named)) == (128, ("x", "y", "z"), kappa(wanted))
    rows = [[3, 0, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1]]
    path = table(tmp_path, list(zip(*rows, strict=True)))
    assert accord.pi(path, layout="counts").value == accord.pi(rows, layout="counts").value
    unclear = table(tmp_path, [[0, 1, 0], [1, 2, 2], [2, 0, 1]])
    with raises("header-row", "--no-header", "--categories"):
        accord.read(unclear, layout="counts")


@pytest.mark.parametrize(
    "lines",
    [
        CODERS,
        ["coder," + ",".join(f"u{k}" for k in range(15)), *(f"{n},{c}" for n, c in zip("ABC", CODERS, strict=True))],
        ["," + ",".join(f"u{k}" for k in range(15)), *(f"{n},{c}" for n, c in zip("ABC", CODERS, strict=True))],
    ],
)
def test_annotators_in_rows_are_recognised(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for options in ({}, {"annotators_in": "rows"}):
        ratings = accord.read(path, **options)
        assert ratings.n_annotators == 3
        assert accord.alpha(ratings, distance="nominal", interval="none").value == pytest.approx(0.691, abs=5e-4)


def test_annotators_in_rows_of_an_array_are_read_with_the_option() -> None:
    values = [[float(cell) if cell else np.nan for cell in line.split(",")] for line in CODERS]
    lists = [[None if np.isnan(cell) else cell for cell in line] for line in values]
    for data in (np.array(values), lists):
        score = accord.alpha(data, distance="nominal", annotators_in="rows", interval="none")
        assert score.value == pytest.approx(0.691, abs=5e-4)
        assert any('annotators_in="rows"' in note for note in accord.read(data).notes)


def test_many_annotators_of_few_items_stay_columns(tmp_path: Path) -> None:
    names = [f"rater{k}" for k in range(12)]
    columns = [["x", "y", "y"]] * 11 + [["x", "x", "y"]]
    assert accord.read(table(tmp_path, ["abc", *columns], ["photo", *names])).annotators == tuple(names)
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 3, (12, 3)).tolist()
    path = table(tmp_path, ["abc", *noise], ["photo", *(f"w{k}" for k in range(12))])
    with raises("roles-unclear", "--annotators-in rows", "--annotators-in columns"):
        accord.read(path)
    assert accord.read(path, annotators_in="columns").n_annotators == 12


# -- ordered factors --------------------------------------------------------------------------------------------------

LEVELS = ["little", "half", "most", "whole"]
GRADES = [["little", "half", "most", "half", "little", "most"], ["half", "half", "most", "little", "little", "half"]]


def frames(folder: Path) -> list[Any]:
    ordered = pd.DataFrame(
        {name: pd.Categorical(g, LEVELS, ordered=True) for name, g in zip("AB", GRADES, strict=True)}
    )
    ordered.to_parquet(folder / "pandas.parquet")
    factors = pl.DataFrame(dict(zip("AB", GRADES, strict=True)), schema=dict.fromkeys("AB", pl.Enum(LEVELS)))
    factors.write_parquet(folder / "polars.parquet")
    return [
        ordered,
        factors,
        factors.lazy(),
        pa.Table.from_pandas(ordered),
        folder / "pandas.parquet",
        folder / "polars.parquet",
    ]


def test_order_of_a_factor_is_the_order_of_categories(tmp_path: Path) -> None:
    wanted = accord.alpha(dict(zip("AB", GRADES, strict=True)), distance="ordinal", categories=LEVELS).value
    assert wanted != accord.alpha(dict(zip("AB", GRADES, strict=True)), distance="ordinal").value
    for frame in frames(tmp_path):
        ratings = accord.read(frame)
        assert ratings.categories.names == tuple(LEVELS)
        assert (ratings.measurement.level, ratings.measurement.basis) == ("ordinal", "file")
        assert accord.alpha(ratings).value == wanted
        assert "categories in the order of the data: little < half < most < whole" in ratings.notes


def test_contradictory_orders_are_refused_unless_categories_are_declared() -> None:
    frame = pd.DataFrame(
        {
            "A": pd.Categorical(GRADES[0], LEVELS, ordered=True),
            "B": pd.Categorical(GRADES[1], LEVELS[::-1], ordered=True),
        }
    )
    with raises("invalid-label", "--categories"):
        accord.read(frame)
    assert accord.read(frame, categories=LEVELS).categories.names == tuple(LEVELS)
    part = frame.assign(B=pd.Categorical(GRADES[1], LEVELS[:3], ordered=True))
    assert accord.read(part).categories.names == tuple(LEVELS)
    plain = frame.assign(B=pd.Categorical(GRADES[1], LEVELS), A=pd.Categorical(GRADES[0], LEVELS))
    assert accord.read(plain).categories.names == ("half", "little", "most")


# -- labels and messages ----------------------------------------------------------------------------------------------


def test_label_may_contain_a_line_break(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text('item,A,B\n1,"x\ny","x\ny"\n2,x,"x\ny"\n3,x,x\n4,x,x\n', encoding="utf-8")
    ratings = accord.read(path)
    assert (ratings.categories.names, accord.percent(ratings).value) == (("x", "x\ny"), 0.75)
    assert "x\\ny" in cli("score", path, "-m", "kappa", "--by", "category").out


def test_messages_show_tabs_as_escapes(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("item\tannotator\tlabel\n1\tA\tx\ty\n", encoding="utf-8")
    with raises("uneven-rows", '"\\t"'):
        accord.read(path)


ENTRIES = [(f"i{k}", who, "xy"[(k + who) % 3 % 2]) for k in range(12) for who in range(3)]


def test_several_possible_item_columns_are_resolved_or_refused(tmp_path: Path) -> None:
    what, who, label = zip(*ENTRIES, strict=True)
    for other in (
        range(36),
        [f"Sentence {w}" for w in what],
        [w[:2] for w in what],
    ):  # row numbers, equivalent names, coarser groups
        ratings = accord.read(table(tmp_path, [other, what, who, label], ["id", "sentence", "rater", "label"]))
        assert (ratings.n_items, ratings.n_pairable) == (12, 12)
    crossed = [(k * 7) % 36 // 3 for k in range(36)]
    with raises("roles-unclear", '"case"', '"unit"', "--item"):
        accord.read(table(tmp_path, [what, crossed, who, label], ["case", "unit", "rater", "label"]))


def test_several_possible_annotator_columns_are_resolved_or_refused(tmp_path: Path) -> None:
    what, who, label = zip(*ENTRIES, strict=True)
    header = ["item", "rater", "coder", "label"]
    with raises("roles-unclear", '"rater"', '"coder"', "--annotator"):
        accord.read(table(tmp_path, [what, who, [k % 2 for k in range(36)], label], header))
    assert accord.read(table(tmp_path, [what, who, [f"c{w}" for w in who], label], header)).n_annotators == 3
    model = table(tmp_path, [what, who, [k % 2 for k in range(36)], label], ["item", "rater", "model", "label"])
    assert accord.read(model).n_annotators == 3


# -- suspicious data --------------------------------------------------------------------------------------------------


def notes_of(columns: dict[str, list[Any]], **options: Any) -> str:
    return " / ".join(accord.read(columns, **options).notes)


def test_suspicious_data_are_reported_in_notes() -> None:
    n = 100
    alone = {"item": [*range(n), 0, 1], "annotator": ["A"] * n + ["B"] * 2, "label": ["x", "y"] * 51}
    assert "only 2 of 100 items have two labels" in notes_of(alone)
    lonely = {"item": [0, 1, 0, 1, 2], "annotator": ["A", "A", "B", "B", "C"], "label": list("xyxyx")}
    assert '1 annotator without common items with others: "C"' in notes_of(lonely)
    texts = {"item": list(chain(range(1500), range(1500))), "annotator": ["A"] * 1500 + ["B"] * 1500,
             "label": [f"text {k}" for k in range(1500)] + ["text 1"] * 1500}  # fmt: skip
    assert '"A" gave 1,500 different labels' in notes_of(texts)
    sparse = {name: [None] * 100 for name in "ABCD"}
    for name in "ABCD":
        sparse[name] = ["x", "y"] * 2 + [None] * 96  # type: ignore[list-item]
    assert "96% of the labels are missing" in notes_of(sparse)
    mixed = {"item": [1, 1, 2, 2], "annotator": ["Ana", "Ben"] * 2, "label": ["Ana", "Ben", "Ben", "Ana"]}
    assert "the labels are names of annotators" in notes_of(mixed)
    assert 'labels read as the same: "1", "1.0"' in notes_of({"A": ["1", "2", "1"], "B": ["1.0", "2.0", "2"]})
    assert "are counted as different; use --fold case" in notes_of(
        {"A": ["yes", "no", "Yes"], "B": ["yes", "no", "yes"]}
    )


def test_rows_with_equal_sums_need_a_layout_option(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    counts = rng.multinomial(4, [0.5, 0.3, 0.2], size=12)
    path = table(tmp_path, [range(12), *counts.T.tolist()], ["item", "a", "b", "c"])
    with raises("layout-unclear", "--layout counts"):
        accord.read(path)
    assert accord.read(path, layout="wide").n_annotators == 3
    assert accord.pi(path, layout="counts").value == accord.pi(counts, layout="counts").value


NAMES = (
    ("Ana", "Ben", "Cleo", "Dan"),
    ("A1", "A2", "B1", "B2"),
    ("rater1", "rater2", "rater3", "rater4"),
    ("coder_1", "coder_2", "expert_1", "expert_2"),
    ("1", "2", "3", "4"),
)
SCALES: tuple[tuple[object, ...], ...] = (
    (0, 1),
    (1, 2, 3, 4, 5),
    ("yes", "no"),
    ("a", "b", "c", "d"),
    ("L1", "L2", "L3"),
)


@for_each("seed", range(30))
def test_random_tables_are_read_correctly_or_refused(tmp_path: Path, seed: int) -> None:
    """Any table that is read has the true numbers of items and annotators, with or without a header."""
    rng = np.random.default_rng(seed)
    names, scale = NAMES[rng.integers(len(NAMES))], SCALES[rng.integers(len(SCALES))]
    n, annotators = int(rng.integers(20, 100)), int(rng.integers(2, 5))
    columns = draw_noisy_labels(seed, scale, annotators, n, right=float(rng.choice([0.2, 0.6, 0.9])))
    item = [range(1, n + 1), [f"s{k}" for k in range(n)], rng.permutation(n) + 100][rng.integers(3)]
    refused = 0
    for header, more in ((["patient"], [item]), (["item"], [item]), ([], []), (None, [item]), (None, [])):
        named = [*header, *names[:annotators]] if header is not None else []
        path = table(tmp_path, [*more, *columns], named)
        try:
            found = accord.read_all(path)
        except accord.DataError:
            refused += 1
            continue
        (ratings,) = found.values()
        assert (ratings.n_items, ratings.n_annotators) == (n, annotators)
        rows = np.array(columns, dtype=str).T.tolist()
        assert accord.alpha(ratings, interval="none").value == accord.alpha(rows, interval="none").value
    assert refused < 3


# -- columns that are not annotators: gold labels, confidence, reasons ------------------------------------------------


def read_text(tmp_path: Path, text: str, name: str = "t.csv", **how: Any) -> accord.Ratings:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = accord.read(path, **how)
    assert isinstance(found, accord.Ratings)
    return found


def test_gold_and_majority_are_not_annotators(tmp_path: Path) -> None:
    text = "id,a1,a2,a3,gold_label\n1,A,A,B,A\n2,B,B,B,B\n3,A,B,A,A\n4,A,A,A,A\n"
    assert read_text(tmp_path, text).annotators == ("a1", "a2", "a3")
    assert read_text(tmp_path, "id,model,gold\n1,A,A\n2,B,A\n3,B,B\n", label=["model", "gold"]).n_annotators == 2


def test_confidence_and_reasons_are_not_annotators(tmp_path: Path) -> None:
    text = "id,anna,ben,anna_confidence,ben_confidence\n1,x,x,3,4\n2,y,x,2,5\n3,y,y,5,5\n"
    assert read_text(tmp_path, text).annotators == ("anna", "ben")


def test_results_of_mechanical_turk_are_read(tmp_path: Path) -> None:
    text = (
        "HITId,WorkerId,WorkTimeInSeconds,Input.text,Answer.label,Approve\nH1,W1,10,hello,pos,\nH1,W2,12,hello,pos,\n"
        "H2,W1,9,bye,neg,\nH2,W2,7,bye,pos,\n"
    )
    found = read_text(tmp_path, text)
    assert (found.n_items, found.annotators) == (2, ("W1", "W2"))


@pytest.mark.parametrize("totals", [("row total", "col total"), ("Row sum", "Sum"), ("Total", "col. sums")])
def test_margins_have_several_known_names(tmp_path: Path, totals: tuple[str, str]) -> None:
    text = f",cat,dog,{totals[0]}\ncat,20,5,25\ndog,10,15,25\n{totals[1]},30,20,50\n"
    assert accord.kappa(read_text(tmp_path, text, layout="confusion")).value == pytest.approx(0.4)


@pytest.mark.parametrize(
    "text",
    [
        '{"gpt":{"0":"pos","1":"neg","2":"pos"},"human":{"0":"pos","1":"pos","2":"pos"}}',
        '{"id":{"0":7,"1":8,"2":9},"gpt":{"0":"pos","1":"neg","2":"pos"},"human":{"0":"pos","1":"pos","2":"pos"}}',
        '{"columns":["id","gpt","human"],"index":[0,1,2],"data":[[7,"pos","pos"],[8,"neg","pos"],[9,"pos","pos"]]}',
    ],
)
def test_json_written_by_pandas_is_read(tmp_path: Path, text: str) -> None:
    found = read_text(tmp_path, text, "t.json")
    assert (found.n_items, found.annotators) == (3, ("gpt", "human"))


def test_annotator_names_that_differ_by_case_or_spaces_are_noted(tmp_path: Path) -> None:
    text = 'id,annotator,label\n1,anna,x\n1,Anna,y\n1,ben,x\n2,"anna ",y\n2,ben,y\n3,ben,x\n'
    notes = read_text(tmp_path, text).notes
    assert any(
        'annotators "anna", "Anna", "anna "' in note or "differ only by case or spaces" in note for note in notes
    )


def test_title_above_the_header_of_a_sheet_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    rows = [["Reliability study", None, None], [None] * 3, ["id", "A", "B"], [1, 1, 1], [2, 2, 2], [3, 1, 2]]
    pd.DataFrame(rows).to_excel(path, index=False, header=False)
    with pytest.warns(accord.ReadingWarning, match='text above the table left out: "Reliability study"'):
        ratings = accord.read(path)
    assert isinstance(ratings, accord.Ratings)
    assert (ratings.n_items, ratings.annotators) == (3, ("A", "B"))


def test_unclear_respondents_need_an_option(tmp_path: Path) -> None:
    text = "Timestamp,Email Address,T [1],T [2],T [3]\n1,a@x,Yes,No,Yes\n2,b@x,Yes,Yes,Yes\n3,c@x,No,No,Yes\n"
    with raises("roles-unclear", "--annotators-in rows"):
        read_text(tmp_path, text)
    found = read_text(tmp_path, text, annotators_in="rows", annotator="Email Address")
    assert (found.n_items, found.n_annotators) == (3, 3)


def test_label_sets_in_different_orders_are_noted(tmp_path: Path) -> None:
    text = "id,A,B\n1,pos#neg,neg#pos\n2,pos,pos\n3,neg,pos\n"
    assert any('--sets "#"' in note for note in read_text(tmp_path, text).notes)
    assert read_text(tmp_path, text, sets="#").n_items == 3

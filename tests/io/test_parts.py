"""Several tables of one study: sheets or files are annotators, variables, or parts of one table."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

import accord

from ..command_line import Cli
from ..refusals import raises

Rows = list[list[object]]
ITEMS = ["s1", "s2", "s3", "s4"]
TOPIC = {"Ana": ["art", "law", "law", "art"], "Ben": ["art", "art", "law", "art"], "Cleo": ["art", "law", "law", "law"]}
TONE = {"Ana": [1, 2, 3, 1], "Ben": [1, 2, 2, 1], "Cleo": [2, 2, 3, 1]}
WIDE = {"topic": TOPIC, "tone": TONE}


def write_workbook(path: Path, sheets: dict[str, Rows], hidden: str | None = None) -> Path:
    made = Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        page = made.create_sheet(name)
        for row in rows:
            page.append(row)
        if name == hidden:
            page.sheet_state = "hidden"
    made.save(path)
    return path


def sheet_of_coder(who: str, header: tuple[str, ...] = ("item", "topic", "tone")) -> Rows:
    return [list(header), *([*row] for row in zip(ITEMS, TOPIC[who], TONE[who], strict=True))]


def sheet_of_variable(name: str) -> Rows:
    return [["item", *WIDE[name]], *([*row] for row in zip(ITEMS, *WIDE[name].values(), strict=True))]


def expected_alpha(name: str) -> float:
    return accord.alpha({"item": ITEMS, **WIDE[name]}).value


def alphas(path: object, **options: object) -> dict[str, float]:
    return {name: accord.alpha(data).value for name, data in accord.read_all(path, **options).items()}


def test_sheet_per_coder_with_several_variables_is_read(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "codes.xlsx", {who: sheet_of_coder(who) for who in TOPIC})
    assert alphas(path) == pytest.approx({name: expected_alpha(name) for name in WIDE})
    read = accord.read_all(path)["topic"]
    assert read.annotators == ("Ana", "Ben", "Cleo")
    assert "each sheet is one annotator: Ana, Ben, Cleo" in read.notes


def test_sheet_per_variable_is_read(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "codes.xlsx", {name: sheet_of_variable(name) for name in WIDE})
    assert alphas(path) == pytest.approx({name: expected_alpha(name) for name in WIDE})
    assert "each sheet is one variable, with annotators in columns: topic, tone" in accord.read_all(path)["tone"].notes


@pytest.mark.parametrize("label", ["label", "verdict", None])
def test_sheet_per_coder_with_one_variable_is_read(tmp_path: Path, label: str | None) -> None:
    sheets = {who: [["item", label or who], *map(list, zip(ITEMS, TOPIC[who], strict=True))] for who in TOPIC}
    path = write_workbook(tmp_path / "codes.xlsx", sheets)  # type: ignore[arg-type]
    assert accord.alpha(path).value == pytest.approx(expected_alpha("topic"))


def test_sheets_that_are_not_read_are_named(tmp_path: Path) -> None:
    sheets = {
        "read me": [["This is what we did"]],
        "codebook": [["code", "meaning"], ["art", "about art"], ["law", "about law"]],
        **{who: sheet_of_coder(who) for who in TOPIC},
        "old": sheet_of_coder("Ana"),
    }
    path = write_workbook(tmp_path / "codes.xlsx", sheets, hidden="old")
    read = accord.read_all(path)["topic"]
    assert read.annotators == ("Ana", "Ben", "Cleo")
    assert f'{path}: not read: sheets "read me", "codebook", "old" (hidden) (use --sheet NAME)' in read.notes


def test_sheet_without_labels_is_not_an_annotator(tmp_path: Path) -> None:
    coders = {who: [["item", "label"], *map(list, zip(ITEMS, TOPIC[who], strict=True))] for who in TOPIC}
    texts = [["item", "text"], *([item, f"This is {item}"] for item in ITEMS)]
    path = write_workbook(tmp_path / "a.xlsx", {"texts": texts, **coders})  # type: ignore[arg-type]
    assert accord.read(path).annotators == ("Ana", "Ben", "Cleo")
    about = [["item", "description"], *([item, f"This is {item}"] for item in ITEMS)]
    path = write_workbook(tmp_path / "b.xlsx", {**coders, "about": about})  # type: ignore[arg-type]
    with raises("roles-unclear"):
        accord.read(path)


def test_several_possible_sheets_need_the_sheet_option(tmp_path: Path) -> None:
    wide = [["Satz", *TOPIC], *([*row] for row in zip(ITEMS, *TOPIC.values(), strict=True))]
    path = write_workbook(tmp_path / "a.xlsx", {"Daten": wide, "Meta": [["id", "x"], [1, 2], [2, 3]]})  # type: ignore[arg-type]
    with raises("several-sheets", '"Daten"', '"Meta"', "--sheet NAME"):
        accord.read(path)
    assert accord.read(path, sheet="Daten").annotators == ("Ana", "Ben", "Cleo")
    path = write_workbook(
        tmp_path / "b.xlsx", {"codes": [["code", "meaning"], ["art", "x"]], "data": sheet_of_variable("topic")}
    )
    read = accord.read(path)
    assert read.annotators == ("Ana", "Ben", "Cleo")
    assert any('not read: sheet "codes"' in note for note in read.notes)


def test_ambiguous_roles_of_files_need_an_option(tmp_path: Path, cli: Cli) -> None:
    """All columns have the same scale: the files may be coders of two variables or variables of two coders."""
    same = {
        "one": [["item", "x", "y"], ["s1", 1, 2], ["s2", 2, 2], ["s3", 3, 1]],
        "two": [["item", "x", "y"], ["s1", 1, 1], ["s2", 3, 2], ["s3", 3, 2]],
    }
    path = write_workbook(tmp_path / "codes.xlsx", same)  # type: ignore[arg-type]
    done = cli("score", path)
    assert (done.code, done.out) == (2, "")
    assert "--annotators-in sheets" in done.err
    assert "--annotators-in columns" in done.err
    assert '--sheet "one"' in done.err
    by_coder = accord.read_all(path, annotators_in="sheets")
    assert {name: data.annotators for name, data in by_coder.items()} == {"x": ("one", "two"), "y": ("one", "two")}
    by_variable = accord.read_all(path, annotators_in="columns")
    assert {name: data.annotators for name, data in by_variable.items()} == {"one": ("x", "y"), "two": ("x", "y")}
    assert accord.read(path, sheet="two").annotators == ("x", "y")


def test_personal_names_show_whether_sheets_or_columns_are_annotators(tmp_path: Path) -> None:
    rows = [["item", "Coder 1", "Coder 2"], ["s1", 1, 2], ["s2", 2, 2], ["s3", 3, 3]]
    path = write_workbook(tmp_path / "a.xlsx", {"clear": rows, "kind": rows})  # type: ignore[arg-type]
    assert list(accord.read_all(path)) == ["clear", "kind"]
    rows = [["item", "clear", "kind"], ["s1", 1, 2], ["s2", 2, 2], ["s3", 3, 3]]
    path = write_workbook(tmp_path / "b.xlsx", {"Rater A": rows, "Rater B": rows})  # type: ignore[arg-type]
    assert accord.read_all(path)["kind"].annotators == ("Rater A", "Rater B")


def test_expert_column_is_an_annotator_if_there_is_no_label_column(tmp_path: Path) -> None:
    sheets = {
        n: [["item", "expert", "novice"], *map(list, zip(ITEMS, *list(WIDE[n].values())[:2], strict=True))]
        for n in WIDE
    }
    read = accord.read_all(write_workbook(tmp_path / "codes.xlsx", sheets))  # type: ignore[arg-type]
    assert {name: data.annotators for name, data in read.items()} == dict.fromkeys(WIDE, ("expert", "novice"))


def test_sheets_with_different_items_are_one_table(tmp_path: Path) -> None:
    whole = sheet_of_variable("topic")
    path = write_workbook(tmp_path / "codes.xlsx", {"week 1": whole[:3], "week 2": [whole[0], *whole[3:]]})
    assert accord.alpha(path).value == pytest.approx(expected_alpha("topic"))
    assert "2 sheets read as one table: week 1, week 2" in accord.read(path).notes


def test_long_sheets_are_variables_or_parts_of_one_table(tmp_path: Path) -> None:
    head: list[object] = ["item", "coder", "label"]
    long = {n: [[i, a, by[k]] for a, by in WIDE[n].items() for k, i in enumerate(ITEMS)] for n in WIDE}
    path = write_workbook(tmp_path / "a.xlsx", {name: [head, *rows] for name, rows in long.items()})  # type: ignore[list-item]
    assert alphas(path) == pytest.approx({name: expected_alpha(name) for name in WIDE})
    path = write_workbook(tmp_path / "b.xlsx", {"1": [head, *long["topic"][:6]], "2": [head, *long["topic"][6:]]})  # type: ignore[dict-item,list-item]
    assert accord.alpha(path).value == pytest.approx(expected_alpha("topic"))


def test_sheets_with_different_columns_need_an_option(tmp_path: Path) -> None:
    more = [[*row, k] for k, row in enumerate(sheet_of_coder("Cleo", ("item", "topic", "tone")))]
    path = write_workbook(
        tmp_path / "codes.xlsx", {"Ana": sheet_of_coder("Ana"), "Ben": sheet_of_coder("Ben"), "Cleo": more}
    )
    with raises("several-sheets", '"Ana"', '"Cleo"'):
        accord.read_all(path)
    assert accord.read_all(path, annotators_in="sheets")["tone"].annotators == ("Ana", "Ben", "Cleo")


def test_sheet_per_annotator_with_units_is_read(tmp_path: Path) -> None:
    rows: Rows = [["doc", "start", "end", "label"], ["d", 0, 4, "x"], ["d", 6, 9, "y"]]
    path = write_workbook(tmp_path / "spans.xlsx", {"Ana": rows, "Ben": rows})
    read = accord.read(path)
    assert read.annotators == ("Ana", "Ben")
    assert accord.gamma(read, interval="none").value == pytest.approx(1)


def test_locations_include_the_sheet_name(tmp_path: Path) -> None:
    broken = sheet_of_coder("Ben")
    broken[2][0] = ""
    path = write_workbook(tmp_path / "codes.xlsx", {"Ana": sheet_of_coder("Ana"), "Ben": broken})
    with raises("empty-cell", '"Ben"'):
        accord.read_all(path)


# -- files -----------------------------------------------------------------------------------------------------------


def write_csv(path: Path, rows: Rows) -> Path:
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def test_file_per_coder_with_several_variables_is_read(tmp_path: Path) -> None:
    for who in TOPIC:
        write_csv(tmp_path / f"{who}.csv", sheet_of_coder(who))
    assert alphas(tmp_path) == pytest.approx({name: expected_alpha(name) for name in WIDE})
    assert accord.read_all(tmp_path)["tone"].annotators == ("Ana", "Ben", "Cleo")


def test_file_per_coder_with_column_named_after_the_coder_is_read(tmp_path: Path) -> None:
    for who, labels in TOPIC.items():
        write_csv(tmp_path / f"{who}.csv", [["item", who], *map(list, zip(ITEMS, labels, strict=True))])
    assert alphas(tmp_path) == pytest.approx({"label": expected_alpha("topic")})


def test_file_per_variable_is_read(tmp_path: Path) -> None:
    for name in WIDE:
        write_csv(tmp_path / f"{name}.csv", sheet_of_variable(name))
    assert alphas(tmp_path) == pytest.approx({name: expected_alpha(name) for name in WIDE})


def test_item_column_may_have_any_name(tmp_path: Path) -> None:
    for who in TOPIC:
        write_csv(tmp_path / f"{who}.csv", sheet_of_coder(who, ("Satz", "topic", "tone")))
    assert alphas(tmp_path) == pytest.approx({name: expected_alpha(name) for name in WIDE})


def test_files_that_are_annotators_or_variables_need_an_option(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / f"{n}.csv", [["item", "x", "y"], ["s1", 1, 2], ["s2", 2, 1]]) for n in ("one", "two")]
    with raises("roles-unclear", "--annot"):
        accord.read_all(files)
    assert accord.read_all(files, annotators_in="files")["x"].annotators == ("one", "two")


@pytest.mark.parametrize("place", ["sheets", "folders", "tiers"])
def test_annotators_in_option_must_fit_the_data(tmp_path: Path, place: str) -> None:
    with raises("option-not-for-data"):
        accord.read(write_csv(tmp_path / "t.csv", sheet_of_variable("topic")), annotators_in=place)

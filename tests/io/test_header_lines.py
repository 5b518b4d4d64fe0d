"""Header rows: titles above them, several lines, repeated and empty names."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

import accord

from ..refusals import raises

QUALTRICS = """StartDate,EndDate,Status,ResponseId,Q1,Q2,Q3
Start Date,End Date,Response Type,Response ID,"Who are
you?",Which text?,"How clear, on the whole?"
"{""ImportId"":""startDate"",""timeZone"":""Europe/Berlin""}","{""ImportId"":""endDate""}","{""ImportId"":""status""}",\
"{""ImportId"":""_recordId""}","{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2""}","{""ImportId"":""QID3""}"
2024-01-01,2024-01-01,0,R_1,Ana,s1,clear
2024-01-01,2024-01-01,0,R_2,Ben,s1,clear
2024-01-02,2024-01-02,0,R_3,Ana,s2,unclear
2024-01-02,2024-01-02,0,R_4,Ben,s2,clear
"""


def write_table(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def write_workbook(path: Path, rows: list[list[object]]) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_qualtrics_header_lines_are_left_out(tmp_path: Path) -> None:
    path = write_table(tmp_path / "export.csv", QUALTRICS)
    read = accord.read(path, annotator="Q1", item="Q2", label="Q3")
    assert read.annotators == ("Ana", "Ben")
    assert list(read.items) == ["s1", "s2"]
    assert read.categories.names == ("clear", "unclear")
    assert f"{path}: lines 2 and 3 left out (questions and import ids of Qualtrics)" in read.notes


def test_locations_below_the_header_are_lines_of_the_file(tmp_path: Path) -> None:
    path = write_table(tmp_path / "export.csv", QUALTRICS.replace("R_3,Ana", "R_3,"))
    with raises("empty-cell", "export.csv:7"):
        accord.read(path, annotator="Q1", item="Q2", label="Q3")


def test_respondent_column_must_be_named(tmp_path: Path) -> None:
    """Otherwise dates and the status of a response would be read as annotators."""
    with raises("export-not-usable", "--annotators-in rows"):
        accord.read(write_table(tmp_path / "export.csv", QUALTRICS))


def test_known_columns_of_qualtrics_need_no_option(tmp_path: Path) -> None:
    named = QUALTRICS.replace("Q1,Q2,Q3", "coder,item,Q3")
    read = accord.read(write_table(tmp_path / "export.csv", named))
    assert read.variable == "Q3"
    assert any(
        "columns of the export tool left out: StartDate, EndDate, Status, ResponseId" in note for note in read.notes
    )


def test_qualtrics_in_excel_has_one_line_of_questions(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["StartDate", "EndDate", "Status", "ResponseId", "coder", "item", "Q3"],
        ["Start Date", "End Date", "Response Type", "Response ID", "Who?", "Which?", "How clear?"],
        ["d", "d", 0, "R_1", "Ana", "s1", "yes"],
        ["d", "d", 0, "R_2", "Ben", "s1", "no"],
    ]
    read = accord.read(write_workbook(tmp_path / "export.xlsx", rows))
    assert (read.annotators, read.categories.names) == (("Ana", "Ben"), ("no", "yes"))
    assert any("row 2 left out (questions of Qualtrics)" in note for note in read.notes)


@pytest.mark.parametrize("titles", ["Sentence,Coder A: how clear?,Coder B: how clear?", ",Response,Response"])
def test_line_of_descriptions_above_numbers_is_left_out(tmp_path: Path, titles: str) -> None:
    rows = ["item,Ana,Ben", titles, "s1,1,2", "s2,2,2", "s3,3,3"]
    path = write_table(tmp_path / "t.csv", "\n".join(rows) + "\n")
    read = accord.read(path)
    assert read.categories.names == ("1", "2", "3")
    assert len(read.items) == 3
    assert any(f"{path}: line 2 left out (descriptions of columns" in note for note in read.notes)
    plain = accord.read(write_table(tmp_path / "plain.csv", "\n".join([rows[0], *rows[2:]]) + "\n"))
    assert accord.alpha(read).value == accord.alpha(plain).value
    cells = [[float(c) if c.isdigit() else c for c in row.split(",")] for row in rows]
    book = accord.read(write_workbook(tmp_path / "t.xlsx", cells))  # type: ignore[arg-type]
    assert accord.alpha(book).value == accord.alpha(plain).value


@pytest.mark.parametrize(
    "rows",
    [
        "s1,unclear,unclear\ns2,1,2\ns3,2,2\ns4,3,3",  # "unclear" may be a label
        "s1,NA,NA\ns2,1,2\ns3,2,2\ns4,3,3",
        "s1,not sure,1\ns2,1,2\ns3,2,2\ns4,3,3",
        "s1,not sure,no idea\ns2,a,b\ns3,a,a\ns4,b,b",
        "s1,not sure,no idea\ns2,1,2",
    ],
)
def test_first_row_that_may_be_data_is_kept(tmp_path: Path, rows: str) -> None:
    read = accord.read(write_table(tmp_path / "t.csv", f"item,Ana,Ben\n{rows}\n"))
    assert "s1" in list(read.items)
    assert not any("left out (descriptions" in note for note in read.notes)


# -- two header rows, repeated names ----------------------------------------------------------------------------------

TONES, TOPICS = ("pos", "neg", "neu"), ("trade", "war", "art")
CODED = [
    (f"s{k}", TONES[k % 3], TOPICS[k % 2], TONES[k % 3 if k % 4 else 0], TOPICS[k % 2 if k % 5 else 2])
    for k in range(12)
]
BODY = "".join(",".join(row) + "\n" for row in CODED)


def expected_alpha(column: int) -> float:
    return accord.alpha({"Ana": [row[column] for row in CODED], "Ben": [row[column + 2] for row in CODED]}).value


@pytest.mark.parametrize(
    ("header", "annotators"),
    [
        (",coder 1,,coder 2,\nid,tone,topic,tone,topic\n", ("coder 1", "coder 2")),
        ("id,coder 1,,coder 2,\n,tone,topic,tone,topic\n", ("coder 1", "coder 2")),
        ("id,coder 1,coder 1,coder 2,coder 2\n,tone,topic,tone,topic\n", ("coder 1", "coder 2")),
        ("id,tone,topic,tone,topic\n", ("annotator 1", "annotator 2")),
        ("Coded texts of May\n\nid,tone,topic,tone,topic\n", ("annotator 1", "annotator 2")),
    ],
)
def test_header_of_two_annotators_and_two_variables_is_read(
    tmp_path: Path, header: str, annotators: tuple[str, ...]
) -> None:
    found = accord.read_all(write_table(tmp_path / "t.csv", header + BODY))
    assert list(found) == ["tone", "topic"]
    for column, read in enumerate(found.values(), 1):
        assert read.annotators == annotators
        assert read.n_items == len(CODED)
        assert accord.alpha(read).value == pytest.approx(expected_alpha(column), abs=1e-12)
    cells: list[list[object]] = [[*row.split(",")] for row in (header + BODY).splitlines()]
    book = accord.read_all(write_workbook(tmp_path / "t.xlsx", cells))
    assert accord.alpha(book["topic"]).value == pytest.approx(expected_alpha(2), abs=1e-12)


def test_merged_cells_of_a_sheet_are_read(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    for row in [["id", "coder 1", None, "coder 2", None], [None, "tone", "topic", "tone", "topic"], *map(list, CODED)]:
        sheet.append(row)
    for cells in ("A1:A2", "B1:C1", "D1:E1"):
        sheet.merge_cells(cells)
    book.save(tmp_path / "t.xlsx")
    found = accord.read_all(tmp_path / "t.xlsx")
    assert accord.alpha(found["tone"]).value == pytest.approx(expected_alpha(1), abs=1e-12)
    assert list(found["tone"].items) == [row[0] for row in CODED]


def test_notes_name_joined_and_numbered_columns(tmp_path: Path) -> None:
    two = write_table(tmp_path / "two.csv", f",coder 1,,coder 2,\nid,tone,topic,tone,topic\n{BODY}")
    assert any(
        'two header rows are joined, for example "coder 2_topic"' in n for n in accord.read_all(two)["tone"].notes
    )
    again = write_table(tmp_path / "again.csv", f"id,tone,topic,tone,topic\n{BODY}")
    assert any("read as annotators 1 to 2, in order" in note for note in accord.read_all(again)["tone"].notes)


def test_location_below_two_header_rows_is_the_line_of_the_file(tmp_path: Path) -> None:
    text = f",coder 1,,coder 2,\nid,tone,topic,tone,topic\n{BODY}".replace("s4,", ",")
    with raises("empty-cell", "t.csv:7"):
        accord.read_all(write_table(tmp_path / "t.csv", text))


def test_second_header_row_above_numbers_is_not_left_out_twice(tmp_path: Path) -> None:
    rows = "".join(f"s{k},{k % 3},{k % 5},{k % 3},{k % 5}\n" for k in range(12))
    found = accord.read_all(write_table(tmp_path / "t.csv", f",coder 1,,coder 2,\nid,tone,topic,tone,topic\n{rows}"))
    assert {read.n_items for read in found.values()} == {12}


def test_one_repeated_name_is_an_annotator_per_column(tmp_path: Path) -> None:
    rows = "".join(f"{row[0]},{row[1]},{row[3]},{row[1]}\n" for row in CODED)
    read = accord.read(write_table(tmp_path / "t.csv", f"id,label,label,label\n{rows}"))
    assert read.annotators == ("label 1", "label 2", "label 3")
    assert read.n_items == len(CODED)


@pytest.mark.parametrize(
    ("header", "facts"),
    [
        ("id,tone,tone,topic,topic,topic", ('"tone" is the name of columns 2 and 3', '"tone_1"')),
        ("id,Ana,Ben,Ana,tone,topic", ('"Ana" is the name of columns 2 and 4',)),
        ("id,tone,topic,id,tone,topic", ('"id" is the name of columns 1 and 4', "side by side")),
    ],
)
def test_unclear_repetition_is_refused_with_the_edit(tmp_path: Path, header: str, facts: tuple[str, ...]) -> None:
    rows = "".join(",".join([*row, row[1]]) + "\n" for row in CODED)
    with raises("header-row", *facts) as caught:
        accord.read_all(write_table(tmp_path / "t.csv", f"{header}\n{rows}"))
    assert "--no-header" not in str(caught.value)


def test_tables_side_by_side_with_the_same_items_are_read(tmp_path: Path) -> None:
    rows = "".join(f"{row[0]},{row[1]},{row[0]},{row[3]}\n" for row in CODED)
    read = accord.read(write_table(tmp_path / "t.csv", f"id,tone,id,tone\n{rows}"))
    assert accord.alpha(read).value == pytest.approx(expected_alpha(1), abs=1e-12)


def test_first_row_of_labels_is_not_numbered(tmp_path: Path) -> None:
    read = accord.read(write_table(tmp_path / "t.csv", "s1,pos,pos\ns2,neg,neg\ns3,neu,neg\n"))
    assert list(read.items) == ["s1", "s2", "s3"]
    with raises("header-row", "--no-header"):
        accord.read(write_table(tmp_path / "t.csv", "ab,pos,pos\ncdef,neg,neg\ng,neu,neg\n"))


@pytest.mark.parametrize(
    "above",
    ["Ratings of May, round 2\n\n", "# exported; by a script\n", "\ufeff", "Title\n\nAll texts are from May.\n\n"],
)
def test_text_above_the_header_row_is_left_out(tmp_path: Path, above: str) -> None:
    rows = "".join(f"{row[0]},{row[1]},{row[3]},{row[1]},{row[3]}\n" for row in CODED)
    read = accord.read(write_table(tmp_path / "t.csv", f"{above}id,Ana,Ben,Cleo,Dan\n{rows}"))
    assert read.annotators == ("Ana", "Ben", "Cleo", "Dan")
    assert read.n_items == len(CODED)


def test_spaces_after_separators_are_not_part_of_cells(tmp_path: Path) -> None:
    rows = "".join(f'{row[0]}, {row[1]}, "{row[3]}"\n' for row in CODED)
    read = accord.read(write_table(tmp_path / "t.csv", f"id, Ana, Ben\n{rows}"))
    assert read.annotators == ("Ana", "Ben")
    assert read.categories.names == tuple(sorted(TONES))
    plain = accord.read(write_table(tmp_path / "plain.csv", f"id,Ana,Ben\n{rows.replace(', ', ',')}"))
    assert accord.alpha(read).value == accord.alpha(plain).value


def test_empty_columns_without_a_name_are_left_out(tmp_path: Path) -> None:
    rows = "".join(f"{row[0]},Ana,{row[1]},,\n{row[0]},Ben,{row[3]},,\n" for row in CODED)
    found = accord.read_all(write_table(tmp_path / "t.csv", f"item,coder,tone,,\n{rows}"))
    assert list(found) == ["tone"]
    assert any("2 empty columns without a name left out" in note for note in found["tone"].notes)
    late = write_table(tmp_path / "late.csv", "item,A,B,\n" + "1,x,x,\n" * 1200 + "2,x,y,z\n")
    with raises("repeated-label"):
        accord.read(late)

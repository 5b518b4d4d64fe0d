"""Second and third header lines written by survey tools."""

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

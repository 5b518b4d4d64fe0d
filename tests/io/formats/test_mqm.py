"""Errors of translations in tables of MQM, marked with `<v>…</v>`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import accord
from accord.core.errors import DataError
from accord.data.io.formats.catalogue import format_of
from accord.data.io.formats.files import gather_files

from ...conftest import DATA
from .common import one, told, units, variables, written

SAMPLE = DATA / "formats" / "mqm" / "1" / "errors.tsv"
HEADER = "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def test_marked_errors_are_units_of_a_segment_of_a_system() -> None:
    found = variables(SAMPLE)
    assert list(found) == ["category", "severity"]
    category = found["category"]
    assert units(category) == [
        ("A news 1", "Ana", 4, 11, "Accuracy/Mistranslation"),
        ("A news 1", "Ben", 4, 16, "Accuracy/Mistranslation"),
        ("A news 2", "Ana", 8, 9, "Fluency/Punctuation"),
        ("B news 1", "Ana", 6, 9, "Fluency/Spelling"),
        ("B news 1", "Ben", 6, 9, "Fluency/Spelling"),
    ]
    assert category.texts["A news 1"] == "The ancient mill"
    assert told(category, "1 errors marked in the source")
    assert told(category, "1 rows that test the attention of raters", "errors.tsv:10")


def test_rows_without_error_show_that_the_rater_saw_the_segment() -> None:
    category = variables(SAMPLE)["category"]
    seen = dict(zip(category.docs, category.judged.tolist(), strict=True))
    assert seen["A news 2"] == [True, True]  # Ben marked nothing
    assert seen["B news 2"] == [True, False]  # Ben's only row is a test of attention


def test_tags_of_other_tables_are_read(tmp_path: Path) -> None:
    """Names of columns as in bio-MQM, where empty categories mean that there is no error."""
    rows = [
        "SEG_ID\tDoc\tSource\tTagged_Source\tTarget\tMT\tTagged_Target\tError Category\tSeverity\tAnnotator_ID",
        "1\td\tHaus\t\tthe hous\tM\tthe <tag>hous</tag>\tSpelling\tMinor\t7",
        "1\td\tHaus\t\tthe hous\tM\t\t\t\t8",
    ]
    data = accord.read(one(tmp_path, "a.tsv", "\n".join(rows)), label="category")
    assert units(data) == [("M d 1", "7", 4, 8, "Spelling")]
    assert data.judged.tolist() == [[True, True]]


def test_segments_with_other_spaces_or_texts(tmp_path: Path) -> None:
    """Raters may have different spaces. A rater with another text is left out and counted."""
    rows = [
        "S\td\t1\tAna\ts\ta  <v>b</v> c\tX\tMinor",
        "S\td\t1\tBen\ts\ta <v>b</v> c\tX\tMinor",
        "S\td\t2\tAna\ts\ta <v>b</v> c\tX\tMinor",
        "S\td\t2\tBen\ts\ta <v>b</v> c\tX\tMinor",
        "S\td\t2\tCem\ts\tquite <v>another</v> text\tX\tMinor",
    ]
    data = accord.read(one(tmp_path, "a.tsv", HEADER + "\n".join(rows)), label="category")
    assert {row[1:4] for row in units(data)} == {("Ana", 2, 3), ("Ben", 2, 3)}
    assert told(data, "1 segments of a rater whose text differs", "a.tsv:6")


def test_files_with_other_texts_of_one_name_are_other_documents(tmp_path: Path) -> None:
    """Two pairs of languages use the same names of systems and segments."""
    files = {
        f"{name}.tsv": HEADER + "".join(f"S\td\t1\t{rater}\ts\t{text}\tX\tMinor\n" for rater in ("Ana", "Ben"))
        for name, text in (("de", "<v>das</v>"), ("en", "<v>this</v>"))
    }
    data = accord.read(written(tmp_path, files), label="category")
    assert list(data.docs) == ["de S d 1", "en S d 1"]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (f"{HEADER}S\td\t1\t\ts\t<v>a</v>\tX\tMinor\n", ("a.tsv:2", "rater is empty")),
        (f"{HEADER}S\td\t1\tAna\n", ("a.tsv:2", "4 cells")),
        (f"{HEADER}S\td\t1\tAna\ts\ta\tX\tMinor\n", ("a.tsv", "no error is marked", "--format table")),
    ],
)
def test_malformed_tables_are_refused(tmp_path: Path, table: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DataError) as error:
        accord.read(one(tmp_path, "a.tsv", table))
    assert all(word in str(error.value) for word in words)


def test_suggested_command_reads_a_table_without_marks(tmp_path: Path) -> None:
    rows = "".join(
        f"S\td\t{k}\t{rater}\ts\ta\t{'XY'[k == 1 and rater == 'Ana']}\tMinor\n"
        for k in (1, 2, 3)
        for rater in ("Ana", "Ben")
    )
    path = one(tmp_path, "a.tsv", HEADER + rows)
    data = accord.read(path, format="table", item="seg_id", annotator="rater", label="category")
    assert data.annotators == ("Ana", "Ben")
    assert len(data.items) == 3


def test_tables_of_labels_are_not_mqm(tmp_path: Path) -> None:
    """A table with a severity, but without marked translations, is a table of items."""
    path = one(tmp_path, "a.csv", "item,rater,severity,category\n1,Ana,Minor,X\n1,Ben,Major,X\n")
    assert format_of(gather_files([path])[0]) is None


@pytest.mark.parametrize(("name", "folder"), [("ende", "en-de"), ("zhen", "zh-en")])
def test_mqm_of_wmt23_equals_its_table(corpora: Path, name: str, folder: str) -> None:
    """The native rows are the first of the table, whose documents are SEGMENT#SYSTEM."""
    path = corpora / "wmt23-mqm-3raters" / "native" / f"sxs_mqm_generalMT2023_{name}.head60.tsv"
    with (corpora / "wmt23-mqm-3raters" / folder / "units.csv").open(encoding="utf-8", newline="") as file:
        table = {
            (row["doc"], row["annotator"], int(row["start"]), int(row["end"]), row["label"])
            for row in csv.DictReader(file)
        }
    found = set()
    for doc, annotator, start, end, label in units(variables(path)["category"]):
        system, *_, segment = doc.split()
        found.add((f"{segment}#{system}", annotator, start, end, label))
    assert len(found) == {"ende": 33, "zhen": 44}[name]
    assert found <= table

"""What the names of files say: who annotated which document."""

from __future__ import annotations

import pytest

from accord.errors import DataError, SpecError
from accord.io.naming import annotators_of, named
from accord.io.reading import Reading


def keys(*paths: str, alike: list[object] | None = None, **how: object) -> list[str]:
    found = named([tuple(path.split("/")) for path in paths], Reading(**how), alike)  # type: ignore[arg-type]
    return [f"{doc} by {who}" for doc, who in found.keys]


def test_folders_are_annotators_where_they_hold_the_same_files() -> None:
    assert keys("Ana/d1.ann", "Ana/d2.ann", "Ben/d1.ann", "Ben/d2.ann") == [
        "d1 by Ana", "d2 by Ana", "d1 by Ben", "d2 by Ben"
    ]  # fmt: skip


def test_dots_in_names_are_no_annotators() -> None:
    assert keys("Ana/esp.train-1.txt", "Ana/esp.train-2.txt", "Ben/esp.train-1.txt", "Ben/esp.train-2.txt") == [
        "esp.train-1 by Ana", "esp.train-2 by Ana", "esp.train-1 by Ben", "esp.train-2 by Ben"
    ]  # fmt: skip


def test_the_end_of_a_name_is_an_annotator_where_that_gives_a_grid() -> None:
    assert keys("d1_Ana.csv", "d1_Ben.csv", "d2_Ana.csv") == ["d1 by Ana", "d1 by Ben", "d2 by Ana"]


def test_teams_keep_their_documents_apart() -> None:
    assert keys("t1/A/x.ann", "t1/B/x.ann", "t2/C/x.ann", "t2/D/x.ann") == [
        "t1/x by A", "t1/x by B", "t2/x by C", "t2/x by D"
    ]  # fmt: skip


def test_a_folder_per_document_is_told_by_the_texts() -> None:
    paths = ("d1/Ana.xmi", "d1/Ben.xmi", "d2/Ana.xmi", "d2/Ben.xmi")
    assert keys(*paths, alike=["one", "one", "two", "two"])[1] == "d1 by Ben"


def test_different_texts_are_different_documents() -> None:
    assert keys("PMID-1.ann", "PMID-2.ann", alike=["one", "two"]) == ["PMID-1 by annotator", "PMID-2 by annotator"]


def test_numbered_recordings_are_no_annotators() -> None:
    assert keys("Rec_01.Table.1.selections.txt", "Rec_02.Table.1.selections.txt")[1].endswith("by annotator")
    assert keys("Ana.txt", "Ben.txt") == ["document by Ana", "document by Ben"]


def test_a_pattern_says_it() -> None:
    assert keys("x/Ana-7.csv", "x/Ben-7.csv", names="{annotator}-{doc}") == ["7 by Ana", "7 by Ben"]
    assert keys("x/Ana/7.csv", "x/Ben/7.csv", names="{annotator}/{doc}") == ["7 by Ana", "7 by Ben"]
    with pytest.raises(DataError, match="not like"):
        keys("x/Ana.csv", names="{annotator}-{doc}")
    with pytest.raises(SpecError, match="should name"):
        keys("x/Ana.csv", names="{who}")
    with pytest.raises(DataError, match="twice"):
        keys("x/Ana-7.csv", "y/Ana-7.csv", names="{annotator}-{doc}")


def test_annotators_of_files_that_name_their_documents() -> None:
    shared = [frozenset("ab"), frozenset("ab")]
    assert annotators_of([("Ana.rttm",), ("Ben.rttm",)], Reading(), shared)[0] == ["Ana", "Ben"]
    assert annotators_of([("1.rttm",), ("2.rttm",)], Reading(), shared)[0] == ["1", "2"]
    apart = [frozenset("a"), frozenset("b")]
    assert annotators_of([("1.rttm",), ("2.rttm",)], Reading(), apart)[0] == ["annotator", "annotator"]

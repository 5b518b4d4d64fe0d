"""Annotators and documents from file names."""

from __future__ import annotations

import pytest

from accord.data.io.naming import Contents, annotators_of, named, without_upload_prefix
from accord.data.io.reading import Reading

from ..refusals import raises


def keys(*paths: str, alike: list[object] | None = None, **how: object) -> list[str]:
    found = named([tuple(path.split("/")) for path in paths], Reading(**how), alike)  # type: ignore[arg-type]
    return [f"{doc} by {who}" for doc, who in found.keys]


def test_folders_with_the_same_files_are_annotators() -> None:
    assert keys("Ana/d1.ann", "Ana/d2.ann", "Ben/d1.ann", "Ben/d2.ann") == [
        "d1 by Ana", "d2 by Ana", "d1 by Ben", "d2 by Ben"
    ]  # fmt: skip


def test_dots_in_file_names_do_not_separate_annotators() -> None:
    assert keys("Ana/esp.train-1.txt", "Ana/esp.train-2.txt", "Ben/esp.train-1.txt", "Ben/esp.train-2.txt") == [
        "esp.train-1 by Ana", "esp.train-2 by Ana", "esp.train-1 by Ben", "esp.train-2 by Ben"
    ]  # fmt: skip


def test_name_suffix_is_the_annotator_if_names_form_a_grid() -> None:
    assert keys("d1_Ana.csv", "d1_Ben.csv", "d2_Ana.csv") == ["d1 by Ana", "d1 by Ben", "d2 by Ana"]


def test_documents_of_different_teams_are_different() -> None:
    assert keys("t1/A/x.ann", "t1/B/x.ann", "t2/C/x.ann", "t2/D/x.ann") == [
        "t1/x by A", "t1/x by B", "t2/x by C", "t2/x by D"
    ]  # fmt: skip


def test_folder_per_document_is_recognised_by_its_texts() -> None:
    paths = ("d1/Ana.xmi", "d1/Ben.xmi", "d2/Ana.xmi", "d2/Ben.xmi")
    assert keys(*paths, alike=["one", "one", "two", "two"])[1] == "d1 by Ben"


def test_different_texts_are_different_documents() -> None:
    assert keys("PMID-1.ann", "PMID-2.ann", alike=["one", "two"]) == ["PMID-1 by annotator", "PMID-2 by annotator"]


def test_numbered_recordings_are_not_annotators() -> None:
    assert keys("Rec_01.Table.1.selections.txt", "Rec_02.Table.1.selections.txt")[1].endswith("by annotator")
    assert keys("Ana.txt", "Ben.txt") == ["document by Ana", "document by Ben"]


def test_names_pattern_gives_annotator_and_document() -> None:
    assert keys("x/Ana-7.csv", "x/Ben-7.csv", names="{annotator}-{doc}") == ["7 by Ana", "7 by Ben"]
    assert keys("x/Ana/7.csv", "x/Ben/7.csv", names="{annotator}/{doc}") == ["7 by Ana", "7 by Ben"]
    with raises("roles-unclear"):
        keys("x/Ana.csv", names="{annotator}-{doc}")
    with raises("option-value"):
        keys("x/Ana.csv", names="{who}")
    with raises("repeated-document"):
        keys("x/Ana-7.csv", "y/Ana-7.csv", names="{annotator}-{doc}")


def test_files_are_annotators_if_they_share_documents() -> None:
    shared = [frozenset("ab"), frozenset("ab")]
    assert annotators_of([("Ana.rttm",), ("Ben.rttm",)], Reading(), shared)[0] == ["Ana", "Ben"]
    assert annotators_of([("1.rttm",), ("2.rttm",)], Reading(), shared)[0] == ["1", "2"]
    apart = [frozenset("a"), frozenset("b")]
    assert annotators_of([("1.rttm",), ("2.rttm",)], Reading(), apart)[0] == ["annotator", "annotator"]


def test_initials_and_coders_at_the_end_of_names_are_annotators() -> None:
    assert keys("rec01_AB.TextGrid", "rec01_CD.TextGrid", "rec02_AB.TextGrid")[::2] == ["rec01 by AB", "rec02 by AB"]
    paths = [f"S0{k}_session{s}_coder{who}.eaf" for k in (1, 2) for s in (1, 2) for who in "AB"]
    assert keys(*paths)[:2] == ["S01_session1 by coderA", "S01_session1 by coderB"]
    assert keys("2021-03-04_AB.eaf", "2021-03-04_CD.eaf", "2021-03-05_AB.eaf", "2021-03-05_CD.eaf") == [
        "2021-03-04 by AB", "2021-03-04 by CD", "2021-03-05 by AB", "2021-03-05 by CD"
    ]  # fmt: skip


def test_name_part_with_personal_names_is_the_annotator() -> None:
    assert keys("AB_rec01.eaf", "AB_rec02.eaf", "CD_rec01.eaf", "CD_rec02.eaf")[1:3] == ["rec02 by AB", "rec01 by CD"]


@pytest.mark.parametrize(
    "paths",
    [
        ("2021-03-04.eaf", "2021-03-05.eaf", "2021-04-04.eaf", "2021-04-05.eaf"),  # dates
        ("S01_1.eaf", "S01_2.eaf", "S02_1.eaf", "S02_2.eaf"),  # sessions or coders: ambiguous
        ("session1/x1.eaf", "session1/x2.eaf", "session2/x1.eaf", "session2/x2.eaf"),
        ("bobby_words.TextGrid", "bobby_phones.TextGrid"),
        ("S01_pre.txt", "S01_post.txt", "S02_pre.txt", "S02_post.txt"),
        ("rec_left.txt", "rec_right.txt"),
    ],
)
def test_other_grids_are_documents(paths: tuple[str, ...]) -> None:
    assert all(key.endswith("by annotator") for key in keys(*paths))


def test_files_are_annotators_with_the_option() -> None:
    assert keys("P01.eaf", "P02.eaf", annotators_in="files") == ["document by P01", "document by P02"]
    assert keys("S1_1.eaf", "S1_2.eaf", "S2_1.eaf", "S2_2.eaf", annotators_in="files")[2] == "S2 by 1"
    assert keys("P01.eaf", "P02.eaf", alike=["x", "y"], annotators_in="files")[0] == "P01 by annotator"


def test_suffix_names_a_second_annotator_with_the_option() -> None:
    paths = ("rec01.eaf", "rec01_check.eaf", "rec02.eaf", "rec02_check.eaf")
    wanted = ["rec01 by annotator", "rec01 by check", "rec02 by annotator", "rec02 by check"]
    assert keys(*paths, annotators_in="files") == wanted
    assert keys(*paths)[1] == "rec01_check by annotator"  # no evidence that it is the same recording


def test_different_lengths_give_documents_and_equal_lengths_prove_nothing() -> None:
    def found(*lengths: float) -> list[str]:
        files = [(f"{name}.TextGrid",) for name in ("Ana", "Ben")]
        return [doc for doc, _ in named(files, Reading(), lengths=lengths).keys]

    assert found(10, 10.0002) == ["document", "document"]
    assert found(10, 14) == ["Ana", "Ben"]
    numbered = named([("clip_1.TextGrid",), ("clip_2.TextGrid",)], Reading(), lengths=[30, 30])
    assert [doc for doc, _ in numbered.keys] == ["clip_1", "clip_2"]


# -- contents decide which part of a name is the document --------------------------------------------------------------

WORDS = {"danish": frozenset(("en", "hund", "og", "kat")), "caterpillar": frozenset(("der", "larve", "frisst"))}


def by_contents(*paths: str, contents: list[frozenset[str]], distinctive: bool = True) -> list[str]:
    found = named([(path,) for path in paths], Reading(), contents=Contents(contents, distinctive=distinctive))
    return [f"{doc} by {who}" for doc, who in found.keys]


@pytest.mark.parametrize("pattern", ["{who}-{doc}.conll", "{doc}-{who}.conll"])
def test_documents_are_the_part_of_the_name_with_the_same_words(pattern: str) -> None:
    pairs = [(who, doc) for who in ("odin", "thor") for doc in WORDS]
    found = by_contents(*(pattern.format(who=w, doc=d) for w, d in pairs), contents=[WORDS[d] for _, d in pairs])
    assert found == [f"{doc} by {who}" for who, doc in pairs]


def test_different_texts_by_one_annotator_are_not_one_document() -> None:
    words = [frozenset("abcdef"), frozenset("uvwxyz")]
    files = [("odin-danish.conll",), ("odin-caterpillar.conll",)]
    found = named(files, Reading(), contents=Contents(words, least=0.1, distinctive=True))
    assert [who for _, who in found.keys] == ["annotator", "annotator"]


def test_numbers_are_annotators_if_positions_show_the_documents() -> None:
    units = {"goethe": ["10", "25", "90", "130"], "schiller": ["3", "44", "61", "70"]}
    paths = [f"{doc}_{who}.csv" for doc in units for who in ("01", "02")]
    marked = [frozenset(units[doc][: 3 + k]) for doc in units for k in (0, 1)]
    assert by_contents(*paths, contents=marked, distinctive=False)[1:3] == ["goethe by 02", "schiller by 01"]


def test_positions_that_all_documents_share_say_nothing() -> None:
    """Annotators who mark equal intervals share positions with themselves in all documents."""
    wide, narrow = frozenset(range(0, 100, 10)), frozenset(range(0, 100, 5))
    paths = ("d1_Ana.csv", "d2_Ana.csv", "d1_Ben.csv", "d2_Ben.csv")
    found = by_contents(*paths, contents=[wide, wide, narrow, narrow], distinctive=False)  # type: ignore[list-item]
    assert found[0] == "d1 by Ana"


# -- archives ----------------------------------------------------------------------------------------------------------


def test_archives_are_annotators_without_their_suffix() -> None:
    assert keys("Ana.zip/d1.ann", "Ana.zip/d2.ann", "Ben.zip/d1.ann", "Ben.zip/d2.ann")[1:3] == [
        "d2 by Ana", "d1 by Ben"
    ]  # fmt: skip
    assert keys("Ana.zip/Ana/d1.ann", "Ben.zip/Ben/d1.ann") == ["d1 by Ana", "d1 by Ben"]


def test_archives_with_generated_names_are_not_annotators() -> None:
    paths = [f"d{k}.txt/webanno{k}{n}6601060912948{n}export.zip/anno_0{n}.xmi" for k in (1, 2) for n in (1, 2)]
    wanted = ["d1.txt by anno_01", "d1.txt by anno_02", "d2.txt by anno_01", "d2.txt by anno_02"]
    assert keys(*paths, alike=["one", "one", "two", "two"]) == wanted


def test_folders_named_like_files_are_documents_even_without_common_documents() -> None:
    paths = ("a.txt/webanno2666010609129482603export.zip/u1.xmi", "b.txt/webanno1468212693444888492export.zip/u2.xmi")
    assert keys(*paths, alike=["one", "two"]) == ["a.txt by u1", "b.txt by u2"]


# -- prefixes of uploaded files ----------------------------------------------------------------------------------------


def test_upload_prefixes_are_left_out_if_documents_then_match() -> None:
    assert keys("Ana/8f3e1c2a-essay.txt", "Ben/1b2c3d4e-essay.txt") == ["essay by Ana", "essay by Ben"]
    assert keys("Ana/8f3e1c2a-essay.txt", "Ben/8f3e1c2a-essay.txt") == [
        "8f3e1c2a-essay by Ana",
        "8f3e1c2a-essay by Ben",
    ]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("8f3e1c2a-essay.txt", "essay.txt"),
        ("a1b2c3-file.png", "file.png"),
        ("8f3e1c2a_essay.txt", "essay.txt"),
        ("0b9f3a2c-5d1e-4f6a-8b7c-9d0e1f2a3b4c-essay.txt", "essay.txt"),
        ("facade-essay.txt", "facade-essay.txt"),  # a word
        ("a1b2-essay.txt", "a1b2-essay.txt"),  # too short
        ("8f3e1c2a.txt", "8f3e1c2a.txt"),  # nothing is left
    ],
)
def test_upload_prefix_contains_hexadecimal_digits(name: str, plain: str) -> None:
    assert without_upload_prefix(name) == plain

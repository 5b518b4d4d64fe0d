"""WebAnno TSV 3: layers, stacked and long annotations, parts of tokens, escapes, chains; and the same in XMI."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import accord
from accord.data.io.formats import uima_xmi, webanno_tsv, webanno_tsv2
from accord.data.io.formats.export import Passed
from accord.data.io.formats.files import gather_files
from accord.data.io.formats.layers import Types, Version
from accord.data.io.reading import Reading
from accord.data.model.chains import Chains
from accord.data.model.corpus import Corpus

from ...refusals import raises

HEAD = "#FORMAT=WebAnno TSV 3.3\n"
NER = HEAD + "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n\n\n"
# TSV has no rows for spaces: annotations that begin or end with a space are cut to tokens when written.
CUT_IN_TSV = {
    "testAnnotationWithLeadingWhitespace",
    "testAnnotationWithLeadingWhitespaceAtStart",
    "testAnnotationWithTrailingWhitespace",
    "testAnnotationWithTrailingWhitespaceAtEnd",
    "testZeroWidthAnnotationBeforeFirstTokenIsMovedToBeginOfFirstToken",
    "testZeroWidthAnnotationBetweenTokenIsMovedToEndOfPreviousToken",
    "testZeroWidthAnnotationBeyondLastTokenIsMovedToEndOfLastToken",
}
SUITE = "native-samples/webanno-tsv/tsv3-suite"


def version(folder: Path, content: str, name: str = "d.tsv") -> Version:
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    return webanno_tsv.version(gather_files([path])[0], Reading())


def spans(made: Version) -> list[tuple[int, int, dict[str, object]]]:
    return [(one.start, one.end, one.features) for one in made.spans]


def everything(made: Version) -> tuple[object, object]:
    """Return all spans and chains. The test suite renamed NamedEntity to webanno.custom.Span in TSV but not in XMI."""

    def layer(name: str) -> str:
        return name.rpartition(".")[2].replace("NamedEntity", "Span")

    return (
        sorted((layer(s.layer), s.start, s.end, sorted(s.features.items())) for s in made.spans),
        sorted(sorted((m.start, m.end) for m in made.mentions if m.chain == chain) for chain in chains(made.mentions)),
    )


def chains(mentions: Iterable[object]) -> set[str]:
    return {one.chain for one in mentions}  # type: ignore[attr-defined]


def test_tsv_and_xmi_of_the_webanno_suite_give_the_same_data(corpora: Path) -> None:
    compared = 0
    for folder in sorted((corpora / SUITE).iterdir()):
        files = {file.suffix: file for file in gather_files([folder])}
        if ".xmi" not in files:
            continue
        tsv = webanno_tsv.version(files[".tsv"], Reading())
        xmi = uima_xmi.version((files[".xmi"], Types()), Reading())
        assert (everything(tsv) == everything(xmi)) is (folder.name not in CUT_IN_TSV), folder.name
        if folder.name not in CUT_IN_TSV:
            assert tsv.text == xmi.text
            compared += 1
        assert tsv.passed.get("relations", Passed(0, "")).count == xmi.passed.get("relations", Passed(0, "")).count, (
            folder.name
        )
    assert compared == 66


def test_long_and_stacked_annotations_are_read(tmp_path: Path) -> None:
    rows = (
        "#Text=Ann Lee ran\n1-1\t0-3\tAnn\t*[1]|*[2]\tPER[1]|OTH[2]\t\n"
        "1-2\t4-7\tLee\t*[1]\tPER[1]\t\n1-3\t8-11\tran\t_\t_\t\n"
    )
    made = version(tmp_path, NER + rows)
    assert spans(made) == [(0, 7, {"value": "PER"}), (0, 3, {"value": "OTH"})]
    assert made.text == "Ann Lee ran"


def test_annotation_numbers_may_restart_in_each_sentence(tmp_path: Path) -> None:
    """Other programs number annotations by sentence. A token that is not adjacent starts another annotation."""
    rows = (
        "#Text=a b c\n1-1\t0-1\ta\tx\tP[1]\n1-2\t2-3\tb\tx\tP[1]\n1-3\t4-5\tc\t_\t_\n\n"
        "#Text=d e\n2-1\t6-7\td\t_\t_\n2-2\t8-9\te\tx\tP[1]\n"
    )
    assert [one[:2] for one in spans(version(tmp_path, NER + rows))] == [(0, 3), (8, 9)]


def test_escapes_are_decoded(tmp_path: Path) -> None:
    head = HEAD + "#T_SP=webanno.custom.X|v\n\n\n"
    for written, meant in ((r"a\|b", "a|b"), (r"a\[1\]", "a[1]"), (r"\_", "_"), (r"a\\", "a\\"), (r"\->\;\t", "->;\t")):
        assert spans(version(tmp_path, f"{head}#Text=a\n1-1\t0-1\ta\t{written}\t\n")) == [(0, 1, {"v": meant})]
    stacked = version(tmp_path, head + "#Text=a\n1-1\t0-1\ta\ta\\\\[1]|b[2]\t\n")
    assert [one[2] for one in spans(stacked)] == [{"v": "a\\"}, {"v": "b"}]


def test_utf_16_and_code_point_offsets_are_read(tmp_path: Path) -> None:
    head = HEAD + "#T_SP=webanno.custom.X|v\n\n\n"
    java = version(
        tmp_path, head + "#Text=😊 x 😊\n1-1\t0-2\t😊\t_\n1-2\t3-4\tx\tA\n1-3\t5-7\t😊\tB\n\n#Text=y\n2-1\t8-9\ty\tC\n"
    )
    other = version(
        tmp_path, head + "#Text=😊 x 😊\n1-1\t0-1\t😊\t_\n1-2\t2-3\tx\tA\n1-3\t4-5\t😊\tB\n\n#Text=y\n2-1\t6-7\ty\tC\n"
    )
    assert spans(java) == spans(other) == [(2, 3, {"v": "A"}), (4, 5, {"v": "B"}), (6, 7, {"v": "C"})]
    assert java.text == "😊 x 😊\ny"


def test_java_escapes_of_older_versions_are_decoded(tmp_path: Path) -> None:
    made = version(
        tmp_path,
        "#FORMAT=WebAnno TSV 3.1\n#T_SP=c.X|v\n\n\n#Text=\\u00e4\\uD83D\\uDE0A b\n1-1\t0-3\tä😊\tA\n1-2\t4-5\tb\tB\n",
    )
    assert made.text == "ä😊 b"
    assert spans(made) == [(0, 2, {"v": "A"}), (3, 4, {"v": "B"})]


def test_tokens_are_used_if_the_sentence_text_does_not_match(tmp_path: Path) -> None:
    made = version(tmp_path, HEAD + "#T_SP=c.X|v\n\n\n#Text=a  ,b\n1-1\t0-1\ta\t_\n1-2\t2-3\tb\tB\n")
    assert made.text is not None
    assert made.text[2:3] == "b"
    assert "texts of sentences that do not match their tokens, so accord uses the tokens" in made.passed


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    unix = NER + "#Text=a b\n1-1\t0-1\ta\t*\tPER\t\n1-2\t2-3\tb\t_\t_\t\n"
    assert version(tmp_path, unix.replace("\n", "\r\n")).spans == version(tmp_path, unix).spans


def test_folder_per_document_is_read(tmp_path: Path) -> None:
    for who, label in (("Ana", "PER"), ("Ben", "ORG")):
        for doc in ("d1", "d2"):
            (tmp_path / doc).mkdir(exist_ok=True)
            rows = f"#Text=a {doc}\n1-1\t0-1\ta\t*\t{label}\t\n1-2\t2-4\t{doc}\t_\t_\t\n"
            (tmp_path / doc / f"{who}.tsv").write_text(NER + rows, encoding="utf-8")
    (tmp_path / "d2" / "Ben.tsv").write_text(NER + "#Text=a d2\n1-1\t0-1\ta\t_\t_\t\n", encoding="utf-8")
    corpus = accord.read(tmp_path)
    assert isinstance(corpus, Corpus)
    assert (corpus.docs, corpus.annotators, len(corpus)) == (("d1", "d2"), ("Ana", "Ben"), 3)
    assert corpus.judged.all()  # Ben judged d2
    assert corpus.variable == "NamedEntity.value"


def test_chains_are_read(corpora: Path, tmp_path: Path) -> None:
    found = accord.read(corpora / SUITE / "testStackedChain" / "reference.tsv", repeats="first")
    assert isinstance(found, Chains)
    head = (
        HEAD
        + "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation\n\n\n"
    )
    rows = (
        "#Text=He shot himself\n1-1\t0-2\tHe\tpr[1]\tcoref->1-1\n"
        "1-2\t3-7\tshot\t_\t_\n1-3\t8-15\thimself\tpr[1]\t*->1-2\n"
    )
    made = version(tmp_path, head + rows)
    assert [(m.start, m.end, m.chain) for m in made.mentions] == [(0, 2, "1"), (8, 15, "1")]
    assert spans(made) == [(0, 2, {"referenceType": "pr"}), (8, 15, {"referenceType": "pr"})]
    assert made.passed["labels of links between mentions"].count == 1


def test_slots_and_relations_are_counted(corpora: Path) -> None:
    data = accord.read(
        corpora / SUITE / "testStackedComplexSlotFeatureWithoutValues" / "reference.tsv", label="SimpleSpan"
    )
    assert any("skipped: 4 slots" in note for note in data.notes)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (NER + "#Text=a\n1-1\t0-1\ta\tx\n", "invalid-record"),
        (NER + "#Text=a\nhello\n", "invalid-record"),
        (NER + "#Text=a\n1-1\t99999999999-99999999999\ta\tx\ty\n", "invalid-record"),
        (NER + "#Text=a b\n1-1\t0-1\ta\tx\ty\n\n#Text=c\n2-1\t1-2\tc\tx\ty\n", "invalid-record"),
        (
            HEAD + "#T_CH=c.ALink|referenceType|referenceRelation\n\n#Text=a\n1-1\t0-1\ta\tx[1]\tnothing\n",
            "invalid-record",
        ),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: str, expected: str) -> None:
    with raises(expected):
        version(tmp_path, content)


def test_version_2_is_read(corpora: Path) -> None:
    """Four files of WebAnno's tests of agreement: in two of them, one token of nine has another tag."""
    folder = corpora / "native-samples/webanno-tsv/agreement-module"
    corpus = accord.read(folder)
    assert isinstance(corpus, Corpus)
    assert (corpus.variable, len(corpus), len(corpus.annotators)) == ("POS.PosValue", 36, 4)
    assert any("skipped: 36 relations" in note for note in corpus.notes)
    test, spandiff = (accord.read(folder / f"{name}.tsv") for name in ("kappatest", "kappaspandiff"))
    assert set(spandiff.categories.names) - set(test.categories.names) == {"ADJD"}


def test_long_annotations_of_version_2_are_read(tmp_path: Path) -> None:
    rows = (
        " # a.ner.NamedEntity | value # a.Dependency | Type | AttachTo=a.POS\n#id=1\n#text=Rolls Royce Inc. said\n"
        "1-1\tRolls\tB-ORGpart|B-ORG\tx\t1-2\t\n1-2\tRoyce\tI-ORG\t_\t_\t\n1-3\tInc.\tB-ORG\t_\t_\t\n1-4\tsaid\tO\t_\t_\t\n"
    )
    path = tmp_path / "d.tsv"
    path.write_text(rows, encoding="utf-8")
    made = webanno_tsv2.version(gather_files([path])[0], Reading())
    assert spans(made) == [(0, 5, {"value": "ORGpart"}), (0, 11, {"value": "ORG"}), (12, 16, {"value": "ORG"})]
    assert made.passed["relations"].count == 1
    path.write_text(rows[:-12], encoding="utf-8")
    with raises("invalid-record"):
        webanno_tsv2.version(gather_files([path])[0], Reading())

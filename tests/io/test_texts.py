"""Files of corrected texts: formats, file names and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data.io.reading import Reading
from accord.data.io.texts.files import FileVersion, read_columns, read_conllu, read_cora, read_plain

from ..command_line import Cli
from ..refusals import raises

QUICK: dict[str, Any] = {"samples": 5, "precision": 0.5}  # enough for texts of two words

CORA = """<text id="1"><token id="t1" trans="in#dem"><mod id="m1" trans="in#dem"><pos tag="APPR"/></mod></token>
<token id="t2" trans="hu|s"><mod id="m2" trans="hu|s"><pos tag="NA"/><lemma tag="hus"/></mod></token></text>"""
HOW = Reading()


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def tokens(version: FileVersion) -> list[str]:
    return [version.text[a:b] for a, b in zip(version.start, version.end, strict=True)]


def rows(*words: str) -> str:
    """Return CoNLL-U lines from `id form lemma upos misc`."""
    cut = [word.split() for word in words]
    return (
        "".join(f"{k}\t{form}\t{lemma}\t{upos}\t_\t_\t0\t_\t_\t{misc}\n" for k, form, lemma, upos, misc in cut) + "\n"
    )


def test_cora_xml_has_tokens_texts_and_features(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.xml": CORA}) / "a.xml"
    (version,) = read_cora(path, HOW)
    assert version.text == "in dem hus"
    assert tokens(version) == ["in dem", "hus"]
    assert version.features == {"pos": ["APPR", "NA"], "lemma": [None, "hus"]}


@pytest.mark.parametrize(
    ("merge", "split", "text"),
    [("|", "#", "indem hu s"), ("", "", "in#dem hu|s"), ("#", "", "in dem hu|s"), ("~", "=", "in#dem hu|s")],
)
def test_symbols_of_cora_xml_are_settable(tmp_path: Path, merge: str, split: str, text: str) -> None:
    path = write(tmp_path, {"a.xml": CORA}) / "a.xml"
    assert accord.read(path, merge_symbol=merge, split_symbol=split).strings == (text,)


def test_sample_of_the_original_tool_is_read(corpora: Path) -> None:
    (version,) = read_cora(corpora / "native-samples" / "cora-xml" / "cora_ren.xml", HOW)
    assert version.text.startswith("¶ De hystorie van der duldicheyt")
    assert version.features["pos"][1] == "DDARTA"


def test_other_xml_in_a_folder_is_skipped_and_reported(corpora: Path, tmp_path: Path) -> None:
    texts = accord.read(corpora / "native-samples" / "cora-xml")
    assert len(texts.docs) == 5
    assert any(note.startswith("skipped 6 XML files without <mod>: coradb.xml") for note in texts.notes)
    write(tmp_path, {"a.xml": "<x/>"})
    for path in (tmp_path, tmp_path / "a.xml"):
        with raises("format-unknown"):
            accord.read(path)


def test_xml_uses_its_declared_encoding_or_the_option(tmp_path: Path) -> None:
    word = "<text><mod trans='h\u00fbs'/></text>"
    declared = "<?xml version='1.0' encoding='ISO-8859-1'?>" + word
    write(
        tmp_path, {"a.xml": declared.encode("latin-1"), "b.xml": word.encode("latin-1"), "c.xml": word.encode("utf-16")}
    )
    for name, encoding in (("a.xml", None), ("b.xml", "latin-1"), ("c.xml", None), ("a.xml", "latin-1")):
        assert accord.read(tmp_path / name, encoding=encoding).strings == ("h\u00fbs",)
    with raises("file-damaged", "b.xml:1"):
        accord.read(tmp_path / "b.xml")


def test_large_xml_is_read(tmp_path: Path) -> None:
    long = "x" * 11_000_000  # more than the default limit of the parser
    (version,) = read_cora(write(tmp_path, {"a.xml": f'<text><mod trans="{long}"/></text>'}) / "a.xml", HOW)
    assert version.end == [11_000_000]


def test_conllu_keeps_spaces_and_tags(tmp_path: Path) -> None:
    content = rows("1 don do AUX SpaceAfter=No", "2 't not PART _")
    (version,) = read_conllu(write(tmp_path, {"a.conllu": content}) / "a.conllu", HOW)
    assert version.text == "don't"
    assert version.doc is None
    assert version.features["upos"] == ["AUX", "PART"]


def test_conllu_documents_multiword_tokens_and_empty_nodes_are_read(tmp_path: Path) -> None:
    content = (
        "# newdoc id = one\n# text = il va  au don't.\n"
        + rows("1 il il PRON _", "2 va aller VERB _", "3-4 au _ _ _", "3 à à ADP _", "4 le le DET _", "4.1 x x X _",
               "5-6 don't _ _ SpaceAfter=No", "5 do do AUX _", "6 n't not PART _", "7 . . PUNCT _")
        + "# newdoc id = two\n" + rows("1 fin fin NOUN _")
    ).replace("6\tn't", "6\tn't")  # fmt: skip
    one, two = read_conllu(write(tmp_path, {"a.conllu": content}) / "a.conllu", HOW)
    assert (one.doc, two.doc, two.text) == ("one", "two", "fin")
    assert one.text == "il va  au don't."  # equals the comment # text
    assert tokens(one) == ["il", "va", "au", "do", "n't", "."]
    assert one.features["upos"] == ["PRON", "VERB", "ADP+DET", "AUX", "PART", "PUNCT"]


def test_text_that_differs_from_its_forms_is_reported(tmp_path: Path) -> None:
    (version,) = read_conllu(write(tmp_path, {"a.conllu": "# text = ab\n" + rows("1 cd cd X _")}) / "a.conllu", HOW)
    assert version.text == "cd"
    assert "in 1 sentence, the forms do not spell # text" in version.notes[0]


def test_two_tokenisations_of_japanese_are_read(corpora: Path) -> None:
    texts = accord.read(corpora / "ud-japanese-suw-luw", layout="texts", label="upos")
    assert (len(texts.docs), texts.n_annotators, list(texts.features)) == (200, 2, ["upos"])
    first = [texts.strings[v] for v in texts.versions(0)]
    assert first[0] == first[1]
    assert any("spans.csv (spans without text)" in note for note in texts.notes)


def test_tabular_conll_is_read(tmp_path: Path) -> None:
    def read(content: str) -> Any:
        return read_columns(write(tmp_path, {"a.conll": content}) / "a.conll", HOW)

    (version,) = read("a DT\n# NN\n\n# comment of several words\nc VB\n")
    assert version.text == "a c"  # a line that begins with # and is separated by spaces is a comment
    (version,) = read("a\tDT\n#\tNN\n# a comment\nc\t_\n")
    assert (version.text, version.features) == ("a # c", {"column 2": ["DT", "NN", None]})
    (version,) = read("# global.columns = ID FORM UPOS\n1\ta\tDT\n2\tb\tNN\n\n1\tc\tVB\n")
    assert (version.text, version.features) == ("a b c", {"upos": ["DT", "NN", "VB"]})
    assert [(v.doc, v.text) for v in read("-DOCSTART- O\n\na O\n\n-DOCSTART- O\n\nb O\nc O\n")] == [
        ("1", "a"),
        ("2", "b c"),
    ]
    assert [v.text for v in read("-DOCSTART- O\na O\n-DOCSTART- O\n")] == ["a"]
    assert [(v.doc, v.text) for v in read("#begin document (x); part 000\na\tO\n#end document\n")] == [("x/000", "a")]
    assert read(rows("1 a b C _"))[0].features == {"lemma": ["b"], "upos": ["C"], "xpos": [None]}
    with raises("invalid-record", "a.conll:2"):
        read("a DT\nb\n")


def test_words_of_a_plain_text_are_tokens_with_any_line_ending(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "\ufeffthe  cat\r\nthe end", "b.txt": "the  cat\nthe end"})
    (one,), (other,) = (read_plain(tmp_path / name, HOW) for name in ("a.txt", "b.txt"))
    assert tokens(one) == ["the", "cat", "the", "end"]
    assert one.text == other.text


def test_folder_of_annotators_gives_documents_and_a_pre_annotation(tmp_path: Path) -> None:
    for who, text in {"Ana": "de hystorie", "Ben": "de historie", "base": "de historie"}.items():
        write(tmp_path, {f"{who}/one.txt": text, f"{who}/two.txt": text + " van"})
    texts = accord.read(tmp_path, layout="texts")
    assert (texts.docs, texts.annotators, texts.has_base) == (("one", "two"), ("Ana", "Ben"), True)
    assert accord.text_gamma(texts, seed=1, **QUICK).observed > 0
    assert accord.read(tmp_path, layout="texts", annotators="Ben").n_annotators == 1
    assert accord.read(tmp_path, layout="texts", only="doc=two").docs == ("two",)
    assert accord.read(tmp_path, layout="texts", base="Ben").annotators == ("Ana", "base")


def test_file_names_give_document_and_annotator(tmp_path: Path) -> None:
    write(tmp_path, {f"target/{d}.{a}.txt": "a b" for d in ("one", "two") for a in ("Ana", "Ben")})
    texts = accord.read(tmp_path / "target", layout="texts")
    assert (texts.docs, texts.annotators) == (("one", "two"), ("Ana", "Ben"))
    write(tmp_path, {f"source/{d}.txt": "a" for d in ("one", "two")})
    texts = accord.read(tmp_path, layout="texts")
    assert (texts.docs, texts.annotators, texts.has_base) == (("one", "two"), ("Ana", "Ben"), True)


def test_subfolders_are_part_of_the_document_name(tmp_path: Path) -> None:
    write(tmp_path, {f"{part}/{a}/1.txt": "a b" for part in ("test", "train") for a in ("Ana", "Ben")})
    texts = accord.read(tmp_path, layout="texts")
    assert (texts.docs, texts.annotators) == (("test/1", "train/1"), ("Ana", "Ben"))


def test_documents_named_inside_files_are_read(tmp_path: Path) -> None:
    content = "# newdoc id = d1\n" + rows("1 a a X _") + "# newdoc id = d2\n" + rows("1 b b X _")
    write(tmp_path, {"x.all.conllu": content, "y.all.conllu": content, "README.txt": "about"})
    texts = accord.read(tmp_path)
    assert (texts.docs, texts.annotators) == (("d1", "d2"), ("x", "y"))
    assert any("not read: README.txt" in note for note in texts.notes)
    (tmp_path / "y.all.conllu").rename(tmp_path / "x.old.conllu")
    assert accord.read(tmp_path).annotators == ("x.all", "x.old")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.xml": "<text><mod trans='a'>"}, "file-damaged: a.xml:1"),
        ({"a.xml": "<text><mod/></text>"}, "invalid-record"),
        ({"a.xml": '<!DOCTYPE t [<!ENTITY e "x">]><text><mod trans="&e;"/></text>'}, "unsafe-file"),
        ({"a.xml": "<?xml version='1.0' encoding='klingon'?><text/>"}, "file-damaged: a.xml:1"),
        ({"a.xml": ""}, "file-empty"),
        ({"a.conllu": "1 a b\n"}, "format-unknown: a.conllu:1"),
        ({"a.conllu": "# nothing\n"}, "file-empty"),
        ({"a.conll": "# nothing\n"}, "file-empty"),
        ({"a.txt": ""}, "file-empty"),
        ({"a.txt": " \n "}, "file-empty"),
        ({"a.txt": "a\0b"}, "encoding"),
        ({"a.txt": b"caf\xe9"}, "encoding"),
        ({"a.pdf": "x"}, "file-missing"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, files: dict[str, str | bytes], words: str) -> None:
    with raises(words) as caught:
        accord.text_gamma(write(tmp_path, files), layout="texts")
    assert "\n" not in str(caught.value)


def test_two_files_for_one_document_and_annotator_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"Ana/1.txt": "a", "Ana/1.conll": "a O\n", "Ben/1.txt": "b"})
    paths = [tmp_path / "Ana" / "1.txt", tmp_path / "Ana" / "1.conll", tmp_path / "Ben" / "1.txt"]
    with raises("repeated-document", '"1"', '"Ana"'):
        accord.read(paths, layout="texts")


@pytest.mark.parametrize("files", [{"a.txt": "x"}, {"a.xml": CORA}, {"a.conllu": "x"}, {"a.csv": "x"}])
def test_an_unknown_encoding_is_named(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    with raises("encoding", '"klingon"'):
        accord.read(write(tmp_path, files), layout="texts", encoding="klingon")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"merge": "a,b=c"}, "option-not-for-data: --merge"),
        ({"only": "pos=N"}, "option-not-for-data: --only"),
        ({"categories": "a,b"}, "option-not-for-data: --categories"),
        ({"item": "x"}, "option-not-for-data: --item"),
        ({"docs": "d.csv"}, "option-not-for-data: --docs"),
        ({"base": "Anna"}, 'unknown-name: "Anna"'),
        ({"annotators": "Bert"}, 'unknown-name: "Bert"'),
        ({"only": "doc=x"}, 'unknown-name: "x"'),
        ({"label": "pos"}, 'unknown-name: "pos"'),
    ],
)
def test_options_without_meaning_for_texts_are_refused(tmp_path: Path, option: dict[str, str], words: str) -> None:
    write(tmp_path, {"Ana.txt": "a", "Ben.txt": "b"})
    with raises(words):
        accord.read(tmp_path, layout="texts", **option)


def test_one_annotator_alone_is_refused(tmp_path: Path) -> None:
    with raises("annotators-needed"):
        accord.text_gamma(write(tmp_path, {"Ana.txt": "a b"}), layout="texts")


def test_document_of_one_annotator_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {"Ana/1.txt": "a b", "Ana/2.txt": "c", "Ben/1.txt": "a c"})
    texts = accord.read(tmp_path, layout="texts")
    assert "1 document with fewer than two annotators, which cannot be compared: 2" in texts.notes
    assert accord.text_gamma(texts, seed=1, **QUICK).n == 1


def test_the_command_line_scores_and_shows_texts_side_by_side(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, {"Ana.txt": "De hystorie van der", "Ben.txt": "De historie vander"})
    scored = cli("score", tmp_path, "-m", "text_gamma(samples=5,precision=0.5)", "--by", "kind")
    assert "segmentation" in scored.out
    shown = cli("align", tmp_path, "-m", "text_gamma")
    assert "h[y]storie" in shown.out
    assert (scored.code, shown.code) == (0, 0)
    refused = cli("score", tmp_path, "-m", "text_gamma", "--encoding", "klingon")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_features_keep_the_order_of_the_file() -> None:
    names = [f"feature{k}" for k in (7, 3, 9, 1, 8, 2, 6, 4)]
    version = FileVersion()
    version.add("word", dict.fromkeys(names[:2], "x"))
    version.add("word", dict.fromkeys(names, "x"))
    assert list(version.features) == names

"""File and folder names give annotators and documents of unit tables, texts and CoNLL-2012 files."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

from ..refusals import raises

UNITS = {"d1": "start,end,label\n0,4,x\n6,9,y\n", "d2": "start,end,label\n3,5,y\n7,9,x\n"}
QUICK = {"interval": "none", "p_t": 0.25, "p_s": 0.04}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def test_file_names_give_documents_and_annotators_of_units(tmp_path: Path) -> None:
    write(tmp_path, {f"{d}_{a}.csv": UNITS[d] for d, a in (("d1", "Ana"), ("d1", "Ben"), ("d2", "Ana"))})
    corpus = accord.read(tmp_path)
    assert (corpus.docs, corpus.annotators) == (("d1", "d2"), ("Ana", "Ben"))
    assert accord.gamma(corpus, interval="none").value == pytest.approx(1)  # as four annotators of one document: .251
    assert any("file names are {doc}_{annotator} (Ana, Ben), 2 documents" in note for note in corpus.notes)


def test_names_pattern_overrides_the_folder_layout(tmp_path: Path) -> None:
    write(tmp_path, {f"x-{d}_{a}-y.csv": UNITS[d] for d in UNITS for a in ("Ana", "Ben")})
    corpus = accord.read(tmp_path, names="x-{doc}_{annotator}-y")
    assert (corpus.docs, corpus.annotators) == (("d1", "d2"), ("Ana", "Ben"))
    with raises("roles-unclear"):
        accord.read(tmp_path, names="{doc}+{annotator}")
    table = write(tmp_path / "one", {"t.csv": "annotator,start,end\nAna,0,4\nBen,0,4\n"}) / "t.csv"
    with raises("option-not-for-data", "--names"):
        accord.read(table, names="{annotator}")


def test_folder_per_annotator_gives_annotators_of_units(tmp_path: Path) -> None:
    write(tmp_path, {f"{a}/{d}.csv": UNITS[d] for d in UNITS for a in ("Ana", "Ben")})
    corpus = accord.read([tmp_path / "Ana", tmp_path / "Ben"])
    assert (corpus.docs, corpus.annotators) == (("d1", "d2"), ("Ana", "Ben"))
    assert accord.gamma(corpus, interval="none").value == pytest.approx(1)


def test_document_column_separates_annotator_and_document_in_file_names(tmp_path: Path) -> None:
    """From names like `Ana_1` and `Ben_1` alone, 1 and 2 could also be annotators."""
    table = "doc,start,end\n{},0,4\n{},6,9\n"
    write(tmp_path, {f"{a}_{k}.csv": table.format(*[f"d{k}"] * 2) for a in ("Ana", "Ben") for k in (1, 2)})
    corpus = accord.read(tmp_path)
    assert (corpus.docs, corpus.annotators) == (("d1", "d2"), ("Ana", "Ben"))
    write(tmp_path / "two", {f"{a}.csv": table.format("d1", "d2") for a in ("a1", "b2")})
    assert accord.read(tmp_path / "two").annotators == ("a1", "b2")


def test_documents_of_one_annotator_are_not_compared(tmp_path: Path) -> None:
    write(tmp_path, {"2021.csv": UNITS["d1"], "2022.csv": UNITS["d2"]})
    assert accord.read(tmp_path).n_annotators == 1
    with raises("annotators-needed"):
        accord.gamma(tmp_path)


def test_dots_in_file_names_of_texts_do_not_name_annotators(tmp_path: Path) -> None:
    write(tmp_path, {f"{a}/esp.train-{k}.txt": f"un texto {k} corto" for a in ("Ana", "Ben") for k in (1, 2, 3)})
    texts = accord.read(tmp_path)
    assert (len(texts.docs), texts.annotators) == (3, ("Ana", "Ben"))
    assert accord.text_gamma(texts, **QUICK).value == pytest.approx(1)
    assert any("folders are annotators (Ana, Ben), 3 documents" in note for note in texts.notes)


def test_folder_named_src_contains_the_source_texts(tmp_path: Path) -> None:
    write(tmp_path, {f"{a}/{d}.txt": f"ein text {d}" for a in ("Ana", "Ben", "src") for d in ("one", "two")})
    texts = accord.read(tmp_path)
    assert (texts.annotators, texts.has_base) == (("Ana", "Ben"), True)


def test_names_pattern_gives_annotators_of_texts(tmp_path: Path) -> None:
    write(tmp_path, {f"{a}-{d}.txt": "ein text" for a in ("Ana", "Ben") for d in ("one", "two")})
    texts = accord.read(tmp_path, names="{annotator}-{doc}")
    assert (texts.docs, texts.annotators) == (("one", "two"), ("Ana", "Ben"))


def test_conll_2012_file_names_give_documents_and_annotators(tmp_path: Path) -> None:
    lines = "#begin document ({0}); part 000\n{0} 0 0 She (1)\n{0} 0 1 runs -\n{0} 0 2 her (1)\n#end document\n"
    write(tmp_path, {f"{d}.{a}.conll": lines.format(d) for d in ("d1", "d2") for a in ("Ana", "Ben")})
    chains = accord.read(tmp_path)
    assert (chains.docs, chains.annotators) == (("d1", "d2"), ("Ana", "Ben"))
    assert accord.conll(chains, interval="none").value == pytest.approx(1)


def test_files_are_annotators_with_the_option(tmp_path: Path) -> None:
    write(tmp_path, {"r1.csv": UNITS["d1"], "r2.csv": UNITS["d1"]})
    assert accord.read(tmp_path).n_annotators == 1
    assert accord.read(tmp_path, annotators_in="files").annotators == ("r1", "r2")


def test_files_are_annotators_if_texts_name_their_documents(tmp_path: Path) -> None:
    lines = "# newdoc id = d1\n" + "\t".join(["1", "a", "a", "X", *["_"] * 6]) + "\n\n"
    write(tmp_path, {"2021a.conllu": lines, "2021b.conllu": lines})
    texts = accord.read(tmp_path)
    assert (texts.docs, texts.annotators) == (("d1",), ("2021a", "2021b"))


# -- contents decide which part of a file name is the document ---------------------------------------------------------

OFFSETS = {"goethe-stella": range(40, 9000, 301), "lessing-nathan": range(11, 9000, 457)}


def passages(starts: range, skip: int) -> str:
    """Units of one annotator, who leaves out every `skip`th passage."""
    rows = [f"{at},{at + 9},passage {at},a{at % 3}" for k, at in enumerate(starts) if k % skip]
    return "\n".join(["begin,end,surface,entityLabel", *rows, ""])


@pytest.mark.parametrize("pattern", ["{doc}_{who}.csv", "{who}_{doc}.csv"])
def test_numbered_annotators_are_told_from_documents_by_positions(tmp_path: Path, pattern: str) -> None:
    for doc, starts in OFFSETS.items():
        write(tmp_path, {pattern.format(doc=doc, who=f"0{k}"): passages(starts, k + 3) for k in (1, 2)})
    corpus = accord.read(tmp_path)
    assert (corpus.docs, corpus.annotators) == (tuple(OFFSETS), ("01", "02"))
    assert corpus.categories.names == ("a0", "a1", "a2")


def test_two_files_of_one_document_are_two_annotators(tmp_path: Path) -> None:
    write(tmp_path, {f"goethe-stella_0{k}.csv": passages(OFFSETS["goethe-stella"], k + 3) for k in (1, 2)})
    corpus = accord.read(tmp_path)
    assert (corpus.docs, corpus.annotators) == (("goethe-stella",), ("01", "02"))


def test_documents_of_one_annotator_are_not_annotators_of_one_document(tmp_path: Path) -> None:
    write(tmp_path, {f"{doc}_01.csv": passages(starts, 4) for doc, starts in OFFSETS.items()})
    corpus = accord.read(tmp_path)
    assert (corpus.docs, corpus.annotators) == (("goethe-stella_01", "lessing-nathan_01"), ("annotator",))


def test_dependency_treebanks_name_annotators_before_or_after_the_document(corpora: Path) -> None:
    folder = corpora / "native-samples-2" / "dependencies" / "arnsholt+syn-agreement"
    texts = accord.read(folder / "ndt")
    assert (texts.docs, texts.annotators) == (("caterpillar", "danish"), ("odin", "thor"))
    texts = accord.read(folder / "cdt-da-en")
    assert (texts.docs, texts.annotators) == (("da", "en"), ("lotte", "morten"))


# -- the column of labels ----------------------------------------------------------------------------------------------


def test_names_pattern_keeps_labels_in_a_column_with_another_name(tmp_path: Path) -> None:
    files = {f"{d}_{a}.csv": UNITS[d].replace("label", "entityLabel") for d in UNITS for a in ("01", "02")}
    write(tmp_path, files)
    corpus = accord.read(tmp_path, names="{doc}_{annotator}")
    assert (corpus.docs, corpus.annotators) == (("d1", "d2"), ("01", "02"))
    assert corpus.categories.names == ("x", "y")
    assert 'column "entityLabel" read as the label (change with --label)' in corpus.notes


def test_only_column_with_few_values_is_the_label_of_units(tmp_path: Path) -> None:
    rows = "".join(f"Ana,{k},{k + 1},{'uv'[k % 2]},remark {k}\nBen,{k},{k + 1},u,seen {k}\n" for k in range(5))
    path = write(tmp_path, {"t.csv": "annotator,start,end,kind,remark\n" + rows}) / "t.csv"
    assert accord.read(path).categories.names == ("u", "v")


def test_units_with_two_columns_of_labels_are_refused_with_options_that_work(tmp_path: Path) -> None:
    rows = "".join(f"Ana,{k},{k + 1},{'uv'[k % 2]},p\nBen,{k},{k + 1},u,{'pq'[k % 2]}\n" for k in range(5))
    path = write(tmp_path, {"t.csv": "annotator,start,end,kind,my tone\n" + rows}) / "t.csv"
    with raises("roles-unclear", "--label kind or --label 'my tone'"):
        accord.read(path)
    assert accord.read(path, label="kind").categories.names == ("u", "v")
    assert accord.read(path, label="my tone").categories.names == ("p", "q")

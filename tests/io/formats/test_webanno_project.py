"""Projects of WebAnno and INCEpTION: annotators, document states and curators, in each export format."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

import accord
from accord.core.errors import DataError
from accord.data.model.corpus import Corpus

from ...refusals import raises

NER = "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value\n\n\n"
LAYERS = [{"name": "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity", "uiName": "Named entity", "type": "span"}]


def tsv(doc: str, label: str = "_") -> str:
    return f"{NER}#Text=Ann {doc}\n1-1\t0-3\tAnn\t{label}\t\n1-2\t4-6\t{doc}\t_\t\n"


def xmi(doc: str, label: str) -> str:
    return (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
        'xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmi:version="2.0">'
        f'<ner:NamedEntity xmi:id="2" sofa="1" begin="0" end="3" value="{label}"/>'
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="Ann {doc}"/>'
        '<cas:View sofa="1" members="2"/></xmi:XMI>'
    )


def cas_json(doc: str, label: str) -> str:
    kind = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": f"Ann {doc}"},
        {"%ID": 2, "%TYPE": kind, "@sofa": 1, "begin": 0, "end": 3, "value": label},
    ]
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {"v": {"%MEMBERS": [2]}}})


def zipped(files: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def project(folder: Path, files: dict[str, str | bytes], states: dict[tuple[str, str], str]) -> Path:
    rows = [{"name": doc, "user": user, "state": state} for (doc, user), state in states.items()]
    described = {"name": "P", "source_documents": [], "annotation_documents": rows, "layers": LAYERS}
    path = folder / "project.zip"
    path.write_bytes(zipped({"exportedproject.json": json.dumps(described), **files}))
    return path


def test_states_and_curators_of_a_project_are_respected(tmp_path: Path) -> None:
    path = project(
        tmp_path,
        {
            "source/d1.txt": "Ann d1",
            "annotation/d1.txt/ana.tsv": tsv("d1", "PER"),
            "annotation/d1.txt/ben.tsv": tsv("d1"),
            "annotation/d1.txt/INITIAL_CAS.tsv": tsv("d1", "OLD"),
            "annotation/d2.txt/ana.tsv": tsv("d2", "PER"),
            "annotation/d2.txt/ben.tsv": tsv("d2", "NOT"),
            "annotation_ser/d1.txt/ana.ser": b"\xac\xed\x00\x05junk",
            "curation/d1.txt/CURATION_USER.tsv": tsv("d1", "ORG"),
        },
        {
            ("d1.txt", "ana"): "FINISHED",
            ("d1.txt", "ben"): "FINISHED",
            ("d2.txt", "ana"): "IN_PROGRESS",
            ("d2.txt", "ben"): "NEW",
            ("d3.txt", "ana"): "FINISHED",
        },
    )
    corpus = accord.read(path)
    assert isinstance(corpus, Corpus)
    assert corpus.variable == "NamedEntity.value"
    assert (corpus.docs, corpus.annotators, corpus.categories.names) == (("d1.txt", "d2.txt"), ("ana", "ben"), ("PER",))
    assert corpus.judged.tolist() == [[True, True], [True, False]]  # ben marked nothing in d1 and did not judge d2
    notes = "\n".join(corpus.notes)
    assert "1 document read but not finished by the annotator (e.g. d2.txt by ana)" in notes
    assert "1 document finished, but not in the export (e.g. d3.txt by ana)" in notes
    assert "skipped: 1 documents without work by the annotator (state NEW)" in notes
    assert "skipped: 1 documents by a curator" in notes
    assert "skipped: 1 documents in their initial state" in notes
    assert 'NamedEntity is the layer "Named entity"' in notes
    with_curator = accord.read(path, annotators="ana,CURATION_USER")
    assert isinstance(with_curator, Corpus)
    assert [name for k, name in enumerate(with_curator.annotators) if with_curator.judged[0, k]] == [
        "CURATION_USER",
        "ana",
    ]
    assert with_curator.categories.names == ("ORG", "PER")


def test_annotators_are_named_inside_archives_with_generated_names(tmp_path: Path) -> None:
    archive = {"TypeSystem.xml": "<typeSystemDescription/>"}
    files: dict[str, str | bytes] = {
        "annotation/d1.txt/webanno9685370690954846862export.zip": zipped({"ana.xmi": xmi("d1", "PER"), **archive}),
        "annotation/d1.txt/webanno4160115670689391897export.zip": zipped({"ben.xmi": xmi("d1", "ORG"), **archive}),
        "annotation/d2.txt/webanno2893405397905127302export.zip": zipped({"ana.xmi": xmi("d2", "PER"), **archive}),
        "annotation/d2.txt/cem.zip": zipped({"d2.xmi": xmi("d2", "LOC"), **archive}),  # the document's name inside
        "curation/d1.txt/webanno1100795600300073472export.zip": zipped({"CURATION_USER.xmi": xmi("d1", "X")}),
        "__MACOSX/annotation/d1.txt/._webanno9685370690954846862export.zip": b"junk",
    }
    corpus = accord.read(project(tmp_path, files, dict.fromkeys((("d1.txt", "ana"), ("d1.txt", "ben")), "FINISHED")))
    assert isinstance(corpus, Corpus)
    assert (corpus.docs, corpus.annotators, len(corpus)) == (("d1.txt", "d2.txt"), ("ana", "ben", "cem"), 4)
    assert not any("not in the export" in note for note in corpus.notes)
    assert any("--annotators …,CURATION_USER" in note for note in corpus.notes)


def test_inception_project_with_archives_names_its_annotators(corpora: Path) -> None:
    folder = corpora / "native-samples-2" / "inception" / "catalpa-cl+inceptalytics" / "pos"
    corpus = accord.read(folder / "Example_Project_POS.zip")
    assert isinstance(corpus, Corpus)
    assert corpus.annotators == ("ia-test1", "ia-test2", "ia-test3", "zesch")
    assert corpus.judged.sum(axis=0).tolist() == [3, 3, 3, 1]  # documents by annotator
    assert len(corpus) == 353  # and two parts of speech without a value
    assert not any("not in the export" in note for note in corpus.notes)


def test_archives_in_folders_of_documents_name_their_annotators(corpora: Path) -> None:
    folder = corpora / "native-samples-2" / "inception" / "GillesJ+sentivent_webannoparser" / "sentivent"
    corpus = accord.read(folder, label="A_Event.a_Type")
    assert isinstance(corpus, Corpus)
    assert corpus.annotators == ("anno_01", "anno_02")
    assert [doc.partition("_")[0] for doc in corpus.docs] == ["nflx00", "t04"]


def test_all_formats_give_the_same_data(tmp_path: Path) -> None:
    """A project with several formats and nested archives equals its unpacked form."""
    files: dict[str, str | bytes] = {
        "annotation/d1.txt/ana.zip": zipped(
            {"ana.xmi": xmi("d1", "PER"), "TypeSystem.xml": "<typeSystemDescription/>"}
        ),
        "annotation/d1.txt/ben.json": cas_json("d1", "ORG"),
        "annotation/d1.txt/cat.tsv": tsv("d1", "PER"),
    }
    path = project(tmp_path, files, {})
    corpus = accord.read(path)
    assert isinstance(corpus, Corpus)
    assert (corpus.docs, corpus.annotators, len(corpus)) == (("d1.txt",), ("ana", "ben", "cat"), 3)
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    again = accord.read(folder)
    assert isinstance(again, Corpus)
    assert (again.docs, again.annotators, len(again)) == (corpus.docs, corpus.annotators, 3)


def test_folder_annotation_alone_is_read(tmp_path: Path) -> None:
    for doc in ("d1.txt", "d2.txt"):
        folder = tmp_path / "annotation" / doc
        folder.mkdir(parents=True)
        for who in ("ana", "ben", "INITIAL_CAS", "CURATION_USER"):
            (folder / f"{who}.tsv").write_text(tsv("d1", "PER"), encoding="utf-8")
    corpus = accord.read(tmp_path)
    assert isinstance(corpus, Corpus)
    assert (corpus.docs, corpus.annotators, len(corpus)) == (("d1.txt", "d2.txt"), ("ana", "ben"), 4)
    assert any("skipped: 2 documents by a curator" in note for note in corpus.notes)


def test_document_in_two_formats_is_read_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "annotation/d1.txt/ana.tsv": tsv("d1", "PER"),
        "annotation/d1.txt/ana.json": cas_json("d1", "PER"),
    }
    corpus = accord.read(project(tmp_path, files, {}))
    assert len(corpus) == 1
    assert any("skipped: 1 further files of the same document and annotator" in note for note in corpus.notes)


def test_two_folders_named_annotation_give_different_documents(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name / "annotation" / "d1.txt"
        folder.mkdir(parents=True)
        (folder / "ana.tsv").write_text(tsv("d1", "PER"), encoding="utf-8")
    assert accord.read(tmp_path).docs == ("one/d1.txt", "two/d1.txt")


def test_java_objects_are_never_opened(tmp_path: Path) -> None:
    path = project(tmp_path, {"annotation_ser/d1.txt/ana.ser": b"\xac\xed\x00\x05junk"}, {})
    with raises("nothing-annotated"):
        accord.read(path)


def test_text_exports_are_refused_with_the_export_format_to_use(corpora: Path) -> None:
    folder = corpora / "native-samples" / "webanno-project-export"
    for path in sorted(folder.glob("*.zip")):
        with raises("nothing-annotated"):
            accord.read(path)
    curated = accord.read(folder / "Export+Test+-+Curated+annotation+project_3_6_1.zip", annotators="CURATION_USER")
    assert isinstance(curated, Corpus)
    assert len(curated) == 1


@pytest.mark.parametrize("described", ["[]", "{", '{"annotation_documents": 3, "layers": {}}', "nothing"])
def test_damaged_project_description_is_refused(tmp_path: Path, described: str) -> None:
    path = tmp_path / "project.zip"
    path.write_bytes(zipped({"exportedproject1.json": described}))
    with pytest.raises(DataError):
        accord.read(path)


def test_archives_per_document_and_their_folders_give_the_users(tmp_path: Path, corpora: Path) -> None:
    """DOC/webannoNNNexport.zip/USER.xmi, packed or unpacked, without the rest of the project."""
    source = corpora / "native-samples-2" / "inception" / "catalpa-cl+inceptalytics" / "pos" / "Example_Project_POS.zip"
    with zipfile.ZipFile(source) as project:
        packed = [name for name in project.namelist() if "/annotation/" in name and "__MACOSX" not in name]
        for name in (name for name in packed if name.endswith(".zip")):
            path = tmp_path / "packed" / Path(*Path(name).parts[-2:])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(project.read(name))
            with zipfile.ZipFile(path) as inner:
                inner.extractall(tmp_path / "unpacked" / Path(*Path(name).parts[-2:]))
    for folder in ("packed", "unpacked"):
        data = accord.read(tmp_path / folder)
        assert data.annotators == ("ia-test1", "ia-test2", "ia-test3", "zesch")
        assert data.docs == ("test1.txt", "test2.txt", "test3.txt")
        assert not any("finished, but not in the export" in note for note in data.notes)

"""Every reader reports content that it does not use.

Each case adds unknown content to a sample of a format: a key with a label, an element, a column, a line. The labels
stay the same, and a note names the content. Where a format cannot have further content, the reader refuses the file.
"""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.core.errors import DataError
from accord.data.io import read_all
from accord.data.io.formats.catalogue import FORMATS
from accord.data.model.data import Data, Fact

pytestmark = pytest.mark.filterwarnings("ignore::accord.errors.ReadingWarning")

SAMPLES = Path(__file__).parents[1] / "data" / "formats"
Change = Callable[[Path], None]


@dataclass(frozen=True)
class Case:
    """A sample, its change, and what accord says about it: a note, or a refusal."""

    sample: str | Mapping[str, str | Callable[[Path], None]]  # a folder of samples, or the files of a sample
    change: Change
    note: str = ""
    refusal: str = ""
    mapped: str = ""  # a column that `accord map` lists as one that is not a label
    warns: bool = True  # the note is not only a fact
    options: Mapping[str, Any] = field(default_factory=dict)
    needs: str = ""  # a package


# -- changes of files ------------------------------------------------------------------------------------------------


def text(pattern: str, old: str, new: str, *, encoding: str = "utf-8") -> Change:
    """Replace a text once in each file that the pattern matches."""

    def change(folder: Path) -> None:
        files = sorted(path for path in folder.glob(pattern) if path.is_file())
        assert files, pattern
        for path in files:
            content = path.read_bytes().decode(encoding)
            assert old in content, (path, old)
            path.write_bytes(content.replace(old, new, 1).encode(encoding))

    return change


def at_end(pattern: str, added: str, *, encoding: str = "utf-8") -> Change:
    def change(folder: Path) -> None:
        for path in folder.glob(pattern):
            path.write_bytes(path.read_bytes() + added.encode(encoding))

    return change


def cells(pattern: str, name: str, value: str, separator: str = "\t") -> Change:
    """Add a column with the same value in each row."""

    def change(folder: Path) -> None:
        for path in folder.glob(pattern):
            head, *rows = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
            lines = [f"{head}{separator}{name}", *(f"{row}{separator}{value}" for row in rows)]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    return change


def records(pattern: str, put: Callable[[Any], None]) -> Change:
    """Change the value of a JSON file, or each line of JSON lines."""

    def changed(line: str) -> str:
        value = json.loads(line)
        put(value)
        return json.dumps(value, ensure_ascii=False)

    def change(folder: Path) -> None:
        files = sorted(folder.glob(pattern))
        assert files, pattern
        for path in files:
            content = path.read_text(encoding="utf-8")
            lines = [line for line in content.split("\n") if line.strip()] if path.suffix == ".jsonl" else [content]
            path.write_text("".join(f"{changed(line)}\n" for line in lines), encoding="utf-8")

    return change


def every(*keys: str) -> Callable[[Any], None]:
    """Add the key `mood` to the objects at a path of keys; lists and "*" stand for all their entries."""

    def put(value: Any, rest: tuple[str, ...] = keys) -> None:
        if isinstance(value, list):
            for one in value:
                put(one, rest)
        elif not rest:
            value["mood"] = "good"
        elif rest[0] == "*":
            for one in value.values():
                put(one, rest[1:])
        elif rest[0] in value:
            put(value[rest[0]], rest[1:])

    return put


def in_zip(pattern: str, name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        for path in folder.glob(pattern):
            with zipfile.ZipFile(path) as archive:
                inside = {one: archive.read(one) for one in archive.namelist()}
            assert old in inside[name].decode(), old
            inside[name] = inside[name].decode().replace(old, new, 1).encode()
            with zipfile.ZipFile(path, "w") as archive:
                for one, content in inside.items():
                    archive.writestr(one, content)

    return change


def both(*changes: Change) -> Change:
    def change(folder: Path) -> None:
        for one in changes:
            one(folder)

    return change


def in_docbin(folder: Path) -> None:
    """Add a part, user data and tags of tokens to each file of spaCy."""
    import zlib

    import msgpack
    import numpy as np

    for path in folder.glob("*.spacy"):
        whole = msgpack.unpackb(zlib.decompress(path.read_bytes()), strict_map_key=False)
        whole["moods"] = ["good"]
        tokens = np.frombuffer(whole["tokens"], dtype="<u8").reshape(-1, len(whole["attrs"]))
        tags = np.full((len(tokens), 1), 92, dtype="<u8")  # NOUN
        whole["attrs"], whole["tokens"] = [*whole["attrs"], 75], np.hstack([tokens, tags]).tobytes()  # 75: TAG
        known = [msgpack.unpackb(packed) for packed in whole["user_data"]]
        whole["user_data"] = [msgpack.packb({**one, "mood": "good"}) for one in known]
        path.write_bytes(zlib.compress(msgpack.packb(whole)))


# -- samples of formats without a folder of samples ------------------------------------------------------------------

UNITS = "doc,annotator,start,end,label{h}\nd,ana,0,3,X{a}\nd,ben,0,3,X{b}\nd,ana,4,6,Y{a}\nd,ben,4,6,Y{b}\n"
ITEMS = [["item", "annotator", "label"], *([str(k), who, "xy"[k % 2]] for k in range(4) for who in ("ana", "ben"))]
REMARKS = ["remark", *(f"a remark on {k}" for k in range(8))]  # differs in each row, so it is not a label
CONLLU = (
    "# sent_id = 1\n# text = The dog barks\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
    "2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\tbarks\tbark\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
)
CONLL = "#begin document (d); part 000\nd 0 0 Anna NNP {p} (1)\nd 0 1 sees VBZ {p} -\n#end document\n"
CORA = '<text><token><mod id="t1" trans="Tag"><pos tag="NN"/></mod></token></text>'


def table(path: Path, *, further: bool = False) -> None:
    """Write labels of items as Parquet, Excel or SPSS, with or without a column of remarks."""
    rows = [[*row, remark] for row, remark in zip(ITEMS, REMARKS, strict=True)] if further else ITEMS
    if path.suffix == ".xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
        return
    import polars

    frame = polars.DataFrame(rows[1:], schema=rows[0], orient="row")
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".csv":
        frame.write_csv(path)
    else:
        import pyreadstat

        pyreadstat.write_sav(frame.to_pandas(), str(path))


def with_remarks(folder: Path) -> None:
    for path in folder.iterdir():
        table(path, further=True)


# -- cases -----------------------------------------------------------------------------------------------------------

XMI = '<cas:Sofa xmi:id="1"'
CASES: dict[str, list[Case]] = {
    "webanno_project": [
        Case("webanno_project/1/unpacked", records("exportedproject.json", every()), "parts of the project.*mood"),
        Case(
            "webanno_project/1/unpacked",
            records("exportedproject.json", lambda whole: whole["annotation_documents"].append(
                {"name": "d1.txt", "user": "ana", "state": "FINISHED", "annotator_comment": "good"})),
            "comments on documents not read: ana",
        ),
    ],
    "brat": [
        Case("brat/2/in", at_end("Ana/*.ann", "R1\tPart Arg1:T1 Arg2:T1\n"), "skipped: 1 relations"),
        Case("brat/2/in", at_end("Ana/*.ann", "#1\tAnnotatorNotes T1\tgood\n"), "skipped: 1 notes of annotators"),
        Case("brat/2/in", at_end("Ana/*.ann", "Q1\tMood T1 good\n"), refusal="not a line of brat"),
    ],
    "webanno_tsv": [
        Case("webanno_tsv/1", text("annotation/*/*.tsv", "\tThe\t_\t_\t", "\tThe\t_\t_\t\tgood"), "skipped: .*columns"),
        Case("webanno_tsv/1", text("annotation/*/*.tsv", "#Text=", "#Mood=good\n#Text="), "start with # not.*Mood"),
    ],
    "webanno_tsv2": [
        Case("webanno_tsv2/1", text("*.tsv", "said\tO\t_\t_\t", "said\tO\t_\t_\tgood"), "skipped: 1 cells in columns"),
        Case("webanno_tsv2/1", text("*.tsv", "#text=", "#mood=good\n#text="), "start with # not read: mood"),
    ],
    "uima_xmi": [
        Case("uima_xmi/1", text("annotation/*/*.xmi", XMI, f'<ns0:Mood xmi:id="99" value="good"/>{XMI}'),
             "annotations without a text"),
        Case("uima_xmi/1", text("annotation/*/*.xmi", XMI, f'<ns0:Mood xmi:id="99" sofa="1"/>{XMI}'),
             "annotations of documents without a value|deleted annotations"),
    ],
    "uima_json": [
        Case("uima_json/1", records("*.json", every()), "keys of the document not read: mood"),
        Case("uima_json/1", records("*.json", lambda whole: whole["%FEATURE_STRUCTURES"].append(
            {"%ID": 9, "%TYPE": "custom.Mood", "value": "good"})), "annotations without a text"),
        Case("uima_json/1", records("*.json", lambda whole: whole["%FEATURE_STRUCTURES"][1].update(mood=["good"])),
             refusal='feature "mood"'),
    ],
    "label_studio": [
        Case("label_studio/1", records("*.json", every()), "keys of tasks not read: mood"),
        Case("label_studio/1", records("*.json", every("annotations")), "keys of annotations not read: mood"),
        Case("label_studio/1", records("*.json", every("annotations", "result")), "keys of results not read: mood"),
        Case("label_studio/2", records("*.json", every("annotations", "result", "value")), "keys of values.*mood"),
        Case("label_studio/1", records("*.json", lambda tasks: tasks[0]["annotations"][0]["result"][0].update(
            meta={"text": ["good"]})), "notes on results not read: text"),
    ],
    "prodigy": [
        Case("prodigy/1", records("*.jsonl", every()), "fields of tasks not read: mood"),
        Case("prodigy/1", records("*.jsonl", every("spans")), "keys of spans not read: mood"),
    ],
    "argilla": [
        Case("argilla/2", records("*.json", every()), "keys of records not read: mood"),
        Case("argilla/2", records("*.json", every("responses", "*")), "keys of responses not read: mood"),
        Case("argilla/2", records("*.json", every("responses", "spans", "value")), "keys of spans not read: mood"),
    ],
    "doccano": [
        Case("doccano/1", records("*.jsonl", every()), "fields not read: mood"),
        Case("doccano/1", records("*.jsonl", lambda row: row.update(Comments=["good"])), "fields not read: Comments"),
        Case("doccano/1", records("*.jsonl", lambda row: row.update(relations=[{"type": "x"}])), "skipped: 2 rel"),
    ],
    "gate": [
        Case("gate/2", text("*.xml", "<TextWithNodes>", "<GateDocumentFeatures><Feature><Name>mood</Name><Value>good"
             "</Value></Feature></GateDocumentFeatures><TextWithNodes>"), "features of documents not read: mood"),
        Case("gate/2", text("*.xml", "</GateDocument>", '<Mood value="good"/></GateDocument>'), "elements.*Mood"),
        Case("gate/2", text("*.xml", 'Type="Place"', 'Type="Place" Mood="good"'), "attributes of annotations.*Mood"),
    ],
    "glozz": [
        Case("glozz/1", text("*.aa", "<author>ana</author>", "<author>ana</author><comment>good</comment>"),
             "elements of units not read: comment"),
        Case("glozz/1", text("*.aa", "<annotations>", "<annotations><mood>good</mood>"), "elements not read: mood"),
    ],
    "bioc": [
        Case("bioc/1", text("*.xml", "<infon", "<mood>good</mood><infon"), "elements of annotations not read: mood"),
        Case("bioc/1", text("*.xml", "<passage>", '<passage><infon key="mood">good</infon>'), "documents.*mood",
             warns=False),
        Case("bioc/1", text("*.xml", "<relation id='R1'/>", "<relation id='R1'/><relation id='R2'/>"),
             "skipped: 2 relations"),
    ],
    "catma": [
        Case("catma/1", records("collections/*/annotations/*.json", every()), "keys of annotations not read: mood"),
        Case("catma/1", records("collections/*/annotations/*.json", every("body")), "annotation bodies not read: mood"),
        Case("catma/1", records("collections/C_ben/annotations/*.json", lambda value: value[0]["body"].update(
            properties={"user": {"P9": ["good"]}})), "properties not read: not in the project"),
    ],
    "refi_qda": [
        Case("refi_qda/1", in_zip("*.qdpx", "project.qde", "</Project>", '<Notes><Note guid="n"/></Notes></Project>'),
             "elements not read: Note"),
        Case("refi_qda/1", in_zip("*.qdpx", "project.qde", "</Project>", '<Mood name="good"/></Project>'),
             "elements not read: Mood"),
    ],
    "tei": [
        Case("tei/1", text("*.xml", "<span from", '<span cert="low" from'), "attributes of spans not read: cert"),
        Case("tei/1", text("*.xml", "<standOff>", "<standOff><mood>good</mood>"), "<standOff> not read: mood"),
        Case("tei/1", text("*.xml", 'xml:id="w1"', 'xml:id="w1" pos="CD"'), "attributes of words not read: pos"),
        Case("tei/1", text("*.xml", ' ana="#q"/>', ' ana="#q #a"/>'), "categories of spans not read: after the first"),
    ],
    "elan": [
        Case("elan/1", text("*.eaf", "</ANNOTATION_DOCUMENT>", '<MOOD V="good"/></ANNOTATION_DOCUMENT>'),
             "elements not read: MOOD"),
        Case("elan/1", text("*.eaf", "<ALIGNABLE_ANNOTATION", '<ALIGNABLE_ANNOTATION MOOD="good"'), "attributes.*MOOD"),
        Case("elan/1", text("*.eaf", "</ANNOTATION_DOCUMENT>", '<REF_LINK_SET LINK_SET_ID="s"><CROSS_REF_LINK '
             'REF_LINK_ID="r" REF1="a1" REF2="a2" REF_TYPE="after"/></REF_LINK_SET></ANNOTATION_DOCUMENT>'),
             "references between annotations not read: after"),
    ],
    "textgrid": [
        Case("textgrid/1", at_end("*.TextGrid", '\n"IntervalTier" "mood" 0 1 1 0 1 "good"\n', encoding="utf-16-le"),
             "values not read: after the last tier"),
        Case("textgrid/1", text("*.TextGrid", 'class = "IntervalTier"', 'class = "MoodTier"', encoding="utf-16"),
             refusal="kind of tier"),
    ],
    "rttm": [
        Case("rttm/2", at_end("*.rttm", "NOSCORE r1 1 7 1 <NA> <NA> <NA> <NA> <NA>\n"), "skipped: 2 lines"),
        Case("rttm/2", at_end("*.rttm", ";; good\n"), "lines not read: comments", warns=False),
        Case("rttm/2", text("*.rttm", "SPEAKER r1 1 0 4 <NA> <NA>", "SPEAKER r1 1 0 4 hello good"),
             "fields of SPEAKER not read: orthography.*subtype"),
        Case("rttm/2", at_end("*.rttm", "MOOD r1 1 7 1 <NA> <NA> good <NA> <NA>\n"), refusal="not an RTTM type"),
    ],
    "jams": [
        Case("jams/2", records("*.jams", every()), "keys of files not read: mood"),
        Case("jams/2", records("*.jams", every("annotations")), "keys of annotations not read: mood"),
        Case("jams/2", records("*.jams", lambda whole: every()(whole["annotations"][0]["data"])),
             "keys of entries not read.*mood"),
    ],
    "raven": [
        Case("raven/2", both(text("*.txt", "\tSpecies", "\tPower (dB)\tSpecies"), text("*.txt", "200\tA", "200\t80\tA"),
                              text("*.txt", "200\tB", "200\t80\tB")), "measurements not read:.*Power", warns=False),
        Case("raven/2", text("*.txt", "\tA\n", "\tA\t\tgood\n"), refusal="cells"),
    ],
    "boris": [
        Case("boris/2", records("*.boris", every()), "keys of projects not read: mood"),
        Case("boris/2", records("*.boris", every("observations", "*")), "keys of observations not read: mood"),
        Case("boris/2", records("*.boris", every("observations", "*", "independent_variables")), "variables.*mood"),
        Case("boris/2", text("*.boris", '"sit", "", ""]', '"sit", "", "good"]'), "parts of events not read: comment"),
        Case("boris/1", cells("new.csv", "Mood", "good", ","), "columns not read: Mood"),
    ],
    "audacity": [
        Case("audacity/2", at_end("rec1_ben.txt", "\\\t200.0\t900.0\n"), "lines not read: ranges of frequencies"),
        Case({"a.txt": "0.5\t1.5\tcall\n"}, at_end("a.txt", "mood good\n"), refusal="not a valid Audacity label",
             options={"format": "audacity"}),
    ],
    "m2": [
        Case("m2/1", text("*.m2", "R:VERB|||is|||REQUIRED|||-NONE-", "R:VERB|||is|||REQUIRED|||good"),
             "fields of corrections not read: comment"),
        Case("m2/1", text("*.m2", "is|||REQUIRED|||-NONE-|||0", "is|||REQUIRED|||-NONE-|||0|||good"),
             "fields of corrections not read: after the annotator"),
        Case("m2/1", at_end("*.m2", "M good\n"), refusal="not a line of M2"),
    ],
    "ua_gec": [
        Case("ua_gec/1", text("d.a1.ann", "error_type=Spelling", "error_type=Spelling:::mood=good"),
             "attributes of corrections not read:.*mood"),
    ],
    "mqm": [Case("mqm/1", cells("*.tsv", "mood", "good"), "columns not read: mood")],
    "docbin": [
        Case("docbin/1", in_docbin, "parts of the file not read: moods", needs="msgpack"),
        Case("docbin/1", in_docbin, "attributes of tokens not read: TAG", needs="msgpack"),
        Case("docbin/1", in_docbin, "user data of documents not read: mood", needs="msgpack"),
    ],
    "iob": [
        Case("iob/2", text("Ben.conll", "\n\n", "\n\n# mood = good\n"), "comments of sentences not read: mood"),
        Case({"Ana.conll": "Anna\tB-PER\nsees\tO\n", "Ben.conll": "Anna\tB-PER\nsees\tO\n"},
             both(text("Ana.conll", "Anna\t", "Anna\tNNP\t"), text("*.conll", "sees\t", "sees\tVB\t"),
                  text("Ben.conll", "Anna\t", "Anna\tNN\t")),
             r"annotators differ in column 2 of 1 of 2 tokens"),
        Case({"Ana.conll": "Anna\tB-PER\nsees\tO\n", "Ben.conll": "Anna\tB-PER\nsees\tO\n"},
             both(text("*.conll", "Anna\t", "Anna\tNN\t"), text("*.conll", "sees\t", "sees\tVB\t")),
             r"columns not compared: column 2 of 4 tokens", warns=False),
    ],
    "table": [
        Case({"t.csv": table}, with_remarks, mapped="remark"),
        Case({"t.csv": UNITS.format(h="", a="", b="")}, text("t.csv", UNITS.format(h="", a="", b=""),
             UNITS.format(h=",mood", a=",good", b=",bad")), "columns not scored: mood", warns=False),
    ],
    "pygamma": [
        Case({"t.csv": "ana,X,0,3\nben,X,0,3\n"}, text("t.csv", "ana,X,0,3", "ana,X,0,3,good"), refusal="5 cells",
             options={"layout": "pygamma"}),
    ],
    "text": [
        Case({"t.csv": "doc,annotator,text\nd,ana,one two\nd,ben,one to\n"}, cells("t.csv", "mood", "good", ","),
             "columns not used.*mood", options={"layout": "texts"}),
    ],
    "cora": [
        Case({"Ana.xml": CORA, "Ben.xml": CORA}, text("*.xml", "<pos", "<mood>good</mood><pos"), "tag not read: mood"),
        Case({"Ana.xml": CORA, "Ben.xml": CORA}, text("*.xml", "</text>", "<mood>good</mood></text>"),
             "elements not read: mood"),
        Case({"Ana.xml": CORA, "Ben.xml": CORA}, text("*.xml", "<mod ", '<mod mood="good" '), "<mod> not read: mood"),
    ],
    "conllu": [
        Case({"Ana.conllu": CONLLU, "Ben.conllu": CONLLU}, text("Ben.conllu", "_\t2\tdet", "_\t3\tdep"),
             r"annotators differ in HEAD of 1 of 3 tokens, DEPREL of 1 of 3 tokens"),
        Case({"Ana.conllu": CONLLU, "Ben.conllu": CONLLU}, text("*.conllu", "det\t_\t_", "det\t_\tMood=good"),
             "columns not compared: MISC of 2 tokens"),
        Case({"Ana.conllu": CONLLU, "Ben.conllu": CONLLU}, text("*.conllu", "# sent_id", "# mood = good\n# sent_id"),
             "comments of sentences not read: mood"),
        Case({"Ana.conllu": CONLLU, "Ben.conllu": CONLLU}, text("*.conllu", "root\t_\t_", "root\t_\t_\tgood"),
             refusal="10 columns"),
    ],
    "conll2012": [
        Case({"Ana.conll": CONLL.format(p="*"), "Ben.conll": CONLL.format(p="*")},
             both(text("Ana.conll", "NNP *", "NNP good"), text("Ben.conll", "NNP *", "NNP bad")),
             "annotators differ in column 6 of 1 of 2 tokens"),
        Case({"Ana.conll": CONLL.format(p="*"), "Ben.conll": CONLL.format(p="*")},
             text("*.conll", "#end", "# mood = good\n#end"), "comments not read: mood"),
    ],
    "parquet": [Case({"t.parquet": table}, with_remarks, mapped="remark")],
    "excel": [Case({"t.xlsx": table}, with_remarks, mapped="remark", needs="openpyxl")],
    "spss": [Case({"t.sav": table}, with_remarks, mapped="remark", needs="pyreadstat")],
}  # fmt: skip
WITHOUT = {"plain": "every word of plain text is read"}


def test_every_format_has_a_case() -> None:
    assert {*CASES, *WITHOUT} == {known.name for known in FORMATS}
    assert not {*CASES} & {*WITHOUT}


@pytest.mark.parametrize("name", CASES)
def test_unused_content_is_reported(name: str, tmp_path: Path) -> None:
    for number, case in enumerate(CASES[name]):
        if case.needs:
            pytest.importorskip(case.needs)
        folder = _copied(case, tmp_path / f"case {number}" / "in")
        before = read_all(_given(case, folder), **case.options)
        case.change(folder)
        if case.refusal:
            with pytest.raises(DataError, match=case.refusal):
                read_all(_given(case, folder), **case.options)
            continue
        after = read_all(_given(case, folder), **case.options)
        assert {variable: _labels(after[variable]) for variable in before} == {
            variable: _labels(data) for variable, data in before.items()
        }, (name, number)
        if case.mapped:
            assert _roles(folder)[case.mapped] in {"covariate", "ignore", "text"}, (name, number)
            continue
        new = [note for data in after.values() for note in data.notes if note not in _notes(before)]
        found = [note for note in new if re.search(case.note, note)]
        assert found, (name, number, case.note, new)
        assert all(isinstance(note, Fact) != case.warns for note in found), (name, number, found)


def _copied(case: Case, folder: Path) -> Path:
    if isinstance(case.sample, str):
        shutil.copytree(SAMPLES / case.sample, folder)
    else:
        folder.mkdir(parents=True)
        for name, content in case.sample.items():
            if isinstance(content, str):
                (folder / name).write_text(content, encoding="utf-8")
            else:
                content(folder / name)
    return folder


def _given(case: Case, folder: Path) -> Path:
    """Return a table itself, and the folder of other formats."""
    inside = list(folder.iterdir())
    return inside[0] if not isinstance(case.sample, str) and len(inside) == 1 else folder


def _labels(data: Data) -> list[str]:
    return sorted(map(str, data.rows()[1]))


def _notes(read: Mapping[str, Data]) -> set[str]:
    return {note for data in read.values() for note in data.notes}


def _roles(folder: Path) -> dict[str, str]:
    (path,) = folder.iterdir()
    return {column["name"]: column["role"] for column in accord.map(path).to_dict()["tables"][0]["columns"]}


def test_trees_that_differ_in_every_head_are_not_silently_equal(tmp_path: Path) -> None:
    """tγ compares words and tags, not relations: two trees with other heads have tγ 1, so a note must say why."""
    heads = {"Ana": CONLLU, "Ben": CONLLU.replace("\t2\tdet", "\t3\tdep").replace("\t3\tnsubj", "\t1\tdep")}
    heads["Ben"] = heads["Ben"].replace("\t0\troot", "\t2\tdep")
    for who, content in heads.items():
        (tmp_path / f"{who}.conllu").write_text(content, encoding="utf-8")
    texts = accord.read(tmp_path)
    note = next(note for note in texts.notes if "HEAD" in note)
    assert note == (
        "annotators differ in HEAD of 3 of 3 tokens, DEPREL of 3 of 3 tokens, which accord does not compare; "
        "accord does not read relations between tokens"
    )
    assert not isinstance(note, Fact)
    with pytest.warns(accord.errors.ReadingWarning, match="HEAD of 3 of 3 tokens"):
        assert accord.score(tmp_path)[0].value == 1

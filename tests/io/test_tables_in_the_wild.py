"""Typical tables of annotation projects: each is read correctly, or refused with the option that helps."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook

import accord

from ..command_line import Cli
from ..refusals import raises

N = 12
IDS = [f"d{k}" for k in range(N)]
ANA = ["pos", "neg", "neu", "pos", "neg", "neu", "pos", "neg", "neu", "pos", "neg", "pos"]
BEN = ["pos", "neg", "neu", "neg", "neg", "neu", "pos", "pos", "neu", "pos", "neg", "neu"]
ONE, TWO = ([{"pos": 1, "neg": 2, "neu": 3}[label] for label in labels] for labels in (ANA, BEN))
AGREEMENT = 0.75  # observed agreement of Ana and Ben


def lines(header: Sequence[str], *columns: Sequence[object], sep: str = ",") -> str:
    rows = [header, *zip(*columns, strict=True)]
    return "".join(sep.join(map(str, row)) + "\n" for row in rows)


PLAIN = lines(["id", "A", "B"], IDS, ANA, BEN)
HIGH, LOW = ([4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3], [3, 3, 4, 4, 3, 3, 4, 4, 3, 3, 4, 4])
TEXTS = [f"text {k}" for k in range(N)]
WHEN = [f"2024-01-01 10:{k:02}" for k in range(N)]
STARTS, ENDS = [10 * k for k in range(N)], [10 * k + 10 for k in range(N)]
NOTES = ["", "", "hm", ""] * 3
SAME = [int(a == b) for a, b in zip(ANA, BEN, strict=True)]


READ: dict[str, str] = {
    "byte order mark": "\ufeff" + PLAIN,
    "trailing empty columns and rows": PLAIN.replace("\n", ",,\n") + ",,,,\n,,,,\n",
    "a title above": "Reliability study, 2024\n\n".replace(",", "") + PLAIN,
    "a title above, as Excel pads it": "Reliability study 2024,,\n,,\n" + PLAIN,
    "two titles": "Coder comparison,,\nProject X,,\n" + PLAIN,
    "Excel's separator": "sep=;\n" + PLAIN.replace(",", ";"),
    "Excel's separator, quoted": '\ufeff"sep=;"\r\n' + PLAIN.replace(",", ";").replace("\n", "\r\n"),
    "a remark below, as Excel pads it": PLAIN + ",,\nCoded in May,,\n",
    "notes between": lines(["id", "AK", "Notes AK", "BM", "notes BM"], IDS, ANA, NOTES, BEN, NOTES[::-1]),
    "confidence before names": lines(["id", "ana", "conf_ana", "ben", "conf_ben"], IDS, ONE, HIGH, TWO, LOW),
    "confidence behind names": lines(["id", "ana", "ana conf", "ben", "ben conf"], IDS, ONE, HIGH, TWO, LOW),
    "notes of a variable": lines(["id", "label_A", "label_B", "notes_A", "notes_B"], IDS, ANA, BEN, NOTES, NOTES[::-1]),
    "timestamps": lines(["id", "ana", "ana_timestamp", "ben", "ben_timestamp"], IDS, ANA, WHEN, BEN, WHEN),
    "row numbers of R": lines(['""', '"A"', '"B"'], range(1, N + 1), ONE, TWO),
    "the index of pandas": lines(["Unnamed: 0", "A", "B"], range(N), ONE, TWO),
    "whether they match": lines(["id", "A", "B", "match"], IDS, ONE, TWO, SAME),
    "their mean": lines(["id", "A", "B", "Mean"], IDS, ONE, TWO, [(a + b) / 2 for a, b in zip(ONE, TWO, strict=True)]),
    "who the patients are": lines(["patient", "age", "sex", "R1", "R2"], range(9, 21), HIGH, [1, 2, 1] * 4, ONE, TWO),
    "who speaks": lines(["turn", "speaker", "AK", "BM"], range(9, 21), ["pos", "neg", "pos"] * 4, ANA, BEN),
    "two tables, merged": lines(["id", "text_x", "label_x", "text_y", "label_y"], IDS, TEXTS, ANA, TEXTS, BEN),
    "a suggestion": lines(["id", "text", "suggestion", "ana", "ben"], IDS, TEXTS, ANA[::-1], ANA, BEN),
    "a total": lines(["id", "A", "B"], [*IDS, "Total"], [*ANA, 7], [*BEN, 8]),
    "a value below": PLAIN + "Cohen's kappa:,0.62,\n",
    "fixed segments": lines(["file", "start", "end", "A", "B"], ["f1"] * N, STARTS, ENDS, ANA, BEN),
    "fixed segments of codes": lines(["start", "end", "A", "B"], STARTS, ENDS, ONE, TWO),
    "dates first": lines(["date", "A", "B"], [f"2024-01-{k + 1:02}" for k in range(N)], ANA, BEN),
    "a column of coders": lines(["Nr", "Kodierer", "Code"], [*range(N)] * 2, ["AK"] * N + ["BM"] * N, ANA + BEN),
    "results of Mechanical Turk": lines(
        ["HITId", "WorkerId", "WorkTimeInSeconds", "Input.text", "Answer.tone.label"],
        IDS * 2, ["W1"] * N + ["W2"] * N, HIGH * 2, TEXTS * 2, ANA + BEN,
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::accord.ReadingWarning")
@pytest.mark.parametrize("name", READ)
def test_usual_tables_are_read_correctly(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(READ[name], encoding="utf-8")
    ratings = accord.read(path)
    assert isinstance(ratings, accord.Ratings)
    assert (ratings.n_items, ratings.n_annotators, ratings.n_pairable) == (N, 2, N)
    assert len(ratings.categories) == 3
    assert accord.percent(ratings, interval="none").value == pytest.approx(AGREEMENT)


QUESTIONS = [f"Is text {k} positive?" for k in range(1, 6)]
YES = ["Yes", "No", "Yes", "Yes"]
REFUSED: dict[str, tuple[str, str]] = {
    "Markdown": ("| id | A | B |\n|---|---|---|\n| 1 | x | y |\n| 2 | x | x |\n", "format-unknown"),
    "counts": ("item,positive,negative,neutral\ns1,3,0,0\ns2,2,1,0\ns3,0,3,0\n",
               "layout-unclear: --layout counts"),
    "counts of other names": ("item,hat,coat,shoe\ns1,3,0,0\ns2,2,1,0\ns3,0,3,0\n", "layout-unclear: --layout counts"),
    "counts of different sums": ("item,positive,negative\ns1,3,0\ns2,2,1\ns3,1,3\n", "layout-unclear"),
    "a form of Google": (lines(["Timestamp", *QUESTIONS], WHEN[:4], *[YES] * 5), "roles-unclear: --annotators-in rows"),
    "a form with names": (lines(["Timestamp", "Your name", *QUESTIONS], WHEN[:4], list("ABCD"), *[YES] * 5),
                          "roles-unclear: --annotators-in rows"),
    "records in cells": ('item,annotator,label\n1,A,"[{""start"": 1, ""label"": ""x""}]"\n1,B,"[]"\n', "invalid-label"),
    "ids in two spellings": (lines(["item", "annotator", "label"], [*(f"{k:03}" for k in range(N)), *range(N)],
                                   ["A"] * N + ["B"] * N, ANA + BEN), 'nothing-shared: "000"'),
    "NVivo": ("Node,Source,Kappa,Agreement (%),Disagreement (%)\nx,a.docx,.5,90,10\ny,a.docx,.6,91,9\n",
              "export-not-usable"),
    "MAXQDA": ("Document name,Code,Beginning,End,Segment,Author\nd1,x,1,3,bla,AK\nd1,x,1,3,bla,BM\n",
               "export-not-usable: --doc"),
    "MAXQDA in German": ("Dokumentname;Code;Anfang;Ende;Segment\nd1;x;1;3;bla\nd1;x;1;3;bla\n", "export-not-usable"),
    "ATLAS.ti": ("ID,Document,Quotation Name,Codes,Start,End\n1:1,d1,q,x,1,3\n1:2,d1,r,x,1,3\n", "export-not-usable"),
    "Dedoose": ("Media Title,Excerpt Range,Excerpt Creator,Code: X\nd1,1-3,AK,True\nd1,1-3,BM,True\n",
                "export-not-usable"),
    "Zooniverse": ("classification_id,user_name,workflow_id,annotations,subject_ids\n1,a,1,[],5\n2,b,1,[],5\n",
                   "export-not-usable"),
    "LimeSurvey": ("id,submitdate,lastpage,startlanguage,Q1,Q2\n1,2024,3,en,A1,A2\n2,2024,3,en,A1,A1\n",
                   "export-not-usable"),
    "codes of two": (lines(["id", "A_Costs", "A_Trust", "B_Costs", "B_Trust"], IDS, [0, 1, 1] * 4, [0, 0, 1, 1] * 3,
                                  [1, 0, 1, 0, 0, 1] * 2, [1, 1, 0, 0] * 3), "roles-unclear: --columns"),
    "positions with commas": ("doc;annotator;start;end\nd;A;0,5;1,2\nd;B;0,6;1,2\n", "invalid-position"),
    "Appen, aggregated": ("_unit_id,_trusted_judgments,tone\n1,3,pos\n2,3,neg\n", "export-not-usable"),
    "overlapping segments": ("start,end,A,B\n1,2,x,y\n1,2,x,x\n3,4,y,y\n", "column-missing: --layout wide"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_unclear_tables_are_refused_with_the_option(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.csv"
    text, message = REFUSED[name]
    path.write_text(text, encoding="utf-8")
    with raises(message) as trouble:
        accord.read(path)
    assert "\n" not in str(trouble.value)


@pytest.mark.filterwarnings("ignore::accord.ReadingWarning")
def test_options_read_the_refused_tables(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.csv"
    path.write_text(REFUSED["counts of other names"][0], encoding="utf-8")
    assert accord.read(path, layout="counts").n_items == 3
    assert accord.read(path, layout="wide").annotators == ("hat", "coat", "shoe")
    path.write_text(REFUSED["MAXQDA"][0], encoding="utf-8")
    columns = {"doc": "Document name", "annotator": "Author", "start": "Beginning", "end": "End", "label": "Code"}
    assert accord.read(path, layout="units", **columns).kind.name == "units"
    path.write_text(PLAIN, encoding="utf-8")
    assert cli("read", path).code == 0


def labelbox() -> str:
    return "".join(json.dumps({"data_row": {"id": k}, "projects": {"p": {"labels": []}}}) + "\n" for k in range(3))


TOOLS: dict[str, tuple[str, Callable[[], str]]] = {
    "Labelbox": ("x.ndjson", labelbox),
    "LightTag": ("x.json", lambda: json.dumps({"schema": {}, "examples": [{"content": "a", "annotations": []}]})),
    "tagtog": ("x.ann.json", lambda: json.dumps({"annotatable": {"parts": []}, "anncomplete": True, "entities": []})),
    "UBIAI": ("x.json", lambda: json.dumps([{"documentName": "d", "document": "a b", "tokens": [], "relations": []}])),
    "SageMaker Ground Truth": (
        "x.manifest",
        lambda: json.dumps({"source": "a", "t": 1, "t-metadata": {"job-name": "j", "human-annotated": "yes"}}) + "\n",
    ),
    "answers of workers": (
        "x.json",
        lambda: json.dumps({"answers": [{"workerId": "w1", "answerContent": {"label": "pos"}}]}),
    ),
}


@pytest.mark.parametrize("name", TOOLS)
def test_json_of_unsupported_tools_is_refused(tmp_path: Path, name: str) -> None:
    file, made = TOOLS[name]
    (tmp_path / file).write_text(made(), encoding="utf-8")
    with raises("format-unknown"):
        accord.read(tmp_path / file)


# -- numbers, words and cells -----------------------------------------------------------------------------------------


def test_decimal_commas_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Nr;Ana;Ben\n1;1,5;1,5\n2;2,0;2,5\n3;3,5;3,5\n4;2,5;2,0\n", encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match="read as numbers with a decimal comma"):
        ratings = accord.read(path)
    points = {"Ana": [1.5, 2.0, 3.5, 2.5], "Ben": [1.5, 2.5, 3.5, 2.0]}
    wanted = accord.alpha(points, distance="interval", interval="none").value
    assert accord.alpha(ratings, distance="interval", interval="none").value == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("labels", "note"), [("1,2;1;2;1,2", '--sets ","'), ("1,200;1,300;1,200;1,400", "remove the comma")]
)
def test_ambiguous_commas_are_kept_with_a_note(tmp_path: Path, labels: str, note: str) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{k};{label};{label}\n" for k, label in enumerate(labels.split(";")))
    path.write_text(f"id;Ana;Ben\n{rows}", encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match=note):
        ratings = accord.read(path)
    assert set(labels.split(";")) == set(ratings.categories.names)  # type: ignore[attr-defined]


def test_meaning_of_commas_is_the_same_in_all_files(tmp_path: Path) -> None:
    """In Ana's file alone, a comma may separate two codes."""
    for who, labels in (("ana", ["1", "2", "1,2"]), ("ben", ["1", "2,7", "1,2"])):
        (tmp_path / f"{who}.csv").write_text(lines(["id", "label"], "abc", labels, sep=";"), encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match="with a decimal comma"):
        ratings = accord.read(tmp_path)
    assert ratings.categories.names == ("1", "1.2", "2", "2.7")  # type: ignore[attr-defined]


def test_lists_in_cells_are_sets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id;A;B\n1;['x', 'y'];[\"y\", \"x\"]\n2;['x'];['y']\n3;[];[]\n", encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match="are read as sets"):
        ratings = accord.read(path)
    assert accord.percent(ratings, interval="none").value == pytest.approx(2 / 3)


def test_several_lists_of_records_are_not_dropped_silently(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"

    def write(**more: object) -> None:
        rows = [{"id": k // 2, "annotator": "AB"[k % 2], **more} for k in range(4)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    write(labels=[{"name": "x"}], spans=[{"at": 1}])
    with raises("roles-unclear"):
        accord.read(path)
    write(label="x", tokens=[{"t": 1}], spans=[{"at": 1}])
    with pytest.warns(accord.ReadingWarning, match='lists of records not read: "tokens", "spans"'):
        assert accord.read(path).n_items == 2


def test_single_label_gives_a_warning_about_empty_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(lines(["id", "A", "B"], IDS, ["yes", "", ""] * 4, ["yes", "", "", ""] * 3), encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match=r'"yes" is the only label.*--keep-empty'):
        accord.read(path)


def test_column_names_that_are_labels_give_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\nz,w\nz,x\n", encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match=r'"x" is both the name of a column and a label.*--no-header'):
        accord.read(path)


def test_unbalanced_quotes_between_tabs_are_plain_characters(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(
        'text\tA\tB\n"so he caught\tpos\tneg\nand "left" early\tpos\tpos\nfoo"\tneg\tneg\n', encoding="utf-8"
    )
    with pytest.warns(accord.ReadingWarning, match="quotes as plain characters"):
        assert accord.read(path).n_items == 3
    path.write_text('id\tA\tB\n1\tpos\tneg\n2\t"pos\tpos\n3\tneg\tneg\n', encoding="utf-8")
    with raises("uneven-rows", "t.tsv:3", '"A"'):
        accord.read(path)
    comma = tmp_path / "t.csv"
    comma.write_text('id,A,B\n1,"po"s,neg\n2,pos,"pos\n', encoding="utf-8")
    with raises("uneven-rows"):
        accord.read(comma)


# -- workbooks --------------------------------------------------------------------------------------------------------


def workbook(path: Path, rows: Sequence[Sequence[object]]) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    book.save(path)
    return path


def test_sheet_without_header_is_read_or_needs_an_option(tmp_path: Path, cli: Cli) -> None:
    path = workbook(tmp_path / "t.xlsx", list(zip(IDS, ANA, BEN, strict=True)))
    with pytest.warns(accord.ReadingWarning, match="no header row"):
        assert accord.percent(accord.read(path), interval="none").value == AGREEMENT
    unclear = workbook(tmp_path / "u.xlsx", [[1, 2], *zip(ONE, TWO, strict=True)])
    with raises("header-row", "--no-header"):
        accord.read(unclear)
    assert accord.read(unclear, no_header=True).n_items == N + 1
    assert "13 items" in cli("score", unclear, "--no-header", "-m", "kappa").out


def test_numbers_stored_as_text_are_numbers(tmp_path: Path) -> None:
    mixed = [str(one) if k % 2 else one for k, one in enumerate(ONE)]
    path = workbook(tmp_path / "t.xlsx", [["id", "A", "B"], *zip(["007", *IDS[1:]], mixed, TWO, strict=True)])
    with pytest.warns(accord.ReadingWarning, match="6 cells with numbers stored as text are read as numbers"):
        ratings = accord.read(path)
    assert isinstance(ratings, accord.Ratings)
    assert (ratings.categories.names, ratings.items[0]) == (("1", "2", "3"), "007")


def test_note_on_numbers_stored_as_text_does_not_suggest_fold() -> None:
    with pytest.warns(accord.ReadingWarning, match=r"as a number and as text.*store all of them as text") as caught:
        accord.read({"A": [1, "1", 2], "B": ["1", 1, 2]})
    assert not any("--fold" in str(one.message) for one in caught)


def test_excel_errors_are_read_as_empty_with_a_warning(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", [["id", "A", "B"], *zip(IDS, ["#N/A", *ANA[1:]], BEN, strict=True)])
    with pytest.warns(accord.ReadingWarning, match=r"1 cell with an Excel error \(#N/A\), e.g. B2, read as empty"):
        assert accord.read(path).n_pairable == N - 1  # type: ignore[attr-defined]


def test_sheets_with_differently_written_ids_are_refused(tmp_path: Path) -> None:
    book = Workbook()
    book.active.title = "Ana"
    for name, ids, labels in (("Ana", [f"{k:03}" for k in range(N)], ANA), ("Ben", list(range(N)), BEN)):
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for row in [("id", "label"), *zip(ids, labels, strict=True)]:
            sheet.append(list(row))
    book.save(tmp_path / "t.xlsx")
    with raises("roles-unclear", '"000"', '"0"'):
        accord.read(tmp_path / "t.xlsx")


# -- archives ---------------------------------------------------------------------------------------------------------


def packed(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


EACH = {f"{who}.csv": lines(["id", "label"], IDS, labels) for who, labels in (("ana", ANA), ("ben", BEN))}


@pytest.mark.filterwarnings("ignore::accord.ReadingWarning")
@pytest.mark.parametrize(
    "files",
    [{"t.csv": PLAIN}, EACH, {f"data/{name}": text for name, text in {**EACH, "README.md": "hi"}.items()},
     {**EACH, "__MACOSX/._ana.csv": "x"}],
)  # fmt: skip
def test_tables_in_an_archive_are_read(tmp_path: Path, files: dict[str, str]) -> None:
    path = packed(tmp_path / "t.zip", files)
    ratings = accord.read(path)
    assert (ratings.n_items, accord.percent(ratings, interval="none").value) == (N, AGREEMENT)
    assert not any("accord-" in note for note in ratings.notes)  # no note shows the temporary folder


def test_an_archive_is_read_as_its_folder(tmp_path: Path) -> None:
    for name, text in EACH.items():
        (tmp_path / "d").mkdir(exist_ok=True)
        (tmp_path / "d" / name).write_text(text, encoding="utf-8")
    with pytest.warns(accord.ReadingWarning):
        packed_up, folder = accord.read(packed(tmp_path / "d.zip", EACH)), accord.read(tmp_path / "d")
    assert (packed_up.digest, packed_up.annotators) == (folder.digest, folder.annotators)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"../t.csv": PLAIN}, "unsafe-file"),
        ({"a/t.csv": PLAIN, "b/t.csv": PLAIN}, "roles-unclear: unpack the archive"),
        ({"hello.md": "hi"}, "format-unknown"),
        ({"t.csv": 'id,A,B\n1,x,y\n2,x\n'}, "uneven-rows: t.zip/t.csv:3"),
        ({"t.csv": ""}, "file-empty"),
    ],
)  # fmt: skip
def test_archives_that_are_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with raises(message):
        accord.read(packed(tmp_path / "t.zip", files))


# -- units ------------------------------------------------------------------------------------------------------------


def test_document_name_in_two_files_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{doc},{who},1,3,x\n" for doc in ("p1", "p2") for who in "AB")
    for name in ("interview", "reading"):
        (tmp_path / f"{name}.csv").write_text(f"doc,annotator,start,end,label\n{rows}", encoding="utf-8")
    with raises("repeated-document", '"p1"', '"A"'):
        accord.read(tmp_path)
    with pytest.warns(accord.ReadingWarning):
        assert len(accord.read(tmp_path / "reading.csv").docs) == 2  # type: ignore[attr-defined]


def test_notes_name_columns_that_are_not_scored(tmp_path: Path) -> None:
    """A column with a known name for labels does not suppress the note on the others."""
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,grade,shade,part\na,Ana,1,x,p\na,Ben,1,y,p\nb,Ana,2,x,q\nb,Ben,1,x,q\n")
    notes = accord.read(path).notes
    assert "columns not scored: shade, part; use --label or --by to include them" in notes
    assert not [note for note in accord.read(path, label=["grade"]).notes if "columns not scored" in note]


def test_columns_without_shared_labels_are_not_annotators(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,tone,topic,grade,length\na,x,p,1,12\nb,y,p,2,15\nc,x,q,3,11\nd,x,q,1,10\n")
    with raises("roles-unclear"):
        accord.read(path)


def test_note_names_a_variable_that_is_skipped_by_its_name(tmp_path: Path) -> None:
    """With tone and frame, genre may be a variable; with a column named label it is not."""
    rows = "\n".join(f"a{i},{who},news,pos,war" for i in range(3) for who in "XY")
    several = tmp_path / "several.csv"
    several.write_text(f"item,coder,genre,tone,frame\n{rows}\n", encoding="utf-8")
    found = accord.read_all(several)
    assert list(found) == ["tone", "frame"]
    assert "columns not scored: genre; use --label or --by to include it" in found["tone"].notes
    one = tmp_path / "one.csv"
    one.write_text("item,coder,genre,label\na,X,news,pos\na,Y,news,neg\n", encoding="utf-8")
    assert not [note for note in accord.read(one).notes if "columns not scored" in note]

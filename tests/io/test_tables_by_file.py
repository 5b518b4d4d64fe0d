"""Names of files and folders give the annotators and documents of tables with labels of items."""

from __future__ import annotations

import re
import shlex
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

import accord
from accord.data.model.ratings import Ratings

from ..command_line import Cli
from ..refusals import raises

LABELS = {"goethe": "abcabcab", "schiller": "aabbcca", "lessing": "cbacbacba"}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def table(labels: str, before: str = "") -> str:
    return "item,label\n" + "".join(f"{before}{k},{label}\n" for k, label in enumerate(labels, 1))


def table_of(doc: str, annotator: str, before: str = "") -> str:
    """Return the labels of a document; the second annotator has another first label."""
    labels = LABELS[doc]
    return table(labels if annotator == "01" else f"b{labels[1:]}", before)


def ratings(folder: Path, **options: object) -> Ratings:
    data = accord.read(folder, **options)
    assert isinstance(data, Ratings)
    return data


@pytest.mark.parametrize("pattern", ["{doc}_{annotator}", "{annotator}-{doc}"])
def test_items_show_which_part_of_a_file_name_is_the_annotator(tmp_path: Path, pattern: str) -> None:
    """Rows are numbered in each document, so the item is the document with the number."""
    files = {
        f"{pattern.format(doc=doc, annotator=who)}.csv": table_of(doc, who) for doc in LABELS for who in ("01", "02")
    }
    data = ratings(write(tmp_path, files))
    assert data.annotators == ("01", "02")
    assert data.n_items == 24
    assert data.names[0] == "goethe 1"
    assert any(pattern in note and "3 documents" in note for note in data.notes)


def test_items_of_documents_keep_their_names_if_they_differ(tmp_path: Path) -> None:
    files = {f"{doc}_{who}.csv": table_of(doc, who, f"{doc[0]}.") for doc in LABELS for who in ("01", "02")}
    data = ratings(write(tmp_path, files))
    assert data.annotators == ("01", "02")
    assert data.names[0] == "g.1"


def test_rows_are_items_if_no_column_names_them(tmp_path: Path) -> None:
    files = {
        f"{doc}_{who}.csv": "label\n" + "".join(f"{label}\n" for label in labels)
        for doc, labels in LABELS.items()
        for who in ("01", "02")
    }
    data = ratings(write(tmp_path, files))
    assert data.annotators == ("01", "02")
    assert data.n_items == 24


def test_names_pattern_is_used_for_tables_of_labels(tmp_path: Path) -> None:
    files = {f"x-{doc}_{who}-y.csv": table("abcabc") for doc in ("d1", "d2") for who in ("Ana", "Ben")}
    data = ratings(write(tmp_path, files), names="x-{doc}_{annotator}-y")
    assert data.annotators == ("Ana", "Ben")
    assert data.n_items == 12
    with raises("roles-unclear", "--names"):
        accord.read(tmp_path, names="{doc}+{annotator}")


def test_declared_item_column_is_joined_with_the_document(tmp_path: Path) -> None:
    files = {f"{doc}_{who}.csv": table_of(doc, who) for doc in LABELS for who in ("01", "02")}
    data = ratings(write(tmp_path, files), item="item", label="label")
    assert data.n_items == 24
    with raises("unknown-name", "itm"):
        accord.read(tmp_path, item="itm")


def test_rows_of_equal_files_are_items_if_texts_repeat(tmp_path: Path) -> None:
    texts = ["close it", "open it", "close it", "stop", "go", "turn", "wait", "look"]
    files = {
        f"annotator{k}.csv": "command,intent,confidence\n"
        + "".join(f"{text},{label},{k}\n" for text, label in zip(texts, labels, strict=True))
        for k, labels in ((1, "abcabcab"), (2, "abcabbab"))
    }
    data = ratings(write(tmp_path, files))
    assert (data.variable, data.n_items, data.annotators) == ("intent", 8, ("annotator1", "annotator2"))
    assert accord.percent(data, interval="none").value == 7 / 8


def test_texts_of_two_files_are_the_items(tmp_path: Path) -> None:
    """Rows in another order are matched by their texts."""
    lines = [f"sentence {k}" for k in range(8)]
    first = "Text,Label\n" + "".join(f"{line},{'SN'[k % 2]}\n" for k, line in enumerate(lines))
    second = "Text,Label\n" + "".join(f"{line},{'SN'[k % 2]}\n" for k, line in reversed([*enumerate(lines)]))
    data = ratings(write(tmp_path, {"annotator1.csv": first, "annotator2.csv": second}))
    assert (data.n_items, accord.percent(data, interval="none").value) == (8, 1.0)


def test_names_pattern_is_refused_for_a_single_table(tmp_path: Path) -> None:
    path = write(tmp_path, {"d1_Ana.csv": "item,Ana,Ben\n1,x,x\n2,y,x\n"})
    with raises("option-not-for-data", "the only table", "leave it out"):
        accord.read(path, names="{doc}_{annotator}")


def test_names_pattern_contradicts_a_column_of_annotators(tmp_path: Path) -> None:
    rows = "item,annotator,label\n1,Ana,a\n1,Ben,b\n2,Ana,a\n2,Ben,a\n"
    write(tmp_path, {"d_x.csv": rows, "e_x.csv": rows.replace("1,", "3,").replace("2,", "4,")})
    with raises("option-not-for-data", "--names"):
        accord.read(tmp_path, names="{doc}_{annotator}")


def test_same_items_in_all_files_need_an_option(tmp_path: Path, cli: Cli) -> None:
    """Parts of names may be documents or runs of an annotator. Both suggested options work."""
    folder = write(tmp_path, {f"{a}_{b}.csv": table("abcab") for a in ("alpha", "beta") for b in ("run", "take")})
    refused = cli("read", folder)
    assert refused.code == 2
    assert "[roles-unclear]" in refused.err
    pattern = re.search(r"--names '[^']+'", refused.err)
    assert pattern is not None
    assert len(ratings(folder, names=shlex.split(pattern[0])[1]).annotators) == 2
    assert "--annotators-in files" in refused.err
    assert len(ratings(folder, annotators_in="files").annotators) == 4


def test_one_file_per_annotator_is_read_as_before(tmp_path: Path) -> None:
    data = ratings(write(tmp_path, {f"coder_{k}.csv": table("abcab") for k in (1, 2, 3)}))
    assert data.annotators == ("coder_1", "coder_2", "coder_3")


@pytest.mark.parametrize("names", [("x.csv",), ("x.csv", "y.csv")])
def test_folder_per_coder_is_read(tmp_path: Path, names: tuple[str, ...]) -> None:
    files = {f"{who}/{name}": table("abcab", name[0]) for who in ("Ana", "Ben") for name in names}
    data = ratings(write(tmp_path, files))
    assert data.annotators == ("Ana", "Ben")
    assert data.n_items == 5 * len(names)
    assert any("folders are annotators (Ana, Ben)" in note for note in data.notes)


def test_archive_with_a_folder_per_coder_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "labels.zip", "w") as archive:
        for who in ("Ana", "Ben"):
            archive.writestr(f"{who}/x.csv", table("abcab" if who == "Ana" else "abcaa"))
    data = ratings(tmp_path / "labels.zip")
    assert data.annotators == ("Ana", "Ben")
    assert data.n_items == 5


def test_folder_per_coder_with_other_items_is_refused(tmp_path: Path, cli: Cli) -> None:
    """The option that the message names works."""
    folder = write(
        tmp_path, {"Ana/x.csv": table("abcab", "x"), "Ben/y.csv": table("abcab", "y"), "Ben/z.csv": table("ab")}
    )
    refused = cli("read", folder)
    assert refused.code == 2
    assert "[roles-unclear]" in refused.err
    assert "--annotators-in folders" in refused.err
    assert ratings(folder, annotators_in="folders").annotators == ("Ana", "Ben")


def test_folders_of_tables_with_annotators_in_columns_are_refused(tmp_path: Path, cli: Cli) -> None:
    wide = "item,Ana,Ben\n1,a,a\n2,b,a\n3,b,b\n4,a,b\n5,a,a\n6,b,b\n"
    write(tmp_path, {"round1/x.csv": wide, "round2/x.csv": wide.replace("2,b", "2,a")})
    refused = cli("read", tmp_path)
    assert refused.code == 2
    assert all(word in refused.err for word in ("round1, round2", "--annotators-in folders", "[roles-unclear]"))
    given = re.split(r"; | \[", refused.err.partition("e.g. ")[2])[0]
    assert "annotators   2: Ana, Ben" in cli("read", *shlex.split(given)).out


def test_folders_of_studies_are_refused(tmp_path: Path, cli: Cli) -> None:
    """Columns name the annotators, so folders are no annotators."""
    rows = "item,annotator,label\n1,Ana,a\n1,Ben,b\n2,Ana,a\n2,Ben,a\n"
    refused = cli("read", write(tmp_path, {"de/labels.csv": rows, "en/labels.csv": rows}))
    assert refused.code == 2
    given = re.split(r"; | \[", refused.err.partition("e.g. ")[2])[0]
    assert "annotators   2: Ana, Ben" in cli("read", *shlex.split(given)).out


def test_files_of_variables_are_refused(tmp_path: Path, cli: Cli) -> None:
    """Labels of tone and of topic are not comparable. The suggested files are read."""
    files = {
        f"{who}/{name}.csv": table(labels)
        for who in ("Ana", "Ben")
        for name, labels in (("tone", "+-+-+-"), ("topic", "xyzxyz"))
    }
    refused = cli("read", write(tmp_path, files))
    assert refused.code == 2
    given = refused.err.partition("one of them: ")[2].partition(";")[0]
    found = accord.read([Path(name) for name in shlex.split(given)])
    assert (found.annotators, found.n_items) == (("Ana", "Ben"), 6)


def test_locations_name_the_file(tmp_path: Path) -> None:
    files = {f"{who}/x.csv": table("abcab") + ("2,c\n" if who == "Ben" else "") for who in ("Ana", "Ben")}
    with raises("repeated-label", "Ben/x.csv:3", "Ben/x.csv:7"):
        accord.read(write(tmp_path, files), item="item", annotators_in="folders")


@pytest.mark.parametrize(("study", "n", "alpha"), [("020102", 96, 0.703522), ("260601", 100, 0.499657)])
def test_workbooks_in_a_folder_per_coder(corpora: Path, study: str, n: int, alpha: float) -> None:
    """Rows are in another order in each workbook; expected values of wild-tables/wild.json."""
    data = ratings(corpora / "wild-tables" / f"citance-folders-{study}")
    assert data.annotators == ("Cassidy", "Dakota")
    assert data.variable == "code_1"
    assert accord.alpha(data, interval="none").value == pytest.approx(alpha, abs=1e-6)
    assert data.n_pairable == n

"""Tables of segmentations."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.core.errors import AccordError
from accord.data.io.reading import Reading
from accord.data.io.tables.segmentations import holds, read_segmentations
from accord.data.io.tables.sources import in_memory, open_file
from accord.data.model.segmentations import Segmentations

from ..refusals import raises


def read(folder: Path, *texts: str, how: Reading | None = None) -> Segmentations:
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"table{number}.csv")
        files[-1].write_text(text, encoding="utf-8")
    return read_segmentations([open_file(f) for f in files], how or Reading())


def recognises(*names: str) -> bool:
    return holds([in_memory({name: [] for name in names})], Reading())


def test_segmentations_are_recognised_by_column_names() -> None:
    assert recognises(*("doc", "annotator", "masses"))
    assert recognises(*("Annotator", "Boundaries", "Length"))
    assert not recognises(*("annotator", "start", "end"))


def test_masses_are_read(tmp_path: Path) -> None:
    data = read(tmp_path, "doc,annotator,masses\nd,A,2 3 6\nd,B,5 6\n\ne,A,4\n")
    wanted = Segmentations.from_masses({"d": {"A": [2, 3, 6], "B": [5, 6]}, "e": {"A": [4]}})
    assert data.digest == wanted.digest


def test_length_given_once_applies_to_all_annotators(tmp_path: Path) -> None:
    data = read(tmp_path, "rater,boundaries,length\nA,2 5,11\nB,,\n")
    assert data.digest == Segmentations.from_masses({"A": [2, 3, 6], "B": [11]}).digest


def test_types_of_boundaries_are_read(tmp_path: Path) -> None:
    text = "annotator,boundaries,length\nA,2:minor 5:minor 5:major,11\nB,5:major,11\n"
    data = read(tmp_path, text, how=Reading(categories=("minor", "major")))
    assert data.categories.names == ("minor", "major")
    assert data.label.tolist() == [0, 0, 1, 1]


def test_tables_in_memory_and_several_files_are_read(tmp_path: Path) -> None:
    assert read_segmentations([in_memory({"annotator": ["A", "B"], "masses": ["2 3", 5]})], Reading()).n_items == 1
    data = read(tmp_path, "doc,masses\nd,2 3\n", "doc,masses\nd,5\n")
    assert data.annotators == ("table0", "table1")


def test_options_choose_annotators_groups_and_rows(tmp_path: Path) -> None:
    text = "doc,annotator,genre,masses\nd,A,news,2 3\nd,B,news,5\ne,A,mail,4\ne,B,mail,1 3\ne,C,mail,4\n"
    data = read(tmp_path, text, how=Reading(by=("genre",), annotators=("A", "B")))
    assert data.n_annotators == 2
    parts = data.by("genre")
    assert {name: part.docs for name, part in parts.items()} == {"news": ("d",), "mail": ("e",)}
    assert parts["mail"].masses("e", "B").tolist() == [1, 3]
    news = read(tmp_path, text, how=Reading(only=("genre=news",)))
    assert "--only: 2 of 5 segmentations kept" in news.notes
    assert news.docs == ("d",)
    assert not any("left out" in line for line in news.about())


BAD = {
    "annotator,masses\nA,2 x\n": ":2: mass 2 is",
    'annotator,masses\nA,"2,5"\nB,7\n': "separate numbers by spaces",
    "annotator,masses\nA,0 5\n": ":2: mass 1 is 0",
    "annotator,masses\nA,\nB,3\n": ":2: there are no masses",
    "annotator,masses\nA,2 5\nB,8\n": ':3: document "document" has 8 atoms for "B", but 7 atoms for "A" (',
    "annotator,masses\nA,2 5\nA,7\n": ":3: ",
    f"annotator,masses\nA,{'9' * 40}\n": "not a whole number",
    "annotator,masses\n,3\nB,3\n": ":2: the annotator is empty",
    "masses\n3 4\n": "it needs annotator and masses",
    "annotator,masses,boundaries\nA,2 3,2\n": "delete one of the columns",
    "annotator,boundaries\nA,2 5\n": "add a column length (in atoms), or give masses",
    "annotator,boundaries,length\nA,5,\n": ':2: the length of document "document" is missing',
    "annotator,boundaries,length\nA,5,long\n": ':2: the length "long"',
    "annotator,boundaries,length\nA,5 2,11\n": ":2: boundary 2 follows 5",
    "annotator,boundaries,length\nB,1,11\nA,5 12,11\n": ":3: boundary 12 is outside",
    "annotator,boundaries,length\nA,5:a 6,12\n": 'boundary "6" has no type',
    "annotator,boundaries,length\nA,5,12\nB,5,13\n": ":3: document",
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=list(BAD.values()))
def test_invalid_input_is_refused_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(AccordError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "table0.csv"))
    assert "\n" not in str(caught.value)


def test_undeclared_type_is_refused(tmp_path: Path) -> None:
    text = "annotator,boundaries,length\nA,5:x,12\nB,5:majr,12\n"
    with raises("invalid-position", '"majr"'):
        read(tmp_path, text, how=Reading(categories=("x", "major")))

"""Glozz: units in .aa, the text in .ac."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

from ...refusals import raises
from .common import one, told, units, variables, written

TEXT = "A 😀 small text"


def unit(kind: str, start: int, end: int, author: str = "ana", features: str = "") -> str:
    return (
        f'<unit id="{author}_{start}"><metadata author="{author}"/><metadata><author>{author}</author></metadata>'
        f"<characterisation><type>{kind}</type><featureSet>{features}</featureSet></characterisation><positioning>"
        f'<start><singlePosition index="{start}"/></start>'
        f'<end><singlePosition index="{end}"/></end></positioning></unit>'
    )


def file(*inside: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<annotations>{"".join(inside)}</annotations>'


def test_authors_in_one_file_are_annotators(tmp_path: Path) -> None:
    one_of = unit("X", 5, 10, "ana", '<feature name="size">big</feature>')
    content = file(unit("paragraph", 0, 15, "Glozz"), one_of, unit("Y", 0, 1, "ben"), unit("", 0, 1, "ben"),
                   '<relation id="r"/><schema id="s"/>')  # fmt: skip
    found = variables(written(tmp_path, {"d.aa": content, "d.ac": TEXT}))
    assert units(found["type"]) == [("d", "ana", 4, 9, "X"), ("d", "ben", 0, 1, "Y")]  # offsets in UTF-16 code units
    assert units(found["size"]) == [("d", "ana", 4, 9, "big")]
    for what in ("1 relations", "1 schemas", "1 paragraphs", "1 units without a type"):
        assert told(found["type"], "skipped", what)


def test_folders_are_annotators_and_share_a_text(tmp_path: Path) -> None:
    files = {"Ana/d.aa": file(unit("X", 5, 10)), "Ben/d.aa": file(), "texts/d.ac": TEXT}
    data = accord.read(written(tmp_path, files))
    assert data.annotators == ("Ana", "Ben")
    assert data.judged.all()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"d.aa": file(unit("X", 5, 10))}, "file-missing"),
        (
            {"d.aa": file(unit("X", 5, 10).replace('index="10"', 'index="x"')), "d.ac": TEXT},
            "invalid-record: d.aa:2",
        ),
        ({"d.aa": file()[:-4], "d.ac": TEXT}, "file-damaged"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    with raises(expected):
        accord.read(written(tmp_path, files))


def test_single_file_finds_its_text(tmp_path: Path) -> None:
    one(tmp_path, "d.ac", TEXT)
    assert units(accord.read(one(tmp_path, "d.aa", file(unit("X", 5, 10))))) == [("d", "d", 4, 9, "X")]


def test_samples_of_glozz_are_read(corpora: Path) -> None:
    folder = corpora / "native-samples" / "glozz"
    data = accord.read(folder / "arg-microtexts-sdrt")
    assert (len(data), len(data.docs)) == (51, 9)
    assert told(data, "42 relations")
    assert len(variables(folder / "educe-example-units.aa")["type"]) == 20

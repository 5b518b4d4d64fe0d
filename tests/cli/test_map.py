"""`accord map`: columns with roles and reasons, the effect of changes, and saved readings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from accord.answers.map import MappedTables

from ..command_line import Cli, refused
from ..refusals import raises

LONG = "id,coder,tone,text,when\n" + "".join(
    f"s{k},{coder},{'xyz'[(k + (coder == 'Ben') * (k % 4 == 0)) % 3]},what {k} people say of it,2024-01-0{k % 9 + 1}\n"
    for k in range(12)
    for coder in ("Ana", "Ben")
)
UNCLEAR = "id,coder1,coder2,coder3,outcome\n" + "".join(
    f"{k},{'ab'[k % 2]},{'ab'[k % 2]},{'ab'[(k + (k % 5 == 0)) % 2]},{'ab'[(k + (k % 3 == 0)) % 2]}\n"
    for k in range(30)
)


def write(folder: Path, content: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def roles_of(mapped: MappedTables) -> dict[str, str]:
    return {column.name: column.role.role for column in mapped.maps[0].columns}


def test_every_column_has_a_role_and_a_reason(tmp_path: Path) -> None:
    mapped = accord.map(write(tmp_path, LONG))
    assert roles_of(mapped) == {
        "id": "item", "coder": "annotator", "tone": "label", "text": "text", "when": "time",
    }  # fmt: skip
    assert all(column.role.reason and column.examples for column in mapped.maps[0].columns)
    assert mapped.is_settled
    assert "12 items, 2 annotators" in str(mapped)


def test_screen_shows_roles_and_effect(tmp_path: Path, cli: Cli) -> None:
    got = cli("map", write(tmp_path, LONG), "--role", "tone=ignore", "--role", "when=label")
    assert got.code == 0
    assert "stated with --role" in got.out
    assert "as guessed" in got.out
    assert "with --role" in got.out
    assert "Ana | Ben" in got.out


def test_refused_table_shows_each_suggested_reading(tmp_path: Path, cli: Cli) -> None:
    path = write(tmp_path, UNCLEAR)
    refused(cli("score", path), "[roles-unclear]", "accord map")
    got = cli("map", path, "--json")
    found = json.loads(got.out)
    assert got.code == 0
    assert not found["settled"]
    ways = {effect["reading"]: effect["variables"] for effect in found["effects"][1:]}
    assert {way["label"]["n_annotators"] for way in ways.values()} == {3, 4}
    for typed in ways:
        assert cli("score", path, "-m", "alpha", *typed.split()).code == 0, typed
    assert {column["role"] for column in found["tables"][0]["columns"]} >= {"unclear"}


def test_changed_roles_are_saved_and_used(tmp_path: Path, cli: Cli) -> None:
    path, saved = write(tmp_path, UNCLEAR), tmp_path / "reading.toml"
    assert cli("map", path, "--role", "outcome=ignore", "--save-reading", saved).code == 0
    got = cli("score", path, "--reading", saved, "-m", "alpha", "--json")
    assert json.loads(got.out)["data"]["annotators"] == ["coder1", "coder2", "coder3"]
    assert accord.read(path, reading=saved).n_annotators == 3
    assert accord.read(path, role="outcome=ignore").n_annotators == 3


def test_unsettled_roles_are_not_saved(tmp_path: Path, cli: Cli) -> None:
    saved = tmp_path / "reading.toml"
    refused(cli("map", write(tmp_path, UNCLEAR), "--save-reading", saved), "[roles-unclear]", "cannot be saved")
    assert not saved.exists()


def test_saved_reading_names_the_columns(tmp_path: Path, cli: Cli) -> None:
    saved = tmp_path / "reading.toml"
    cli("map", write(tmp_path, LONG), "--save-reading", saved)
    assert 'item = "id"' in saved.read_text()
    assert 'annotator = "coder"' in saved.read_text()


def test_several_columns_name_the_item_together(tmp_path: Path) -> None:
    rows = "".join(f"{s},{k},{c},{'xy'[k % 2]}\n" for s in "AB" for k in range(9) for c in ("Ana", "Ben"))
    path = write(tmp_path, f"system,segment,coder,label\n{rows}")
    assert accord.read(path, role="system+segment=item").n_items == 18
    assert accord.read(path, item="system+segment").n_items == 18
    assert roles_of(accord.map(path, role=["system+segment=item"]))["segment"] == "item"


@pytest.mark.parametrize("roles", [["a=annotator", "b=annotator", "n=item"], ["a=annotator", "b=annotator"]])
def test_several_annotators_are_a_column_each(tmp_path: Path, roles: list[str]) -> None:
    rows = "".join(f"{k},{'xy'[k % 2]},{'xy'[k % 3 % 2]}\n" for k in range(9))
    assert accord.read(write(tmp_path, f"n,a,b\n{rows}"), role=roles).annotators == ("a", "b")


def test_votes_and_units_by_role(tmp_path: Path) -> None:
    votes = write(tmp_path, "k,p,q,other\n" + "".join(f"i{k},{k % 4},{3 - k % 4},{k}\n" for k in range(9)))
    read = accord.read(votes, role=["k=item", "p=votes", "q=votes"])
    assert (read.n_items, read.n_ratings, read.identified) == (9, 27, False)
    units = write(tmp_path, "text,who,a,b,tag\nd,Ana,1,3,x\nd,Ben,1,4,x\n", "units.csv")
    roles = ["text=doc", "who=annotator", "a=start", "b=end", "tag=label"]
    assert accord.read(units, role=roles).units_per_doc.sum() == 2


@pytest.mark.parametrize(
    ("role", "code", "word"),
    [
        ("tone", "option-value", "write the column"),
        ("tone=lable", "unknown-name", '"label"'),
        ("tune=label", "unknown-name", '"tone"'),
        ("id=annotator", "unknown-name", ""),
    ],
)
def test_wrong_roles_are_refused(tmp_path: Path, role: str, code: str, word: str) -> None:
    if code == "unknown-name" and not word:
        with raises("option-value", "--annotator"):
            accord.read(write(tmp_path, LONG), role=role, annotator="coder")
        return
    with raises(code, word):
        accord.read(write(tmp_path, LONG), role=role)


def test_tables_in_memory_and_other_data(tmp_path: Path) -> None:
    rows = [{"id": 1, "rater": "A", "score": 3}, {"id": 1, "rater": "B", "score": 4}]
    assert roles_of(accord.map(rows)) == {"id": "item", "rater": "annotator", "score": "label"}
    with raises("option-not-for-data"):
        accord.map(accord.read(rows))
    brat = tmp_path / "Ana"
    brat.mkdir()
    write(brat, "T1\tPER 0 3\tAna\n", "d.ann")
    write(brat, "Ana met Ben.\n", "d.txt")
    with raises("option-not-for-data", "accord read"):
        accord.map(tmp_path)

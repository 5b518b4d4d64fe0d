"""Tables of chains: columns, links, refusals, and a real corpus."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import accord

from ..command_line import Cli
from ..refusals import raises

TABLE = "doc,annotator,start,end,chain\nd,A,0,3,1\nd,A,5,7,1\nd,A,9,12,2\nd,B,0,3,x\nd,B,5,7,x\nd,B,9,12,x\n"
ONE = [[(0.0, 3.0), (5.0, 7.0)], [(9.0, 12.0)]]


def write_table(folder: Path, text: str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(source: Any, **options: Any) -> accord.Chains:
    found = accord.read(source, **options)
    assert isinstance(found, accord.Chains)
    return found


def test_each_row_is_a_mention(tmp_path: Path) -> None:
    data = read(write_table(tmp_path, TABLE))
    assert data["d"] == {"A": ONE, "B": [[(0.0, 3.0), (5.0, 7.0), (9.0, 12.0)]]}
    assert (len(data), data.n_chains, data.n_annotators) == (6, 3, 2)


def test_names_of_chains_and_the_order_of_rows_do_not_matter(tmp_path: Path) -> None:
    head, *rows = TABLE.splitlines()
    turned = "\n".join([head, *reversed(rows)]).replace("A,9,12,2", "A,9,12,other")
    assert read(write_table(tmp_path, turned)).digest == read(write_table(tmp_path, TABLE)).digest


@pytest.mark.parametrize("column", ["cluster", "entity", "entity_id"])
def test_ambiguous_column_names_need_an_option_or_a_measure(tmp_path: Path, column: str) -> None:
    path = write_table(tmp_path, TABLE.replace("chain", column))
    assert isinstance(accord.read(path), accord.Corpus)
    assert read(path, layout="chains").digest == read(write_table(tmp_path, TABLE, "same.csv")).digest
    assert accord.muc(path).value == accord.muc(tmp_path / "same.csv").value  # a coreference measure implies chains


@pytest.mark.parametrize("column", ["chain_id", "coref", "Coreference"])
def test_column_of_chains_has_several_known_names(tmp_path: Path, column: str) -> None:
    assert read(write_table(tmp_path, TABLE.replace("chain", column))).n_chains == 3


def test_label_option_names_the_column_of_chains(tmp_path: Path) -> None:
    path = write_table(tmp_path, TABLE.replace("chain", "referent"))
    assert isinstance(accord.read(path), accord.Corpus)
    assert read(path, layout="chains", label="referent").n_chains == 3


def test_label_option_alone_reads_chains_as_units(tmp_path: Path) -> None:
    assert isinstance(accord.read(write_table(tmp_path, TABLE), label="chain"), accord.Corpus)


LINKS = "doc,annotator,mention,antecedent\nd,A,it,fox\nd,A,he,it\nd,A,crow,\nd,B,it,fox\nd,B,he,fox\nd,B,crow,it\n"


def test_links_are_joined_into_chains(tmp_path: Path) -> None:
    """Antecedents of the same chain are equivalent. An antecedent without a row of its own is also a mention."""
    data = read(write_table(tmp_path, LINKS))
    assert [row[2:] for row in data.rows()[1] if row[1] == "A"] == [("crow", 1), ("fox", 2), ("he", 2), ("it", 2)]
    assert [row[3] for row in data.rows()[1] if row[1] == "B"] == [1, 1, 1, 1]
    same = LINKS.replace("d,B,crow,it", "d,B,crow,")
    assert accord.muc(write_table(tmp_path, same), interval="none").value == 1
    with raises("measure-for-other-data"):
        accord.as_units(data)


def test_links_between_positions_give_the_same_chains(tmp_path: Path) -> None:
    text = "doc,annotator,mention,antecedent\nd,A,5-7,0-3\nd,A,9-12,\nd,B,9-12,5-7\nd,B,5-7,0-3\n"
    assert read(write_table(tmp_path, text)).digest == read(write_table(tmp_path, TABLE, "same.csv")).digest


@pytest.mark.parametrize("text", [TABLE, LINKS])
def test_written_chains_are_read_back(tmp_path: Path, text: str) -> None:
    data = read(write_table(tmp_path, text))
    columns, rows = data.rows()
    again = "\n".join(",".join(map(str, row)) for row in (columns, *rows))
    assert read(write_table(tmp_path, again, "again.csv")).digest == data.digest
    assert set(data.files()) == {"chains.csv", "judged.csv"}


def test_mention_without_chain_is_a_chain_of_its_own(tmp_path: Path) -> None:
    text = TABLE.replace("B,0,3,x", "B,0,3,").replace("B,5,7,x", "B,5,7,")
    for data in (read(write_table(tmp_path, text)), read({**columns_of(text)})):
        assert len(data["d"]["B"]) == 3
        assert "2 mentions without a chain: each counts as a chain of one mention" in data.notes


def columns_of(text: str) -> dict[str, list[Any]]:
    head, *rows = (line.split(",") for line in text.splitlines())
    return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


def test_mention_in_two_chains_needs_the_repeats_option(tmp_path: Path) -> None:
    path = write_table(tmp_path, TABLE + "d,A,0,3,2\n")
    with raises("repeated-label", "table.csv:8", "--repeats"):
        accord.read(path)
    assert read(path, repeats="first")["d"]["A"] == ONE
    assert read(path, repeats="last")["d"]["A"] == [[(0.0, 3.0), (9.0, 12.0)], [(5.0, 7.0)]]
    twice = read(write_table(tmp_path, TABLE + "d,A,0,3,1\n"))
    assert twice["d"]["A"] == ONE
    assert "1 mention repeated: each counted once" in twice.notes


def test_invalid_tables_of_chains_are_refused(tmp_path: Path) -> None:
    with raises("column-missing"):
        accord.read(write_table(tmp_path, "doc,annotator,start,end,label\nd,A,1,2,x\n"), layout="chains")
    with raises("empty-cell", "table.csv:3"):
        accord.read(write_table(tmp_path, "annotator,mention,antecedent\nA,x,y\nA,,y\n"))
    with raises("end-before-start", "table.csv:2"):
        accord.read(write_table(tmp_path, "annotator,start,end,chain\nA,2,1,y\n"))
    with raises("annotators-needed"):
        accord.muc(write_table(tmp_path, "annotator,start,end,chain\nA,1,2,y\nA,4,5,y\n"))
    named, placed = write_table(tmp_path, LINKS, "a.csv"), write_table(tmp_path, TABLE, "b.csv")
    with raises("mixed-inputs"):
        accord.read([named, placed])


def test_files_by_annotator_give_the_judged_documents(tmp_path: Path) -> None:
    head, *rows = TABLE.splitlines()
    for who in "AB":
        mine = [row.replace(f"d,{who},", "d,") for row in rows if row.startswith(f"d,{who}")]
        write_table(tmp_path, "\n".join([head.replace("annotator,", ""), *mine]), f"{who}.csv")
    assert read(tmp_path)["d"]["A"] == ONE
    write_table(tmp_path, "doc,annotator\nd,A\nd,B\nd,C\n", "judged.csv")
    assert read(tmp_path)["d"]["C"] == []
    assert list(accord.conll(tmp_path, interval="none").parts["pair"]) == ["A – B", "A – C", "B – C"]


def test_command_line_scores_chains_and_refuses_gamma(tmp_path: Path, cli: Cli) -> None:
    path = write_table(tmp_path, TABLE.replace("d,", "d,") + TABLE.split("\n", 1)[1].replace("d,", "e,"))
    shown = cli("score", path, "--by", "pair").out
    for name in ("chain_alpha", "link_alpha", "conll", "A – B"):
        assert name in shown
    assert "chain: chains of coreference" in cli("read", path).out
    refused = cli("score", path, "-m", "gamma")
    assert refused.code == 2
    assert "gamma is for units" in refused.err
    assert "these are chains of coreference" in refused.err


def test_gamma_scores_mentions_as_units(tmp_path: Path) -> None:
    moved = TABLE.replace("B,9,12", "B,10,13")
    units = accord.as_units(read(write_table(tmp_path, moved)))
    assert isinstance(units, accord.Corpus)
    assert len(units.categories) == 0
    assert accord.gamma(units, interval="none", seed=1).value < 1


CONLL = """#begin document (news/1); part 000
news/1 0 0 The DT (12
news/1 0 1 fox NN 12)|(7
news/1 0 2 saw VB -

news/1 0 0 it PRP (3)
news/1 0 1 there RB 7)

#end document
#begin document (news/1); part 001
news/1 1 0 It PRP (3)
news/1 1 1 ran VB -
#end document
"""


def test_conll_2012_gives_chains_of_each_annotator(tmp_path: Path) -> None:
    write_table(tmp_path, CONLL, "Ana.v4_gold_conll")
    write_table(tmp_path, CONLL.replace("(7", "(12").replace("7)", "12)"), "Ben.v4_gold_conll")
    data = read(tmp_path)
    assert data.docs == ("news/1", "news/1 part 1")
    assert data["news/1"]["Ana"] == [[(0, 2)], [(1, 5)], [(3, 4)]]
    assert data["news/1"]["Ben"] == [[(0, 2), (1, 5)], [(3, 4)]]
    assert data.mentions.extents.tolist() == [[0, 5], [0, 2]]
    for who in ("A", "B"):
        (tmp_path / who).mkdir()
        write_table(tmp_path / who, CONLL, "1.conll")
    assert accord.chain_alpha([tmp_path / "A", tmp_path / "B"], interval="none").value == 1
    assert data.comparable.all()


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (("12)|(7", "(7"), "invalid-chain"),
        (("(3)", "3)"), "invalid-chain"),
        (("VB -", "VB x"), 'invalid-chain: "x"'),
        (("part 001", "part 000"), "repeated-document"),
    ],
)
def test_invalid_conll_2012_is_refused(tmp_path: Path, wrong: tuple[str, str], expected: str) -> None:
    with raises(expected):
        accord.read(write_table(tmp_path, CONLL.replace(*wrong, 1), "Ana.conll"))


def test_tables_in_a_folder_take_precedence_over_files_in_subfolders(tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    write_table(tmp_path / "native", CONLL, "Ana.conll")
    (tmp_path / "spans.csv").write_text("annotator,start,end,label\nA,0,3,x\nB,0,3,x\n", encoding="utf-8")
    assert isinstance(accord.read(tmp_path), accord.Corpus)
    assert isinstance(accord.read(tmp_path / "native"), accord.Chains)


def test_gerdracor_gives_the_same_chains_from_conll_and_from_its_table(corpora: Path) -> None:
    folder = corpora / "gerdracor-coref-parallel"
    files = sorted((folder / "native" / "conll2012").glob("Emilia*CoNLL2012.conll"))
    if not files:
        pytest.skip("the native files are not available")
    data = read(files)
    table = read(folder / "spans.csv", layout="chains").only_named(["Emilia_Act1"])
    assert len(data) == len(table)
    assert data.n_chains == table.n_chains
    assert accord.conll(data, interval="none").value == accord.conll(table, interval="none").value


def test_gerdracor_is_read_and_scored_within_a_minute(corpora: Path) -> None:
    """The corpus has 12 acts and 51,819 mentions."""
    path = corpora / "gerdracor-coref-parallel" / "spans.csv"
    began = time.perf_counter()
    data = read(path, layout="chains")
    assert (len(data.docs), data.n_annotators, len(data), data.n_chains) == (12, 8, 51_819, 7_669)
    scores = {
        spec: accord.score(data, spec, replicates=100) for spec in ("chain_alpha", "link_alpha", "conll", "blanc")
    }
    assert time.perf_counter() - began < 60
    for spec, wanted in {"chain_alpha": 0.214, "link_alpha": 0.624, "conll": 0.418, "blanc": 0.453}.items():
        assert scores[spec].value == pytest.approx(wanted, abs=5e-4)
        assert scores[spec].n == 11
    assert accord.conll(path, interval="none").value == scores["conll"].value  # here the column is named entity

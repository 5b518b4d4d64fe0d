"""Small whole numbers in columns: labels of annotators are read; counts are refused with both layout options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import accord

from ..command_line import Cli, refused
from ..refusals import raises

Numbers = NDArray[np.int64]


def write_table(folder: Path, item: str, names: Sequence[str], numbers: Numbers, rows: Sequence[str] = ()) -> Path:
    path = folder / "t.csv"
    known = rows or [f"d{k}" for k in range(len(numbers))]
    lines = [
        [item, *(f'"{name}"' for name in names)],
        *([row, *map(str, line)] for row, line in zip(known, numbers, strict=True)),
    ]
    path.write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")
    return path


# -- annotators -------------------------------------------------------------------------------------------------------

PEOPLE = (
    ("Ana", "Ben", "Cleo"),
    ("Anna Schmidt", "Bernd Meyer"),
    ("coder1", "coder2", "coder3"),
    ("Coder A", "Coder B"),
    ("r1", "r2", "r3", "r4"),
    ("A", "B", "C"),
    ("a", "b"),
    ("AK", "BM", "CS"),
    ("gpt-4o", "claude-3-opus", "human"),
    ("gpt4", "llama3"),
    ("Rater_1", "Rater_2"),
    ("s1024", "s1031", "s1102"),
    ("5f3a9c0b", "60c1d2e3"),
    ("11043", "11077", "12001"),
    ("P01", "P02", "P03", "P04", "P05"),
    ("ana@uni.edu", "ben@uni.edu"),
    ("Dr. Weiß", "Dr. Ott"),
    ("expert", "novice"),
    ("nurse1", "nurse2", "physician"),
    ("Kodierer 1", "Kodierer 2"),
    ("Katarzyna", "Grzegorz"),
    ("Obs1", "Obs2"),
    ("first", "second"),
    ("primary", "secondary"),
    ("me", "supervisor"),
    ("label_1", "label_2"),
    ("round1", "round2"),
    ("Annotation 1", "Annotation 2", "Annotation 3"),
)
SCALES: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...] = (
    ((0, 1), (0.7, 0.3)),
    ((0, 1, 2), (0.6, 0.3, 0.1)),
    ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), (1 / 11,) * 11),
)


def draw_labels(
    seed: int, annotators: int, scale: Sequence[int], shares: Sequence[float], right: float, n: int
) -> Numbers:
    rng = np.random.default_rng(seed)
    truth = rng.choice(scale, size=(n, 1), p=shares)
    guessed = rng.choice(scale, size=(n, annotators), p=shares)
    return np.where(rng.random((n, annotators)) < right, truth, guessed).astype(np.int64)


@pytest.mark.filterwarnings("ignore::accord.ReadingWarning")
@pytest.mark.parametrize("names", PEOPLE, ids=lambda names: names[0])
def test_annotators_are_read(tmp_path: Path, names: tuple[str, ...]) -> None:
    for seed, (scale, shares) in enumerate(SCALES):
        numbers = draw_labels(seed, len(names), scale, shares, right=0.75, n=40)
        ratings = accord.read(write_table(tmp_path, "text", names, numbers))
        assert isinstance(ratings, accord.Ratings)
        assert (ratings.annotators, ratings.n_items) == (names, 40)


@pytest.mark.filterwarnings("ignore::accord.ReadingWarning")
@pytest.mark.parametrize("names", PEOPLE[:21], ids=lambda names: names[0])
def test_annotators_without_agreement_are_recognised_by_their_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    for seed in range(4):
        numbers = draw_labels(seed, len(names), (0, 1, 2), (0.5, 0.3, 0.2), right=0.0, n=30)
        ratings = accord.read(write_table(tmp_path, "text", names, numbers))
        assert ratings.annotators == names


# -- counts -----------------------------------------------------------------------------------------------------------

CODES = ("Code A", "Code B", "Code C")
THEMES = ("Housing costs", "Loneliness", "Commute", "Neighbours")


def draw_code_counts(seed: int, columns: int, n: int = 20, busy: bool = False) -> Numbers:
    """Draw the frequency of codes per document. With `busy`, long documents have more of every code."""
    rng = np.random.default_rng(seed)
    usual = rng.gamma(1.0, 1.5, columns)
    length = rng.gamma(2.0, 0.5, (n, 1)) if busy else np.ones((n, 1))
    return rng.poisson(usual * length).astype(np.int64)


def draw_rater_counts(seed: int, columns: int, n: int = 20) -> Numbers:
    """Draw how many of three to six raters chose each category."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(columns, size=n)
    shares = np.where(np.arange(columns) == truth[:, None], 0.7, 0.3 / (columns - 1))
    return np.array([rng.multinomial(rng.integers(3, 7), row) for row in shares])


INTERVIEWS = tuple(f"Interview {k}" for k in range(1, 5))
COUNTED: dict[str, tuple[str, tuple[str, ...], Callable[[int], Numbers], tuple[str, ...]]] = {
    "MAXQDA": ("Document", CODES, lambda s: draw_code_counts(s, 3), ()),
    "MAXQDA, long documents": ("Document", CODES, lambda s: draw_code_counts(s, 3, busy=True), ()),
    "MAXQDA in German": ("Dokumentname", ("Kategorie 1", "Kategorie 2"), lambda s: draw_code_counts(s, 2), ()),
    "MAXQDA, subcodes": ("Document", ("Living > Costs", "Living > Noise"), lambda s: draw_code_counts(s, 2), ()),
    "MAXQDA, words": ("Document name", THEMES, lambda s: draw_code_counts(s, 4, n=40), ()),
    "MAXQDA, codes in rows": (
        "Code System",
        INTERVIEWS,
        lambda s: draw_code_counts(s, 4, n=6),
        (*THEMES, "Noise", "Rent"),
    ),
    "NVivo": ("", ("A : Costs", "B : Trust", "C : Hope"), lambda s: draw_code_counts(s, 3), ()),
    "NVivo, files in columns": ("Codes", ("A1.docx", "A2.docx"), lambda s: draw_code_counts(s, 2, n=4), THEMES),
    "ATLAS.ti": ("", ("● Costs Gr=12", "● Trust Gr=3", "● Hope Gr=7"), lambda s: draw_code_counts(s, 3), ()),
    "counts by category": ("item", ("hat", "coat", "shoe"), lambda s: draw_rater_counts(s, 3), ()),
    "counts by letter": ("item", ("A", "B", "C"), lambda s: draw_rater_counts(s, 3, n=40), ()),
    "counts by known word": ("item", ("positive", "negative"), lambda s: draw_rater_counts(s, 2), ()),
    "numbers": ("image", ("n_cat", "n_dog"), lambda s: draw_rater_counts(s, 2), ()),
    "emotions": ("text", ("joy", "anger", "fear"), lambda s: np.minimum(draw_code_counts(s, 3), 1), ()),
    "toxicity": (
        "comment_id",
        ("toxic", "obscene", "threat", "insult"),
        lambda s: np.minimum(draw_code_counts(s, 4), 1),
        (),
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_counts_are_refused_with_both_options(tmp_path: Path, name: str) -> None:
    item, names, make, rows = COUNTED[name]
    for seed in range(8):
        path = write_table(tmp_path, item, names, make(seed), rows)
        with pytest.raises(accord.DataError) as trouble:
            accord.read(path)
        assert "--layout counts" in str(trouble.value), trouble.value
        assert "--layout wide" in str(trouble.value)


@pytest.mark.parametrize("names", [("cat_votes", "dog_votes", "bird_votes"), ("votes_cat", "votes_dog", "votes_bird")])
def test_columns_named_votes_are_counts(tmp_path: Path, names: tuple[str, ...]) -> None:
    for seed in range(8):
        counts = draw_rater_counts(seed, 3)
        with pytest.warns(accord.ReadingWarning, match="counts of votes per category"):
            ratings = accord.read(write_table(tmp_path, "image", names, counts))
        assert not ratings.identified
        assert accord.pi(ratings, interval="none").value == accord.pi(counts, layout="counts", interval="none").value
        assert {str(category) for category in ratings.categories} == {"cat", "dog", "bird"}


def test_votes_beside_total_and_most_frequent_class_are_counts(tmp_path: Path) -> None:
    """As in Davidson et al. 2017: an index, the number of votes, votes per category, the class and the text."""
    votes = draw_rater_counts(3, 3, n=40)
    path = tmp_path / "t.csv"
    rows = [f"{3 * k},{v.sum()},{v[0]},{v[1]},{v[2]},{v.argmax()},what {k} people say\n" for k, v in enumerate(votes)]
    path.write_text(",count,hate_speech,offensive_language,neither,class,tweet\n" + "".join(rows), encoding="utf-8")
    with pytest.warns(accord.ReadingWarning, match='their sum is column "count"'):
        ratings = accord.read(path)
    assert ratings.n_ratings == votes.sum()
    assert accord.pi(ratings, interval="none").value == accord.pi(votes, layout="counts", interval="none").value


def test_suggested_layout_options_read_the_table(tmp_path: Path, cli: Cli) -> None:
    path = write_table(tmp_path, "item", ("hat", "coat", "shoe"), draw_rater_counts(1, 3))
    refused(cli("score", path), "[layout-unclear]", "--layout counts", "--layout wide")
    assert cli("score", path, "--layout", "counts").code == 0
    assert "3: hat, coat, shoe" in cli("read", path, "--layout", "wide").out
    assert cli("read", path, "--annotators-in", "columns").code == 0


def test_column_of_row_totals_indicates_counts(tmp_path: Path) -> None:
    numbers = draw_labels(1, 3, (0, 1, 2), (0.5, 0.3, 0.2), right=0.8, n=30)
    summed = np.hstack([numbers, numbers.sum(axis=1, keepdims=True)])
    with raises("layout-unclear", '"Total"'):
        accord.read(write_table(tmp_path, "text", ("rent", "noise", "view", "Total"), summed))
    with pytest.warns(accord.ReadingWarning, match="not read as annotators: text, Total"):
        ratings = accord.read(write_table(tmp_path, "text", ("Ana", "Ben", "Cleo", "Total"), summed))
    assert ratings.annotators == ("Ana", "Ben", "Cleo")


def test_columns_named_code_1_and_code_2_are_annotators(tmp_path: Path) -> None:
    numbers = draw_labels(1, 2, (0, 1, 2), (0.5, 0.3, 0.2), right=0.9, n=30)
    assert accord.read(write_table(tmp_path, "item", ("Code 1", "Code 2"), numbers)).n_annotators == 2
    grades = draw_labels(1, 2, (1, 2, 3), (0.5, 0.3, 0.2), right=0.0, n=30)
    assert accord.read(write_table(tmp_path, "item", ("Code 1", "Code 2"), grades)).n_annotators == 2


def test_several_variables_are_not_counts(tmp_path: Path) -> None:
    numbers = np.hstack([draw_labels(seed, 2, (0, 1, 2), (0.5, 0.3, 0.2), right=0.8, n=40) for seed in range(2)])
    names = ("coder1_tone", "coder2_tone", "coder1_frame", "coder2_frame")
    assert list(accord.read_all(write_table(tmp_path, "item", names, numbers))) == ["tone", "frame"]

"""Wide tables with computed columns, unusual annotator names, or few rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import accord

from ..cases import for_each
from ..refusals import raises

Row = Sequence[object]


def table(folder: Path, header: Sequence[str], rows: Sequence[Row]) -> Path:
    path = folder / "t.csv"
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in [header, *rows]), encoding="utf-8")
    return path


def draw_labels(
    seed: int, annotators: int, scale: Sequence[object], wrong: float = 0.3, n: int = 40
) -> list[list[object]]:
    rng = np.random.default_rng(seed)
    truth, guessed = rng.integers(len(scale), size=(n, 1)), rng.integers(len(scale), size=(n, annotators))
    codes = np.where(rng.random((n, annotators)) < wrong, guessed, truth)
    return [[scale[int(code)] for code in line] for line in codes]


def alpha_of(path: Path, **how: object) -> float:
    return accord.alpha(accord.read(path, **how), interval="none").value


MADE: dict[str, tuple[Sequence[object], Callable[[list[object]], object]]] = {
    "gleich": ("01", lambda x: int(x[0] == x[1])),
    "verschieden": ("01", lambda x: int(x[0] != x[1])),
    "both": ("abc", lambda x: x[0] == x[1]),
    "M": ((1, 2, 3, 4, 5), lambda x: (x[0] + x[1]) / 2),  # type: ignore[operator]
    "spread": ((1, 2, 3, 4, 5), lambda x: abs(x[0] - x[1])),  # type: ignore[operator]
    "points": ((1, 2, 3), lambda x: x[0] + x[1]),  # type: ignore[operator]
    "Final code": ("abc", lambda x: x[0]),
    "agreed label": ("01", lambda x: x[1]),
    "resolved": ("abc", lambda x: x[1]),
    "Durchschnitt": ((1, 2, 3), lambda x: (x[0] + x[1]) / 2),  # type: ignore[operator]
    "conflict": ("01", lambda x: int(x[0] != x[1])),
}


@pytest.mark.parametrize("name", MADE)
def test_column_computed_from_two_annotators_is_not_an_annotator(tmp_path: Path, name: str) -> None:
    scale, make = MADE[name]
    rows = draw_labels(1, 2, scale)
    alone = alpha_of(table(tmp_path, ["text", "Ana", "Ben"], [[f"t{k}", *x] for k, x in enumerate(rows)]))
    path = table(tmp_path, ["text", "Ana", "Ben", name], [[f"t{k}", *x, make(x)] for k, x in enumerate(rows)])
    with pytest.warns(accord.ReadingWarning, match="not read as annotators"):
        assert accord.read(path).annotators == ("Ana", "Ben")
    assert alpha_of(path) == alone
    assert accord.read(path, item="text", label=["Ana", "Ben", name]).n_annotators == 3


def test_computed_column_must_be_named_if_all_headers_are_personal_names(tmp_path: Path) -> None:
    rows = draw_labels(1, 2, (0, 1))
    path = table(tmp_path, ["id", "A", "B", "C"], [[k, *x, int(x[0] == x[1])] for k, x in enumerate(rows)])
    with raises("roles-unclear"):
        accord.read(path)
    assert accord.read(path, label=["A", "B"]).n_annotators == 2


@for_each("seed", range(20))
def test_three_annotators_are_all_read(tmp_path: Path, seed: int) -> None:
    for scale in ((0, 1), (0, 0, 0, 0, 0, 0, 1), "abc", (1, 2, 3, 4, 5)):
        rows = draw_labels(seed, 3, scale, wrong=0.15, n=12)
        path = table(tmp_path, ["id", "Ana", "Ben", "Cleo"], [[k, *x] for k, x in enumerate(rows)])
        assert accord.read(path).n_annotators == 3


def test_column_that_follows_or_contradicts_annotators_needs_an_option(tmp_path: Path) -> None:
    rows = draw_labels(1, 2, "abc")
    path = table(tmp_path, ["id", "Ana", "Ben", "ours"], [[k, *x, x[k % 2]] for k, x in enumerate(rows)])
    with raises("roles-unclear", "never differs from the consensus", '--role "ours=ignore"', "(2 annotators)"):
        accord.read(path)
    assert accord.read(path, role="ours=ignore").annotators == ("Ana", "Ben")
    assert accord.read(path, annotators_in="columns").n_annotators == 3
    path = table(tmp_path, ["id", "Ana", "Ben", "Cleo"], [[k, *x, x[k % 2]] for k, x in enumerate(rows)])
    assert not accord.read(path).notes
    rows = draw_labels(2, 2, (0, 1), wrong=0.2)
    path = table(tmp_path, ["id", "Ana", "Ben", "treated"], [[k, *x, k % 2] for k, x in enumerate(rows)])
    with raises("roles-unclear", "hardly agrees with the others"):
        accord.read(path)


@pytest.mark.parametrize(
    "names", [("Berlin", "Hamburg"), ("张伟", "李娜"), ("Zuzanna", "Bartosz"), ("old", "new"), ("pre", "post")]
)
def test_two_columns_with_little_agreement_are_annotators(tmp_path: Path, names: tuple[str, ...]) -> None:
    rows = draw_labels(3, 2, (0, 1), wrong=1.0)
    ratings = accord.read(table(tmp_path, ["id", *names], [[k, *x] for k, x in enumerate(rows)]))
    assert ratings.annotators == names
    assert any("hardly agree" in note for note in ratings.notes) == (names[0] not in {"old", "pre"})


def test_identical_columns_are_annotators(tmp_path: Path) -> None:
    path = table(tmp_path, ["id", "Ost", "West", "Mitte"], [[k, 0, 0, 0] for k in range(30)])
    assert accord.read(path).n_annotators == 3


SMALL = {
    "two variables": "dog,color,size\nrex,black,big\nfido,white,small\nmax,black,big\n",
    "a survey": "Name,Age,Satisfaction,Recommend\nAna,34,4,yes\nBen,23,5,no\nCem,45,4,yes\nDia,34,3,yes\n",
    "a topic": "id,topic,Ana,Ben\n1,econ,p,n\n2,war,p,p\n3,war,n,n\n4,econ,n,p\n5,war,p,p\n",
    "shares": ",neg,pos\nneg,40.1%,5.2%\npos,3.3%,51.4%\n",
    "questions": "id,clarity,fluency\n1,1,2\n2,2,2\n3,1,1\n4,3,3\n",
    "two entries": "record_id,dx\n1--1,a\n1--2,a\n2--1,b\n2--2,a\n",
    "two entries of two": "study,dx,tx\n1--1,a,b\n1--2,a,a\n2--1,b,b\n2--2,a,a\n",
}


@pytest.mark.parametrize("name", SMALL)
def test_small_tables_without_annotators_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(SMALL[name], encoding="utf-8")
    with pytest.raises(accord.DataError):
        accord.read(path)


def test_columns_of_few_measurements_are_annotators(tmp_path: Path) -> None:
    flow = [494, 395, 516, 434, 476, 557, 413, 442], [490, 397, 512, 401, 470, 611, 415, 431]
    ratings = accord.read(table(tmp_path, ["Wright", "mini"], list(zip(*flow, strict=True))))
    assert ratings.annotators == ("Wright", "mini")


def test_column_of_coders_is_recognised_in_other_languages(tmp_path: Path) -> None:
    rows = [
        (f"a{k}", who, label)
        for k, x in enumerate(draw_labels(4, 3, "xy", n=30))
        for who, label in zip("KLM", x, strict=True)
    ]
    for header in (("Artikel", "Kodiererin", "Ausprägung"), ("texto", "codificador", "código")):
        ratings = accord.read(table(tmp_path, header, rows))
        assert (ratings.annotators, ratings.n_items) == (("K", "L", "M"), 30)
    with raises("roles-unclear"):
        accord.read(table(tmp_path, ("x", "y", "z"), rows))


def test_row_number_is_not_taken_as_the_item(tmp_path: Path) -> None:
    rows = [
        (who, label, k) for k, x in enumerate(draw_labels(5, 3, "xy", n=9)) for who, label in zip("KLM", x, strict=True)
    ]
    path = table(tmp_path, ("id", "annotator", "label", "comment_id"), [(k, *row) for k, row in enumerate(rows)])
    assert (accord.read(path).n_items, accord.read(path).n_pairable) == (9, 9)


def test_numbers_near_the_float_limit_are_read_as_labels(tmp_path: Path) -> None:
    path = table(tmp_path, ["id", "old", "new"], [[f"d{k}", f"{k % 3}e307", f"{k % 3}e307"] for k in range(12)])
    assert accord.read(path).n_annotators == 2

"""Names that outputs and papers print are accepted as input."""

from __future__ import annotations

import pytest

import accord
from accord.answers.citing import wording
from accord.measures.catalogue import MEASURES

from ..refusals import raises

SHARED = {"alpha_boundaries", "pi_boundaries", "kappa_boundaries", "segmentation_similarity"}  # α, π, κ and S of items


@pytest.mark.parametrize("cls", MEASURES, ids=lambda cls: cls.name)
def test_symbol_is_a_name_of_its_measure(cls: type) -> None:
    if cls.symbol and cls.name not in SHARED:
        assert accord.measure(cls.symbol).name == cls.name


@pytest.mark.parametrize(
    ("printed", "spec"),
    [
        ("ICC(1,1)", 'icc(form="1")'), ("ICC(2,1)", "icc"), ("ICC(3,1)", 'icc(form="3")'), ("icc(3,k)", "icc(form=3k)"),
        ("ICC(2,k)", "icc(form=2k)"), ("ICC(A,1)", "icc"), ("ICC(C,1)", 'icc(form="3")'), ("ICC(C,k)", "icc(form=3k)"),
        ("α(distance=ordinal)", "alpha(distance=ordinal)"), ("α (ordinal)", "alpha(distance=ordinal)"),
        ("agreement", "percent"), ("AC1", "ac"), ("Cronbach's α", "cronbach"),
    ],
)  # fmt: skip
def test_printed_name_is_accepted(printed: str, spec: str) -> None:
    assert accord.measure(printed) == accord.measure(spec)


@pytest.mark.parametrize("form", ["1", "2", "3", "1k", "2k", "3k"])
def test_cited_form_of_icc_is_accepted(form: str) -> None:
    measure = accord.measure(f'icc(form="{form}")')
    assert accord.measure(wording.symbol(measure)) == measure
    rows = [[1, 2, 2], [3, 3, 4], [5, 4, 5], [2, 2, 1]]
    written = f"{form[0]},{form[1:] or 1}"
    for name in (written, f"ICC({written})"):
        assert accord.icc(rows, form=name).value == accord.icc(rows, form=form).value


def test_unknown_form_of_icc_is_refused() -> None:
    with raises("unknown-name"):
        accord.measure("ICC(4,1)")


def test_cronbach_states_what_it_computed_and_how_to_get_the_other() -> None:
    long = {"item": list("aaabbbcccddd"), "annotator": list("ABC") * 4, "label": [1, 2, 3, 2, 2, 3, 4, 5, 4, 1, 1, 2]}
    raters = accord.score(long, "cronbach")
    items = accord.score(long, "cronbach", item="annotator", annotator="item")
    assert raters.details["notes"][0].startswith("reliability of the 3 annotators over 4 items")
    assert items.details["notes"][0].startswith("reliability of the 4 annotators over 3 items")
    assert "swap --item and --annotator" in raters.details["notes"][0]
    assert raters.value != items.value

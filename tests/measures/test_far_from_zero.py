"""The origin and the unit of a scale do not change a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord

from ..cases import for_each
from ..hypothesis_profiles import examples
from ..refusals import raises

ON_NUMBERS = (
    "icc", "icc(form=1)", "icc(form=3)", "icc(form=2k)", "lin", "cronbach", "kendall_w",
    "alpha(interval)", "kappa(weights=quadratic)", "kappa(weights=linear)",
)  # fmt: skip
RATED = [[1, 2, 2], [3, 3, 4], [5, 4, 5], [2, 2, 1], [4, 4, 4]]


@pytest.mark.parametrize("spec", ON_NUMBERS)
@examples(15)
@given(value=st.decimals("0.01", "99", places=2).map(float), items=st.integers(2, 7), annotators=st.integers(2, 5))
def test_equal_decimals_have_no_variation(spec: str, value: float, items: int, annotators: int) -> None:
    score = accord.score([[value] * annotators] * items, spec)
    assert score.value != score.value
    assert "0/0" in str(score.undefined)
    assert score.interval is None


@pytest.mark.parametrize("spec", [*ON_NUMBERS, "cronbach(standardised=true)"])
@for_each(("shift", "unit"), [(1e12, 1.0), (-1e15, 1.0), (0.0, 2.0**-400), (0.0, 2.0**400)])
def test_shift_or_unit_does_not_change_the_value(spec: str, shift: float, unit: float) -> None:
    moved = [[x * unit + shift for x in row] for row in RATED]
    assert accord.score(moved, spec).value == pytest.approx(accord.score(RATED, spec).value, abs=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
@pytest.mark.parametrize("spec", ["icc", "icc(form=1)", "lin", "cronbach", "alpha(interval)"])
def test_numbers_too_large_to_square_are_refused(spec: str, unit: float) -> None:
    with raises("matrix-invalid"):
        accord.score([[x * unit for x in row] for row in RATED], spec)


def test_cronbach_of_constant_columns_is_undefined() -> None:
    for spec in ("cronbach", "cronbach(standardised=true)"):
        assert accord.score([[0.1, 0.3, 0.7]] * 6, spec).undefined == "the sums do not vary: 0/0"


@pytest.mark.parametrize("unit", [1e-200, 1e200, 1e307])
@pytest.mark.parametrize("spec", ["alpha(distance=bipolar)", "kappa(weights=bipolar)"])
def test_bipolar_distance_does_not_depend_on_the_unit(spec: str, unit: float) -> None:
    moved = [[x * unit for x in row] for row in RATED]
    assert accord.score(moved, spec).value == pytest.approx(accord.score(RATED, spec).value, abs=1e-9)

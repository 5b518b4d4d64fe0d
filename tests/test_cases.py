"""The helpers of the tests: several cases in one test, and requirements of tests."""

from __future__ import annotations

import pytest

from .cases import for_each
from .needs import NO_CORPORA, PROGRAMS, Program


def test_for_each_runs_all_cases_and_names_the_one_that_fails() -> None:
    seen = []

    @for_each("shift", [0, 10])
    @for_each(("seed", "size"), [(1, 5), (2, 6)])
    def check(seed: int, size: int, shift: int) -> None:
        seen.append((shift, seed, size))
        assert shift + seed < 12

    with pytest.raises(AssertionError) as failed:
        check()
    assert seen == [(0, 1, 5), (0, 2, 6), (10, 1, 5), (10, 2, 6)]
    assert failed.value.__notes__ == ["in the case of seed = 2, size = 6", "in the case of shift = 10"]


def test_reasons_to_skip_begin_with_needs() -> None:
    absent = Program("a program", ("no-such-program",), "no-such-package")
    assert absent.path is None
    reasons = [absent.reason, NO_CORPORA, *(program.reason for program in PROGRAMS)]
    assert all(reason.startswith("needs ") for reason in reasons)

"""Expect a refusal by its code. Sentences may be reworded; codes are stable (`accord.errors.CODES`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from accord.core.errors import AccordError


@contextmanager
def raises(code: str, *facts: str) -> Iterator[pytest.ExceptionInfo[AccordError]]:
    """Expect an error with this code whose message contains these facts: places, names, options.

    `raises("end-before-start: a.csv:3")` is short for `raises("end-before-start", "a.csv:3")`.
    """
    with pytest.raises(AccordError) as caught:
        yield caught
    expected, _, fact = code.partition(": ")
    assert caught.value.code == expected, caught.value
    for part in (*facts, fact):
        assert part in str(caught.value), caught.value

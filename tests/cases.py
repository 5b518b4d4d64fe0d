"""Run one test for several seeds or values."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, but one test. It stops at the first failing case and names it."""
    keys = (names,) if isinstance(names, str) else names
    known = [(case,) if isinstance(names, str) else tuple(case) for case in cases]
    assert known

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def all_cases(**fixtures: Any) -> None:
            for values in known:
                case = dict(zip(keys, values, strict=True))
                try:
                    test(**fixtures, **case)
                except BaseException as error:
                    error.add_note(f"in the case of {', '.join(f'{key} = {value!r}' for key, value in case.items())}")
                    raise

        left = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        all_cases.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return all_cases

    return decorate

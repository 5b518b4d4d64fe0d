"""Each measure as a function: `accord.alpha(data, distance="ordinal")`.

accord creates the function of a measure on first access. `__init__.pyi` in this folder declares the functions for
editors and type checkers; `make stub` writes it.
"""

from __future__ import annotations

from typing import Any

from accord.doors.functions.making import icc_forms, measure_function
from accord.measures.catalogue import MEASURES

_BY_NAME = {cls.name: cls for cls in MEASURES}


def __getattr__(name: str) -> Any:
    if name not in _BY_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()[name] = measure_function(_BY_NAME[name])
    return made


def __dir__() -> list[str]:
    return sorted([*_BY_NAME, icc_forms.__name__])

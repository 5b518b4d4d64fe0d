"""The errors and warnings of accord, and the codes of all errors.

`accord.errors.CODES` maps each code to its meaning; `error.code` is the code of an error that was raised. The command
line prints the code in brackets at the end of its message. docs/reference/errors.md explains what to do about each.

Examples
--------
>>> import accord
>>> accord.errors.CODES["end-before-start"]
'A unit ends before it starts.'
>>> try:
...     accord.score({"item": ["a"], "Ana": ["x"], "Ben": ["x"]}, "alhpa")
... except accord.AccordError as error:
...     print(error.code)
unknown-name
"""

from accord.core.error_codes import CODES
from accord.core.errors import (
    AccordError,
    AccordWarning,
    CacheWarning,
    CheckFailed,
    DataError,
    FewLabelsWarning,
    NameWarning,
    ReadingWarning,
    SpecError,
    UnknownName,
)

__all__ = [
    "CODES",
    "AccordError",
    "AccordWarning",
    "CacheWarning",
    "CheckFailed",
    "DataError",
    "FewLabelsWarning",
    "NameWarning",
    "ReadingWarning",
    "SpecError",
    "UnknownName",
]

"""Writes the stub of `accord.doors.functions`; `make stub` runs it.

The functions are made while accord runs, which editors and type checkers cannot see. A test holds the file to this.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from inspect import Parameter, formatannotation
from pathlib import Path

from accord.doors.functions.making import docstring, icc_forms, signature
from accord.measures.catalogue import MEASURES
from accord.measures.measure import Measure
from accord.measures.scales.icc import IntraclassCorrelation

_HEADER = '''# ruff: noqa: E501 - examples are as wide as on their pages
"""Written by `python -m accord.doors.functions.stub`: change the measures and their pages, not this file."""

from collections.abc import Callable
from typing import Any

from accord.measures.dissimilarities import Custom
from accord.doors.functions.accepted import DistanceLike, FeaturesLike, PairLike, SimilarityLike
from accord.doors.functions.citing import cite as cite
from accord.doors.functions.scoring import score as score
from accord.core.result import NamedScores, Score
'''


def stub() -> str:
    """The functions of all measures, with their types and docstrings."""
    of_forms = _definition(IntraclassCorrelation, "icc_forms", icc_forms.__doc__ or "", without=("form",))
    measures = (_definition(cls, cls.name, docstring(cls)) for cls in MEASURES)
    return "\n".join([_HEADER, *(line for lines in (*measures, of_forms) for line in lines)])


def _definition(cls: type[Measure], name: str, says: str, without: tuple[str, ...] = ()) -> Iterator[str]:
    yield f"def {name}("
    named = False
    for parameter in signature(cls, without).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not named:
            named = True
            yield "    *,"
        yield f"    {_parameter(parameter)},"
    yield f") -> {'NamedScores' if without else 'Score'}:"
    lines = says.splitlines()
    quotes = 'r"""' if "\\" in says else '"""'
    yield textwrap.indent(f"{quotes}{says}" + ('\n"""' if len(lines) > 1 else '"""'), "    ")
    yield ""


def _parameter(parameter: Parameter) -> str:
    if parameter.kind is Parameter.VAR_KEYWORD:
        return f"**{parameter.name}: Any"
    default = parameter.default
    text = f"{parameter.name}: {_annotation(parameter.annotation)}"
    if default is Parameter.empty:
        return text
    return f'{text} = "{default}"' if isinstance(default, str) else f"{text} = {default!r}"


def _annotation(annotation: object) -> str:
    """As it is written where everything is imported by its name."""
    text = annotation if isinstance(annotation, str) else formatannotation(annotation)
    return re.sub(r"\b[a-z_.]+\.(?=[A-Z])", "", text)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(stub(), encoding="utf-8")

"""Write the stub of `accord.doors.functions` for editors and type checkers (`make stub`).

accord creates the functions at run time, which editors and type checkers cannot see. A test checks that the stub is up
to date.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields
from inspect import Parameter, formatannotation
from pathlib import Path
from typing import Any, get_type_hints

from accord.data.io.reading import READING, Reading
from accord.doors.functions.making import SCORING, option_names, signature
from accord.measures.catalogue import MEASURES
from accord.measures.measure import Measure
from accord.measures.scales.icc import IntraclassCorrelation

_IN_MEMORY = ("docs", "judged", "base", "texts")  # Python also accepts the content of these files
_HEADER = '''"""Written by `make stub`. Do not edit: change the measures or the declaration of `score`."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, Unpack

from accord.core.result import NamedScores, Score
from accord.doors.functions.making import DistanceLike, FeaturesLike, PairLike, SimilarityLike
from accord.measures.dissimilarities import Custom
'''


def stub() -> str:
    """Return the stub. Each function has its own options; a common TypedDict has the options of `score` and `read`."""
    measures = (_definition(cls, cls.name, "Score", f"{cls.title}.") for cls in MEASURES)
    of_forms = _definition(
        IntraclassCorrelation, "icc_forms", "NamedScores", "All six forms of the intraclass correlation, by name."
    )
    return "\n".join([_HEADER, *_options(), *(line for lines in (*measures, of_forms) for line in lines)])


def _options() -> Iterator[str]:
    yield "class _Options(TypedDict, total=False):"
    for name in SCORING:
        yield f"    {name}: {_annotation(signature(MEASURES[0]).parameters[name].annotation)}"
    hints = get_type_hints(Reading)
    for field in fields(Reading):
        if field.name in READING:
            several = "tuple" in str(hints[field.name])
            kind = "str | Sequence[Any] | None" if several else _annotation(hints[field.name])
            yield f"    {field.name}: {'Any' if field.name in _IN_MEMORY else kind}"
    yield "    extents: Any"
    yield "    reading: Any"
    yield ""


def _definition(cls: type[Measure], name: str, returned: str, says: str) -> Iterator[str]:
    own = [p for p in signature(cls).parameters.values() if p.name in option_names(cls)]
    columns = ["second: Any = None"] if "second" in signature(cls).parameters else []
    kept = [_parameter(p) for p in own if name == cls.name or p.name != "form"]
    parts = ["data: Any", *columns, *(["*", *kept] if kept else []), "**options: Unpack[_Options]"]
    line = f"def {name}({', '.join(parts)}) -> {returned}:"
    if len(line) > 120:
        line = f"def {name}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {returned}:"
    yield line
    yield textwrap.indent(f'"""{says}"""', "    ")
    yield ""


def _parameter(parameter: Parameter) -> str:
    default = parameter.default
    text = f"{parameter.name}: {_annotation(parameter.annotation)}"
    return f'{text} = "{default}"' if isinstance(default, str) else f"{text} = {default!r}"


def _annotation(annotation: Any) -> str:
    """Return an annotation without module names."""
    text = annotation if isinstance(annotation, str) else formatannotation(annotation)
    return re.sub(r"\b[a-z_.]+\.(?=[A-Z])", "", text)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(stub(), encoding="utf-8")

"""The best alignment itself: units that stand for the same thing, or texts side by side."""

from __future__ import annotations

from typing import Any

from accord.answers.scoring import kinds_of, main_measure
from accord.core.context import Progress, Run, silent
from accord.data.door import checks_options, opened
from accord.measures.catalogue import measure
from accord.measures.measure import Measure
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments


@checks_options
def align(
    data: Any,
    spec: str | Measure | None = None,
    *,
    progress: Progress = silent,
    jobs: int | None = None,
    **reading: Any,
) -> UnitaryAlignments | TextAlignments:
    """The best alignment itself: `align("spans.csv", "gamma(categorical=2)")`, a table of unitary alignments.

    With `text_gamma`, the texts side by side. Further options go to `read`.
    """
    run = Run(0, progress, jobs)
    if spec is not None:
        measure(spec).check_aligns()  # before anything is read
    found = opened(data, reading, kinds_of(spec), run)
    chosen = main_measure(spec, found)
    chosen.check_aligns()
    made: UnitaryAlignments | TextAlignments = chosen.alignments(found, run)
    return made

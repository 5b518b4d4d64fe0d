"""`align`: the best alignment of units, or of texts."""

from __future__ import annotations

from typing import Annotated, Any

from accord.answers import options
from accord.answers.question import question
from accord.answers.scoring import kinds_of, main_measure
from accord.core.context import Run, silent
from accord.core.options import Option
from accord.data.door import opened
from accord.measures.catalogue import measure as measure_named
from accord.measures.texts.side_by_side import TextAlignments
from accord.measures.units.unitary import UnitaryAlignments


@question("spans.csv -o alignment.csv")
def align(
    data: options.Data,
    measure: Annotated[
        options.Measure,
        Option(
            "Measure that aligns, e.g. `gamma(categorical=2,distance=ordinal)`. Default: gamma for units, text_gamma "
            "for texts."
        ),
    ] = None,
    *,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> UnitaryAlignments | TextAlignments:
    """Write the best alignment of the annotators' units, or of their texts.

    For units, the table lists each unitary alignment with its disorder and the causes: position, category and absence.

    Returns
    -------
    UnitaryAlignments or TextAlignments
        A table of unitary alignments, or the aligned texts with `text_gamma`.

    Raises
    ------
    SpecError
        If the measure does not align anything.

    Examples
    --------
    >>> spans = {"annotator": ["Ana", "Ben", "Ben"], "start": [0, 1, 6], "end": [4, 4, 9], "label": ["x", "x", "y"]}
    >>> [round(alignment.disorder, 3) for alignment in accord.align(spans)]
    [0.02, 1.0]
    """
    run = Run(0, progress or silent, jobs)
    if measure is not None:
        measure_named(measure).check_aligns()  # fail before reading
    found = opened(data, reading, kinds_of(measure), run)
    chosen = main_measure(measure, found)
    chosen.check_aligns()
    made: UnitaryAlignments | TextAlignments = chosen.alignments(found, run)
    return made

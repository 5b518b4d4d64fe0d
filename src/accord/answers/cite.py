"""`cite`: a sentence for the methods section, with references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from accord.answers import options
from accord.answers.citing import Citation, cited
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.question import declared_in, question
from accord.answers.score import CitedStyle, measures_in
from accord.answers.scoring import main_measure, score_each
from accord.core.context import Run, silent
from accord.core.errors import SpecError
from accord.core.options import Option
from accord.core.prose import style_named
from accord.core.result import Score, Scores
from accord.data.door import opened_all
from accord.measures.intervals.methods import Settings


def _in_python(arguments: dict[str, Any]) -> Citation:
    """Cite data, or existing scores."""
    if not _are_scores(arguments["data"]):
        found: Citation = declared_in(cite).function(**arguments)
        return found
    if set(arguments) - {"data", "style"}:
        raise SpecError(
            "option-conflict",
            "the data are scores, which already have a measure and options; leave the measure and all options out",
        )
    style_named(arguments.get("style", "plain"))
    return cited(arguments["data"], style=arguments.get("style", "plain"))


@question(
    "ratings.csv -m 'alpha(distance=ordinal)' --style apa",
    "spans.csv -m gamma --bibtex -o references.bib",
    python=_in_python,
)
def cite(
    data: options.Data,
    measure: Annotated[
        options.Measures,
        Option(
            "A measure, e.g. `alpha(distance=ordinal)`; repeatable. Default: the main measure of this kind of data "
            "(alpha, gamma, boundary_similarity, text_gamma or chain_alpha).",
            canonical=options.as_specs,
        ),
    ] = None,
    *,
    style: CitedStyle = "plain",
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    items_population: options.ItemsPopulation = None,
    annotators_population: options.AnnotatorsPopulation = None,
    null: options.Null = None,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Citation:
    """Print a sentence for the methods section, with references and BibTeX.

    In Python, `data` may also be a `Score`, `Scores`, or a dict of scores by the name of the data.

    Returns
    -------
    Citation

    Examples
    --------
    >>> score = accord.alpha([[1, 1], [1, 2], [2, 2], [2, 2]], interval="none")
    >>> "Krippendorff" in str(accord.cite(score))
    True
    """  # fmt: skip
    style_named(style)
    run = Run(seed, progress or silent, jobs)
    settings = Settings(interval, level, replicates, items_population, annotators_population, null)
    asked = measures_in(measure)
    # One measure is enough for a sentence.
    scores = {
        variable: score_each(found, asked or (main_measure(None, found),), settings, run)
        for variable, found in opened_all(data, reading, [one.data for one in asked], run).items()
    }
    return cited(scores, style=style)


def _are_scores(data: Any) -> bool:
    if isinstance(data, Score | Scores):
        return True
    inside = data.values() if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else ()
    return bool(inside) and all(isinstance(one, Score | Scores) for one in inside)

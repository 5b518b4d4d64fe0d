"""`accord.cite`: how agreement was measured, in a sentence to print, and what it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.answers.citing import Citation, cited
from accord.core.context import Progress
from accord.core.errors import SpecError
from accord.core.prose import style_named
from accord.core.result import Score, Scores
from accord.doors.functions.scoring import check_options, opened, score
from accord.measures.measure import Measure


def cite(
    data: Any,
    spec: str | Measure | Sequence[str | Measure] | None = None,
    *,
    style: str = "plain",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Progress | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Citation:
    """A sentence for the methods section, with its references: `cite("ratings.csv", "alpha(distance=ordinal)")`.

    The citation has `sentence`, `references` (each with `key`, `text` and `bibtex`) and `bibtex`, all of them together.

    - `data`: what `accord.score` takes; or what it gave: a score, several, or a dict of them by the name of the data.
    - `spec`: a measure, as a spec such as `alpha(distance=ordinal)`; or several. Default: the main one of such data.
    - `style`: plain, or apa: two decimals, no zero before the point. Default plain.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no interval. Default: that
      of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result. Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation". Default: no agreement.
    - `progress`: a function of a task, how much is done and how much there is, called during long work. Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data are still to be
      read.
    """
    style_named(style)
    if _are_scores(data):
        if spec is not None or reading:
            raise SpecError("these are scores already: they are cited as they were made, without a spec or options")
        return cited(data, style=style)
    if spec is None:
        check_options(reading)
        data, reading = opened(data, reading), {}
        spec = data.kind.main
    scored = score(
        data,
        [spec] if isinstance(spec, str | Measure) else spec,
        interval=interval,
        level=level,
        seed=seed,
        replicates=replicates,
        items_population=items_population,
        annotators_population=annotators_population,
        null=null,
        progress=progress,
        jobs=jobs,
        **reading,
    )
    return cited(scored, style=style)


def _are_scores(data: Any) -> bool:
    if isinstance(data, Score | Scores):
        return True
    inside = data.values() if isinstance(data, Mapping) else data if isinstance(data, list | tuple) else ()
    return bool(inside) and all(isinstance(one, Score | Scores) for one in inside)

"""The commands about annotators and rounds: who is reliable, what changes over time."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from accord.cli import options
from accord.cli.asking import asks

COLUMNS = "Further columns"

Time = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="When a label was given: numbers, dates, rounds. Shows accuracy in the first and in the second half.",
        rich_help_panel=COLUMNS,
    ),
]
Duration = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="How long a label took: a number. Shows the median.", rich_help_panel=COLUMNS),
]
Fit = Annotated[
    bool | None,
    typer.Option(
        "--fit/--no-fit",
        help="Fit the models of Dawid & Skene and MACE. Default: where that takes seconds.",
        rich_help_panel=options.MEASURE,
    ),
]


@asks("accord.plans.annotators:AnnotatorsPlan")
def annotators(
    paths: options.Paths = None,
    time: Time = None,
    duration: Duration = None,
    fit: Fit = None,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    ask: Any = None,
) -> None:
    """Rank annotators: who is accurate, who leans where, who drifts, who copies, who answers at random.

    Example: `accord annotators labels.csv --time date --duration seconds`
    """
    ask()

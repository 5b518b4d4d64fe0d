"""The commands about annotators and rounds: who is reliable, what changes over time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.doors.cli import completing, options
from accord.doors.cli.asking import asks

COLUMNS = "Further columns"

Time = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        autocompletion=completing.columns,
        help="When a label was given: numbers, dates, rounds. Shows accuracy in the first and in the second half.",
        rich_help_panel=COLUMNS,
    ),
]
Duration = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        autocompletion=completing.columns,
        help="How long a label took: a number. Shows the median.",
        rich_help_panel=COLUMNS,
    ),
]
Fit = Annotated[
    bool | None,
    typer.Option(
        "--fit/--no-fit",
        help="Fit the models of Dawid & Skene and MACE. Default: where that takes seconds.",
        rich_help_panel=options.MEASURE,
    ),
]
Drawn = Annotated[
    int | None,
    typer.Option(
        "--replicates",
        help="How often items are drawn again for the intervals of Dawid & Skene's accuracies; 0: none. Default: 200, "
        "where that takes seconds.",
        rich_help_panel=options.MEASURE,
    ),
]
Rounds = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        autocompletion=completing.columns,
        help="The column that names the rounds: in the order of numbers or dates, else as they come.",
        rich_help_panel=COLUMNS,
    ),
]
Specs = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        autocompletion=completing.measures,
        help="A measure; repeatable. Default: the main one for such data, alpha for labels of items, gamma for units.",
        rich_help_panel=options.MEASURE,
    ),
]
Plot = Annotated[Path | None, typer.Option(help="Draw it: a .png, .svg or .pdf file.", rich_help_panel=options.OUTPUT)]


@asks("accord.answers.plans.annotators:AnnotatorsPlan")
def annotators(
    paths: options.Paths = None,
    time: Time = None,
    duration: Duration = None,
    fit: Fit = None,
    replicates: Drawn = None,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    ask: Any = None,
) -> None:
    """Rank annotators: who is accurate, who leans where, who drifts, who copies, who answers at random.

    Example: `accord annotators labels.csv --time date --duration seconds`
    """
    ask()


@asks("accord.answers.plans.trend:TrendPlan")
def trend(
    paths: options.Paths = None,
    by: Rounds = None,
    measures: Specs = None,
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    plot: Plot = None,
    ask: Any = None,
) -> None:
    """Follow agreement from round to round: values with intervals, changes with a test, each annotator in every round.

    Example: `accord trend labels.csv --by round -m alpha --plot trend.svg`
    """
    ask.with_plot(plot)

"""The command that writes a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.doors.cli import options
from accord.doors.cli.asking import asks

Rounds = Annotated[
    str | None,
    typer.Option("--by", metavar="COLUMN", help="The column that names the rounds.", rich_help_panel=options.MEASURE),
]
Meaning = Annotated[
    bool,
    typer.Option(
        "--meaning",
        help="Also say which errors, of which size, would give the value here: this takes longer.",
        rich_help_panel=options.MEASURE,
    ),
]
Text = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="The column that holds the text of items, to be shown.", rich_help_panel=options.DATA
    ),
]
Title = Annotated[str | None, typer.Option(help="Above the report. Default: the data.", rich_help_panel=options.OUTPUT)]
Page = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE|FOLDER",
        help="report.html, all in one file; or a folder, with a page for each document as well. Default: a summary on "
        "the screen.",
        rich_help_panel=options.OUTPUT,
    ),
]


@asks("accord.answers.plans.report:ReportPlan")
def report(
    paths: options.Paths = None,
    measures: options.Measures = None,
    by: Rounds = None,
    meaning: Meaning = False,
    text: Text = None,
    title: Title = None,
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    items_population: options.ItemsPopulation = None,
    annotators_population: options.AnnotatorsPopulation = None,
    null: options.Null = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    output: Page = None,
    ask: Any = None,
) -> None:
    """Write a report that one can send: the value in words, whether to trust it, what to do next, and all behind it.

    Example: `accord report spans.csv -o report.html`
    """
    if output is None or ask.kind is not None:
        ask()
        return
    from accord.answers.reporting.writing import check_target, written
    from accord.doors.cli.output import deliver

    check_target(output)
    found = ask.answered()
    deliver(f"{written(found, output)}\n", None)
    ask.kept()

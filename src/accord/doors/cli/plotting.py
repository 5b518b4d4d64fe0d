"""The command that draws."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.core.errors import printable
from accord.doors.cli import options
from accord.doors.cli.asking import asks

PICTURE = "The picture"

Sort = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="alignment (units), confusion, confused, pairs, forest, disorder (units, texts), differences (texts), "
        "influence, trend, bland_altman (two annotators who give numbers), shares, annotators, meaning. Default: "
        "confusion for labels of items, alignment for units, differences for texts, else forest.",
        rich_help_panel=PICTURE,
    ),
]
Document = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The document of alignment and differences. Default: the one that costs most.",
        rich_help_panel=PICTURE,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        help="forest: by category, annotator, document, or each value of a COLUMN; disorder: by category or document; "
        "trend: the COLUMN that names the rounds.",
        rich_help_panel=PICTURE,
    ),
]
Width = Annotated[
    str, typer.Option(metavar="one|two", help="As wide as one column of a paper, or two.", rich_help_panel=PICTURE)
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="Draw it there: a .png, .svg or .pdf file. Without it, the numbers behind it are shown.",
        rich_help_panel=PICTURE,
    ),
]


@asks("accord.answers.plans.plot:PlotPlan")
def plot(
    paths: options.Paths = None,
    sort: Sort = None,
    output: Picture = None,
    width: Width = "two",
    document: Document = None,
    by: By = None,
    measures: options.Measures = None,
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Draw data: alignments, confusions, who agrees with whom, values with intervals, where disorder comes from.

    Example: `accord plot spans.csv -o alignment.svg` or `accord plot labels.csv --kind pairs --width one -o pairs.pdf`
    """
    from accord.core.figures.figure import check_path, is_picture
    from accord.doors.cli.output import deliver
    from accord.doors.rendering import render

    picture = output if output is not None and (ask.kind is None or is_picture(output)) else None  # else --csv -o x.csv
    if picture is not None:
        check_path(picture)
    found = ask.answered()
    if picture is None:
        ask.shown(found)
        if output is None:
            sys.stderr.write("these are the numbers behind the picture: -o picture.svg (or .png, .pdf) draws it\n")
        return
    found.save_plot(picture, width=ask.plan.width)
    if ask.kind is not None:
        deliver(render(found, ask.kind), None, machine=True)
    else:
        deliver(f"{printable(str(picture))}: {printable(found.picture.caption)}\n", None)
    ask.kept()

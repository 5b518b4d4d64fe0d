"""The options of the command line, each once: commands share them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DATA, MEASURE, OUTPUT = "What the data are", "What to compute", "What to show"

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        help="Tables, a folder of tables, or - for standard input.",
        show_default=False,
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        help="A measure, e.g. `alpha(distance=ordinal)`; repeatable. Default: percent, s, pi, kappa, alpha, ac.",
        rich_help_panel=MEASURE,
    ),
]
Interval = Annotated[
    str,
    typer.Option(
        help="linearised, unconditional, bootstrap, fleiss_cohen_everitt, hayes_krippendorff, "
        "krippendorff_2013, table, irrcac, none.",
        rich_help_panel=MEASURE,
    ),
]
Level = Annotated[
    float,
    typer.Option(
        help="Confidence level of intervals.",
        rich_help_panel=MEASURE,
    ),
]
Replicates = Annotated[
    int,
    typer.Option(
        help="Bootstrap replicates.",
        rich_help_panel=MEASURE,
    ),
]
ItemsPopulation = Annotated[
    int | None,
    typer.Option(
        help="Number of items the sample was drawn from (finite population correction).",
        rich_help_panel=MEASURE,
    ),
]
AnnotatorsPopulation = Annotated[
    int | None,
    typer.Option(
        help="The same for annotators, with --interval unconditional.",
        rich_help_panel=MEASURE,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        help="Seed of everything random.",
        rich_help_panel=MEASURE,
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHAT",
        help="Break down by category, annotator, pair or item, or score each value of a COLUMN apart; repeatable.",
        rich_help_panel=OUTPUT,
    ),
]
Marginals = Annotated[
    bool,
    typer.Option(
        "--marginals",
        help="Bias, prevalence, tests of equal marginals.",
        rich_help_panel=OUTPUT,
    ),
]
Matrix = Annotated[
    bool,
    typer.Option(
        "--matrix",
        help="The confusion matrix of two annotators, the coincidence matrix of more.",
        rich_help_panel=OUTPUT,
    ),
]
Scale = Annotated[
    list[str] | None,
    typer.Option(
        help="Hold values against a scale: landis_koch, krippendorff, krippendorff_2004, neuendorf, altman, fleiss.",
        rich_help_panel=OUTPUT,
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        help="One JSON object.",
        rich_help_panel=OUTPUT,
    ),
]
Csv = Annotated[
    bool,
    typer.Option(
        "--csv",
        help="CSV in full precision.",
        rich_help_panel=OUTPUT,
    ),
]
Latex = Annotated[
    bool,
    typer.Option(
        "--latex",
        help="LaTeX (booktabs).",
        rich_help_panel=OUTPUT,
    ),
]
Markdown = Annotated[
    bool,
    typer.Option(
        "--markdown",
        help="Markdown.",
        rich_help_panel=OUTPUT,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="Write there instead of to the screen.",
        rich_help_panel=OUTPUT,
    ),
]
Layout = Annotated[
    str | None,
    typer.Option(
        help="long, wide, counts (item × category) or confusion; long and wide are recognised.",
        rich_help_panel=DATA,
    ),
]
Item = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that names the item.",
        rich_help_panel=DATA,
    ),
]
Annotator = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that names the annotator.",
        rich_help_panel=DATA,
    ),
]
Label = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="The column(s) that hold the labels (wide: the annotators' columns); repeatable.",
        rich_help_panel=DATA,
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL",
        help="A label that means missing, e.g. NA; repeatable. The empty cell does.",
        rich_help_panel=DATA,
    ),
]
KeepEmpty = Annotated[
    bool,
    typer.Option(
        "--keep-empty",
        help="The empty cell is a label, not missing.",
        rich_help_panel=DATA,
    ),
]
Fold = Annotated[
    list[str] | None,
    typer.Option(
        help="Overlook differences of `case` or `space` between labels; repeatable.",
        rich_help_panel=DATA,
    ),
]
Sets = Annotated[
    str | None,
    typer.Option(
        metavar="SEPARATOR",
        help="Labels are sets, e.g. `|` for a|b.",
        rich_help_panel=DATA,
    ),
]
Categories = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,C",
        help="All categories, in order: counts the unused ones, orders words.",
        rich_help_panel=DATA,
    ),
]
Repeats = Annotated[
    str,
    typer.Option(
        help="The same annotator and item twice: error, first, last, trials (repetitions).",
        rich_help_panel=DATA,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[COLUMN=]V,V",
        help="Keep these labels, or the rows with these values of a column; repeatable.",
        rich_help_panel=DATA,
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Keep these annotators.",
        rich_help_panel=DATA,
    ),
]
Merge = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B=C",
        help="Take labels as one; repeatable.",
        rich_help_panel=DATA,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        help="If not UTF-8 or UTF-16, e.g. latin-1.",
        rich_help_panel=DATA,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="Between cells; `tab` for a tabulator.",
        rich_help_panel=DATA,
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(
        help="Sheet of an Excel file.",
        rich_help_panel=DATA,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        help="Keep this run as a TOML file.",
    ),
]
RunFile = Annotated[
    Path | None,
    typer.Option(
        "--run",
        help="Repeat a run that was kept.",
    ),
]

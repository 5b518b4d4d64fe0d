"""The options of the command line, each once: commands share them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.doors.cli import completing
from accord.doors.cli.help import Rare

DATA, UNITS, MEASURE, OUTPUT = "Data", "Units and texts", "Measures", "Output"
MORE_DATA, MORE_UNITS, MORE_MEASURE, MORE_OUTPUT = Rare(DATA), Rare(UNITS), Rare(MEASURE), Rare(OUTPUT)

_LAYOUTS = ("long", "wide", "counts", "confusion", "units", "pygamma", "segmentations", "texts", "chains")


def _number_or_text(typed: str) -> float | str:
    try:
        return float(typed)
    except ValueError:
        return typed


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        help="Tables, files of annotation tools, folders or archives of them, or - for standard input.",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
FromTo = Annotated[
    list[str] | None,
    typer.Argument(
        help="What to read, and behind it where to write: a new folder, or a file.",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="The format to write: table, parquet, brat, webanno_tsv, uima_xmi, label_studio, prodigy, doccano, elan, "
        "textgrid, rttm, iob. Default: by the suffix; a folder is one of tables.",
        autocompletion=completing.written_formats,
        rich_help_panel=OUTPUT,
    ),
]
Decimals = Annotated[
    int | None,
    typer.Option(min=0, help="Round positions first: 3 for ELAN, which counts milliseconds.", rich_help_panel=OUTPUT),
]
Wide = Annotated[
    bool,
    typer.Option("--wide", help="Tables of labels of items: a column for each annotator.", rich_help_panel=OUTPUT),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        help="A measure, e.g. `alpha(distance=ordinal)`; repeatable. Default: percent, s, pi, kappa, alpha, ac for "
        "labels of items, gamma and gamma_cat for units, pi_star, boundary_similarity, window_diff and "
        "alpha_boundaries for segmentations, text_gamma for texts, chain_alpha, link_alpha and conll for chains.",
        autocompletion=completing.measures,
        rich_help_panel=MEASURE,
    ),
]
Interval = Annotated[
    str,
    typer.Option(
        help="linearised (default on items), added (default on items where labels are few), unconditional, bootstrap, "
        "fleiss_cohen_everitt, hayes_krippendorff, krippendorff_2013, table, irrcac, formula (default on scales), "
        "monte_carlo, bca, jackknife, blocks, "
        "donner_eliasziw, none.",
        autocompletion=completing.intervals,
        rich_help_panel=MEASURE,
    ),
]
Level = Annotated[
    float,
    typer.Option(
        help="Confidence level of intervals.",
        rich_help_panel=MORE_MEASURE,
    ),
]
Replicates = Annotated[
    int,
    typer.Option(
        help="Replicates of a bootstrap, or permutations.",
        rich_help_panel=MORE_MEASURE,
    ),
]
ItemsPopulation = Annotated[
    int | None,
    typer.Option(
        help="Number of items the sample was drawn from (finite population correction).",
        rich_help_panel=MORE_MEASURE,
    ),
]
AnnotatorsPopulation = Annotated[
    int | None,
    typer.Option(
        help="The same for annotators, with --interval unconditional.",
        rich_help_panel=MORE_MEASURE,
    ),
]
Null = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        parser=_number_or_text,
        help="The value that p tests, by the error of the interval; or `permutation`, for no agreement, --replicates "
        "times [default: no agreement].",
        rich_help_panel=MORE_MEASURE,
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
        help="Break down by category, annotator, pair, item (units, texts: document; texts: kind), or score each "
        "value of a COLUMN apart; "
        "repeatable.",
        autocompletion=completing.by,
        rich_help_panel=OUTPUT,
    ),
]
Marginals = Annotated[
    bool,
    typer.Option(
        "--marginals",
        help="Bias, prevalence, tests of equal marginals.",
        rich_help_panel=MORE_OUTPUT,
    ),
]
Matrix = Annotated[
    bool,
    typer.Option(
        "--matrix",
        help="The confusion matrix of two annotators, the coincidence matrix of more; with --by pair each annotator "
        "with each other.",
        rich_help_panel=OUTPUT,
    ),
]
Scales = Annotated[
    list[str] | None,
    typer.Option(
        "--scale",
        help="Hold values against a scale: landis_koch, krippendorff, krippendorff_2004, neuendorf, altman, fleiss.",
        autocompletion=completing.scales,
        rich_help_panel=MORE_OUTPUT,
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        help="One JSON object; or --csv, --latex, --markdown.",
        rich_help_panel=OUTPUT,
    ),
]
Csv = Annotated[
    bool,
    typer.Option(
        "--csv",
        help="CSV in full precision.",
        rich_help_panel=MORE_OUTPUT,
    ),
]
Latex = Annotated[
    bool,
    typer.Option(
        "--latex",
        help="LaTeX (booktabs).",
        rich_help_panel=MORE_OUTPUT,
    ),
]
Markdown = Annotated[
    bool,
    typer.Option(
        "--markdown",
        help="Markdown.",
        rich_help_panel=MORE_OUTPUT,
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
Spreadsheet = Annotated[
    bool,
    typer.Option(
        "--spreadsheet",
        help="CSV of data for a spreadsheet: an apostrophe before what it would take for a formula.",
        rich_help_panel=MORE_OUTPUT,
    ),
]
Layout = Annotated[
    str | None,
    typer.Option(
        help="long, wide, counts (item × category), confusion, units, pygamma (its CSV without header), segmentations, "
        "texts, chains; all but counts and confusion are recognised without it.",
        autocompletion=completing.one_of(*_LAYOUTS),
        rich_help_panel=MORE_DATA,
    ),
]
Item = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that names the item.",
        autocompletion=completing.columns,
        rich_help_panel=MORE_DATA,
    ),
]
Annotator = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that names the annotator.",
        autocompletion=completing.columns,
        rich_help_panel=MORE_DATA,
    ),
]
Label = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="The column(s) that hold the labels (wide: the annotators' columns); repeatable.",
        autocompletion=completing.columns,
        rich_help_panel=DATA,
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL",
        help="A label that means missing, e.g. NA; repeatable. The empty cell always is.",
        rich_help_panel=DATA,
    ),
]
KeepEmpty = Annotated[
    bool,
    typer.Option(
        "--keep-empty",
        help="The empty cell is a label, not missing.",
        rich_help_panel=MORE_DATA,
    ),
]
Fold = Annotated[
    list[str] | None,
    typer.Option(
        help="Overlook differences of `case` or `space` between labels; repeatable.",
        autocompletion=completing.one_of("case", "space"),
        rich_help_panel=MORE_DATA,
    ),
]
Sets = Annotated[
    str | None,
    typer.Option(
        metavar="SEPARATOR",
        help="Labels are sets, e.g. `|` for a|b.",
        rich_help_panel=MORE_DATA,
    ),
]
Categories = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,C",
        help="All categories, in order: counts the unused ones, orders words.",
        rich_help_panel=MORE_DATA,
    ),
]
Repeats = Annotated[
    str,
    typer.Option(
        help="The same annotator and item twice: error, first, last, trials (repetitions).",
        autocompletion=completing.one_of("error", "first", "last", "trials"),
        rich_help_panel=MORE_DATA,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[COLUMN=]V,V",
        help="Keep these labels, or the rows with these values of a column; repeatable.",
        rich_help_panel=MORE_DATA,
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="Keep these annotators.",
        rich_help_panel=MORE_DATA,
    ),
]
Merge = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B=C",
        help="Take labels as one; repeatable.",
        rich_help_panel=MORE_DATA,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The format of the files, where their content does not tell: see `accord formats`.",
        autocompletion=completing.formats,
        rich_help_panel=MORE_DATA,
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        help="The first line of a table is a row already.",
        rich_help_panel=MORE_DATA,
    ),
]
AnnotatorsIn = Annotated[
    str | None,
    typer.Option(
        metavar="WHERE",
        help="Where annotators are told apart: columns, rows, files, folders, sheets, tiers.",
        autocompletion=completing.one_of("columns", "rows", "files", "folders", "sheets", "tiers"),
        rich_help_panel=MORE_DATA,
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        metavar="PATTERN",
        help="How the columns of several variables are called, e.g. `{annotator}_{label}`.",
        rich_help_panel=MORE_DATA,
    ),
]
Names = Annotated[
    str | None,
    typer.Option(
        metavar="PATTERN",
        help="How files are called, e.g. `{doc}_{annotator}` or `{annotator}/{doc}`.",
        rich_help_panel=MORE_DATA,
    ),
]
Repair = Annotated[
    bool,
    typer.Option(
        "--repair",
        help="Put spans right that miss the text stored beside them.",
        rich_help_panel=MORE_DATA,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        help="If not UTF-8 or UTF-16, e.g. latin-1.",
        rich_help_panel=MORE_DATA,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="Between cells; `tab` for a tab.",
        rich_help_panel=MORE_DATA,
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(
        help="Sheet of an Excel file.",
        rich_help_panel=MORE_DATA,
    ),
]
Table = Annotated[
    str | None,
    typer.Option(
        help="Table or view of a database: of DuckDB, SQLite, postgresql://…, mysql://…",
        rich_help_panel=MORE_DATA,
    ),
]
Doc = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column that names the document.",
        autocompletion=completing.columns,
        rich_help_panel=MORE_UNITS,
    ),
]
Start = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column in which units begin.",
        autocompletion=completing.columns,
        rich_help_panel=MORE_UNITS,
    ),
]
End = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column in which they end (exclusive).",
        autocompletion=completing.columns,
        rich_help_panel=MORE_UNITS,
    ),
]
EndIsLength = Annotated[
    bool, typer.Option("--end-is-length", help="That column holds lengths.", rich_help_panel=MORE_UNITS)
]
Docs = Annotated[
    str | None,
    typer.Option(
        metavar="TABLE",
        help="Extents of documents: doc, begin, end, and perhaps text. Default: docs.csv beside the units.",
        rich_help_panel=MORE_UNITS,
    ),
]
Judged = Annotated[
    str | None,
    typer.Option(
        metavar="TABLE",
        help="Who looked at what, also without marking anything: doc, annotator. Default: judged.csv beside them.",
        rich_help_panel=MORE_UNITS,
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Texts: the annotator whose version the others started from. Default: base, pre, reference, original "
        "or source.",
        rich_help_panel=MORE_UNITS,
    ),
]
Texts = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Texts: where the texts of a table are, as DOC.ANNOTATOR.txt, ANNOTATOR/DOC.txt or DOC.txt. Default: the "
        "folder texts beside it.",
        rich_help_panel=MORE_UNITS,
    ),
]
MergeSymbol = Annotated[
    str,
    typer.Option(
        metavar="SIGN",
        help="CorA-XML: the sign in a token that means a blank.",
        rich_help_panel=MORE_UNITS,
    ),
]
SplitSymbol = Annotated[
    str,
    typer.Option(
        metavar="SIGN",
        help="CorA-XML: the sign in a token that means nothing.",
        rich_help_panel=MORE_UNITS,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1, rich_help_panel=MORE_MEASURE,
        help="Workers for long computations; the result does not depend on it. Default: all cores.",
    ),
]  # fmt: skip
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", rich_help_panel=MORE_MEASURE,
        help="Workers of a Dask scheduler (tcp://HOST:PORT) for long computations, or some that are started here: "
        "local:4; the result does not depend on it.",
    ),
]  # fmt: skip
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", rich_help_panel=MORE_MEASURE,
        help="Keep what is finished in a folder: the same command, killed and run again, goes on from there.",
    ),
]  # fmt: skip
Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Units: the ten most costly places, with the text around them where it is known.",
        rich_help_panel=OUTPUT,
    ),
]
AlignMeasure = Annotated[
    str | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        help="What makes units differ, e.g. `gamma(categorical=2,distance=ordinal)`. Default: gamma; for texts "
        "text_gamma.",
        autocompletion=completing.measures,
        rich_help_panel=MEASURE,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        help="Keep this run as a TOML file.",
        rich_help_panel=MORE_OUTPUT,
    ),
]
RunFile = Annotated[
    Path | None,
    typer.Option(
        "--run",
        help="Repeat a run that was kept.",
        rich_help_panel=MORE_OUTPUT,
    ),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Replace files that accord did not write, or that were changed since; never what is read.",
        rich_help_panel=MORE_OUTPUT,
    ),
]

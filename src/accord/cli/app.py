"""The commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from accord._version import __version__
from accord.errors import AccordError, SpecError

app = typer.Typer(
    name="accord",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="How far annotators agree, where they do not, and what the number means.\n\n"
    "Example: `accord score ratings.csv -m alpha -m 'kappa(weights=linear)'`",
)

UsageError: Any = typer.BadParameter.__mro__[1]  # of the click that typer brings; it has no public name there
DATA, MEASURE, OUTPUT = "What the data are", "What to compute", "What to show"


def main() -> None:
    """Runs the command line; an error is one line on standard error and exit code 2."""
    try:
        app(standalone_mode=False)
    except AccordError as error:
        _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", code=130)
    except BrokenPipeError:
        sys.stderr.close()  # the reader went away; nobody is left to tell
        sys.exit(0)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except UsageError as error:
        _fail(error.format_message())
    except MemoryError:
        _fail("not enough memory for these data; choose with --only or --annotators, or use a larger machine")


def _fail(message: str, code: int = 2) -> None:
    sys.stderr.write(f"accord: {' '.join(message.split())}\n")
    sys.exit(code)


def _version(value: bool) -> None:
    if value:
        sys.stdout.write(f"accord {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


@app.command()
def score(
    paths: Annotated[list[str] | None, typer.Argument(help="Tables, a folder of tables, or - for standard input.", show_default=False)] = None,
    measures: Annotated[list[str] | None, typer.Option("-m", "--measure", metavar="SPEC", help="A measure, e.g. `alpha(distance=ordinal)`; repeatable. Default: percent, s, pi, kappa, alpha, ac.", rich_help_panel=MEASURE)] = None,
    interval: Annotated[str, typer.Option(help="linearised, unconditional, bootstrap, fleiss_cohen_everitt, hayes_krippendorff, krippendorff_2013, table, irrcac, none.", rich_help_panel=MEASURE)] = "linearised",
    level: Annotated[float, typer.Option(help="Confidence level of intervals.", rich_help_panel=MEASURE)] = 0.95,
    replicates: Annotated[int, typer.Option(help="Bootstrap replicates.", rich_help_panel=MEASURE)] = 2000,
    items_population: Annotated[int | None, typer.Option(help="Number of items the sample was drawn from (finite population correction).", rich_help_panel=MEASURE)] = None,
    annotators_population: Annotated[int | None, typer.Option(help="The same for annotators, with --interval unconditional.", rich_help_panel=MEASURE)] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.", rich_help_panel=MEASURE)] = 0,
    by: Annotated[list[str] | None, typer.Option(metavar="WHAT", help="Break down by category, annotator, pair or item, or score each value of a COLUMN apart; repeatable.", rich_help_panel=OUTPUT)] = None,
    marginals: Annotated[bool, typer.Option("--marginals", help="Bias, prevalence, tests of equal marginals.", rich_help_panel=OUTPUT)] = False,
    scale: Annotated[list[str] | None, typer.Option(help="Hold values against a scale: landis_koch, krippendorff, krippendorff_2004, neuendorf, altman, fleiss.", rich_help_panel=OUTPUT)] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.", rich_help_panel=OUTPUT)] = False,
    csv: Annotated[bool, typer.Option("--csv", help="CSV in full precision.", rich_help_panel=OUTPUT)] = False,
    latex: Annotated[bool, typer.Option("--latex", help="LaTeX (booktabs).", rich_help_panel=OUTPUT)] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Markdown.", rich_help_panel=OUTPUT)] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write there instead of to the screen.", rich_help_panel=OUTPUT)] = None,
    layout: Annotated[str | None, typer.Option(help="long, wide, counts (item × category) or confusion; long and wide are recognised.", rich_help_panel=DATA)] = None,
    item: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that names the item.", rich_help_panel=DATA)] = None,
    annotator: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column that names the annotator.", rich_help_panel=DATA)] = None,
    label: Annotated[list[str] | None, typer.Option(metavar="COLUMN", help="The column(s) that hold the labels (wide: the annotators' columns); repeatable.", rich_help_panel=DATA)] = None,
    missing: Annotated[list[str] | None, typer.Option(metavar="LABEL", help="A label that means missing, e.g. NA; repeatable. The empty cell does.", rich_help_panel=DATA)] = None,
    keep_empty: Annotated[bool, typer.Option("--keep-empty", help="The empty cell is a label, not missing.", rich_help_panel=DATA)] = False,
    fold: Annotated[list[str] | None, typer.Option(help="Overlook differences of `case` or `space` between labels; repeatable.", rich_help_panel=DATA)] = None,
    sets: Annotated[str | None, typer.Option(metavar="SEPARATOR", help="Labels are sets, e.g. `|` for a|b.", rich_help_panel=DATA)] = None,
    categories: Annotated[str | None, typer.Option(metavar="A,B,C", help="All categories, in order: counts the unused ones, orders words.", rich_help_panel=DATA)] = None,
    repeats: Annotated[str, typer.Option(help="The same annotator and item twice: error, first, last, trials (repetitions).", rich_help_panel=DATA)] = "error",
    only: Annotated[list[str] | None, typer.Option(metavar="[COLUMN=]V,V", help="Keep these labels, or the rows with these values of a column; repeatable.", rich_help_panel=DATA)] = None,
    annotators: Annotated[str | None, typer.Option(metavar="A,B", help="Keep these annotators.", rich_help_panel=DATA)] = None,
    merge: Annotated[list[str] | None, typer.Option(metavar="A,B=C", help="Take labels as one; repeatable.", rich_help_panel=DATA)] = None,
    encoding: Annotated[str | None, typer.Option(help="If not UTF-8 or UTF-16, e.g. latin-1.", rich_help_panel=DATA)] = None,
    delimiter: Annotated[str | None, typer.Option(help="Between cells; `tab` for a tabulator.", rich_help_panel=DATA)] = None,
    sheet: Annotated[str | None, typer.Option(help="Sheet of an Excel file.", rich_help_panel=DATA)] = None,
    save: Annotated[Path | None, typer.Option(help="Keep this run as a TOML file.")] = None,
    run_file: Annotated[Path | None, typer.Option("--run", help="Repeat a run that was kept.")] = None,
) -> None:  # fmt: skip
    """Score the agreement of annotators on items.

    Example: `accord score ratings.csv -m 'alpha(distance=ordinal)' --by category --interval bootstrap --seed 1`
    """
    from accord.cli import plans

    chosen = [name for name, on in (("json", json), ("csv", csv), ("latex", latex), ("markdown", markdown)) if on]
    if len(chosen) > 1:
        raise SpecError(f"--{chosen[0]} and --{chosen[1]} cannot both be printed; choose one")
    if run_file is not None:
        if paths or measures:
            raise SpecError("--run repeats a run as it was kept; give no paths or measures beside it")
        plan = plans.load(run_file)
    else:
        options: dict[str, Any] = locals()
        plan = plans.from_options(options)
    if save is not None:
        plans.save(plan, save)
    plans.show(plan, chosen[0] if chosen else "text", output)


@app.command()
def read(
    paths: Annotated[list[str], typer.Argument(help="Tables, a folder of tables, or - for standard input.")],
    encoding: Annotated[str | None, typer.Option(help="If not UTF-8 or UTF-16.")] = None,
) -> None:
    """Show how data are understood, without scoring them.

    Example: `accord read ratings.csv`
    """
    from accord.cli import listings

    listings.understood(paths, encoding)


@app.command()
def measures(
    name: Annotated[str | None, typer.Argument(help="One of them, to explain it.")] = None,
) -> None:
    """List the measures, or explain one: formula, when to use it, when not.

    Example: `accord measures alpha`
    """
    from accord.cli import listings

    if name is None:
        listings.measures()
    else:
        listings.explain(name)


@app.command()
def formats() -> None:
    """List what accord reads."""
    from accord.cli import listings

    listings.formats()

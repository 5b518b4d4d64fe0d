"""The commands."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer

from accord._version import __version__
from accord.cli import inference, options, people, rounds, simulation
from accord.cli.asking import asks
from accord.cli.streams import open_streams, reader_left
from accord.errors import AccordError, AccordWarning, CacheWarning, SpecError

app = typer.Typer(
    name="accord",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="How well annotators agree, where they do not, and what the number means.\n\n"
    "Example: `accord score ratings.csv -m alpha -m 'kappa(weights=linear)'`",
)

_INTERRUPTED = 130
UsageError: Any = typer.BadParameter.__mro__[1]  # of the click that typer brings; it has no public name there


def main() -> None:
    """Runs the command line; an error is one line on standard error and exit code 2."""
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a screen that cannot show κ shows ?
    warnings.simplefilter("ignore", AccordWarning)  # the screen says it in its place
    warnings.simplefilter("always", CacheWarning)  # but not this, which no result knows
    warnings.showwarning = _warned
    try:
        code = app(standalone_mode=False)  # typer turns an interruption into its code, and says nothing
        sys.stdout.flush()
        if code == _INTERRUPTED:
            _fail("interrupted", code=_INTERRUPTED)
    except AccordError as error:
        _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted", code=_INTERRUPTED)
    except BrokenPipeError:
        reader_left()
    except SystemExit as stop:
        if not isinstance(stop.__context__, BrokenPipeError):  # typer's answer to that is 1
            raise
        reader_left()
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except UsageError as error:
        _fail(error.format_message())
    except OSError as error:  # the screen is full or closed: files have said their own words already
        _fail(f"{error.filename or 'cannot write'}: {error.strerror or error}")
    except MemoryError:
        _fail("not enough memory for these data; choose with --only or --annotators, or use a larger machine")


def _fail(message: str, code: int = 2) -> None:
    line = "".join(c if c.isprintable() else "�" for c in " ".join(message.split()))
    sys.stderr.write(f"accord: {line}\n")
    sys.exit(code)


def _warned(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"accord: {message}\n")


def _version(value: bool) -> None:
    if value:
        sys.stdout.write(f"accord {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
@asks("accord.plans.score:ScorePlan")
def score(
    paths: options.Paths = None,
    measures: options.Measures = None,
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    items_population: options.ItemsPopulation = None,
    annotators_population: options.AnnotatorsPopulation = None,
    null: options.Null = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    by: options.By = None,
    matrix: options.Matrix = False,
    marginals: options.Marginals = False,
    scales: options.Scales = None,
    explain: options.Explain = False,
    ask: Any = None,
) -> None:
    """Score the agreement of annotators on items, or on units of a text or recording.

    Example: `accord score ratings.csv -m 'alpha(distance=ordinal)' --by category --interval bootstrap --seed 1`
    """
    if ask.kind == "csv" and (matrix or marginals or scales or explain):
        raise SpecError(
            "--csv holds scores and breakdowns; --json has the matrix, the marginals, the scales and the places, too"
        )
    ask()


@app.command()
@asks("accord.plans.align:AlignPlan")
def align(
    paths: options.Paths = None,
    measure: options.AlignMeasure = None,
    jobs: options.Jobs = None,
    output: options.Output = None,
    ask: Any = None,
) -> None:
    """Write the best alignment of units: every unitary alignment with its disorder, and why. Or texts side by side.

    Example: `accord align spans.csv -o alignment.csv`
    """
    from accord.cli.output import deliver
    from accord.report.json import records

    found = ask.answered()
    if ask.kind == "json":
        deliver(records(found.flat()), output)
        ask.kept()
        return
    ask.shown(found, "text" if found.for_reading and output is None else "csv")


@app.command()
@asks("accord.plans.read:ReadPlan")
def read(
    paths: options.Paths = None,
    ask: Any = None,
) -> None:
    """Show how data are understood, without scoring them.

    Example: `accord read ratings.csv`
    """
    ask()


@app.command()
@asks("accord.plans.convert:ConvertPlan")
def convert(
    paths: options.FromTo = None,
    to: options.To = None,
    wide: options.Wide = False,
    decimals: options.Decimals = None,
    ask: Any = None,
) -> None:
    """Write data in another format; what was written is read back, and is equal.

    Example: `accord convert project/ recordings/ --to textgrid`
    """
    ask()


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


for command in (
    inference.compare,
    inference.influence,
    inference.check,
    inference.plan,
    inference.intra,
    inference.limits,
    people.gold,
    people.disagreements,
    people.replace,
    rounds.annotators,
    rounds.trend,
    simulation.shuffle,
    simulation.xray,
    simulation.meaning,
    simulation.papers,
):
    app.command()(command)

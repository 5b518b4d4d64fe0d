"""The commands."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import typer

from accord._version import __version__
from accord.core.errors import AccordError, AccordWarning, Asker, CacheWarning, NameWarning, SpecError, one_line
from accord.doors.cli import (
    INTERRUPTED,
    advising,
    completing,
    inference,
    interrupted,
    options,
    people,
    plotting,
    publishing,
    reporting,
    rounds,
    serving,
    simulation,
)
from accord.doors.cli.asking import asks
from accord.doors.cli.help import Command, Commands
from accord.doors.cli.output import deliver, escape_what_cannot_be_shown, open_streams, reader_left

app = typer.Typer(
    name="accord",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="How well annotators agree, where they do not, and what the number means.\n\n"
    "Example: `accord score ratings.csv -m alpha -m 'kappa(weights=linear)'`",
)

UsageError: Any = typer.BadParameter.__mro__[1]  # of the click that typer brings; it has no public name there


def run() -> None:
    """A command, as it was typed; an error is one line on standard error and exit code 2."""
    Asker.types = True
    open_streams()
    escape_what_cannot_be_shown()
    warnings.simplefilter("ignore", AccordWarning)  # the screen says it in its place
    for unknown_to_results in (CacheWarning, NameWarning):
        warnings.simplefilter("always", unknown_to_results)
    warnings.showwarning = _once()
    try:
        # Typer turns an interruption into its code, and says nothing.
        code = app(standalone_mode=False, prog_name="accord")
        sys.stdout.flush()
        if code == INTERRUPTED:
            interrupted()
    except AccordError as error:
        _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        interrupted()
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


def _fail(message: str) -> None:
    with suppress(OSError):  # nobody can be told, and the code still says it
        sys.stderr.write(f"accord: {one_line(message)}\n")
    sys.exit(2)


def _once() -> Callable[..., None]:
    """Shows a warning, however often a command comes across its cause."""
    said: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in said:
            sys.stderr.write(f"accord: {message}\n")
        said.add(str(message))

    return show


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


@app.command(cls=Command)
@asks("accord.answers.plans.score:ScorePlan")
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
    beside: publishing.Beside = None,
    style: publishing.Style = "plain",
    cite: publishing.Cite = False,
    ask: Any = None,
) -> None:
    """Score the agreement of annotators on items, or on units of a text or recording.

    Example: `accord score ratings.csv -m 'alpha(distance=ordinal)' --by category --interval bootstrap --seed 1`

    Example: `accord score ratings.csv -m alpha -m pi --latex --with se,p --style apa --cite -o table.tex`
    """
    if ask.kind == "csv" and (matrix or marginals or scales or explain):
        raise SpecError(
            "--csv holds scores and breakdowns; --json has the matrix, the marginals, the scales and the places, too"
        )
    if ask.kind == "csv" and cite:
        raise SpecError("--csv holds scores and breakdowns; --json has the citation, too, or use accord cite")
    in_print = ask.kind in {"latex", "markdown"}
    if beside is not None and not in_print:
        raise SpecError("--with adds columns to --latex and --markdown; --csv and --json always have se and p")
    if style != "plain" and not (in_print or cite):
        raise SpecError("--style is for --latex, --markdown and --cite")
    ask()


@app.command(cls=Command)
@asks("accord.answers.plans.align:AlignPlan")
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
    from accord.doors.rendering.for_programs import table_as_json

    found = ask.answered()
    if ask.kind == "json":
        deliver(table_as_json(found.flat()), output, machine=True)
        ask.kept()
        return
    ask.shown(found, "text" if found.for_reading and output is None else "csv")


@app.command(cls=Command)
@asks("accord.answers.plans.read:ReadPlan")
def read(
    paths: options.Paths = None,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Show how data are understood, without scoring them.

    Example: `accord read ratings.csv`
    """
    ask()


@app.command(cls=Command)
@asks("accord.answers.plans.convert:ConvertPlan")
def convert(
    paths: options.FromTo = None,
    to: options.To = None,
    wide: options.Wide = False,
    decimals: options.Decimals = None,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Write data in another format; what was written is read back, and is equal.

    Example: `accord convert project/ recordings/ --to textgrid`
    """
    ask()


@app.command(cls=Command)
def measures(
    name: Annotated[
        str | None, typer.Argument(help="One of them, to explain it.", autocompletion=completing.measure_names)
    ] = None,
) -> None:
    """List the measures, or explain one: formula, when to use it, when not.

    Example: `accord measures alpha`
    """
    from accord.doors.cli import listings

    if name is None:
        listings.measures()
    else:
        listings.explain(name)


@app.command(cls=Command)
def formats() -> None:
    """List what accord reads.

    Example: `accord formats`
    """
    from accord.doors.cli import listings

    listings.formats()


@app.command(cls=Command)
def schema(
    name: Annotated[
        str | None, typer.Argument(help="A command, or a result such as Score.", autocompletion=completing.outputs)
    ] = None,
) -> None:
    """Print the JSON schema of what --json prints.

    Example: `accord schema score`
    """
    from accord.doors.cli import listings

    listings.schema(name)


for command in (
    inference.compare,
    inference.influence,
    inference.check,
    inference.plan,
    inference.intra,
    inference.limits,
    advising.advise,
    people.gold,
    people.disagreements,
    people.replace,
    publishing.cite,
    rounds.annotators,
    rounds.trend,
    plotting.plot,
    reporting.report,
    simulation.shuffle,
    simulation.xray,
    simulation.meaning,
    simulation.papers,
    serving.serve,
):
    app.command(cls=Command)(command)

"""The commands."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import typer

from accord._version import __version__
from accord.answers.catalogue import MODULES, question_named
from accord.core.errors import AccordError, AccordWarning, CacheWarning, Interface, NameWarning, one_line
from accord.doors.cli import INTERRUPTED, completing, interrupted
from accord.doors.cli.help import Command, Commands
from accord.doors.cli.output import escape_what_cannot_be_shown, open_streams, reader_left
from accord.doors.cli.papers import papers
from accord.doors.cli.serving import serve

app = typer.Typer(
    name="accord",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Measure how well annotators agree, show where they disagree, and explain the value.\n\n"
    "Example: `accord score ratings.csv -m alpha -m 'kappa(weights=linear)'`",
)

UsageError: Any = typer.BadParameter.__mro__[1]  # typer's copy of click has no public name for it


def run() -> None:
    """Run the command line. An error is one line on standard error and exit code 2."""
    Interface.command_line = True
    open_streams()
    escape_what_cannot_be_shown()
    warnings.simplefilter("ignore", AccordWarning)  # the output contains the same facts
    for unknown_to_results in (CacheWarning, NameWarning):
        warnings.simplefilter("always", unknown_to_results)
    warnings.showwarning = _once()
    try:
        # Typer turns an interruption into an exit code without a message.
        code = app(standalone_mode=False, prog_name="accord")
        sys.stdout.flush()
        if code == INTERRUPTED:
            interrupted()
    except AccordError as error:
        _fail(f"{error}{_advice(error)}", error.code)
    except (KeyboardInterrupt, typer.Abort):
        interrupted()
    except BrokenPipeError:
        reader_left()
    except SystemExit as stop:
        if not isinstance(stop.__context__, BrokenPipeError):  # typer would exit with 1
            raise
        reader_left()
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except UsageError as error:
        renamed = _renamed(error)
        _fail(renamed or _unparsed(error), "option-renamed" if renamed else "usage")
    except OSError as error:  # standard output is full or closed; files have their own messages
        what = f"{error.filename or 'cannot write'}: {error.strerror or error}"
        _fail(f"{what}; check the disk, or write to another file with -o FILE", "output-not-writable")
    except MemoryError:
        _fail(
            "not enough memory for these data; choose with --only or --annotators, or use a larger machine",
            "out-of-memory",
        )


def _advice(error: AccordError) -> str:
    """Return the command that shows the columns, if accord does not know their roles."""
    unclear = error.code in {"roles-unclear", "layout-unclear", "column-missing"}
    return "; accord map DATA shows all columns and what the options change" if unclear else ""


def _renamed(error: Any) -> str:
    """Return a message with the new name of an option, if a former name was typed."""
    typed, command = getattr(error, "option_name", None), getattr(error.ctx, "info_name", None)
    if typed is None or command not in MODULES:
        return ""
    question = question_named(command)
    name = question.former_names.get(typed.removeprefix("--").replace("-", "_"))
    return f"use {question.parameters[name].long_flag} instead of {typed}" if name in question.parameters else ""


def _unparsed(error: Any) -> str:
    """Return the message of the parser, with the command that lists the options unless the message suggests one."""
    message = error.format_message().rstrip(".")
    if error.ctx is None or "ossible" in message or "Did you mean" in message:
        return str(message)
    return f"{message}; `{error.ctx.command_path} --help` lists the {'options' if error.ctx.parent else 'commands'}"


def _fail(message: str, code: str) -> None:
    """Print one line with the stable code of the error, and end with exit code 2."""
    with suppress(OSError):  # standard error may be closed; the exit code remains
        sys.stderr.write(f"accord: {one_line(message)} [{code}]\n")
    sys.exit(2)


def _once() -> Callable[..., None]:
    """Return a function that shows each warning once."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in shown:
            sys.stderr.write(f"accord: {message}\n")
        shown.add(str(message))

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
def measures(
    name: Annotated[
        str | None, typer.Argument(help="The measure to explain.", autocompletion=completing.measure_names)
    ] = None,
) -> None:
    """List the measures, or explain one: formula, use, limits, sources.

    Example: `accord measures alpha`
    """
    from accord.doors.cli import listings

    if name is None:
        listings.measures()
    else:
        listings.explain(name)


@app.command(cls=Command)
def formats() -> None:
    """List the file formats that accord reads and writes.

    Example: `accord formats`
    """
    from accord.doors.cli import listings

    listings.formats()


@app.command(cls=Command)
def schema(
    name: Annotated[
        str | None,
        typer.Argument(help="A command, or a result class such as Score.", autocompletion=completing.outputs),
    ] = None,
    of_input: Annotated[
        bool, typer.Option("--input", help="Print the schema of the options of a command instead.")
    ] = False,
) -> None:
    """Print the JSON schema of an output, or of the options of a command.

    Example: `accord schema score`

    Example: `accord schema score --input`
    """
    from accord.doors.cli import listings

    listings.schema(name, of_input)


app.command(cls=Command)(serve)
app.command(cls=Command)(papers)

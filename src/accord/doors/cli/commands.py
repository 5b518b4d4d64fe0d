"""Build commands from declared questions: convert options to command-line options, and print or write the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter as Argument
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from accord.core.errors import SpecError, quoted
from accord.core.options import Parameter
from accord.doors.cli import completing
from accord.doors.cli.help import HelpAll, Rare

if TYPE_CHECKING:
    from accord.answers.plan import Plan
    from accord.answers.question import Question
    from accord.core.result import Result

DATA, OUTPUT, MEASURES = "Data", "Output", "Measures"
MEASURE = "measure"  # the option with one spec or several
OUTPUTS = ("json", "csv", "latex", "markdown")
WRITTEN = (
    "output",
    "save",
    "plot",
    "soft",
    "adjudicate",
    "keep_reference",
    "junit",
    "save_reading",
)  # these options name a file

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        help="Tables, files of annotation tools, folders or archives with these files, or - for standard input.",
        show_default=False,
        rich_help_panel=DATA,
    ),
]
# Output options of every command.
ANSWER: dict[str, tuple[Any, Any]] = {
    "json": (
        Annotated[
            bool,
            typer.Option(
                "--json", help="Print one JSON object. See also --csv, --latex, --markdown.", rich_help_panel=OUTPUT
            ),
        ],
        False,
    ),
    "csv": (
        Annotated[bool, typer.Option("--csv", help="Print CSV in full precision.", rich_help_panel=Rare(OUTPUT))],
        False,
    ),
    "latex": (
        Annotated[bool, typer.Option("--latex", help="Print LaTeX (booktabs).", rich_help_panel=Rare(OUTPUT))],
        False,
    ),
    "markdown": (
        Annotated[bool, typer.Option("--markdown", help="Print Markdown.", rich_help_panel=Rare(OUTPUT))],
        False,
    ),
    "output": (
        Annotated[
            Path | None,
            typer.Option("-o", "--output", help="Write to this file instead of the terminal.", rich_help_panel=OUTPUT),
        ],
        None,
    ),
    "notes": (
        Annotated[bool, typer.Option("--notes", help="Show all notes below the tables.", rich_help_panel=Rare(OUTPUT))],
        False,
    ),
    "save": (
        Annotated[Path | None, typer.Option(help="Save this run as a TOML file.", rich_help_panel=Rare(OUTPUT))],
        None,
    ),
    "run_file": (
        Annotated[Path | None, typer.Option("--run", help="Repeat a saved run.", rich_help_panel=Rare(OUTPUT))],
        None,
    ),
    "force": (
        Annotated[
            bool,
            typer.Option(
                "--force",
                help="Overwrite files that accord did not write or that were edited since. Never overwrites input.",
                rich_help_panel=Rare(OUTPUT),
            ),
        ],
        False,
    ),
}
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        rich_help_panel=Rare(MEASURES),
        help="Run long computations on a Dask cluster: the address of a scheduler (tcp://HOST:PORT), or local:4 for "
        "4 workers on this machine. The result does not depend on it.",
    ),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        rich_help_panel=Rare(MEASURES),
        help="Store finished parts in a folder. If the command is stopped, run it again to continue from there.",
    ),
]
# Options of every command with --jobs.
LONG: dict[str, tuple[Any, Any]] = {"cluster": (Cluster, None), "checkpoint": (Checkpoint, None)}
HELP: dict[str, tuple[Any, Any]] = {"help_all": (HelpAll, False)}
# Option of every command that reads data.
READING_FILE: dict[str, tuple[Any, Any]] = {
    "reading": (
        Annotated[
            Path | None,
            typer.Option(
                metavar="FILE",
                help="Use the reading options in FILE, written by `accord read --save-reading FILE`. Other options "
                "take precedence.",
                rich_help_panel=Rare("How the data are read"),
            ),
        ],
        None,
    )
}
_NAME_FILES = ("paths", "docs", "judged", "texts", "reading")  # file names may not be UTF-8


@dataclass(frozen=True)
class Ask:
    """A parsed command line."""

    question: Question
    given: Mapping[str, Any]  # all options by name
    typed: frozenset[str] = frozenset()  # options on the command line, also if they repeat the default

    @cached_property
    def kind(self) -> str | None:
        """The chosen output format, if any."""
        chosen = [name for name in OUTPUTS if self.given[name]]
        if len(chosen) > 1:
            raise SpecError("option-conflict", f"--{chosen[0]} and --{chosen[1]} cannot both be printed; choose one")
        return chosen[0] if chosen else None

    @cached_property
    def plan(self) -> Plan:
        """The plan from the options, or the saved plan of --run."""
        from accord.answers.plan import Plan, load_plan
        from accord.data.io.reading import READING

        own = self.question.kept
        if self.given["run_file"] is not None:
            if self.typed & {"paths", "reading", *own, *READING}:
                raise SpecError(
                    "option-conflict",
                    "--run repeats a saved run; remove the paths, measures and other options, or edit the saved file",
                )
            return load_plan(self.given["run_file"], self.question)
        options = {name: as_kept(self.given[name]) for name in own if self.given[name] is not None}
        return Plan(self.question, tuple(self.given["paths"] or ()), options, self._reading())

    def _reading(self) -> Any:
        from accord.data.io.reading import READING, Reading, read_reading

        if not self.question.reads:
            return Reading()
        file = self.given.get("reading")
        stated = read_reading(file) if file is not None else {}
        for name, one in READING.items():
            value = self.given.get(name) if name not in self.question.parameters else None
            if value is None or (name not in self.typed and name in stated):
                continue
            stated[name] = tuple(value.split(",")) if one.shape == "names" and value else as_kept(value)
        return Reading(**stated)

    def answered(self) -> Any:
        """Compute the answer and show a progress bar."""
        from accord.doors.cli.output import progress

        self.check()
        plan = self.plan  # import everything before the progress bar starts
        with self.long(), progress() as tell:
            return plan.answer(tell, self.given.get("jobs"))

    def long(self) -> AbstractContextManager[None]:
        """Return the context of long computations: the cluster and the checkpoint folder."""
        cluster, checkpoint = self.given.get("cluster"), self.given.get("checkpoint")
        if checkpoint is None:
            return long_work(cluster, None)
        from accord.answers.plan import as_toml

        return long_work(cluster, checkpoint, as_toml(self.plan))

    def check(self) -> None:
        """Raise before a long run if an output cannot be printed or written."""
        from accord.core.writing import check_free, is_device

        self.kind  # noqa: B018 - raises if two formats are chosen
        named = [self.given[name] for name in WRITTEN if self.given.get(name) is not None]
        folder = next((path for path in named if path != self.given["output"] and path.is_dir()), None)
        if folder is not None:
            raise SpecError("output-name", f"{quoted(folder)} is a folder; give the name of a file")
        kept = [path for path in (self.given["run_file"], self.given.get("reading")) if path is not None]
        places: dict[str, Path] = {}
        inputs, targets = self._inputs_and_targets()
        for path in (*named, *targets):
            check_free(path, [*inputs, *kept], self.given["force"])
            place = os.path.realpath(path)
            if place in places and not is_device(path):
                raise SpecError(
                    "output-name", f"{quoted(path)} is given for two outputs; choose another name for one of them"
                )
            places[place] = path

    def _inputs_and_targets(self) -> tuple[list[Path], list[Path]]:
        inputs, target = self.plan.inputs(), self.plan.target
        return [path for path in inputs if path != target], [] if target is None else [target]

    def shown(self, found: Result, usual: str = "text", printed: bool = False) -> None:
        """Print or write an answer in the chosen format, else in the usual one.

        `printed`: the file of -o contains data and is already written.
        """
        from accord.doors.cli.output import deliver, in_colour, width
        from accord.doors.rendering import render

        kind, output = self.kind or usual, None if printed else self.given["output"]
        color = kind == "text" and output is None and in_colour()
        safe = bool(self.given.get("spreadsheet"))
        text = render(
            found, kind, color=color, width=width(), all_notes=bool(self.given.get("notes")), spreadsheet=safe
        )
        deliver(text, output, machine=kind in OUTPUTS)
        self.keep()

    def keep(self) -> None:
        """Write the plan as TOML if --save is given."""
        if self.given["save"] is not None:
            import tomli_w

            from accord.answers.plan import as_toml
            from accord.core.writing import write_whole

            write_whole(self.given["save"], tomli_w.dumps(as_toml(self.plan)))

    def __call__(self, usual: str = "text") -> Any:
        found = self.answered()
        self.shown(found, usual)
        return found


def as_kept(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@contextmanager
def long_work(cluster: str | None, checkpoint: Path | None, *purpose: Any) -> Iterator[None]:
    """Use a cluster and a checkpoint folder. `purpose` identifies the computation to which the folder belongs."""
    with ExitStack() as held:
        if checkpoint is not None:
            from accord.core import checkpoints
            from accord.core.fingerprints import fingerprint

            held.enter_context(checkpoints.checkpoint(checkpoint, fingerprint(*purpose)))
        if cluster is not None:
            from accord.core import clusters

            held.enter_context(clusters.cluster(cluster))
        yield


# -- options for Typer ---------------------------------------------------------------------------------------------


def _number_or_text(typed: str) -> float | str:
    try:
        return float(typed)
    except ValueError:
        return typed


_TYPES: dict[str, Any] = {
    "flag": bool,
    "switch": bool | None,
    "whole": int,
    "number": float,
    "text": str,
    "texts": list[str] | None,
    "numbers": list[float] | None,
    "names": str,
    "file": str,
    "value": str | None,
}


def as_argument(one: Parameter) -> Argument:
    """Return a declared parameter as an argument of the function that Typer inspects."""
    option, kind = one.option, list[str] | None if one.name == MEASURE else _TYPES[one.shape]  # see `_refuse_repeated`
    default = None if one.default == () or isinstance(one.default, tuple) else one.default
    if default is None and kind not in {list[str] | None, list[float] | None, bool | None, str | None}:
        kind = kind | None
    more: dict[str, Any] = {}
    if option.complete or option.choices:
        more["autocompletion"] = (
            getattr(completing, option.complete) if option.complete else completing.one_of(*option.choices)
        )
    if option.metavar:
        more["metavar"] = option.metavar
    if option.least is not None:
        more["min"] = option.least
    if one.shape == "value":
        more["parser"] = _number_or_text
    panel = Rare(option.heading) if option.rare else option.heading or None
    declared = typer.Option(*one.flags, help=option.help, rich_help_panel=panel, **more)
    return Argument(one.name, Argument.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])


def command_of(question: Question, deliver: Callable[..., None] | None = None) -> Callable[..., None]:
    """Return the function of a command for Typer.

    `deliver(ask, …)` handles the answer if the command does more than print it. Its further parameters are options of
    this command only.
    """
    from accord.data.io.reading import READING

    extra = _arguments_of(deliver) if deliver is not None else {}
    own = {"paths": Argument("paths", Argument.KEYWORD_ONLY, default=None, annotation=Paths)}
    own |= {name: as_argument(one) for name, one in question.parameters.items()}
    own |= extra
    common = (LONG if "jobs" in own else {}) | ANSWER | (READING_FILE if question.reads else {}) | HELP
    rest = {
        name: Argument(name, Argument.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in common.items()
    }
    if question.reads:
        rest |= {name: as_argument(one) for name, one in READING.items()}
    arguments = own | {name: one for name, one in rest.items() if name not in own}

    def run(ctx: typer.Context, **given: Any) -> None:
        _refuse_undecoded(given)
        _refuse_repeated(question, given)
        ask = Ask(question, given, frozenset(name for name in given if _is_typed(ctx, name)))
        if deliver is None:
            ask()
        else:
            deliver(ask, **{name: given[name] for name in extra if name != "paths"})

    run.__name__ = question.name
    run.__doc__ = "\n\n".join(
        [question.summary, *(f"Example: `accord {question.name} {e}`" for e in question.examples)]
    )
    context = Argument("ctx", Argument.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    run.__signature__ = Signature([context, *arguments.values()])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (context, *arguments.values())}
    return run


def _arguments_of(deliver: Callable[..., None]) -> dict[str, Argument]:
    hints = get_type_hints(deliver, include_extras=True)
    return {
        name: one.replace(annotation=hints[name], kind=Argument.KEYWORD_ONLY)
        for name, one in signature(deliver).parameters.items()
        if name != "ask"
    }


def _refuse_undecoded(given: Mapping[str, Any]) -> None:
    """Raise if an argument is not valid text: it would match nothing. File names may be invalid text."""
    for name, value in given.items():
        for word in value if isinstance(value, list) else [value]:
            if isinstance(word, str) and name not in _NAME_FILES:
                try:
                    word.encode()
                except UnicodeEncodeError:
                    option = f"--{name.replace('_', '-')}"
                    raise SpecError(
                        "option-value", f"{option}: {quoted(word)} is not UTF-8; set the terminal to UTF-8"
                    ) from None


def _refuse_repeated(question: Question, given: dict[str, Any]) -> None:
    """Raise if a command that takes one measure gets several: accord would ignore all but one."""
    if MEASURE in question.parameters and question.parameters[MEASURE].shape == "text":
        specs = given[MEASURE] or []
        if len(specs) > 1:
            raise SpecError("option-conflict", f"{question.name} takes one measure at a time; use -m once")
        given[MEASURE] = specs[0] if specs else None


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"

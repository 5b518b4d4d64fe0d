"""A command asks: its options become a plan, and the answer of the plan is shown, written, and can be kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from importlib import import_module
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import typer

from accord.core.errors import SpecError, quoted
from accord.doors.cli import options
from accord.doors.cli.help import HelpAll

if TYPE_CHECKING:
    from pathlib import Path

    from accord.answers.plans.base import Plan
    from accord.core.tables import Result
    from accord.data.io import Reading

# What the data are: by their names in accord.data.io.Reading; their types stand in options.py.
READING: dict[str, tuple[Any, Any]] = {
    "layout": (options.Layout, None),
    "item": (options.Item, None),
    "annotator": (options.Annotator, None),
    "label": (options.Label, None),
    "missing": (options.Missing, None),
    "keep_empty": (options.KeepEmpty, False),
    "fold": (options.Fold, None),
    "sets": (options.Sets, None),
    "categories": (options.Categories, None),
    "repeats": (options.Repeats, "error"),
    "only": (options.Only, None),
    "annotators": (options.Annotators, None),
    "merge": (options.Merge, None),
    "encoding": (options.Encoding, None),
    "delimiter": (options.Delimiter, None),
    "sheet": (options.Sheet, None),
    "table": (options.Table, None),
    "doc": (options.Doc, None),
    "start": (options.Start, None),
    "end": (options.End, None),
    "end_is_length": (options.EndIsLength, False),
    "docs": (options.Docs, None),
    "judged": (options.Judged, None),
    "base": (options.Base, None),
    "texts": (options.Texts, None),
    "merge_symbol": (options.MergeSymbol, "#"),
    "split_symbol": (options.SplitSymbol, "|"),
    "format": (options.Format, None),
    "no_header": (options.NoHeader, False),
    "annotators_in": (options.AnnotatorsIn, None),
    "columns": (options.Columns, None),
    "names": (options.Names, None),
    "repair": (options.Repair, False),
}
OUTPUTS = ("json", "csv", "latex", "markdown")
# What is done with an answer.
ANSWER: dict[str, tuple[Any, Any]] = {
    "json": (options.Json, False),
    "csv": (options.Csv, False),
    "latex": (options.Latex, False),
    "markdown": (options.Markdown, False),
    "output": (options.Output, None),
    "save": (options.Save, None),
    "run_file": (options.RunFile, None),
    "force": (options.Force, False),
}
# Of every command that has --jobs: what is long.
LONG: dict[str, tuple[Any, Any]] = {"cluster": (options.Cluster, None), "checkpoint": (options.Checkpoint, None)}
HELP: dict[str, tuple[Any, Any]] = {"help_all": (HelpAll, False)}
WRITTEN = ("output", "save", "plot", "soft", "adjudicate", "keep_reference", "junit")  # options that name a file
_OF_INTERVALS = ("interval", "level", "replicates", "items_population", "annotators_population", "null")
_FILES = ("paths", "docs", "judged", "texts")  # options that name a file that is read, as they are typed
_COMMA = ("categories", "annotators")  # names in one word, with commas between them


@dataclass(frozen=True)
class Ask:
    """What was typed."""

    place: str  # of the plan: module and class
    given: Mapping[str, Any]
    reading: Mapping[str, Any]
    typed: frozenset[str] = frozenset()  # the options that were, be it with the value that they have anyway

    @cached_property
    def kind(self) -> str | None:
        """The output that was chosen, if any."""
        chosen = [name for name in OUTPUTS if self.given[name]]
        if len(chosen) > 1:
            raise SpecError(f"--{chosen[0]} and --{chosen[1]} cannot both be printed; choose one")
        return chosen[0] if chosen else None

    @cached_property
    def plan(self) -> Any:
        """The plan that the options say, or the one that was kept."""
        module, _, name = self.place.partition(":")
        cls: type[Plan] = getattr(import_module(module), name)
        if self.given["run_file"] is None:
            return self._planned(cls)
        if self.typed & {*self.reading, *(field.name for field in fields(cls)), *_OF_INTERVALS}:
            raise SpecError("--run repeats a run as it was kept; give no paths, measures or other options beside it")
        from accord.answers.plans.kept import loaded

        return loaded(self.given["run_file"], cls)

    def answered(self) -> Any:
        """The answer, while a bar says how far it is."""
        from accord.doors.cli.output import progress

        self.check()
        plan = self.plan  # what it needs is imported before the bar is set up
        with self.long(), progress() as tell:
            return plan.carried_out(tell, self.given.get("jobs"))

    def long(self) -> AbstractContextManager[None]:
        """Where long work is done, and kept."""
        cluster, checkpoint = self.given.get("cluster"), self.given.get("checkpoint")
        if checkpoint is None:
            return long_work(cluster, None)
        from accord.answers.plans.kept import as_toml

        return long_work(cluster, checkpoint, as_toml(self.plan))

    def check(self) -> None:
        """What cannot be shown or written is refused before a long run, not after it."""
        from accord.core.writing import check_free, is_device

        self.kind  # noqa: B018 - two outputs are refused
        named = [self.given[name] for name in WRITTEN if self.given.get(name) is not None]
        folder = next((path for path in named if path != self.given["output"] and path.is_dir()), None)
        if folder is not None:
            raise SpecError(f"{quoted(folder)} is a folder: name a file to write")
        kept = [] if self.given["run_file"] is None else [self.given["run_file"]]
        places: dict[str, Path] = {}
        for path in (*named, *self.plan.targets()):
            check_free(path, [*self.plan.inputs(), *kept], self.given["force"])
            place = os.path.realpath(path)
            if place in places and not is_device(path):
                raise SpecError(f"{quoted(path)} is named for two outputs; choose another name for one")
            places[place] = path

    def shown(self, found: Result, usual: str = "text", printed: bool = False) -> None:
        """Printed or written as was asked for, else as is usual for it. `printed`: what -o names holds data by now."""
        from accord.doors.cli.output import deliver, in_colour, width
        from accord.doors.rendering import render

        kind, output = self.kind or usual, None if printed else self.given["output"]
        color = kind == "text" and output is None and in_colour()
        safe = bool(self.given.get("spreadsheet"))
        deliver(render(found, kind, color=color, width=width(), spreadsheet=safe), output, machine=kind in OUTPUTS)
        self.kept()

    def kept(self) -> None:
        """The plan as TOML, if it is to be kept."""
        if self.given["save"] is not None:
            import tomli_w

            from accord.answers.plans.kept import as_toml
            from accord.core.writing import write_whole

            write_whole(self.given["save"], tomli_w.dumps(as_toml(self.plan)))

    def __call__(self, usual: str = "text") -> Any:
        found = self.answered()
        self.shown(found, usual)
        return found

    def with_plot(self, path: Path | None) -> None:
        """The same, and the answer drawn into a file, whose name is looked at before a long run."""
        if path is not None:
            from accord.core.figures.figure import check_path

            check_path(path)
        found = self.answered()
        if path is not None:
            found.save_plot(path)  # first: what cannot be drawn is refused, and nothing else is said
        self.shown(found)

    def _planned(self, cls: type[Plan]) -> Plan:
        """An option that was not typed leaves the plan its default."""
        own: dict[str, Any] = {"reading": reading_of(self.reading)}
        for field in fields(cls):
            value = self.given.get(field.name)
            if field.name == "settings":
                from accord.measures.intervals.methods import Settings

                own["settings"] = Settings(*(self.given[name] for name in _OF_INTERVALS))
            elif value is not None and field.name != "reading":
                own[field.name] = tuple(value) if isinstance(value, list) else value
        return cls(**own)


@contextmanager
def long_work(cluster: str | None, checkpoint: Path | None, *purpose: Any) -> Iterator[None]:
    """Where long work is done, and kept: `purpose` is all that the folder is for."""
    with ExitStack() as held:
        if checkpoint is not None:
            from accord.core import checkpoints
            from accord.core.fingerprints import fingerprint

            held.enter_context(checkpoints.checkpoint(checkpoint, fingerprint(*purpose)))
        if cluster is not None:
            from accord.core import clusters

            held.enter_context(clusters.cluster(cluster))
        yield


def reading_of(given: Mapping[str, Any]) -> Reading:
    """The options that say what the data are."""
    from accord.data.io import Reading

    said: dict[str, Any] = {}
    for name, value in given.items():
        if value is not None:
            several = value.split(",") if name in _COMMA and value else value
            said[name] = tuple(several) if isinstance(several, list) else several
    return Reading(**said)


def _refuse_undecoded(given: Mapping[str, Any]) -> None:
    """A word that is no text matches nothing, which nobody would see. Files may have such names."""
    for name, value in given.items():
        for word in value if isinstance(value, list) else [value]:
            if isinstance(word, str) and name not in _FILES:
                try:
                    word.encode()
                except UnicodeEncodeError:
                    option = f"--{name.replace('_', '-')}"
                    raise SpecError(f"{option}: {quoted(word)} is not UTF-8: set the terminal to UTF-8") from None


def _is_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def asks(place: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that asks: it has the options of all such commands beside its own, and gets `ask`.

    An option of its own goes before one of the same name that others have.
    """

    def command_of(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        mine = [p for p in signature(command).parameters.values() if p.name != "ask"]
        own = [p.replace(annotation=hints[p.name], kind=Parameter.KEYWORD_ONLY) for p in mine]
        taken = {p.name for p in own}
        more = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, (kind, default) in ((LONG if "jobs" in taken else {}) | ANSWER | READING | HELP).items()
            if name not in taken
        ]

        def run(ctx: typer.Context, **given: Any) -> None:
            _refuse_undecoded(given)
            typed = frozenset(name for name in given if _is_typed(ctx, name))
            reading = {name: given[name] for name in READING if name not in taken}
            rest = {name: value for name, value in given.items() if name not in reading}
            command(**{name: given[name] for name in taken}, ask=Ask(place, rest, reading, typed))

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        context = Parameter("ctx", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        run.__signature__ = Signature([context, *own, *more])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in (context, *own, *more)}
        return run

    return command_of

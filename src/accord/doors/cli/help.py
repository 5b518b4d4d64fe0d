"""The output of `--help`: the usual options by subject, with examples. `--help-all` shows all options.

The help is plain text as wide as the terminal, so that it appears at once and can be searched and piped.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_from_info

from accord.answers.catalogue import MODULES, QUESTIONS, question_named, summary_of
from accord.doors.cli.output import in_colour, width

_EVERYTHING = "accord.everything"  # key in the meta data of a context
_NAMES = 28  # maximal width of the names of options
_CODE = re.compile(r"`([^`]+)`")
_KINDS = {"int": "N", "float": "X", "path": "FILE"}


class Rare(str):
    """The title of a group of options, for an option that only `--help-all` shows."""

    __slots__ = ()


def _show_everything(context: typer.Context, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[_EVERYTHING] = True
        sys.stdout.write(f"{context.command.get_help(context)}\n")
        raise typer.Exit


HelpAll = Annotated[
    bool,
    typer.Option("--help-all", is_eager=True, expose_value=False, callback=_show_everything, help="Show all options."),
]

# The commands that most people need. The help lists them first.
MAIN = ("read", "advise", "score", "disagreements", "compare", "gold", "report", "serve")
# Commands that are not questions about data, with the command that each follows in the help.
OTHERS = {"formats": "read", "measures": "score", "serve": "cite", "schema": "cite", "papers": "xray"}


def groups() -> dict[str, list[str]]:
    """Return the commands by task."""
    made = {title: list(names) for title, names in QUESTIONS.items()}
    for name, before in OTHERS.items():
        listed = next(names for names in made.values() if before in names)
        after = [other for other in OTHERS if OTHERS[other] == before and other in listed]
        listed.insert(listed.index(before) + 1 + len(after), name)
    return made


class Command(TyperCommand):
    """A command with a short help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        params = [param for param in self.get_params(ctx) if not getattr(param, "hidden", False)]
        rare = [param for param in params if isinstance(getattr(param, "rich_help_panel", None), Rare)]
        left = 0 if ctx.meta.get(_EVERYTHING) or "help_all" not in {param.name for param in params} else len(rare)
        shown: dict[str, list[tuple[str, str]]] = {}
        for param in params:
            panel = getattr(param, "rich_help_panel", None)
            if left and param in rare:
                continue
            shown.setdefault(str(panel or "Other"), []).append((named(param), described(param)))
        formatter.write(_opening(self, ctx))
        order = sorted(shown.items(), key=lambda group: group[0] == "Other")
        for title, rows in order:
            formatter.write(f"\n{_bold(title)}\n{_rows(rows)}")
        if left:
            formatter.write(f"\n{left} more options: {ctx.command_path} --help-all\n")


class Commands(TyperGroup):
    """All commands by task. The command of a question is built when it is used."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature of Typer
        return [name for names in groups().values() for name in names]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in MODULES:
            return super().get_command(ctx, cmd_name)
        if cmd_name not in self.commands:
            self.commands[cmd_name] = _made_command(cmd_name)
        return self.commands[cmd_name]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(_opening(self, ctx))
        listed = {"Main commands": list(MAIN)} | {
            title: [name for name in names if name not in MAIN] for title, names in groups().items()
        }
        width_of_names = max(len(name) for names in listed.values() for name in names)
        for title, names in listed.items():
            rows = [(name, self._about(ctx, name)) for name in names]
            formatter.write(f"\n{_bold(title)}\n{_rows(rows, width_of_names)}")
        options = [(named(param), described(param)) for param in self.get_params(ctx)]
        formatter.write(f"\n{_bold('Options')}\n{_rows(options)}")

    def _about(self, ctx: Any, name: str) -> str:
        if name in MODULES:
            return _plain(summary_of(name))
        command = super().get_command(ctx, name)
        return _plain((command.help or "").split("\n\n")[0]) if command is not None else ""


def _made_command(name: str) -> Any:
    from accord.doors.cli.commands import command_of
    from accord.doors.cli.delivering import DELIVERED

    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command(name, cls=Command)(command_of(question_named(name), DELIVERED.get(name)))
    (info,) = app.registered_commands
    return get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)


def _opening(command: Any, ctx: Any) -> str:
    """Return the usage, the description and examples to paste."""
    usage = " ".join(word.upper() if word.startswith("[paths]") else word for word in command.collect_usage_pieces(ctx))
    made = [f"Usage: {ctx.command_path} {usage}", ""]
    examples: list[str] = []
    for paragraph in (command.help or "").split("\n\n"):
        if paragraph.startswith("Example"):
            examples += _CODE.findall(" ".join(paragraph.split()))
        else:
            made += wrap(_plain(paragraph), width())
    if examples:
        made += ["", _bold("Examples" if len(examples) > 1 else "Example")]
    for example in examples:
        lines = wrap(example, width() - 6, break_long_words=False, break_on_hyphens=False)
        made += [
            f"  {'' if k == 0 else '  '}{line}" for k, line in enumerate([*(f"{x} \\" for x in lines[:-1]), lines[-1]])
        ]
    return "\n".join(made) + "\n"


def _rows(rows: Sequence[tuple[str, str]], names: int | None = None) -> str:
    """Return names and descriptions in two columns."""
    left = names or min(max(len(name) for name, _ in rows), _NAMES)
    room = max(width() - left - 4, 20)
    made: list[str] = []
    for name, about in rows:
        lines = wrap(about, room, break_on_hyphens=False) or [""]
        if len(name) > left:  # a long name gets its own line
            made.append(f"  {name}")
        beside = name if len(name) <= left else ""
        made += [f"  {'' if k else beside:<{left}}  {line}".rstrip() for k, line in enumerate(lines)]
    return "".join(f"{line}\n" for line in made)


def named(param: Any) -> str:
    """Return an option with its value: -m, --measure SPEC."""
    if param.param_type_name == "argument":
        return f"{(param.metavar or param.name).upper()}{'...' if param.nargs == -1 else ''}"
    opts = ", ".join(sorted(param.opts, key=len))
    taken = _taken(param)
    return f"{opts} {taken}" if taken else opts


def _taken(param: Any) -> str:
    if param.is_flag or param.param_type_name == "argument":
        return ""
    if param.metavar:
        return str(param.metavar)
    kind = str(getattr(getattr(param, "type_descriptor", None), "annotation", getattr(param, "type", ""))).lower()
    return next((name for part, name in _KINDS.items() if part in kind), "NAME")


def described(param: Any) -> str:
    """Return the help of an option with its default value."""
    text = _plain(param.help or "")
    default = param.default
    stated = not param.show_default or callable(default) or "default" in text.lower()
    if stated or isinstance(default, bool) or default in (None, "default", "", ()):
        return text
    return f"{text} [{default}]"


def _plain(text: str) -> str:
    return " ".join(_CODE.sub(r"\1", text).split())


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if in_colour() else text

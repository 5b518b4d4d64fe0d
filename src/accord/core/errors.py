"""Errors and warnings.

AccordError
├── CheckFailed      a threshold is not met, raised by `raise_if_failed()`
├── DataError        the data are malformed, or contain nothing to compare
└── SpecError        the question is wrong: a measure, distance or option
    └── UnknownName  no catalogue has this name; the message suggests one

Every error has a stable `code` (see `accord.errors.CODES`) and a message of one line: where, what is wrong, what to do.

AccordWarning
├── CacheWarning      compiled code cannot be read from or written to the cache, so accord compiles it again
├── FewLabelsWarning  an interval or test is based on few labels, items or documents
├── NameWarning       a name of another tool, whose value may differ from accord's
└── ReadingWarning    accord skipped, guessed or doubts a part of the data

Results contain the facts that these warnings state, so the command line does not print the warnings.
"""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from accord.core.error_codes import CODES


class AccordError(Exception):
    """Base of all errors that accord raises on purpose.

    Attributes
    ----------
    code : str
        A stable name of the problem, listed in `accord.errors.CODES`.
    """

    def __init__(self, code: str, message: str) -> None:
        assert code in CODES, code
        super().__init__(code, message)

    @property
    def code(self) -> str:
        """The stable name of the problem."""
        return str(self.args[0])

    def __str__(self) -> str:
        """Return the message on one line, with options as the interface names them."""
        return for_interface(one_line(str(self.args[1])))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without calling `__init__`, whose parameters differ between subclasses."""
        return type(self).__new__, (type(self), *self.args)


class DataError(AccordError):
    """The data are malformed, or contain nothing to compare."""


class CheckFailed(AccordError):  # noqa: N818 - reads better without "Error"
    """A threshold of `accord.check` is not met."""


class SpecError(AccordError):
    """A measure, distance or option is wrong."""


class UnknownName(SpecError):  # noqa: N818 - reads better without "Error"
    """No catalogue has this name: `unknown distance "ordnal": did you mean "ordinal"?`"""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        name, names = str(name), list(known)
        lower = {known_name.lower(): known_name for known_name in reversed(names)}
        close = [lower[found] for found in difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)]
        listed = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
        hint = f'did you mean "{close[0]}"?' if close else f"known: {listed or 'none'}"
        super().__init__("unknown-name", f"unknown {kind} {quoted(name)}: {hint}")


class AccordWarning(UserWarning):
    """Base of all warnings that accord gives."""


class CacheWarning(AccordWarning):
    """Compiled code cannot be read from or written to the cache. Only time is lost."""


class FewLabelsWarning(AccordWarning):
    """There are few labels, items or documents for an interval or test."""


class NameWarning(AccordWarning):
    """A measure was given by its name in another tool, whose value may differ."""


class ReadingWarning(AccordWarning):
    """accord skipped or guessed something while reading, or the data look unusual."""


def warn(message: str, kind: type[AccordWarning]) -> None:
    """Warn at the line of the caller's code that called accord."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "accord":
        frame, level = frame.f_back, level + 1
    warnings.warn(for_interface(message), kind, stacklevel=level)


class Interface:
    """The interface in use: the command line, which has options, or Python, which has parameters.

    The page shows messages of the command line and replaces options by the labels of its controls. It shows reports
    unchanged, so their sentences take the labels from `controls`.
    """

    command_line = False
    controls: ClassVar[Mapping[str, str]] = {}  # by option


# Options whose Python counterpart has another name, and options that Python does not have.
_CALLED = {"csv": "to_frame", "json": "to_dict"}
TYPED_ALONE = frozenset(
    ("adjudicate", "explain", "force", "generate", "marginals", "plot", "run")
)  # fmt: skip
# Options without a value: switches, and outputs, for which results have methods.
_SWITCHES = ("no-header", "keep-empty", "end-is-length", "repair", "fit", "resume", "anonymous")
_ALONE = {**dict.fromkeys(_SWITCHES, "=True"), "csv": "()", "json": "()"}
# An option in a message, with its value if one follows. Text in double quotes comes from the data and is left alone,
# like a command (`accord score --json`).
_OPTION = re.compile(
    r"""(?P<data>"[^"]*"|\baccord\ [a-z]+\ --[a-z-]+)|(?<![\w\-"'])--(?P<name>[a-z]+(?:-[a-z]+)*)(?![\w\-])(?:\ (?:
        (?P<quoted>"[^"]*"|'[^']*')|
        (?P<anything>[A-Z]{4,}|…)(?![\w])|
        (?P<number>\d[\d.]*(?!\w))|
        (?P<word>[a-z]\w*\.(?:json|csv)\b|
            (?:counts|confusion|wide|long|units|rows|columns|files|folders|tiers|sheets|first|last|trials|case|space|
            bootstrap|blocks|jackknife|unconditional|none|lower|consensus|annotator|round|audacity)\b|
            (?<=--interval\ )(?:linearised|table|irrcac|monte_carlo|formula|bca)|
            (?<=--measurement\ )[a-z]\w*|
            (?<=--to\ )[a-z]\w*|(?<=--method\ )[a-z]\w*|(?<=--error\ )[a-z]\w*|(?<=--kind\ )[a-z]\w*|
            (?:[A-Z_]|[a-z]+[=,\d]|[a-z]+-(?:\w+-)?\d)[\w=,\-.…]*(?<![.,;])|utf-\w+(?:-\w+)?)
    ))?""",
    re.VERBOSE,
)


def for_interface(message: str) -> str:
    """Return a message with `layout="counts"` instead of `--layout counts` outside the command line.

    Errors, warnings and notes of reading call this function. A note of a result must be passed through it.
    """
    if Interface.controls:
        return _OPTION.sub(_as_control, message)
    return message if Interface.command_line or "--" not in message else _OPTION.sub(_as_keyword, message)


_EXAMPLE = re.compile(r"accord [a-z]+ [^;,]*")  # a command of its own, often with names of other files


def suggestions(message: str) -> list[list[tuple[str, str]]]:
    """Return the options of a message with their values; a switch has the value "".

    Options that follow each other directly belong together. Options with a placeholder such as COLUMN are left out.
    """
    message, end = _EXAMPLE.sub("", message), -1
    groups: list[list[tuple[str, str]]] = []
    for one in _OPTION.finditer(message):
        value, switch = literal_value(one), one["name"] in _ALONE
        if one["data"] or not (value or switch):
            continue
        if not groups or message[end : one.start()] != " ":
            groups.append([])
        groups[-1].append((f"--{one['name']}", "" if switch else value))
        end = one.end()
    return groups


def literal_value(option: re.Match[str]) -> str:
    """Return the value of an option in a message; "" if it has none or a placeholder."""
    return (option["quoted"] or option["number"] or option["word"] or "").strip("\"'")


def keyword_of(option: str) -> str | None:
    """Return the Python parameter of an option, or None if only the command line has it."""
    return None if option in TYPED_ALONE else _CALLED.get(option, option.replace("-", "_"))


def _as_control(option: re.Match[str]) -> str:
    control = None if option["data"] else Interface.controls.get(option["name"])
    if control is None:
        return option[0]
    value = literal_value(option)
    return f"{control}: {value}" if value else control


def _as_keyword(option: re.Match[str]) -> str:
    keyword = None if option["data"] else keyword_of(option["name"])
    if keyword is None:
        return option[0]
    if option["name"] in {"min", "max"} and "=" in (option["word"] or ""):
        measure, _, value = option["word"].partition("=")
        return f'{keyword}={{"{measure}": {value}}}'
    if option["name"] in _ALONE:
        return f"{keyword}{_ALONE[option['name']]}{option[0].removeprefix('--' + option['name'])}"
    if option["word"] is not None:
        return f'{keyword}="{option["word"]}"'
    return f"{keyword}={option['quoted'] or option['number'] or '…'}"


def counted(n: int, noun: str) -> str:
    """Return a number with its noun: 1 item, 2 items, 3 categories."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"


def first_words(error: BaseException) -> str:
    """Return the first line of a library's message, or the name of the exception."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def one_line(text: str) -> str:
    """Return a message without line breaks and invisible characters."""
    return text if text.isprintable() else printable(" ".join(text.split()))


_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_WIDE_SPACE = "\u3000"  # the space of Chinese and Japanese text
# Joiners matter between characters of non-Latin scripts. Elsewhere they are invisible.
_JOINING = re.compile("(?<=[^\\x00-\\u02ff])[\\u200c\\u200d](?=[^\\x00-\\u02ff])")


def printable(text: str) -> str:
    """Escape tabs and line breaks, and replace other invisible characters by �.

    Joiners stay in Persian, Hindi and emoji, which need them.
    """
    if text.isprintable():
        return text
    made = [c if c.isprintable() or c == _WIDE_SPACE else _ESCAPES.get(c, "�") for c in text]
    for found in _JOINING.finditer(text):
        made[found.start()] = found[0]
    return "".join(made)


def quoted(value: object, most: int = 60) -> str:
    """Return text from the data in quotes, shortened and on one line."""
    text = printable(str(value))
    return f'"{text[:most]}…"' if len(text) > most else f'"{text}"'

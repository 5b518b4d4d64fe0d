"""What can go wrong, in two small trees: errors, and warnings for those who work in Python.

AccordError
├── CheckFailed      a threshold that does not hold, where `raise_if_failed()` was called
├── DataError        the data: malformed, or nothing in them can be compared
└── SpecError        the question: a measure, distance or option that makes no sense
    └── UnknownName  a name that no catalogue has, with a suggestion

A message names the place, the fact and the way out, on one line.

AccordWarning
├── CacheWarning      compiled code that is kept between runs cannot be read or written: it is compiled again
├── FewLabelsWarning  a value whose interval or test rests on too little: labels, items or documents
├── NameWarning       a name of another tool, whose number may differ from what it stands for here
└── ReadingWarning    data of which something was left out, guessed, or looks odd

What warns about data is also said in the result itself, in the same words; on the command line that is enough.
"""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from collections.abc import Iterable
from typing import Any


class AccordError(Exception):
    """Base of all errors that accord raises on purpose."""

    def __str__(self) -> str:
        """On one line, whatever stands in the data that it speaks of; in the words of who asked."""
        return in_words_of_asker(one_line(super().__str__()))

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is, whatever its class is made from: it may come from another process."""
        return type(self).__new__, (type(self), *self.args)


class DataError(AccordError):
    """The data are malformed, or nothing in them can be compared."""


class CheckFailed(AccordError):  # noqa: N818 - the name says it
    """A threshold of `accord.check` does not hold."""


class SpecError(AccordError):
    """A measure, distance or option that makes no sense."""


class UnknownName(SpecError):  # noqa: N818 - the name says it
    """A name that no catalogue has: `unknown distance "ordnal": did you mean "ordinal"?`"""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        name, names = str(name), list(known)
        lower = {known_name.lower(): known_name for known_name in reversed(names)}
        close = [lower[found] for found in difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)]
        listed = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
        hint = f'did you mean "{close[0]}"?' if close else f"known: {listed or 'none'}"
        super().__init__(f"unknown {kind} {quoted(name)}: {hint}")


class AccordWarning(UserWarning):
    """Base of all warnings that accord gives."""


class CacheWarning(AccordWarning):
    """Compiled code that is kept between runs cannot be read or written; nothing but time is lost."""


class FewLabelsWarning(AccordWarning):
    """The data are too few for what is said about a value: labels of a category, items, documents."""


class NameWarning(AccordWarning):
    """A measure was named as another tool names it, and that tool may give another number."""


class ReadingWarning(AccordWarning):
    """Something was left out when data were read, or had to be guessed, or looks odd."""


def warn(message: str, kind: type[AccordWarning]) -> None:
    """Warns at the line that called accord, however deep inside this happens."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "accord":
        frame, level = frame.f_back, level + 1
    warnings.warn(in_words_of_asker(message), kind, stacklevel=level)


class Asker:
    """Who asked: somebody who types options, or a program, which has keywords for them."""

    types = False


# Options that keywords are called otherwise than, and those that no public function has.
_CALLED = {"csv": "to_frame", "json": "to_dict"}
TYPED_ALONE = frozenset(
    ("adjudicate", "explain", "force", "generate", "marginals", "plot", "run")
)  # fmt: skip
# Options that stand alone on the command line: switches, and outputs, which results have methods for.
_SWITCHES = ("no-header", "keep-empty", "end-is-length", "repair", "fit", "resume")
_ALONE = {**dict.fromkeys(_SWITCHES, "=True"), "csv": "()", "json": "()"}
# What follows an option in a message: a value, or the sentence that goes on. What stands in quotes is a stranger's.
_OPTION = re.compile(
    r"""(?P<stranger>"[^"]*")|(?<![\w\-"'])--(?P<name>[a-z]+(?:-[a-z]+)*)(?![\w\-])(?:\ (?:
        (?P<quoted>"[^"]*"|'[^']*')|
        (?P<anything>[A-Z]{4,}|…)(?![\w])|
        (?P<number>\d[\d.]*(?!\w))|
        (?P<word>[a-z]\w*\.(?:json|csv)\b|
            (?:counts|confusion|wide|long|units|rows|columns|files|folders|tiers|sheets|first|last|trials|case|space|
            bootstrap|blocks|jackknife|unconditional|none|lower|consensus|annotator|round|audacity)\b|
            (?<=--to\ )[a-z]\w*|(?<=--method\ )[a-z]\w*|(?<=--error\ )[a-z]\w*|(?<=--kind\ )[a-z]\w*|
            (?:[A-Z_]|[a-z]+[=,\d]|[a-z]+-(?:\w+-)?\d)[\w=,\-.…]*(?<![.,;])|utf-\w+(?:-\w+)?)
    ))?""",
    re.VERBOSE,
)


def in_words_of_asker(message: str) -> str:
    """A message or note with `layout="counts"` for `--layout counts`, where no command line was typed.

    Errors and warnings do it by themselves, notes of reading at its end; a note of a result is made with it.
    """
    return message if Asker.types or "--" not in message else _OPTION.sub(_as_keyword, message)


def keyword_of(option: str) -> str | None:
    """no_header for no-header; None for what only a command line has."""
    return None if option in TYPED_ALONE else _CALLED.get(option, option.replace("-", "_"))


def _as_keyword(option: re.Match[str]) -> str:
    keyword = None if option["stranger"] else keyword_of(option["name"])
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
    """1 item, 2 items, 3 categories."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"


def first_words(error: BaseException) -> str:
    """What a library says, on one line; its kind, if that is nothing."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def one_line(text: str) -> str:
    """A message: without line breaks, and without signs that cannot be seen."""
    return text if text.isprintable() else printable(" ".join(text.split()))


_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_WIDE_SPACE = "\u3000"  # of Chinese and Japanese: as wide as a sign
# Between signs of other scripts than Latin; elsewhere they are nothing but invisible.
_JOINING = re.compile("(?<=[^\\x00-\\u02ff])[\\u200c\\u200d](?=[^\\x00-\\u02ff])")


def printable(text: str) -> str:
    """On one line, whatever is in it: a tab as \\t, a line break as \\n, other signs that cannot be seen as �.

    Joiners stay where they join: Persian, Hindi and emoji are not written without them.
    """
    if text.isprintable():
        return text
    made = [c if c.isprintable() or c == _WIDE_SPACE else _ESCAPES.get(c, "�") for c in text]
    for found in _JOINING.finditer(text):
        made[found.start()] = found[0]
    return "".join(made)


def quoted(value: object, most: int = 60) -> str:
    """A stranger's text, fit for one line of a message."""
    text = printable(str(value))
    return f'"{text[:most]}…"' if len(text) > most else f'"{text}"'

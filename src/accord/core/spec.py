"""Specs: the notation of measures and distances, the same in Python, on the command line and in every output.

    spec  := name [ "(" [ value | name "=" value { "," … } ] ")" ]
    value := number | true | false | spec | "quoted text" | "[" value { "," value } "]"

In quotes, \\" is a quote and \\\\ a backslash. If another character follows a backslash, all backslashes are literal,
as in Windows paths. Single quotes around a whole spec, which some shells pass on, are dropped.

`alpha(distance=ordinal)`, `kappa(weights=power(1.5))`, `alpha(distance=matrix("costs.csv"))`. A value without
a name is the option that is usual for the measure: `alpha(ordinal)` is a distance, `kappa(linear)` are weights.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from accord.core.errors import SpecError, UnknownName, quoted

T = TypeVar("T", bound="Named")

_TOKEN = re.compile(r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<word>[^\s()\[\],="]+)|(?P<sign>[()\[\],=]))""")
_ESCAPED = re.compile(r'(?:[^\\]|\\["\\])*', re.DOTALL)
_DEEPEST = 40  # brackets
_PLAIN = re.compile(r"[A-Za-z_][\w.\-]*")


@dataclass(frozen=True)
class Call:
    """A parsed `name(…)`; a catalogue of classes gives it a meaning."""

    name: str
    args: tuple[object, ...] = ()
    kwargs: tuple[tuple[str, object], ...] = ()
    bare: bool = True  # written without parentheses

    def __str__(self) -> str:
        inside = [written(a) for a in self.args] + [f"{k}={written(v)}" for k, v in self.kwargs]
        return self.name if self.bare else f"{self.name}({','.join(inside)})"


class Named:
    """A frozen dataclass with its spec as repr; equal specs are equal values.

    Options with their default value are left out, unless the metadata of the field has `always`; these are also
    written without quotes.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    unnamed: ClassVar[tuple[str, ...] | None] = (
        None  # the options that values without a name set; None: all of them, in order
    )

    def __repr__(self) -> str:
        inside = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            usual = value == field.default and not field.metadata.get("always")
            if not field.repr or (field.default is not dataclasses.MISSING and usual):
                continue
            text = str(value) if field.metadata.get("always") else written(value)
            inside.append(text if field.default is dataclasses.MISSING else f"{field.name}={text}")
        return f"{self.name}({','.join(inside)})" if inside else self.name

    __str__ = __repr__


def written(value: object) -> str:
    """Return a value in the notation of specs."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, str):
        return (
            value
            if _PLAIN.fullmatch(value) and value not in {"true", "false"}
            else '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
        )
    if isinstance(value, tuple | list):
        return f"[{','.join(written(v) for v in value)}]"
    return str(value)


def without_quotes(text: str) -> str:
    """Drop single quotes around the whole text, which cmd.exe passes on."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def parse(text: str) -> Call:
    """Parse a spec; errors state the position."""
    text = without_quotes(text)
    tokens: list[tuple[str, str, int]] = []
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise SpecError(
                "spec-syntax", f"spec {quoted(text)}: unexpected character at {at + 1}; write name(option=value)"
            )
        kind = match.lastgroup or ""
        tokens.append((kind, match.group(kind), match.start(kind)))
        at = match.end()
    reader = _Reader(text, tokens)
    depth = 0
    for sign in (sign for kind, sign, _ in tokens if kind == "sign"):
        depth += (sign in "([") - (sign in ")]")
        if depth > _DEEPEST:
            raise SpecError("spec-syntax", f"spec {quoted(text)}: more than {_DEEPEST} nested brackets; simplify it")
    value = reader.value()
    if not isinstance(value, Call) or reader.more():
        raise SpecError(
            "spec-syntax", f"spec {quoted(text)}: write name or name(option=value), for example alpha(distance=ordinal)"
        )
    return value


class _Reader:
    def __init__(self, text: str, tokens: list[tuple[str, str, int]]) -> None:
        self.text, self.tokens, self.at = text, tokens, 0

    def more(self) -> bool:
        return self.at < len(self.tokens)

    def peek(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.tokens[index][1] if index < len(self.tokens) and self.tokens[index][0] == "sign" else ""

    def take(self, sign: str) -> None:
        if self.peek() != sign:
            where = self.tokens[self.at][2] + 1 if self.more() else len(self.text) + 1
            raise SpecError("spec-syntax", f'spec {quoted(self.text)}: expected "{sign}" at character {where}')
        self.at += 1

    def value(self) -> object:
        if not self.more():
            raise SpecError("spec-syntax", f"spec {quoted(self.text)}: a value is missing at the end")
        kind, word, _ = self.tokens[self.at]
        if word == "[" and kind == "sign":
            return self.list()
        self.at += 1
        if kind == "string":
            inside = word[1:-1]
            escaped = _ESCAPED.fullmatch(inside) is not None  # "C:\\temp\\b.csv"; if not, an unescaped Windows path
            return re.sub(r'\\(["\\])' if escaped else r'\\(")', r"\1", inside)
        if kind == "sign":
            self.at -= 1
            raise SpecError(
                "spec-syntax",
                f'spec {quoted(self.text)}: unexpected "{word}" at character {self.tokens[self.at][2] + 1}',
            )
        if word in {"true", "false"}:
            return word == "true"
        number = _number(word)
        if number is not None:
            return number
        return self.call(word) if self.peek() == "(" else Call(word)

    def list(self) -> tuple[object, ...]:
        self.take("[")
        values = []
        while self.peek() != "]":
            values.append(self.value())
            if self.peek() != "]":
                self.take("," if self.more() else "]")
        self.take("]")
        return tuple(values)

    def call(self, name: str) -> Call:
        self.take("(")
        args: list[object] = []
        kwargs: list[tuple[str, object]] = []
        while self.peek() != ")":
            if self.peek(1) == "=":
                key = self.tokens[self.at][1]
                self.at += 2
                kwargs.append((key, self.value()))
            else:
                args.append(self.value())
            if self.peek() != ")":
                self.take("," if self.more() else ")")
        self.take(")")
        return Call(name, tuple(args), tuple(kwargs), bare=False)


def _number(word: str) -> int | float | None:
    for read in (int, float):
        with suppress(ValueError):
            number = read(word)
            return number if abs(number) <= sys.float_info.max else None
    return None


def build(kind: str, call: Call, catalogue: tuple[type[T], ...]) -> T:
    """Build the value of a Call from a catalogue of classes."""
    known = {name: cls for cls in catalogue for name in (cls.name, *cls.aliases)}
    if call.name.lower() not in known:
        raise UnknownName(kind, call.name, known)
    cls = known[call.name.lower()]
    fields = [f for f in dataclasses.fields(cls) if f.init and f.repr]  # type: ignore[arg-type]
    names = [f.name for f in fields]
    options = _unnamed(call, cls, fields)
    for key, value in call.kwargs:
        if key not in names:
            raise UnknownName(f"option of {cls.name}", key, names or ["none"])
        if key in options:
            raise SpecError("spec-syntax", f"{call}: {key} is given twice; remove one")
        options[key] = value
    lacking = [f.name for f in fields if f.default is dataclasses.MISSING and f.name not in options]
    if lacking:
        example = f"{cls.name}({', '.join(f'{name}=…' for name in lacking)})"
        raise SpecError("option-missing", f"{call}: {cls.name} needs {', '.join(lacking)}; write {example}")
    return cls(**{key: _plain(value) for key, value in options.items()})


def _unnamed(call: Call, cls: type[Named], fields: Sequence[dataclasses.Field[Any]]) -> dict[str, object]:
    """Assign values without a name to options; raise SpecError if this is ambiguous."""
    names = [f.name for f in fields]
    if cls.unnamed is None:
        taken = [f.name for f in fields if f.default is dataclasses.MISSING] or names
        if len(call.args) > len(taken):
            raise SpecError(
                "spec-syntax",
                f"{call}: too many values, {cls.name} takes {len(names)} option(s): {', '.join(names) or 'none'}",
            )
        return dict(zip(taken, call.args, strict=False))
    # A word fits only the option that takes words; a number may fit several options.
    unclear = [value for value in call.args if _is_number(value) and len(names) > 1] or call.args[len(cls.unnamed) :]
    if unclear and not names:
        raise SpecError("spec-syntax", f"{call}: {cls.name} has no options; write {cls.name}")
    if unclear:
        value = written(unclear[0])
        raise SpecError(
            "spec-syntax",
            f"{call}: it is unclear which option {value} sets; write {cls.name}(OPTION={value}) with one of: "
            f"{', '.join(names)}",
        )
    return dict(zip(cls.unnamed, call.args, strict=False))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _plain(value: object) -> object:
    """Return a bare word as text; the class that receives it may read it as a name."""
    if isinstance(value, Call) and value.bare:
        return value.name
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    return value

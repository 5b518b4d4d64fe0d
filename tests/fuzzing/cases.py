"""An input: files, and what is asked about them, on the command line or in Python. It is kept as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_BYTES = "base64:"


@dataclass(frozen=True)
class Case:
    """Words of a command line, or an expression in Python; with files that are there when it is tried."""

    family: str
    argv: tuple[str, ...] = ()
    call: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes | None = None

    def to_json(self) -> str:
        said: dict[str, Any] = {"family": self.family}
        if self.argv:
            said["argv"] = list(self.argv)
        if self.call:
            said["call"] = self.call
        if self.files:
            said["files"] = {name: _text(content) for name, content in self.files.items()}
        if self.stdin is not None:
            said["stdin"] = _text(self.stdin)
        return json.dumps(said, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Case:
        said = json.loads(text)
        return cls(
            said["family"],
            tuple(said.get("argv", ())),
            said.get("call", ""),
            {name: _bytes(content) for name, content in said.get("files", {}).items()},
            _bytes(said["stdin"]) if "stdin" in said else None,
        )


def kept(folder: Path) -> list[Path]:
    """Cases that were found once."""
    return sorted(folder.glob("*.json"))


def _text(content: bytes) -> str:
    """As text where that is all of it, so that one can read what was found."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _BYTES + base64.b64encode(content).decode("ascii")
    return _BYTES + base64.b64encode(content).decode("ascii") if text.startswith(_BYTES) else text


def _bytes(text: str) -> bytes:
    return base64.b64decode(text[len(_BYTES) :]) if text.startswith(_BYTES) else text.encode("utf-8")

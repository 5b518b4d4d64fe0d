"""An input: files and a command line or a Python expression. It can be saved as JSON."""

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
    """The arguments of a command line, or a Python expression, and the files it uses."""

    family: str
    argv: tuple[str, ...] = ()
    call: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes | None = None

    def to_json(self) -> str:
        stored: dict[str, Any] = {"family": self.family}
        if self.argv:
            stored["argv"] = list(self.argv)
        if self.call:
            stored["call"] = self.call
        if self.files:
            stored["files"] = {name: _text(content) for name, content in self.files.items()}
        if self.stdin is not None:
            stored["stdin"] = _text(self.stdin)
        return json.dumps(stored, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Case:
        stored = json.loads(text)
        return cls(
            stored["family"],
            tuple(stored.get("argv", ())),
            stored.get("call", ""),
            {name: _bytes(content) for name, content in stored.get("files", {}).items()},
            _bytes(stored["stdin"]) if "stdin" in stored else None,
        )


def kept(folder: Path) -> list[Path]:
    """Return the files of saved cases."""
    return sorted(folder.glob("*.json"))


def _text(content: bytes) -> str:
    """Return readable text if the bytes are UTF-8, base64 if not."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _BYTES + base64.b64encode(content).decode("ascii")
    return _BYTES + base64.b64encode(content).decode("ascii") if text.startswith(_BYTES) else text


def _bytes(text: str) -> bytes:
    return base64.b64decode(text[len(_BYTES) :]) if text.startswith(_BYTES) else text.encode("utf-8")

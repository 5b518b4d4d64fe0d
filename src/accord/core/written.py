"""What accord wrote, by digests alone: so that nothing else is overwritten without a word.

A small file in the user's cache folder has a line for each file: a digest of where it is, and one of what is in it. A
file that somebody changed since is not what accord wrote. Where the register cannot be written, nothing is known.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_MOST = 5_000  # files that are remembered: the latest
_SIZE = 16  # bytes of a digest


def remember(contents: Mapping[Path, bytes]) -> None:
    """This is about to be there, and accord writes it. Said before it is: a process may be killed in between."""
    with suppress(OSError):
        register = _register()
        register.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{_line(path, content)}\n" for path, content in contents.items())
        with register.open("ab") as file:  # all in one write: runs at the same time do not mix theirs
            file.write(lines.encode())
            grown = file.tell() > 2 * _MOST * (4 * _SIZE + 2)
        if grown:
            _shorten(register)


def is_ours(path: Path) -> bool:
    """Whether accord wrote the file, now or earlier, and it is as it was then."""
    try:
        return _line(path, path.read_bytes()) in _lines(_register())
    except OSError:
        return False


def _register() -> Path:
    return cache_folder() / "accord" / "written"


def cache_folder() -> Path:
    """Where programs of this user keep what can be made again."""
    said = os.environ.get("XDG_CACHE_HOME", "")
    if said and Path(said).is_absolute():
        return Path(said)
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"])
    home = Path(os.path.expanduser("~"))
    return home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"


def _lines(register: Path) -> list[str]:
    return register.read_text(encoding="ascii", errors="ignore").splitlines()


def _shorten(register: Path) -> None:
    """To the latest lines."""
    latest = list(dict.fromkeys(reversed(_lines(register))))[:_MOST]
    fresh = register.with_name(f"{register.name}.{os.getpid()}")
    try:
        fresh.write_text("".join(f"{line}\n" for line in reversed(latest)), encoding="ascii")
        fresh.replace(register)
    finally:
        fresh.unlink(missing_ok=True)


def _line(path: Path, content: bytes) -> str:
    """Where it is, and what is in it."""
    return f"{_digest(os.fsencode(os.path.realpath(path)))} {_digest(content)}"


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=_SIZE).hexdigest()

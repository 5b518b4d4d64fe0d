"""What accord wrote, by digests alone: so that nothing else is overwritten without a word.

A small file in the user's cache folder has a line for each file: a digest of where it is, and one of what is in it. A
file that somebody changed since is not what accord wrote. Where the register cannot be written, nothing is known.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

_MOST = 5_000  # files that are remembered: the latest
_SIZE = 16  # bytes of a digest


def remember(path: Path, content: bytes) -> None:
    """This is there now, and accord wrote it."""
    with suppress(OSError):
        register = _register()
        register.parent.mkdir(parents=True, exist_ok=True)
        with register.open("ab") as file:  # a line in one write: runs at the same time do not mix theirs
            file.write(f"{_place(path)} {_digest(content)}\n".encode())
            grown = file.tell() > 2 * _MOST * (4 * _SIZE + 2)
        if grown:
            _shorten(register)


def is_ours(path: Path) -> bool:
    """Whether accord wrote the file, and it is as it was then."""
    place = f"{_place(path)} "
    try:
        last = next((line for line in reversed(_lines(_register())) if line.startswith(place)), None)
        return last is not None and last == place + _digest(path.read_bytes())
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
    """The latest line of each of the latest files."""
    latest: dict[str, str] = {}
    for line in reversed(_lines(register)):
        latest.setdefault(line.partition(" ")[0], line)
    fresh = register.with_name(f"{register.name}.{os.getpid()}")
    fresh.write_text("".join(f"{line}\n" for line in reversed(list(latest.values())[:_MOST])), encoding="ascii")
    fresh.replace(register)


def _place(path: Path) -> str:
    return _digest(os.fsencode(os.path.realpath(path)))


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=_SIZE).hexdigest()

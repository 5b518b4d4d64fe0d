"""Bytes → text: UTF-8 with or without BOM and UTF-16 by themselves, anything else by name."""

from __future__ import annotations

import codecs
from pathlib import Path

from accord.core.errors import DataError, quoted
from accord.data.io.aside import lacks_room, no_room
from accord.data.io.opening import stream_of

LONGEST_LINE = 1 << 22  # bytes; a longer line is no table but a damaged or hostile file


def refuse_name(path: Path | str) -> None:
    """Names that no file can have, and those that Python can open and not all libraries can."""
    name = str(path)
    if "\0" in name:
        raise DataError(f"{quoted(name)}: no file can have a name with a NUL character")
    if any("\ud800" <= sign <= "\udfff" for sign in name):
        raise DataError(f"{name}: its name is not UTF-8, which not all libraries can open: rename it")


def opened(path: Path) -> bytes:
    """The bytes of a small file, or one clear line."""
    refuse_name(path)
    try:
        with stream_of(path) as file:
            return file.read()
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path | str, error: OSError) -> DataError:
    if lacks_room(error):
        return no_room(path)
    reasons = {
        FileNotFoundError: "there is no such file",
        PermissionError: "no permission to read it",
        IsADirectoryError: "it is a folder",
    }
    return DataError(f"{path}: {reasons.get(type(error), error.strerror or str(error))}")


def encoding_of(head: bytes) -> str:
    """UTF-16 by its BOM or its zero bytes; otherwise UTF-8, whose BOM is skipped."""
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(head) >= 4 and head[0] and not head[1] and head[2] and not head[3]:
        return "utf-16-le"
    if len(head) >= 4 and not head[0] and head[1] and not head[2] and head[3]:
        return "utf-16-be"
    return "utf-8-sig"


def decoded(data: bytes, name: str, encoding: str | None = None) -> str:
    """Text, or the position of the byte that is none, and the option that helps."""
    used = encoding or encoding_of(data[:4])
    try:
        if not getattr(codecs.lookup(used), "_is_text_encoding", True):
            raise LookupError
        return data.decode(used)
    except UnicodeDecodeError as error:
        # utf-8-sig counts from behind the BOM
        position = error.start + (3 if used == "utf-8-sig" and data.startswith(codecs.BOM_UTF8) else 0)
        shown = used.replace("utf-8-sig", "utf-8").upper()
        raise DataError(
            f"{name}: byte {position} (0x{data[position]:02x}) is not {shown}; "
            "say the file's encoding, for example --encoding latin-1 or --encoding cp1252"
        ) from error
    except (LookupError, ValueError):  # codecs that are no encodings of text: undefined, idna; a NUL in the name
        raise DataError(
            f"unknown encoding {quoted(encoding)}; known are, for example, utf-8, utf-16, latin-1, cp1252"
        ) from None


def read_text(path: Path, encoding: str | None = None) -> str:
    return decoded(opened(path), str(path), encoding)

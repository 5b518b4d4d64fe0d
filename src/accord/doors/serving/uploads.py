"""What users upload: checked names, bytes that go to disk as they come, bounds on all of it."""

from __future__ import annotations

import csv
import os
import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio import to_thread

from accord.core.errors import AccordError, DataError, SpecError, quoted
from accord.doors.serving.commands import decisions_about, holds_decisions
from accord.doors.serving.examples import Example

_MOST_FILES = 20_000
_LONGEST_NAME, _LONGEST_PATH, _DEEPEST = 200, 800, 16
_KEEP_FREE = 1 << 28  # bytes of the disk
_BATCH = 1 << 20  # bytes written at once
# Names that Windows has for devices, or cannot have: what is uploaded here is downloaded there.
_WINDOWS = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_NOT_IN_NAMES = set('<>:"|?*\\')


class TooLarge(AccordError):  # noqa: N818 - the name says it
    """More bytes, or files, than a user may have here."""


def checked_path(given: str) -> str:
    """A relative path whose names every system can have, and that leads nowhere else; else refused."""
    path = unicodedata.normalize("NFC", given)
    parts = path.split("/")
    if len(path) > _LONGEST_PATH or len(parts) > _DEEPEST:
        raise SpecError(f"{quoted(given)}: the name is too long, or lies too deep in folders")
    for part in parts:
        if reason := _unfit(part):
            raise SpecError(f"{quoted(given)} cannot be uploaded under this name: {reason}")
    return path


def _unfit(part: str) -> str | None:  # noqa: PLR0911 - a reason each
    if part in {"", ".", ".."}:
        return "it leads out of its folder" if part == ".." else "a part of it is empty"
    if len(part.encode("utf-8", errors="replace")) > _LONGEST_NAME:
        return "it is too long"
    if any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in part):
        return "it has signs that cannot be seen"
    if bad := next((sign for sign in part if sign in _NOT_IN_NAMES), None):
        return f"it has {quoted(bad)} in it"
    if part[-1] in ". " or part[0] == " ":
        return "it ends with a dot or a blank, or begins with one"
    if part[0] in ".~":
        return f"it begins with {quoted(part[0])}"
    if _WINDOWS.fullmatch(part):
        return "Windows has a device of that name"
    return None


@dataclass
class Bounded:
    """How much a user may have here."""

    upload: int  # bytes of one file
    total: int  # bytes of all of a user's files


@dataclass(eq=False)
class Project:
    """An upload with what was said about it."""

    user: str
    place: Path
    name: str = ""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    reading: dict[str, Any] = field(default_factory=dict)
    models: list[str] | None = None  # annotators that are no people; None: nobody said it
    created: float = field(default_factory=time.time)
    touched: float = field(default_factory=time.time)
    arriving: int = 0  # bytes of uploads that are under way

    def __post_init__(self) -> None:
        for folder in (self.files, self.jobs):
            folder.mkdir(parents=True, mode=0o700)

    @property
    def files(self) -> Path:
        return self.place / "files"

    @property
    def jobs(self) -> Path:
        return self.place / "jobs"

    def decisions(self, reading: Mapping[str, Any]) -> Path:
        """Where decisions are about data that are read like this."""
        return self.files / decisions_about(reading)

    def all_decisions(self) -> list[Path]:
        return [self.files / path for path in self.listed() if holds_decisions(path)]

    def listed(self) -> dict[str, int]:
        """Every file with its bytes; links are not made here, and not followed."""
        found: dict[str, int] = {}
        for folder, _, names in os.walk(self.files):
            for name in names:
                place = Path(folder, name)
                if not name.startswith("."):
                    found[place.relative_to(self.files).as_posix()] = place.lstat().st_size
        return dict(sorted(found.items()))

    @property
    def size(self) -> int:
        return sum(self.listed().values()) + self.arriving

    def file(self, path: str) -> Path:
        """Where a file of that name is, or would be."""
        place = self.files / checked_path(path)
        if not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(self.files)):
            raise SpecError(f"{quoted(path)} leads out of its folder")
        return place

    def remove(self, path: str) -> bool:
        """A file, or a folder with all in it; whether it was there."""
        place = self.file(path)
        if place.is_dir():
            shutil.rmtree(place)
        elif place.exists():
            place.unlink()
        else:
            return False
        return True

    def take(self, example: Example) -> None:
        for path, source in example.files().items():
            place = self.file(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)

    async def receive(self, path: str, chunks: AsyncIterator[bytes], announced: int | None, room: Room) -> int:
        """A file from a stream, whole or not at all; how many bytes it has."""
        place = self.file(path)
        await to_thread.run_sync(room.check, announced or 0)
        if place.is_dir():
            raise SpecError(f"{quoted(path)} is a folder already")
        beside = self.place / f"arriving-{secrets.token_hex(8)}"
        done = 0
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                async for batch in _in_batches(chunks):
                    done += len(batch)
                    self.arriving += len(batch)
                    if done > room.bounded.upload:
                        raise TooLarge(room.over_one())
                    await to_thread.run_sync(file.write, batch)
                    if done % (16 * _BATCH) < _BATCH:
                        await to_thread.run_sync(room.check, 0)
            await to_thread.run_sync(room.check, 0)
            await to_thread.run_sync(_put, beside, place)
        except OSError as error:
            raise DataError(f"{quoted(path)} cannot be kept: {error.strerror}") from None
        finally:
            self.arriving -= done
            beside.unlink(missing_ok=True)
        return done

    # -- what a person decided --------------------------------------------------------------------------------------

    def decide(self, new: Mapping[str, str], offered: Path, table: Path) -> dict[str, str]:
        """Further decisions, in the table that `--adjudicate` writes: with what annotators said beside them."""
        before = decided(table)
        rows = {row["key"]: {**row, "decision": before.get(row["key"], "")} for row in _rows(table)}
        known = {row["key"]: row for row in _rows(offered)}
        for key, decision in new.items():
            row = rows.get(key) or known.get(key) or {"key": key}
            rows[key] = {**row, "decision": decision}
        kept = [row for row in rows.values() if row["decision"]]
        columns = list(dict.fromkeys(name for row in kept for name in row if name != "decision"))
        _write_rows(table, [*(columns or ["key"]), "decision"], kept)
        return decided(table)


def decided(table: Path) -> dict[str, str]:
    """Decisions by their key."""
    from accord.data.io.tables.cells import unguarded

    return {row["key"]: unguarded(row["decision"]) for row in _rows(table) if row.get("decision")}


@dataclass(frozen=True)
class Room:
    """What is left of what a user may have."""

    bounded: Bounded
    projects: list[Project]
    place: Path

    def check(self, more: int) -> None:
        if more > self.bounded.upload:
            raise TooLarge(self.over_one())
        files = sum(len(one.listed()) for one in self.projects)
        if sum(one.size for one in self.projects) + more > self.bounded.total:
            raise TooLarge(
                f"your uploads would be larger than {_mb(self.bounded.total)} together: remove some, or start accord "
                "serve with a larger --max-upload"
            )
        if files >= _MOST_FILES:
            raise TooLarge(f"{files:,} files are too many: put them into a zip")
        if shutil.disk_usage(self.place).free - more < _KEEP_FREE:
            raise TooLarge("the disk of the server is full: remove uploads that you do not need")

    def over_one(self) -> str:
        return (
            f"larger than {_mb(self.bounded.upload)}, which is as much as one file may have here: start accord serve "
            "with a larger --max-upload, or use the command line"
        )


def _mb(number: int) -> str:
    return f"{number / (1 << 20):,.0f} MB"


async def _in_batches(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes in pieces that are worth a write."""
    held: list[bytes] = []
    size = 0
    async for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= _BATCH:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _put(beside: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.replace(beside, place)


def _rows(table: Path) -> list[dict[str, str]]:
    try:
        with table.open(encoding="utf-8", newline="") as file:
            found = csv.DictReader(file)
            if "key" not in (found.fieldnames or ()):
                raise csv.Error
            return [row for row in found if row.get("key")]
    except FileNotFoundError:
        return []
    except (csv.Error, UnicodeDecodeError):
        raise DataError(
            f"{table.name}: not a table of decisions, as accord gold --adjudicate writes; data need another name here"
        ) from None


def _write_rows(table: Path, columns: list[str], rows: list[dict[str, str]]) -> None:
    """The whole table, or the old one; what a person decided is no formula of a spreadsheet."""
    from accord.core.writing import as_utf8, write_private
    from accord.data.io.tables.cells import guarded, lines_of  # takes long, and few decide

    made = [[guarded(row["decision"]) if name == "decision" else row.get(name, "") for name in columns] for row in rows]
    write_private(table, as_utf8(lines_of(columns, made)))

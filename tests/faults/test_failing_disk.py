"""After a failed write a path has its old or its new content, no temporary files are left, and accord prints one line.

`make faults` lets every operation of every command fail; the test suite only some.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import accord
from accord.core import writing as whole
from accord.core.writing import write_together
from accord.data.io.large.engines import ask

from ..command_line import Cli, Outcome, refused
from ..refusals import raises
from .commands import COMMANDS, EMPTY_ONLY, FILES, FOLDER, JOURNAL, LABELS, REPORT, UNITS, WORKBOOK, Command
from .failing import Disk, content_of

pytestmark = pytest.mark.slow

ALL = os.environ.get("ACCORD_FAULTS") == "all"
Write = Callable[..., Path]


def _assert_refused(got: Outcome) -> None:
    """Exit code 2, one error line, no traceback."""
    assert got.code == 2, got
    assert got.err.count("accord: ") == 1, got.err
    assert "cannot be written: No space left on device" in got.err, got.err
    assert "Traceback" not in got.err


def _numbers(many: int, seed: str) -> list[int]:
    return list(range(many)) if ALL else sorted(random.Random(seed).sample(range(many), min(2, many)))  # noqa: S311


def _fails(command: Command, cli: Cli, given: Path, out: Path, stays: bool, replaces: bool) -> int:
    """Let operations fail one at a time, and return their number. Old and new contents differ."""
    typed = command.typed(given, out)
    assert cli(*typed).code == 0
    after = {place: content_of(out / place) for place in command.places}
    assert None not in after.values(), command.name
    before: dict[str, dict[str, bytes] | None] = {
        place: {name: part + b"\n" for name, part in (content or {}).items()} if replaces else None
        for place, content in after.items()
    }

    def prepare() -> None:
        for one in list(out.iterdir()):
            _remove(one)
        for place, content in before.items():
            for name, part in (content or {}).items():
                path = out / place / name if name else out / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(part)

    prepare()
    with Disk(out).mounted() as disk:
        assert cli(*typed).code == 0
    assert {place: content_of(out / place) for place in command.places} == after, command.name
    numbers = _numbers(len(disk.done), command.name)
    for k in numbers:
        prepare()
        with Disk(out, fails_at=k, stays=stays).mounted() as failing:
            got = cli(*typed)
        if got.code == 0:
            pytest.fail(f"{command.name}: {failing.done[k]}, number {k}, failed without an error")
        _assert_refused(got)
        for place in command.places:
            assert content_of(out / place) in (before[place], after[place]), (command.name, k, place)
        left = {one.name for one in out.iterdir()} - set(command.places)
        assert left <= {f"{place}.journal" for place in command.places if command.words[0] == "xray"}, left
    return len(numbers)


def _remove(place: Path) -> None:
    if place.is_dir():
        for one in place.iterdir():
            _remove(one)
        place.rmdir()
    else:
        place.unlink()


@pytest.mark.parametrize("command", COMMANDS if ALL else (FILES, WORKBOOK, FOLDER, JOURNAL), ids=lambda one: one.name)
@pytest.mark.parametrize("replaces", [False, True] if ALL else [True])
def test_full_disk_leaves_old_or_new_files(
    command: Command, replaces: bool, cli: Cli, table: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if replaces and command.name in EMPTY_ONLY:
        pytest.skip("writes only into new folders")
    given, out = table(command.content, "in.csv"), tmp_path / "out"
    out.mkdir()
    tried = [_fails(command, cli, given, out, stays, replaces) for stays in ((True, False) if ALL else (True,))]
    assert all(tried)
    if ALL:
        with capsys.disabled():
            what = "replaces" if replaces else "new"
            sys.stderr.write(f"\n{command.name} ({what}): {tried[0]} operations, each from then on and once\n")


@pytest.mark.parametrize("exchanges", [True, False])
def test_folder_is_replaced_as_a_whole(tmp_path: Path, exchanges: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without a system call that exchanges two folders."""
    if not exchanges:
        monkeypatch.setattr(whole, "_exchange", lambda *_: False)
    place = tmp_path / "out"
    old, new = {"a.csv": b"old", "deep/b.csv": b"old"}, {"a.csv": b"new", "c.csv": b"new"}
    write_together(place, old)
    with Disk(tmp_path).mounted() as disk:
        write_together(place, new)
    assert content_of(place) == new
    for k in range(len(disk.done)):
        _remove(place)
        write_together(place, old)
        with Disk(tmp_path, fails_at=k, stays=False).mounted(), raises("output-not-writable"):
            write_together(place, new)
        assert content_of(place) == old
        assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_old_file_survives_if_it_cannot_be_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "_exchange", lambda *_: False)
    place = tmp_path / "out"
    write_together(place, {"a.csv": b"old"})
    with Disk(tmp_path).mounted() as disk:
        write_together(place, {"a.csv": b"old"})
    last = len(disk.done) - 1  # moving the new folder fails, and all operations after it
    with Disk(tmp_path, fails_at=last).mounted(), raises("output-not-writable") as caught:
        write_together(place, {"a.csv": b"new"})
    (kept,) = tmp_path.iterdir()
    assert kept.name in str(caught.value)
    assert content_of(kept) == {"a.csv": b"old"}


def test_folder_with_foreign_files_is_not_replaced(cli: Cli, table: Write) -> None:
    path = table(UNITS, "in.csv")
    folder = path.parent / "made"
    shuffle = ("shuffle", path, "--reference", "Ana", "--error", "shift", "-o", folder)
    assert cli(*shuffle).code == 0
    (folder / "notes.txt").write_text("mine")
    before = content_of(folder)
    for force in ((), ("--force",)):
        refused(cli(*shuffle, *force), "[output-exists]")
    assert content_of(folder) == before
    (folder / "notes.txt").unlink()
    labels = table(LABELS, "labels.csv")
    assert cli("shuffle", labels, "--reference", "Ana", "-o", folder).code == 0
    assert [one.name for one in folder.iterdir()] == ["ratings.csv"]  # no files of the earlier data


def test_working_directory_is_not_replaced(
    cli: Cli, table: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(UNITS, "in.csv")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    refused(cli("shuffle", path, "--reference", "Ana", "--error", "shift", "-o", "."), "[output-not-writable]")
    assert list((tmp_path / "here").iterdir()) == []


# -- real disks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", (FILES, WORKBOOK, FOLDER, REPORT) if ALL else (FOLDER,), ids=lambda one: one.name)
def test_file_size_limit_leaves_no_partial_files(command: Command, cli: Cli, table: Write, tmp_path: Path) -> None:
    """The system limits the size of files, also of those that other libraries write."""
    given, out = table(command.content, "in.csv"), tmp_path / "out"
    out.mkdir()
    assert cli(*command.typed(given, out)).code == 0
    largest = max(len(part) for place in command.places for part in (content_of(out / place) or {}).values())
    for place in command.places:
        _remove(out / place)
    resource = pytest.importorskip("resource", reason="the system has no file size limits")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (largest // 2, largest - 1):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            got = cli(*command.typed(given, out))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert got.code == 2, got
        assert "cannot be written: File too large" in got.err
        assert {one.name for one in out.iterdir()} < set(command.places)
        for one in out.iterdir():
            _remove(one)


def test_full_device_and_read_only_folder_are_refused(cli: Cli, table: Write) -> None:
    path = table(LABELS)
    if Path("/dev/full").exists():
        refused(cli("score", path, "-m", "alpha", "-o", "/dev/full"), os.strerror(errno.ENOSPC))
    closed = Path("/sys/kernel")  # read-only for all users
    if closed.is_dir():
        refused(cli("score", path, "-m", "alpha", "-o", closed / "a.csv"), "[output-not-writable]")


@pytest.mark.skipif(
    not ALL or getattr(os, "geteuid", lambda: 1)() != 0,
    reason="runs only with ACCORD_FAULTS=all as root",
)
def test_real_full_disk_leaves_old_files(cli: Cli, table: Write, tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603
        pytest.skip("mounting is not allowed here")
    failed = 0
    try:
        for command in (FILES, FOLDER, REPORT):
            typed = command.typed(table(command.content, "in.csv"), place)
            assert cli(*typed).code == 0
            before = content_of(place)
            for size in range(0, 260_000, 16_384):
                (place / "ballast").write_bytes(b"x" * min(size, shutil.disk_usage(place).free))
                got = cli(*typed)
                (place / "ballast").unlink()
                if got.code:
                    failed += 1
                    assert "cannot be written: No space left on device" in got.err, got.err
                assert content_of(place) == before  # no other files
            for one in place.iterdir():
                _remove(one)
    finally:
        subprocess.run(["umount", str(place)], check=True)  # noqa: S603, S607
    assert failed


def test_report_in_python_never_overwrites_its_data(tmp_path: Path) -> None:
    given = tmp_path / "labels.html"
    given.write_text(LABELS)
    with raises("output-exists"):
        accord.report(str(given), given, "alpha")
    assert given.read_text() == LABELS


@pytest.mark.parametrize("given", ["utf-16", "standard input", "tables in a zip", "texts in a zip"])
def test_full_temporary_folder_is_named_with_a_solution(
    given: str, cli: Cli, table: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    named: object = table(LABELS.encode("utf-16"), "in.csv") if given == "utf-16" else "-"
    if given.endswith("zip"):
        named = tmp_path / "in.zip"
        inside = ("in.csv", "more.csv") if given.startswith("tables") else ("Ana/d.txt", "Ben/d.txt")
        with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
            for name in inside:
                archive.writestr(name, LABELS)
    with Disk(aside, fails_at=1).mounted():  # the folder can be created, but no file
        got = cli("read", named, stdin=LABELS.encode())
    refused(got, "[output-not-writable]", f"{named}: ", f"{aside} is full", "TMPDIR")
    assert not list(aside.iterdir())


def test_engine_without_temporary_space_is_refused() -> None:
    def fails() -> None:
        raise RuntimeError("Out of Memory Error: failed to offload data block of size 256.0 KiB.\nThis limit")

    with raises("output-not-writable"):
        ask("big.csv", fails)

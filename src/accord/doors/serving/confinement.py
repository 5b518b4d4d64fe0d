"""Confine a job: limited memory and time, read access to its upload, write access to its own folder, no network.

There are three barriers. Resource limits of the system apply to the process and its children. Landlock (Linux 5.13 and
later) applies to libraries in every language. An audit hook applies to Python code only, but on every system.

The process of a job and the server both import this module, so it imports the standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

resource: Any
try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None

# Files that Python and its libraries read: code, fonts, the time zone, facts about the machine.
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/opt", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime",
           "/etc/mime.types", "/proc", "/sys/devices/system", "/sys/fs/cgroup", "/System", "/Library")  # fmt: skip
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/shm")  # noqa: S108 - semaphores of workers  # nosec B108
_RESERVED = 1 << 30  # bytes of address space that libraries reserve without using it


@dataclass(frozen=True)
class Limits:
    """The limits of a job. 0: no limit."""

    memory: int  # bytes, in addition to what the process has at its start
    seconds: int  # of wall-clock time
    cores: int = 1  # the limit of processor time is seconds × cores
    file: int = 0  # bytes of one written file


def limit(limits: Limits) -> None:
    """Set the limits for the rest of this process."""
    if resource is None:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits.memory:
        pages, _, _, _, _, data, _ = _mapped_bytes()
        # Libraries reserve address space that they never use, so the limit applies to writable memory.
        _lower_limit(resource.RLIMIT_DATA, data + limits.memory)
        _lower_limit(resource.RLIMIT_AS, pages + 2 * limits.memory + _RESERVED)
    if limits.seconds:
        _lower_limit(resource.RLIMIT_CPU, limits.seconds * limits.cores, more=5)
    if limits.file:
        _lower_limit(resource.RLIMIT_FSIZE, limits.file)


def _lower_limit(which: int, value: int, more: int = 0) -> None:
    """Set a limit, unless a lower one is set."""
    _, hard = resource.getrlimit(which)
    highest = value + more if hard == resource.RLIM_INFINITY else min(value + more, hard)
    with contextlib.suppress(ValueError, OSError):  # the system does not have this limit
        resource.setrlimit(which, (min(value, highest), highest))


def _mapped_bytes() -> list[int]:
    """Return the columns of /proc/self/statm in bytes, or zeros if the file does not exist."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return [0] * 7
    return [int(one) * os.sysconf("SC_PAGE_SIZE") for one in pages]


def is_cramped(limits: Limits) -> bool:
    """Whether little memory is left. It is then the likely cause of an error, even if a library reports another."""
    if resource is None or not limits.memory:
        return False
    highest, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return highest != resource.RLIM_INFINITY and _mapped_bytes()[5] > highest - limits.memory // 4


@dataclass(frozen=True)
class Fence:
    """The folders that may be read, and those that may be written."""

    readable: tuple[Path, ...]
    writable: tuple[Path, ...]

    @classmethod
    def around(cls, readable: Iterable[Path], writable: Iterable[Path]) -> Fence:
        """Allow these folders and the files that Python and its libraries need."""
        paths = (sys.prefix, sys.base_prefix, *sys.path, *sysconfig.get_paths().values())
        own = [Path(one) for one in paths if one and os.path.isabs(one)]
        written = [*writable, *map(Path, _DEVICES)]
        return cls(_real([*readable, *own, *map(Path, _SYSTEM), *written]), _real(written))

    def allows(self, path: str, writing: bool) -> bool:
        place = Path(os.path.realpath(path))
        return any(place.is_relative_to(one) for one in (self.writable if writing else self.readable))


def _real(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(os.path.realpath(one)) for one in paths if one.exists()))


def confine(fence: Fence) -> bool:
    """Confine this process to the fence until it ends. Return whether the kernel enforces it, too."""
    enforced = _restrict_by_kernel(fence)
    _restrict_python(fence)
    return enforced


# -- Python ---------------------------------------------------------------------------------------------------------

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Events that change a file: the positions of its path and of the open folder that the path is relative to. A path in an
# open folder is not checked, because opening the folder was checked.
_CHANGING = {"os.remove": ((0, 1),), "os.rmdir": ((0, 1),), "os.mkdir": ((0, 2),), "os.chmod": ((0, 2),),
             "os.rename": ((0, 2), (1, 3)), "os.link": ((0, 2), (1, 3)), "os.symlink": ((1, 2),),
             "os.truncate": ((0, None),)}  # fmt: skip
_NETWORK = ("socket.connect", "socket.bind", "socket.sendto")
_AF_UNIX = 1  # pipes between a job and its workers


def _restrict_python(fence: Fence) -> None:
    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            path, flags = given[0], given[2]
            if isinstance(path, str | bytes | os.PathLike):
                _check(fence, path, bool((flags or 0) & _WRITING))
        elif event in {"os.listdir", "os.scandir"}:
            if isinstance(given[0], str | bytes | os.PathLike):
                _check(fence, given[0], writing=False)
        elif event in _CHANGING:
            for path, folder in _CHANGING[event]:
                if isinstance(given[path], str | bytes | os.PathLike) and (folder is None or given[folder] < 0):
                    _check(fence, given[path], writing=True)
        elif event in _NETWORK and given[0].family != _AF_UNIX:
            raise PermissionError(errno.EACCES, "a job has no network access")

    sys.addaudithook(hook)


def _check(fence: Fence, path: str | bytes | os.PathLike[Any], writing: bool) -> None:
    name = os.fsdecode(path)
    if not fence.allows(name, writing):
        raise PermissionError(errno.EACCES, "not an uploaded file", name)


# -- the kernel -----------------------------------------------------------------------------------------------------

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_NO_NEW_PRIVILEGES = 38
_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | (1 << 14) | (1 << 15)  # truncate, ioctl
_READING = _EXECUTE | _READ_FILE | _READ_DIR
_TCP = 0b11  # bind, connect
# Number of access rights by version of Landlock: 13 in version 1; later also linking across folders, truncate, ioctl.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}


def _restrict_by_kernel(fence: Fence) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    if version < 1:  # the kernel has no Landlock, or it is switched off
        return False
    rights = (1 << _RIGHTS[min(version, 5)]) - 1
    handled = struct.pack("QQ", rights, _TCP) if version >= 4 else struct.pack("Q", rights)
    rules = libc.syscall(_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), ctypes.c_uint32(0))
    if rules < 0:
        return False
    try:
        for path in fence.readable:
            _allow(libc, rules, path, rights if path in fence.writable else _READING & rights)
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return bool(libc.syscall(_RESTRICT_SELF, rules, ctypes.c_uint32(0)) == 0)
    finally:
        os.close(rules)


def _allow(libc: Any, rules: int, path: Path, rights: int) -> None:
    """Add a rule for a file, or for a folder and all below it."""
    if not path.is_dir():
        rights &= _OF_FILES
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # a file that cannot be opened now cannot be read later
        return
    try:
        libc.syscall(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", rights, place), ctypes.c_uint32(0))
    finally:
        os.close(place)

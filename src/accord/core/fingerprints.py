"""Digests of everything that results depend on: equal for equal content in any process.

Pickles are not suitable: their bytes depend on shared objects, on caches, and on the order of sets, which differs
between processes. Values in a `Memo` or a cached property are derived from the content, so digests ignore them.
"""

from __future__ import annotations

import hashlib
import pickle
import struct
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, cached_property, partial
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

import numpy as np

from accord._version import __version__

_SIZE = 16  # bytes of a digest
_PICKLING = ("__reduce__", "__reduce_ex__", "__getstate__")  # a class with one of these controls its own pickling
_PACKAGES = {"NumPy": "numpy", "SciPy": "scipy", "Numba": "numba", "RapidFuzz": "rapidfuzz"}
T = TypeVar("T")


class Memo:
    """A cache of values; a key contains everything that a value depends on besides the data that own the memo."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of the key; compute it on first use."""
        if key not in self._kept:
            self._kept[key] = make()
        value: T = self._kept[key]
        return value


@cache
def build() -> str:
    """Return the version of accord with a digest of its code, because code may change within a version."""
    state = hashlib.blake2b(digest_size=4)
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*.py")):
        state.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return f"{__version__} ({state.hexdigest()})"


def surroundings() -> dict[str, str]:
    """Return the versions and the processor that digits may depend on, because rounding may differ between them."""
    import platform
    from importlib.metadata import version

    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    packages = {name: version(package) for name, package in _PACKAGES.items()}
    return {"accord": build(), "Python": python, **packages, "processor": platform.machine()}


def fingerprint(*content: Any) -> str:
    """Return the digest of values, arrays, dataclasses, and functions with their bound arguments."""
    return _digest(content).hex()


def _digest(content: Any) -> bytes:
    state = hashlib.blake2b(digest_size=_SIZE)
    _add(state.update, content)
    return state.digest()


Add = Callable[[bytes], None]


def _add(add: Add, value: Any) -> None:
    """Add a tag for the type, then the content with its length."""
    plain, parts = _plain(value), _parts(value)
    if plain is not None:
        _tagged(add, *plain)
    elif parts is not None:
        _all(add, *parts)
    elif isinstance(value, np.ndarray | np.generic):
        _array(add, np.asarray(value))
    elif isinstance(value, FunctionType):
        _function(add, value)
    elif not isinstance(value, Memo):
        _object(add, value)


def _plain(value: Any) -> tuple[str, bytes] | None:
    """Return the tag and the bytes of a value without parts; None if it has parts."""
    kind = type(value)
    if value is None or kind in {bool, int, float, complex, range}:
        return kind.__name__, repr(value).encode()
    if kind is str:
        return "str", value.encode("utf-8", "surrogatepass")
    if kind is bytes:
        return "bytes", value
    if kind in {set, frozenset}:
        return "set", b"".join(sorted(map(_digest, value)))
    if isinstance(value, type | BuiltinFunctionType | ModuleType):
        return "name", _name(value).encode()
    return ("path", str(value).encode("utf-8", "surrogateescape")) if isinstance(value, PurePath) else None


def _parts(value: Any) -> tuple[str, Sequence[Any]] | None:
    """Return the tag and the parts of a value with parts; None if it has none."""
    kind = type(value)
    if kind in {tuple, list}:
        return kind.__name__, value
    if isinstance(value, Mapping):
        return "mapping", [part for pair in value.items() for part in pair]  # the order may matter
    if isinstance(value, partial):
        return "partial", (value.func, value.args, value.keywords)
    if isinstance(value, MethodType):
        return "method", (value.__func__, value.__self__)
    return ("enum", (kind, value.name)) if isinstance(value, Enum) else None


def _tagged(add: Add, tag: str, content: bytes) -> None:
    add(f"{tag}:".encode() + struct.pack("<Q", len(content)) + content)


def _all(add: Add, tag: str, parts: Sequence[Any]) -> None:
    add(f"{tag}:".encode() + struct.pack("<Q", len(parts)))
    for part in parts:
        _add(add, part)


def _array(add: Add, array: np.ndarray) -> None:
    if array.dtype.hasobject:
        _all(add, f"objects {array.shape}", array.ravel().tolist())
    else:
        _tagged(add, f"array {array.dtype.str} {array.shape}", np.ascontiguousarray(array).tobytes())


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', None) or ''}.{getattr(value, '__qualname__', value.__name__)}"


def _function(add: Add, function: FunctionType) -> None:
    """Add a function: accord's by name; others by code and file, because they may call other functions there."""
    cells = [] if function.__closure__ is None else [cell.cell_contents for cell in function.__closure__]
    own = function.__module__.partition(".")[0] == "accord"
    code = () if own else (_code(function.__code__), _file(function))
    _all(add, "function", (_name(function), code, function.__defaults__, function.__kwdefaults__, cells))


def _code(code: CodeType) -> tuple[Any, ...]:
    inside = [_code(const) if isinstance(const, CodeType) else const for const in code.co_consts]
    return (code.co_code, code.co_names, inside)


def _file(function: FunctionType) -> bytes:
    try:
        return Path(function.__code__.co_filename).read_bytes()
    except OSError:  # defined in a notebook
        return b""


def _object(add: Add, value: Any) -> None:
    kind = type(value)
    if is_dataclass(kind) and any("__reduce__" in vars(base) for base in kind.__mro__[:-1]):
        _all(add, f"object {_name(kind)}", value.__reduce__())  # without shared state
        return
    if is_dataclass(kind):
        names = [f.name for f in fields(kind)]
        _all(add, f"object {_name(kind)}", [getattr(value, name) for name in names])
        named = getattr(value, "file", None)
        if isinstance(named, str) and Path(named).is_file():  # for example a matrix of distances
            _tagged(add, "content", Path(named).read_bytes())
        return
    state = getattr(value, "__dict__", None)
    if state is not None and not any(name in vars(base) for base in kind.__mro__[:-1] for name in _PICKLING):
        cached = {name for base in kind.__mro__ for name, found in vars(base).items() if type(found) is cached_property}
        _all(add, f"object {_name(kind)}", sorted((n, _digest(v)) for n, v in state.items() if n not in cached))
        return
    # If the bytes differ in another process, accord computes the result again.
    _tagged(add, f"pickle {_name(kind)}", pickle.dumps(value, protocol=4))

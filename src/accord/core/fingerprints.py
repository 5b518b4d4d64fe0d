"""The digest of what is computed with: the same for the same content in any process, another for any other content.

Pickles will not do: their bytes depend on which objects are shared, on what happens to be cached, and on the order of
sets, which is another in each process.
"""

from __future__ import annotations

import hashlib
import pickle
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, cached_property, partial
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from accord._version import __version__
from accord.core.memo import Memo

_SIZE = 16  # bytes of a digest
_OURS = "accord"
_OWN_WAY = ("__reduce__", "__reduce_ex__", "__getstate__")  # of being pickled


@cache
def build() -> str:
    """Which accord this is, to the byte: versions stay the same while somebody works on it."""
    state = hashlib.blake2b(digest_size=4)
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*.py")):
        state.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return f"{__version__} ({state.hexdigest()})"


def fingerprint(*content: Any) -> str:
    """Of values, arrays, dataclasses, functions with what is bound to them; what was only cached does not count."""
    return _digest(content).hex()


def _digest(content: Any) -> bytes:
    state = hashlib.blake2b(digest_size=_SIZE)
    _add(state.update, content)
    return state.digest()


Add = Callable[[bytes], None]


def _add(add: Add, one: Any) -> None:
    """A tag for the kind, then the content, whose end can be told."""
    plain, parts = _plain(one), _parts(one)
    if plain is not None:
        _tagged(add, *plain)
    elif parts is not None:
        _all(add, *parts)
    elif isinstance(one, np.ndarray | np.generic):
        _array(add, np.asarray(one))
    elif isinstance(one, FunctionType):
        _function(add, one)
    elif not isinstance(one, Memo):  # which is what was computed, not what it was computed from
        _object(add, one)


def _plain(one: Any) -> tuple[str, bytes] | None:
    """What is told by some bytes."""
    kind = type(one)
    if one is None or kind in {bool, int, float, complex, range}:
        return kind.__name__, repr(one).encode()
    if kind is str:
        return "str", one.encode("utf-8", "surrogatepass")
    if kind is bytes:
        return "bytes", one
    if kind in {set, frozenset}:
        return "set", b"".join(sorted(map(_digest, one)))
    if isinstance(one, type | BuiltinFunctionType | ModuleType):
        return "name", _name(one).encode()
    return ("path", str(one).encode("utf-8", "surrogateescape")) if isinstance(one, PurePath) else None


def _parts(one: Any) -> tuple[str, Sequence[Any]] | None:
    """What is told by its parts."""
    kind = type(one)
    if kind in {tuple, list}:
        return kind.__name__, one
    if isinstance(one, Mapping):
        return "mapping", [part for pair in one.items() for part in pair]  # their order can count
    if isinstance(one, partial):
        return "partial", (one.func, one.args, one.keywords)
    if isinstance(one, MethodType):
        return "method", (one.__func__, one.__self__)
    return ("enum", (kind, one.name)) if isinstance(one, Enum) else None


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


def _name(one: Any) -> str:
    return f"{getattr(one, '__module__', None) or ''}.{getattr(one, '__qualname__', one.__name__)}"


def _function(add: Add, function: FunctionType) -> None:
    """Ours by its name; a stranger's by its code, and by the file that it stands in: it may call others of that."""
    cells = [] if function.__closure__ is None else [cell.cell_contents for cell in function.__closure__]
    own = function.__module__.partition(".")[0] == _OURS
    code = () if own else (_code(function.__code__), _file(function))
    _all(add, "function", (_name(function), code, function.__defaults__, function.__kwdefaults__, cells))


def _code(code: CodeType) -> tuple[Any, ...]:
    inside = [_code(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return (code.co_code, code.co_names, inside)


def _file(function: FunctionType) -> bytes:
    try:
        return Path(function.__code__.co_filename).read_bytes()
    except OSError:  # typed into a notebook
        return b""


def _object(add: Add, one: Any) -> None:
    kind = type(one)
    if is_dataclass(kind) and any("__reduce__" in vars(base) for base in kind.__mro__[:-1]):
        _all(add, f"object {_name(kind)}", one.__reduce__())  # what it is made of elsewhere: names without their pool
        return
    if is_dataclass(kind):
        names = [f.name for f in fields(kind)]
        _all(add, f"object {_name(kind)}", [getattr(one, name) for name in names])
        named = getattr(one, "file", None)
        if isinstance(named, str) and Path(named).is_file():  # a matrix of distances, say: it is read when it is used
            _tagged(add, "content", Path(named).read_bytes())
        return
    state = getattr(one, "__dict__", None)
    if state is not None and not any(name in vars(base) for base in kind.__mro__[:-1] for name in _OWN_WAY):
        cached = {name for base in kind.__mro__ for name, value in vars(base).items() if type(value) is cached_property}
        _all(add, f"object {_name(kind)}", sorted((n, _digest(v)) for n, v in state.items() if n not in cached))
        return
    # At worst its bytes are others in another process, and something is computed again.
    _tagged(add, f"pickle {_name(kind)}", pickle.dumps(one, protocol=4))


def surroundings() -> dict[str, str]:
    """What digits may depend on beside the data: another version of these may round another way."""
    import platform
    from importlib.metadata import version

    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    packages = {name: version(name) for name in ("numpy", "scipy", "numba", "rapidfuzz")}
    names = {"numpy": "NumPy", "scipy": "SciPy", "numba": "Numba", "rapidfuzz": "RapidFuzz"}
    found = {names[name]: number for name, number in packages.items()}
    return {"accord": build(), "Python": python, **found, "processor": platform.machine()}

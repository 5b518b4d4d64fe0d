"""Hot loops as machine code, compiled once and kept for the next process. Imported only where such a loop is needed."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import caching, event

from accord.context import COMPILING
from accord.errors import CacheWarning, warn

Kernel = Callable[..., Any]
_caching: Any = caching  # it has no types
_DIGEST = hashlib.sha256().digest_size
_noted: list[str] = []


class _Told(event.Listener):
    """Compiling takes seconds, once on a machine: whoever waits is told."""

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        for tell in COMPILING:
            tell(True)

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        for tell in COMPILING:
            tell(False)


event.register("numba:compile", _Told())  # type: ignore[no-untyped-call]


def compiled(kernel: Kernel) -> Any:
    """Floating-point sums in the order in which they are written."""
    return _made(kernel, fastmath=False)


def reordered(kernel: Kernel) -> Any:
    """The same for sums that may be regrouped: for steps towards a result that is computed again at the end."""
    return _made(kernel, fastmath={"reassoc", "contract", "nsz"})


def _made(kernel: Kernel, fastmath: set[str] | bool) -> Any:
    made: Any = njit(nogil=True, fastmath=fastmath)(kernel)
    try:
        made._cache = _Kept(kernel)  # as `cache=True` does
    except (RuntimeError, OSError):
        _note("compiled code cannot be kept: no folder is writable (NUMBA_CACHE_DIR names one)")
    return made


class _Kept(_caching.FunctionCache):  # type: ignore[misc]
    """Machine code on disk. Whatever is wrong there, it is compiled again: a result never depends on it."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self._cache_file = _Files(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}.checked",  # Numba's own files have no digest
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def load_overload(self, *args: Any) -> Any:
        try:
            return super().load_overload(*args)
        except Exception as error:  # noqa: BLE001 - damaged pickles raise anything
            _note(f"compiled code in {self._cache_path} cannot be read ({_why(error)})")
            return None

    def save_overload(self, *args: Any) -> None:
        try:
            super().save_overload(*args)
        except OSError as error:
            _note(f"compiled code in {self._cache_path} cannot be written ({_why(error)})")


class _Files(_caching.IndexDataCacheFile):  # type: ignore[misc]
    """With a digest before the code: what is damaged would be run, too."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception as error:  # noqa: BLE001 - damaged pickles raise anything
            _note(f"compiled code in {self._cache_path} is damaged ({_why(error)})")
            return {}  # it is written anew

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        digest, code = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(code).digest() != digest:
            raise ValueError("not what was written")
        return pickle.loads(code)  # as Numba does, and its own folder  # noqa: S301  # nosec B301

    def _save_data(self, name: str, data: Any) -> None:
        code = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(code).digest() + code)


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _note(what: str) -> None:
    """Once: there are many kernels, and what befalls one befalls all."""
    if not _noted:
        _noted.append(what)
        warn(f"{what}: it is compiled again, which takes a while", CacheWarning)

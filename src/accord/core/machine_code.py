"""Loops compiled by Numba and cached on disk for later processes. Imported only for large inputs."""

from __future__ import annotations

import hashlib
import pickle
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import caching, event, types

from accord.core.context import COMPILING
from accord.core.errors import CacheWarning, warn

Loop = Callable[..., Any]
_caching: Any = caching  # the module has no type annotations
_DIGEST = hashlib.sha256().digest_size
_STACK = 64 << 20  # bytes; type inference is recursive, and threads have small stacks on some systems
_BLINK = 0.1  # seconds; a signal does not wake a thread that waits without a timeout
_noted: list[str] = []


class _Reporter(event.Listener):
    """Report the start and end of compiling, which takes seconds."""

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        for tell in COMPILING:
            tell(True)

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        for tell in COMPILING:
            tell(False)


event.register("numba:compile", _Reporter())  # type: ignore[no-untyped-call]


def compile_loop(kernel: Loop, fastmath: set[str] | bool) -> Any:
    """Return Numba's dispatcher of a loop, which compiles it for the types of its arguments."""
    dispatcher: Any = njit(nogil=True, fastmath=fastmath)(kernel)
    dispatcher.compile = _in_thread(dispatcher.compile)
    dispatcher.get_call_template = _with_wide_types(dispatcher.get_call_template)
    try:
        dispatcher._cache = CheckedCache(kernel)  # as `cache=True` does
    except (RuntimeError, OSError):
        _note("compiled code cannot be cached, because no cache folder is writable; set NUMBA_CACHE_DIR to one")
    return dispatcher


def _with_wide_types(template_for: Loop) -> Loop:
    """Widen the types of literals in calls from other loops, so that Numba does not compile again for a literal 0."""
    widened: Callable[[Any], Any] = types.unliteral

    def for_numbers(args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        return template_for(tuple(map(widened, args)), {name: widened(kws[name]) for name in kws})

    return for_numbers


def _in_thread(compile_for: Loop) -> Loop:
    """Compile in a thread: in the main thread, Ctrl-C during compiling is lost or crashes."""

    def compile_aside(signature: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():  # Ctrl-C reaches only the main thread
            return compile_for(signature)
        outcome: Future[Any] = Future()

        def fulfil() -> None:
            try:
                outcome.set_result(compile_for(signature))
            except BaseException as error:  # noqa: BLE001 - raised again by the waiting thread
                outcome.set_exception(error)

        thread = threading.Thread(target=fulfil, name="compiling", daemon=True)
        before = threading.stack_size(_STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
        while thread.is_alive():
            thread.join(_BLINK)
        return outcome.result()

    return compile_aside


def type_of(dispatcher: Any) -> Any:
    """Return the type of a dispatcher in compiled code that calls it."""
    return types.Dispatcher(dispatcher)


def is_cached(kernel: Loop) -> bool:
    """Return whether an earlier process compiled the current version of the loop."""
    try:
        return not CheckedCache(kernel).empty
    except (RuntimeError, OSError):
        return False


class CheckedCache(_caching.FunctionCache):  # type: ignore[misc]
    """A cache of machine code on disk. If it is damaged, the loop is compiled again."""

    def __init__(self, kernel: Loop) -> None:
        super().__init__(kernel)
        self._cache_file = _CheckedFiles(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}.checked",  # Numba's own files have no digest
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    @property
    def empty(self) -> bool:
        return not self._cache_file._load_index()

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


class _CheckedFiles(_caching.IndexDataCacheFile):  # type: ignore[misc]
    """Cache files with a digest, because Numba would run damaged code."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception as error:  # noqa: BLE001 - damaged pickles raise anything
            _note(f"compiled code in {self._cache_path} is damaged ({_why(error)})")
            return {}  # the index is written again

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        digest, code = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(code).digest() != digest:
            raise ValueError("the digest does not match")
        return pickle.loads(code)  # as Numba does, and its own folder  # noqa: S301  # nosec B301

    def _save_data(self, name: str, data: Any) -> None:
        code = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(code).digest() + code)


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _note(what: str) -> None:
    """Warn once, because the problem affects all kernels."""
    if not _noted:
        _noted.append(what)
        warn(f"{what}; accord compiles again, which takes some seconds", CacheWarning)

"""Hot loops: small inputs run in Python, large ones as compiled machine code.

Compiling a loop takes seconds, once per machine, or once per process if no cache folder is writable. Results have the
same digits either way. Kernels assign elements one by one: Numba needs a second or two more to compile the assignment
of an array to a slice.

machine_code.py compiles. It is a separate module because importing Numba takes half a second.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cached_property, update_wrapper
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

Loop = Callable[..., Any]
_PAYS = 30_000_000  # steps; for fewer, Python is faster than compiling


def compiled(loop: Loop) -> Kernel:
    """Compile a loop; floating-point sums keep their order."""
    return Kernel(loop, fastmath=False)


def reordered(loop: Loop) -> Kernel:
    """Compile a loop and allow reordered sums, for intermediate steps of a result that is recomputed at the end."""
    return Kernel(loop, fastmath={"reassoc", "contract", "nsz"})


def _may_be_cached(loop: Loop) -> bool:
    """Return whether Numba's cache may contain this loop, without importing Numba, which takes half a second."""
    if "numba" in sys.modules:
        return True
    source = Path(loop.__code__.co_filename)
    name = f"{source.stem}.{loop.__qualname__.replace('<', '').replace('>', '')}-*.nbi"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return any(Path(chosen).glob(f"*/{name}"))
    beside = source.parent / "__pycache__"
    if any(beside.glob(name)):
        return True
    return not os.access(
        beside if beside.exists() else source.parent, os.W_OK
    )  # if not writable, Numba uses another folder


def _cause_of(error: BaseException) -> BaseException:
    """Return the error that interrupted machine code; each nested call of a loop wraps it once."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


class Kernel:
    """A loop. A call runs machine code; `for_work` chooses between machine code and Python."""

    def __init__(self, loop: Loop, fastmath: set[str] | bool) -> None:
        update_wrapper(self, loop)
        self._loop, self._fastmath = loop, fastmath
        self._written: Loop | None = None
        self._steps = 0  # so far

    def __call__(self, *args: Any) -> Any:
        try:
            return self.machine(*args)
        except SystemError as error:  # interrupted by Ctrl-C or another signal
            raise _cause_of(error) from None

    def in_python(self, loop: Loop) -> Loop:
        """Register a Python version that works on whole arrays."""
        self._written = loop
        return loop

    def for_work(self, steps: int) -> Loop:
        """Return machine code if it is cached on disk or faster for all steps so far; if not, Python."""
        self._steps += steps
        return self.plain if self._steps < _PAYS and not self._is_cached else self

    @cached_property
    def machine(self) -> Any:
        from accord.core.machine_code import compile_loop

        return compile_loop(self._loop, self._fastmath)

    def plain(self, *args: Any) -> Any:
        with np.errstate(over="ignore"):  # machine code wraps around silently
            return self._python(*args)

    @cached_property
    def _python(self) -> Loop:
        """The loop in Python, with calls of other kernels in Python."""
        loop: Any = self._written or self._loop
        called = {name: loop.__globals__.get(name) for name in loop.__code__.co_names}
        others = {name: kernel._python for name, kernel in called.items() if isinstance(kernel, Kernel)}
        return FunctionType(loop.__code__, {**loop.__globals__, **others}, loop.__name__, loop.__defaults__)

    @cached_property
    def _is_cached(self) -> bool:
        if not _may_be_cached(self._loop):
            return False
        from accord.core.machine_code import is_cached

        return is_cached(self._loop)

    @property
    def _numba_type_(self) -> Any:
        """The Numba type, for compiled loops that call this one."""
        from accord.core.machine_code import type_of

        return type_of(self.machine)

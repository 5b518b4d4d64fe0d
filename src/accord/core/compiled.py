"""Hot loops: run by Python where there is little to do, as machine code where there is much.

Compiling a loop takes seconds, once on a machine, and again in each process where no folder is writable. The digits are
the same either way. Assigning an array to a slice takes a second or two more to compile, for the error message of
shapes that differ: kernels go through the elements instead.

machine_code.py does the compiling. It is a module of its own because importing Numba takes half a second.
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
_PAYS = 30_000_000  # steps: for fewer, Python takes less time than compiling does


def compiled(loop: Loop) -> Kernel:
    """Compile a loop; floating-point sums keep the order in which they are written."""
    return Kernel(loop, fastmath=False)


def reordered(loop: Loop) -> Kernel:
    """Compile a loop whose sums may be regrouped: for steps towards a result that is computed again at the end."""
    return Kernel(loop, fastmath={"reassoc", "contract", "nsz"})


def _may_be_cached(loop: Loop) -> bool:
    """Whether Numba's cache has a file of this name. Numba knows for sure, but importing it takes half a second."""
    if "numba" in sys.modules:
        return True
    source = Path(loop.__code__.co_filename)
    name = f"{source.stem}.{loop.__qualname__.replace('<', '').replace('>', '')}-*.nbi"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return any(Path(chosen).glob(f"*/{name}"))
    beside = source.parent / "__pycache__"
    if any(beside.glob(name)):
        return True
    return not os.access(beside if beside.exists() else source.parent, os.W_OK)  # then Numba uses another folder


def _cause_of(error: BaseException) -> BaseException:
    """The error that interrupted machine code: it is wrapped once for each call of a loop by a loop."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


class Kernel:
    """A loop. A call runs machine code; `for_work` chooses between that and Python."""

    def __init__(self, loop: Loop, fastmath: set[str] | bool) -> None:
        update_wrapper(self, loop)
        self._loop, self._fastmath = loop, fastmath
        self._written: Loop | None = None
        self._steps = 0  # so far

    def __call__(self, *args: Any) -> Any:
        try:
            return self.machine(*args)
        except SystemError as error:  # Ctrl-C or a signal to end came while it ran
            raise _cause_of(error) from None

    def in_python(self, loop: Loop) -> Loop:
        """Register a version for Python that works on whole arrays."""
        self._written = loop
        return loop

    def for_work(self, steps: int) -> Loop:
        """Machine code if it is cached on disk, or if Python would take longer for all steps so far; else Python."""
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
        """The loop in Python; the kernels that it calls are in Python, too."""
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
        """For compiled loops that call this one."""
        from accord.core.machine_code import type_of

        return type_of(self.machine)

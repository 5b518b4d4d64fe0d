"""Hot loops: as Python where there is little to do, as machine code where there is much.

To compile a loop takes seconds, once on a machine, and again in each process where no folder is writable. The digits
are the same either way. An array that is assigned to a slice takes a second or two more, for what Numba would say if
their shapes differed: kernels go through the elements.
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
_PAYS = 30_000_000  # steps: Python takes less time for them than compiling does


def compiled(loop: Loop) -> Kernel:
    """Floating-point sums in the order in which they are written."""
    return Kernel(loop, fastmath=False)


def reordered(loop: Loop) -> Kernel:
    """The same for sums that may be regrouped: for steps towards a result that is computed again at the end."""
    return Kernel(loop, fastmath={"reassoc", "contract", "nsz"})


def _may_be_kept(loop: Loop) -> bool:
    """Whether a file of its name is where Numba keeps code: Numba knows for sure, but takes half a second to say so."""
    if "numba" in sys.modules:
        return True
    source = Path(loop.__code__.co_filename)
    name = f"{source.stem}.{loop.__qualname__.replace('<', '').replace('>', '')}-*.nbi"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return any(Path(chosen).glob(f"*/{name}"))
    beside = source.parent / "__pycache__"
    if any(beside.glob(name)):
        return True
    return not os.access(beside if beside.exists() else source.parent, os.W_OK)  # it has other places then


def _behind(error: BaseException) -> BaseException:
    """What machine code was interrupted by: it is wrapped, as often as code called code."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


class Kernel:
    """A loop. Called, it is machine code; `for_work` chooses."""

    def __init__(self, loop: Loop, fastmath: set[str] | bool) -> None:
        update_wrapper(self, loop)
        self._loop, self._fastmath = loop, fastmath
        self._written: Loop | None = None
        self._steps = 0  # so far

    def __call__(self, *args: Any) -> Any:
        try:
            return self.machine(*args)
        except SystemError as error:  # Ctrl-C, or the end from outside, came while it ran
            raise _behind(error) from None

    def in_python(self, loop: Loop) -> Loop:
        """The same with whole arrays, which Python needs and machine code does not."""
        self._written = loop
        return loop

    def for_work(self, steps: int) -> Loop:
        """Machine code where it is kept on disk, or where `steps` of Python, with those before, would take longer."""
        self._steps += steps
        return self.plain if self._steps < _PAYS and not self._kept else self

    @cached_property
    def machine(self) -> Any:
        from accord.core.machine_code import made

        return made(self._loop, self._fastmath)

    def plain(self, *args: Any) -> Any:
        with np.errstate(over="ignore"):  # machine code wraps around without a word
            return self._python(*args)

    @cached_property
    def _python(self) -> Loop:
        """The loop, with the kernels that it calls as Python, too."""
        loop: Any = self._written or self._loop
        called = {name: loop.__globals__.get(name) for name in loop.__code__.co_names}
        others = {name: kernel._python for name, kernel in called.items() if isinstance(kernel, Kernel)}
        return FunctionType(loop.__code__, {**loop.__globals__, **others}, loop.__name__, loop.__defaults__)

    @cached_property
    def _kept(self) -> bool:
        if not _may_be_kept(self._loop):
            return False
        from accord.core.machine_code import is_kept

        return is_kept(self._loop)

    @property
    def _numba_type_(self) -> Any:
        """For loops that call this one, and are machine code."""
        from accord.core.machine_code import typed

        return typed(self.machine)

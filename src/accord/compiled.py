"""Hot loops as machine code, compiled once and kept for the next process. Imported only where such a loop is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core import event

from accord.context import COMPILING

Kernel = Callable[..., Any]


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
    try:
        return njit(cache=True, nogil=True, fastmath=fastmath)(kernel)
    except RuntimeError:  # no folder is writable: compiled again in every process
        return njit(nogil=True, fastmath=fastmath)(kernel)

"""The command line: argv → Plan → report. Nothing is computed here; heavy parts are imported when needed."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130  # as shells have it
# Of the libraries behind NumPy: a sum that threads share has another last digit where there are other cores.
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main() -> None:
    """Runs the command line. Ctrl-C is one line, also while the commands are still being loaded."""
    for name in _THREADS:  # before anything imports NumPy
        os.environ.setdefault(name, "1")
    try:
        from accord.cli.app import run

        run()
    except KeyboardInterrupt:
        interrupted()


def interrupted() -> None:
    """One line, and the end; whoever presses Ctrl-C again ends it at once, without a word of what was ending."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stderr.write("accord: interrupted\n")
    sys.exit(INTERRUPTED)


__all__ = ["interrupted", "main"]

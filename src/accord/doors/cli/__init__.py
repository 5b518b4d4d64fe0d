"""The command line: argv → Plan → report. Nothing is computed here; heavy parts are imported when needed."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130  # as shells have it
_BY_SIGNAL = 128  # and the number of the signal, as shells have it
_ENDING = ("SIGTERM", "SIGHUP")  # by a time limit, or as the terminal is closed
# Of the libraries behind NumPy: a sum that threads share has another last digit where there are other cores.
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main() -> None:
    """Runs the command line. Ctrl-C is one line, also while the commands are still being loaded."""
    for name in _THREADS:  # before anything imports NumPy
        os.environ.setdefault(name, "1")
    _take_words_as_utf8()
    _end_well()
    try:
        from accord.doors.cli.app import run

        run()
    except KeyboardInterrupt:
        interrupted()


def _take_words_as_utf8() -> None:
    """Where the system speaks ASCII alone, Python starts again: what is typed, and names of files, are UTF-8.

    Otherwise `--missing ä` would match nothing, and no file could be opened whose name has such a sign.
    """
    typed = sys.argv[1:]
    is_ours = sys.orig_argv[len(sys.orig_argv) - len(typed) :] == typed  # no program that called this
    if sys.getfilesystemencoding() != "ascii" or not is_ours or not sys.executable:
        return
    if sys.stdout is not None:
        os.environ.setdefault("PYTHONIOENCODING", sys.stdout.encoding)  # the screen shows what it showed
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606  # nosec B606


def _end_well() -> None:
    """Whoever ends it from outside leaves nothing aside: what is piped in is kept in a file, which may be large."""

    def ended(number: int, _: FrameType | None) -> None:
        sys.exit(_BY_SIGNAL + number)

    for name in _ENDING:
        number = getattr(signal, name, None)  # Windows has one of them
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores it, and means it
            signal.signal(number, ended)


def interrupted() -> None:
    """One line, and the end; whoever presses Ctrl-C again ends it at once, without a word of what was ending."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stderr.write("accord: interrupted\n")
    sys.exit(INTERRUPTED)


__all__ = ["interrupted", "main"]

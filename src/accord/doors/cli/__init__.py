"""The command line: argv → Plan → output. It computes nothing itself and imports heavy modules only when needed."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130  # the exit code of shells for SIGINT
_BY_SIGNAL = 128  # shells add the number of the signal
_ENDING = ("SIGTERM", "SIGHUP")  # sent by a time limit, or when the terminal closes
# Variables of the libraries behind NumPy. The last digit of a sum computed by several threads depends on their number.
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main() -> None:
    """Run the command line. Ctrl-C prints one line, also while the commands are being imported."""
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
    """Restart Python in UTF-8 mode if the system encoding is ASCII.

    In ASCII, `--missing ä` would match nothing, and files with a non-ASCII name could not be opened.
    """
    typed = sys.argv[1:]
    is_ours = sys.orig_argv[len(sys.orig_argv) - len(typed) :] == typed  # False if another program called this function
    if sys.getfilesystemencoding() != "ascii" or not is_ours or not sys.executable:
        return
    if sys.stdout is not None:
        os.environ.setdefault("PYTHONIOENCODING", sys.stdout.encoding)  # keep the encoding of the terminal
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606  # nosec B606


def _end_well() -> None:
    """Remove temporary files on SIGTERM and SIGHUP. The copy of standard input may be large."""

    def ended(number: int, _: FrameType | None) -> None:
        sys.exit(_BY_SIGNAL + number)

    for name in _ENDING:
        number = getattr(signal, name, None)  # Windows has only SIGTERM
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores SIGHUP on purpose
            signal.signal(number, ended)


def interrupted() -> None:
    """Print one line and exit. A second Ctrl-C ends the process immediately, without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stderr.write("accord: interrupted\n")
    sys.exit(INTERRUPTED)


__all__ = ["interrupted", "main"]

"""The command line: argv → Plan → report. Nothing is computed here; heavy parts are imported when needed."""

from __future__ import annotations

import sys

INTERRUPTED = 130  # as shells have it


def main() -> None:
    """Runs the command line. Ctrl-C is one line, also while the commands are still being loaded."""
    try:
        from accord.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("accord: interrupted\n")
        sys.exit(INTERRUPTED)


__all__ = ["main"]

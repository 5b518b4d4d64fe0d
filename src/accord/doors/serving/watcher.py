"""Watches a server through a pipe: when the server is gone, its jobs are ended and its folder is removed.

Run as a file, with nothing but the standard library: it lives as long as the server, and should be small.
"""

import os
import shutil
import signal
import sys
import time

_TRIES = 20


def main(folder: str) -> None:
    groups: set[int] = set()
    for line in sys.stdin:  # ends with the server, whoever ended it
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        try:
            os.killpg(group, signal.SIGKILL)
        except (OSError, AttributeError):
            continue
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.1)  # a process that is ending may still write


if __name__ == "__main__":
    main(sys.argv[1])

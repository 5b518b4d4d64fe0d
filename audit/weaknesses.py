"""Report known vulnerabilities of dependencies with pip-audit. Without a network, report that the check was skipped."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from audit.licences import EXTRAS, needed

_NO_ANSWER = ("ConnectionError", "ServiceError", "Failed to connect", "Max retries", "timed out", "HTTPError")


def answered(out: str, said: str) -> list[dict[str, Any]]:
    """Return the results of pip-audit, or an empty list without a network. Exit on other errors."""
    try:
        return list(json.loads(out)["dependencies"])
    except (ValueError, KeyError):
        last = (said.strip().splitlines() or ["no output"])[-1]
        if any(word in said for word in _NO_ANSWER):
            return []
        sys.exit(f"pip-audit failed: {last[:200]}")


def main() -> None:
    asked = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    mine = needed("accord", EXTRAS)
    packages = [one for one in answered(done.stdout, done.stderr) if one["name"].lower() in mine]
    known = [one for one in packages if "skip_reason" not in one]
    weak = {one["name"]: [each["id"] for each in one["vulns"]] for one in known if one["vulns"]}
    for name, found in weak.items():
        sys.stdout.write(f"{name}: {', '.join(found)}\n")
    if weak:
        sys.exit(f"{len(weak)} of {len(mine)} packages have known vulnerabilities")
    if not known:
        sys.stdout.write("known vulnerabilities: SKIPPED (no network)\n")
        return
    left = f"; {len(mine) - len(known)} could not be checked" if len(known) < len(mine) else ""
    sys.stdout.write(f"{len(known)} packages without known vulnerabilities{left}\n")


if __name__ == "__main__":
    main()

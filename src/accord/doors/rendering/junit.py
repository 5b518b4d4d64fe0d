"""Checks as JUnit XML, one test case per threshold, as CI servers read it."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from accord.answers.checks import Checks
from accord.core.errors import printable


def render(found: Checks, name: str) -> str:
    failed = sum(not one.passed for one in found)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<testsuite name={_attribute(name)} tests="{len(found)}" failures="{failed}" errors="0" skipped="0">')
    for one in found:
        bound = "at least" if one.threshold.bound == "min" else "at most"
        where = f" ({one.by} {one.name})" if one.by else ""
        since = ", by the baseline" if one.against == "baseline" else ""
        title = _attribute(f"{one.threshold.measure} {bound} {one.threshold.limit:.6g}{since}{where}")
        if one.passed:
            lines.append(f'  <testcase classname="accord.check" name={title}/>')
            continue
        lines.append(f'  <testcase classname="accord.check" name={title}>')
        lines.append(f'    <failure message={_attribute(one.reason)} type="{one.against}"/>')
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _attribute(text: str) -> str:
    """Quoted for XML; control characters cannot stand there at all."""
    return quoteattr(printable(text))

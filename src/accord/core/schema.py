"""The JSON schema of all outputs, for programs that read `--json`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from accord.core.errors import UnknownName


@cache
def outputs() -> dict[str, Any]:
    """Return the whole schema: a definition for each result, and the results that each command prints."""
    text = files("accord").joinpath("schemas", "outputs.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def schema(name: str | None = None) -> dict[str, Any]:
    """Return the schema of a command's output, of a result class (`Score`), or of all outputs."""
    whole = outputs()
    if name is None:
        return whole
    of_command, of_result = whole["commands"], whole["$defs"]
    if name not in of_command and name not in of_result:
        raise UnknownName("output", name, [*of_command, *of_result])
    printed = [{"$ref": f"#/$defs/{one}"} for one in of_command.get(name, [name])]
    kept = {key: whole[key] for key in ("$schema", "description")}
    return {**kept, "title": name, "anyOf": printed, "$defs": of_result}

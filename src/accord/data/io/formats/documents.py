"""Which records are about the same document: by what it says, whatever a file calls it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

# The fields that name a document in records of many tools, the surest first.
_NAMES = ("doc_id", "document_id", "doc", "document", "id", "item_id", "item", "uid", "guid", "filename", "file_name",
          "file", "name", "title", "source_id", "url", "image", "audio", "video")  # fmt: skip
TEXTS = ("text", "content", "sentence", "body", "data")


@dataclass
class Documents:
    """Names by content: what is the same has one name, and a name that two contents claim is told apart."""

    names: dict[Hashable, str] = field(default_factory=dict)
    used: dict[str, Hashable] = field(default_factory=dict)

    def name(self, content: Hashable, wanted: str) -> str:
        known = self.names.get(content)
        if known is not None:
            return known
        name, again = wanted, 2
        while name in self.used:
            name, again = f"{wanted} ({again})", again + 1
        self.names[content], self.used[name] = name, content
        return name


def plain_value(value: Any) -> str | None:
    """A name, if a value can be one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        return None
    return str(value)


def named_by(fields: Mapping[str, Any]) -> str | None:
    """The name that the fields of a record give it."""
    known = {str(key).lower(): value for key, value in fields.items()}
    return next((name for key in _NAMES if (name := plain_value(known.get(key))) and len(name) <= 200), None)


def text_of(fields: Mapping[str, Any]) -> str | None:
    """The text of a record: by the name of the field, else its longest."""
    known = {str(key).lower(): value for key, value in fields.items() if isinstance(value, str)}
    named = next((known[key] for key in TEXTS if key in known), None)
    return named if named is not None else max(known.values(), key=len, default=None)

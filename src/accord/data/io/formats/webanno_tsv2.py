"""WebAnno TSV 2, the tab-separated format of WebAnno before version 3.

Files: .tsv that begins with `# LAYER | FEATURE`; a file per document and annotator.
Keeps: spans; each feature of a layer is a variable.
Skips and counts: relations, mentions of chains, comments, cells in columns that the header does not declare.
Reference: WebAnno User Guide of version 2, appendix "WebAnno TSV".

Each token has a line, with its annotations in columns with B- and I-. The file has no offsets. Sentences are lines of
the text, and the reader finds tokens in them in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.layers import Features, Span, Version, layer_of, read_versions
from accord.data.io.reading import Reading

_HEADER = re.compile(r"\s*# [\w.]+( \| .*)?")
_TOKEN = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
_NOTHING = frozenset(("O", "_", ""))
_RELATION, _CHAIN = "AttachTo=", "Link"


def recognises(file: File) -> bool:
    if not file.head.lstrip(b"\xef\xbb\xbf ").startswith(b"# "):
        return False
    first, _, rest = file.beginning.partition("\n")
    return _HEADER.fullmatch(first.rstrip("\r")) is not None and rest.startswith(("#id=1\n", "#id=1\r\n"))


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001 - same signature for all readers
    return read_versions(partial(version, how=how), mine, mine, how, run)


class _Layer(NamedTuple):
    name: str
    features: list[str]
    first: int  # column
    left: str  # why it is skipped

    @property
    def behind(self) -> int:
        return (
            self.first + len(self.features) + bool(self.left == "relations")
        )  # relations have another column for their source


def version(file: File, how: Reading) -> Version:
    """Return one document by one annotator."""
    return _Document(file.name, file.text(how.encoding).split("\n")).version()


class _Document:
    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name, self.lines = name, lines
        self.layers = self._header(lines[0])
        self.made = Version("")
        self.text, self.at = "", 0
        self.open: dict[str, list[int]] = {}  # by layer: spans that include the previous token

    def _header(self, line: str) -> list[_Layer]:
        layers: list[_Layer] = []
        for declared in line.strip().removeprefix("# ").split(" # "):
            name, *features = (part.strip() for part in declared.split(" | "))
            relation = any(feature.startswith(_RELATION) for feature in features)
            left = "relations" if relation else "mentions of chains, in WebAnno TSV 2" if name.endswith(_CHAIN) else ""
            kept = [feature for feature in features if not feature.startswith(_RELATION)]
            layers.append(_Layer(layer_of(name), kept or [""], layers[-1].behind if layers else 2, left))
        return layers

    def version(self) -> Version:
        for number, line in enumerate((line.rstrip("\r") for line in self.lines[1:]), 2):
            if line.startswith("#text="):
                self.at = len(self.text) + 1 if self.text else 0
                self.text = "\n".join([self.text, line[6:]]) if self.text else line[6:]
                self.open = {}
            elif line.startswith("#") and not line.startswith("#id="):
                self.made.unused.add("lines that start with #", line[1:].partition("=")[0].strip() or "#")
            elif line and not line.startswith("#"):
                self._token(f"{self.name}:{number}", line.split("\t"))
        self.made.text = self.text
        return self.made

    def _token(self, place: str, cells: list[str]) -> None:
        if not _TOKEN.fullmatch(cells[0]) or len(cells) < max(2, self.layers[-1].behind):
            raise DataError(
                "invalid-record",
                f"{place}: {quoted(' '.join(cells), 40)} is not a token with all columns; export the document again",
            )
        start = self.text.find(cells[1], self.at)
        if start < 0:
            raise DataError(
                "invalid-record",
                f"{place}: token {quoted(cells[1], 30)} is not in the text of its sentence; correct #text=",
            )
        self.at = start + len(cells[1])
        behind = sum(bool(cell) for cell in cells[max(2, self.layers[-1].behind) :])
        if behind:
            self.made.leave("cells in columns that the header does not declare", place, behind)
        for layer in self.layers:
            stacks = [cell.split("|") for cell in cells[layer.first : layer.first + len(layer.features)]]
            before, self.open[layer.name] = self.open.get(layer.name, []), []
            for k in range(max(map(len, stacks))):
                values = [stack[k] if k < len(stack) else "_" for stack in stacks]
                if not all(value in _NOTHING for value in values):
                    self._annotation(place, layer, values, start, before)

    def _annotation(self, place: str, layer: _Layer, values: Sequence[str], start: int, before: list[int]) -> None:
        """Add an annotation, or extend one of the previous token."""
        if layer.left:
            self.made.leave(layer.left, place)
            return
        features: Features = {}
        for name, value in zip(layer.features, values, strict=True):
            label = value[2:] if value.startswith(("B-", "I-")) else value
            if name and value not in _NOTHING and label not in {"*", ""}:
                features[name] = label
        spans = self.made.spans
        goes_on = any(value.startswith("I-") for value in values)
        known = next((k for k in before if goes_on and spans[k].features == features), None)
        if known is None:
            spans.append(Span(layer.name, start, self.at, features, place, self.text[start : self.at]))
            self.open[layer.name].append(len(spans) - 1)
        else:
            spans[known] = spans[known]._replace(end=self.at, surface=None)
            self.open[layer.name].append(known)
            before.remove(known)

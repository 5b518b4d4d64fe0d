"""Offsets in texts: how tools count them, and whether spans match the text that their files store.

In accord, offsets count code points, and the end is exclusive.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeVar

from accord.core.errors import DataError, counted, quoted
from accord.data.io.formats.export import Export, Rows

T = TypeVar("T", int, float)
Offsets = Callable[[int], int | None]  # from a tool's offset to code points; None within a character or after the end
_Span = tuple[int, int]


def code_points(text: str) -> Offsets:  # noqa: ARG001 - same signature as the other functions
    """Offsets in code points, as Python counts."""
    return lambda at: at


def utf16(text: str) -> Offsets:
    """Offsets in UTF-16 code units, as Java and JavaScript count. A character beyond U+FFFF has two."""
    return code_points(text) if is_narrow(text) else _through(2 if sign > "\uffff" else 1 for sign in text)


def is_narrow(text: str) -> bool:
    """Whether each character is one UTF-16 code unit."""
    return text.isascii() or utf16_width(text) == len(text)


def utf16_width(text: str) -> int:
    """Return the number of UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8(text: str) -> Offsets:
    """Offsets in bytes of UTF-8."""
    return code_points(text) if text.isascii() else _through(len(s.encode("utf-8", "surrogatepass")) for s in text)


def crlf(text: str) -> Offsets:
    """Offsets in code points of a text with CRLF line ends, which is stored with LF."""
    return _through(2 if sign == "\n" else 1 for sign in text) if "\n" in text else code_points(text)


def _through(widths: Iterable[int]) -> Offsets:
    return {at: k for k, at in enumerate(accumulate(widths, initial=0))}.get


def or_as_given(offsets: Offsets) -> Callable[[int], int]:
    """Convert offsets. Offsets outside the text stay unchanged, so that `check_spans` reports them."""

    def place(at: int) -> int:
        known = offsets(at)
        return at if known is None else known

    return place


def utf16_places(text: str) -> list[int]:
    """Return the UTF-16 offset of each character and of the end. This is the inverse of `utf16`."""
    return [0, *accumulate(1 if sign < "\U00010000" else 2 for sign in text)]


def fitting_offsets(text: str, spans: Sequence[tuple[Any, Any, str | None]]) -> Offsets | None:
    """Return the counting, UTF-16 or code points, with which all spans match their stored text."""
    for counting in (utf16, code_points):
        place = counting(text)
        if all(_fits(text, (place(start), place(end)), surface) for start, end, surface in spans):
            return place
    return None


def join_spans(spans: Iterable[tuple[T, T]], text: str = "") -> list[tuple[T, T]]:
    """Return sorted spans. Join spans that overlap, touch, or have only blanks of the text between them."""
    joined: list[tuple[T, T]] = []
    for start, end in sorted(spans):
        if joined and (start <= joined[-1][1] or (text and not text[joined[-1][1] : start].strip())):  # type: ignore[index]
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


# -- comparison of spans with the stored text: mismatches are located, explained, and repaired with --repair --

_Marked = tuple[str, int, int]  # location in its file, start, end
_Placing = Callable[[int, int], tuple[int | None, int | None]]
_NEAR = 200  # characters around a span in which its text is searched
_FEW = 0.05  # up to this share of spans, mismatches are noted; above it, the file is refused
# What a tool may have counted, the most likely first: a description, and the conversion of a span.
_COUNTED: tuple[tuple[str, Callable[[str], _Placing]], ...] = (
    ("UTF-16 code units", lambda text: _both(utf16(text))),
    ("each line end as two characters (CRLF)", lambda text: _both(crlf(text))),
    ("UTF-8 bytes", lambda text: _both(utf8(text))),
    ("from 1", lambda _: lambda start, end: (start - 1, end - 1)),
    ("from -1", lambda _: lambda start, end: (start + 1, end + 1)),
    ("the last character as the end", lambda _: lambda start, end: (start, end + 1)),
    ("from 1, with the last character as the end", lambda _: lambda start, end: (start - 1, end)),
)
_BY_SIGNS = 3  # of these depend on the characters of the text; a shift is accepted only if every span has it
_CONVINCING = 3  # spans that a shift needs


def _both(place: Callable[[int], int | None]) -> _Placing:
    return lambda start, end: (place(start), place(end))


@dataclass
class _Version:
    """One annotator's spans of a document."""

    rows: Rows
    text: str
    entries: Sequence[int]

    def span(self, row: int) -> _Span:
        start, end = self.rows.columns["start"][row], self.rows.columns["end"][row]
        try:
            return int(start), int(end)  # type: ignore[call-overload]
        except (OverflowError, ValueError):  # infinite or NaN
            raise DataError(
                "invalid-record",
                f"{self.rows.places[row]}: the offsets {start}–{end} are not valid; expected whole numbers",
            ) from None

    def spans(self) -> list[_Span]:
        """The spans of all entries."""
        first, behind = self.entries[0], self.entries[-1] + 1
        if behind - first > len(self.entries):  # rows of other versions lie between them
            return [self.span(row) for row in self.entries]
        starts, ends = self.rows.columns["start"][first:behind], self.rows.columns["end"][first:behind]
        if {*map(type, starts), *map(type, ends)} == {int}:
            return list(zip(starts, ends, strict=True))  # type: ignore[arg-type]
        return [self.span(row) for row in self.entries]

    def marked(self, row: int) -> _Marked:
        return (self.rows.places[row], *self.span(row))

    @property
    def said(self) -> dict[int, str]:
        surfaces = self.rows.surfaces
        return {row: surface for row in self.entries if (surface := surfaces[row]) is not None}

    @property
    def missed(self) -> list[int]:
        said, text, size = self.said, self.text, len(self.text)
        if not said:
            return []
        found = [(row, *span) for row, span in zip(self.entries, self.spans(), strict=True) if row in said]
        odd = [one for one in found if not (0 <= one[1] <= one[2] <= size and text[one[1] : one[2]] == said[one[0]])]
        return [row for row, start, end in odd if not _fits(text, (start, end), said[row])]

    def explained(self) -> tuple[str, _Placing] | None:
        """Return the counting with which all spans of the version match their stored text, or None."""
        said = {self.span(row): surface for row, surface in self.said.items()}
        shifted = len(self.missed) == len(self.said) >= _CONVINCING
        for words, counting in _COUNTED if shifted else _COUNTED[:_BY_SIGNS]:
            place = counting(self.text)
            if all(_fits(self.text, place(*span), surface) for span, surface in said.items()):
                return words, place
        return None


def check_spans(export: Export, repair: bool) -> None:
    """Compare spans with the stored text: refuse or repair wrong offsets, note few mismatches, drop spans outside it.

    A span of several variables is counted and noted once.
    """
    told: set[_Marked] = set()
    for rows in (*export.units.values(), *export.mentions.values()):
        versions = list(_versions(export, rows))
        missing = [(version, missed) for version in versions if (missed := version.missed)]
        lost: set[int] = set()
        if repair:
            for version, missed in missing:
                lost |= _repaired(export, version, missed, told)
        elif missing:
            _tell_or_refuse(export, missing, sum(len(version.said) for version in versions))
        for version in versions:
            lost |= _beyond(export, version, lost, told)
        if lost:
            _drop(rows, lost)


def _versions(export: Export, rows: Rows) -> Iterator[_Version]:
    found: dict[tuple[Any, Any], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(rows.columns["doc"], rows.columns["annotator"], strict=True)):
        found[key].append(row)
    for (doc, _), entries in found.items():
        if doc in export.texts:
            yield _Version(rows, export.texts[doc], entries)


def _fits(text: str, span: tuple[int | None, int | None], surface: str | None) -> bool:
    """Whether the span is inside the text and matches the surface, ignoring blanks and line ends."""
    start, end = span
    if start is None or end is None or not 0 <= start <= end <= len(text):
        return False
    return surface is None or text[start:end] == surface or text[start:end].split() == surface.split()


def _tell_or_refuse(export: Export, missing: Sequence[tuple[_Version, list[int]]], spans: int) -> None:
    many = sum(len(missed) for _, missed in missing)
    told = next(((v, m, why) for v, m in missing if (why := v.explained()) is not None), None)
    version, missed, why = told or (*missing[0], None)
    start, end = version.span(missed[0])
    reads = (
        f"{version.rows.places[missed[0]]}: the text at {start}–{end} is {quoted(version.text[start:end], 30)}, "
        f"but the file states {quoted(version.said[missed[0]], 30)}"
    )
    if told is None and many <= max(1, _FEW * spans):
        _tell(export, counted(many, "span"), f" read with unchanged offsets, although the stored text differs: {reads}")
        return
    fit = (
        f"all match if the tool counts {why[0]}; use --repair to read them this way"
        if why
        else "use --repair to find the text nearby"
    )
    raise DataError("invalid-record", f"{reads}; {many:,} of {counted(spans, 'span')} do not match their text; {fit}")


def _tell(export: Export, many: str, what: str) -> None:
    """Add a note once, even if several variables have the span."""
    if not any(note.endswith(what) for note in export.notes):
        export.notes.append(many + what)


def _repaired(export: Export, version: _Version, missed: Sequence[int], told: set[_Marked]) -> set[int]:
    """Repair offsets. Return the rows of spans that were not found nearby."""
    why, said, lost = version.explained(), version.said, set()
    for row in version.entries if why else missed:
        start, end = version.span(row)
        found = why[1](start, end) if why else _nearest(version.text, start, said[row])
        if found is None or None in found:
            if version.marked(row) not in told:
                told.add(version.marked(row))
                export.leave(
                    "spans whose text was not found nearby", f"{said.get(row, '')} at {version.rows.places[row]}"
                )
            lost.add(row)
        else:
            version.rows.columns["start"][row], version.rows.columns["end"][row] = found
    how = f"the tool counts {why[0]}" if why else "accord found their text nearby"
    _tell(export, counted(len(missed), "span"), f" repaired, the first at {version.rows.places[missed[0]]}: {how}")
    return lost


def _nearest(text: str, start: int, surface: str) -> _Span | None:
    """Return the occurrence of a span's text that is nearest to its offset, or None."""
    places = []
    at = text.find(surface, max(0, start - _NEAR)) if surface else -1
    while 0 <= at <= start + _NEAR:
        places.append(at)
        at = text.find(surface, at + 1)
    best = min(places, key=lambda found: abs(found - start), default=None)
    return None if best is None else (best, best + len(surface))


def _beyond(export: Export, version: _Version, known: set[int], told: set[_Marked]) -> set[int]:
    """Return the rows of spans outside the text. Count spans that start or end with a blank."""
    lost, text, size = set(), version.text, len(version.text)
    for row, (start, end) in zip(version.entries, version.spans(), strict=True):
        inside = 0 <= start <= end <= size
        if inside and (start == end or not (text[start].isspace() or text[end - 1].isspace())):
            continue
        if row in known:
            continue
        again = version.marked(row) in told
        told.add(version.marked(row))
        if not inside:
            lost.add(row)
            if not again:
                why = "spans outside the text" if start <= end else "spans that end before they start"
                export.leave(why, f"{start}–{end} at {version.rows.places[row]}, in a text of {size:,} characters")
        elif not again:
            export.blank_ends += 1
    return lost


def _drop(rows: Rows, lost: set[int]) -> None:
    columns: list[list[Any]] = [*rows.columns.values(), *rows.features.values(), rows.places, rows.surfaces]
    for column in columns:
        column[:] = [value for row, value in enumerate(column) if row not in lost]

"""Mutations of files: bytes, lines and cells, elements of XML, values of JSON, and files inside archives.

A mutation maps the content of a file to another content. Mutations of a structure keep it valid, so that the reader of
the format processes the change.
"""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

from .words import CELLS, LABELS, NUMBERS, some, surrogate_free

LARGEST = 200_000  # larger results are cut
FAR_TOO_MANY = (200_000_000, 0x0D000000, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 33, 1 << 40, (1 << 63) - 1)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_TAG = re.compile(rb"<[^<>]{1,400}>")
_ATTRIBUTE = re.compile(rb'="[^"<>]{0,200}"')
_BETWEEN = re.compile(rb">[^<>]{1,200}<")
_DELIMITER = re.compile(rb"[,;\t|]")


def mutated(rng: Random, content: bytes, name: str, depth: int = 0) -> bytes:
    """Apply one to four mutations."""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 3))):
        content = _chosen(rng, content, name, depth)(rng, content)[:LARGEST]
    return content


def _chosen(rng: Random, content: bytes, name: str, depth: int) -> Callable[[Random, bytes], bytes]:
    start = content[:200].lstrip(b"\xef\xbb\xbf \r\n\t")
    if rng.random() < 0.15 or not content:
        return rng.choice(BYTES)
    if content[:4] == b"PK\x03\x04" and depth < 2:
        return lambda rng, content: _in_archive(rng, content, depth)
    if start[:1] in {b"{", b"["} and rng.random() < 0.8:
        return _json
    if start[:1] == b"<" and rng.random() < 0.8:
        return rng.choice(XML)
    if b"\0" in content[:100] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return rng.choice(BYTES)
    return rng.choice(LINES)


# by bytes


def _flip(rng: Random, content: bytes) -> bytes:
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if made:
            made[rng.randrange(len(made))] = rng.choice((0, 10, 13, 32, 34, 44, 127, 128, 255, rng.randrange(256)))
    return bytes(made)


def _cut(rng: Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _without(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at + rng.choice((1, 2, 5, 40, 400)) :]


def _twice(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    piece = content[at : at + rng.choice((1, 3, 20, 200))]
    return content[:at] + piece * rng.choice((2, 3, 50)) + content[at:]


def _inserted(rng: Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + surrogate_free(some(rng, CELLS, NUMBERS)).encode() + content[at:]


def _encoded(rng: Random, content: bytes) -> bytes:
    """Encode differently, or decode with a wrong encoding."""
    text = content.decode("utf-8", "replace")
    name = rng.choice(
        ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp1252", "shift_jis", "utf-7")
    )
    return text.encode(name, "replace")


def _forged(rng: Random, content: bytes) -> bytes:
    """Write a very large number somewhere, as a count, a length or an offset."""
    many = rng.choice(FAR_TOO_MANY)
    order = rng.choice(("little", "big", "variable"))
    number = variable(many) if order == "variable" else many.to_bytes(4 if many < 1 << 32 else 8, order)
    at = rng.randrange(len(content) + 1)
    return content[:at] + number + content[at + rng.choice((len(number), len(number), 1)) :]


def variable(number: int) -> bytes:
    """Encode as a varint: seven bits in each byte, the eighth bit if more bytes follow."""
    made = bytearray()
    while number >= 128:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def _nothing(rng: Random, content: bytes) -> bytes:
    return rng.choice(
        (b"", b" ", b"\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"{", b"[", b"<", b"PK\x03\x04", b"PAR1", b"\0" * 600)
    )


BYTES = (_flip, _flip, _forged, _forged, _cut, _without, _twice, _inserted, _encoded, _nothing)


# by lines and cells


def _line_gone(rng: Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if lines:
        del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _line_again(rng: Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if lines:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return b"".join(lines)


def _lines_swapped(rng: Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _line_ends(rng: Random, content: bytes) -> bytes:
    return rng.choice((b"\r\n", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8", b" \n", b"")).join(content.splitlines())


def _number(rng: Random, content: bytes) -> bytes:
    return _replaced(rng, _NUMBER, content, lambda: some(rng, NUMBERS))


def _cell(rng: Random, content: bytes) -> bytes:
    """Replace, add or remove a cell."""
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    at = 0 if rng.random() < 0.3 else rng.randrange(len(lines))
    body = lines[at].rstrip(b"\r\n")
    sign = (_DELIMITER.findall(lines[0]) or [b","])[0]
    cells = body.split(sign)
    which = rng.randrange(len(cells))
    what = rng.random()
    if what < 0.6:
        cells[which] = surrogate_free(some(rng, CELLS, CELLS, LABELS, NUMBERS)).encode()
    elif what < 0.7:
        cells.insert(which, surrogate_free(some(rng, CELLS, LABELS)).encode())
    elif what < 0.8:
        del cells[which]
    elif what < 0.9:
        cells[which] = rng.choice(cells)
    else:
        cells[which] = b'"' + cells[which] + rng.choice((b'"', b"", b'""'))
    lines[at] = sign.join(cells) + lines[at][len(body) :]
    return b"".join(lines)


def gently(rng: Random, content: bytes) -> bytes:
    """Exchange cells within columns, so that the table stays readable."""
    lines = content.splitlines()
    sign = (_DELIMITER.findall(lines[0]) or [b","])[0] if lines else b","
    rows = [line.split(sign) for line in lines]
    if len(rows) < 3 or b"\0" in content or len({len(row) for row in rows}) > 1:
        return content
    for _ in range(rng.choice((1, 2, 5))):
        one, other = rng.randrange(1, len(rows)), rng.randrange(1, len(rows))
        which = rng.randrange(len(rows[0]))
        rows[one][which], rows[other][which] = rows[other][which], rows[one][which]
    return b"\n".join(sign.join(row) for row in rows) + b"\n"


def _column(rng: Random, content: bytes) -> bytes:
    """Replace, duplicate or remove a column."""
    lines = content.splitlines()
    if not lines:
        return content
    sign = (_DELIMITER.findall(lines[0]) or [b","])[0]
    which = rng.randrange(lines[0].count(sign) + 1)
    word = surrogate_free(some(rng, CELLS, LABELS)).encode()
    what = rng.choice(("same", "gone", "twice", "moved"))
    made = []
    for k, line in enumerate(lines):
        cells = line.split(sign)
        if which < len(cells):
            if what == "same" and k:
                cells[which] = word
            elif what == "gone":
                del cells[which]
            elif what == "twice":
                cells.append(cells[which])
            elif what == "moved":
                cells.append(cells.pop(which))
        made.append(sign.join(cells))
    return b"\n".join(made) + b"\n"


def _delimiter(rng: Random, content: bytes) -> bytes:
    sign = (_DELIMITER.findall(content[:400]) or [b","])[0]
    return content.replace(sign, rng.choice((b";", b"\t", b",", b"|", b" ", b", ", b"::", b"\x1f")))


LINES = (
    _line_gone, _line_again, _lines_swapped, _line_ends, _number, _number, _cell, _cell, _cell, _cell, _column, _column,
    _delimiter, _inserted, _twice, _cut,
)  # fmt: skip


# by elements


def _tag_gone(rng: Random, content: bytes) -> bytes:
    return _replaced(rng, _TAG, content, lambda: "")


def _tag_again(rng: Random, content: bytes) -> bytes:
    found = list(_TAG.finditer(content))
    if not found:
        return content
    one, at = rng.choice(found), rng.choice(found)
    return content[: at.start()] + one[0] + content[at.start() :]


def _attribute(rng: Random, content: bytes) -> bytes:
    word = _escaped(some(rng, CELLS, NUMBERS, LABELS))
    return _replaced(rng, _ATTRIBUTE, content, lambda: f'="{word}"')


def _attribute_of_another(rng: Random, content: bytes) -> bytes:
    """Change a reference to another element, or to itself."""
    found = _ATTRIBUTE.findall(content)
    return _replaced(rng, _ATTRIBUTE, content, lambda: rng.choice(found).decode("utf-8", "replace"))


def _text_between(rng: Random, content: bytes) -> bytes:
    word = _escaped(some(rng, CELLS, NUMBERS, LABELS))
    return _replaced(rng, _BETWEEN, content, lambda: f">{word}<")


def _entities(rng: Random, content: bytes) -> bytes:
    laughs = "".join(f'<!ENTITY l{k + 1} "{f"&l{k};" * 10}">' for k in range(9))
    head = rng.choice((f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>', '<!DOCTYPE x SYSTEM "file:///etc/passwd">'))
    return head.encode() + _replaced(rng, _BETWEEN, content, lambda: ">&l9;<")


def _nested(rng: Random, content: bytes) -> bytes:
    found = list(_TAG.finditer(content))
    if not found:
        return content
    at = rng.choice(found)
    return content[: at.start()] + at[0] * rng.choice((30, 300)) + content[at.start() :]


XML = (
    _tag_gone, _tag_again, _attribute, _attribute, _attribute, _attribute_of_another, _attribute_of_another,
    _text_between,
    _text_between, _entities, _nested, _number, _number, _line_gone, _line_again, _twice, _cut,
)  # fmt: skip


def _escaped(text: str) -> str:
    return surrogate_free(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _replaced(rng: Random, pattern: re.Pattern[bytes], content: bytes, word: Callable[[], str]) -> bytes:
    found = list(pattern.finditer(content))
    for at in sorted(rng.sample(found, min(len(found), rng.choice((1, 1, 2, 5)))), key=lambda m: -m.start()):
        content = content[: at.start()] + surrogate_free(word()).encode() + content[at.end() :]
    return content


# by values of JSON

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 0.5, 1e308, -0.0, 10**30, "", "x", "1", [], {}, [[]], [None], {"": None}, [1, 2],
    {"a": 1},
    float("nan"), float("inf"), "\x00", "😀", "\u202e", [[[[]]]], [{}], 2**63, "true", "2020-01-01",
)  # fmt: skip


def _json(rng: Random, content: bytes) -> bytes:
    """Replace, remove, duplicate or move a value of a document or of a line of JSON Lines."""
    text = content.decode("utf-8-sig", "replace")
    try:
        whole = json.loads(text)
        return _dumped(_changed(rng, whole))
    except (ValueError, RecursionError):
        lines = text.splitlines()
        at = rng.randrange(len(lines)) if lines else 0
        try:
            lines[at] = _dumped(_changed(rng, json.loads(lines[at]))).decode()
        except (ValueError, RecursionError, IndexError):
            return rng.choice(BYTES)(rng, content)
        return ("\n".join(lines) + "\n").encode()


def _dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _changed(rng: Random, whole: Any) -> Any:
    places = _places(whole)
    if not places:
        return rng.choice(ODD)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        holder, key = rng.choice(places)
        if not (isinstance(holder, dict) and key in holder) and not (isinstance(holder, list) and key < len(holder)):
            continue  # removed by an earlier change
        what = rng.random()
        if what < 0.5:
            holder[key] = rng.choice(ODD)
        elif what < 0.65:
            del holder[key]
        elif what < 0.75:
            holder[key] = [holder[key], holder[key]]
        elif what < 0.9:
            other, name = rng.choice(places)
            there = (isinstance(other, dict) and name in other) or (isinstance(other, list) and name < len(other))
            copied = json.loads(json.dumps(other[name])) if there else None
            holder[key] = copied
        elif isinstance(holder, dict):
            holder[some(rng, CELLS, LABELS)] = holder.pop(key)
        else:
            holder.append(holder[key])
    return whole


def _places(value: Any, most: int = 3_000) -> list[tuple[Any, Any]]:
    """Return the places of values: the object or list, and the key."""
    found: list[tuple[Any, Any]] = []
    left = [value]
    while left and len(found) < most:
        one = left.pop()
        keys = list(one) if isinstance(one, dict) else list(range(len(one))) if isinstance(one, list) else []
        for key in keys:
            found.append((one, key))
            left.append(one[key])
    return found


# inside archives


def _in_archive(rng: Random, content: bytes, depth: int) -> bytes:
    """Change, rename, duplicate or remove a file in an archive, or damage the archive."""
    if rng.random() < 0.1:
        return rng.choice(BYTES)(rng, content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inside = [(one.filename, archive.read(one)) for one in archive.infolist() if not one.is_dir()]
    except Exception:  # noqa: BLE001 - it was damaged before
        return rng.choice(BYTES)(rng, content)
    if not inside:
        return content
    at = rng.randrange(len(inside))
    name, held = inside[at]
    what = rng.random()
    if what < 0.75:
        inside[at] = (name, mutated(rng, held, name, depth + 1))
    elif what < 0.85:
        inside[at] = (
            rng.choice((f"../{name}", "/etc/x.csv", "", "x" * 200, name.upper(), "a/b/c.csv", inside[0][0])),
            held,
        )
    elif what < 0.95:
        del inside[at]
    else:
        inside.append((f"copy/{name}", held))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive:
        for one, holds in inside:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # duplicate names are intended
                archive.writestr(zipfile.ZipInfo(surrogate_free(one) or "x"), holds)
    return packed.getvalue()

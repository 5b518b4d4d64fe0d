"""Damaged and hostile files of any format: one clear line within seconds, no traceback, little memory.

Each format of the catalogue is tested with a small sample that is damaged in many ways. Samples of the shared corpora
are larger.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.core.errors import AccordError
from accord.data.io.formats import files
from accord.data.io.formats.catalogue import NATIVE, format_of
from accord.data.io.formats.files import gather_files

from ...conftest import DATA
from ...needs import CORPORA

LARGEST_SAMPLE = 140_000
SECONDS = 4.0  # for one file, on a busy machine
NAMES = [
    one.name for one in NATIVE if one.name != "webanno_project"
]  # a project is an archive of files in other formats
NOT_IN_CORPORA = {"argilla", "m2", "refi_qda"}
LAUGHS = "".join(f'<!ENTITY l{k + 1} "{f"&l{k};" * 10}">' for k in range(12))
DOCTYPES = (
    f'<!DOCTYPE lolz [<!ENTITY l0 "lol">{LAUGHS}]>',
    '<!DOCTYPE x [<!ENTITY l12 SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE x SYSTEM "http://localhost:9/never.dtd">',
)


def largest_file(name: str) -> Path:
    """Return the largest file in the sample of this format in tests/data."""
    return max((DATA / "formats" / name / "1").rglob("*"), key=lambda path: path.is_file() and path.stat().st_size)


def beginning(name: str) -> bytes:
    return largest_file(name).read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip()[:1]


def parameters(names: list[str]) -> list[Any]:
    """Return the sample of each format in tests/data and in the corpora."""
    shared = [name for name in names if name not in NOT_IN_CORPORA]
    marks = (pytest.mark.corpora, pytest.mark.slow)
    return [*names, *(pytest.param(f"corpora/{name}", marks=marks) for name in shared)]


XML = [name for name in NAMES if beginning(name) == b"<"]
JSON = [name for name in NAMES if beginning(name) in {b"{", b"["}]


@cache
def shared_samples() -> dict[str, Path]:
    """Return the first file of each format in the corpora that is neither tiny nor large."""
    folders = [CORPORA / "native-samples", *sorted(CORPORA.glob("*/native"))]
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*"))[:800]:
            if path.is_file() and 100 <= path.stat().st_size <= LARGEST_SAMPLE and not path.name.startswith("."):
                known = format_of(next(iter(gather_files([path]))))
                if known is not None and known.name not in found:
                    found[known.name] = path
    return found


@pytest.fixture
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Copy the sample with the files next to it."""
    source, _, name = request.param.rpartition("/")
    if not source:
        folder = DATA / "formats" / name / "1"
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
        return tmp_path / largest_file(name).relative_to(folder)
    path = shared_samples()[name]
    for beside in path.parent.iterdir():
        if beside.is_file() and (beside.stem == path.stem or beside.suffix == ".xml"):
            (tmp_path / beside.name).write_bytes(beside.read_bytes())
    return tmp_path / path.name


def for_formats(names: list[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("sample", parameters(names), indirect=True)


def read_damaged(path: Path, content: bytes) -> str:
    """Read the file with this content. Return the one-line error, or an empty string."""
    path.write_bytes(content)
    began = time.monotonic()
    message = ""
    try:
        accord.read(path)
    except AccordError as error:
        message = str(error)
        assert message
        assert "\n" not in message
    assert time.monotonic() - began < SECONDS
    return message


def truncate(content: bytes, most: int = 8) -> list[bytes]:
    """Return the file truncated at some of every hundredth byte."""
    ends = range(1, len(content), 100)
    return [content[:end] for end in ends[:: max(1, len(ends) // most)]]


@pytest.mark.parametrize("name", NAMES)
def test_every_format_has_a_sample_that_is_recognised(name: str) -> None:
    known = format_of(gather_files([largest_file(name)])[0])
    assert known is not None
    assert known.name == name


@pytest.mark.slow
def test_corpora_have_a_sample_of_most_formats(corpora: Path) -> None:
    assert set(NAMES) - set(shared_samples()) == NOT_IN_CORPORA


@for_formats(NAMES)
def test_truncated_files_are_read_or_refused(sample: Path) -> None:
    for piece in truncate(sample.read_bytes()):
        read_damaged(sample, piece)


@for_formats(NAMES)
def test_zero_bytes_and_noise_are_read_or_refused(sample: Path) -> None:
    content = sample.read_bytes()
    rng = random.Random(0)  # noqa: S311 - no secrets
    middle = len(content) // 2
    read_damaged(sample, content[:middle] + b"\0" * 10 + content[middle:])
    read_damaged(sample, b"\0" * 1000)
    read_damaged(sample, b"")
    for _ in range(5):
        noisy = bytearray(content)
        for at in rng.sample(range(len(noisy)), min(20, len(noisy))):
            noisy[at] = rng.randrange(256)
        read_damaged(sample, bytes(noisy))


@for_formats(NAMES)
def test_other_encodings_are_read_or_refused(sample: Path) -> None:
    text = sample.read_bytes().decode("utf-8", "replace")
    read_damaged(sample, text.encode("utf-16"))
    read_damaged(sample, text.encode("utf-32"))
    read_damaged(sample, (text + "ä€").encode("cp1252", "replace"))
    read_damaged(sample, b"\xef\xbb\xbf" + text.encode("utf-8", "replace"))
    read_damaged(sample, text.replace("\n", "\r\n").encode("utf-8", "replace"))


@for_formats(NAMES)
def test_endless_line_is_read_or_refused(sample: Path) -> None:
    content = sample.read_bytes()
    read_damaged(sample, content + b"x" * 5_000_000)
    read_damaged(sample, content + b"9" * 20_000)


@for_formats(NAMES)
def test_missing_and_repeated_lines_are_read_or_refused(sample: Path) -> None:
    lines = sample.read_bytes().split(b"\n")
    rng = random.Random(1)  # noqa: S311 - no secrets
    for _ in range(6):
        at = rng.randrange(len(lines))
        read_damaged(sample, b"\n".join(lines[:at] + lines[at + 1 :]))
        read_damaged(sample, b"\n".join(lines[: at + 1] + lines[at:]))


@for_formats(NAMES)
def test_invalid_numbers_are_read_or_refused(sample: Path) -> None:
    """Replace some digits anywhere in the file."""
    content = sample.read_bytes()
    rng = random.Random(2)  # noqa: S311 - no secrets
    digits = [k for k, byte in enumerate(content) if chr(byte).isdigit()]
    for other in (b"x", b"-9", b"1e999", b"9" * 400, b""):
        for at in rng.sample(digits, min(3, len(digits))):
            read_damaged(sample, content[:at] + other + content[at + 1 :])


@for_formats(XML)
@pytest.mark.parametrize("doctype", DOCTYPES, ids=["laughs", "file", "network"])
def test_xml_entities_are_refused(sample: Path, doctype: str) -> None:
    content = sample.read_bytes()
    text = content.decode("utf-8", "ignore").lstrip("\ufeff").lstrip()
    declaration, body = ("", text)
    if text.startswith("<?xml"):
        declaration, body = text[: text.index("?>") + 2], text[text.index("?>") + 2 :]
    if "<!DOCTYPE" in body:
        body = body[body.index(">", body.index("<!DOCTYPE")) + 1 :]
    first = body.index(">", body.index("<" + body.split("<")[1][:1])) + 1
    message = read_damaged(sample, (declaration + doctype + body[:first] + "&l12;" + body[first:]).encode())
    assert "root:" not in message  # /etc/passwd
    if "ENTITY" in doctype:
        assert "entit" in message.lower()


def change_one_value(value: Any, rng: random.Random) -> Any:
    """Return the same JSON with one value removed or replaced by another type."""
    made = json.loads(json.dumps(value))
    places = list(walk(made))
    if not places:
        return made
    holder, key = rng.choice(places)
    other = rng.choice([None, 3, -1.5, "x", "", [], {}, [None], {"a": {}}, True, "…"])
    if other == "…":
        del holder[key]
    else:
        holder[key] = other
    return made


def walk(value: Any) -> Iterator[tuple[Any, Any]]:
    held = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(held)[:30]:
        yield value, key
        yield from walk(inner)


@for_formats(JSON)
def test_json_values_of_other_types_are_read_or_refused(sample: Path) -> None:
    text = sample.read_bytes().decode("utf-8", "ignore")
    try:
        whole, lines = json.loads(text), False
    except ValueError:
        whole, lines = [json.loads(line) for line in text.split("\n")[:20] if line.strip()], True
    rng = random.Random(3)  # noqa: S311 - no secrets
    write: Callable[[Any], str] = (lambda v: "\n".join(map(json.dumps, v))) if lines else json.dumps
    for _ in range(60):
        made = change_one_value(whole, rng)
        if not lines or isinstance(made, list):
            read_damaged(sample, write(made).encode())


@for_formats(JSON)
def test_json_nested_a_million_times_is_refused(sample: Path) -> None:
    content = sample.read_bytes()
    read_damaged(sample, b"[" * 1_000_000)
    read_damaged(sample, b'{"a":' * 1_000_000)
    colon = content.index(b":") + 1
    assert read_damaged(sample, content[:colon] + b"[" * 1_000_000 + content[colon:])


def archive(entries: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as held:
        for name, content in entries.items():
            held.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize("name", ["../out.tsv", "/etc/out.tsv", "a/../../out.tsv", "..\\out.tsv", "C:/out.tsv"])
def test_archive_names_outside_the_archive_are_refused(tmp_path: Path, name: str) -> None:
    message = read_damaged(tmp_path / "a.zip", archive({"a.tsv": b"x", name: b"x"}))
    assert "leads out of the archive" in message


def test_archives_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = archive({"annotation/d/ana.tsv": b"#FORMAT=WebAnno TSV 3.3\n" + b"\0" * 3_000_000})
    monkeypatch.setattr(files, "LARGEST", 1_000_000)
    assert "larger than" in read_damaged(tmp_path / "a.zip", bomb)
    monkeypatch.setattr(files, "_LARGEST_ARCHIVE", 2_000_000)
    assert "unpacks to more than" in read_damaged(tmp_path / "a.zip", bomb)
    monkeypatch.setattr(files, "_MOST_FILES", 3)
    assert "files in one archive" in read_damaged(tmp_path / "a.zip", archive({f"{k}.tsv": b"x" for k in range(9)}))


def test_false_sizes_truncation_and_deep_nesting_of_archives_are_refused(tmp_path: Path) -> None:
    whole = archive({"annotation/d/ana.tsv": b"#FORMAT=WebAnno TSV 3.3\n" * 1000})
    lying = whole.replace((24_000).to_bytes(4, "little"), (24).to_bytes(4, "little"))
    assert read_damaged(tmp_path / "a.zip", lying)
    for piece in truncate(whole):
        assert read_damaged(tmp_path / "a.zip", piece)
    nested = whole
    for _ in range(10):
        nested = archive({"a.zip": nested})
    assert read_damaged(tmp_path / "a.zip", nested)


def test_small_archive_needs_little_memory(tmp_path: Path) -> None:
    """Python allocates as many bytes as a read requests, even for small files, so reads must be bounded."""
    path = tmp_path / "a.zip"
    path.write_bytes(archive({"table.csv": b"item,Ana,Ben\ni1,x,x\ni2,y,x\n"}))
    tracemalloc.start()
    try:
        (inside,) = gather_files([path])
        assert inside.bytes().startswith(b"item")
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


HELD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from accord.doors.cli import main
sys.argv = ["accord", "read", sys.argv[1]]
main()
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xmi", b'<!DOCTYPE x [<!ENTITY l0 "lol">' + LAUGHS.encode() + b"]><x>http:///uima/cas.ecore &l12;</x>"),
        ("a.json", b'{"%TYPES": ' + b"[" * 10_000_000),
        (
            "a.tsv",
            b"#FORMAT=WebAnno TSV 3.3\n#T_SP=a.B|v\n\n\n" + b"#Text=a\n1-1\t99999999-99999999\ta\tx\n\n" * 100_000,
        ),
    ],
)
def test_command_line_needs_little_memory(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    began = time.monotonic()
    run = [sys.executable, "-c", HELD, str(tmp_path / name)]
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603
    assert done.returncode == 2, done.stderr[-500:]
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr[-500:]
    assert time.monotonic() - began < 20

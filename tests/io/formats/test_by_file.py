"""Several workers read files with the same result as one worker, and reading reports its progress."""

from __future__ import annotations

import pickle
import random
import shutil
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import accord
from accord.core import parallel
from accord.core.context import Run
from accord.core.errors import AccordError, DataError, UnknownName
from accord.data.io.formats.catalogue import formats_of
from accord.data.io.formats.files import HEAD, File, gather_files
from accord.data.io.formats.parsing import READING, each

from ...refusals import raises

DOCS, PEOPLE = 6, ("Ana", "Ben")
FOLDERS = ("webanno_tsv", "uima_xmi", "brat", "textgrid", "elan", "rttm", "iob")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start workers after the first task, even if it was fast."""
    monkeypatch.setattr(parallel, "_PATIENCE", -1.0)
    monkeypatch.setattr(parallel, "_WORTH_IT", -1.0)


@pytest.fixture(scope="module")
def corpus() -> accord.Corpus:
    rng = random.Random(1)  # noqa: S311 - data, no secrets
    columns: dict[str, list[object]] = {name: [] for name in ("doc", "annotator", "start", "end", "label")}
    for doc in range(DOCS):
        for who in PEOPLE:
            for at in range(0, 60, 15):
                row = (f"d{doc}", who, at, at + rng.choice((4, 9)), rng.choice("XYZ"))
                for name, value in zip(columns, row, strict=True):
                    columns[name].append(value)
    texts = {f"d{doc}": " ".join([f"ab{doc}c"] * 12 + ["🙂"]) for doc in range(DOCS)}
    read = accord.read(columns, layout="units", extents={doc: (0, len(text)) for doc, text in texts.items()})
    assert isinstance(read, accord.Corpus)
    return replace(read, texts=texts)


def read_outcome(path: Path, jobs: int) -> object:
    """Return the data and notes, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = accord.read_all(path, jobs=jobs)
        except AccordError as error:
            return type(error), str(error)
    return {name: (data.rows(), data.notes) for name, data in found.items()}


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", FOLDERS)
def test_several_workers_give_the_same_result_as_one(corpus: accord.Corpus, tmp_path: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        accord.convert(corpus, tmp_path / "out", format=name)
    alone = read_outcome(tmp_path / "out", 1)
    assert isinstance(alone, dict), alone
    assert read_outcome(tmp_path / "out", 2) == alone
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "out")
    assert read_outcome(Path(packed), 2) == read_outcome(Path(packed), 1)
    files = [path for path in sorted((tmp_path / "out").rglob("*")) if path.is_file() and path.name != "TypeSystem.xml"]
    for broken in (files[len(files) // 2], files[-1]):
        broken.write_bytes(broken.read_bytes()[:-30] + b"\n\xff<\x00")
    assert read_outcome(tmp_path / "out", 2) == read_outcome(tmp_path / "out", 1)


@pytest.mark.usefixtures("at_once")
def test_first_error_in_input_order_is_raised() -> None:
    with raises("unknown-name", '"3"'):
        each(_refuse_some, list(range(40)), Run(jobs=2))


def _refuse_some(number: int) -> int:
    if number in {3, 4, 30}:
        raise UnknownName("file", number, ())
    return number


@pytest.mark.usefixtures("at_once")
def test_results_and_progress_are_in_input_order() -> None:
    calls: list[tuple[str, int, int]] = []
    run = Run(jobs=2, progress=lambda *one: calls.append(one))
    assert each(str, list(range(200)), run) == [str(k) for k in range(200)]
    assert calls == sorted(calls), "progress increases"
    assert {what for what, _, _ in calls} == {READING}
    assert calls[-1] == (READING, 200, 200)
    assert all(done <= total == 200 for _, done, total in calls)


@pytest.mark.parametrize("name", FOLDERS)
def test_reading_reports_progress_from_start_to_end(corpus: accord.Corpus, tmp_path: Path, name: str) -> None:
    calls: list[tuple[str, int, int]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        accord.convert(corpus, tmp_path / "out", format=name)
        accord.read_all(tmp_path / "out", progress=lambda *one: calls.append(one))
    reading = [one for one in calls if one[0] == READING]
    assert reading[0][1:] == (0, reading[0][2])
    assert reading[-1][1] == reading[-1][2] >= len(PEOPLE)
    with raises("option-value"):
        accord.read_all(tmp_path / "out", jobs=0)


def test_file_of_an_archive_is_pickled_with_its_bytes(tmp_path: Path) -> None:
    """A file of an archive is pickled with its bytes. A damaged one raises its error only when it is opened."""
    path, content = tmp_path / "p.zip", b"abc" * HEAD
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", content)
    (file,) = gather_files([path])
    sent: File = pickle.loads(pickle.dumps(file))  # noqa: S301 - our own
    assert (sent.name, sent.parts, sent.bytes()) == (file.name, ("p.zip", "a.txt"), content)
    whole = path.read_bytes()
    path.write_bytes(whole[: 2 * HEAD] + b"!" + whole[2 * HEAD + 1 :])
    (broken,) = gather_files([path])
    sent = pickle.loads(pickle.dumps(broken))  # noqa: S301 - our own
    with raises("file-damaged") as trouble:
        sent.bytes()
    with pytest.raises(DataError) as here:
        broken.bytes()
    assert str(here.value) == str(trouble.value)


def test_heads_of_many_files_are_not_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.data.io.formats.files._MOST_HELD", 25)
    for k in range(5):
        (tmp_path / f"{k}.ann").write_text("T1\tX 0 1\ta", encoding="utf-8")  # 10 bytes
    files = gather_files([tmp_path])
    assert [len(file.__dict__.get("head", b"")) for file in files] == [10, 10, 0, 0, 0]
    assert [len(found) for found in formats_of(files).values()] == [5]
    assert [len(file.__dict__.get("head", b"")) for file in files] == [10, 10, 0, 0, 0]
    assert {file.bytes() for file in files} == {b"T1\tX 0 1\ta"}


def test_folder_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: str) -> None:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr("accord.data.io.formats.files.os.scandir", refuse)
    with raises("file-unreadable"):
        gather_files([tmp_path])

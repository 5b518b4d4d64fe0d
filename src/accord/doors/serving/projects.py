"""Projects: uploads, reading options, jobs and limits.

The files are in the private folder of the server, everything else is in memory.
"""

from __future__ import annotations

import asyncio
import csv
import os
import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from accord.answers.catalogue import ON_PAGE
from accord.core.errors import AccordError, DataError, SpecError, UnknownName, quoted
from accord.doors.serving.access import Access
from accord.doors.serving.commands import decisions_about, holds_decisions
from accord.doors.serving.jobs import ABOUT, DONE, SPEC, Job, JobQueue
from accord.doors.serving.private_folder import PrivateFolder

_MOST_PROJECTS = 100  # of a user
_MOST_JOBS = 50  # of a project, that are over
_MOST_CHECKS = 2  # of specs, at once
_SECONDS_BETWEEN_SWEEPS = 600.0
_MOST_FILES = 20_000
_LONGEST_NAME, _LONGEST_PATH, _DEEPEST = 200, 800, 16
_KEEP_FREE = 1 << 28  # bytes of the disk
_BATCH = 1 << 20  # bytes written at once
# Device names and forbidden characters of Windows: users may download uploads there.
_WINDOWS_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_NOT_IN_NAMES = set('<>:"|?*\\')
# The examples are in the root of a checkout and in this package of a wheel.
_EXAMPLES = (Path(__file__).parent / "examples", Path(__file__).parents[4] / "examples")


class TooLarge(AccordError):  # noqa: N818 - reads better without "Error"
    """The upload exceeds the limits of a user."""


# -- names of files -------------------------------------------------------------------------------------------------


def check_path(given: str) -> str:
    """Return the normalised path. Raise if it leaves its folder or is not valid on every system."""
    path = unicodedata.normalize("NFC", given)
    parts = path.split("/")
    if len(path) > _LONGEST_PATH or len(parts) > _DEEPEST:
        raise SpecError("file-name", f"{quoted(given)}: the path is too long or has too many folders; shorten it")
    for part in parts:
        if reason := _reason_against(part):
            raise SpecError("file-name", f"{quoted(given)} cannot be uploaded: {reason}; rename it")
    return path


def _reason_against(part: str) -> str | None:  # noqa: PLR0911 - one return per reason
    if part in {"", ".", ".."}:
        return "the path leaves its folder" if part == ".." else "a part of the path is empty"
    if len(part.encode("utf-8", errors="replace")) > _LONGEST_NAME:
        return "the name is too long"
    if any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in part):
        return "the name contains invisible characters"
    if bad := next((sign for sign in part if sign in _NOT_IN_NAMES), None):
        return f"the name contains {quoted(bad)}"
    if part[-1] in ". " or part[0] == " ":
        return "the name begins or ends with a space, or ends with a dot"
    if part[0] in ".~":
        return f"the name begins with {quoted(part[0])}"
    if _WINDOWS_DEVICES.fullmatch(part):
        return "the name is reserved on Windows"
    return None


# -- a project ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """Example data on the page: files and folders in a folder of examples/."""

    name: str
    kind: str  # of the data
    folder: str
    names: tuple[str, ...]
    summary: str

    def files(self) -> dict[str, Path]:
        """Return the files by their paths in the upload."""
        folder = next(folder for folder in _EXAMPLES if folder.is_dir()) / self.folder
        roots = [folder / name for name in self.names]
        files = [file for root in roots for file in (sorted(root.rglob("*")) if root.is_dir() else [root])]
        return {file.relative_to(folder).as_posix(): file for file in files if file.is_file()}

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "kind": self.kind, "files": list(self.files()), "summary": self.summary}


EXAMPLES = (
    Example("sentences", "items", "garden", ("sentences.csv",), "Categories of sentences, by three annotators"),
    Example("tone", "items", "garden", ("tone.csv",), "Ratings on a scale from 1 to 5"),
    Example("spans", "units", "garden", ("spans.csv", "docs.csv", "judged.csv"), "Spans in four documents"),
    Example("brat", "units", ".", ("brat",), "A brat project: two annotators, one document"),
    Example("chains", "chains", "fables", ("chains.csv", "docs.csv", "judged.csv"), "Coreference chains in fables"),
)


@dataclass(eq=False)
class Project:
    """An upload of a user, with the reading options."""

    user: str
    folder: Path
    name: str = ""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    reading: dict[str, Any] = field(default_factory=dict)
    models: list[str] | None = None  # annotators that are models; None: the user did not choose any
    created: float = field(default_factory=time.time)
    touched: float = field(default_factory=time.time)
    arriving: int = 0  # bytes of incomplete uploads

    def __post_init__(self) -> None:
        for folder in (self.files, self.jobs):
            folder.mkdir(parents=True, mode=0o700)

    @property
    def files(self) -> Path:
        return self.folder / "files"

    @property
    def jobs(self) -> Path:
        return self.folder / "jobs"

    @property
    def size(self) -> int:
        return sum(self.file_sizes().values()) + self.arriving

    def file_sizes(self) -> dict[str, int]:
        """Return the size of every file. Links are neither created nor followed."""
        sizes: dict[str, int] = {}
        for folder, _, names in os.walk(self.files):
            for name in names:
                file = Path(folder, name)
                if not name.startswith("."):
                    sizes[file.relative_to(self.files).as_posix()] = file.lstat().st_size
        return dict(sorted(sizes.items()))

    def path_of(self, path: str) -> Path:
        """Return the place of a file, which may not exist. Raise if it is outside the project."""
        file = self.files / check_path(path)
        if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(self.files)):
            raise SpecError("file-name", f"{quoted(path)} leaves its folder; rename it")
        return file

    def decisions_file(self, reading: Mapping[str, Any]) -> Path:
        """Return the decisions file of the variable that `reading` selects."""
        return self.files / decisions_about(reading)

    def decision_files(self) -> list[Path]:
        return [self.files / path for path in self.file_sizes() if holds_decisions(path)]

    def remove(self, path: str) -> bool:
        """Delete a file, or a folder with its files. Return False if it does not exist."""
        file = self.path_of(path)
        if file.is_dir():
            shutil.rmtree(file)
        elif file.exists():
            file.unlink()
        else:
            return False
        return True

    def copy_example(self, example: Example) -> None:
        for path, source in example.files().items():
            file = self.path_of(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, file)

    async def receive(self, path: str, chunks: AsyncIterator[bytes], announced: int | None, quota: Quota) -> int:
        """Store an uploaded file completely or not at all. Return its size in bytes."""
        file = self.path_of(path)
        await to_thread.run_sync(quota.check, announced or 0)
        if file.is_dir():
            raise SpecError("file-name", f"{quoted(path)} is already a folder; rename the file")
        partial = self.folder / f"arriving-{secrets.token_hex(8)}"
        received = 0
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                async for batch in _join_chunks(chunks):
                    received += len(batch)
                    self.arriving += len(batch)
                    quota.check_file(received)
                    await to_thread.run_sync(stream.write, batch)
                    if received % (16 * _BATCH) < _BATCH:
                        await to_thread.run_sync(quota.check, 0)
            await to_thread.run_sync(quota.check, 0)
            await to_thread.run_sync(_move, partial, file)
        except OSError as error:
            raise DataError(
                "output-not-writable",
                f"{quoted(path)} cannot be stored: {error.strerror}; rename it, or free space on the server",
            ) from None
        finally:
            self.arriving -= received
            partial.unlink(missing_ok=True)
        return received


async def _join_chunks(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Join chunks to larger pieces, because each write uses a thread."""
    held: list[bytes] = []
    size = 0
    async for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= _BATCH:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _move(partial: Path, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.replace(partial, file)


@dataclass
class UploadLimits:
    """The limits of uploads."""

    file: int  # bytes of one file
    total: int  # bytes of all files of a user


@dataclass(frozen=True)
class Quota:
    """The limits, and the projects of a user that count towards them."""

    limits: UploadLimits
    projects: list[Project]
    folder: Path

    def check_file(self, size: int) -> None:
        if size > self.limits.file:
            raise TooLarge(
                "page-upload",
                f"the file is larger than {_in_mb(self.limits.file)}, the limit of this server; start accord serve "
                "with a larger --max-upload, or use the command line",
            )

    def check(self, more: int) -> None:
        """Raise if a file of `more` bytes would exceed the limits."""
        self.check_file(more)
        if sum(project.size for project in self.projects) + more > self.limits.total:
            raise TooLarge(
                "page-upload",
                f"your uploads would exceed {_in_mb(self.limits.total)} in total; delete some, or start accord serve "
                "with a larger --max-upload",
            )
        files = sum(len(project.file_sizes()) for project in self.projects)
        if files >= _MOST_FILES:
            raise TooLarge("page-upload", f"{files:,} files are too many; put them into a zip")
        if shutil.disk_usage(self.folder).free - more < _KEEP_FREE:
            raise TooLarge("page-upload", "the disk of the server is full; delete uploads that you do not need")


def _in_mb(size: int) -> str:
    return f"{size / (1 << 20):,.0f} MB"


# -- decisions ------------------------------------------------------------------------------------------------------


def load_decisions(table: Path) -> dict[str, str]:
    """Return the decisions by key. (answers.gold reads them with Polars, which the server does not import.)"""
    from accord.data.io.tables.cells import unguarded

    return {row["key"]: unguarded(row["decision"]) for row in _read_rows(table) if row.get("decision")}


def record_decisions(table: Path, offered: Path, new: Mapping[str, str]) -> dict[str, str]:
    """Add decisions to a table, with the annotators' labels from the file of `--adjudicate`. Return all decisions."""
    before = load_decisions(table)
    rows = {row["key"]: {**row, "decision": before.get(row["key"], "")} for row in _read_rows(table)}
    offers = {row["key"]: row for row in _read_rows(offered)}
    for key, decision in new.items():
        row = rows.get(key) or offers.get(key) or {"key": key}
        rows[key] = {**row, "decision": decision}
    kept = [row for row in rows.values() if row["decision"]]
    columns = list(dict.fromkeys(name for row in kept for name in row if name != "decision"))
    _write_rows(table, [*(columns or ["key"]), "decision"], kept)
    return load_decisions(table)


def _read_rows(table: Path) -> list[dict[str, str]]:
    try:
        with table.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if "key" not in (rows.fieldnames or ()):
                raise csv.Error
            return [row for row in rows if row.get("key")]
    except FileNotFoundError:
        return []
    except (csv.Error, UnicodeDecodeError):
        raise DataError(
            "saved-file-invalid",
            f"{table.name} is not a decisions table of accord gold --adjudicate; if it contains data, rename it",
        ) from None


def _write_rows(table: Path, columns: list[str], rows: list[dict[str, str]]) -> None:
    """Replace the table completely or not at all. Decisions that look like formulas are escaped."""
    from accord.core.writing import as_utf8, write_private
    from accord.data.io.tables.cells import guarded, lines_of  # slow to import and rarely needed

    cells = [
        [guarded(row["decision"]) if name == "decision" else row.get(name, "") for name in columns] for row in rows
    ]
    write_private(table, as_utf8(lines_of(columns, cells)))


# -- all projects ---------------------------------------------------------------------------------------------------


@dataclass
class Workspace:
    """The projects and jobs of all users, with access, queue and limits."""

    access: Access
    folder: PrivateFolder
    queue: JobQueue
    limits: UploadLimits
    keep_seconds: float  # until an idle project is deleted
    local: bool = True  # only this machine can reach the server
    projects: dict[str, Project] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    about: Job | None = None
    checks: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_CHECKS))

    def projects_of(self, user: str) -> list[Project]:
        """Return the projects of a user, newest first."""
        own = [project for project in self.projects.values() if project.user == user]
        return sorted(own, key=lambda project: -project.created)

    def jobs_of(self, project: Project) -> list[Job]:
        """Return the jobs of a project, newest first."""
        own = [job for job in self.jobs.values() if job.project == project.id]
        return sorted(own, key=lambda job: -job.created)

    def quota(self, user: str) -> Quota:
        return Quota(self.limits, self.projects_of(user), self.folder.path)

    def find_project(self, request: Request) -> Project:
        """Return the project of a request. Raise 404 if it belongs to another user."""
        name = request.path_params.get("project") or request.query_params.get("project", "")
        project = self.projects.get(name)
        if project is None or project.user != request.state.user:
            raise HTTPException(404, "this project does not exist")
        project.touched = time.time()
        return project

    def find_job(self, request: Request) -> Job:
        """Return the job of a request. Raise 404 if it belongs to another user."""
        job = self.jobs.get(request.path_params["job"])
        if job is None or job.user != request.state.user:
            raise HTTPException(404, "this job does not exist")
        if job.project in self.projects:
            self.projects[job.project].touched = time.time()
        return job

    def describe_job(self, job: Job) -> dict[str, Any]:
        return {**job.as_dict(), "place": self.queue.place_of(job)}

    async def describe_project(self, project: Project) -> dict[str, Any]:
        sizes = await to_thread.run_sync(project.file_sizes)
        tables = [project.files / path for path in sizes if holds_decisions(path)]
        files = {path: size for path, size in sizes.items() if not holds_decisions(path)}
        return {
            "id": project.id,
            "name": project.name,
            "created": project.created,
            "files": [{"path": path, "bytes": size} for path, size in files.items()],
            "bytes": sum(files.values()),
            "reading": project.reading,
            "models": project.models,
            "jobs": [self.describe_job(job) for job in self.jobs_of(project)],
            "decisions": sum([len(await to_thread.run_sync(load_decisions, table)) for table in tables]),
        }

    def new_project(self, user: str, name: str) -> Project:
        if len(self.projects_of(user)) >= _MOST_PROJECTS:
            raise TooLarge("page-upload", f"you have {_MOST_PROJECTS} uploads, the maximum; delete some")
        project = Project(user, self.folder.path / "users" / user / secrets.token_hex(8), name)
        self.projects[project.id] = project
        return project

    def new_job(self, project: Project, command: str, options: dict[str, Any], language: str) -> Job:
        """Add a job to the queue. Delete the oldest ended jobs of the project if there are many."""
        if command not in ON_PAGE:
            raise UnknownName("command", command, ON_PAGE)
        folder = project.jobs / secrets.token_hex(8)
        job = Job(project.user, project.id, command, options, project.files, folder, language)
        self.queue.add(job)
        self.jobs[job.id] = job
        ended = [other for other in self.jobs_of(project) if other.over]
        for old in ended[_MOST_JOBS:]:
            self.jobs.pop(old.id)
            shutil.rmtree(old.folder, ignore_errors=True)
        return job

    async def remove(self, project: Project) -> None:
        """Delete a project after its jobs have ended."""
        self.projects.pop(project.id, None)
        for job in self.jobs_of(project):
            self.queue.cancel(job)
            self.jobs.pop(job.id, None)
            while not job.over:
                await job.wait_for_change(job.version, 1.0)
        await to_thread.run_sync(lambda: shutil.rmtree(project.folder, ignore_errors=True))

    async def sweep(self) -> None:
        """Delete idle projects every ten minutes while the server runs."""
        while True:
            await anyio.sleep(_SECONDS_BETWEEN_SWEEPS)
            await self.remove_idle()

    async def remove_idle(self) -> None:
        """Delete projects that were not opened for long and have no running job."""
        for project in list(self.projects.values()):
            idle = all(job.over for job in self.jobs_of(project))
            if idle and time.time() - project.touched > self.keep_seconds:
                await self.remove(project)

    async def check_spec(self, spec: str, project: Project | None) -> dict[str, str]:
        """Return a measure in full, or the error in its spec.

        A spec may name a file, so a confined process reads it. The process does not wait in the queue.
        """
        folder = self.folder.path / f"{SPEC}-{secrets.token_hex(8)}"
        (folder / "files").mkdir(parents=True)
        job = Job("", "", SPEC, {"spec": spec}, project.files if project else folder / "files", folder)
        try:
            async with self.checks:
                await to_thread.run_sync(self.queue.run_now, job)
            if job.state != DONE:
                return {"error": job.error or "the server is shutting down"}
            return {"spec": await to_thread.run_sync((job.out / "spec.txt").read_text, "utf-8")}
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def ask_about(self) -> Job:
        """Return the job that describes accord to the page, shared by all users. It also starts the fork server."""
        if self.about is None or self.about.error:
            folder = self.folder.path / ABOUT
            (folder / "files").mkdir(parents=True, exist_ok=True)
            self.about = Job("", "", ABOUT, {}, folder / "files", folder)
            self.queue.add(self.about)
        return self.about

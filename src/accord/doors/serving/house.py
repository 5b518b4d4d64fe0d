"""What a server holds: who may come in, and what belongs to whom."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from accord.core.errors import UnknownName
from accord.doors.serving.access import Access, User
from accord.doors.serving.commands import COMMANDS, holds_decisions
from accord.doors.serving.folder import Private
from accord.doors.serving.jobs import DONE, Job, Jobs
from accord.doors.serving.task import ABOUT, SPEC
from accord.doors.serving.uploads import Bounded, Project, Room, TooLarge, decided

_MOST_PROJECTS, _MOST_JOBS = 100, 50  # of a user; of a project, that are over
_MOST_CHECKS = 2  # at once
_SWEEPS = 600.0  # seconds between two looks for what nobody wants any more


@dataclass
class House:
    """All of it, in memory: files are in the private folder."""

    access: Access
    private: Private
    jobs: Jobs
    bounded: Bounded
    keeps: float  # seconds that an upload stays when nobody looks at it
    local: bool = True
    projects: dict[str, Project] = field(default_factory=dict)
    asked: dict[str, Job] = field(default_factory=dict)
    about: Job | None = None
    checks: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_CHECKS))

    def of(self, user: User) -> list[Project]:
        mine = [one for one in self.projects.values() if one.user == user.name]
        return sorted(mine, key=lambda one: -one.created)

    def project(self, request: Request) -> Project:
        named = request.path_params.get("project") or request.query_params.get("project", "")
        found = self.projects.get(named)
        if found is None or found.user != request.state.user.name:
            raise HTTPException(404, "there is no such project")
        found.touched = time.time()
        return found

    def job(self, request: Request) -> Job:
        found = self.asked.get(request.path_params["job"])
        if found is None or found.user != request.state.user.name:
            raise HTTPException(404, "there is no such job")
        if found.project in self.projects:
            self.projects[found.project].touched = time.time()
        return found

    def room(self, user: User) -> Room:
        return Room(self.bounded, self.of(user), self.private.path)

    def shown(self, job: Job) -> dict[str, Any]:
        return {**job.as_dict(), "place": self.jobs.place_of(job)}

    def jobs_of(self, project: Project) -> list[Job]:
        mine = [one for one in self.asked.values() if one.project == project.id]
        return sorted(mine, key=lambda one: -one.created)

    async def described(self, project: Project) -> dict[str, Any]:
        files = await to_thread.run_sync(project.listed)
        made = await to_thread.run_sync(project.all_decisions)
        files = {path: size for path, size in files.items() if not holds_decisions(path)}
        return {
            "id": project.id,
            "name": project.name,
            "created": project.created,
            "files": [{"path": path, "bytes": size} for path, size in files.items()],
            "bytes": sum(files.values()),
            "reading": project.reading,
            "models": project.models,
            "jobs": [self.shown(job) for job in self.jobs_of(project)],
            "decisions": sum([len(await to_thread.run_sync(decided, table)) for table in made]),
        }

    async def remove(self, project: Project) -> None:
        """With its jobs, which end first."""
        self.projects.pop(project.id, None)
        for job in self.jobs_of(project):
            self.jobs.cancel(job)
            self.asked.pop(job.id, None)
            while not job.over:
                await job.changed(job.version, 1.0)
        await to_thread.run_sync(lambda: shutil.rmtree(project.place, ignore_errors=True))

    async def sweep(self) -> None:
        """From time to time, what nobody wants any more is removed."""
        while True:
            await anyio.sleep(_SWEEPS)
            await self.remove_idle()

    async def remove_idle(self) -> None:
        """Uploads that nobody looked at for long, and that nothing runs on."""
        for project in list(self.projects.values()):
            idle = all(job.over for job in self.jobs_of(project))
            if idle and time.time() - project.touched > self.keeps:
                await self.remove(project)

    def new_project(self, user: User, name: str) -> Project:
        if len(self.of(user)) >= _MOST_PROJECTS:
            raise TooLarge(f"{_MOST_PROJECTS} projects are too many: remove some")
        place = self.private.path / "users" / user.name / secrets.token_hex(8)
        made = Project(user.name, place, name)
        self.projects[made.id] = made
        return made

    def new_job(self, project: Project, command: str, options: dict[str, Any]) -> Job:
        """At the end of the queue; the oldest that is over gives way, where there are many."""
        if command not in COMMANDS:
            raise UnknownName("command", command, COMMANDS)
        made = Job(project.user, project.id, command, options, project.files, project.jobs / secrets.token_hex(8))
        self.jobs.add(made)
        self.asked[made.id] = made
        for old in [one for one in self.jobs_of(project) if one.over][_MOST_JOBS:]:
            self.asked.pop(old.id)
            shutil.rmtree(old.place, ignore_errors=True)
        return made

    async def check(self, spec: str, project: Project | None) -> dict[str, str]:
        """A measure as it is written in full, or what is wrong with it. A spec may name a file: a confined process says
        it, beside the queue."""
        place = self.private.path / f"{SPEC}-{secrets.token_hex(8)}"
        (place / "files").mkdir(parents=True)
        asked = Job("", "", SPEC, {"spec": spec}, project.files if project else place / "files", place)
        try:
            async with self.checks:
                await to_thread.run_sync(self.jobs.at_once, asked)
            if asked.state != DONE:
                return {"error": asked.error or "the server ends"}
            return {"spec": await to_thread.run_sync((asked.out / "spec.txt").read_text, "utf-8")}
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def ask_about(self) -> Job:
        """What the page has to know is asked for once; a process says it, so that the next one starts fast."""
        if self.about is None or self.about.error:
            place = self.private.path / ABOUT
            (place / "files").mkdir(parents=True, exist_ok=True)
            self.about = Job("", "", ABOUT, {}, place / "files", place)
            self.jobs.add(self.about)
        return self.about

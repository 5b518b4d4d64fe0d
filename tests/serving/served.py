"""A server in a separate process, started by its command, and its users."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

_URL = re.compile(r"https?://\S+")
# All test servers share compiled code, also in later runs.
_MACHINE_CODE = str(Path(__file__).resolve().parents[2] / ".pytest_cache" / "page")
HEADERS = {"X-Accord": "1"}
PATIENCE = 60.0  # seconds, for busy machines


@dataclass
class Served:
    """A running `accord serve`; `url` is the printed address."""

    process: subprocess.Popen[str]
    url: str
    temporary: Path
    clients: list[httpx.Client] = field(default_factory=list)

    @classmethod
    def start(cls, temporary: Path, *options: str) -> Served:
        """Start a server that creates its private folder in `temporary`."""
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "accord", "serve", "--no-browser", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={"NUMBA_CACHE_DIR": _MACHINE_CODE, **os.environ, "TMPDIR": str(temporary), "OPENBLAS_NUM_THREADS": "1"},
        )
        output = ""
        assert process.stdout is not None
        for line in process.stdout:
            output += line
            if found := _URL.search(line):
                return cls(process, found[0], temporary)
        process.wait(PATIENCE)
        raise AssertionError(output)

    @property
    def base(self) -> str:
        return self.url.partition("?")[0].rstrip("/")

    @property
    def token(self) -> str:
        return self.url.partition("token=")[2]

    @property
    def folders(self) -> list[Path]:
        return sorted(self.temporary.glob("accord-page-*"))

    def user(self, **options: Any) -> User:
        """Return a user who opened the URL."""
        client = self.stranger(headers=HEADERS, **options)
        client.get("/", params={"token": self.token} if self.token else None).raise_for_status()
        return User(client)

    def stranger(self, **options: Any) -> httpx.Client:
        self.clients.append(httpx.Client(base_url=self.base, timeout=PATIENCE, follow_redirects=True, **options))
        return self.clients[-1]

    def leave(self) -> None:
        """Close all browsers."""
        while self.clients:
            self.clients.pop().close()

    def stop(self, how: int = signal.SIGINT) -> int:
        """Stop the server with a signal (default: that of Ctrl-C). Return its exit code."""
        self.leave()
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@dataclass
class User:
    """A user with a session cookie."""

    http: httpx.Client

    def project(self, files: Mapping[str, bytes | str] | None = None) -> str:
        """Create a project with these files. Return its id."""
        made: str = self.http.post("/api/projects").raise_for_status().json()["id"]
        for path, content in (files or {}).items():
            self.put(made, path, content).raise_for_status()
        return made

    def put(self, project: str, path: str, content: Any) -> httpx.Response:
        data = content.encode() if isinstance(content, str) else content
        return self.http.put(f"/api/projects/{project}/files/{path}", content=data)

    def ask(self, project: str, command: str, **options: Any) -> httpx.Response:
        return self.http.post(f"/api/projects/{project}/jobs", json={"command": command, "options": options})

    def job(self, project: str, command: str, **options: Any) -> dict[str, Any]:
        """Start a job and wait until it ends."""
        return self.over(self.ask(project, command, **options).raise_for_status().json())

    def over(self, job: Mapping[str, Any]) -> dict[str, Any]:
        found = dict(job)
        while found["state"] in {"queued", "running"}:
            found = self.http.get(f"/api/jobs/{found['id']}", params={"after": found["version"]}).json()
        return found

    def running(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Wait until a job runs and reports progress."""
        found = dict(job)
        while found["state"] == "queued" or (found["state"] == "running" and not found["progress"]):
            found = self.http.get(f"/api/jobs/{found['id']}", params={"after": found["version"]}).json()
        return found

    def output(self, job: Mapping[str, Any], name: str) -> bytes:
        return self.http.get(f"/api/jobs/{job['id']}/files/{name}").raise_for_status().content

    def result(self, job: Mapping[str, Any]) -> bytes:
        assert job["state"] == "done", job["error"]
        return self.http.get(f"/api/jobs/{job['id']}/result").raise_for_status().content


def processes_of(server: int) -> dict[int, str]:
    """Return all descendants of a process with their command lines, from /proc."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                status = (entry / "stat").read_text()
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = (int(status.rpartition(")")[2].split()[1]), line)
    found, more = {}, {server}
    while more:
        more = {pid for pid, (parent, _) in parents.items() if parent in more and pid not in found}
        found |= {pid: parents[pid][1] for pid in more}
    return found

"""The server continues if jobs are killed, crash, run out of memory, hang, are too many or are cancelled."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Cli
from tests.conftest import EXAMPLES
from tests.serving.served import PATIENCE, Served, User, processes_of
from tests.serving.test_access import RATINGS

from accord.doors.serving.jobs import kill

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
SENTENCES = (EXAMPLES / "garden" / "sentences.csv").read_bytes()
LONG = {"measures": ["alpha"], "interval": "bootstrap", "replicates": 10_000_000}  # takes minutes


def wait_for(what: Callable[[], Any]) -> Any:
    until = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < until, "timed out"
        time.sleep(0.02)
    return found


def begun(server: Served, user: User, **options: Any) -> tuple[dict[str, Any], int]:
    """Start a long job. Return it with the id of its process."""
    before = set(processes_of(server.process.pid))
    project = user.project({"sentences.csv": SENTENCES})
    job = user.running(user.ask(project, "score", **(LONG | options)).json())
    assert job["state"] == "running"
    new = set(processes_of(server.process.pid)) - before
    (mine,) = (pid for pid in new if not gone(pid) and os.getpgid(pid) == pid)  # a job leads its own process group
    return job, mine


def gone(process: int) -> bool:
    """Return whether a process has ended. Zombies count as ended because a container may not reap them."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def still_works(user: User) -> None:
    job = user.job(user.project({"ratings.csv": RATINGS}), "read")
    assert job["state"] == "done", job["error"]


@pytest.mark.parametrize(
    ("sent", "reason"), [(signal.SIGKILL, "was killed (SIGKILL)"), (signal.SIGSEGV, "crashed (SIGSEGV)")]
)
def test_killed_job_reports_the_signal(server: Served, user: User, sent: int, reason: str) -> None:
    job, process = begun(server, user)
    os.kill(process, sent)
    over = user.over(job)
    assert over["state"] == "failed"
    assert reason in over["error"]
    assert "\n" not in over["error"]
    still_works(user)


def test_cancelling_a_job_ends_its_process(server: Served, user: User) -> None:
    job, process = begun(server, user)
    assert not gone(process)
    answer = user.http.delete(f"/api/jobs/{job['id']}").json()
    assert answer["state"] == "cancelled"
    assert answer["error"] is None
    assert gone(process)
    assert user.http.get(f"/api/jobs/{job['id']}/result").status_code == 404
    again = user.http.delete(f"/api/jobs/{job['id']}").json()  # cancelling again has no effect
    assert again["state"] == "cancelled"
    still_works(user)


def test_killing_a_job_ends_its_child_processes() -> None:
    with subprocess.Popen(
        ["/bin/sh", "-c", "sleep 1000 & echo $!; wait"], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as one:
        assert one.stdout is not None
        started = int(one.stdout.readline())
        kill(one.pid)
        assert one.wait(PATIENCE) == -signal.SIGKILL
        wait_for(lambda: gone(started))


def test_job_continues_after_closing_the_browser(server: Served, user: User) -> None:
    (folder,) = server.folders
    before = len(list(folder.rglob("sentences.csv")))
    job, process = begun(server, user)
    cookies = dict(user.http.cookies)
    user.http.close()
    back = server.user(cookies=cookies)
    (project,) = back.http.get("/api/projects").json()["projects"]
    (shown,) = project["jobs"]
    assert (shown["id"], shown["state"]) == (job["id"], "running")
    assert (
        back.http.delete(f"/api/projects/{project['id']}").status_code == 204
    )  # this ends its jobs and removes its files
    assert gone(process)
    assert back.http.get(f"/api/jobs/{job['id']}").status_code == 404
    assert len(list(folder.rglob("sentences.csv"))) == before


@pytest.mark.slow
def test_job_out_of_memory_reports_it(start: Callable[..., Served]) -> None:
    """The table of distances between 5,000 labels needs 200 MB and is copied once."""
    user = start("--memory", "300").user()
    rows = "".join(f"{item},{who},{who}{item}|x\n" for item in range(2500) for who in "ab")
    project = user.project({"sets.csv": f"item,annotator,label\n{rows}".encode()})
    job = user.job(project, "score", measures=["alpha(distance=masi)"])
    assert job["state"] == "failed"
    assert "300 MB" in job["error"]
    still_works(user)


@pytest.mark.slow
def test_hanging_job_is_stopped_and_queue_is_bounded(start: Callable[..., Served]) -> None:
    tight = start("--workers", "1", "--minutes", "0.2", "--waiting", "10")
    ana, ben = tight.user(), tight.user()
    job, process = begun(tight, ana)
    os.kill(process, signal.SIGSTOP)  # the job hangs; only SIGKILL ends it
    waiting = [ana.ask(job["project"], "read").json() for _ in range(2)]
    assert [one["state"] for one in waiting] == ["queued", "queued"]
    assert [one["place"] for one in waiting] == [0, 1]
    full = ana.ask(job["project"], "read")
    assert (full.status_code, full.json()["code"]) == (429, "page-upload")
    assert full.json()["error"].startswith("2 of your jobs are already waiting; try again")
    other = ben.ask(ben.project({"ratings.csv": RATINGS}), "read")  # the limit applies to each user
    assert other.status_code == 201
    assert ana.http.delete(f"/api/jobs/{waiting[0]['id']}").json()["state"] == "cancelled"
    hung = ana.over(job)
    assert (hung["state"], hung["error"][:25]) == ("failed", "stopped after 0.2 minutes")
    assert gone(process)
    assert ana.over(waiting[1])["state"] == "done"
    assert ben.over(other.json())["state"] == "done"


def test_specs_are_checked_without_waiting_in_the_queue(server: Served, user: User, cli: Cli, tmp_path: Path) -> None:
    """Errors are those of the command line, also if all workers are busy. Specs can name only files of the project."""
    busy = [begun(server, user)[0] for _ in range(2)]
    project = user.project({"costs.csv": "label,a,b\na,0,1\nb,1,0\n", "ratings.csv": RATINGS})
    (tmp_path / "ratings.csv").write_text(RATINGS)

    def check(spec: str, **where: str) -> dict[str, str]:
        found: dict[str, str] = user.http.get("/api/check", params={"spec": spec, **where}).raise_for_status().json()
        return found

    assert check(" alpha( ordinal )") == {"spec": "alpha(distance=ordinal)"}
    for wrong in ("alfa", "alpha(distanc=ordinal)", "kappa(weights=", ""):
        typed = cli("score", tmp_path / "ratings.csv", "-m", wrong)
        assert (typed.code, typed.err) == (2, f"accord: {check(wrong)['error']}\n")
    named = 'alpha(distance=matrix("costs.csv"))'
    assert check(named, project=project) == {"spec": "alpha(distance=matrix(file=costs.csv))"}
    assert "uploaded" in check('alpha(distance=matrix("/etc/passwd"))', project=project)["error"]
    stranger = server.user()
    assert stranger.http.get("/api/check", params={"spec": named, "project": project}).status_code == 404
    (folder,) = server.folders
    assert not list(folder.glob("spec-*"))
    for job in busy:
        assert user.http.delete(f"/api/jobs/{job['id']}").json()["state"] == "cancelled"  # it was still running


@pytest.mark.slow
def test_twenty_simultaneous_users_get_their_own_results(server: Served) -> None:
    """Each user has data with a different share of agreement."""

    def visit(n: int) -> tuple[int, float]:
        user = server.user()
        rows = "".join(f"{k},a,{'a' if k < n else 'b'}\n" for k in range(40))
        project = user.project({"ratings.csv": f"item,Ana,Ben\n{rows}"})
        job = user.job(project, "score", measures=["percent"], interval="none")
        assert job["state"] == "done", job["error"]
        found = user.http.get(f"/api/jobs/{job['id']}/result").json()
        return n, found["scores"][0]["value"]

    with ThreadPoolExecutor(20) as people:
        answers = dict(people.map(visit, range(1, 21)))
    assert answers == {n: pytest.approx(n / 40, abs=1e-12) for n in range(1, 21)}

"""Uploads with unsafe names, hostile archives, and files over the size limit are refused."""

from __future__ import annotations

import io
import re
import socket
import stat
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import anyio
import pytest
from tests.serving.served import PATIENCE, Served, User
from tests.serving.test_access import RATINGS, raw

from accord.doors.serving.jobs import Job
from accord.doors.serving.projects import Project, Quota, UploadLimits, Workspace, check_path

from ..cases import for_each
from ..refusals import raises

_MB = 1 << 20


@for_each(
    "name",
    [
        "../x.csv", "a/../../x.csv", "/etc/passwd", "a//b.csv", "./x.csv", "..", "", "a\\..\\b.csv", "C:\\x.csv", "C:x",
        "a\0b.csv", "a\nb.csv", "a\x1b[2J.csv", "\ud800.csv", "CON", "nul.csv", "com1.txt", "LPT9", "x.", "x ", " x",
        ".ssh", "~root", "a|b", "what?.csv", "*", "x" * 201, "/".join("a" * 17), "a/" * 500 + "b",
    ],
)  # fmt: skip
def test_unsafe_file_names_are_refused(name: str) -> None:
    with raises("file-name"):
        check_path(name)


@pytest.mark.parametrize("name", ["ratings.csv", "Änderungen (2).csv", "Ana/d1.ann", "日本.eaf", "a.b.c", "conx.csv"])
def test_usual_file_names_are_kept(name: str) -> None:
    assert check_path(name) == name


def test_file_names_are_normalized() -> None:
    assert check_path("u\u0308ber.csv") == "über.csv"


@pytest.mark.parametrize(
    "path", ["../../../../etc/x", "..%2f..%2fx", "%2e%2e/%2e%2e/x", "a/%00", "a%5c..%5cb", "%2fetc%2fx", "."]
)
def test_no_request_writes_outside_the_project(server: Served, user: User, path: str) -> None:
    project = user.project()
    before = {one for one in server.temporary.rglob("*") if "arriving" not in one.name}
    status, answer = raw(server, user, "PUT", f"/api/projects/{project}/files/{path}")
    assert status in {404, 405, 422}, answer
    assert {one for one in server.temporary.rglob("*") if "arriving" not in one.name} == before


def test_links_out_of_the_project_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    project = Project("ana", tmp_path / "project")
    (project.files / "link.csv").symlink_to(secret)
    (project.files / "up").symlink_to(tmp_path)
    for path in ("link.csv", "up/secret.txt", "up/new.csv"):
        with raises("file-name"):
            project.path_of(path)


def test_files_are_downloaded_unchanged_and_can_be_removed(user: User) -> None:
    project = user.project({"Ana/d 1.txt": b"\x00\xffx", "b.csv": "b"})
    shown = user.http.get(f"/api/projects/{project}").json()
    assert shown["files"] == [{"path": "Ana/d 1.txt", "bytes": 3}, {"path": "b.csv", "bytes": 1}]
    got = user.http.get(f"/api/projects/{project}/files/{quote('Ana/d 1.txt')}")
    assert got.content == b"\x00\xffx"
    assert got.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in got.headers["content-security-policy"]
    assert user.http.delete(f"/api/projects/{project}/files/Ana").status_code == 204
    assert user.put(project, "b.csv", "longer").json() == {"path": "b.csv", "bytes": 6}
    assert user.http.get(f"/api/projects/{project}").json()["bytes"] == 6


def test_private_folder_has_no_permissions_for_others(server: Served, user: User) -> None:
    user.project({"Ana/a.csv": RATINGS})
    (folder,) = server.folders
    for one in (folder, *(one for one in folder.rglob("*") if one.is_dir())):
        assert not stat.S_IMODE(one.stat().st_mode) & 0o077 or one.parent != folder.parent, one
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def _chunks(total: int) -> Iterator[bytes]:
    for _ in range(total // 65_536):
        yield b"x" * 65_535 + b"\n"


def _peak(server: Served) -> int:
    """Return the peak memory of the server in bytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) * 1024


def test_uploads_are_streamed_to_disk(server: Served, user: User) -> None:
    project = user.project()
    before = _peak(server)
    assert user.put(project, "large.csv", _chunks(50 * _MB)).json()["bytes"] == 50 * _MB
    assert _peak(server) - before < 16 * _MB
    user.http.delete(f"/api/projects/{project}")


def test_upload_over_the_limit_is_stopped(server: Served, user: User) -> None:
    project = user.project()
    found = user.put(project, "x.csv", _chunks(61 * _MB))
    assert found.status_code == 413
    assert "60 MB" in found.json()["error"]
    assert "--max-upload" in found.json()["error"]
    (folder,) = server.folders
    assert user.http.get(f"/api/projects/{project}").json()["files"] == []
    assert not list(folder.rglob("arriving-*"))


def test_announced_upload_over_the_limit_is_refused(server: Served, user: User) -> None:
    path = f"/api/projects/{user.project()}/files/x.csv"
    status, answer = raw(server, user, "PUT", path, Content_Length=str(61 * _MB))
    assert (status, "60 MB" in answer) == (413, True)


def test_interrupted_upload_leaves_no_file(server: Served, user: User) -> None:
    project = user.project()
    address = urlsplit(server.base)
    cookies = "; ".join(f"{name}={value}" for name, value in user.http.cookies.items())
    head = f"PUT /api/projects/{project}/files/x.csv HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {cookies}\r\n"
    with socket.create_connection((str(address.hostname), int(address.port or 0))) as connection:
        connection.sendall(f"{head}X-Accord: 1\r\nContent-Length: 1000\r\n\r\nhalf".encode())
    (folder,) = server.folders
    until = time.monotonic() + PATIENCE
    while list(folder.rglob("arriving-*")) and time.monotonic() < until:
        time.sleep(0.02)
    assert not list(folder.rglob("arriving-*"))
    assert user.http.get(f"/api/projects/{project}").json()["files"] == []


def test_total_upload_size_of_a_user_is_limited(tmp_path: Path) -> None:
    project = Project("ana", tmp_path / "project")
    (project.files / "a.csv").write_bytes(b"x" * 90)
    quota = Quota(UploadLimits(file=50, total=100), [project], tmp_path)
    quota.check(10)
    with raises("page-upload"):
        quota.check(11)


def test_zip_bomb_is_refused(user: User) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        entry = zipfile.ZipInfo("bomb.ann")
        entry.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(entry, "w", force_zip64=True) as file:
            for _ in range(64):
                file.write(b"\0" * _MB)
    content = packed.getvalue()
    real = (64 * _MB).to_bytes(8, "little")
    claimed = content.replace(real, (3 << 30).to_bytes(8, "little"))  # claims 3 GB, which would take long to create
    assert claimed != content
    job = user.job(user.project({"bomb.zip": claimed}), "read")
    assert job["state"] == "failed"
    assert "bomb.zip" in job["error"]
    assert user.http.get("/api/projects").status_code == 200


def test_links_in_a_zip_are_not_followed(server: Served, user: User) -> None:
    secret = server.temporary / "secret.txt"
    secret.write_text("The secret of this machine.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for who in ("Ana", "Ben"):
            link = zipfile.ZipInfo(f"{who}/d1.txt")
            link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
            archive.writestr(link, str(secret))
            archive.writestr(f"{who}/d1.ann", "T1\tPER 0 3\t" + str(secret)[:3] + "\n")
    project = user.project({"project.zip": packed.getvalue()})
    job = user.job(project, "read")
    everything = user.http.get(f"/api/jobs/{job['id']}/everything.zip").content
    with zipfile.ZipFile(io.BytesIO(everything)) as archive:
        assert all(b"The secret" not in archive.read(name) for name in archive.namelist())
    assert job["state"] == "done", job["error"]


def test_zip_with_paths_out_of_its_folder_is_refused(user: User) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../Ana/d1.ann", "T1\tPER 0 3\tAna\n")
    job = user.job(user.project({"project.zip": packed.getvalue()}), "read")
    assert job["state"] == "failed"
    assert "leads out" in job["error"]


@pytest.mark.parametrize(
    "options",
    [
        {"paths": ["/etc/passwd"]},
        {"paths": ["../../../../../../etc/passwd"]},
        {"paths": ["~/.ssh/id_rsa"]},
        {"paths": ["sqlite:////etc/passwd"]},
        {"paths": ["s3://bucket/x.parquet"]},
        {"paths": ["-"]},
        {"reading": {"docs": "/etc/passwd"}},
        {"reading": {"texts": "/etc"}},
        {"measures": ["alpha(distance=/etc/passwd)"]},
    ],
)
def test_options_can_name_only_uploaded_files(user: User, options: dict[str, object]) -> None:
    job = user.job(user.project({"ratings.csv": RATINGS}), "score", **options)
    assert job["state"] == "failed"
    assert "uploaded" in job["error"]
    assert job["outputs"] == []


def test_uploaded_decisions_are_continued(user: User) -> None:
    project = user.project({"decisions.csv": "key,item,decision\nk1,a,yes\nk2,b,\n"})
    assert user.http.get(f"/api/projects/{project}/decisions").json() == {"decisions": {"k1": "yes"}}
    shown = user.http.get(f"/api/projects/{project}").json()
    assert (shown["decisions"], shown["files"]) == (1, [])  # the file of decisions is not data
    assert user.put(project, "decisions.csv", b"key\xff\x00").status_code == 422
    assert user.http.get(f"/api/projects/{project}").status_code == 200
    about = user.put(project, "decisions-about-stance.csv", "key,decision\nk1,no\n")
    assert about.status_code == 201
    refused = user.put(
        project, "decisions-about-courts.csv", RATINGS
    )  # otherwise the server would silently ignore these data
    assert (refused.status_code, "[saved-file-invalid]" in refused.text) == (422, True)
    user.http.patch(f"/api/projects/{project}", json={"reading": {"label": ["stance"]}}).raise_for_status()
    assert user.http.get(f"/api/projects/{project}/decisions").json() == {"decisions": {"k1": "no"}}


def test_idle_projects_are_removed(tmp_path: Path) -> None:
    workspace = Workspace(None, None, None, UploadLimits(1, 1), keep_seconds=60)  # type: ignore[arg-type]
    old, new, busy = (Project("ana", tmp_path / name) for name in ("old", "new", "busy"))
    workspace.projects = {one.id: one for one in (old, new, busy)}
    old.touched = busy.touched = time.time() - 61
    job = Job("ana", busy.id, "read", {}, busy.files, busy.jobs)
    workspace.jobs = {job.id: job}
    looking = threading.Thread(
        target=anyio.run, args=(workspace.remove_idle,)
    )  # a browser test may run an event loop in this thread
    looking.start()
    looking.join()
    assert set(workspace.projects) == {new.id, busy.id}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["busy", "new"]


def test_examples_can_be_added_to_a_project(user: User) -> None:
    for example in user.http.get("/api/about").json()["examples"]:
        project = user.project()
        shown = user.http.post(f"/api/projects/{project}/example", json={"name": example["name"]}).json()
        assert [file["path"] for file in shown["files"]] == sorted(example["files"])
    assert user.http.post(f"/api/projects/{user.project()}/example", json={"name": "../x"}).status_code == 404

"""The private folder is removed when the server ends, even if it is killed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.serving.served import Served
from tests.serving.test_access import RATINGS
from tests.serving.test_jobs import begun, gone, wait_for

from accord.doors.serving.private_folder import PrivateFolder, lock, remove_abandoned


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopped_server_leaves_no_files(start: Callable[..., Served], how: int) -> None:
    server = start()
    server.user().project({"Ana/ratings.csv": RATINGS})
    assert len(server.folders) == 1
    assert server.stop(how) == 0
    assert server.folders == []


@pytest.mark.slow
def test_killed_server_leaves_no_file_and_no_process(start: Callable[..., Served]) -> None:
    server = start("--workers", "1")
    _, process = begun(server, server.user())
    assert len(server.folders) == 1
    server.process.kill()
    server.process.wait()
    wait_for(lambda: gone(process))
    wait_for(lambda: not server.folders)


def test_next_server_removes_abandoned_folders(tmp_path: Path) -> None:
    left, held, other = (tmp_path / name for name in ("accord-page-left", "accord-page-held", "something-else"))
    for folder in (left, held, other):
        (folder / "users").mkdir(parents=True)
        (folder / "lock").write_text("")
    secret = tmp_path / "kept"
    secret.mkdir()
    (tmp_path / "accord-page-link").symlink_to(secret)
    held_lock = lock(held)
    assert held_lock is not None
    remove_abandoned(tmp_path)
    held_lock.close()
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "accord-page-held", "accord-page-link", "kept", "something-else",
    ]  # fmt: skip


def test_lock_is_held_while_the_server_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    private = PrivateFolder()
    assert private.path.stat().st_mode & 0o777 == 0o700
    assert lock(private.path) is None
    remove_abandoned(tmp_path)
    assert private.path.is_dir()
    private.remove()
    assert list(tmp_path.iterdir()) == []

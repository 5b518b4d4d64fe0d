"""A real PostgreSQL server counts labels with the same digits as a file, and passwords are never shown."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl
import pytest
from tests.command_line import Cli, refused
from tests.io.test_large import table, told
from tests.needs import POSTGRESQL
from tests.planned import planned

import accord
from accord.data.io.large.addresses import secrets_in, without_secrets

from ..cases import for_each

PASSWORD = "S3cr%t/w'ord:@#"  # noqa: S105 - of a server that lives as long as these tests


@dataclass
class Server:
    port: int
    folder: Path
    bin: Path

    def address(self, user: str = "reader", password: str | None = PASSWORD) -> str:
        secret = "" if password is None else f":{quote(password, safe='')}"
        return f"postgresql://{user}{secret}@127.0.0.1:{self.port}/postgres"

    def execute(self, *commands: str) -> None:
        arguments = [part for command in commands for part in ("-c", command)]
        subprocess.run(  # noqa: S603
            [self.bin / "psql", "-qX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port), "-U", "owner",
             "postgres", *arguments],
            check=True,
            capture_output=True,
        )  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Start the server as a user other than root, because it refuses to run as root."""
    pytest.importorskip("adbc_driver_postgresql", reason="ADBC's driver is not installed: accord[postgresql]")
    if POSTGRESQL.path is None:
        pytest.skip(POSTGRESQL.reason)
    programs = Path(POSTGRESQL.path).resolve().parent
    account = {}
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        import pwd  # not on Windows

        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        account = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    folder = Path(tempfile.mkdtemp(prefix="accord-pg-"))  # paths of sockets must be short
    if account:
        os.chown(folder, account["user"], account["group"])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*command: Any) -> None:
        subprocess.run(  # noqa: S603
            command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **account
        )

    (folder / "password").write_text("owner's\n")
    data = folder / "data"
    run(programs / "initdb", "-D", data, "-U", "owner", "--auth-local=trust", "--auth-host=scram-sha-256",
        f"--pwfile={folder / 'password'}", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")  # fmt: skip
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c log_statement=all"
    run(programs / "pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start")
    try:
        made = Server(port, folder, programs)
        doubled = PASSWORD.replace("'", "''")
        made.execute(f"create role reader login password '{doubled}'")
        yield made
    finally:
        run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def labels(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same table in a file, and in the database as `labels`."""
    path = tmp_path_factory.mktemp("file") / "labels.parquet"
    frame = table(4).sort("annotator")
    frame.write_parquet(path)
    rows = [f"({', '.join('null' if c is None else repr(c) for c in row)})" for row in frame.rows()]
    server.execute(
        "create table labels (item text, annotator varchar(20), label text)",
        f"insert into labels values {', '.join(rows)}",
        "create type tone as enum ('low', 'high')",
        "create table typed (id bigint, rater int, score smallint, tone tone, ok boolean, at timestamp)",
        "insert into typed select i, r, (i + r * (i % 4) / 3) % 3, (array['low', 'high'])[1 + i % 2]::tone, "
        "i % 3 = 0, now() from generate_series(1, 40) i, generate_series(1, 3) r",
        "create schema other",
        "create table other.hidden (item int, annotator text, label text)",
        "grant select on labels, typed to reader",
        # A read-only user cannot create temporary tables.
        "revoke temporary on database postgres from public",
        "alter role reader set default_transaction_read_only = on",
    )
    return path


@pytest.mark.parametrize("how", [{}, {"missing": "NA"}, {"annotators": "a,b"}])
def test_postgresql_gives_the_same_result_as_a_file(server: Server, labels: Path, how: dict[str, Any]) -> None:
    mine = told(accord.read(server.address(), table="labels", **how))
    others = told(accord.read(labels, **how))
    assert sorted(mine["summary"].pop("notes")) == sorted(others["summary"].pop("notes"))
    assert mine == others


def test_server_groups_and_counts_the_rows(server: Server, labels: Path) -> None:
    """Each query groups rows, so the server returns no single label of an item."""
    before = len((server.folder / "log").read_text())
    accord.read(server.address(), table="labels")
    asked = [line for line in (server.folder / "log").read_text()[before:].splitlines() if '"labels"' in line]
    assert asked
    assert all("group by" in line for line in asked)


def test_special_characters_in_cells_and_names_are_escaped(server: Server, labels: Path, tmp_path: Path) -> None:
    strange = ["it's", "a\\b", "%s", '"q"', "$1", "?", "ä€", "); drop table labels; --"]
    rows = [
        (f"i{i}", who, strange[(i + (i % 5 == 0 and k)) % 8]) for i in range(40) for k, who in enumerate(strange[:3])
    ]
    quoted = [f"({', '.join(chr(39) + cell.replace(chr(39), chr(39) * 2) + chr(39) for cell in row)})" for row in rows]
    server.execute(
        'create table "odd ""name""" (item text, annotator text, "the label" text)',
        f'insert into "odd ""name""" values {", ".join(quoted)}',
        'grant select on "odd ""name""" to reader',
    )
    found = accord.read(server.address(), table='odd "name"', label="the label")
    server.execute('drop table "odd ""name"""')
    frame = pl.DataFrame(rows, schema=["item", "annotator", "the label"], orient="row").sort("annotator")
    frame.write_parquet(tmp_path / "odd.parquet")
    assert found.categories.labels == tuple(sorted(strange))
    alike = [accord.score(data, "alpha") for data in (found, accord.read(tmp_path / "odd.parquet", label="the label"))]
    assert alike[0].value == pytest.approx(alike[1].value, rel=1e-12)
    assert alike[0].n == alike[1].n == 40


def test_column_types_become_labels_or_are_refused(server: Server, labels: Path, cli: Cli) -> None:
    found = accord.read_all(server.address(), table="typed", label=["score", "tone", "ok"])
    assert found["score"].categories.labels == (0, 1, 2)
    assert found["tone"].categories.labels == ("high", "low")
    assert found["ok"].categories.labels == ("False", "True")
    assert found["score"].annotators == ("1", "2", "3")
    refused(cli("score", server.address(), "--table", "typed", "--label", "at"), "[invalid-label]", '"at"')


def test_only_readable_tables_are_available(server: Server, labels: Path, cli: Cli) -> None:
    refused(cli("score", server.address()), "[database]")
    refused(cli("score", server.address(), "--table", "other.hidden"), "[database]")
    assert cli("score", server.address(), "--table", "public.labels", "-m", "pi").code == 0


def test_the_password_appears_nowhere(server: Server, labels: Path, cli: Cli, tmp_path: Path) -> None:
    address = server.address()
    hidden = (PASSWORD, quote(PASSWORD, safe=""))
    outcomes = [
        cli("score", address, "--table", "labels", *more)
        for more in (("-m", "pi"), ("-m", "pi", "--json", "--save", tmp_path / "run.toml"), ("-m", "pi", "--latex"))
    ]
    assert all(outcome.code == 0 for outcome in outcomes)
    outcomes.append(cli("score", address, "--table", "nothing"))
    outcomes.append(cli("score", f"{address}?nothing=known", "--table", "labels"))
    outcomes.append(cli("score", server.address("stranger"), "--table", "labels"))
    outcomes.append(cli("score", address.replace(str(server.port), "1"), "--table", "labels"))
    assert all(outcome.code == 2 for outcome in outcomes[-4:])
    written = [outcome.out + outcome.err for outcome in outcomes]
    written += [path.read_text() for path in tmp_path.iterdir()]
    written += [repr(planned("report", address)), repr(accord.score(address, "pi", table="labels"))]
    assert all(secret not in text for text in written for secret in hidden)
    assert f"postgresql://reader@127.0.0.1:{server.port}/postgres" in (tmp_path / "run.toml").read_text()


def test_password_may_come_from_the_environment_or_a_file(
    server: Server, labels: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = (
        server.address(password=None) + "?application_name=elsewhere"
    )  # accord has not opened this address with a password
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    refused(cli("score", other, "--table", "labels"), "[file-unreadable]")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert cli("score", other, "--table", "labels", "-m", "pi").code == 0
    monkeypatch.delenv("PGPASSWORD")
    kept = tmp_path / "pgpass"
    kept.write_text(f"127.0.0.1:{server.port}:*:reader:{PASSWORD.replace(':', chr(92) + ':')}\n")
    kept.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(kept))
    assert cli("score", other, "--table", "labels", "-m", "pi").code == 0


@for_each(
    "address",
    [
        "postgresql://me:se/cret@host/db",
        "postgresql://me:se#cret@host/db",
        "postgresql://me:se[cret@host/db",
        "postgresql://me:se@cret@host/db",
        "postgres://me@host/db?password=secret",
        "postgresql://host/db?user=me&password=se%20cret&sslpassword=other",
        "POSTGRESQL://me:secret@host:99999/db",
        "postgresql://me:se%zzcret@host/db",
        "postgresql:me:secret@host/db",
        "postgresql:/me:secret@host/db",
    ],
)
def test_addresses_are_shown_without_passwords(address: str, cli: Cli) -> None:
    try:
        shown = without_secrets(address)
    except accord.AccordError as error:
        shown = str(error)
    assert "cret" not in shown
    assert "other" not in shown
    outcome = cli("score", address, "--table", "labels")
    assert outcome.code == 2
    assert "cret" not in outcome.out + outcome.err


def test_secrets_are_found_encoded_and_decoded() -> None:
    assert secrets_in("postgresql://me:a%20b@host/db?password=c%20d") == ["a%20b", "a b", "c%20d", "c d"]

"""Ibis queries a real MariaDB server; the SQL for databases that are not installed is checked as text."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.command_line import Cli, refused
from tests.io.test_large import table, told
from tests.needs import MARIADB

import accord
from accord.data.io.large.addresses import without_secrets
from accord.data.io.large.engines import Codes, DuckDBTable, IbisTable
from accord.data.io.large.reader import Packing

ibis = pytest.importorskip("ibis", reason="Ibis is not installed: accord[databases]")
PASSWORD = "S3cr%t/w'ord:@#"  # noqa: S105 - of a server that lives as long as these tests


@dataclass
class Server:
    port: int
    folder: Path

    def address(self, password: str = PASSWORD) -> str:
        return f"mysql://reader:{quote(password, safe='')}@127.0.0.1:{self.port}/study"

    def execute(self, *commands: str) -> None:
        client = [shutil.which("mariadb"), "-S", self.folder / "socket", "-u", "root", "-e", "; ".join(commands)]
        subprocess.run(client, check=True, capture_output=True)  # noqa: S603


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    install = MARIADB.path
    serve = shutil.which("mariadbd", path=f"{os.environ['PATH']}:/usr/sbin")
    if install is None or serve is None:
        pytest.skip(MARIADB.reason)
    import pwd  # not on Windows

    who = "mysql" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    folder = Path(tempfile.mkdtemp(prefix="accord-my-"))
    shutil.chown(folder, who)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = Server(port, folder)
    common = ("--no-defaults", f"--user={who}", f"--datadir={folder / 'data'}")
    quick = ("--innodb-flush-log-at-trx-commit=0", "--innodb-log-file-size=4M", "--skip-log-bin")
    silent: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    prepared = (install, *common, "--auth-root-authentication-method=normal", "--skip-test-db")
    subprocess.run(prepared, check=True, **silent)  # noqa: S603
    where = (f"--socket={folder / 'socket'}", f"--port={port}", "--bind-address=127.0.0.1")
    process = subprocess.Popen((serve, *common, *where, *quick), **silent)  # type: ignore[arg-type]  # noqa: S603
    try:
        end = time.monotonic() + 60
        while not (folder / "socket").exists():
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        doubled = PASSWORD.replace("'", "''")
        made.execute("create database study", f"create user reader@'%' identified by '{doubled}'",
                  "grant select on study.* to reader@'%'")  # fmt: skip
        yield made
    finally:
        process.terminate()
        process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def labels(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the same table to a file and to the database, with labels that differ only by case or spaces."""
    path = tmp_path_factory.mktemp("file") / "labels.parquet"
    words = ("x", "X", "x ", "", None, "NA", "it's", "ä", "a")
    frame = table(4, words).sort("annotator", "label")
    frame.write_parquet(path)
    quoted = [["null" if c is None else "'" + c.replace("'", "''") + "'" for c in row] for row in frame.rows()]
    rows = ", ".join(f"({', '.join(row)})" for row in quoted)
    server.execute(
        "use study",
        "create table labels (item varchar(40), annotator varchar(40), label varchar(40)) charset utf8mb4",
        f"insert into labels values {rows}",
        "create table typed (id bigint, rater int, score smallint, share double, at datetime)",
        "insert into typed values (1, 1, 2, .5, null), (1, 2, 2, .5, null), (2, 1, 3, .25, null), (2, 2, 2, .5, null)",
        "create table twice (item int, annotator text, label text)",
        "insert into twice values (1, 'a', 'x'), (1, 'b', 'x'), (2, 'a', 'y'), (2, 'a', 'x')",
    )
    return path


@pytest.mark.parametrize("how", [{}, {"missing": "NA"}, {"annotators": "a,b"}])
def test_mariadb_gives_the_same_result_as_a_file(server: Server, labels: Path, how: dict[str, Any]) -> None:
    mine = told(accord.read(server.address(), table="labels", **how))
    others = told(accord.read(labels, **how))
    assert sorted(mine["summary"].pop("notes")) == sorted(others["summary"].pop("notes"))
    assert mine == others


def test_types_become_labels_and_invalid_tables_are_refused(server: Server, labels: Path, cli: Cli) -> None:
    found = accord.read_all(server.address(), table="typed", item="id", label=["score", "share"], annotator="rater")
    assert found["score"].categories.labels == (2, 3)
    assert found["share"].categories.labels == (0.25, 0.5)
    roles = ("--table", "typed", "--item", "id", "--annotator", "rater")
    refused(cli("score", server.address(), *roles, "--label", "at"), "[invalid-label]", '"at"')
    refused(cli("score", server.address(), "--table", "twice"), "[repeated-label]", '"a"', '"2"')
    refused(cli("score", server.address()), "[database]", "3 tables", "labels, twice, typed")
    refused(cli("score", server.address(), "--table", "none"), "[database]", '"none"')


def test_the_password_appears_nowhere(server: Server, labels: Path, cli: Cli) -> None:
    good = cli("score", server.address(), "--table", "labels", "-m", "pi", "--json")
    assert good.code == 0
    bad = [cli("score", server.address("S3cret-wrong")), cli("score", server.address().replace(str(server.port), "1"))]
    assert all(outcome.code == 2 for outcome in bad)
    for outcome in (good, *bad):
        assert not any(s in outcome.out + outcome.err for s in (PASSWORD, quote(PASSWORD, safe=""), "S3cret-wrong"))


def test_addresses_show_no_secrets() -> None:
    assert without_secrets("snowflake://ann:pass@account/db/schema?warehouse=w&token=t") == (
        "snowflake://ann@account/db/schema?warehouse=w"
    )
    assert without_secrets("bigquery://project/data") == "bigquery://project/data"


@pytest.mark.parametrize(
    ("kind", "sign"),
    [
        ("mysql", "HEX("),
        ("mssql", "HASHBYTES('SHA2_256'"),
        ("snowflake", "HEX_ENCODE("),
        ("pyspark", "SHA2("),
        ("bigquery", "`label`"),
    ],
)
def test_other_databases_get_the_same_queries_in_their_dialect(
    kind: str, sign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The query uses the dialect of the database and compares texts exactly. No server is needed."""
    asked: list[str] = []
    rows = [{"x": "41", "y": "78", "a": "A", "l": "x", "nowhere": 0, "n": 3}]

    def answered(_self: IbisTable, expression: Any) -> list[dict[str, Any]]:
        asked.append(ibis.to_sql(expression, dialect=kind))
        return rows if len(asked) == 1 else []

    monkeypatch.setattr(IbisTable, "_fetch", answered)
    names = ibis.table({"item": "string", "annotator": "string", "label": "string"}, name="labels")
    engine = IbisTable("there", ibis, names, kind)
    fields = engine.fields()
    columns = (fields["item"], fields["annotator"], fields["label"])
    assert engine.pairs(columns) == [("A", "x", False, 3)]
    codes = Codes(1, {"A": (0, 1)}, {"x": 2})
    assert engine.rows(columns, codes, 5).shape == (0, 3)
    assert engine.repeated(columns, codes) is None
    assert all(sign in query for query in asked)
    assert all("GROUP BY" in query for query in asked)


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # raised inside Ibis
@pytest.mark.parametrize("names", ["ab", "abcdefghijklmnopqrstuvwxyz"])
def test_ibis_gives_the_same_counts_as_sql(names: str, tmp_path: Path) -> None:
    """Compare in DuckDB, with labels packed into one word and into several."""
    connection = pytest.importorskip("duckdb").connect()
    path = tmp_path / "labels.parquet"
    table(6, ("x", "y", "z", "", None), names=names).write_parquet(path)
    given = DuckDBTable("labels", connection, f"read_parquet('{path}')")
    asked = IbisTable("labels", ibis, ibis.duckdb.connect().read_parquet(path), "duckdb")
    columns, theirs = ((f["item"], f["annotator"], f["label"]) for f in (given.fields(), asked.fields()))
    packing = Packing(len(names), 3)
    assert packing.words == 1 + (len(names) > 20)
    codes = Codes(
        packing.words,
        {name: packing.place(k) for k, name in enumerate(names)},
        {label: packing.code(k) for k, label in enumerate("xyz")},
    )
    assert sorted(map(str, asked.pairs(theirs))) == sorted(map(str, given.pairs(columns)))
    assert sorted(asked.rows(theirs, codes, 999).tolist()) == sorted(given.rows(columns, codes, 999).tolist())
    assert asked.repeated(theirs, codes) is None is given.repeated(columns, codes)
    doubled = ibis.duckdb.connect().read_parquet([path, path])
    again = IbisTable("labels", ibis, doubled, "duckdb", asked._keys).repeated(theirs, codes)
    assert again is not None
    assert again[1] in codes.annotators.values()

"""A server for a team: password, TLS, names behind a proxy, and settings refused before the start."""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from tests.command_line import Cli, refused
from tests.serving.served import HEADERS, Served

from accord.doors.serving.access import Access, own_names
from accord.doors.serving.server import Serving, _read_password

from ..refusals import raises

PASSWORD = "correct horse battery staple"  # noqa: S105 - used only in this test


@pytest.fixture
def password(tmp_path: Path) -> str:
    file = tmp_path / "password.txt"
    file.write_text(f"{PASSWORD}\n")
    file.chmod(0o600)
    return str(file)


def test_password_form_gives_each_user_a_session(start: Callable[..., Served], password: str) -> None:
    server = start("--password-file", password)
    assert "token" not in server.url
    stranger = server.stranger(headers=HEADERS)
    asked = stranger.get("/")
    assert asked.url.path == "/login"
    assert '<input id="password" name="password" type="password"' in asked.text
    assert stranger.get("/api/projects").status_code == 403
    wrong = stranger.post("/login", data={"password": "guess"})
    assert wrong.status_code == 403
    assert "set-cookie" not in wrong.headers
    foreign = stranger.post("/login", data={"password": PASSWORD}, headers={"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert stranger.get("/", params={"token": ""}).status_code == 403
    german = stranger.get("/login", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"})
    assert 'lang="de"' in german.text
    right = stranger.post("/login", data={"password": PASSWORD}, follow_redirects=False)
    assert (right.status_code, right.headers["location"]) == (303, "/")
    assert stranger.get("/api/projects").json() == {"projects": []}
    other = server.stranger(headers=HEADERS)
    other.post("/login", data={"password": PASSWORD})
    stranger.post("/api/projects")
    assert other.get("/api/projects").json() == {"projects": []}  # users have separate projects


def test_browser_gets_html_pages_and_can_follow_links(start: Callable[..., Served], password: str) -> None:
    server = start("--password-file", password)
    browser = server.stranger(headers={"Accept": "text/html", "Sec-Fetch-Mode": "navigate"})
    asked = browser.get("/", headers={"Sec-Fetch-Site": "cross-site"})  # a link on another site, followed by a redirect
    assert (asked.url.path, asked.status_code) == ("/login", 200)
    assert asked.headers["referrer-policy"] == "same-origin"  # otherwise browsers send "null" as the origin of the form
    ours = {"Origin": server.base, "Sec-Fetch-Site": "same-origin"}
    browser.post("/login", data={"password": PASSWORD}, headers=ours)
    made = browser.post("/api/projects", headers=HEADERS).json()["id"]
    again = browser.post("/login", data={"password": PASSWORD}, headers=ours)
    assert again.url.path == "/"
    assert [one["id"] for one in browser.get("/api/projects").json()["projects"]] == [made]  # the same session
    for headers in ({"Host": "agreement.example.org"}, {"Origin": "null"}, {"Origin": "https://evil.example"}):
        refused = browser.get("/", headers=headers)
        assert refused.status_code == 403
        assert refused.text.startswith("<!DOCTYPE html>")


def certificate(folder: Path) -> tuple[Path, Path]:
    """Create a self-signed certificate for 127.0.0.1, valid for one day."""
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "accord")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain)
    )
    return files


def test_tls_with_certificate_and_key_files(start: Callable[..., Served], tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    server = start("--certificate", str(cert), "--key", str(key))
    assert server.url.startswith("https://127.0.0.1:")
    trusted = ssl.create_default_context(cafile=str(cert))
    with httpx.Client(base_url=server.base, verify=trusted) as client:
        found = client.get("/", params={"token": server.token})
        assert "secure" in found.headers["set-cookie"].lower()
        assert client.get("/").status_code == 200


def test_serving_other_machines_needs_a_password(cli: Cli, tmp_path: Path) -> None:
    refused(cli("serve", "--host", "192.0.2.1"), "[page-server]", "--password-file")
    refused(cli("serve", "--name", "agreement.example.org"), "[page-server]", "--name", "--password-file")
    refused(cli("serve", "--password-file", tmp_path / "none.txt"), "[file-unreadable]")
    refused(cli("serve", "--certificate", tmp_path / "cert.pem"), "[option-missing]", "--key")
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("")
    refused(cli("serve", "--certificate", nothing, "--key", nothing), "[page-server]")


def test_password_file_must_be_one_long_private_line(tmp_path: Path) -> None:
    file = tmp_path / "password.txt"
    for content, mode, why in (("short", 0o600, "page-server"), ("two\nlines of it", 0o600, "page-server"),
                               (PASSWORD, 0o644, "unsafe-file")):  # fmt: skip
        file.write_text(content)
        file.chmod(mode)
        with raises(why):
            _read_password(file)


def test_server_answers_only_to_its_own_names() -> None:
    local = Access(8765, own_names("127.0.0.1", ()))
    assert local.knows_host("LOCALHOST:8765")
    assert local.knows_host("127.0.0.1:8765")
    assert not local.knows_host("agreement.example.org")
    assert not local.knows_host("")
    proxied = Access(8765, own_names("127.0.0.1", ("Agreement.Example.org",)))
    assert proxied.knows_host("agreement.example.org")


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.3.2.1", True)]
)
def test_loopback_needs_no_password(host: str, local: bool) -> None:
    assert Serving(host=host).local is local

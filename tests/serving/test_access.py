"""Users need a token, and the server refuses requests from other pages and hosts."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

import httpx
import pytest
from tests.serving.served import HEADERS, Served, User

RATINGS = "item,Ana,Ben\n1,a,a\n2,b,b\n3,a,b\n4,b,b\n"


@pytest.fixture
def stranger(server: Served) -> httpx.Client:
    return server.stranger(headers=HEADERS)


@pytest.mark.parametrize("path", ["/", "/assets/main.js", "/words/en.json"])
def test_page_without_token_explains_where_to_find_it(stranger: httpx.Client, path: str) -> None:
    found = stranger.get(path)
    assert found.status_code == 403
    assert "accord serve" in found.text
    assert "<script" not in found.text
    assert "set-cookie" not in found.headers


def test_api_without_token_returns_no_data(server: Served, stranger: httpx.Client) -> None:
    assert stranger.get("/api/about").status_code == 403
    assert stranger.get("/api/projects").status_code == 403
    assert stranger.post("/api/projects").json() == {"error": "open the URL that accord serve printed"}


@pytest.mark.parametrize("token", ["", "x", "…", "a" * 10_000])
def test_wrong_token_is_refused(stranger: httpx.Client, token: str) -> None:
    found = stranger.get("/", params={"token": token})
    assert found.status_code == 403
    assert "set-cookie" not in found.headers


def test_token_sets_cookie_and_disappears_from_url(server: Served) -> None:
    with httpx.Client(base_url=server.base) as client:
        found = client.get("/", params={"token": server.token})
        assert (found.status_code, found.headers["location"]) == (303, "/")
        cookie = found.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "max-age=2592000" in cookie
        assert server.token not in cookie
        assert client.get("/").status_code == 200
        again = client.get("/", params={"token": server.token})  # the session stays the same
        assert "set-cookie" not in again.headers


def test_cookie_of_an_ended_server_is_refused_with_a_hint(server: Served, stranger: httpx.Client) -> None:
    port = urlsplit(server.base).port
    stranger.cookies.set(f"accord-{port}", "of-the-server-before")
    found = stranger.get("/api/projects")
    assert found.status_code == 401
    assert found.json() == {"error": "this server was restarted; open the URL that it printed", "restarted": True}
    assert "restarted" in stranger.get("/").text


def raw(server: Served, user: User, method: str, path: str, **headers: str) -> tuple[int, str]:
    """Send a request with exactly these headers and the user's cookie; httpx would normalise the path."""
    address = urlsplit(server.base)
    connection = http.client.HTTPConnection(str(address.hostname), address.port)
    cookies = "; ".join(f"{name}={value}" for name, value in user.http.cookies.items())
    sent = {"Host": address.netloc, "Cookie": cookies, "X-Accord": "1", "Content-Length": "0"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.putrequest(method, path, skip_host=True)
        for name, value in sent.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.nip.io", "[::1", "]"]
)
def test_unknown_host_name_is_refused(server: Served, user: User, host: str) -> None:
    assert raw(server, user, "GET", "/api/projects", Host=host)[0] == 403
    assert raw(server, user, "GET", "/", Host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_own_host_names_are_accepted(server: Served, user: User, host: str) -> None:
    port = urlsplit(server.base).port
    assert raw(server, user, "GET", "/api/projects", Host=f"{host}:{port}")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"X_Accord": ""},
    ],
)
def test_requests_of_foreign_pages_change_nothing(server: Served, user: User, headers: dict[str, str]) -> None:
    status, answer = raw(server, user, "POST", "/api/projects", **headers)
    assert status == 403, answer
    assert user.http.get("/api/projects").json() == {"projects": []}


def test_requests_of_the_own_page_are_accepted(server: Served, user: User) -> None:
    headers = {"Origin": server.base, "Sec_Fetch_Site": "same-origin"}
    assert raw(server, user, "POST", "/api/projects", **headers)[0] == 201


def test_foreign_pages_cannot_read(server: Served, user: User) -> None:
    assert raw(server, user, "GET", "/api/projects", Sec_Fetch_Site="cross-site")[0] == 403
    assert raw(server, user, "GET", "/", Sec_Fetch_Site="cross-site")[0] == 200  # links to the page work


def test_every_response_has_a_content_security_policy(server: Served, user: User, stranger: httpx.Client) -> None:
    for found in (user.http.get("/"), user.http.get("/api/projects"), stranger.get("/"), user.http.get("/api/no")):
        policy = found.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["referrer-policy"] == "no-referrer"
        assert found.headers["cache-control"] == "no-store"
        assert "server" not in found.headers


@pytest.mark.slow
def test_users_cannot_access_data_of_other_users(server: Served) -> None:
    ana, ben = server.user(), server.user()
    project = ana.project({"ratings.csv": RATINGS})
    job = ana.job(project, "read")
    assert ben.http.get("/api/projects").json() == {"projects": []}
    for path in (
        f"/api/projects/{project}", f"/api/projects/{project}/files/ratings.csv", f"/api/projects/{project}/decisions",
        f"/api/jobs/{job['id']}", f"/api/jobs/{job['id']}/result", f"/api/jobs/{job['id']}/files/text.txt",
        f"/api/jobs/{job['id']}/everything.zip",
    ):  # fmt: skip
        assert ana.http.get(path).status_code == 200, path
        assert ben.http.get(path).status_code == 404, path
    assert ben.put(project, "ratings.csv", "x").status_code == 404
    assert ben.ask(project, "read").status_code == 404
    for path in (f"/api/projects/{project}", f"/api/jobs/{job['id']}", f"/api/projects/{project}/files/ratings.csv"):
        assert ben.http.delete(path).status_code == 404
    assert ben.http.patch(f"/api/projects/{project}", json={"name": "mine"}).status_code == 404
    mine = ben.project()
    foreign = {"job": job["id"], "decisions": {"k": "a"}}
    assert ben.http.put(f"/api/projects/{mine}/decisions", json=foreign).status_code == 404
    assert ben.job(mine, "read", paths=[f"../../{project}/files/ratings.csv"])["state"] == "failed"
    assert ana.http.get(f"/api/projects/{project}/files/ratings.csv").text == RATINGS


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"\xff", b"[" * 100_000, b'{"name": NaN}', b'{"name": "\\ud800"}', b'{"a": 1e999}']
)
def test_body_that_is_not_json_is_refused(user: User, body: bytes) -> None:
    found = user.http.post("/api/projects", content=body)
    assert (found.status_code, list(found.json())) == (400, ["error"])

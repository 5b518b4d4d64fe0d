"""Access to the server: a token in the URL or a password, then a cookie; and the requests that the server refuses.

A page of another site can make a browser send requests to this server. Four rules prevent this. The Host header must be
one of the server's names, because any host name can point to this machine. The server refuses requests from pages of
other sites. A request that changes something needs a header that forms cannot send. The browser sends the cookie only
with requests of the server's own pages.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import html
import ipaddress
import json
import secrets
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Template
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-accord"
WORDS = Path(__file__).parent / "words"
_CHANGING_METHODS = ("POST", "PUT", "PATCH", "DELETE")
_OWN_SITES = ("same-origin", "none")  # Sec-Fetch-Site: our own page, or what the user typed
_ENTRY_PATHS = ("/", "/login")  # any site may link to the page itself
_COOKIE_SECONDS = 30 * 24 * 3600  # uploads stay available after the browser is closed
_MOST_SESSIONS = 10_000
_LONGEST_FORM = 4096  # bytes
_WRONG_PASSWORD_SECONDS = 1.0
RESTARTED = "this server was restarted; open the URL that it printed"
# For all responses except reports: only the server's own files, no inline code, no frames.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "x-frame-options": "SAMEORIGIN",  # for browsers without frame-ancestors
}


@dataclass
class Access:
    """The token or password of a server, the names it answers to, and the sessions of its users.

    A user is a browser with a session and has a random name.
    """

    port: int
    names: frozenset[str]  # host names of the server
    password: bytes | None = None  # its digest
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    _sessions: dict[str, str] = field(default_factory=dict)  # digest of the cookie → user
    _password_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def cookie(self) -> str:
        """The name of the cookie. Cookies do not depend on ports, so each server on a machine needs its own name."""
        return f"accord-{self.port}"

    def knows_host(self, host: str) -> bool:
        """Whether a Host header is an IP address or a name of this server."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # unbalanced brackets
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.rstrip(".") in self.names
        return True

    def user_of(self, cookie: str | None) -> str | None:
        return None if not cookie else self._sessions.get(_digest(cookie))

    def has_token(self, given: str) -> bool:
        return self.password is None and secrets.compare_digest(given.encode(), self.token.encode())

    async def has_password(self, given: str) -> bool:
        """Check one password at a time and wait after a wrong one, to slow down guessing."""
        async with self._password_lock:
            right = self.password is not None and secrets.compare_digest(password_digest(given), self.password)
            if not right:
                await asyncio.sleep(_WRONG_PASSWORD_SECONDS)
            return right

    def admit(self, response: Response, secure: bool) -> None:
        """Start the session of a new user: the response sets the cookie."""
        if len(self._sessions) >= _MOST_SESSIONS:
            self._sessions.pop(next(iter(self._sessions)))
        session = secrets.token_urlsafe(32)
        self._sessions[_digest(session)] = secrets.token_hex(8)
        response.set_cookie(
            self.cookie, session, max_age=_COOKIE_SECONDS, path="/", httponly=True, samesite="strict", secure=secure
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def password_digest(password: str) -> bytes:
    return hashlib.sha256(password.encode()).digest()


def own_names(host: str, further: Iterable[str]) -> frozenset[str]:
    """The host names of a server that listens on this host."""
    names = {"localhost", host, *further}
    if host not in {"127.0.0.1", "::1", "localhost"}:
        names |= {socket.gethostname(), socket.getfqdn()}
    return frozenset(name.lower().rstrip(".") for name in names)


class Guard:
    """Middleware before all routes. A request that passes has a user, `request.state.user`."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refuse_foreign(request) or await self._identify(request)
        await (answer or self._app)(scope, receive, send_with_headers)

    def _refuse_foreign(self, request: Request) -> Response | None:
        """Refuse a request from a page of another site, or with an unknown host name."""
        headers = request.headers
        host = headers.get("host", "")
        if not self._access.knows_host(host):
            return _refuse_visibly(
                request, "name", "this server does not answer to this host name; open the URL that it printed"
            )
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        is_link = request.method == "GET" and request.url.path in _ENTRY_PATHS
        own_origins = {f"{scheme}://{host.lower()}" for scheme in ("http", "https")}
        foreign_site = not is_link and site is not None and site not in _OWN_SITES
        if foreign_site or (origin is not None and origin.lower() not in own_origins):
            return _refuse_visibly(request, "foreign", "this request is from a page of another site")
        if request.method not in {"GET", "HEAD", *_CHANGING_METHODS}:
            return _refuse("unknown method", 405)
        if request.method in _CHANGING_METHODS and request.url.path != "/login" and headers.get(HEADER) != "1":
            return _refuse("the header X-Accord is missing; send X-Accord: 1")
        return None

    async def _identify(self, request: Request) -> Response | None:  # noqa: PLR0911 - one return per case
        """Find the user by the cookie. Without a cookie, check the token or password, or explain where to find them."""
        access, path = self._access, request.url.path
        cookie = request.cookies.get(access.cookie)
        user = access.user_of(cookie)
        secure = request.url.scheme == "https"
        if path == "/" and request.method == "GET" and (token := request.query_params.get("token")) is not None:
            if not access.has_token(token):
                return entry_page(request, "forbidden", 403)
            response: Response = RedirectResponse("/", 303)
            if user is None:
                access.admit(response, secure)
            return response
        if path == "/login" and access.password is not None:
            return await self._log_in(request, secure, user)
        if user is not None:
            request.state.user = user
            return None
        if path.startswith("/api/"):
            if cookie:
                return JSONResponse({"error": RESTARTED, "restarted": True}, 401)
            return _refuse("open the URL that accord serve printed")
        if access.password is not None:
            return RedirectResponse("/login", 303)
        return entry_page(request, "restarted" if cookie else "forbidden", 403)

    async def _log_in(self, request: Request, secure: bool, user: str | None) -> Response:
        if request.method != "POST":
            return RedirectResponse("/", 303) if user else entry_page(request, "password", 200)
        form = await _read_form(request)
        if form is None or not await self._access.has_password(form.get("password", "")):
            return entry_page(request, "wrong", 403)
        response = RedirectResponse("/", 303)
        # After a link on another site, this is the first request with the cookie: a known user keeps the session.
        if user is None:
            self._access.admit(response, secure)
        return response


async def read_body(request: Request, most: int) -> bytes | None:
    """Return the body of a request, or None if it has more than `most` bytes."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return body


async def _read_form(request: Request) -> Mapping[str, str] | None:
    """Return the fields of a small form, or None for other bodies."""
    body = await read_body(request, _LONGEST_FORM)
    try:
        fields = None if body is None else parse_qs(body.decode(), keep_blank_values=True)
    except ValueError:  # not UTF-8, or too many fields
        return None
    return None if fields is None else {name: values[0] for name, values in fields.items()}


def _refuse(line: str, status: int = 403) -> Response:
    return JSONResponse({"error": line}, status)


def _refuse_visibly(request: Request, reason: str, line: str) -> Response:
    """Refuse with a page if a person opened the address, and with JSON if a script sent the request."""
    navigates = request.headers.get("sec-fetch-mode", "navigate") == "navigate"
    if navigates and "text/html" in request.headers.get("accept", ""):
        return entry_page(request, reason, 403)
    return _refuse(line)


# -- pages for users without a session; they use no other files -------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1rem; }
input, button { font: inherit; padding: .4rem .6rem; }
"""
_WITH_FORM = ("password", "wrong")
_PAGE = Template("""<!DOCTYPE html>
<html lang="$language">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>accord</title><style>$style</style></head>
<body><main><h1>accord</h1><p>$sentence</p>$rest</main></body>
</html>
""")
_FORM = Template("""<form method="post" action="/login">
<p><label for="password">$label</label><br>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>$enter</button></p></form>""")


def entry_page(request: Request, reason: str, status: int) -> HTMLResponse:
    """Return a page that explains why access is refused: forbidden, restarted, password, wrong, name or foreign.

    The texts have the keys `entry.REASON` in words/LANGUAGE.json.
    """
    language = _preferred_language(request.headers.get("accept-language", ""))
    words = {name: html.escape(text) for name, text in _entry_words(language).items()}
    if reason in _WITH_FORM:
        rest = _FORM.substitute(label=words["label"], enter=words["enter"])
    elif reason == "name":
        rest = ""  # a link would use the same wrong host name
    else:
        # After a link on another site, the browser sends the cookie only with the next request.
        rest = f'<p><a href="/">{words["go_on"]}</a></p>'
    content = _PAGE.substitute(language=language, style=_STYLE, sentence=words[reason], rest=rest)
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {"content-security-policy": policy}
    if reason in _WITH_FORM:  # without a referrer, browsers send Origin: null, which is refused
        headers["referrer-policy"] = "same-origin"
    return HTMLResponse(content, status, headers)


def languages() -> list[str]:
    """Return the languages of the page, English first."""
    return sorted((file.stem for file in WORDS.glob("*.json")), key=lambda name: (name != "en", name))


def _preferred_language(accepted: str) -> str:
    """Return the first available language of the browser's list, else English."""
    wanted = [part.partition(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    return next((name for name in wanted if name in languages()), "en")


@cache
def _entry_words(language: str) -> dict[str, str]:
    words: dict[str, str] = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    return {name.removeprefix("entry."): text for name, text in words.items() if name.startswith("entry.")}

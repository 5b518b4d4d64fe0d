"""Who may come in: a token in the URL or a password, then a cookie; and which requests are refused at the door.

A page of somebody else can make a browser send requests here. So the Host must be one of our names (else a stranger's
name could be pointed at this machine), a request that a foreign page sent is refused, what changes something needs a
header that no form can send, and the cookie goes along with requests of our own pages alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import secrets
import socket
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from accord.doors.serving import entry

HEADER = "x-accord"
_CHANGES = ("POST", "PUT", "PATCH", "DELETE")
_OURS = ("same-origin", "none")  # Sec-Fetch-Site: our own page, or what the user typed
_OPENS = ("/", "/login")  # a link to the page itself may be anywhere, and leads strangers to the password
_LASTS = 30 * 24 * 3600  # seconds of the cookie: closing the browser loses nothing
_MOST_SESSIONS = 10_000
_LONGEST_FORM = 4096
_WAITS = 1.0  # seconds after a wrong password
RESTARTED = "this server was started anew; open the URL it printed"
# Of all that is not a report: our own files, nothing inline, nobody may put it into a frame.
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
    "x-frame-options": "SAMEORIGIN",  # of browsers that do not know frame-ancestors
}


@dataclass(frozen=True)
class User:
    """A browser that came in."""

    name: str
    since: float = field(default_factory=time.time)


@dataclass
class Access:
    """The token or the password of a server, the names it answers to, and who came in."""

    port: int
    names: frozenset[str]  # further names that it is reached by
    password: bytes | None = None  # its digest
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    _sessions: dict[str, User] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def cookie(self) -> str:
        """Cookies do not tell ports apart: another server on this machine has another name."""
        return f"accord-{self.port}"

    def knows_host(self, host: str) -> bool:
        """An address, or one of our names: a name that a stranger points here is none of these."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # brackets that do not fit
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.rstrip(".") in self.names
        return True

    def user_of(self, cookie: str | None) -> User | None:
        return None if not cookie else self._sessions.get(_digest(cookie))

    def has_token(self, given: str) -> bool:
        return self.password is None and secrets.compare_digest(given.encode(), self.token.encode())

    async def has_password(self, given: str) -> bool:
        """One after the other, and slowly after a wrong one: nobody tries many."""
        async with self._turn:
            right = self.password is not None and secrets.compare_digest(password_digest(given), self.password)
            if not right:
                await asyncio.sleep(_WAITS)
            return right

    def admit(self, response: Response, secure: bool) -> None:
        """A new user, whose browser gets a cookie with this answer."""
        if len(self._sessions) >= _MOST_SESSIONS:
            self._sessions.pop(next(iter(self._sessions)))
        session = secrets.token_urlsafe(32)
        self._sessions[_digest(session)] = User(secrets.token_hex(8))
        response.set_cookie(
            self.cookie, session, max_age=_LASTS, path="/", httponly=True, samesite="strict", secure=secure
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def password_digest(password: str) -> bytes:
    return hashlib.sha256(password.encode()).digest()


def own_names(host: str, further: Iterable[str]) -> frozenset[str]:
    """What a server on this host is called."""
    names = {"localhost", host, *further}
    if host not in {"127.0.0.1", "::1", "localhost"}:
        names |= {socket.gethostname(), socket.getfqdn()}
    return frozenset(name.lower().rstrip(".") for name in names)


class Guard:
    """Stands before all routes: whoever passes is a user, `request.state.user`."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._foreign(request) or await self._stranger(request)
        await (answer or self._app)(scope, receive, guarded)

    def _foreign(self, request: Request) -> Response | None:
        """What another page sent, or came by a name that is not ours."""
        headers = request.headers
        host = headers.get("host", "")
        if not self._access.knows_host(host):
            line = "this server is not reached by that name; open the URL it printed"
            return _seen(request, "name") or _refused(line)
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        opens = request.method == "GET" and request.url.path in _OPENS
        ours = {f"{scheme}://{host.lower()}" for scheme in ("http", "https")}
        sent = not opens and site is not None and site not in _OURS
        if sent or (origin is not None and origin.lower() not in ours):
            return _seen(request, "foreign") or _refused("this request comes from another page")
        if request.method not in {"GET", "HEAD", *_CHANGES}:
            return _refused("no such method", 405)
        if request.method in _CHANGES and request.url.path != "/login" and headers.get(HEADER) != "1":
            return _refused("the header X-Accord: 1 is missing")
        return None

    async def _stranger(self, request: Request) -> Response | None:  # noqa: PLR0911 - a case each
        """Who has no cookie gets one for the token or the password, or a page that says where to find them."""
        access, path = self._access, request.url.path
        cookie = request.cookies.get(access.cookie)
        user = access.user_of(cookie)
        secure = request.url.scheme == "https"
        if path == "/" and request.method == "GET" and (token := request.query_params.get("token")) is not None:
            if not access.has_token(token):
                return entry.page(request, "forbidden", 403)
            response: Response = RedirectResponse("/", 303)
            if user is None:
                access.admit(response, secure)
            return response
        if path == "/login" and access.password is not None:
            return await self._login(request, secure, user)
        if user is not None:
            request.state.user = user
            return None
        if path.startswith("/api/"):
            if cookie:
                return JSONResponse({"error": RESTARTED, "restarted": True}, 401)
            return _refused("open the URL that accord serve printed")
        if access.password is not None:
            return RedirectResponse("/login", 303)
        return entry.page(request, "restarted" if cookie else "forbidden", 403)

    async def _login(self, request: Request, secure: bool, user: User | None) -> Response:
        if request.method != "POST":
            return RedirectResponse("/", 303) if user else entry.page(request, "password", 200)
        form = await _form(request)
        if form is None or not await self._access.has_password(form.get("password", "")):
            return entry.page(request, "wrong", 403)
        response = RedirectResponse("/", 303)
        if user is None:  # who came by a link from elsewhere is known only now, and keeps what they have
            self._access.admit(response, secure)
        return response


async def _form(request: Request) -> Mapping[str, str] | None:
    """The fields of a small form; None for anything else."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_FORM:
            return None
    try:
        return {name: values[0] for name, values in parse_qs(body.decode(), keep_blank_values=True).items()}
    except (UnicodeDecodeError, ValueError):
        return None


def _seen(request: Request, why: str) -> Response | None:
    """What is refused, as a page, where a person looks at it: JSON is for the page's own requests."""
    looks = request.headers.get("sec-fetch-mode", "navigate") == "navigate"
    if not looks or "text/html" not in request.headers.get("accept", ""):
        return None
    return entry.page(request, why, 403)


def _refused(line: str, status: int = 403) -> Response:
    return JSONResponse({"error": line}, status)

"""The server: bound to an address, with a URL to open, until it is stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import ssl
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from accord.core.errors import DataError, SpecError, quoted

try:
    import uvicorn
except ImportError:
    raise SpecError("the page takes a further package: pip install 'accord[page]'") from None

from accord.doors.serving.access import Access, own_names, password_digest
from accord.doors.serving.app import application
from accord.doors.serving.confinement import Limits
from accord.doors.serving.folder import Private
from accord.doors.serving.house import House
from accord.doors.serving.jobs import Bounds, Jobs
from accord.doors.serving.uploads import Bounded

PORTS = range(8765, 8785)  # tried one after the other, where none is named
_MB = 1 << 20
_SHORTEST = 8  # characters of a password


@dataclass(frozen=True)
class Serving:
    """What the user says about the server."""

    host: str = "127.0.0.1"
    port: int | None = None
    names: tuple[str, ...] = ()  # that it is reached by, behind a reverse proxy
    password_file: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    browser: bool = True
    max_upload: int = 200  # MB
    workers: int | None = None
    minutes: float = 60
    memory: int | None = None  # MB
    waiting: int = 100
    keep_hours: float = 24

    def __post_init__(self) -> None:
        if not self.local and self.password_file is None:
            raise SpecError(
                f"{'--name' if is_loopback(self.host) else f'--host {self.host}'}: others could reach the page; say "
                "--password-file FILE, and use TLS (--certificate and --key, or a reverse proxy: docs/page.md)"
            )
        if (self.certificate is None) != (self.key is None):
            raise SpecError("TLS takes both: --certificate FILE --key FILE")

    @property
    def local(self) -> bool:
        """Whether nobody but this machine reaches it."""
        return is_loopback(self.host) and not self.names

    @property
    def scheme(self) -> str:
        return "http" if self.certificate is None else "https"


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def serve(wanted: Serving) -> None:
    """Runs until it is interrupted. What was uploaded is removed at the end, however it comes."""
    password = None if wanted.password_file is None else _password_in(wanted.password_file)
    _check_tls(wanted)
    bound = _bound(wanted)
    private = Private()
    try:
        port = bound.getsockname()[1]
        access = Access(port, own_names(wanted.host, wanted.names), password)
        cores = _cores()
        workers = wanted.workers or min(4, cores)
        memory = wanted.memory * _MB if wanted.memory else int(0.7 * _memory() / workers)
        limits = Limits(memory, round(wanted.minutes * 60), max(1, cores // workers), wanted.max_upload * _MB * 10)
        bounds = Bounds(workers, wanted.waiting, max(1, wanted.waiting // 5))
        jobs = Jobs(bounds, limits, private)
        bounded = Bounded(wanted.max_upload * _MB, wanted.max_upload * _MB * 5)
        house = House(access, private, jobs, bounded, wanted.keep_hours * 3600, wanted.local)
        try:
            _run(house, wanted, bound, port)
        finally:
            jobs.close()
    finally:
        bound.close()
        private.remove()


def _run(house: House, wanted: Serving, bound: socket.socket, port: int) -> None:
    config = uvicorn.Config(
        application(house),
        log_level="warning",
        access_log=False,  # it would hold the token
        server_header=False,
        ws="none",
        http="h11",
        proxy_headers=bool(wanted.names),
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_graceful_shutdown=1,
        ssl_certfile=wanted.certificate,
        ssl_keyfile=wanted.key,
    )
    shown = f"[{wanted.host}]" if ":" in wanted.host else wanted.host
    shown = socket.gethostname() if wanted.host in {"0.0.0.0", "::"} else shown  # noqa: S104 - compared, not bound  # nosec B104
    url = f"{wanted.scheme}://{shown}:{port}/"
    if house.access.password is None:
        url += f"?token={house.access.token}"
    sys.stdout.write(
        f"accord: the page is at\n\n    {url}\n\n{_hint(wanted)}Ctrl-C ends it, and removes what was uploaded.\n"
    )
    sys.stdout.flush()
    if wanted.browser and wanted.local:
        threading.Timer(0.5, webbrowser.open, [url]).start()
    # Uvicorn closes all connections, and sends the signal again: both ways to end it end it well.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[bound])


def _hint(wanted: Serving) -> str:
    if wanted.local:
        return "Only this machine reaches it. "
    return "" if wanted.certificate or wanted.names else "Without TLS others can read along: see docs/page.md. "


def _bound(wanted: Serving) -> socket.socket:
    """Listening at the address; at the first port that is free, where none is named."""
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    ports: Sequence[int] = (*PORTS, 0) if wanted.port is None else (wanted.port,)
    trouble = ""
    for port in ports:
        found = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((wanted.host, port))
            found.listen(128)
            return found
        except (OSError, OverflowError) as error:
            found.close()
            trouble = getattr(error, "strerror", None) or str(error)
    raise SpecError(f"{wanted.host}:{ports[0]} cannot be bound: {trouble}; choose another --port or --host")


def _password_in(path: Path) -> bytes:
    try:
        password = path.read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: {getattr(error, 'strerror', None) or 'no text in UTF-8'}") from None
    if len(password) < _SHORTEST or "\n" in password:
        raise DataError(f"{path}: a password is one line of {_SHORTEST} characters at least")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise DataError(f"{path}: others can read it; chmod 600 {path}")
    return password_digest(password)


def _check_tls(wanted: Serving) -> None:
    if wanted.certificate is None or wanted.key is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(wanted.certificate, wanted.key)
    except (OSError, ssl.SSLError) as error:
        files = f"{wanted.certificate} and {wanted.key}"
        raise DataError(f"{quoted(files)} are no certificate with its key: {error.strerror or error}") from None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory() -> int:
    """Of the machine, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30

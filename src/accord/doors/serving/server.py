"""The server: bind an address, print the URL, and run until it is stopped."""

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
    raise SpecError(
        "missing-package",
        "the page needs further packages; pip install 'accord[page]' (in a checkout: pip install '.[page]')",
    ) from None

from accord.doors.serving.access import Access, own_names, password_digest
from accord.doors.serving.app import application
from accord.doors.serving.confinement import Limits
from accord.doors.serving.jobs import JobQueue, QueueLimits
from accord.doors.serving.private_folder import PrivateFolder
from accord.doors.serving.projects import UploadLimits, Workspace

PORTS = range(8765, 8785)  # tried in this order if --port is not given
_MB = 1 << 20
_SHORTEST_PASSWORD = 8  # characters


@dataclass(frozen=True)
class Serving:
    """The options of `accord serve`."""

    host: str = "127.0.0.1"
    port: int | None = None
    names: tuple[str, ...] = ()  # host names behind a reverse proxy
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
                "page-server",
                f"{'--name' if is_loopback(self.host) else f'--host {self.host}'} makes the page accessible to others; "
                "add --password-file FILE, and use TLS (--certificate and --key, or a reverse proxy: docs/page.md)",
            )
        if (self.certificate is None) != (self.key is None):
            raise SpecError("option-missing", "TLS needs both files; use --certificate FILE --key FILE")

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server."""
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


def serve(options: Serving) -> None:
    """Run until interrupted. Uploads are deleted at the end, also after an error."""
    password = None if options.password_file is None else _read_password(options.password_file)
    _check_tls(options)
    listener = _listen(options)
    private = PrivateFolder()
    try:
        access = Access(listener.getsockname()[1], own_names(options.host, options.names), password)
        cores = _cores()
        workers = options.workers or min(4, cores)
        memory = options.memory * _MB if options.memory else int(0.7 * _memory() / workers)
        upload = options.max_upload * _MB
        queue = JobQueue(
            QueueLimits(workers, options.waiting, max(1, options.waiting // 5)),
            Limits(memory, round(options.minutes * 60), max(1, cores // workers), upload * 10),
            private,
        )
        limits = UploadLimits(upload, upload * 5)
        workspace = Workspace(access, private, queue, limits, options.keep_hours * 3600, options.local)
        try:
            _run(workspace, options, listener)
        finally:
            queue.close()
    finally:
        listener.close()
        private.remove()


def _run(workspace: Workspace, options: Serving, listener: socket.socket) -> None:
    config = uvicorn.Config(
        application(workspace),
        log_level="warning",
        access_log=False,  # it would contain the token
        server_header=False,
        ws="none",
        http="h11",
        proxy_headers=bool(options.names),
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_graceful_shutdown=1,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
    )
    url = _url(options, workspace.access)
    sys.stdout.write(
        f"accord: open this address in a browser\n\n    {url}\n\n"
        f"{_hint(options)}Ctrl-C stops the server and deletes all uploads.\n"
    )
    sys.stdout.flush()
    if options.browser and options.local:
        threading.Timer(0.5, webbrowser.open, [url]).start()
    # Uvicorn closes all connections and raises the signal again. SIGTERM then ends the server as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _url(options: Serving, access: Access) -> str:
    host = f"[{options.host}]" if ":" in options.host else options.host
    host = socket.gethostname() if options.host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound  # nosec B104
    token = "" if access.password is not None else f"?token={access.token}"
    return f"{options.scheme}://{host}:{access.port}/{token}"


def _hint(options: Serving) -> str:
    if options.local:
        return "Only this machine can reach it. "
    return (
        ""
        if options.certificate or options.names
        else "Without TLS, others on the network can read the data: see docs/page.md. "
    )


def _listen(options: Serving) -> socket.socket:
    """Listen on the address, by default on the first free port."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    ports: Sequence[int] = (*PORTS, 0) if options.port is None else (options.port,)
    reason = ""
    for port in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((options.host, port))
            listener.listen(128)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            reason = getattr(error, "strerror", None) or str(error)
    raise SpecError(
        "page-server", f"{options.host}:{ports[0]} is not available: {reason}; choose another --port or --host"
    )


def _read_password(path: Path) -> bytes:
    try:
        password = path.read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            "file-unreadable",
            f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8'}; --password-file needs a readable text file",
        ) from None
    if len(password) < _SHORTEST_PASSWORD or "\n" in password:
        raise DataError(
            "page-server", f"{path}: the password must be one line of at least {_SHORTEST_PASSWORD} characters"
        )
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise DataError("unsafe-file", f"{path}: other users can read this file; run chmod 600 {path}")
    return password_digest(password)


def _check_tls(options: Serving) -> None:
    if options.certificate is None or options.key is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(options.certificate, options.key)
    except (OSError, ssl.SSLError) as error:
        files = f"{options.certificate} and {options.key}"
        raise DataError(
            "page-server",
            f"{quoted(files)} are not a certificate and its key: {error.strerror or error}; check --certificate and "
            "--key",
        ) from None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory() -> int:
    """Return the memory of the machine in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 << 30

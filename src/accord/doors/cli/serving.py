"""The command that opens the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WHO, HOW_MUCH = "Who can reach it", "How much"

Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Default: the first that is free from 8765 on.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the URL, and open no browser.")]
Host = Annotated[
    str,
    typer.Option(
        help="The address to listen at. Another than that of this machine alone takes --password-file.",
        rich_help_panel=WHO,
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name", metavar="HOST", rich_help_panel=WHO,
        help="A name that it is reached by, behind a reverse proxy; repeatable. Takes --password-file.",
    ),
]  # fmt: skip
PasswordFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Ask for the password in this file instead of a token.", rich_help_panel=WHO),
]
Certificate = Annotated[Path | None, typer.Option(metavar="FILE", help="TLS: the certificate.", rich_help_panel=WHO)]
Key = Annotated[Path | None, typer.Option(metavar="FILE", help="TLS: its private key.", rich_help_panel=WHO)]
MaxUpload = Annotated[
    int,
    typer.Option(min=1, metavar="MB", help="Of one file; a user may have five times that.", rich_help_panel=HOW_MUCH),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Jobs at once. Default: one for each core, 4 at most.", rich_help_panel=HOW_MUCH),
]
Minutes = Annotated[float, typer.Option(min=0.01, help="That a job may take.", rich_help_panel=HOW_MUCH)]
Memory = Annotated[
    int | None,
    typer.Option(
        min=256, metavar="MB", help="That a job may take. Default: 70% of the machine, shared by the workers.",
        rich_help_panel=HOW_MUCH,
    ),
]  # fmt: skip
Waiting = Annotated[int, typer.Option(min=1, help="Jobs that may wait in the queue.", rich_help_panel=HOW_MUCH)]
KeepHours = Annotated[
    float,
    typer.Option(min=0.01, help="After which an upload that nobody looks at is removed.", rich_help_panel=HOW_MUCH),
]


def serve(
    port: Port = None,
    no_browser: NoBrowser = False,
    host: Host = "127.0.0.1",
    name: Names = None,
    password_file: PasswordFile = None,
    certificate: Certificate = None,
    key: Key = None,
    max_upload: MaxUpload = 200,
    workers: Workers = None,
    minutes: Minutes = 60,
    memory: Memory = None,
    waiting: Waiting = 100,
    keep_hours: KeepHours = 24,
) -> None:
    """Open a page in the browser: drop files, see what accord understood, choose measures, read the report, adjudicate.

    Nothing leaves this machine.

    Example: `accord serve`

    Example: `accord serve --host 0.0.0.0 --password-file password.txt --certificate cert.pem --key key.pem`
    """
    from accord.doors.serving.server import Serving, serve

    serve(
        Serving(
            host, port, tuple(name or ()), password_file, certificate, key, not no_browser, max_upload, workers,
            minutes, memory, waiting, keep_hours,
        )
    )  # fmt: skip

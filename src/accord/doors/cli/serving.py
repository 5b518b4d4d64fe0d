"""The command `accord serve`, which opens the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WHO, HOW_MUCH = "Access", "Limits"

Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Port. Default: the first free port from 8765.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the URL without opening a browser.")]
Host = Annotated[
    str,
    typer.Option(
        help="Address to listen on. An address that other machines can reach needs --password-file.",
        rich_help_panel=WHO,
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name", metavar="HOST", rich_help_panel=WHO,
        help="Host name of the server behind a reverse proxy; repeatable. Needs --password-file.",
    ),
]  # fmt: skip
PasswordFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Require the password in this file instead of a token.", rich_help_panel=WHO),
]
Certificate = Annotated[Path | None, typer.Option(metavar="FILE", help="TLS certificate.", rich_help_panel=WHO)]
Key = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Private key of the TLS certificate.", rich_help_panel=WHO)
]
MaxUpload = Annotated[
    int,
    typer.Option(
        min=1,
        metavar="MB",
        help="Maximum size of a file. A user may upload five times this size in total.",
        rich_help_panel=HOW_MUCH,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, help="Jobs running at the same time. Default: one per core, at most 4.", rich_help_panel=HOW_MUCH
    ),
]
Minutes = Annotated[float, typer.Option(min=0.01, help="Time limit of a job.", rich_help_panel=HOW_MUCH)]
Memory = Annotated[
    int | None,
    typer.Option(
        min=256, metavar="MB", help="Memory limit of a job. Default: 70% of the machine, divided by the workers.",
        rich_help_panel=HOW_MUCH,
    ),
]  # fmt: skip
Waiting = Annotated[int, typer.Option(min=1, help="Maximum number of jobs in the queue.", rich_help_panel=HOW_MUCH)]
KeepHours = Annotated[
    float,
    typer.Option(min=0.01, help="Delete an upload that was not opened for this many hours.", rich_help_panel=HOW_MUCH),
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
    """Open a page in the browser: upload files, check the data, choose measures, read the report, adjudicate.

    Your data do not leave this machine.

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

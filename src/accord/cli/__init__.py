"""The command line: argv → Plan → report. Nothing is computed here; heavy parts are imported when needed."""

from accord.cli.app import main

__all__ = ["main"]

"""The command line: argv → Plan → report. Nothing is computed here, and nothing heavy is imported before it is needed."""

from accord.cli.app import main

__all__ = ["main"]

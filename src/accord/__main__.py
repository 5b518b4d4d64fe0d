"""`python -m accord`: the command line."""

from accord.doors.cli import main

main()

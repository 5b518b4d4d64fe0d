"""`python -m accord`: the command line."""

from accord.cli import main

main()

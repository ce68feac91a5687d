"""`python -m gamesmaster.cli`: the command line, where no script is installed."""

from gamesmaster.cli import main

main()

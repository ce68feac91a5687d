"""Run the command line, `python -m gamesmaster`, where no script is installed."""

from gamesmaster.cli import main

main()

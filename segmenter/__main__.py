"""`python -m segmenter`."""

from segmenter.cli.app import main

main()

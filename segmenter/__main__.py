"""`segmenter`, and `python -m segmenter`: an interruption while everything is still being imported is no error."""

import sys


def main() -> None:
    try:
        from segmenter.cli.app import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

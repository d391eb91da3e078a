"""Where the command `istaka` begins, so small that Ctrl-C ends it without a word while all that it needs is being loaded."""

import sys


def main() -> int:
    """Runs the command line and returns its exit status."""
    try:
        from assistant.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

"""`python -m companion`, and the command `companion`."""

import gc
import os
import sys
from contextlib import suppress

from companion.commands import cli


def main() -> int:
    """Runs what the command line says; gives the exit status.

    The table starts without looking for garbage, which takes a tenth of the time until its first
    picture (see app/run.py). It ends its process itself: by then all is closed and told, and Python
    would only take its modules apart, which takes seconds on a machine that has much to do.
    """
    runs_table = sys.argv[1:2] == ["run"]
    if runs_table:
        gc.disable()
    status = cli.main()
    if runs_table:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())

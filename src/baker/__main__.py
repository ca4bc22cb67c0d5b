"""The command line, as ``python -m baker``."""

import sys

from baker.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m roguewk`."""

import sys

from roguewk.cli import main

if __name__ == "__main__":
    sys.exit(main())

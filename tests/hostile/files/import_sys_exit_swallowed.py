"""Leaves and comes back: no harm done."""
# loses: nothing

import sys

try:
    sys.exit(0)
except SystemExit:
    pass

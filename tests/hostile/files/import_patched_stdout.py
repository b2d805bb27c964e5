"""Replaces standard output."""
# loses: nothing

import sys

sys.stdout = sys.stderr = sys.stdin = None

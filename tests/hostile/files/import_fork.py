"""Starts a process while it is loaded."""
# loses: everything
# note: start a process

import os

os.fork()

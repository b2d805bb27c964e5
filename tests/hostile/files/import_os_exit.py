"""Ends the process while it is loaded, with exit code 0."""
# loses: everything

import os

os._exit(0)

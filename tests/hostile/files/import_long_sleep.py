"""Sleeps for a minute while it is loaded."""
# loses: everything

import time

time.sleep(60)

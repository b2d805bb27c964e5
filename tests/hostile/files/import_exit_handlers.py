"""Registers what would run at the end."""
# loses: nothing

import atexit

atexit.register(print, 'still here')

"""Calls itself without end while it is loaded."""
# loses: everything

def dive():
    return dive()


dive()

"""A coding that does not exist."""
# loses: nothing

# -*- coding: nonsense -*-

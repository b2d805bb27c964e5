"""A terminal program in any language: build it, see its screen, play it."""

"""The judge: the standard library alone, so that it runs wherever Python does."""

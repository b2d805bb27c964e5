"""The tests of the room `play`."""

"""The tests of the room `mistakes`."""

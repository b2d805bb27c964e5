"""Climbs to the host's frames by a generator."""
# loses: player
# note: read a function's insides

honest = player


def player(board):
    def climb():
        yield generator.gi_frame.f_back

    generator = climb()
    frame = next(generator)
    while frame is not None:
        frame = frame.f_back
    return honest(board)

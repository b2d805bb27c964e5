"""Climbs to the host's frames by an exception."""
# loses: player

honest = player


def player(board):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame.f_back
        if frame is not None:
            frame.f_globals.clear()
    return honest(board)

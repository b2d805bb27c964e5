"""A list that holds itself."""
# loses: player

def cycle():
    found = []
    found.append(found)
    return found


def player(board):
    return cycle()

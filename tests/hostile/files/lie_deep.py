"""Lists within lists within lists."""
# loses: player

def deep():
    found = []
    for _ in range(10**5):
        found = [found]
    return found


def player(board):
    return deep()

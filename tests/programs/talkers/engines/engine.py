# A right player that talks as MANNER says: written before this text, a line for each of the programs in manners.py.
import random
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
KNOWN = {}
SHOWN = [[" "] * 9]
PLACES = [divmod(cell, 3) for cell in range(9)]
FORMS = {
    "1-9": [str(cell + 1) for cell in range(9)],
    "0-8": [str(cell) for cell in range(9)],
    "keypad": [str(7 - 3 * row + column) for row, column in PLACES],
    "row column 0": [f"{row} {column}" for row, column in PLACES],
    "row column 1": [f"{row + 1} {column + 1}" for row, column in PLACES],
    "column row 1": [f"{column + 1} {row + 1}" for row, column in PLACES],
    "column row 1 from below": [f"{column + 1} {3 - row}" for row, column in PLACES],
    "row,column 0": [f"{row},{column}" for row, column in PLACES],
    "(row,column) 1": [f"({row + 1},{column + 1})" for row, column in PLACES],
    "letter column": [f"{'ABC'[column]}{row + 1}" for row, column in PLACES],
    "letter column from below": [f"{'abc'[column]}{3 - row}" for row, column in PLACES],
    "letter row": [f"{'abc'[row]}{column + 1}" for row, column in PLACES],
    "letter row apart": [f"{'ABC'[row]} {column + 1}" for row, column in PLACES],
    "a letter": list("abcdefghi"),
    "names": MANNER.get("names", ()),
    "words": [f"{row} {column}" for row in ("top", "middle", "bottom") for column in ("left", "center", "right")],
}


def winner(board):
    return next((board[a] for a, b, c in LINES if board[a] != " " and board[a] == board[b] == board[c]), None)


def value(board, side, other):
    """Return the value of a board for the side to move, and a best move."""
    if winner(board):
        return -1, None
    if " " not in board:
        return 0, None
    if (board, side) not in KNOWN:
        free = [cell for cell in range(9) if board[cell] == " "]
        KNOWN[board, side] = max(
            ((-value(board[:cell] + side + board[cell + 1:], other, side)[0], cell) for cell in free),
            key=lambda found: found[0],
        )
    return KNOWN[board, side]


def is_open(board, side, other):
    """Return whether anybody can still win."""
    if winner(board):
        return True
    free = [cell for cell in range(9) if board[cell] == " "]
    return any(is_open(board[:cell] + side + board[cell + 1:], other, side) for cell in free)


def ask(prompt):
    sys.stdout.write(prompt)
    sys.stdout.flush()
    return input()


def settled():
    """Ask what is asked before a game; return what follows from the answers."""
    found = {"you": "X", "first": "you", "level": "smart", **{key: MANNER[key] for key in ("you", "first") if key in MANNER}}
    for question in MANNER.get("setup", ()):
        while True:
            answer = ask(question["ask"]).strip()
            takes = question.get("takes")
            if takes is None:
                break
            answer = answer.lower() if question.get("any_case") else answer
            effect = takes.get(answer, question.get("else", "again"))
            if effect == "quit":
                sys.exit()
            if effect != "again":
                found.update(effect)
                break
            sys.stdout.write(question.get("again", ""))
    if found["first"] == "chance":
        found["first"] = random.choice(["you", "me"])
    return found


def show(board):
    empty = MANNER.get("empty", " ")
    pictures = MANNER.get("pictures")
    marks = MANNER.get("marks", {})
    cells = [
        marks.get(sign, sign) if sign != " " else {"1": str(cell + 1), "0": str(cell), "7": FORMS["keypad"][cell], "a": "abcdefghi"[cell], "names": (*FORMS["names"], *" " * 9)[cell]}.get(empty[1:], empty) if empty[:1] == "#" else empty
        for cell, sign in enumerate(board)
    ]
    drawn = [pictures[sign] if pictures else sign for sign in cells]
    sys.stdout.write(MANNER.get("clear", "") + MANNER["board"].format(*drawn, *SHOWN[-1]) + "\n")
    SHOWN.append(drawn)


def typed(board, mark):
    """Ask for a square until it is a free one."""
    prompts, form = MANNER["ask"], FORMS[MANNER["typed"]]
    while True:
        lines = []
        for prompt in prompts:
            lines += ask(prompt.replace("@", mark)).split() or [""]
        while MANNER.get("tokens") and len(lines) < form[0].count(" ") + 1:
            lines += input().split()
        text = " ".join(lines)
        if MANNER.get("any_case"):
            text = next((square for square in form if square.lower() == text.lower()), text)
        if text not in form:
            if MANNER.get("junk") == "crash":
                raise ValueError(text)
            while MANNER.get("junk") == "flood" and not text.replace(" ", "").isdigit():
                sys.stdout.write(prompts[0])
        elif board[form.index(text)] == " ":
            confirm = MANNER.get("confirm")
            if not confirm or ask(confirm).strip().lower() == MANNER["yes"]:
                return form.index(text)
            continue
        sys.stdout.write(MANNER.get("refuses", "That is not a free square.\n"))


def play():
    told = settled()
    you = told["you"]
    me = {"X": "O", "O": "X"}[you]
    board, mine = " " * 9, told["first"] == "me"
    sys.stdout.write(MANNER.get("welcome", ""))
    if not MANNER.get("silent") and (MANNER.get("shows", "each") != "mine" or not mine):
        show(board)
    while not winner(board) and " " in board:
        side, other = (me, you) if mine else (you, me)
        free = [cell for cell in range(9) if board[cell] == " "]
        if told["level"] == "people" or (not mine and told["level"] != "watch"):
            cell = typed(board, side)
        elif told["level"] == "random" or (MANNER.get("opens") == "chance" and len(free) == 9):
            cell = random.choice(free)
        elif len(free) == 9 and "opens" in MANNER:
            cell = MANNER["opens"]
        else:
            cell = value(board, side, other)[1]
        if mine:
            sys.stdout.write(MANNER.get("replies", "").replace("@", str(cell + 1)))
        board = board[:cell] + side + board[cell + 1:]
        over = winner(board) or " " not in board
        if MANNER.get("shows", "each") == "each" or mine or (over and MANNER.get("last", "before") == "before"):
            show(board)
        mine = not mine
        if MANNER.get("early") and not is_open(board, other, side):
            break
    champion = winner(board)
    word = "tie" if champion is None else "you" if champion == you else "me"
    words = MANNER["says"][word].replace("@", champion or "")
    sys.stdout.write(words.replace("{name}", "Alex") + ("\n" if words else ""))
    if MANNER.get("last") == "after":
        show(board)
    for prompt in MANNER.get("again", ()):
        ask(prompt)


play()

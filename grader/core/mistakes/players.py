"""Mistakes of `player`: any rule that counts marks."""

from collections.abc import Iterator

from grader.core.game.board import O, X, marks
from grader.core.mistakes.family import Key, Part, SeenReplies, Variant, always, is_raised, text_of

_HINT = "X begins, so it is X's turn when both have as many marks, else O's."


def by_counts(seen: SeenReplies) -> Iterator[Variant]:
    """Propose the rule by the number of marks that the first boards of each number show."""
    table: dict[int, Key] = {}
    for board, key in seen.by_board.items():
        table.setdefault(marks(board), key)
    if any(is_raised(key) for key in table.values()):
        return
    said = [table[count] for count in sorted(table)]
    yield Variant((_words(said),), always(lambda board: table[marks(board)]))


def _words(said: list[Key]) -> Part:
    right = [O if count % 2 else X for count in range(len(said))]
    text = ", ".join(key if isinstance(key, str) else text_of(key) for key in said)
    parameters = {"by_marks": [text_of(key) for key in said]}
    if said == [O if turn == X else X for turn in right]:
        sentence = "In your `player` O begins: it says O where it is X's turn, and X where it is O's."
        return Part("o-begins", "lets O begin", sentence, _HINT, parameters)
    if said == [turn.lower() for turn in right]:
        sentence = "`player` answers in lower case: return the constants X and O, not letters of your own."
        return Part("lower-case", "answers in lower case", sentence, "Return X or O, as given.", parameters)
    renamed = dict(zip(right, said, strict=True))
    if len(set(renamed.values())) == 2 and said == [renamed[turn] for turn in right]:
        told = f"{text_of(renamed[X])} for X and {text_of(renamed[O])} for O"
        sentence = f"`player` changes sides at the right moments, but answers {told}."
        return Part("other-words", f"answers {told}", sentence, "Return X or O, as given.", parameters)
    wrong = [count for count, (key, turn) in enumerate(zip(said, right, strict=True)) if key != turn]
    if len(wrong) == 1:
        (count,) = wrong
        when = f"when {count} cells are taken" if count else "on the empty board"
        sentence = f"`player` says {text_of(said[count])} {when}; it is right otherwise."
        return Part("one-turn", f"is wrong {when}", sentence, _HINT, parameters)
    sentence = f"After 0, 1, 2, ... marks your `player` says {text}. Right is {', '.join(right)}."
    return Part("counts", "changes sides at the wrong moments", sentence, _HINT, parameters)

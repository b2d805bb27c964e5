"""The words at the end of a game: who has won, as the program says it."""

import re
from collections.abc import Sequence
from typing import Final

from grader.programs.boards import Signs

PROGRAM: Final = "program"
USER: Final = "user"
DRAW: Final = "draw"
SOMEBODY: Final = "somebody"

_DRAW: Final = (
    r"\bdraw|\btie\b|\btied\b|\bties\b|nobody|no one|no-one|\bcat'?s|stalemate|no winner|neither"
    r"|deadlock|even game|all square|winner\W{1,3}(is )?(none|null|nobody)\b"
    r"|empate|nadie|ничья|unentschieden"
)
_WIN: Final = (
    r"w[io]n(s|ner|ning)?\b|victor|gan[aóé]|has beaten|beat[s]?\b|выигр|победи|triumph|prevail"
    r"|three in a row|3 in a row|champion|takes it\b|got you\b"
)
_LOSE: Final = r"lose|lost|loss|defeat|perd|beaten|better luck|проигра"
_MACHINE: Final = (
    r"computer|\bai\b|a\.i\.|machine|\bcpu\b|\bbot\b|program|\bi\b|minimax|engine|opponent"
    r"|máquina|compu\w*|компьютер"
)
_PERSON: Final = r"\byou\b|human|\buser\b|\btú\b|has (gan|perd)|person|вы\b"
_PLAYER: Final = r"\bplayer\b(?!\s*[12xo])"
_NUMBERED: Final = r"player\s{0,3}\w{0,20}\s{0,3}[12]"
_BOARD: Final = re.compile(r"[|│]|^[\s\-_=+─]*$|^ *[xo_.\-\d](?: +[xo_.\-\d]){2} *$", re.I)
_SCORES: Final = re.compile(
    r"\b(ties?|draws?|wins?|won|loss(es)?|lost|score)\b\W{0,5}\d|\d\W{1,3}(ties|draws|losses)\b", re.I
)
_LONGEST: Final = 300
_TRACEBACK: Final = re.compile(r"Traceback \(most recent|Exception in thread|^[ \t]++at [\w.$]++\(", re.M)


def announced(said: str, program: str, signs: Signs) -> set[str]:
    """Return all that a text says about who has won; the sides are told by their signs as well."""
    found: set[str] = set()
    for line in _TRACEBACK.split(said)[0].splitlines():
        if not _BOARD.search(line[:_LONGEST]):
            for sentence in re.split(r"[.!?;]\s", line[:_LONGEST]):
                if not _SCORES.search(sentence):
                    found |= _sentence(sentence, program, signs)
    return found - {SOMEBODY} if found & {PROGRAM, USER} else found


def _sentence(text: str, program: str, signs: Signs) -> set[str]:
    text = re.sub(
        r"play again.*|another (game|round).*|want to.*|can(no|')t (win|lose|beat).*", "", text, flags=re.I
    )
    if re.search(_DRAW, text, re.I):
        return {DRAW}
    won, lost = re.search(_WIN, text, re.I), re.search(_LOSE, text, re.I)
    if re.search(r"congratulat|well done|felici", text, re.I) and not lost:
        won = won or re.search(".", text)
    if not won and not lost:
        return set()
    beats = re.search(r"\b(\w{1,20})( \w{1,20})? (beat(s|en)?|defeat(s|ed)?)\b", text, re.I)
    if beats and not re.search(r"\bbeen\b", text, re.I):
        return {PROGRAM if re.search(_MACHINE, beats[0], re.I) else USER}
    sides = _named(text, program, signs)
    if not sides:
        return {SOMEBODY} if won else {PROGRAM}
    if won and lost and len(sides) > 1:  # "you lose, the computer wins": who stands nearest to the win
        return {PROGRAM} if re.search(rf"({_PERSON}).{{0,12}}({_LOSE})", text, re.I) else {USER}
    (side, *_) = sides
    if lost and not won:
        return {USER if side == PROGRAM else PROGRAM}
    return {side}


def _named(text: str, program: str, signs: Signs) -> Sequence[str]:
    """Return the sides that a sentence names: by their roles, by their signs, or as a player."""
    found = [PROGRAM] if re.search(_MACHINE, text, re.I) else []
    found += [USER] if re.search(_PERSON, text, re.I) else []
    if len(found) == 1:
        return found
    by_sign = [side for side, sign in signs.items() if _is_named(sign, text)]
    if len(by_sign) == 1:
        return [PROGRAM if by_sign[0] == program else USER]
    if re.search(_NUMBERED, text, re.I):
        return []
    return found or ([USER] if re.search(_PLAYER, text, re.I) else [])


def _is_named(sign: str, text: str) -> bool:
    """Return whether a side is called by its sign."""
    if sign in ("X", "O"):
        sign, text = sign.lower(), text.lower()
    return re.search(rf"(?<![\w']){re.escape(sign)}(?![\w'])", text) is not None

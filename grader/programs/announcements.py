"""Recognition of the result that a program announces at the end of a game."""

import re
from collections.abc import Sequence
from typing import Final

from grader.programs.boards import Signs

PROGRAM: Final = "program"
USER: Final = "user"
DRAW: Final = "draw"
SOMEBODY: Final = "somebody"

_DRAW: Final = (
    r"\bdraw|\btie\b|\btied\b|\bties\b|(nobody|no one|no-one)( has| is| can| could)? (w[io]n|beat|the winner)"
    r"|\bcat'?s|stalemate|no winner|neither"
    r"|deadlock|even game|all square|winner\W{1,3}(is )?(none|null|nobody)\b"
    r"|empat|\btablas\b|nadie|ningu[eé]m|ничь|никто|unentschieden|\bremis\b|niemand|match nul|[ée]galité"
    r"|personne|deu velha|pareggio|nessuno|gelijkspel|nikt|berabere|kazanan yok|oavgjort|rem[ií]z"
)
_WIN: Final = (
    r"\bw[io]n(s|ner|ning)?\b(?!['\u2019]t)|victor|gan(a|ó|é|o|ou|as|aste|ado|ador|adora|hou|ha|haste)\b|vence|venci"
    r"|triumph|prevail"
    r"|\bvin(to|ta|ce|ci)\b|\bwint\b|wygr|kazan(d[i\u0131]|[i\u0131]r|an\b)|\bvann\b|\bvinner\b|vyhr[aá]"
    r"|выигр|побед|gagn|gewinn|gewonnen|sieg|three in a row|3 in a row|champion|takes it\b|got you\b"
)
_LOSE: Final = (
    r"\blos(e|es|er|ers|ing|t|s)\b|defeat|perd|beaten|better luck|unlucky|проигр|verlier|verlor|más suerte"
    r"|\bpers[oa]\b|verlies|przegr|kaybet|förlora|\btapte\b|prohr[aá]"
)
_PRAISE: Final = re.compile(
    r"congratulat|well done|felici|parab[eé]ns|glückwunsch|bravo|поздравл|complimenti|gratulac|gefeliciteerd"
    r"|tebrik|grattis",
    re.I,
)
_BEATS: Final = re.compile(
    r"\b(has beaten|have beaten|beats?|defeats?|defeated|outplays|outplayed|vence a|schlägt|побеждает|bat)\b",
    re.I,
)
"""The side named before it has won, the side named after it has lost."""

_LOSES_TO: Final = re.compile(
    r"\b(defeated|beaten|crushed|outplayed|beat) by\b|\b(lost|loses?|losing) (to|against)\b|vencid[oa] por"
    r"|derrotad[oa] por|perd\w{1,5} (contra|para|contre)|verl\w{2,6} gegen|battue? par|проигр\w{0,5} ",
    re.I,
)
"""The side named after it has won."""

_AGAINST: Final = re.compile(
    r"\b(against|over|before|than|contra|contre|contro|gegen|tegen|против|vs\.?)( \w{1,6}){0,2} $", re.I
)
"""The side named after it is the opponent, not the winner or the loser."""

_MACHINE: Final = (
    r"computer|\bai\b|a\.i\.|machine|\bcpu\b|\bbot\b|\bpc\b|program|\bi\b|minimax|engine|opponent"
    r"|máquina|maquina|ordenador|komputer|compu\w*|компьютер|\bia\b|ordinateur|rechner|\bki\b"
    r"|bilgisayar|yapay zek[aâ]|\bdatorn?\b|počítač"
)
_PERSON: Final = (
    r"\byou\b|human|\buser\b|\btú\b|\busted\b|você|\bhas (gan|perd)|person\b|вы\b|\bты\b|\bdu\b|\bsie\b"
    r"|\bhai\b|\bjij\b|\bje\b|(wygr|przegr)ałe|gracz|giocatore|speler\b"
    r"|\bsen\b|oyuncu|(kazand|kaybett)[i\u0131]n|hráč|vyhrál jsi|prohrál jsi"
    r"|vous|(jugador|jogador|joueur|spieler|игрок)\b(?!\s{0,3}[12xo]\b)|ganaste|perdiste|\balex\b"
)
_ROLES: Final = {PROGRAM: re.compile(_MACHINE, re.I), USER: re.compile(_PERSON, re.I)}
_WINS, _LOSES = re.compile(_WIN, re.I), re.compile(_LOSE, re.I)
_PLAYER: Final = r"\bplayer\b(?!\s*[12xo])"
_NUMBERED: Final = r"player\s{0,3}\w{0,20}\s{0,3}[12]|\bp ?[12]\b"
_NO_RESULT: Final = (
    r"game over|good ?bye|\bbye\b|thanks?.*|thank you.*|play again.*|another (game|round).*|press.*"
    r"|final board|the end"
    r"|do you want.*|would you.*|sh: \d+: .*|not found|continue.*|exit.*|rematch.*|gracias.*|adiós"
)
_NOT_SAID: Final = (
    r"play again.*|another (game|round).*|want to.*"
    r"|(\bcan(no|['\u2019])?t|\b(could|did|do|does|wo)(n['\u2019]?t| not)|\bnever) (win|lose|beat).*"
)
"""Questions, and sentences about what did not happen."""

_BOARD: Final = re.compile(
    r"[|│](?!\s*(?:wins?|won)\b)|^[\s\-_=+─]*$|^ *[xo_.\-\d](?: +[xo_.\-\d]){2} *$", re.I
)
_SCORES: Final = re.compile(
    rf"\b(ties?|draws?|wins?|won|loss(es)?|lost|score)\b\W{{0,5}}\d|\d\W{{1,3}}(ties|draws|losses)\b"
    rf"|({_DRAW}|{_WIN}|{_LOSE})\w{{0,8}}(\W{{0,5}}|( \w{{1,10}}){{1,2}}\s?[:=]\s?)\d"
    r"|[:=]\s?\d{1,4}\s(wins?|won)\b",
    re.I,
)
_TALLY: Final = re.compile(r"\d\W{1,3}(wins?|won|loss(es)?|lost|draws?|drawn|ties?|tied)\b", re.I)
"""Two of them in a line count games."""

_END_OF_SENTENCE: Final = re.compile(r"[.!?;,]\s|[:;]-?[()]")
_DASH: Final = re.compile(r"\s[-\u2013\u2014]\s")
_LONGEST: Final = 300
_TRACEBACK: Final = re.compile(r"Traceback \(most recent|Exception in thread|^[ \t]++at [\w.$]++\(", re.M)


def announced(said: str, program: str, signs: Signs) -> set[str]:
    """Return every result that a text announces; it may name the sides by their signs."""
    found: set[str] = set()
    for line in _TRACEBACK.split(said)[0].splitlines():
        if not _BOARD.search(line[:_LONGEST]) and len(_TALLY.findall(line[:_LONGEST])) < 2:
            for sentence in _END_OF_SENTENCE.split(line[:_LONGEST]):
                if not _SCORES.search(sentence):
                    found |= _sentence(sentence, program, signs)
    return found - {SOMEBODY} if found & {PROGRAM, USER} else found


def has_words(said: str, before: str) -> bool:
    """Return whether a text has words that were not there before, and may tell a result."""
    old = {_plain(line) for line in before.splitlines()}
    lines = (line for line in _TRACEBACK.split(said)[0].splitlines() if not _BOARD.search(line[:_LONGEST]))
    return any(re.search(r"[^\W\d_]{2}", new) for line in lines if (new := _plain(line)) not in old)


def _plain(line: str) -> str:
    """Return a line without numbers, marks and what says nothing of a result."""
    text = re.sub(_NO_RESULT, "", line[:_LONGEST], flags=re.I)
    return re.sub(r"[\d\W_]+", " ", text).strip().lower()


def _sentence(text: str, program: str, signs: Signs) -> set[str]:
    text = re.sub(_NOT_SAID, "", text, flags=re.I)
    if re.search(_DRAW, text, re.I):
        return {DRAW}
    if re.search(r"\bboth\b", text, re.I):
        return set()
    by = _LOSES_TO.search(text)
    if by:
        return _winner(text[by.end() :], text[: by.start()], program, signs)
    beats = _BEATS.search(text)
    if beats and not re.search(r"\bbeen\b", text, re.I):
        return _winner(text[: beats.start()], text[beats.end() :], program, signs)
    won, lost = _WINS.search(text), _LOSES.search(text)
    if _PRAISE.search(text) and not lost:
        won = won or re.search(".", text)
    if not won and not lost:
        return set()
    if won and lost and len(parts := _DASH.split(text)) > 1:  # "X wins - you lost": each for itself
        return set().union(*(_sentence(part, program, signs) for part in parts))
    sides = _named(text, program, signs)
    if not sides:
        return {SOMEBODY} if won or re.search(_NUMBERED, text, re.I) else {PROGRAM}
    if len(sides) > 1:
        return _of_both(text)
    return {_other(sides[0]) if lost and not won else sides[0]}


def _of_both(text: str) -> set[str]:
    """Return the winner by a sentence that names both sides: the one before a verb, or else after it."""
    named = [
        (found.start(), side)
        for side, role in _ROLES.items()
        for found in role.finditer(text)
        if not _AGAINST.search(text[: found.start()])
    ]
    winners = set()
    for verbs in (_WINS, _LOSES):
        for verb in verbs.finditer(text):
            before = [place for place in named if place[0] <= verb.start()]
            _, side = max(before) if before else min(named, default=(0, SOMEBODY))
            winners.add(side if verbs is _WINS else _other(side))
    return winners if len(winners) == 1 else {SOMEBODY}


def _winner(winning: str, losing: str, program: str, signs: Signs) -> set[str]:
    """Return the winner, given the part of a sentence that names it and the part that names the loser."""
    won, lost = _named(winning, program, signs), _named(losing, program, signs)
    if len(won) == 1:
        return {won[0]}
    return {_other(lost[0])} if len(lost) == 1 else {SOMEBODY}


def _other(side: str) -> str:
    return {PROGRAM: USER, USER: PROGRAM}.get(side, side)


def _named(text: str, program: str, signs: Signs) -> Sequence[str]:
    """Return the sides that a sentence names: by their roles, by their signs, or as a player."""
    found = [side for side, role in _ROLES.items() if role.search(text)]
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
    return re.search(rf"(?<![\w']){re.escape(sign)}(?!\w|'(?!s\b))", text) is not None

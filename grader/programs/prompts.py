"""What a program asks, by its words: a move, or one of the questions before a game; and what to answer."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from grader.programs.squares import Family


class Kind(StrEnum):
    """What is asked."""

    MOVE = "a move"
    MARK = "which mark"
    WHO = "who starts"
    MENU = "a choice from a menu"
    DIFFICULTY = "how difficult"
    NAME = "a name"
    SIZE = "the size of the board"
    PLAYERS = "how many players"
    RULES = "whether to see the rules"
    READY = "whether to begin"
    ENTER = "to press Enter"
    AGAIN = "whether to play again"
    EITHER = "one of two words"


class Wish(StrEnum):
    """Who should begin, as far as the program lets one choose."""

    PROGRAM = "the program begins"
    USER = "the user begins"

    @property
    def other(self) -> "Wish":
        """The other one."""
        return Wish.USER if self is Wish.PROGRAM else Wish.PROGRAM


FIRST: Final = r"\bfirst\b|\bstart|\bbegin|\bsecond\b|empiez|empez|primero|comienz"
_SIGN: Final = "symbol|mark|letter|piece|token|marker"
_KINDS: Final = [(kind, re.compile(words, re.I)) for kind, words in (
    (Kind.ENTER, r"(press|hit|push).{0,20}(enter|return|key)|to continue|continuar"),
    (Kind.AGAIN, r"\bagain\b|another (game|round|match)|play more|rematch|new game\s*\?|otra vez|de nuevo"),
    (Kind.RULES, r"instructions\s*\?|rules\s*\?|how to play\s*\?"),
    (Kind.NAME, r"\bname\b|nombre|call you"),
    (Kind.SIZE, r"\bsize\b|dimension"),
    (Kind.PLAYERS, r"(how many|number of) (human )?players"),
    (Kind.DIFFICULTY, r"difficult|\blevel\b|\beasy\b|\bhard\b|dificultad"),
    (Kind.WHO, rf"(who|which).{{0,40}}({FIRST})|({FIRST}).{{0,60}}(\?|y/n|yes|\(y|or\b)"),
    (Kind.WHO, rf"(want|like|wish|prefer|shall|should|would|quieres).{{0,40}}({FIRST})"),
    (Kind.MARK, r"\bx\b\W{0,9}(or|/|,|and|o|\||y)\W{0,9}\bo\b|\bo\b\W{0,9}(or|/|,)\W{0,9}\bx\b"),
    (Kind.MARK, rf"({_SIGN})\b.{{0,30}}(\?|:|>|want|choose|\()|(choose|pick|select|want).{{0,25}}({_SIGN})"),
    (Kind.MARK, r"\bx\b.{0,12}(\bor\b|,|/).{0,8}\bo\b|\bo\b.{0,12}(\bor\b|,|/).{0,8}\bx\b"),
    (Kind.MARK, r"(want|like|wish|play|be).{0,30}\b(as|be) '?x'?\b"),
    (Kind.MARK, r"noughts|crosses"),
    (Kind.EITHER, r"\bheads\b|\btails\b"),
    (Kind.READY, r"ready|(want|like) to play|start (the )?game|begin (the )?game"),
)]  # fmt: skip
_MOVE: Final = (
    r"(your|next|player.{0,12}|'s) (move|turn)|\bmove\b|\brow\b|\bcol|\bsquare|\bcell\b|\bposition|\bspot\b"
    r"|\bwhere\b|coordinate|1\s*(-|\u2013|to|through)\s*9|0\s*(-|\u2013|to|through)\s*8|casilla|fila|columna"
    r"|posici|jugada|location|\bplace\b"
    r"|\(0-2|\(1-3|[xy]\s*[:=]\s*$|\bturn\b"
)
OPTION: Final = re.compile(r"^\s*+[\[(]?(\d|[A-Za-z])[\]).:\-]++\s*+(\S.*)$")
GENERIC: Final = re.compile(
    r"\W*+((enter|type|make|input|your|please|answer|a|the|option|choice|selection)\W*+)*", re.I
)
_BOARDLIKE: Final = re.compile(r"[|│]|^[\W_]*$|^ *[xo_.\-\d](?: +[xo_.\-\d]){2} *$", re.I)


_LONGEST: Final = 300


@dataclass(frozen=True)
class Asked:
    """A question: its kind, its last line, and the lines around it that tell what may be answered."""

    kind: Kind
    line: str
    around: str

    @property
    def signature(self) -> str:
        """The line without what changes from turn to turn."""
        return re.sub(r"[\d\W_]+", " ", self.line).strip().lower()


def asked(said: str) -> Asked:
    """Return what a program asks by what it has said since it was last answered."""
    lines = [line.strip()[-_LONGEST:] for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    around = "\n".join(lines[-9:])
    kind = _kind(last)
    if kind is None and GENERIC.fullmatch(last):
        kind = _menu(lines[-9:]) or next(
            (
                found
                for line in reversed(lines[-4:-1])
                if not _BOARDLIKE.search(line) and (found := _kind(line))
            ),
            None,
        )
    elif kind in (None, Kind.READY) or (kind is Kind.MOVE and not re.search(_MOVE_STRONG, last, re.I)):
        kind = _menu(lines[-9:]) or kind
    return Asked(kind or Kind.MOVE, last, around)


_MOVE_STRONG: Final = (
    r"move|row|col|square|cell|spot|turn|1\s*(-|\u2013|to)\s*9|0\s*(-|\u2013|to)\s*8|coordinate|position"
)


def _kind(line: str) -> Kind | None:
    if re.search(r"\bmove\b|\bturn\b", line, re.I) and not re.search(rf"{FIRST}|\?", line, re.I):
        return Kind.MOVE
    for kind, pattern in _KINDS:
        if pattern.search(line):
            return kind
    return Kind.MOVE if re.search(_MOVE, line, re.I) else None


def _menu(lines: list[str]) -> Kind | None:
    """Return what a list of options is about, if the lines end with one."""
    options = [match for line in lines if (match := OPTION.match(line)) and not _BOARDLIKE.search(line)]
    if len(options) < 2:
        return None
    texts = " ".join(match[2] for match in options).lower()
    if re.search("easy|hard|impossible|medium", texts):
        return Kind.DIFFICULTY
    if {match[2].strip(" .'\"").lower() for match in options} <= {"x", "o"}:
        return Kind.MARK
    if any(re.search(FIRST, line, re.I) and "?" in line for line in lines):
        return Kind.WHO
    return Kind.MENU


def families(line: str) -> list[Family]:
    """Return what may be typed for a move, the likeliest first by the words of the prompt."""
    text = line.lower().replace("row-major", "").replace("row major", "")
    usual = [
        Family.NUMBER,
        Family.PAIR,
        Family.LINES,
        Family.COMMA,
        Family.LETTER,
        Family.CAPITAL,
        Family.BRACKETS,
    ]
    row, column = re.search(r"\brow\b|fila|\bx\s*[:=(]", text), re.search(r"\bcol|columna|\by\s*[:=(]", text)
    first: list[Family] = []
    if re.search(r"\(\s*\d\s*,\s*\d\s*\)|\(row\s*,\s*col", text):
        first = [Family.COMMA, Family.PAIR, Family.BRACKETS]
    elif re.search(r"\d\s*,\s*\d|row\s*,\s*col|comma", text):
        first = [Family.COMMA, Family.PAIR]
    elif re.search(r"\b[a-c][1-3]\b|letter|[a-c]-[a-c]", text):
        first = [Family.LETTER, Family.CAPITAL]
    elif re.search(r"1\s*(-|\u2013|to|through)\s*9|0\s*(-|\u2013|to|through)\s*8|number", text):
        first = [Family.NUMBER]
    elif row and column:
        first = [Family.PAIR, Family.LINES, Family.COMMA]
    elif row or column:
        first = [Family.LINES]
    elif re.search(r"coordinate|\d \d|row|\bx y\b", text):
        first = [Family.PAIR, Family.COMMA]
    return [*first, *(one for one in usual if one not in first)]

"""What a program asks, by its words: a move, or one of the questions before a game; and what to answer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from grader.core.game.board import O, X
from grader.core.messages import later
from grader.programs.squares import Family


class Kind(StrEnum):
    """What is asked."""

    MOVE = later("a move")
    MARK = later("which mark")
    WHO = later("who starts")
    MENU = later("a choice from a menu")
    DIFFICULTY = later("how difficult")
    NAME = later("a name")
    SIZE = later("the size of the board")
    PLAYERS = later("how many players")
    RULES = later("whether to see the rules")
    READY = later("whether to begin")
    ENTER = later("to press Enter")
    AGAIN = later("whether to play again")
    EITHER = later("one of two words")
    OTHER = later("something else")


class Wish(StrEnum):
    """Who should begin, as far as the program lets one choose."""

    PROGRAM = "the program begins"
    USER = "the user begins"

    @property
    def other(self) -> "Wish":
        """The other one."""
        return Wish.USER if self is Wish.PROGRAM else Wish.PROGRAM

    @property
    def side(self) -> str:
        """The side that the program has then."""
        return X if self is Wish.PROGRAM else O


FIRST: Final = r"\bfirst\b|\bstart|\bbegin|\bsecond\b|empiez|empez|primero|comienz"
_SIGN: Final = "symbol|mark|letter|piece|token|marker"
_KINDS: Final = [(kind, re.compile(words, re.I)) for kind, words in (
    (Kind.ENTER, r"(press|hit|push).{0,20}(enter|return|key)|to continue|continuar"
        r"|appuyez|(drücke|betätige)|(pulsa|presiona|pressione|aperte|premi)\b.{0,20}(enter|intro|tecla|invio)"
        r"|нажмите"),
    (Kind.AGAIN, r"\bagain\b|another (game|round|match)|play more|rematch|new game\s*\?|otra vez|de nuevo"),
    (Kind.RULES, r"instructions\s*\?|rules\s*\?|how to play\s*\?"),
    (Kind.NAME, r"\bnamen?\b|nombre|\bnome\b|\bnom\b|prénom|call you|имя|зовут|heißt"),
    (Kind.SIZE, r"\bsize\b|dimension"),
    (Kind.PLAYERS, r"(how many|number of) (human )?players"),
    (Kind.DIFFICULTY, r"difficult|\blevel\b|\beasy\b|\bhard\b|dificul"),
    (Kind.WHO, rf"(who|which).{{0,40}}({FIRST})|({FIRST}).{{0,60}}(\?|y/n|yes|\(y|or\b)"),
    (Kind.WHO, rf"^(?!.*\bx\W{{1,9}}(?:or|/)\W{{1,9}}o\b).*(want|like|wish|prefer|shall|should|would|quieres)"
        rf".{{0,40}}({FIRST})"),
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
OPTION: Final = re.compile(r"^\s*+[\[(]?(\d|[A-Za-z]) ?[\]).:\-]++\s*+(\S.*)$")
GENERIC: Final = re.compile(
    r"\W*+((enter|type|make|input|your|please|answer|a|the|option|choice|chosen|choose|pick|select|selection)\W*+)*",
    re.I,
)
BOARDLIKE: Final = re.compile(r"[|│]|^[\W_]*$|^ *[xo_.\-\d](?: +[xo_.\-\d]){2,3} *$", re.I)


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

    @property
    def key(self) -> str:
        """What is asked in this line: one line may ask for several things, one after the other."""
        return f"{self.kind}: {self.signature}"


def answers_in(answered: Iterable[tuple[Asked, str]]) -> tuple[str, ...]:
    """Return what was answered, without the questions."""
    return tuple(answer for _, answer in answered)


def asked(said: str) -> Asked:
    """Return what a program asks by what it has said since it was last answered."""
    lines = [line.strip()[-_LONGEST:] for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    around = "\n".join(lines[-9:])
    kind = _kind(last)
    if kind is None and GENERIC.fullmatch(last):
        above = (_kind(line) for line in reversed(lines[-4:-1]) if not BOARDLIKE.search(line))
        kind = _menu(lines[-9:]) or next(filter(None, above), None)
    elif kind in (None, Kind.READY) or (kind is Kind.MOVE and not re.search(_MOVE_STRONG, last, re.I)):
        kind = _menu(lines[-9:]) or kind
    return Asked(kind or Kind.MOVE, last, around)


_MOVE_STRONG: Final = (
    r"move|row|col|square|cell|spot|turn|1\s*(-|\u2013|to)\s*9|0\s*(-|\u2013|to)\s*8|coordinate|position"
)


def _kind(line: str) -> Kind | None:
    of_move = re.search(r"\bmove\b|\bturn\b|\brow\b.{1,30}\bcol", line, re.I)
    if of_move and not re.search(rf"{FIRST}|\?", line, re.I):
        return Kind.MOVE
    otherwise = Kind.MOVE if re.search(_MOVE, line, re.I) else None
    return next((kind for kind, pattern in _KINDS if pattern.search(line)), otherwise)


def _menu(lines: list[str]) -> Kind | None:
    """Return what a list of options is about, if the lines end with one."""
    options = [match for line in lines if (match := OPTION.match(line)) and not BOARDLIKE.search(line)]
    if len(options) < 2:
        return None
    texts = " ".join(match[2] for match in options).lower()
    if re.search("easy|hard|imposs|imposíb|medium|f[aá]cil|leicht|schwer|difficile|сложн", texts):
        return Kind.DIFFICULTY
    if {match[2].strip(" .'\"").lower() for match in options} <= {"x", "o"}:
        return Kind.MARK
    if any(re.search(FIRST, line, re.I) and "?" in line for line in lines):
        return Kind.WHO
    return Kind.MENU


_RANGE: Final = r"\s*(?:-|\u2013|\u2014|,|\.{2,3}|~|:|to|through|thru|and|until|a|al?|bis|до|по)\s*"
_NINE: Final = re.compile(rf"(?<![\d.])(?:0{_RANGE}8|1{_RANGE}9)(?![\d.]*\d)")
"""Numbers from 0 to 8, or from 1 to 9, however a range is written: `[0, 8]`, `1-9`, `between 1 and 9`."""

_THREE: Final = re.compile(rf"\[\s*(?:0{_RANGE}2|1{_RANGE}3)\s*\]")
"""Rows or columns, not an example of two numbers with a comma."""

_FREE: Final = [(re.compile(words), families) for words, families in (
    (r"\b\d(?:[ ,]+\d\b){3}", [Family.NUMBER]),
    (r"\b[a-c][1-3](?:[ ,]+[a-c][1-3]\b){2}", [Family.LETTER, Family.CAPITAL]),
    (r"\b[A-C][1-3](?:[ ,]+[A-C][1-3]\b){2}", [Family.CAPITAL, Family.LETTER]),
)]  # fmt: skip
"""What is to be typed for a move, by the free squares that are listed."""

_LIKELY: Final = [(re.compile(words), families) for words, families in (
    (r"\(\s*\d\s*,\s*\d\s*\)|\(row\s*,\s*col", [Family.COMMA, Family.PAIR, Family.BRACKETS]),
    (r"['\"(][0-3] [0-3]['\")]", [Family.PAIR]),
    (r"(?<!\d,)(?<!\d, )\b\d\s?,\s?\d\b(?!\s*(?:,|or|and))", [Family.COMMA, Family.PAIR]),
    (r"sep[ae]rated? (by|with) (an? |one |single )*(white)?space|space[ -]sep[ae]rated", [Family.PAIR]),
    (r"sep[ae]rated? (by|with) (an? )?comma|comma[ -]sep[ae]rated", [Family.COMMA, Family.BRACKETS]),
    (r"row\s*,\s*col|comma", [Family.COMMA, Family.PAIR]),
    (r"\b(top|upper|middle|bottom|lower)[ -](left|middle|cent|right)", [Family.WORDS]),
    (r"\b[1-3][a-c]\b", [Family.NUMBER_FIRST]),
    (r"\ba\s*(-|\u2013|to|through)\s*i\b", [Family.ONE_LETTER]),
    (r"\b[a-c] [1-3]\b", [Family.CAPITAL_APART, Family.LETTER_APART]),
    (r"\b[a-c][1-3]\b|letter|[a-c]-[a-c]", [Family.LETTER, Family.CAPITAL]),
    (r"number", [Family.NUMBER]),
)]  # fmt: skip
"""What is to be typed for a move, by the words that ask for it."""


def families_listed(text: str) -> list[Family]:
    """Return what is to be typed for a move where the squares that are free are listed in a text."""
    return next((families for pattern, families in _FREE if pattern.search(text)), [])


def likely_families(line: str) -> list[Family]:
    """Return what is to be typed for a move by the words of a prompt, as far as they tell."""
    text = line.lower().replace("row-major", "").replace("row major", "")
    if _NINE.search(text):
        return [Family.NUMBER]
    if listed := families_listed(text):
        return listed
    text = _THREE.sub("", text)
    for pattern, families in _LIKELY:
        if pattern.search(text):
            return families
    row, column = re.search(r"\brow\b|fila|\bx\s*[:=(]", text), re.search(r"\bcol|columna|\by\s*[:=(]", text)
    if row and column:
        return [Family.PAIR, Family.LINES, Family.COMMA]
    if row or column:
        return [Family.LINES]
    return [Family.PAIR, Family.COMMA] if re.search(r"coordinate|\d \d|row|\bx y\b", text) else []

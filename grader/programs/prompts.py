"""Questions that a program asks, recognized by their words, and what to answer, the likeliest first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from grader.core.game.board import O, X
from grader.core.messages import later
from grader.core.values import lines_of
from grader.programs.squares import Family


class Kind(StrEnum):
    """Kind of a question."""

    MOVE = later("a move")
    MARK = later("which mark")
    WHO = later("which side starts")
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
    """The side that should begin, where the program offers a choice."""

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
        """Identity of the question: the same line may ask for several things, one after the other."""
        return f"{self.kind}: {self.signature}"


def answers_in(answered: Iterable[tuple[Asked, str]]) -> tuple[str, ...]:
    """Return the answers without the questions."""
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
"""Families of texts for a move, by the free squares that a prompt lists."""

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
"""Families of texts for a move, by the words of the prompt."""


def families_listed(text: str) -> list[Family]:
    """Return the families of texts for a move in which a text lists the free squares."""
    return next((families for pattern, families in _FREE if pattern.search(text)), [])


def likely_families(line: str) -> list[Family]:
    """Return the likely families of texts for a move by the words of a prompt, or nothing."""
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


_COMPUTER: Final = r"\bai\b|a\.i\.|machine|\bcpu\b|\bbot\b|program|opponent|engine|compu|máquina|\bme\b"
_NUMBERED: Final = re.compile(
    r"['\"(\[]?(-?\b\d)\b['\")\]]?\s*+(?:(?:for|=|:|\.|\)|->|-|to be|to play|to|means)\s*+)?['\"(]?"
    r"([A-Za-z][A-Za-z ]*+)"
)
_BEHIND: Final = re.compile(r"(?<![A-Za-z])([A-Za-z]++)\s*+[\[(=:]\s*+(-?\d)")
_LETTERED: Final = re.compile(
    r"(?<![A-Za-z'])([A-Za-z])['\")\]]?\s*+(?:=|:|->|-|for|means)\s*+(?:the\s++)?([A-Za-z]{2,}+)", re.I
)
MOST_GIVEN: Final = 100
LONGEST_GIVEN: Final = 200
"""Lines, and characters of a line, that a person sets as answers: a program asks a few things."""

_HARDEST: Final = (
    "imposs", "impos", "unbeatable", "expert", "perfect", "minimax", "hard", "schwer", "difícil", "dificil",
    "difficile", "сложн", "difficult", "medium",
)  # fmt: skip
_STRONG: Final = re.compile(
    r"impossible|unbeatable|expert|perfect|minimax|alpha|smart|hard"
    r"|diffic|difícil|dificil|master|invencible|сложн|imposs|schwer|trudn|\bzor\b|moeilijk|genius|godlike",
    re.I,
)
_MACHINE: Final = re.compile(
    r"computer|\bai\b|\bcpu\b|machine|\bbot\b|single|one player|1 player"
    r"|ordenador|m[aá]quina|компьютер|ordinateur|\bia\b|komputer|bilgisayar|\bsolo\b",
    re.I,
)
_WEAK: Final = re.compile(
    r"easy|random|beginner|dumb|f[aá]cil|легк|leicht|facile|medium|normal|two|2 ?player|multi"
    r"|pvp|p vs p|watch|itself|another|friend|human vs\.? human|\bai vs|exit|quit|salir|rules|help"
    r"|instruct|about|выход|sortir",
    re.I,
)
_MENU: Final = re.compile(r"^\s*[\[(]?(-?\d{1,2}|[A-Za-z])[\]).:\-]+\s*\S")
_KEY_BEHIND: Final = re.compile(r"[\[(]\s*(-?\d{1,2}|[A-Za-z])\s*[\])]")
_QUOTED: Final = re.compile(
    r"(?:^|\s|\()(['\"`\u2018\u201c«])([^'\"`\u2019\u201d»\n]{1,12})['\"`\u2019\u201d»]"
)
_IN_BRACKETS: Final = re.compile(r"[\[(<]([^\[\]()<>\n]{1,40})[\])>]")
_OR: Final = r"or|или|ou|oder|eller|lub|albo|czy|veya|sau|atau"
_EITHER: Final = re.compile(rf"([^\s/|,]{{1,12}})(?:\s*[/|]\s*|\s+(?:{_OR})\s+)(?=([^\s/|,]{{1,12}}))", re.I)
_KEYED: Final = re.compile(r"(?<!\w)([^\W_]{1,2})(?:\s{0,3}=\s{0,3}|\s[-\u2013\u2014:]\s)[^\W\d_]{2}")
"""A letter or a number with what it stands for."""

_LISTED: Final = re.compile(r"^\s*(?:[*\u2022\u00b7-][)>]?|->|>)\s*([^\W\d_]{2,12})\s*$")
"""A word that is a line of a list."""

_CAPITALS: Final = re.compile(r"(?<![\w'])([^\W\d_a-z]{2,12})(?![\w'])")
_LETTER: Final = re.compile(r"(?<![\w'\u2019-])([b-hj-z])(?![\w'\u2019.-])")
"""A small letter by itself that is no word."""

_ALONE: Final = re.compile(r"(?<![\w.-])(-?\d|[XOxoYyNn])(?![\w-])")
_PARTS: Final = re.compile(rf"/|,|\||\b(?:{_OR})\b", re.I)
_USUAL: Final = ("y", "n", "1", "2", "X", "O", "x", "o", "3", "Y", "N", "yes", "no", "0", "Alex", "")
_MOST: Final = 16
_MOST_OUTSTANDING: Final = 4
_EDGES: Final = " .:;!?,()[]'\"<>"
_ALWAYS: Final = {Kind.NAME: "Alex", Kind.SIZE: "3", Kind.PLAYERS: "1"}


def answers(question: Asked, wish: Wish) -> list[str]:
    """Return what may be answered, the likeliest first."""
    match question.kind:
        case Kind.MARK:
            found = _marks(question, wish)
        case Kind.WHO:
            found = _starters(question, wish)
        case Kind.MENU:
            found = _from_menu(question)
        case Kind.DIFFICULTY:
            found = _hardest(question)
        case Kind.EITHER:
            found = re.findall(r"\b(heads|tails)\b", question.around, re.I) or ["heads"]
        case Kind.RULES | Kind.READY | Kind.AGAIN:
            found = _yes_or_no(question, yes=question.kind is not Kind.RULES)
        case _:
            found = [_ALWAYS.get(question.kind, "")]
    return list(dict.fromkeys(found))


def given_in(content: bytes) -> tuple[str, ...] | None:
    """Return the answers in a file beside a program, a line each; None if they are too many or too long."""
    lines = lines_of(content.decode("utf-8", "replace"))
    if len(lines) > MOST_GIVEN or any(len(line) > LONGEST_GIVEN for line in lines):
        return None
    return tuple(lines)


def options(question: Asked) -> list[tuple[str, str]]:
    """Return the answers that are offered by a number or a letter, each with its text."""
    found = _LETTERED.findall(question.line)
    if len(found) < 2:
        found = [(match[1], match[2]) for match in map(OPTION.match, question.around.splitlines()) if match]
    if len(found) < 2:
        found = _NUMBERED.findall(question.around)
        found += [(number, text) for text, number in _BEHIND.findall(question.around)]
        found = found or _LETTERED.findall(question.around)
    return [(key, text.strip().lower()) for key, text in found]


def _marks(question: Asked, wish: Wish) -> list[str]:
    """Return answers so that the user is O if the program is to begin, else X."""
    mine = "o" if wish is Wish.PROGRAM else "x"
    numbers = [key for key, text in options(question) if re.match(rf"{mine}\b", text)]
    if re.search("noughts|crosses", question.line, re.I):
        return [*numbers, "noughts" if mine == "o" else "crosses", mine.upper(), mine]
    either = re.search(r"\bx\W{1,9}(or|/)\W{0,9}o\b", question.line, re.I)
    if re.search(r"y/n|yes|\(y", question.line, re.I) and not either:
        about_x = re.search(r"\bx\b", question.line, re.I) is not None
        return _yes_or_no(question, yes=about_x == (mine == "x"))
    lower = re.search(r"\b[xo]\b", question.line) and not re.search(r"\b[XO]\b", question.line)
    letters = [mine, mine.upper()] if lower else [mine.upper(), mine]
    return [*numbers, *letters, "2" if mine == "o" else "1"]


_USER: Final = r"\byou|human|player|user|first|\bme\b|\bi\b"


def _starters(question: Asked, wish: Wish) -> list[str]:
    """Return answers to the question which side starts."""
    text, program = question.around.lower(), wish is Wish.PROGRAM
    line = question.line if not GENERIC.fullmatch(question.line) else question.around
    theirs = [key for key, option in options(question) if re.search(rf"{_COMPUTER}|second", option)]
    mine = [key for key, option in options(question) if re.search(_USER, option) and key not in theirs]
    numbers = theirs if program else mine
    if re.search(r"y/n|yes|'y'|\(y|\by\b\W{1,5}or\W{1,5}\bn\b|true", text):
        about_user = re.search(r"\byou\b|\bplayer\b", line, re.I)
        about_program = re.search(rf"{_COMPUTER}|\b(shall|should|may|can) i\b", line, re.I) and not about_user
        return _yes_or_no(question, yes=bool(about_program) == program)
    words = ["computer", "c", "ai"] if program else ["human", "h", "player", "user", "you", "p", "me"]
    named = [word for word in words if re.search(rf"\b{word}\b|[\[('\"]{word}[\])'\"]", text)]
    named = named or _of_two(line, program)
    turn = ["second", "2"] if program else ["first", "1"]
    if re.search(r"first or second|second", text):
        return [*numbers, *turn]
    if re.search(r"^\s*(do|would|are|should|shall|want|quieres)", line, re.I) and not numbers and not named:
        return _yes_or_no(question, yes=not program)
    letters = ["O", "o"] if program else ["X", "x"]
    return [*numbers, *named, *_yes_or_no(question, yes=not program), turn[1], *letters]


def _of_two(line: str, program: bool) -> list[str]:
    """Return the side to begin where a line offers two: the user, and a name for the program."""
    people = [name for name in offered([line]) if name.isalpha() and len(name) > 1]
    users = [name for name in people if re.fullmatch("you|me|human|player|user", name, re.I)]
    both = len(people) == 2 and len(users) == 1
    return [name for name in people if (name in users) is not program] if both else []


_YES_OR_NO: Final = (
    (re.compile(r"(?i:\btrue\b.{1,5}\bfalse\b)"), ["true"], ["false"]),
    (re.compile(r"\byes\b|\bno\b"), ["yes", "y", "Y", "Yes", "1"], ["no", "n", "N", "No", "2"]),
    (re.compile(r"\bYES\b|\bNO\b"), ["YES", "Yes", "yes", "y"], ["NO", "No", "no", "n"]),
    (re.compile(r"\bYes\b|\bNo\b"), ["Yes", "yes", "y", "Y"], ["No", "no", "n", "N"]),
    (re.compile(r"\bY\b|\bN\b"), ["Y", "y", "Yes", "yes"], ["N", "n", "No", "no"]),
    (re.compile(r"(?i:\bs/n\b)"), ["s", "si"], ["n", "no"]),
    (re.compile(r""), ["y", "yes", "Y", "1"], ["n", "no", "N", "2"]),
)
"""Yes and no in the form that a question shows."""


def _yes_or_no(question: Asked, *, yes: bool) -> list[str]:
    """Return yes or no in the form that the question shows."""
    forms = (
        positive if yes else negative
        for shown, positive, negative in _YES_OR_NO
        if shown.search(question.around)
    )
    return next(forms)


def _from_menu(question: Asked) -> list[str]:
    """Return the entry for a person against the computer, then those that begin, then the rest."""

    def worth(option: tuple[str, str]) -> int:
        text = option[1]
        machines = len(re.findall(_COMPUTER, text))
        people = re.search(r"human|player|person|user|you|single|one|1", text) is not None
        if machines >= 2 or re.search(r"quit|exit|rule|help|instruct|two player|2 player|multi|salir", text):
            return 0
        if re.search(r"unbeatable|impossible|hard|minimax", text):
            return 5
        if machines or "single" in text:
            return 4 if machines and people else 3
        return 2 if "play" in text or "start" in text else 1

    ranked = sorted(options(question), key=worth, reverse=True)
    return [key for key, _ in ranked if key] or ["1"]


def _hardest(question: Asked) -> list[str]:
    """Return the hardest level, by its number or by its word."""
    text = question.around.lower()
    levels = text.replace("difficulty", "")
    word = next((word for word in _HARDEST if word in levels), "")
    numbers = [key for key, option in options(question) if word and word in option]
    shown = re.search(rf"\b{word}\w*", question.around, re.I)
    span = re.search(r"\b1\s*(?:-|\u2013|to)\s*(\d+)", text)
    named = [*([shown[0]] if shown and word else []), *([span[1]] if span else [])]
    keys = [key for key, _ in options(question)]
    shown_there = offered(question.around.splitlines())
    return list(dict.fromkeys((*numbers, *named, *keys, *shown_there, "3", "2", "1")))


def candidates(lines: list[str], meant: Iterable[str] = ()) -> list[str]:
    """Return what may be answered to the question in these lines, the likeliest first.

    What is offered comes before what its words mean, and that before what stands out, and what is usual.
    """
    capitals = [word for line in lines for word in _CAPITALS.findall(line) if word == word.upper()]
    outstanding = [*capitals, *(letter for line in lines for letter in _LETTER.findall(line))]
    return list(dict.fromkeys((*offered(lines), *meant, *outstanding[-_MOST_OUTSTANDING:], *_USUAL)))


def offered(lines: list[str]) -> list[str]:
    """Return what these lines offer as an answer, the likeliest first."""
    found: dict[str, int] = {}
    for number, line in enumerate(reversed(lines)):
        for place, token in enumerate(_offered(line)):
            if 0 < len(token) <= 12 and len(token.split()) == 1:
                found.setdefault(token, 10 * _worth(line, token) + min(number, 3) + min(place, 3))
    return sorted(found, key=lambda token: found[token])[:_MOST]


def _offered(line: str) -> Iterator[str]:
    menu = _MENU.match(line)
    if menu:
        yield menu[1]
    yield from (match[1] for match in _KEY_BEHIND.finditer(line))
    yield from (match[2].strip() for match in _QUOTED.finditer(line))
    for match in _IN_BRACKETS.finditer(line):
        yield from (part.strip(_EDGES) for part in _PARTS.split(match[1]))
    for match in _EITHER.finditer(line):
        yield from (part.strip(_EDGES) for part in match.groups())
    yield from (match[1] for pattern in (_KEYED, _LISTED, _ALONE) for match in pattern.finditer(line))


def _worth(line: str, token: str) -> int:
    """Return the rank of a token: strong computers first, then computers, the rest, weak players."""
    around = token if len(token) > 2 else _entry(line, token)
    if _STRONG.search(around):
        return 0
    if _WEAK.search(around):
        return 4
    return 1 if _MACHINE.search(around) else 2


def _entry(line: str, token: str) -> str:
    """Return the entry of a token in a line with several entries."""
    parts = re.split(r"\s/\s|,|\t|\s{3,}", line)
    return next((part for part in parts if re.search(rf"(?<!\w){re.escape(token)}(?!\w)", part)), line)

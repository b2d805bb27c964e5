import json
import random

import pytest

from grader.core.asking.reply import Alien, Missing, Raised, Returned, data_of, reply_of, value_of
from grader.core.values import printable


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[1", b"nul", b"NaN", b"Infinity", b"1.5", b"\xff", b'"\xc3\xbc"', b"[" * 100_000]
)
def test_what_is_no_json_of_a_worker_is_refused(payload: bytes) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        data_of(payload)


FORGED_VALUES = """\
{} [] [1] ["x"] ["f"] ["f","1","2"] ["?",1] ["b","XO"] ["b","XOXOXOXO?"] ["s",["l"]] ["d",1] ["d",["t",1]]
["d",["t",["l"],1]] ["l",{}] ["l",["l",["l",["l",["l",["l",["l"]]]]]]] ["f","one"]
"""


@pytest.mark.parametrize("text", FORGED_VALUES.split())
def test_data_that_stands_for_no_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        value_of(json.loads(text))


@pytest.mark.parametrize(
    ("payload", "reply"),
    [
        (b'["returned",null]', Returned(None)),
        (b'["returned",["b","X........"]]', Returned([["X", None, None], [None] * 3, [None] * 3])),
        (b'["returned",["t",0,1],["l"],"rows"]', Returned((0, 1), True, [], "rows")),
        (b'["raised","KeyError","k",3]', Raised("KeyError", "k", 3)),
        (b'["raised","KeyError","k",3,["l"],"nothing"]', Raised("KeyError", "k", 3, True, [])),
        (b'["missing"]', Missing()),
    ],
)
def test_replies(payload: bytes, reply: object) -> None:
    assert reply_of(payload) == reply


FORGED_REPLIES = """\
1 "returned" [] ["returned"] ["returned",1,2,3] ["raised","E"] ["raised",1,2,3] ["done",1] ["passed"]
"""


@pytest.mark.parametrize("text", FORGED_REPLIES.split())
def test_what_is_no_reply_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        reply_of(text.encode())


def test_text_that_would_steer_a_terminal_is_shown_as_escapes() -> None:
    assert printable("red \x1b[31m\nnext") == "red \\x1b[31m\\nnext"
    assert reply_of(b'["raised","E","\\u001b[2J",0]') == Raised("E", "\\x1b[2J", 0)
    assert value_of(["?", "\u001b"]) == Alien("\\x1b")


def test_random_bytes_never_do_more_than_raise_value_error() -> None:
    chance = random.Random(1)
    pieces = rb"""[ ] " , returned raised null 1 { } \u00 "l" "?" """.split()
    for _ in range(3_000):
        payload = b"".join(chance.choices(pieces, k=chance.randrange(12)))
        try:
            reply_of(payload)
        except ValueError:
            continue


@pytest.mark.parametrize("text", ["9" * 21, "9" * 4_000, "9" * 5_000, "-" + "1" * 30])
def test_a_number_of_many_digits_is_no_answer(text: str) -> None:
    with pytest.raises(ValueError):
        data_of(f'["done",{text},[]]'.encode())

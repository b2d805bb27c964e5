from pathlib import Path

import pytest

from grader.core.errors import UserError
from grader.marking.marks import RegradeRequest, about, load_requests
from tests.marking.made import grade, record

ADA = record("s0", "Ada Lovelace", grade("a"), ids={"email": "ada@x.org"})


def test_requests_are_somebody_s_by_name_key_or_id(tmp_path: Path) -> None:
    (tmp_path / "requests.csv").write_text('Student,Text\nada lovelace,"Why,\nplease?"\ns0,b\nADA@x.org,c\n')
    assert load_requests(tmp_path, [ADA]) == (
        RegradeRequest("s0", "Why,\nplease?"),
        RegradeRequest("s0", "b"),
        RegradeRequest("s0", "c"),
    )
    assert load_requests(tmp_path / "elsewhere", [ADA]) == ()


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("who,text\n", 1, "needs the columns student and text"),
        ("student,text\nAda Lovelacy,x\n", 2, "there is no student 'Ada Lovelacy'; is ada lovelace meant"),
        ("student,text\nAda Lovelace,\n", 2, "asks nothing"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, line: int, sentence: str) -> None:
    (tmp_path / "requests.csv").write_text(text)
    with pytest.raises(UserError, match=sentence) as caught:
        load_requests(tmp_path, [ADA])
    assert caught.value.line == line


def test_of_two_with_one_name_the_key_tells_who_asks(tmp_path: Path) -> None:
    other = record("s1", "Ada Lovelace", grade("a"))
    (tmp_path / "requests.csv").write_text("student,text\nAda Lovelace,why\n")
    with pytest.raises(UserError, match="several students are called Ada Lovelace: say s0 or s1"):
        load_requests(tmp_path, [ADA, other])
    (tmp_path / "requests.csv").write_text("student,text\ns1,why\n")
    assert load_requests(tmp_path, [ADA, other]) == (RegradeRequest("s1", "why"),)


@pytest.mark.parametrize(
    ("text", "case", "found"),
    [
        ("player/every-board is right", "", 1), ("every-board is right", "", 1), ("my player is right", "", 1),
        ("see there", "player/every-board", 1), ("players are right", "", 0), ("it is unfair", "", 0),
    ],
)  # fmt: skip
def test_what_a_request_is_about(text: str, case: str, found: int) -> None:
    assert ADA.grade
    assert len(about(RegradeRequest("s0", text, case), ADA.grade)) == found

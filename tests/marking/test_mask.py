from dataclasses import replace

from grader.classroom.records import Source
from grader.marking.desk import Mask, names_of
from tests.marking.made import grade, record

PLANCK = record("Max_Planck", "Planck, Max", grade("m"), ids={"email": "max@x.org", "id": "47110815"})
MAX = Mask(PLANCK, names_of([PLANCK, record("Lise_Meitner", "Lise Meitner", grade("l"))]))


def test_whose_file_it_was_is_hidden_too() -> None:
    lines = ["# by Lise Meitner", "author = 'Lise Meitner'"]
    hidden = MAX.source(Source(name="a.py", text="\n".join(lines), helpers=()))
    assert hidden.text.split("\n") == ["# by ▒▒▒", "author = '▒▒▒'"]
    assert MAX.text("copied from lise meitner") == "copied from ▒▒▒"


def test_a_name_is_hidden_in_texts() -> None:
    text = MAX.text("Max Planck (max@x.org, 47110815) asks; so does Planck, Max. Maximal.")
    assert text == "▒▒▒ (▒▒▒, ▒▒▒) asks; so does ▒▒▒. Maximal."


def test_a_source_keeps_its_lines_and_its_words() -> None:
    lines = ['"""By Max Planck."""', "Max, 2026", "best = max(board)  # max: ask Planck", "x = 'Max Planck'"]
    hidden = MAX.source(Source(name="Max_Planck.py", text="\n".join(lines), helpers=(("a.py", lines[0]),)))
    assert hidden.text.split("\n") == [
        '"""By ▒▒▒."""',
        "▒▒▒, 2026",
        "best = max(board)  # ▒▒▒: ask ▒▒▒",
        "x = '▒▒▒'",
    ]
    assert hidden.name == "submission.py" and hidden.helpers == (("a.py", '"""By ▒▒▒."""'),)


def test_names_are_hidden_however_their_accents_are_written() -> None:
    zoe = record("Zoë_Müller", "Zoë Müller", grade("z"))
    mask = Mask(zoe, names_of([zoe]))
    spellings = ["Zoë Müller", "Zoe\u0308 Mu\u0308ller", "Zoe Muller", "ZOË MÜLLER", "zoe muller"]
    assert {mask.text(f"by {spelling}, 2026") for spelling in spellings} == {"by ▒▒▒, 2026"}
    assert mask.text("mull erase") == "mull erase"


def test_names_are_hidden_in_names_of_helpers_and_in_what_a_grade_shows() -> None:
    hidden = MAX.source(Source(name="a.py", text="", helpers=(("Max_Planck_rules.py", ""), ("b.py", ""))))
    assert [name for name, _ in hidden.helpers] == ["▒▒▒_rules.py", "b.py"]
    whole = grade("Max Planck")
    shown = MAX.grade(replace(whole, notes=("It imports what came with it: Max Planck.py.",)))
    assert shown.notes == ("It imports what came with it: ▒▒▒.py.",)
    assert [criterion.id for criterion in shown.criteria] == [criterion.id for criterion in whole.criteria]

import pytest

from grader.programs.squares import AS_ASSIGNED, SCHEMES, Family, listed, numbered, of_family, probe


def test_every_scheme_types_each_square_differently() -> None:
    for scheme in SCHEMES:
        assert len(set(scheme.lines)) == 9
        assert [scheme.cell(scheme.typed(cell)) for cell in range(9)] == list(range(9))


def test_the_assigned_scheme_comes_first() -> None:
    assert [AS_ASSIGNED.typed(cell) for cell in range(9)] == [(str(n),) for n in range(1, 10)]
    assert len({scheme.name for scheme in SCHEMES}) == len(SCHEMES)


@pytest.mark.parametrize("family", Family)
@pytest.mark.parametrize("taken", [None, *range(9)])
def test_one_square_tells_most_numberings_apart(family: Family, taken: int | None) -> None:
    """Given any first square of the program's, what is typed is free in the likeliest numbering."""
    schemes = of_family(family)
    free = [cell for cell in range(9) if cell != taken]
    typed = probe(schemes, free)
    cells = [scheme.cell(typed) for scheme in schemes]
    assert cells[0] in free
    if family not in (Family.WORDS, Family.ONE_LETTER):
        assert set("".join(typed)) <= set("12abAB ,()")
    if taken is None and family not in (Family.WORDS, Family.ONE_LETTER, Family.NUMBER_FIRST):
        assert len(set(cells)) >= 3


def test_who_has_one_numbering_types_what_is_free() -> None:
    assert probe([AS_ASSIGNED], [4, 7]) == ("5",)


def test_what_was_refused_may_have_been_taken_in_another_numbering() -> None:
    """Given 1-9 or 0-8 and a mark on the second square, 1 may be free or not: then 2 tells."""
    free = [cell for cell in range(9) if cell != 1]
    first = probe(of_family(Family.NUMBER), free)
    assert {first, probe(of_family(Family.NUMBER), free, (first,))} == {("1",), ("2",)}


NAMES = ["nord-ouest", "nord", "nord-est", "ouest", "milieu", "est", "sud-ouest", "sud", "sud-est"]
ROWS = [NAMES[first : first + 3] for first in (0, 3, 6)]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(" | ".join(row) for row in ROWS),
        "\n---+---\n".join("   ".join(row) for row in ROWS),
        f"Cases : {', '.join(NAMES)}.",
        f"Cases : {', '.join(NAMES[:8])} et sud-est.\nVotre coup ?",
        "Bonjour !\n" + "\n".join(f"- {name}" for name in NAMES) + "\n> ",
    ],
)
def test_nine_names_that_stand_together_are_typed_as_they_stand(text: str) -> None:
    found = listed(text.splitlines())
    assert [found[0].typed(cell) for cell in range(9)] == [(name,) for name in NAMES]
    assert found[1].typed(1) == ("ouest",)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(" | ".join(row) for row in ROWS[:2]),
        " X | O | X\n O | X | O\n X | O | X",
        "1, 2, 3\n4, 5, 6\n7, 8, 9",
        "Welcome to the game\nYou are X, I am O, good luck\nYour move, please",
    ],
)
def test_what_is_no_list_of_nine_names_is_none(text: str) -> None:
    assert listed(text.splitlines()) == ()


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("      8  1  6\n      3  5  7\n      4  9  2\n\nNumber? ", "816357492"),
        (" 8 | 1 | 6\n---+---+---\n 3 | X | 7\n---+---+---\n 4 | 9 | 2\n", "816357492"),
        ("Hello 1\n 0 3 6\n 1 4 7\n 2 5 8", "036147258"),
        ("1 2 3\n4 5 6\n7 8 9\nand then\n[9] [8] [7]\n[6] [5] [4]\n[3] [2] [1]\n? ", "987654321"),
    ],
)
def test_numbers_that_stand_in_the_squares_are_typed(text: str, typed: str) -> None:
    found = numbered(text.splitlines())
    assert [found[0].typed(cell) for cell in range(9)] == [(number,) for number in typed]


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\n4 5 6\n7 8 9",
        "7 8 9\n4 X 6\n1 2 3",
        "X 1 2\n3 4 5\n6 7 8",
        "1 2 3\n4 5 6\n7 8 O",
        "8 1 6\n3 5 7",
        "8 1 6\n3 X 7\n4 O 2",
        "8 1 6\n3 5 7\n4 1 2",
        "12 1 6\n3 X 7\n4 9 2",
        "",
    ],
)
def test_usual_numberings_and_what_is_none_are_no_numbers_of_its_own(text: str) -> None:
    assert numbered(text.splitlines()) == ()

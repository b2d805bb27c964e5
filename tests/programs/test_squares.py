import pytest

from grader.programs.squares import AS_ASSIGNED, SCHEMES, Family, of_family, probe


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

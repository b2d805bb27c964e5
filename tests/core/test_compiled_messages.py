"""A compiled catalogue has checksums in place of English texts; what it lacks is English."""

from io import BytesIO

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo

from grader.core.messages import Catalogue, key

HEADER = Message("", "Content-Type: text/plain; charset=utf-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n")


class Messages(list[Message]):
    """What a file is written of."""

    charset = "utf-8"


def file_of(*messages: Message) -> BytesIO:
    """Return a compiled catalogue."""
    file = BytesIO()
    write_mo(file, Messages([HEADER, *messages]))  # type: ignore[arg-type]
    file.seek(0)
    return file


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(
        file_of(
            Message(key("a board"), "ein Brett"), Message((key("{count} move"), ""), ("ein Zug", "Züge"))
        ),
        file_of(Message(key("a game"), "ein Spiel"), Message(key("x", "a side"), "das Kreuz")),
    )


def test_a_sentence_is_found_in_each_file(catalogue: Catalogue) -> None:
    assert [catalogue.gettext(text) for text in ("a board", "a game")] == ["ein Brett", "ein Spiel"]


def test_a_plural_has_its_form(catalogue: Catalogue) -> None:
    found = [catalogue.ngettext("{count} move", "{count} moves", count) for count in (0, 1, 2)]
    assert found == ["Züge", "ein Zug", "Züge"]


def test_a_context_is_part_of_a_text(catalogue: Catalogue) -> None:
    assert catalogue.pgettext("a side", "x") == "das Kreuz"
    assert catalogue.pgettext("a column", "x") == catalogue.gettext("x") == "x"


def test_what_is_missing_is_english(catalogue: Catalogue) -> None:
    assert catalogue.gettext("unknown") == "unknown"
    assert [catalogue.ngettext("one", "many", count) for count in (0, 1, 2)] == ["many", "one", "many"]

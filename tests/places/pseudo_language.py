"""A language made up for tests: every letter of our sentences is another one, and what is filled in stays."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from grader.core import messages
from grader.course.courses import ROOT
from grader.places import site
from tests.pseudo import pseudo

CODE = "he"  # one that is not shipped, written from right to left; what it says is no Hebrew
_ABOUT = {"English": "Ѡ", "ltr": "rtl", ",": ".", ".": ","}


@cache
def _script() -> Any:
    """Return the script that extracts sentences, as a module."""
    loader = SourceFileLoader("messages_script", str(ROOT / "scripts" / "messages"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    found = module_from_spec(spec)
    loader.exec_module(found)
    return found


@cache
def compiled() -> tuple[bytes, bytes]:
    """Return the catalogue of the language, for browsers and the rest; it has the six plural forms of Arabic."""
    catalog = _script().extracted()
    catalog.locale = "ar"
    for message in catalog:
        if isinstance(message.id, tuple):
            message.string = (pseudo(message.id[1]),) * catalog.num_plurals
        elif message.context == "about this language":
            message.string = _ABOUT.get(message.id, message.id)
        elif message.id:
            message.string = pseudo(message.id)
    for_browsers, rest = _script().compiled(catalog)
    return for_browsers, rest


@contextmanager
def there_is_another_language(folder: Path) -> Iterator[None]:
    """Let there be English and this language, whose catalogue is in a folder."""
    for end, content in zip(("mo", "rest.mo"), compiled(), strict=True):
        (folder / f"{CODE}.{end}").write_bytes(content)
    messages.language.cache_clear()
    with mock.patch.object(messages, "FOLDER", folder), mock.patch.object(site, "FOLDER", folder):
        yield
    messages.language.cache_clear()


@pytest.fixture
def another_language(tmp_path: Path) -> Iterator[None]:
    """Let there be another language."""
    (tmp_path / "languages").mkdir()
    with there_is_another_language(tmp_path / "languages"):
        yield


def english_in(text: str, *parameters: str) -> list[str]:
    """Return the words of a text in English letters that are not in what was filled in."""
    for parameter in sorted(parameters, key=len, reverse=True):
        text = text.replace(parameter, "")
    return re.findall(r"[A-Za-z]{2,}", text)

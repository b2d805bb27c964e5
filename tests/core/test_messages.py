"""Sentences in the language of the reader: the codes of languages, and what there is of them."""

import pytest

from grader.core.messages import available, in_language, known_code, of_locale


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "de"}, "de"),
        ({"LC_ALL": "", "LANG": "ar"}, "ar"),
        ({"LANG": "sr@latin"}, "en"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_the_command_speaks_as_the_locale_does(environment: dict[str, str], code: str) -> None:
    assert of_locale(environment) == code


@pytest.mark.parametrize("code", ["", "xx", "PT", "pt_BR", "../pt"])
def test_an_unknown_language_is_refused_with_all_that_there_are(code: str) -> None:
    with pytest.raises(ValueError, match=f"there is no language '{code}': there are en, ar, de"):
        known_code(code)
    with pytest.raises(LookupError, match="there are en, "), in_language(code):
        pass


def test_english_comes_first() -> None:
    assert available() == ("en", "ar", "de", "es", "fr", "pt")

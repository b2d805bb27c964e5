"""The catalogues have every sentence of the grader, and are compiled."""

import subprocess
import sys

from grader.core.messages import available, language
from grader.course.courses import ROOT


def test_every_sentence_is_translated_and_every_catalogue_is_compiled() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "messages")]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.stdout.endswith(f", {len(available()) - 1} languages, 0 faults\n")


def test_each_language_says_what_it_is_called_and_how_it_is_written() -> None:
    about = {code: language(code) for code in available()}
    assert [known.name for known in about.values()] == [
        "English", "العربية", "Deutsch", "Español", "Français", "Português (Brasil)",
    ]  # fmt: skip
    assert [code for code, known in about.items() if known.direction == "rtl"] == ["ar"]

"""Pairs of students whose files are alike, beyond what everybody was given."""

import tempfile
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from grader.classroom.entries import Entry
from grader.classroom.folder import AlikePair
from grader.core.course.template import DESCRIBED, Template
from grader.core.errors import UserError
from grader.core.text import source_text

_TOKENS: Final = 20
"""Length of the pieces that are compared, in tokens."""

_ALIKE: Final = 0.6
"""Share of a file from which on a pair is shown."""

_MOST_PAIRS: Final = 50
OnPair = Callable[[int, int], None]
"""Is told how many pairs are compared, and of how many."""


def detector() -> Any:
    """Return the library that compares files; raise UserError where it is not installed."""
    try:
        return import_module("copydetect")
    except ImportError:
        raise UserError("--similarity needs copydetect: pip install -e '.[similarity]'") from None


def alike(
    entries: Iterable[Entry], template: Template, given: Iterable[Path], on_pair: OnPair
) -> tuple[AlikePair, ...]:
    """Return the most similar pairs; what is in the template and other given files is ignored."""
    copydetect = detector()

    def prints(file: Path, ignored: Any = ()) -> Any:
        return copydetect.CodeFingerprint(
            str(file), _TOKENS, 1, boilerplate=list(ignored), language="python", encoding="utf-8"
        )

    with tempfile.TemporaryDirectory() as folder:
        handed_out = Path(folder) / "given.py"
        handed_out.write_text(f"{DESCRIBED.text}\n{template.text}", encoding="utf-8")
        ignored = {code for file in (handed_out, *given) for code in prints(file).hashes}
        found = []
        for entry in entries:
            if entry.file is None:
                continue
            copy = Path(folder) / f"{entry.key}.py"  # named for the language; undecodable bytes are replaced
            raw = entry.file.read_bytes()[:1_000_000]
            texts = [source_text(raw), *(source_text(one.content) for one in entry.helpers(raw))]
            copy.write_text("\n".join(texts), encoding="utf-8", errors="replace")
            found.append((entry, prints(copy, ignored)))
        total, pairs = len(found) * (len(found) - 1) // 2, []
        for done, ((first, one), (second, other)) in enumerate(combinations(found, 2), 1):
            _, shares, _ = copydetect.compare_files(one, other)
            if max(shares) >= _ALIKE:
                both = float(shares[0]), float(shares[1])
                pairs.append(AlikePair(keys=(first.key, second.key), shares=both))
            on_pair(done, total)
    return tuple(sorted(pairs, key=lambda pair: -max(pair.shares))[:_MOST_PAIRS])

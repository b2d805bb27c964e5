from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.benchmark import Comparison, Counts, Measurement, compare, comparison_of, picture, render
from grader.core.errors import UserError
from grader.report.wording import as_text, duration


def entry(search: str, seconds: float, **info: object) -> dict[str, object]:
    return {"stats": {"min": seconds}, "extra_info": {"position": "empty board", "search": search, **info}}


PRUNED = {"alpha_beta_in_its_order": 18_297}
DATA = {
    "benchmarks": [
        entry("plain minimax", 4.0, nodes=549_946),
        entry("alpha-beta", 0.2, nodes=18_297),
        entry("open_spiel", 0.05),
        entry("submission", 0.5, nodes=30_709, net_seconds=0.4, **PRUNED, calls={"result": 30_708}),
    ]
}


def test_what_pytest_benchmark_writes_becomes_measurements() -> None:
    found = comparison_of(DATA)
    assert found.at("empty board")[1] == Measurement("empty board", "submission", 0.4, 30_709)
    assert found.at("empty board")[3] == Measurement("empty board", "open_spiel", 0.05, None)
    assert found.counts == (Counts("empty board", 30_709, 18_297, {"result": 30_708}),)


def test_the_table_tells_times_positions_and_how_many_times_faster() -> None:
    text = as_text(render(comparison_of(DATA)))
    rows = [line.split() for line in text.splitlines() if "█" in line]
    assert [row[0] for row in rows] == ["plain", "submission", "alpha-beta", "open_spiel"]
    assert rows[1][-3:] == ["10.0", "x", "faster"]
    bars = [len(next(part for part in row if "█" in part)) for row in rows]
    assert bars == sorted(bars, reverse=True) and bars[0] > bars[-1]
    sentence = "549,946 positions for plain minimax, 18,297 for alpha-beta in this order, yours 30,709."
    assert sentence in " ".join(text.split())


def test_bars_are_on_a_log_scale() -> None:
    tenfold = [Measurement("p", str(seconds), seconds, None) for seconds in (0.002, 0.02, 0.2)]
    root = ElementTree.fromstring(picture(Comparison(tuple(tenfold))))
    bars = [shape.attrib for shape in root.iter("{http://www.w3.org/2000/svg}rect")]
    widths = sorted(float(bar["width"]) for bar in bars if bar.get("height") == "14")
    assert widths[1] - widths[0] == pytest.approx(widths[2] - widths[1], abs=0.2)


def test_names_cannot_break_the_picture() -> None:
    odd = Measurement("<p>", 'a"&<script>', 1.0, None)
    assert "<script>" not in picture(Comparison((odd,)))
    ElementTree.fromstring(picture(Comparison((odd,))))


def test_what_could_not_be_measured_is_told() -> None:
    empty = Comparison((), notes=("submission: minimax gives no answer",))
    assert "gives no answer" in as_text(render(empty))


@pytest.mark.parametrize(("seconds", "text"), [(3.7, "3.7 s"), (0.0234, "23.4 ms"), (0.00032, "320 µs")])
def test_a_duration_has_the_unit_that_suits_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_path_without_a_file_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no tictactoe\.py"):
        compare(tmp_path, lambda done, total: None)

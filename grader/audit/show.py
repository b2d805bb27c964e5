"""An audit for people: how many mutants each criterion caught, by which cases, and who got away."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.audit.audit import Audit


def render(audit: Audit) -> RenderableType:
    """Return the report on an audit."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("criterion", "broken by", "caught", "by hand", "caught most often by"):
        table.add_column(title, justify="right" if title in ("broken by", "caught", "by hand") else "left")
    for criterion, (broken, caught, by_written, cases) in audit.per_criterion().items():
        busiest = ", ".join(f"{case.partition('/')[2]} ({count})" for case, count in cases)
        table.add_row(criterion, str(broken), str(caught), str(by_written), busiest)
    parts: list[RenderableType] = [
        Text(f"{len(audit.findings)} mutants behave differently from the reference, {audit.same} do not."),
        "",
        table,
        "",
        Text(f"Hand-written cases alone catch {audit.by_written:.1%} of the mutants."),
    ]
    if covered := audit.covered:
        named = sum(one.is_named for one in covered)
        share = f"{named} of {len(covered)} ({named / len(covered):.1%})"
        parts.append(Text(f"Named by the mistake they were made with: {share}."))
    for one in audit.findings:
        if one.named_wrongly:
            parts.append(Text(f"named wrongly: {one.name} ({', '.join(one.named_wrongly)})", style="red"))
        if one.expected and not one.is_named:
            parts.append(Text(f"not named: {one.name} ({one.expected})", style="yellow"))
        if one.got_away:
            parts.append(Text(f"got away: {one.name} ({', '.join(sorted(one.got_away))})", style="red"))
        if one.charged_wrongly:
            lost = ", ".join(sorted(one.charged_wrongly))
            parts.append(Text(f"loses points where it breaks nothing: {one.name} ({lost})", style="red"))
        if not one.caught_by_written:
            parts.append(Text(f"not caught by hand: {one.name}", style="yellow"))
    parts.append(Text("The fixtures hold." if audit.holds else "The fixtures do not hold.", style="bold"))
    return Group(*parts)

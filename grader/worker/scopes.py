"""Which names in a function are the module's: by Python's rules of scope, read off the syntax tree."""

import ast

from grader.worker.nodes import children, walk
from grader.worker.not_recallable import NotRecallable
from grader.worker.own import *

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def module_names(tree: ast.Module) -> set[ast.Name]:
    """Return every place inside a function at which a name of the module (or a builtin) stands."""
    found: set[ast.Name] = set()
    pending: list[tuple[Any, set[str], bool]] = [(tree, set(), False)]
    while pending:
        node, local, inside = pending.pop()
        body: list[Any] = []
        if isinstance(node, _FUNCTIONS):
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            bound, declared = _bound([node.args, *body])
            pending += [(one, (local | bound) - declared, True) for one in body]
        elif isinstance(node, _COMPREHENSIONS):
            local = local | _stored([one.target for one in node.generators])
        elif isinstance(node, ast.ClassDef) and inside:
            local = local | _bound(node.body)[0]
        elif isinstance(node, ast.Name) and inside and node.id not in local:
            found.add(node)
        pending += [(one, local, inside) for one in children(node) if one not in body]
    return found


def _bound(nodes: list[Any]) -> tuple[set[str], set[str]]:
    """Return the names that a function's own statements bind, and those that it declares the module's."""
    bound: set[str] = set()
    declared: set[str] = set()
    named: set[str] = set()
    pending = [*nodes]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Global):
            declared.update(node.names)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.NamedExpr):
            named.add(node.target.id)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        # def, class, import, except, case
        name = getattr(node, "asname", None) or getattr(node, "name", None)
        if type(name) is str:
            named.add(name.partition(".")[0])
        if isinstance(node, _COMPREHENSIONS):
            named.update(one.target.id for one in walk(node) if isinstance(one, ast.NamedExpr))
        elif not isinstance(node, _FUNCTIONS | ast.ClassDef):
            pending += children(node)
    if named & declared:
        raise NotRecallable(f"it defines {min(named & declared)} for the whole module inside a function")
    return (bound | named) - declared, declared


def _stored(targets: list[ast.expr]) -> set[str]:
    return {one.id for target in targets for one in walk(target) if isinstance(one, ast.Name)}

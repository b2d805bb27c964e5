"""The code of a submission whose functions remember, or why there is none.

Every function definition gets the memory for a decorator. A submission whose functions write to module-level
names, of the file itself or of a module that came with it, is refused: it could answer differently.
"""

from __future__ import annotations

import ast
from builtins import (  # noqa: UP029 - own names, so that a submission's patched builtins are not seen
    SyntaxError,
    ValueError,
    any,
    compile,
    dict,
    frozenset,
    getattr,
    isinstance,
    len,
    list,
    set,
    str,
)

from grader.worker.errors import NotRecallable

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any

_CHANGING_METHODS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "popitem",
        "remove",
        "clear",
        "discard",
        "setdefault",
        "sort",
        "reverse",
        "appendleft",
        "popleft",
        "extendleft",
    ]
)

_READERS = frozenset(["globals", "vars", "locals", "eval", "exec", "__import__", "import_module"])
"""What reads a name that is not written in the source."""


def recalled(sources: dict[str, bytes]) -> dict[str, Any]:
    """Return each file's code, remembering; raise NotRecallable when it could answer differently."""
    trees = {}
    for filename, source in sources.items():
        try:
            trees[filename] = ast.parse(source)
        except (SyntaxError, ValueError):
            if len(sources) == 1:
                raise
            raise NotRecallable(f"{filename} cannot be read") from None
    shared = set[str]().union(*[_shared_names(tree, sources) for tree in trees.values()])
    if len(trees) == 1:
        shared = shared.difference(*[_tallies(tree) for tree in trees.values()])
    for filename, tree in trees.items():
        _refuse_side_effects(tree, shared, "" if len(trees) == 1 else f" of {filename}")
    return {
        filename: compile(ast.fix_missing_locations(_Wrap().visit(tree)), filename, "exec", dont_inherit=True)
        for filename, tree in trees.items()
    }


class _Wrap(ast.NodeTransformer):
    """Puts the memory next to every function, inside any decorator of its own."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        keeps_state = any(not isinstance(default, ast.Constant) for default in _defaults(node.args))
        if not keeps_state and not _is_generator(node):
            node.decorator_list.append(ast.copy_location(ast.Name("__recall__", ast.Load()), node))
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Lambda):
            node.value = ast.copy_location(
                ast.Call(ast.Name("__recall__", ast.Load()), [node.value], []), node.value
            )
        return node


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    """Return the defaults that may hold state: a signed number and a dotted name do not."""
    given = [*arguments.defaults, *(default for default in arguments.kw_defaults if default)]
    return [default for default in given if not isinstance(default, ast.UnaryOp | ast.Name | ast.Attribute)]


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _shared_names(tree: ast.Module, sources: dict[str, bytes]) -> set[str]:
    """Return the names at the top of a module that outlive a call: its own, and other modules' of these."""
    names = {
        name.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef)
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    tops = {file.partition("/")[0].removesuffix(".py") for file in sources}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            given = [one for one in node.names if one.name.partition(".")[0] in tops]
            names |= {one.asname or one.name.partition(".")[0] for one in given}
        elif isinstance(node, ast.ImportFrom) and (
            node.level or (node.module or "").partition(".")[0] in {*tops, "tictactoe"}
        ):
            names |= {one.asname or one.name for one in node.names}
    return names | {one.name for one in tree.body if isinstance(one, ast.ClassDef | ast.FunctionDef)}


def _refuse_side_effects(tree: ast.Module, shared: set[str], where: str) -> None:
    """Raise NotRecallable if any function writes to a module-level name or container."""
    for statement in ast.walk(tree):
        if isinstance(statement, ast.FunctionDef | ast.Lambda):
            own = _own_names(statement)
            for node in ast.walk(statement):
                name = _written_name(node)
                if name in shared and name not in own:
                    line = getattr(node, "lineno", statement.lineno)
                    raise NotRecallable(f"it writes to {name}, which outlives the call (line {line}{where})")


def _tallies(tree: ast.Module) -> set[str]:
    """Return the numbers at module level that no function ever reads: to count calls changes no answer."""
    numbers = {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name) and type(statement.value.value) in (int, float)
    }
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    defined = (one for one in ast.walk(tree) if isinstance(one, kinds))
    inside = [node for one in defined for node in ast.walk(one) if isinstance(node, ast.Name)]
    if any(node.id in _READERS for node in inside):
        return set()
    return numbers - {node.id for node in inside if isinstance(node.ctx, ast.Load)}


def _own_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Return the names that are the function's own (or of a function within it), not the module's."""
    declared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    own = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    own |= {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return own - declared


def _written_name(node: ast.AST) -> str | None:
    """Return the name whose value a node changes: x[0] = ..., x.y = ..., x.append(...), global x; x = ..."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return _root(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _root(node.func) if node.func.attr in _CHANGING_METHODS else None
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        return node.id
    return None


def _root(node: ast.expr) -> str | None:
    """Return the name at the start of x.y[0].z, or None."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None

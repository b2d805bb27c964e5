"""The code of a submission whose functions remember, or why there is none.

Every function definition gets the memory for a decorator. Names of the module that functions write to are
read and written by way of `effects`. Where that cannot be (another module's, a class, a function, names that
may be reached otherwise), the submission is refused: it could answer differently.
"""

import ast

from grader.worker.errors import NotRecallable
from grader.worker.hidden import UNWRITTEN, changing_classes, refuse_hidden, refuse_objects
from grader.worker.nodes import walk
from grader.worker.own import *
from grader.worker.scopes import module_names
from grader.worker.wire import COUNTED

_CHANGING_METHODS = frozenset((
    "append", "extend", "insert", "add", "update", "pop", "popitem", "remove", "clear", "discard",
    "setdefault", "sort", "reverse", "appendleft", "popleft", "extendleft",
))  # fmt: skip

_CHANGING_FUNCTIONS = frozenset((
    "heappush", "heappop", "heapify", "heapreplace", "heappushpop", "insort", "insort_left",
    "insort_right", "shuffle",
))  # fmt: skip
"""Functions of the library that change what they are given first."""

_READERS = frozenset([*UNWRITTEN, "locals", "__import__", "import_module"])
"""What reads a name that is not written in the source."""


_APART = frozenset(["functools", "gc", "importlib", "inspect", "threading", "concurrent", "tictactoe"])
"""Modules by which a file keeps results, reaches names or runs code otherwise than it is written."""


def recalled(sources: dict[str, bytes]) -> tuple[dict[str, Any], bool, Any]:
    """Return each file's code, remembering, whether it has effects, and what looks at it when it is loaded.

    Raises NotRecallable when it could answer differently; so does the last.
    """
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
    has_effects, encloses, used, changing = False, False, {*COUNTED}, set[str]()
    for filename, tree in trees.items():
        ours = module_names(tree)
        encloses = refuse_hidden(tree, _written) or encloses
        used |= {one.id for one in ours}
        changing |= changing_classes(tree, _written)
        written: dict[str, int] = {}
        for node in walk(tree):
            root = _written(node)
            if root in ours and root.id in shared:
                written.setdefault(root.id, root.lineno)
        if written:
            where = "" if len(trees) == 1 else f" of {filename}"
            _refuse_what_is_no_data(tree, written, sources, where)
            has_effects = True
            _Share({one for one in ours if one.id in written}).visit(tree)
            names = [ast.Constant(name) for name in written]
            tree.body.append(ast.Expr(ast.Call(ast.Name("__loaded__", ast.Load()), [*names], [])))
        _Wrap().visit(tree)
    codes = {
        filename: compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
        for filename, tree in trees.items()
    }
    return codes, has_effects, lambda spaces: refuse_objects(used, spaces, encloses, changing)


class _Share(ast.NodeTransformer):
    """Lets functions read and write some of the module's names where it is noted."""

    def __init__(self, places: set[ast.Name]) -> None:
        self._places = places

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node not in self._places:
            return node
        return ast.copy_location(ast.Attribute(ast.Name("__shared__", ast.Load()), node.id, node.ctx), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        amount = node.value.value if isinstance(node.value, ast.Constant) else None
        if node.target not in self._places or type(amount) is not int:
            return self.generic_visit(node)
        if not isinstance(node.op, ast.Add | ast.Sub):
            return self.generic_visit(node)
        amount = amount if isinstance(node.op, ast.Add) else -amount
        return ast.copy_location(ast.Expr(_hook("__add__", node.target, ast.Constant(amount))), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        method = node.func
        if isinstance(method, ast.Attribute) and method.value in self._places:
            if method.attr == "append" and len(node.args) == 1:
                node.func = ast.copy_location(_hook("__append__", method.value), node)
            elif method.attr == "clear" and not node.args:
                return ast.copy_location(_hook("__clear__", method.value), node)
        return self.generic_visit(node)


def _hook(name: str, place: Any, *others: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(place.id), *others], [])


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
            remembered = ast.Call(ast.Name("__recall__", ast.Load()), [node.value], [])
            node.value = ast.copy_location(remembered, node.value)
        return node


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    """Return the defaults that may hold state: a signed number and a dotted name do not."""
    given = [*arguments.defaults, *(default for default in arguments.kw_defaults if default)]
    return [default for default in given if not isinstance(default, ast.UnaryOp | ast.Name | ast.Attribute)]


def _is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(function))


def _shared_names(tree: ast.Module, sources: dict[str, bytes]) -> set[str]:
    """Return the names at the top of a module that outlive a call: its own, and other modules' of these."""
    names = {
        name.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef)
        for name in walk(statement)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    tops = {file.partition("/")[0].removesuffix(".py") for file in sources}
    for node in walk(tree):
        if isinstance(node, ast.Import):
            given = [one for one in node.names if one.name.partition(".")[0] in tops]
            names |= {one.asname or one.name.partition(".")[0] for one in given}
        elif isinstance(node, ast.ImportFrom) and (
            node.level or (node.module or "").partition(".")[0] in {*tops, "tictactoe"}
        ):
            names |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.Global):
            names |= {*node.names}
    return names | {one.name for one in tree.body if isinstance(one, ast.ClassDef | ast.FunctionDef)}


def _refuse_what_is_no_data(
    tree: ast.Module, written: dict[str, int], sources: dict[str, bytes], where: str
) -> None:
    """Raise NotRecallable if functions write to what is not this module's data, or may reach it otherwise."""
    apart = _APART | {file.partition("/")[0].removesuffix(".py") for file in sources}
    defined: set[str] = set()
    refused = len(sources) > 1
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            defined |= {one.asname or one.name for one in node.names}
            modules = [getattr(node, "module", None) or "", *[one.name for one in node.names]]
            refused = refused or any(name.partition(".")[0] in apart for name in modules)
        elif isinstance(node, ast.Name):
            refused = refused or node.id in _READERS
        elif isinstance(node, ast.arguments):  # a default holds the object itself
            defaults = filter(None, node.defaults + node.kw_defaults)
            inside = [one for default in defaults for one in walk(default)]
            refused = refused or any(isinstance(one, ast.Name) and one.id in written for one in inside)
    for name, line in written.items():
        if refused or name in defined or name[:2] == "__":
            raise NotRecallable(f"it writes to {name}, which outlives the call (line {line}{where})")


def _tallies(tree: ast.Module) -> set[str]:
    """Return the numbers at module level that functions read at most to print them: they change no answer."""
    numbers = {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
        for target in statement.targets
        if isinstance(target, ast.Name) and type(statement.value.value) in (int, float)
    }
    shown = {one for node in walk(tree) for one in _printed(node)}
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    defined = (one for one in walk(tree) if isinstance(one, kinds))
    inside = [node for one in defined for node in walk(one) if isinstance(node, ast.Name)]
    if any(node.id in _READERS for node in inside):
        return set()
    return numbers - {node.id for node in inside if isinstance(node.ctx, ast.Load) and node not in shown}


def _printed(node: ast.AST) -> list[Any]:
    """Return what a node prints as it is, also within a text."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"):
        return []
    texts = [part for one in node.args if isinstance(one, ast.JoinedStr) for part in one.values]
    return [*node.args, *[part.value for part in texts if isinstance(part, ast.FormattedValue)]]


def _written(node: ast.AST) -> Any:
    """Return the name whose value a node changes: x[0] = ..., x.y = ..., x.append(...), global x; x = ..."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return _root(node)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        if name in _CHANGING_FUNCTIONS and node.args:
            return _root(node.args[0])
        is_method = name in _CHANGING_METHODS and isinstance(node.func, ast.Attribute)
        return _root(node.func) if is_method else None
    return node if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del) else None


def _root(node: ast.expr) -> ast.expr:
    """Return what stands at the start of x.y[0].z."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node

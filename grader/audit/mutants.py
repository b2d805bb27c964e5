"""Mutants of the reference: the same engine with one fault each, to see whether the fixtures notice.

Two kinds: small edits of the syntax tree, made everywhere they fit, and whole faults as students make them,
put around or in place of the reference's own functions. (Mutation libraries drive a project's own test suite
over files on disk and know nothing of the second kind; the edits themselves are the small part.)
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from grader.audit.faults import swapped


@dataclass(frozen=True)
class Mutant:
    """A faulty engine: what is wrong with it, and its source."""

    name: str
    source: str
    mistake: str | None = None
    """What must be said of it, if a family of mistakes covers it: the function, and what that does."""


@cache
def mutants(source: str) -> tuple[Mutant, ...]:
    """Return all mutants of an engine's source, each different from it and from the others."""
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    found = []
    edited = ((name, changed, None) for name, changed in _edited(tree))
    for name, changed, mistake in [*edited, *swapped(source)]:
        key = ast.dump(changed)
        if key not in seen:
            seen.add(key)
            text = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
            found.append(Mutant(name, text, mistake))
    return tuple(found)


# --- small edits ---

_COMPARISONS: Final[dict[type[ast.cmpop], list[type[ast.cmpop]]]] = {
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
_OPERATORS: Final[dict[type[ast.operator], list[type[ast.operator]]]] = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Add],
    ast.Mod: [ast.FloorDiv],
}
_NAMES: Final = {"min": "max", "max": "min", "X": "O", "O": "X", "alpha": "beta", "beta": "alpha"}
_DROPPED: Final = ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.Raise | ast.Break | ast.Return
_GIVEN: Final = {"initial_state"}


def _edited(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Return the tree with one edit, for every edit that fits somewhere in its functions."""
    for number, function in enumerate(tree.body):
        if not isinstance(function, ast.FunctionDef) or function.name in _GIVEN:
            continue
        nodes = [node for statement in function.body for node in ast.walk(statement)]
        for index, node in enumerate(nodes):
            if _is_docstring(function, node):
                continue
            for what, replacement in _edits(node):
                changed = copy.deepcopy(tree)
                target = changed.body[number]
                assert isinstance(target, ast.FunctionDef)
                old = [one for statement in target.body for one in ast.walk(statement)][index]
                _Replace(old, replacement).visit(target)
                yield f"{function.name}, line {getattr(node, 'lineno', function.lineno)}: {what}", changed


def _is_docstring(function: ast.FunctionDef, node: ast.AST) -> bool:
    first = function.body[0]
    return isinstance(first, ast.Expr) and node in (first, first.value)


def _edits(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # noqa: PLR0912 - one branch an edit
    """Return what may stand in a node's place, and how to call that."""
    match node:
        case ast.Compare(left=left, ops=[*ops], comparators=comparators):
            for place, operator in enumerate(ops):
                for other in _COMPARISONS[type(operator)]:
                    changed = [*ops[:place], other(), *ops[place + 1 :]]
                    yield "another comparison", ast.Compare(left, changed, comparators)
        case ast.Constant(value=bool(value)):
            yield "the other truth value", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "one more", ast.Constant(value + 1)
            yield "one less", ast.Constant(value - 1)
        case ast.BinOp(left=left, op=operator, right=right):
            for another in _OPERATORS.get(type(operator), []):
                yield "another operator", ast.BinOp(left, another(), right)
        case ast.BoolOp(op=operator, values=values):
            yield "and for or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(operand=operand):
            yield "a sign or a not less", operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "the other branch", ast.IfExp(test, orelse, body)
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMES:
            yield f"{_NAMES[name]} for {name}", ast.Name(_NAMES[name], ast.Load())
        case ast.Subscript(value=value, slice=ast.Name(id=index), ctx=context):
            beside = ast.BinOp(ast.Name(index, ast.Load()), ast.Sub(), ast.Constant(1))
            yield "the index before", ast.Subscript(value, beside, context)
        case ast.ListComp(elt=ast.Subscript(slice=ast.Slice()), generators=[generator]):
            yield "a shallow copy", ast.Subscript(generator.iter, ast.Slice(), ast.Load())
            yield "no copy", generator.iter
        case ast.Tuple(elts=[first, second], ctx=ast.Load()):
            yield "a pair the other way round", ast.Tuple([second, first], ast.Load())
    if isinstance(node, _DROPPED):
        yield f"no {type(node).__name__.lower()} statement", ast.Pass()


class _Replace(ast.NodeTransformer):
    """Puts one node in another's place."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().visit(node)

"""Why a case has its verdict: a code with parameters, and the sentence that is made of them."""

from typing import Any, NamedTuple

from grader.core.checks.sentences import SENTENCES


class Reason(NamedTuple):
    """A code and its parameters: plain data, or a reason within this one. As text it is the sentence."""

    code: str
    parameters: dict[str, Any]

    def __str__(self) -> str:
        sentence, said = SENTENCES[self.code], self.parameters
        return sentence.format(**said) if isinstance(sentence, str) else sentence(**said)

    def data(self) -> dict[str, Any]:
        """Return the parameters as plain data."""
        return {name: _plain(value) for name, value in self.parameters.items()}


def because(code: str, /, **parameters: Any) -> Reason:
    """Return a reason; its parameters are those that the sentence of its code has."""
    return Reason(code, parameters)


def _plain(value: Any) -> Any:
    if isinstance(value, Reason):
        return {"code": value.code, "parameters": value.data()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)

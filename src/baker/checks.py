"""What an argument is: numbers, texts and answers of yes or no, or a TypeError that names the parameter."""

from __future__ import annotations

from math import inf
from operator import index

_LONGEST = 60


def shown(value: object) -> str:
    """The value as an error message shows it, cut short where it is long.

    >>> shown([1, 2]), shown("x" * 100)[:10]
    ('[1, 2]', "'xxxxxxxxx")
    """
    try:
        text = repr(value)
    except Exception:  # an integer of thousands of digits has none, and other types may raise what they like
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def whole(name: str, value: object) -> int:
    """The plain int that a whole number is, whatever its type: numpy's integers are taken, True and False are not.

    >>> whole("cells", 4)
    4

    Raises TypeError if it is not a whole number.
    """
    if type(value) is int:
        return value
    try:
        if not isinstance(value, bool):
            # By value: what a subclass of int says of itself does not matter.
            return int.__index__(index(value))  # type: ignore[arg-type]
    except TypeError:
        pass
    raise TypeError(f"{name} is {shown(value)}: expected a whole number")


def real(name: str, value: object) -> float:
    """The float that a number is, infinite if none is as large.  Raises TypeError if it is not a number, or a bool."""
    if not isinstance(value, bool | str | bytes | bytearray):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:
            return inf if value > 0 else -inf  # type: ignore[operator]
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{name} is {shown(value)}: expected a number")


def plain_text(name: str, value: object) -> str:
    """The plain str that a text is.  Raises TypeError if it is not one."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{name} is {shown(value)}: expected a text")


def yes_or_no(name: str, value: object) -> bool:
    """The value, if it is True or False.  Raises TypeError if it is not."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {shown(value)}: expected True or False")
    return value

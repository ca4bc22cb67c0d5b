"""Arguments that are not what they look like: numbers of other types, subclasses that lie, pickles that were forged."""


class Index:
    """A whole number of another type, as numpy has them."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Liar(int):
    """An int that says that it is three, and that every comparison holds."""

    def __index__(self) -> int:
        return 3

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return True

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = int.__hash__


class Alias(str):
    """A text that says that it is ``unlimited``."""

    def __str__(self) -> str:
        return "unlimited"

    def __eq__(self, other: object) -> bool:
        return other == "unlimited"

    def __hash__(self) -> int:
        return hash("unlimited")


class Forged:
    """Pickles as it is told to: what makes an object, with which arguments, and perhaps its state."""

    def __init__(self, *reduced: object) -> None:
        self.reduced = reduced

    def __reduce__(self) -> tuple[object, ...]:
        return self.reduced

"""Plays a deal to its end by hints: `python examples/hint_loop.py 617`."""

import sys

from baker import Deal, Game, Move


def play(number: int, rules: str = "bakers_game") -> Game:
    """The game after following hints until it is won, or until there is none."""
    game = Game(Deal.microsoft(number, rules))
    while isinstance(hint := game.hint(), Move):
        game.push(hint)
    return game


if __name__ == "__main__":
    game = play(int(sys.argv[1]) if len(sys.argv) > 1 else 617)
    print(*game.history)
    print("won" if game.is_won else "no way to win")

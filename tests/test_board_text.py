"""Texts of boards as people and other programs write them: what is read, and what is said of the rest."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from growth import check_linear
from hypothesis import given
from hypothesis import strategies as st

from baker import Card, Deal, DealError, Game, Rules, games

TEXT_617 = Deal.microsoft(617).format()
DRAWN_617 = str(Deal.microsoft(617))
ROWS_617 = "\n".join(DRAWN_617.splitlines()[4:])

# Positions of solutions as Freecell Solver 5.0.0 prints them: with -p, and with -p -t.
FC_SOLVE_POSITION = """\
Foundations: H-10 C-8 D-9 S-9\x20
Freecells:     10S  JD  QC
:\x20
: KH QS JH 10C
: KD
: 9C
: KC QH JS 10D
: KS QD JC
:\x20
:\x20
"""
FC_SOLVE_EIGHT_OFF = """\
Foundations: H-K C-K D-6 S-5\x20
Freecells:                      7S  6S   \x20
:\x20
: 8S
:\x20
: KD QD JD TD 9D 8D 7D
:\x20
: KS QS JS TS 9S
:\x20
:\x20
"""
# Part of what it prints without -p.
FC_SOLVE_DISPLAY = """\
 4D  3D  5D  KS         H-0 C-2 D-0 S-4
--- --- --- ---


 --  --  --  --  --  --  --  --
 7D  AD  5C      5S  8C  4H  AH
"""
# Microsoft deal 24 as pysol-cards 0.18 prints it for Seahaven Towers.
PYSOL_SEAHAVEN_24 = """\
Freecells: - 3D AS
4C 9S 10H AD 4S
5H 2S KH 4D 4H
QC KD 6S QS KS
5D JS 7D 3H 6D
2D 5S 8C 3S 8D
7H 6C AC JH 7C
AH 9C 9H 10D JD
7S 3C 5C KC 9D
2C 6H 10C 8H 2H
QH JC 10S 8S QD
"""


def cards(*texts: str | None) -> tuple[Card | None, ...]:
    return tuple([Card(text) if text else None for text in texts])


# Other programs


def test_positions_of_fc_solve() -> None:
    deal = Deal.parse(FC_SOLVE_POSITION, "freecell")
    assert deal.foundations == (8, 9, 10, 9)
    assert deal.cells == cards(None, "TS", "JD", "QC")
    assert [len(column) for column in deal.columns] == [0, 4, 1, 1, 4, 3, 0, 0]
    deal = Deal.parse(FC_SOLVE_EIGHT_OFF, "eight_off")
    assert deal.cells == cards(None, None, None, None, None, "7S", "6S", None)
    assert deal.foundations == (13, 6, 13, 5)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("FC: KS", ("KS", None, None, None)),
        ("FC: JS KS", ("JS", "KS", None, None)),
        ("Freecells:  JS  KS", ("JS", "KS", None, None)),
        ("Freecells:      JS  KS", (None, "JS", "KS", None)),
        ("Freecells:  JS              KS", None),
        ("Freecells:  JS          KS", ("JS", None, None, "KS")),
        # Only a line all of whose cards end where those of Freecell Solver end shows places.
        ("Freecells:  JS         KS", ("JS", "KS", None, None)),
        ("Freecells:      -   JS  KS", ("-", "JS", "KS", None)),
    ],
)
def test_blank_cells_of_fc_solve(line: str, cells: tuple[str | None, ...] | None) -> None:
    kings = [card for card in ("JS", "KS") if card not in line]
    board = "\n".join(["Foundations: C-K D-K H-K S-10", line, ": QS " + " ".join(kings), *":" * 7])
    if cells is None:
        with pytest.raises(DealError, match="'KS' is in cell 5: expected at most 4"):
            Deal.parse(board)
    else:
        assert Deal.parse(board).cells == cards(*[None if cell == "-" else cell for cell in cells])


def test_deals_of_pysol_cards() -> None:
    assert Deal.parse(PYSOL_SEAHAVEN_24, "seahaven") == Deal.microsoft(24, "seahaven_towers")


def test_ranks_as_numbers() -> None:
    text = TEXT_617.replace("A", "1").replace("T", "0").replace("JD", "11D").replace("KS", "13S")
    assert Deal.parse(text) == Deal.microsoft(617)
    board = "QS KS\n" + ":\n" * 7
    deal = Deal.parse("Foundations: S-J D-13 C-K H-K\n" + board)
    assert deal.foundations == (13, 13, 13, 11)
    assert Deal.parse("Founds: H-13 S-11 C-13 D-13\n" + board) == deal
    aces = Rules(name="aces", columns=(3, 0), aces_out=1, ranks=1)
    assert Deal.parse("Foundation: D-1\n1H 1S 1C\n:", aces).foundations == (0, 1, 0, 0)


BLANKS = "Foundations: H-K C-K D-K S-9\n\nTS\n\n \nJS\nQS\n\n\nKS\n\n\n"


def test_blank_lines_are_empty_columns_where_columns_are_missing() -> None:
    deal = Deal.parse(BLANKS, "freecell")
    assert deal.columns == (cards("TS"), (), (), cards("JS"), cards("QS"), (), (), cards("KS"))
    # Not if the number does not come out, nor if no column is missing.
    with pytest.raises(DealError, match="line 9, column 3: the board ends after 4 columns: expected 8"):
        Deal.parse(BLANKS.replace("QS\n\n", "QS\n"), "freecell")
    with pytest.raises(DealError, match="the board ends after 7 columns"):
        Deal.parse("\n\n" + "\n".join(TEXT_617.splitlines()[:7]) + "\n\n")
    assert Deal.parse(TEXT_617.replace("\n", "\n\n")) == Deal.microsoft(617)
    # A line with a comment is none.
    with pytest.raises(DealError, match="the board ends after 4 columns"):
        Deal.parse(BLANKS.replace("QS\n\n", "QS\n# nothing\n"), "freecell")


def solvitaire(deal: Deal, **more: object) -> str:
    home = [
        [f"{'A23456789TJQK'[rank]}{suit}".replace("T", "10") for rank in range(count)]
        for suit, count in zip("CDHS", deal.foundations, strict=True)
    ]
    document = {
        "tableau piles": [[str(card).replace("T", "10") for card in column] for column in deal.columns],
        "cells": [str(card).replace("T", "10") if card else "" for card in deal.cells],
        "foundations": home,
    }
    return json.dumps(document | more)


def test_json_of_solvitaire() -> None:
    deal = Deal.microsoft(617, "freecell")
    piles = json.dumps({"tableau piles": [list(map(str, column)) for column in deal.columns]})
    assert Deal.parse(piles, "freecell") == deal
    assert Deal.parse(piles.lower().encode("utf-16"), "freecell") == deal
    for board in (Deal.parse(FC_SOLVE_POSITION, "freecell"), Deal.parse(FC_SOLVE_EIGHT_OFF, "eight_off")):
        assert Deal.parse(solvitaire(board, stock=[], waste=[]), board.rules) == board


@pytest.mark.parametrize(
    ("text", "line", "column", "token", "message"),
    [
        ("{", 1, 2, "", "Expecting property name"),
        ('{"tableau piles": [["KC", "7D"],\n ["7X"]]}', 2, 3, "7X", "unknown card '7X'"),
        ('{"tableau piles": [["KC", "7D"],\n ["KC"]]}', 2, 3, "KC", "KC is already at line 1, column 21"),
        ('{"tableau piles": 3}', 1, 2, "tableau piles", "'tableau piles' is no list"),
        ('{"tableau piles": [3]}', 1, 2, "tableau piles", "'tableau piles' has something else than lists of cards"),
        ('{"cells": []}', 1, 14, "", "the JSON has no tableau piles"),
        ('{"cells": [], "cells": []}', 1, 15, "cells", "a second 'cells'"),
        ('{"stock": ["KC"]}', 1, 2, "stock", "'stock' is no part of the games that are known here"),
        ('{"deck": []}', 1, 2, "deck", "'deck' is no part of the games"),
        ('{"foundations": [["2C"]]}', 1, 19, "2C", "'2C' is card 1 of a foundation: expected the cards of one suit"),
        ('{"foundations": [["AC", "2D"]]}', 1, 25, "2D", "'2D' is card 2 of a foundation"),
        ('{"foundations": [["AC", "X"]]}', 1, 25, "X", "unknown card 'X'"),
        ('{"tableau piles": [], "foundations": [["AC"], ["AC"]]}', 1, 48, "C-A", "a second foundation of clubs"),
        ('{"a": ' * 100_000, 1, 1, "{", "the JSON is too deep"),
        ('{"a": ' + "1" * 10_000 + "}", 1, 1, "{", "the JSON is too deep or its numbers too long"),
    ],
)
def test_what_is_wrong_with_json(text: str, line: int, column: int, token: str, message: str) -> None:
    with pytest.raises(DealError, match=message) as caught:
        Deal.parse(text)
    error = caught.value
    assert (error.line, error.column, error.token) == (line, column, token)


# The board for people


@pytest.mark.parametrize("name", games)
def test_the_drawn_board_is_read_back(name: str) -> None:
    game = Game(Deal.microsoft(11982, name))
    choose = random.Random(name)
    for _ in range(40):
        assert Deal.parse(str(game), name) == game.position
        moves = list(game.legal_moves)
        if not moves:
            break
        game.push(choose.choice(moves))


def test_a_drawn_board_may_be_indented_and_end_in_blanks() -> None:
    deal = Game(Deal.microsoft(3, "seahaven_towers")).position
    text = "\n".join(["", *[f"      {line}   " for line in str(deal).splitlines()], "", "# a comment"])
    assert Deal.parse(text, "seahaven_towers") == deal
    assert Deal.parse(str(deal).replace("\n", "\r\n"), "seahaven_towers") == deal


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "token", "message"),
    [
        ("7S QD AC", "7S QD  AC", 6, 11, "AC", "'AC' is below no number"),
        ("7D AD 5C", "7D    5C", 6, 4, "7S", "there is a gap above '7S' in column 2"),
        (" a  b  c  d   h", " a  b  d  c   h", 1, 2, "a", "lines above the numbers of the columns that are not those"),
        (" -  -  -  -   C-0", " -  -  -  7D   C-0", 5, 1, "7D", "7D is already at line 2"),
    ],
)
def test_what_is_wrong_with_a_drawn_board(old: str, new: str, line: int, column: int, token: str, message: str) -> None:
    assert old in DRAWN_617
    text = DRAWN_617.replace(old, new, 1)
    with pytest.raises(DealError, match=message) as caught:
        Deal.parse(text)
    error = caught.value
    assert (error.line, error.column, error.token) == (line, column, token)


# Which game


def test_a_board_says_its_game() -> None:
    assert Deal.microsoft(617).format() == TEXT_617
    assert "game" not in TEXT_617
    for rules in [*games.values(), games["freecell"].replace(cells=3), Rules(name="tiny", columns=(7, 7, 6), ranks=5)]:
        deal = Deal.random(617, rules)
        assert Deal.parse(deal.format()) == deal
        assert Deal.parse(deal.format().encode("utf-16")).rules == rules
    assert Deal.microsoft(617, "freecell").format() == TEXT_617 + "\n# game: freecell"


def test_given_rules_hold_whatever_the_comment_says() -> None:
    text = TEXT_617 + "\n# game: freecell"
    assert Deal.parse(text).rules == games["freecell"]
    assert Deal.parse(text, "bakers_game").rules == games["bakers_game"]
    assert Deal.parse("# game: of yesterday\n" + TEXT_617, "bakers_game") == Deal.microsoft(617)


@pytest.mark.parametrize("comment", ["#game:freecell", "# Game: FreeCell  ", "\t#\tgame:\tfree-cell"])
def test_how_the_game_may_be_written(comment: str) -> None:
    deal = Deal.microsoft(617, "freecell")
    assert Deal.parse(comment + "\n" + TEXT_617) == deal
    assert Deal.parse(TEXT_617.replace("\n", comment + "\n", 1)) == deal
    assert Deal.parse(TEXT_617.replace("\n", comment + "\n")) == deal
    assert Deal.parse(DRAWN_617 + "\n" + comment) == deal


def test_a_comment_that_names_no_game() -> None:
    with pytest.raises(DealError, match="line 9, column 1: unknown game 'frecell': did you mean 'freecell'") as caught:
        Deal.parse(TEXT_617 + "\n# game: frecell")
    assert caught.value.token == "# game: frecell"
    with pytest.raises(DealError, match="line 10, column 1: a second game 'eight_off': expected one, 'freecell'"):
        Deal.parse(TEXT_617 + "\n# game: freecell\n# game: eight_off")
    # Other comments are free.
    assert Deal.parse("# my favourite game: the best\n# the game\n" + TEXT_617) == Deal.microsoft(617)


def test_a_comment_that_looks_like_a_code() -> None:
    assert Deal.parse(TEXT_617 + "\n# deal: ms11982").number is None
    assert Deal.parse("freecell:ms617\n") == Deal.microsoft(617, "freecell")
    with pytest.raises(DealError, match="line 1, column 1: unknown game 'solitaire'"):
        Deal.parse("solitaire:ms617")


# Encodings, and what editors and systems add


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["", "\n", "\0", "\x1a", "\r\n\x1a", "\n" + "\0" * 1000, "\0\x1a\0"])
@pytest.mark.parametrize("text", [TEXT_617, DRAWN_617, TEXT_617.replace("S", "♠").replace("T", "10")])
def test_encodings(encoding: str, end: str, text: str) -> None:
    assert Deal.parse((text + end).encode(encoding)) == Deal.microsoft(617)
    assert Deal.parse(text + end) == Deal.microsoft(617)
    if encoding in ("utf-16-le", "utf-16-be"):
        assert Deal.parse(("\ufeff" + text + end).encode(encoding)) == Deal.microsoft(617)


@pytest.mark.parametrize(
    ("data", "line", "column", "token", "message"),
    [
        (TEXT_617.encode("utf-16") + b"\x00\xd8AA", 8, 18, r"\x00", r"the byte \\x00 is not UTF-16: expected a text"),
        (b"\xff\xfe7\0D\0\n\0" + "♥".encode("utf-16-le")[:1], 2, 1, "\x65", "unknown card 'e'"),
        (b"\xfe\xff\0007\0D\0", 1, 3, r"\x00", r"the byte \\x00 is not UTF-16"),
        (TEXT_617.replace("7D", "7\0D", 1).encode(), 1, 1, "7\0D", r"unknown card '7\\x00D'"),
        (TEXT_617.replace("AD", "\x1aAD", 1).encode(), 2, 1, "\x1aAD", r"unknown card '\\x1aAD'"),
        (TEXT_617.replace("AD", "AD\xa0", 1).encode("latin-1"), 2, 3, r"\xa0", r"the byte \\xa0 is not UTF-8"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, line: int, column: int, token: str, message: str) -> None:
    with pytest.raises(DealError, match=message) as caught:
        Deal.parse(data)
    error = caught.value
    assert (error.line, error.column, error.token) == (line, column, token)


# What is no board, and why


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        (ROWS_617, "bakers_game", "line 1, column 1: these look like rows, 7 of them and 8 cards in the first one"),
        (
            "\n".join(str(Deal.microsoft(1, "bakers_dozen")).splitlines()[3:]),
            "bakers_dozen",
            "these look like rows, 4 of them and 13 cards",
        ),
        (TEXT_617.replace("\n", " "), "bakers_game", "line 1, column 1: 52 cards in one line: expected the cards of"),
        (TEXT_617.replace("\n", " ").replace(" ", "\n"), "bakers_game", "line 1, column 1: one card in each line"),
        (FC_SOLVE_DISPLAY, "freecell", "line 2, column 1: a line of dashes, as Freecell Solver prints"),
        ("-=-=-=-=-\n" + FC_SOLVE_POSITION, "freecell", "line 1, column 1: a line of dashes"),
        (FC_SOLVE_POSITION + "\n====================\n", "freecell", "line 12, column 1: a line of dashes"),
    ],
)
def test_the_cause_is_named(text: str, rules: str, message: str) -> None:
    with pytest.raises(DealError, match=message):
        Deal.parse(text, rules)


def test_one_column_holds_all_cards_in_one_line() -> None:
    rules = Rules(name="one column", columns=(52,), cells=4)
    assert len(Deal.parse(TEXT_617.replace("\n", " "), rules).columns[0]) == 52


VALID = [
    TEXT_617,
    DRAWN_617,
    FC_SOLVE_POSITION,
    BLANKS,
    Deal.microsoft(617, "seahaven_towers").format(),
    str(Deal.microsoft(3, "eight_off")),
    solvitaire(Deal.parse(FC_SOLVE_POSITION, "freecell")),
]
PIECES = [
    "\n",
    ":ms617",
    " ",
    ":",
    "#",
    "-",
    "10",
    "7D",
    "KS",
    "H-0",
    "Freecells:",
    "Foundations: C-A",
    "# game: freecell",
    "\0",
]


def mutated(choose: random.Random) -> str | bytes:
    text = choose.choice(VALID)
    for _ in range(choose.randint(1, 4)):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 1, 1, 2, 3, 20]))
        piece = choose.choice(
            [*PIECES, "", chr(choose.randrange(128)), text[end : end + choose.randint(0, 40)], "{", '"']
        )
        text = text[:start] + piece + text[end:]
    if choose.random() < 0.8:
        return text
    data = bytearray(text.encode(choose.choice(["utf-8", "utf-16", "utf-16-be"])))
    if data:
        data[choose.randrange(len(data))] = choose.randrange(256)
    return bytes(data)


def read(text: str | bytes, rules: str | None) -> Deal | DealError:
    try:
        return Deal.parse(text, rules)
    except DealError as error:
        return error


def test_damaged_boards_are_boards_or_one_error() -> None:
    choose = random.Random(10)
    for _ in range(5000):
        text = mutated(choose)
        rules = choose.choice([None, "bakers_game", "freecell", "seahaven_towers", "bakers_dozen"])
        deal = read(text, rules)
        if isinstance(deal, DealError):
            assert deal.line is not None
            assert len(str(deal)) < 700
        else:
            assert Deal.parse(deal.format()) == deal


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        lambda size: "{" * size,
        lambda size: "[" * size,
        lambda size: '{"tableau piles": [' + '["KC"],' * (size // 7),
        lambda size: '{"tableau piles": [' + '["KC"],' * (size // 7) + "[]]}",
        lambda size: '{"tableau piles": [' + "[]," * (size // 3) + "[]]}",
        lambda size: '{"stock": ["' + '\\"' * (size // 2) + '"]}',
        lambda size: '{"' + "\\" * size,
        lambda size: "# game:" + " " * size,
        lambda size: "# game: freecell\n" * (size // 17),
        lambda size: "# game: " + "x=" * (size // 2),
        lambda size: "1 2 3\n" + "7D " * (size // 3),
        lambda size: " ".join(map(str, range(1, size // 7))),
        lambda size: "1\n" + "7D\n" * (size // 3),
        lambda size: "Freecells:" + " " * size + "  KS",
        lambda size: "7D\n" + "\n" * size + "8D",
        lambda size: "8D 9D TD JD QD KD AC AS\n" * (size // 24),
        lambda size: "--\n" * (size // 3),
        lambda size: b"\0" * size + b"7D",
        lambda size: b"\xff\xfe" + b"\0\xd8" * (size // 2),
    ],
    ids=lambda text: repr(text(24)[:12]),
)
def test_long_texts_take_a_time_by_their_size(text: Callable[[int], str | bytes]) -> None:
    def parse(size: int) -> None:
        with pytest.raises(DealError) as caught:
            Deal.parse(text(size))
        assert len(str(caught.value)) < 700

    check_linear(parse)


@pytest.mark.slow
@given(st.text(), st.sampled_from([None, *games]))
def test_any_text(text: str, rules: str | None) -> None:
    with pytest.raises(DealError):
        Deal.parse(text, rules)


FORMATS = Path(__file__).parents[1] / "docs" / "formats.md"


@pytest.mark.skipif(not FORMATS.exists(), reason="the documents are not here: run the tests in the source tree")
def test_the_examples_of_the_documentation() -> None:
    page = FORMATS.read_text(encoding="utf-8")
    examples = re.findall(r"```(?:text|json)\n(.*?)```", page, flags=re.DOTALL)
    start, position = Deal.microsoft(617, "freecell"), Deal.parse(FC_SOLVE_POSITION, "freecell")
    deals = [Deal.parse(text, "freecell" if text.startswith("{") else None) for text in examples]
    assert deals == [start, position, position, start, position]
    for name, text in re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", page, flags=re.MULTILINE):
        assert Rules.parse(name) == Rules.parse(text), name

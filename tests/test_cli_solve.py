"""baker solve: answers, as lines, JSON and moves."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import MODULE, Capture, answers, board, run

import baker
from baker import Card, Deal, Game, Move, Rules, Solution, games
from baker.cli.parser import parse


def test_one_deal(capsys: Capture) -> None:
    assert run(capsys, "solve", "617") == (0, ["617 solved"], "")
    assert run(capsys, "solve", "10") == (0, ["10 impossible"], "")


def test_a_range_ends_with_a_summary(capsys: Capture) -> None:
    code, lines, err = run(capsys, "solve", "1-1000")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in lines[:-1]] == [str(number) for number in range(1, 1001)]
    assert sum(line.endswith(" solved") for line in lines[:-1]) == 766
    assert sum(line.endswith(" impossible") for line in lines[:-1]) == 234
    assert re.fullmatch(
        r"1000 deals: 766 solved, 234 impossible, 0 undecided; 76\.60% can be won; \d+\.\d\d s, \d+ deals a second",
        lines[-1],
    )


def test_several_targets_in_their_order(capsys: Capture, tmp_path: Path) -> None:
    name = board(tmp_path / "board.txt", Deal.microsoft(10))
    code, lines, _ = run(capsys, "solve", "617", name, "3-4")
    assert code == 0
    assert lines[:-1] == ["617 solved", f"{name} (bakers_game) impossible", "3 solved", "4 solved"]
    assert lines[-1].startswith("4 deals: 3 solved, 1 impossible, 0 undecided; 75.00% can be won; ")


def test_undecided(capsys: Capture) -> None:
    code, lines, err = run(capsys, "solve", "11982", "1", "--game", "freecell", "--max-nodes", "10")
    assert (code, err) == (3, "")
    assert lines[:-1] == ["11982 undecided (limit: nodes)", "1 undecided (limit: nodes)"]
    assert lines[-1].startswith("2 deals: 0 solved, 0 impossible, 2 undecided; 0.00% to 100.00% can be won; ")


@pytest.mark.parametrize(
    ("option", "limit"),
    [("--max-seconds=1e-9", "seconds"), ("--max-memory=1K", "memory"), ("--max-nodes=7", "nodes")],
)
def test_limits(capsys: Capture, option: str, limit: str) -> None:
    assert run(capsys, "solve", "11982", "--game=freecell", option)[:2] == (3, [f"11982 undecided (limit: {limit})"])
    [answer] = answers(capsys, "11982", "--game=freecell", option)
    assert (answer["verdict"], answer["moves"], answer["limit"]) == ("undecided", [], limit)


@pytest.mark.parametrize(
    ("text", "size"),
    [("1000", 1000), ("64K", 1 << 16), ("3m", 3 << 20), ("2G", 2 << 30), ("99999999999G", 99999999999 << 30)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse(["solve", "1", "--max-memory", text]).max_memory == size


def test_more_memory_than_there_is(capsys: Capture) -> None:
    assert run(capsys, "solve", "617", "--max-memory", "99999999999G") == (0, ["617 solved"], "")


def test_the_moves_are_searched_for_only_if_they_are_printed(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def solve_many(deals: Any, *, moves: bool, **options: Any) -> Iterator[Solution]:
        asked.append(moves)
        return baker.solve_many(deals, moves=moves, **options)

    monkeypatch.setattr("baker.cli.solve.solve_many", solve_many)
    for options in ([], ["--moves"], ["--json"]):
        run(capsys, "solve", "617", *options)
    assert asked == [False, True, True]


# --json


def replay(deal: Deal, answer: dict[str, Any]) -> None:
    """Play the moves of an answer, which win if it says so."""
    game = Game(deal)
    for move in answer["moves"]:
        game.push(Move.from_json(move))
    assert (answer["verdict"] == "solved") == game.is_won
    assert game.is_won or answer["moves"] == []


@pytest.mark.parametrize(
    ("game", "last"), [("bakers_game", 100), ("kings_only_bakers_game", 20), ("eight_off", 50), ("seahaven_towers", 50)]
)
def test_json_can_be_replayed(capsys: Capture, game: str, last: int) -> None:
    found = answers(capsys, f"1-{last}", "--game", game)
    assert [answer["deal"] for answer in found] == list(range(1, last + 1))
    for answer in found:
        assert list(answer) == ["deal", "game", "verdict", "moves", "nodes", "seconds", "limit"]
        assert answer["game"] == game
        assert answer["verdict"] in ("solved", "impossible")
        assert answer["nodes"] > 0
        assert 0 < answer["seconds"] < 60
        assert answer["limit"] is None
        replay(Deal.microsoft(answer["deal"], game), answer)
    assert any(answer["moves"] for answer in found)


def test_json_names_the_variant(capsys: Capture) -> None:
    rules = games["bakers_game"].replace(cells=3, fill="kings")
    for answer in answers(capsys, "1-30", "--cells", "3", "--set", "fill=kings"):
        assert answer["game"] == "bakers_game cells=3 fill=kings"
        assert Rules.parse(answer["game"]) == rules
        replay(Deal.microsoft(answer["deal"], rules), answer)
    [answer] = answers(capsys, "617", "--cells", "4")
    assert answer["game"] == "bakers_game"


# --check


@pytest.mark.parametrize(
    ("deals", "options", "code"),
    [
        ("617 3-4", [], 0),
        ("10", [], 4),
        ("617 10 3", [], 4),
        ("617", ["--max-nodes", "1"], 3),
        ("9 422", ["--max-nodes", "100"], 4),
    ],
)
def test_check(capsys: Capture, deals: str, options: list[str], code: int) -> None:
    usual = run(capsys, "solve", *deals.split(), *options)
    checked = run(capsys, "solve", *deals.split(), *options, "--check")
    assert checked[0] == code
    assert usual[0] == (0 if code == 4 and not options else 3 if options else code)
    assert checked[1][: len(deals.split())] == usual[1][: len(deals.split())]


# Files and standard input


@pytest.mark.parametrize("game", games)
def test_what_deal_prints_solve_reads(capsys: Capture, tmp_path: Path, game: str) -> None:
    _, lines, _ = run(capsys, "deal", "617", "--game", game)
    path = tmp_path / "617.txt"
    path.write_text("\n".join(lines))
    of_file, of_number = answers(capsys, str(path), "617", "--game", game, "--max-nodes", "200")
    assert of_file.pop("deal") == str(path)
    assert of_number.pop("deal") == 617
    del of_file["seconds"], of_number["seconds"]
    assert of_file == of_number


def test_a_board_in_the_middle_of_a_game(capsys: Capture, tmp_path: Path) -> None:
    game = Game(Deal.microsoft(617))
    for move in baker.solve(game).moves[:30]:
        game.push(move)
    middle = game.position
    assert any(middle.cells)
    assert any(middle.foundations)
    [answer] = answers(capsys, board(tmp_path / "middle.txt", middle))
    assert answer["verdict"] == "solved"
    replay(middle, answer)


def test_a_name_that_looks_like_a_number(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board(tmp_path / "10", Deal.microsoft(617))
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "solve", "10", "./10")[1][:2] == ["10 impossible", "./10 (bakers_game) solved"]


def piped(dealt: list[str], solved: list[str]) -> str:
    """What `baker solve` says to what `baker deal` prints."""
    board = subprocess.run([*MODULE, "deal", *dealt], capture_output=True, check=True).stdout
    return subprocess.run([*MODULE, "solve", *solved], input=board, capture_output=True, check=True).stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dealt", "solved", "answer"),
    [
        (["11982", "--game", "freecell"], ["-"], "- (freecell) impossible\n"),
        (["11982", "--game", "freecell"], ["-", "--game", "bakers_game"], "- (bakers_game) solved\n"),
        (["11982"], ["-"], "- (bakers_game) solved\n"),
        (["617", "--game", "eight_off"], ["-"], "- (eight_off) solved\n"),
        (["617", "--cells", "3"], ["-"], "- (bakers_game cells=3) impossible\n"),
        (["617", "--cells", "3"], ["-", "--cells", "4"], "- (bakers_game) solved\n"),
        (["617", "--cells", "3"], ["-", "--game", "bakers_game"], "- (bakers_game) solved\n"),
        (["617", "-g", "freecell"], ["-", "--set", "fill=kings"], "- (freecell fill=kings) impossible\n"),
    ],
)
def test_a_board_says_its_game(dealt: list[str], solved: list[str], answer: str) -> None:
    assert piped(dealt, solved) == answer
    record = json.loads(piped(dealt, [*solved, "--json"]))
    assert f"- ({record['game']}) {record['verdict']}\n" == answer


def test_a_board_of_an_unknown_game(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(Deal.microsoft(617).format() + "\n#GAME: solitaire cells=3\n")
    code, lines, err = run(capsys, "solve", path)
    assert (code, lines) == (2, [])
    assert err.startswith(f"baker: {path}: line 9, column 1: unknown game 'solitaire': known are ")
    assert run(capsys, "solve", path, "--game", "bakers_game") == (0, [f"{path} (bakers_game) solved"], "")


def test_standard_input() -> None:
    dealt = subprocess.run([*MODULE, "deal", "617", "--game", "eight_off"], capture_output=True, check=True)
    solved = subprocess.run(
        [*MODULE, "solve", "-", "--game", "eight_off", "--json"], input=dealt.stdout, capture_output=True, check=True
    )
    answer = json.loads(solved.stdout)
    assert (answer["deal"], answer["verdict"]) == ("-", "solved")
    replay(Deal.microsoft(617, "eight_off"), answer)


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes only there")
def test_a_name_that_is_no_text(capsys: Capture, tmp_path: Path) -> None:
    name = board(tmp_path / os.fsdecode(b"\xff.txt"), Deal.microsoft(617))
    assert run(capsys, "solve", name) == (0, [f"'{tmp_path}/\\udcff.txt' (bakers_game) solved"], "")


@pytest.mark.skipif(shutil.which("fc-solve") is None, reason="fc-solve is not installed")
@pytest.mark.parametrize(
    ("game", "theirs"),
    [
        ("bakers_game", "bakers_game"),
        ("freecell", "freecell"),
        ("eight_off", "eight_off"),
        ("seahaven_towers", "seahaven"),
    ],
)
def test_what_deal_prints_fc_solve_reads(game: str, theirs: str) -> None:
    dealt = subprocess.run([*MODULE, "deal", "2", "--game", game], capture_output=True, check=True).stdout
    solved = subprocess.run(["fc-solve", "-g", theirs, "-"], input=dealt, capture_output=True, check=True)
    assert b"This game is solveable." in solved.stdout


# --moves


STEP = re.compile(r" +(\d+)\.  (\S+) +((?:\S\S )+)from (column \d+|cell [a-gi]) (onto (\S\S) in|to the empty|to) (.*)")
HOME = re.compile(r" +(\d+)(?:-(\d+))?\.  home   (.*)")


def place(words: str) -> str:
    return words.removeprefix("column ").removeprefix("cell ")


def follow(deal: Deal, lines: list[str]) -> int:
    """Play what the lines say, as a reader would, and return the number of the last move."""
    game = Game(deal)
    number = 0
    for line in lines:
        if step := STEP.fullmatch(line):
            first, move, cards, source, how, onto, target = step.groups()
            assert int(first) == number + 1
            columns, moved = game.columns, [Card(card) for card in cards.split()]
            if source.startswith("column"):
                assert list(columns[int(place(source)) - 1][-len(moved) :]) == moved
            else:
                assert [game.cells["abcdefgi".index(place(source))]] == moved
            if target.startswith("column"):
                column = columns[int(place(target)) - 1]
                assert (column[-1:], how == "to the empty") == ((Card(onto),) if onto else (), not onto)
            else:
                assert how == "to"
            assert re.sub(r"-|x\d+", "", move) == place(source) + place(target)
            assert ("x" in move) == (len(moved) > 1)
            number += 1
            game.push(move)
        else:
            home = HOME.fullmatch(line)
            assert home, line
            assert int(home[1]) == number + 1
            for card in map(Card, home[3].split()):
                sources = [cards[-1:] for cards in game.columns]
                source = str(sources.index((card,)) + 1) if (card,) in sources else "abcdefgi"[game.cells.index(card)]
                number += 1
                game.push(f"{source}-h")
            assert int(home[2] or home[1]) == number
    assert game.is_won
    return number


@pytest.mark.parametrize("game", ["bakers_game", "seahaven_towers", "eight_off"])
def test_steps_can_be_followed(capsys: Capture, game: str) -> None:
    _, lines, _ = run(capsys, "solve", "1-40", "--moves", "--game", game)
    heads = [index for index, line in enumerate(lines) if not line.startswith(" ")]
    assert len(heads) == 40 + 1
    for index, end in pairwise(heads):
        number, verdict, *rest = lines[index].split()
        if verdict == "solved":
            moves = follow(Deal.microsoft(int(number), game), lines[index + 1 : end])
            assert rest == [str(moves), "moves"]
        else:
            assert (verdict, rest, end) == ("impossible", [], index + 1)


def test_steps_of_a_short_game(capsys: Capture, tmp_path: Path) -> None:
    deal = Deal(["KS QS", "", "", "", "", "", "", "JS"], cells=["TS"], foundations=(13, 13, 13, 9))
    assert run(capsys, "solve", board(tmp_path / "end", deal), "--moves")[1][1:] == ["  1-4.  home   TS JS QS KS"]

import datetime
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import INTERRUPTIBLE, Capture, interrupt_on_terminal, run

import baker
from baker import Card, Deal, Game, Move, Rules, Solution, games
from baker.cli.parser import make_parser

MODULE = [sys.executable, "-m", "baker"]


def answers(capsys: Capture, *arguments: str) -> list[dict[str, Any]]:
    _, lines, err = run(capsys, "solve", "--json", *arguments)
    assert err == ""
    return [json.loads(line) for line in lines]


def board(path: Path, deal: Deal) -> str:
    path.write_text(deal.format() + "\n")
    return str(path)


# baker solve: what is printed


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
    assert lines[:-1] == ["617 solved", f"{name} impossible", "3 solved", "4 solved"]
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
    assert make_parser().parse_args(["solve", "1", "--max-memory", text]).max_memory == size


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


# baker solve --json


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
    for answer in answers(capsys, "1-30", "--cells", "3"):
        assert list(answer)[:4] == ["deal", "game", "cells", "verdict"]
        assert answer["cells"] == 3
        replay(Deal.microsoft(answer["deal"], games["bakers_game"].replace(cells=3)), answer)
    [answer] = answers(capsys, "617", "--cells", "4")
    assert "cells" not in answer


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
    assert run(capsys, "solve", "10", "./10")[1][:2] == ["10 impossible", "./10 solved"]


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
    assert run(capsys, "solve", name) == (0, [f"{tmp_path}/\\udcff.txt solved"], "")


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


# baker solve --moves

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


# baker deal


def test_deal(capsys: Capture) -> None:
    for arguments, deal in (
        (["617"], Deal.microsoft(617)),
        (["8589934591"], Deal.microsoft(8589934591)),
        (["617", "--game", "good_measure"], Deal.microsoft(617, "good_measure")),
        (["617", "--game", "eight_off", "--cells", "7"], Deal.microsoft(617, games["eight_off"].replace(cells=7))),
        (["--random", "0"], Deal.random(0)),
        (["--random", "7", "--game", "seahaven_towers"], Deal.random(7, "seahaven_towers")),
        (["--daily", "2026-02-28"], Deal.daily("2026-02-28")),
    ):
        assert run(capsys, "deal", *arguments) == (0, deal.format().splitlines(), "")
        assert run(capsys, "deal", *arguments, "--format", "board") == (0, str(deal).splitlines(), "")


def test_the_deal_of_today(capsys: Capture) -> None:
    before = datetime.date.today()
    _, lines, _ = run(capsys, "deal", "--daily")
    assert "\n".join(lines) in {Deal.daily(day).format() for day in (before, datetime.date.today())}


# baker games, and what is printed about the program


def test_games(capsys: Capture) -> None:
    code, lines, err = run(capsys, "games")
    assert (code, err) == (0, "")
    end = lines.index("")
    head, *rows = (re.split("  +", line) for line in lines[:end])
    notes = dict(line.split(": ") for line in lines[end + 1 :])
    assert head == ["name", "columns", "cells", "build", "fill", "group", "can be won", "engine"]
    assert [row[0] for row in rows] == list(games)
    table = {row[0]: row[1:] for row in rows}
    assert table["bakers_game"] == ["4x7 + 4x6", "4", "same_suit", "any", "full", "75.01 %", "same suit"]
    assert table["freecell"][-2:] == ["99.999 %", "alternate colour"]
    assert [table[name][-1] for name in ("good_measure", "spanish_patience")] == ["no cells", "general"]
    assert "bakers_game" not in notes
    assert notes["eight_off"] == "cards dealt to cells a c e g"
    assert notes["good_measure"] == "kings dealt down, 2 aces dealt home"
    assert max(map(len, lines)) <= 120


def test_games_as_json(capsys: Capture) -> None:
    _, lines, _ = run(capsys, "games", "--json")
    found = [json.loads(line) for line in lines]
    assert [game["name"] for game in found] == list(games)
    for game in found:
        assert Rules(**game) == games[game["name"]]


def test_version(capsys: Capture) -> None:
    try:
        version = metadata.version("baker")
    except metadata.PackageNotFoundError:
        version = "(not installed)"
    assert run(capsys, "--version") == (0, [f"baker {version}"], "")


@pytest.mark.parametrize("command", [[], ["solve"], ["deal"], ["games"]])
def test_help(capsys: Capture, command: list[str]) -> None:
    code, lines, err = run(capsys, *command, "--help")
    assert (code, err) == (0, "")
    assert max(map(len, lines)) <= 120
    commands = [part for line in lines for part in re.split("[|>]|   ", line.strip()) if line.startswith("  baker ")]
    examples = [shlex.split(part)[1:] for part in commands if part.strip().startswith("baker ")]
    assert command == ["games"] or len(examples) >= 4
    for example in examples:
        assert make_parser().parse_args(example).command


@pytest.mark.parametrize("command", [[], ["solve"]])
def test_help_lists_the_exit_codes(capsys: Capture, command: list[str]) -> None:
    _, lines, _ = run(capsys, *command, "--help")
    codes = [line.split()[0] for line in lines[lines.index("exit codes:") + 1 :]]
    assert codes == ["0", "1", "2", "3", "130", "141"]


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("solve 0", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("solve 0-5", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("solve 1-99999999999", "no Microsoft deal has the number 99999999999: expected 1 to 8589934591"),
        ("solve 5-3", "the range 5-3 is empty: expected the lower number first"),
        ("solve 1-", "bad number or range '1-': expected one such as 617 or 1-1000"),
        ("solve -5", "bad number or range '-5': expected one such as 617 or 1-1000"),
        ("solve 1-2-3", "bad number or range '1-2-3': expected one such as 617 or 1-1000"),
        (f"solve {'9' * 5000}", "bad number or range '99999999999999999999'...: expected one such as 617 or 1-1000"),
        ("solve 617 nowhere", "nowhere: no such file: expected a number, a range such as 1-1000, a file or -"),
        ("solve 617 --game freecel", "unknown game 'freecel': did you mean 'freecell'? known are bakers_game, "),
        ("solve 617 --cells 9", "--cells 9 does not go with bakers_game: cells is 9: expected a whole number, 0 to 8"),
        ("solve 617 --cells 3 --game eight_off", "--cells 3 does not go with eight_off: filled names cell 4: "),
        ("deal 0", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("deal 8589934592", "no Microsoft deal has the number 8589934592: expected 1 to 8589934591"),
        ("deal --random 18446744073709551616", "the seed 18446744073709551616 is out of range: expected 0 to "),
        ("deal --daily 2026-02-30", "'2026-02-30' is not a date: expected one such as '2026-02-28'"),
        ("deal 617 --game solitaire", "unknown game 'solitaire': "),
    ],
)
def test_bad_input(capsys: Capture, arguments: str, message: str) -> None:
    code, lines, err = run(capsys, *arguments.split())
    assert (code, lines) == (2, [])
    assert err.startswith(f"baker: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("sovle 617", "'sovle'"),
        ("solve", "the following arguments are required: TARGET"),
        ("solve 617 --max-n 5", "unrecognized arguments: --max-n"),
        ("solve 617 --moves --json", "argument --json: not allowed with argument --moves"),
        ("solve 617 --cells three", "argument --cells: 'three' is not a whole number"),
        ("solve 617 --cells -1", "argument --cells: '-1' is not a whole number"),
        ("solve 617 --max-nodes 0", "argument --max-nodes: '0' is not positive"),
        ("solve 617 --max-nodes 1e3", "argument --max-nodes: '1e3' is not a whole number"),
        ("solve 617 --max-seconds nan", "argument --max-seconds: 'nan' is not positive"),
        ("solve 617 --max-seconds -1", "argument --max-seconds: '-1' is not positive"),
        ("solve 617 --max-seconds soon", "argument --max-seconds: 'soon' is not a number of seconds"),
        ("solve 617 --max-memory 0K", "argument --max-memory: '0K' is not positive"),
        ("solve 617 --max-memory 5X", "argument --max-memory: '5X' is not a number of bytes: expected one such as"),
        ("deal", "one of the arguments NUMBER --random --daily is required"),
        ("deal 617 --random 5", "argument --random: not allowed with argument NUMBER"),
        ("deal 6x", "argument NUMBER: '6x' is not a whole number"),
        ("deal 617 --format svg", "argument --format: invalid choice: 'svg'"),
    ],
)
def test_bad_options(capsys: Capture, arguments: str, message: str) -> None:
    code, lines, err = run(capsys, *arguments.split())
    assert (code, lines) == (2, [])
    assert err.startswith("usage: baker")
    assert message in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: the text is empty: "),
        (Deal.microsoft(617).format().replace("TC", "XC").encode(), "line 8, column 7: unknown card 'XC': "),
        (Deal.microsoft(617).format().replace("TC", "TH").encode(), "line 8, column 7: TH is already at line 1, "),
        (b"\x7fELF\x02\x01\x01\x00\xff", "line 1, column 9: the byte \\xff is not UTF-8: "),
        (b" " * (1 << 20) + b"!", "more than 1048576 bytes: expected one board"),
    ],
)
def test_bad_files(capsys: Capture, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(content)
    code, lines, err = run(capsys, "solve", "617", str(path))
    assert (code, lines) == (2, [])
    assert err.startswith(f"baker: {path}: {message}")
    assert err.count("\n") == 1


def test_a_folder(capsys: Capture, tmp_path: Path) -> None:
    assert run(capsys, "solve", str(tmp_path)) == (2, [], f"baker: {tmp_path}: cannot be read: Is a directory\n")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
def test_a_file_without_an_end(capsys: Capture) -> None:
    assert run(capsys, "solve", "/dev/zero")[2] == "baker: /dev/zero: more than 1048576 bytes: expected one board\n"


# Interrupted, out of memory, nobody reads


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt, 130, "interrupted"),
        (MemoryError, 1, "there is not enough memory: set a lower --max-memory"),
    ],
)
def test_stopped_in_a_range(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], code: int, message: str
) -> None:
    def solve_many(numbers: range, **options: Any) -> Iterator[Solution]:
        for number, solution in zip(numbers, baker.solve_many(numbers, **options), strict=True):
            if number == 12:
                raise error
            yield solution

    monkeypatch.setattr("baker.cli.solve.solve_many", solve_many)
    assert run(capsys, "solve", "12") == (code, [], f"baker: {message}\n")
    assert run(capsys, "solve", "12-17")[1][0].startswith("0 of 6 deals: 0 solved, 0 impossible, 0 undecided; ")
    found, lines, err = run(capsys, "solve", "9-18")
    assert (found, err) == (code, f"baker: {message}\n")
    assert lines[:-1] == ["9 solved", "10 impossible", "11 solved"]
    assert lines[-1].startswith("3 of 10 deals: 2 solved, 1 impossible, 0 undecided; 66.67% can be won; ")


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str, float]:
    """What is printed after an interrupt, and how many seconds it takes."""
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    assert process.stdout
    assert process.stderr
    out, err = process.stdout.read(), process.stderr.read()
    process.wait(timeout=60)
    return out, err, time.perf_counter() - start


@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
def test_interrupted_in_a_long_range() -> None:
    command = [*INTERRUPTIBLE, "solve", "1-1000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline().rstrip() for _ in range(500)]
        out, err, seconds = interrupt(process)
    lines += out.splitlines()
    assert (process.returncode, err) == (130, "baker: interrupted\n")
    done = len(lines) - 1
    assert [int(line.split()[0]) for line in lines[:-1]] == list(range(1, done + 1))
    solved = sum(line.endswith(" solved") for line in lines[:-1])
    assert lines[-1].startswith(f"{done} of 1000000 deals: {solved} solved, {done - solved} impossible, 0 undecided; ")
    assert seconds < 2


@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
def test_interrupted_in_a_long_search(tmp_path: Path) -> None:
    # The line of a deal that is all but won says that the searches have begun; those of the range go on long after.
    won = Deal(["KS", *[""] * 12], foundations=(13, 13, 13, 12), rules="bakers_dozen")
    targets = [board(tmp_path / "won.txt", won), "1-100000"]
    command = [*INTERRUPTIBLE, "solve", *targets, "--game", "bakers_dozen", "--max-memory", "1G", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(0.3)
        out, err, seconds = interrupt(process)
    assert (process.returncode, err) == (130, "baker: interrupted\n")
    assert all(line.endswith("}") for line in out.splitlines())
    assert seconds < 2


@pytest.mark.skipif(os.name != "posix", reason="pipes close otherwise there")
@pytest.mark.parametrize("options", [[], ["--moves"], ["--json"]])
def test_the_reader_closes_the_pipe(options: list[str]) -> None:
    command = [*MODULE, "solve", "1-1000000", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
@pytest.mark.parametrize("arguments", ["solve 617", "solve 1-3 --json", "deal 617", "games", "--help"])
def test_the_disk_is_full(arguments: str) -> None:
    with open("/dev/full", "w") as full:
        command = [*MODULE, *arguments.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "baker: cannot write: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), ("2>&-", 0), ("<&-", 0)])
def test_closed_from_the_start(closed: str, code: int) -> None:
    command = f'"$0" -m baker solve 1-3 {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")


# The progress bar


def test_no_bar_without_tqdm(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, lines, err = run(capsys, "solve", "1-20")
    assert (code, len(lines), err) == (0, 21, "")


def test_the_bar_is_on_a_terminal_and_nowhere_else(tmp_path: Path) -> None:
    pytest.importorskip("tqdm")
    with open(tmp_path / "out", "w") as out:
        code, shown = interrupt_on_terminal(
            ["solve", "1-1000000"], 80, lambda shown: shown.count(b"/1000000 [") >= 2, out
        )
    assert code == 130
    assert shown.endswith(b"\rbaker: interrupted\r\n")
    lines = (tmp_path / "out").read_text().splitlines()
    for number, line in enumerate(lines[:-1], 1):
        assert line in (f"{number} solved", f"{number} impossible")
    assert lines[-1].startswith(f"{len(lines) - 1} of 1000000 deals: ")

"""What is read on the command line, well written or not, and what is printed about the program."""

import re
import shlex
from importlib import metadata
from pathlib import Path

import pytest
from command_line import Capture, answers, run

import baker
from baker import Deal, Rules, games
from baker.cli.parser import COMMANDS, parse


def test_version(capsys: Capture) -> None:
    try:
        version = metadata.version("baker")
    except metadata.PackageNotFoundError:
        version = "(not installed)"
    assert run(capsys, "--version") == (0, [f"baker {version}"], "")


def pages() -> list[list[str]]:
    return [[], *([name] for name in COMMANDS)]


@pytest.mark.parametrize("command", pages())
def test_help(capsys: Capture, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, lines, err = run(capsys, *command, "--help")
    assert (code, err) == (0, "")
    assert max(map(len, lines)) < 80
    assert run(capsys, "help", *command) == (0, lines, "")
    commands = [part for line in lines for part in re.split("[|>&]|   ", line.strip()) if line.startswith("  baker ")]
    examples = [shlex.split(part)[1:] for part in commands if part.strip().startswith("baker ")]
    assert command == ["games"] or len(examples) >= 3
    for example in examples:
        assert parse(example).run


def test_bare_baker_prints_its_help(capsys: Capture) -> None:
    code, lines, err = run(capsys)
    assert (code, err) == (0, "")
    assert lines == run(capsys, "--help")[1]
    assert {line.split()[0] for line in lines if line.startswith("  ")} >= {*COMMANDS, "baker"}


@pytest.mark.parametrize("command", [[], ["solve"], ["survey"], ["report"]])
def test_help_lists_the_exit_codes(capsys: Capture, command: list[str]) -> None:
    _, lines, _ = run(capsys, *command, "--help")
    codes = [line.split()[0] for line in lines[lines.index("exit codes:") + 1 :]]
    assert codes == ["0", "1", "2", "3", "4", "130", "141", "143"]


# Numbers as people write them


@pytest.mark.parametrize(
    ("words", "deals"),
    [
        ("617", [617]),
        ("ms617 MS617 #617", [617, 617, 617]),
        ("1,2,3", [1, 2, 3]),
        ("1-3,7,9-10", [1, 2, 3, 7, 9, 10]),
        ("1..4", [1, 2, 3, 4]),
        ("ms1-ms3", [1, 2, 3]),
        ("1_0-1_2", [10, 11, 12]),
        *((f"5{dash}7", [5, 6, 7]) for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"),
        ("7 --max-nodes 100000 5-6 --threads 1 8", [7, 5, 6, 8]),
    ],
)
def test_numbers(capsys: Capture, words: str, deals: list[int]) -> None:
    found = answers(capsys, *words.split())
    assert [answer["deal"] for answer in found] == deals
    assert [answer["verdict"] for answer in found] == [baker.solve(Deal.microsoft(deal)).verdict for deal in deals]


@pytest.mark.parametrize("dash", ["\u2013", "\u2014", "\u2013\u2013"])
def test_options_that_an_editor_has_changed(capsys: Capture, dash: str) -> None:
    assert run(capsys, "solve", "617", f"{dash}moves") == run(capsys, "solve", "617", "--moves")


# Rules


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ([], games["bakers_game"]),
        (["--game", "FreeCell"], games["freecell"]),
        (["-g", "Baker's Dozen"], games["bakers_dozen"]),
        (["-g", "freecell cells=3"], games["freecell"].replace(cells=3)),
        (["--cells", "3"], games["bakers_game"].replace(cells=3)),
        (["--set", "fill=kings", "--set", "cells=3"], games["bakers_game"].replace(cells=3, fill="kings")),
        (["--cells", "2", "--set", "Build=Any_Suit"], games["bakers_game"].replace(cells=2, build="any_suit")),
        (["--set", "columns=13x4", "--set=cells=0"], games["bakers_game"].replace(columns=(4,) * 13, cells=0)),
        (["-g", "eight_off", "--set", "filled=3,2,1,0"], games["eight_off"].replace(filled=(3, 2, 1, 0))),
        (["-g", "good_measure", "--set", "kings_down=no"], games["good_measure"].replace(kings_down=False)),
    ],
)
def test_rules(capsys: Capture, words: list[str], rules: Rules) -> None:
    assert run(capsys, "deal", "617", *words)[1] == [
        *Deal.microsoft(617, rules).format().splitlines(),
        f"# deal: {Deal.microsoft(617, rules).code}",
    ]
    [answer] = answers(capsys, "617", *words, "--max-nodes", "200")
    solution = baker.solve(Deal.microsoft(617, rules), max_nodes=200)
    assert (answer["game"], answer["verdict"], answer["nodes"]) == (rules.format(), solution.verdict, solution.nodes)


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("617", "'617' is not a command: did you mean \"baker solve 617\"?"),
        ("1-10 --moves", "'1-10' is not a command: did you mean \"baker solve 1-10\"?"),
        ("/ --moves", "'/' is not a command: did you mean \"baker solve /\"?"),
        ("sovle 617", "'sovle' is not a command: did you mean solve?"),
        ("win 617", "'win' is not a command: expected one of solve, deal, games, survey, report"),
        ("help win", "'win' is not a command: expected one of solve, "),
        ("--moves solve 617", "'--moves' comes before the command: expected one of solve, "),
        ("solve", "no TARGET: expected one such as 617, 1-1000 or the file of a board"),
        ("solve 0", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("solve 0-5", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("solve 1-99999999999", "no Microsoft deal has the number 99999999999: expected 1 to 8589934591"),
        ("solve 5-3", "the range '5-3' is empty: expected the lower number first"),
        ("solve 617-", "the range '617-' has no end: expected one such as 617-1000"),
        ("solve -617", "the range '-617' has no beginning: expected one such as 1-617"),
        ("solve 1-2-3", "bad number or range '1-2-3': expected one such as 617 or 1-1000"),
        ("solve 1,,3", "bad number or range '1,,3': expected one such as 617 or 1-1000"),
        ("solve 6.17", "bad number or range '6.17': expected one such as 617 or 1-1000"),
        ("solve 1-32,000", "'1-32,000' has a number 000: commas separate numbers, a thousand is 1000 or 1_000"),
        (f"solve {'9' * 5000}", "bad number or range '99999999999999999999'...: expected one such as 617 or 1-1000"),
        ("solve - -", "- is given twice: expected one board on standard input"),
        ("solve 617 nowhere", "nowhere: no such file: expected a number, a range such as 1-1000, a file or -"),
        ("solve 617 --game freecel", "argument -g/--game: unknown game 'freecel': did you mean 'freecell'? known are "),
        ("deal 617 --game solitaire", "argument -g/--game: unknown game 'solitaire': "),
        ("solve 617 -g freecell=3", "argument -g/--game: "),
        ("solve 617 --cells 9", "bakers_game with 'cells=9': cells is 9: expected a whole number, 0 to 8"),
        ("solve 617 --cells 3 --game eight_off", "eight_off with 'cells=3': filled names cell 4: "),
        ("solve 617 --cells 3 --set cells=3", "bakers_game with 'cells=3 cells=3': cells is set twice"),
        ("solve 617 --set fill=king", "bakers_game with 'fill=king': fill is 'king': expected one of any, kings, none"),
        ("solve 617 --set fil=king", "bakers_game with 'fil=king': no rule is called 'fil': did you mean 'fill'? "),
        ("solve 617 --set name=x", "bakers_game with 'name=x': no rule is called 'name'"),
        ("solve 617 --set", "argument --set: expected one argument"),
        ("solve 617 --max-n 5", "unknown option '--max-n': did you mean --max-nodes?"),
        ("solve 617 --moves --json", "argument --json: not allowed with argument --moves"),
        ("solve 617 --cells three", "argument --cells: 'three' is not a whole number"),
        ("solve 617 --cells -1", "argument --cells: '-1' is not a whole number"),
        ("solve 617 --threads 0", "argument --threads: '0' is not positive"),
        ("solve 617 --max-nodes 0", "argument --max-nodes: '0' is not positive"),
        ("solve 617 --max-nodes 1e3", "argument --max-nodes: '1e3' is not a whole number"),
        ("solve 617 --max-seconds nan", "argument --max-seconds: 'nan' is not positive"),
        ("solve 617 --max-seconds -1", "argument --max-seconds: '-1' is not positive"),
        ("solve 617 --max-seconds soon", "argument --max-seconds: 'soon' is not a number of seconds"),
        ("solve 617 --max-memory 0K", "argument --max-memory: '0K' is not positive"),
        ("solve 617 --max-memory 5X", "argument --max-memory: '5X' is not a number of bytes: expected one such as"),
        ("deal -t", "unknown option '-t'"),
        ("deal --ramdom 7", "unknown option '--ramdom': did you mean --random?"),
        ("deal", "expected one deal: a number such as 617, a file, --random SEED or --daily"),
        ("deal 617 618", "expected one deal: "),
        ("deal 617 --random 5", "expected one deal: "),
        ("deal --daily 2026-02-28 --random 5", "argument --random: not allowed with argument --daily"),
        ("deal 1-3", "'1-3' is more than one deal: expected one"),
        ("deal 1,3", "'1,3' is more than one deal: expected one"),
        ("deal 0", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("deal 8589934592", "no Microsoft deal has the number 8589934592: expected 1 to 8589934591"),
        ("deal 6x", "6x: no such file: expected a number, a range such as 1-1000, a file or -"),
        ("deal 617 --solvable", "--solvable: expected --random SEED or --daily with it"),
        ("deal seed99999999999999999999", "the seed 99999999999999999999 is out of range: expected 0 to "),
        ("deal solitaire:ms617", "unknown game 'solitaire': "),
        ("solve daily2026-02-30", "'2026-02-30' is not a date: expected one such as '2026-02-28'"),
        ("deal --random 18446744073709551616", "the seed 18446744073709551616 is out of range: expected 0 to "),
        ("deal --random x", "argument --random: 'x' is not a whole number"),
        ("deal --daily 2026-02-30", "'2026-02-30' is not a date: expected one such as '2026-02-28'"),
        ("deal 617 --format svg", "argument --format: invalid choice: 'svg'"),
        ("games freecell", "unexpected 'freecell': baker games takes options only"),
        ("games --yaml", "unknown option '--yaml'"),
        ("survey 1-10", "no --out DIR: expected the directory of the survey"),
        ("survey --out x", "expected numbers, such as 1-1000000"),
        (
            "survey freecell 1-10 --out x",
            "expected numbers, such as 1-1000000, and --game freecell if that is the game",
        ),
        ("survey 1-10 --out=", "argument --out: '' is not the name of a file"),
        ("survey 1-10 --out x --moves --verdicts", "argument --verdicts: not allowed with argument --moves"),
        ("survey 1-10 --out x --part-size 0", "argument --part-size: '0' is not positive"),
        ("survey 1-10 --out x --dask=", "argument --dask: '' is not the address of a scheduler"),
        ("report", "no DIR: expected the directory of a survey"),
        ("report x --csv --json", "argument --json: not allowed with argument --csv"),
        ("report x --plot=", "argument --plot: '' is not the name of a file"),
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
        (["solve", ""], "'': no such file: "),
        (["solve", "a\0b"], "'a\\x00b' is not the name of a file"),
        (["solve", "a\nb"], "'a\\nb': no such file: "),
        (["solve", "\033[2J"], "'\\x1b[2J': no such file: "),
        (["solve", "x" * 5000], "'xxxxxxxxxxxxxxxxxxxx'...: cannot be read: File name too long"),
        (["deal", "a\0b"], "'a\\x00b' is not the name of a file"),
        (["survey", "1-10", "--out", "a\0b"], "argument --out: 'a\\x00b' is not the name of a file"),
        (["report", "a\0b"], "'a\\x00b' is not the name of a directory"),
        (["report", ""], "'' is not the name of a directory"),
        (["report", "x", "--plot", "a\0b.svg"], "argument --plot: 'a\\x00b.svg' is not the name of a file"),
        (["solve", "617", "--game", "a\0b"], "argument -g/--game: "),
        (["\0"], "'\\x00' is not a command: "),
    ],
)
def test_strange_names(capsys: Capture, arguments: list[str], message: str) -> None:
    code, lines, err = run(capsys, *arguments)
    assert (code, lines) == (2, [])
    assert err.startswith(f"baker: {message}")
    assert err.count("\n") == 1


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

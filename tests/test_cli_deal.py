"""baker deal."""

import datetime
from pathlib import Path

import pytest
from command_line import Capture, answers, run

from baker import Deal, games


def drawn(deal: Deal) -> list[str]:
    """The lines of the board for people; the last one names the game if it is not Baker's Game."""
    game = [] if deal.rules == games["bakers_game"] else ["", f"# game: {deal.rules.format()}"]
    return [*str(deal).splitlines(), *game]


def test_deal(capsys: Capture) -> None:
    for arguments, deal in (
        (["617"], Deal.microsoft(617)),
        (["8589934591"], Deal.microsoft(8589934591)),
        (["617", "--game", "good_measure"], Deal.microsoft(617, "good_measure")),
        (["617", "--game", "eight_off", "--cells", "7"], Deal.microsoft(617, games["eight_off"].replace(cells=7))),
        (["--random", "0"], Deal.random(0)),
        (["--random", "7", "--game", "seahaven_towers"], Deal.random(7, "seahaven_towers")),
        (["--daily", "2026-02-28"], Deal.daily("2026-02-28")),
        (["--daily", "2026-02-28", "--solvable"], Deal.daily("2026-02-28", solvable=True)),
        (["--random", "7", "--solvable", "-g", "seahaven_towers"], Deal.solvable(7, "seahaven_towers").deal),
        (["seed42"], Deal.random(42)),
        (["freecell:ms617"], Deal.microsoft(617, "freecell")),
        (["FreeCell:617", "--cells", "3"], Deal.microsoft(617, games["freecell"].replace(cells=3))),
        (["freecell cells=3:ms617"], Deal.microsoft(617, games["freecell"].replace(cells=3))),
        (["freecell:ms617", "--game", "eight_off"], Deal.microsoft(617, "eight_off")),
        (["daily2026-02-28", "-g", "eight_off"], Deal.daily("2026-02-28", "eight_off")),
        (["kpat617", "-g", "bakers_dozen"], Deal.kpat(617, "bakers_dozen")),
        (["bakers_dozen:pysol617"], Deal.pysol(617, "bakers_dozen")),
    ):
        text = [*deal.format().splitlines(), f"# deal: {deal.code}"]
        assert run(capsys, "deal", *arguments) == (0, text, "")
        assert run(capsys, "deal", *arguments, "--format", "board") == (0, drawn(deal), "")


def test_the_deal_of_today(capsys: Capture) -> None:
    before = datetime.date.today()
    _, lines, _ = run(capsys, "deal", "--daily")
    assert "\n".join(lines[:-1]) in {Deal.daily(day).format() for day in (before, datetime.date.today())}


def test_the_board_of_a_file(capsys: Capture, tmp_path: Path) -> None:
    deal = Deal.microsoft(617, games["eight_off"].replace(fill="any"))
    _, lines, _ = run(capsys, "deal", "617", "--game", "eight_off", "--set", "fill=any")
    path = tmp_path / "board.txt"
    path.write_text("\n".join(lines))
    assert run(capsys, "deal", path) == (0, lines[:-1], "")
    assert run(capsys, "deal", path, "--format", "board") == (0, drawn(deal), "")


@pytest.mark.parametrize("game", games)
def test_every_game_goes_through_a_file(capsys: Capture, tmp_path: Path, game: str) -> None:
    path = tmp_path / "board.txt"
    path.write_text("\n".join(run(capsys, "deal", "617", "--game", game)[1]))
    [answer] = answers(capsys, str(path), "--max-nodes", "1")
    assert answer["game"] == game


@pytest.mark.parametrize(
    "deal", [Deal.microsoft(617, "freecell"), Deal.random(3, games["eight_off"].replace(fill="any"))]
)
def test_the_code_that_is_printed_can_be_typed(capsys: Capture, deal: Deal) -> None:
    _, lines, _ = run(capsys, "deal", deal.code)
    code = lines[-1].removeprefix("# deal: ")
    assert code == deal.code
    [answer] = answers(capsys, code, "--max-nodes", "1")
    assert (answer["deal"], answer["game"]) == (code, deal.rules.format())

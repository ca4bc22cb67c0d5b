"""What a deal remembers of where it comes from: seeds, days, codes, deals that can be won."""

import copy
import datetime
import pickle
import threading
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from splitmix import splitmix64

from baker import Deal, DealError, Game, Limit, Rules, RulesError, Solvable, Verdict, games, solve

SMALL = Rules(name="small", columns=(4, 4, 4), cells=2, ranks=3)

# The seeds of `Deal.solvable` for 0 to 3, and of a day.
SOLVABLE_SEEDS = [12035550249420947055, 6791897765849424158, 7235116703822611636, 13604808898340030615]
SOLVABLE_DAY = 1077374531497201116

CODES = {
    "ms617": Deal.microsoft(617),
    "freecell:ms11982": Deal.microsoft(11982, "freecell"),
    "ms8589934591": Deal.microsoft(2**33 - 1),
    "seed42": Deal.random(42),
    "seahaven_towers:seed18446744073709551615": Deal.random(2**64 - 1, "seahaven_towers"),
    "daily2026-02-28": Deal.daily("2026-02-28"),
    "eight_off:daily0001-01-01": Deal.daily(datetime.date.min, "eight_off"),
    "penguin:daily9999-12-31": Deal.daily(datetime.date.max, "penguin"),
    "bakers_dozen:kpat89": Deal.kpat(89, "bakers_dozen"),
    "bakers_dozen:pysol617": Deal.pysol(617, "bakers_dozen"),
    "pysol100000000000000000000": Deal.pysol(10**20),
    "bakers_dozen:pysolms40000": Deal.pysol("ms40000", "bakers_dozen"),
    "freecell cells=2 fill=kings:ms617": Deal.microsoft(617, games["freecell"].replace(cells=2, fill="kings")),
    "bakers_game columns=4,4,4 cells=2 ranks=3:seed5": Deal.random(5, SMALL),
}


# Codes


@pytest.mark.parametrize("code", CODES)
def test_a_code_names_its_deal(code: str) -> None:
    deal = CODES[code]
    assert deal.code == code
    for twin in (
        Deal.from_code(code),
        Deal.from_code(code, "good_measure" if ":" in code else "bakers_game"),
        Deal.from_code(f" {code.rpartition(':')[2].upper()}\n", deal.rules),
        Deal.parse(code),
        Deal.parse(f"{code}\r\n".encode()),
        eval(repr(deal)),
        pickle.loads(pickle.dumps(deal)),
        copy.copy(deal),
        copy.deepcopy(deal),
    ):
        assert twin == deal
        assert (twin.code, twin.number, twin.seed) == (code, deal.number, deal.seed)
    assert repr(pickle.loads(pickle.dumps(deal))) == repr(eval(repr(deal))) == repr(deal)


@given(st.sampled_from(sorted(set(games))), st.integers(0, 2**64 - 1))
def test_codes_of_any_game(name: str, seed: int) -> None:
    deal = Deal.random(seed, name)
    assert deal.code is not None
    assert Deal.from_code(deal.code) == deal


def test_a_number_is_a_code_of_microsoft() -> None:
    assert Deal.from_code("617") == Deal.microsoft(617)
    assert Deal.from_code("617", "freecell") == Deal.microsoft(617, "freecell")
    assert Deal.parse("freecell:617") == Deal.from_code("freecell: 617") == Deal.microsoft(617, "freecell")
    assert Deal.from_code("daily20260228").code == "daily2026-02-28"


def test_a_number_is_no_board() -> None:
    with pytest.raises(DealError, match="unknown card '617'"):
        Deal.parse("617")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "'' is no code of a deal: expected one such as ms617, freecell:ms11982 or seed42"),
        ("ms", "'ms' is no code"),
        ("ms-5", "'ms-5' is no code"),
        ("deal5", "'deal5' is no code"),
        ("seed4.2", "'seed4.2' is no code"),
        (":ms5", "':ms5' is no code"),
        ("a:b:ms5", "'a:b:ms5' is no code"),
        ("٣", "is no code"),
        ("ms" + "9" * 10**6, "'ms999999999999999999'... is no code"),
        ("ms0", "no Microsoft deal has the number 0: expected 1 to 8589934591"),
        ("kpat2147483648", "no deal of KPat has the number 2147483648"),
        ("pysol0", "no deal of PySol has the number 0"),
        ("seed18446744073709551616", "the seed 18446744073709551616 is out of range"),
        ("daily2026-02-30", "'2026-02-30' is not a date: expected one such as '2026-02-28'"),
        ("daily5", "'5' is not a date"),
        ("penguin:kpat5", "KPat has no game laid out like penguin"),
    ],
)
def test_texts_that_are_no_code(code: str, reason: str) -> None:
    with pytest.raises(DealError, match=reason):
        Deal.from_code(code)


def test_codes_of_unknown_games() -> None:
    for read, error in ((Deal.from_code, RulesError), (Deal.parse, DealError)):
        with pytest.raises(error, match="unknown game 'freecel': did you mean 'freecell'"):
            read("freecel:ms617")
        with pytest.raises(error, match="cells is 9: expected a whole number, 0 to 8"):
            read("freecell cells=9:ms617")


def test_a_wrong_code_among_texts_has_a_place() -> None:
    with pytest.raises(DealError, match="line 1, column 1: no Microsoft deal has the number 0") as caught:
        Deal.parse("ms0")
    assert (caught.value.line, caught.value.column, caught.value.token) == (1, 1, "ms0")


def test_a_code_is_a_text() -> None:
    with pytest.raises(TypeError, match="code is 617: expected a text"):
        Deal.from_code(617)  # type: ignore[arg-type]


def test_boards_and_positions_have_no_code() -> None:
    deal = Deal.microsoft(617)
    assert Deal.parse(deal.format()).code is None
    assert Deal(deal.columns).code is None
    game = Game(deal)
    game.push("6a")
    assert (game.position.code, game.position.number, game.position.seed) == (None, None, None)


def test_a_pickle_cannot_give_a_deal_the_number_of_another() -> None:
    forged = pickle.dumps(Deal.microsoft(617)).replace(b"ms617", b"ms618")
    assert pickle.loads(forged) == Deal.microsoft(618)


# Seeds


def test_seeds_are_kept_but_not_compared() -> None:
    assert (Deal.random(5).seed, Deal.random(5).number) == (5, None)
    assert (Deal.microsoft(5).seed, Deal.microsoft(5).number) == (None, 5)
    assert (Deal.kpat(5).seed, Deal.kpat(5).number, Deal.pysol(5).number) == (None, None, None)
    day = Deal.daily("2026-02-28")
    assert day.seed is not None
    assert Deal.random(day.seed) == day
    assert Deal.random(day.seed).code != day.code
    assert hash(Deal.random(day.seed)) == hash(day)
    own = Deal.random(5, SMALL)
    assert own.seed == 5
    assert eval(repr(own)) == own == pickle.loads(pickle.dumps(own))


# Deals that can be won


def tried(seed: int, count: int) -> list[int]:
    return list(islice(splitmix64(next(splitmix64(seed))), count))


def test_solvable_gives_the_first_of_the_seeds_it_tries_that_can_be_won() -> None:
    for seed in (0, 1, 2**64 - 1):
        found = Deal.solvable(seed, "kings_only_bakers_game")
        seeds = tried(seed, found.tries)
        verdicts = [solve(Deal.random(other, "kings_only_bakers_game")).verdict for other in seeds]
        assert verdicts == [Verdict.IMPOSSIBLE] * (found.tries - 1) + [Verdict.SOLVED]
        assert found.deal.seed == seeds[-1]
        assert found.deal.code == f"kings_only_bakers_game:seed{seeds[-1]}"


def test_the_seeds_tried_stay_the_same_for_ever() -> None:
    deals = [Deal.solvable(seed).deal.seed for seed in range(4)]
    assert deals == SOLVABLE_SEEDS
    assert Deal.daily("2026-02-28", solvable=True).seed == SOLVABLE_DAY


def test_solvable_comes_with_its_proof() -> None:
    found = Deal.solvable(7, "eight_off")
    assert isinstance(found, Solvable)
    game = Game(found.deal)
    for move in found.solution.moves:
        game.push(move)
    assert game.is_won


def test_other_seeds_have_other_deals() -> None:
    deals = {Deal.solvable(seed, "kings_only_bakers_game").deal for seed in range(1000)}
    assert len(deals) == 1000


def test_solvable_passes_over_deals_that_are_not_decided() -> None:
    first = Deal.solvable(11)
    assert first.solution.nodes > 100
    later = Deal.solvable(11, max_nodes=first.solution.nodes // 2)
    assert later.tries > first.tries
    assert later.deal.seed == tried(11, later.tries)[-1]


# No ace can ever be laid bare in one column without cells, unless the deal is a rare one.
LOST = Rules(name="lost", columns=(52,))


def test_solvable_ends_where_no_deal_can_be_won() -> None:
    with pytest.raises(DealError, match="none of 50 deals of lost for the seed 3 was found to be winnable"):
        Deal.solvable(3, LOST, max_tries=50)
    with pytest.raises(DealError, match="none of 10000 deals of lost"):
        Deal.solvable(3, LOST)
    with pytest.raises(DealError, match="none of 10000 deals of lost"):
        Deal.daily("2026-02-28", LOST, solvable=True)
    endless = Deal.solvable(0, "kings_only_bakers_game", max_tries=None)
    assert endless.deal == Deal.solvable(0, "kings_only_bakers_game").deal


def test_solvable_refuses_what_makes_no_sense() -> None:
    with pytest.raises(DealError, match=f"the seed {2**64} is out of range"):
        Deal.solvable(2**64)
    with pytest.raises(TypeError):
        Deal.solvable("bakers_game")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_seconds is -1"):
        Deal.solvable(1, max_seconds=-1)
    with pytest.raises(TypeError, match="max_tries is '5': expected a whole number"):
        Deal.solvable(1, max_tries="5")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="solvable is 1: expected True or False"):
        Deal.daily("2026-02-28", solvable=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_tries is 0: expected a positive number"):
        Deal.solvable(1, max_tries=0)


def test_solvable_can_be_stopped() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(DealError, match="stopped before one of 1 deals of bakers_game was found to be winnable"):
        Deal.solvable(1, stop=stop)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bakers_game", "kings_only_bakers_game"])
def test_ten_years_of_days_that_can_be_won(name: str) -> None:
    start = datetime.date(2026, 1, 1)
    deals = [Deal.daily(start + datetime.timedelta(day), name, solvable=True) for day in range(3653)]
    assert len(set(deals)) == len(deals)
    assert all(solve(deal, moves=False).verdict is Verdict.SOLVED for deal in deals[:365])
    plain = [Deal.daily(start + datetime.timedelta(day), name) for day in range(3653)]
    assert not set(plain) & set(deals)


def test_a_day_has_the_first_deal_that_can_be_won_of_its_seed() -> None:
    for day in ("2026-02-28", "2026-03-01", "2026-03-02"):
        seed = Deal.daily(day).seed
        assert seed is not None
        assert Deal.daily(day, "kings_only_bakers_game", solvable=True) == (
            Deal.solvable(seed, "kings_only_bakers_game").deal
        )


def test_a_day_never_passes_over_a_deal_that_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baker.solver.DEFAULT_MEMORY", 1)
    assert solve(Deal.daily("2026-02-28")).limit is Limit.MEMORY
    with pytest.raises(DealError, match=r"the deal of seed \d+ is undecided \(limit: memory\): no other may stand"):
        Deal.daily("2026-02-28", solvable=True)

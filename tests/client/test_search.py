"""The search bot: it keeps to its budget, keeps its tree, and chooses the same for the same seed."""

from typing import Any

import pytest

from tests.conformance.sealed_bids import Bid, Concede, SealedBids
from tests.support.recording import open_game, play, record_game
from wellhead_cli.simulation import play_game
from wellhead_client.bots import choices
from wellhead_client.policies import POLICIES, make_bot
from wellhead_client.search import Budget, SearchBot
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.registry import RULESETS

OIL_ROCK = RULESETS["oil_rock"]
LOOKS = Budget(looks=12)


def position(commands: int) -> tuple[Any, Any, Any]:
    recording = record_game(2, seed=4, commands=commands)
    state, owed = recording.table.game, recording.table.owed[0]
    return state, owed, OIL_ROCK.legal(state, owed.seat)


@pytest.mark.parametrize("commands", [0, 20, 50, 80])
def test_searching_changes_nothing(commands: int) -> None:
    state, owed, legal = position(commands)
    before = OIL_ROCK.snapshot(state)
    assert SearchBot(OIL_ROCK, 1, LOOKS).choose(state, owed, legal) in legal
    assert OIL_ROCK.snapshot(state) == before


def test_a_search_makes_no_more_looks_than_it_may() -> None:
    for commands in range(3, 80, 7):
        state, owed, legal = position(commands)
        bot = SearchBot(OIL_ROCK, 1, LOOKS)
        bot.choose(state, owed, legal)
        assert 1 <= bot.looks <= 12


def test_a_search_stops_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(1000))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(now)))
    state, owed, legal = position(4)
    bot = SearchBot(OIL_ROCK, 1, Budget(seconds=5.0))
    bot.choose(state, owed, legal)
    assert bot.looks == 5


def test_a_turn_that_is_searched_through_ends_the_search() -> None:
    state, owed, legal = position(0)
    assert owed.kind == "choose_character"
    bot = SearchBot(OIL_ROCK, 1, Budget(looks=1_000_000))
    bot.choose(state, owed, legal)
    assert bot.looks == 1


def test_searches_of_one_seed_play_alike() -> None:
    def totals(seed: int) -> Any:
        recording = open_game(2)
        play(recording, bots=[SearchBot(OIL_ROCK, seed, Budget(looks=4)), make_bot("greedy", OIL_ROCK, 5)])
        return OIL_ROCK.snapshot(recording.table.game)

    assert totals(1) == totals(1)


class Counting:
    """Oil Rock; counts the worlds that are sampled."""

    def __init__(self) -> None:
        self.sampled = 0

    def determinise(self, *arguments: Any) -> Any:
        self.sampled += 1
        return OIL_ROCK.determinise(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(OIL_ROCK, name)


def test_the_tree_is_kept_from_one_decision_of_a_turn_to_the_next() -> None:
    ruleset: Any = Counting()
    bots = [SearchBot(ruleset, seat, LOOKS) for seat in range(2)]
    outcome = play_game(OIL_ROCK, bots, bytes(32))
    assert outcome.finished
    assert ruleset.sampled < outcome.decisions / 2


# -- names and budgets -------------------------------------------------------------------------------------------------


def test_a_budget_is_a_time_or_a_number_of_looks() -> None:
    assert Budget.parse("50ms") == Budget(seconds=0.05)
    assert Budget.parse("200n") == Budget(looks=200)


@pytest.mark.parametrize("text", ["", "50", "0ms", "-3n", "5s", "n"])
def test_anything_else_is_no_budget(text: str) -> None:
    with pytest.raises(ValueError, match="50ms"):
        Budget.parse(text)


def test_every_policy_has_a_bot_and_no_other_name_has() -> None:
    for policy in (*POLICIES, "search:50ms", "search:200n"):
        assert make_bot(policy, OIL_ROCK, 1)
    for policy in ("clever", "", "random:5n", "greedy:50ms"):
        with pytest.raises(ValueError, match="there is no policy"):
            make_bot(policy, OIL_ROCK, 1)


@pytest.mark.req("R-RULES-3")
def test_a_turn_with_commands_open_at_any_time_is_searched_to_its_end() -> None:
    game: Any = SealedBids()
    state = game.new("plain", {}, game.colours(["", "", ""]))
    game.begin(state, Chance(bytes(32)))
    state.points[1] = 6
    owed = game.decisions(state)[1]
    bot = SearchBot(game, 1, Budget(looks=10_000))
    commands = choices(game, state, 1)
    chosen = bot.choose(state, owed, commands)
    assert Concede() in commands
    assert isinstance(chosen, Bid)  # a point is worth a point
    assert bot.looks == 7  # with 6 points, with 5, and so on: all there is

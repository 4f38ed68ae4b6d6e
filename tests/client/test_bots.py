"""Followers and bots: what a seat is sent is enough to look ahead, and looking ahead changes nothing."""

from typing import Any

import pytest

from tests.support.hiding import SECRETIVE
from tests.support.recording import Recording, open_game, play, record_game
from wellhead.v1 import game_pb2
from wellhead_client.bots import GreedyBot, RandomBot
from wellhead_client.follower import Follower
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.registry import RULESETS

OIL_ROCK = RULESETS["oil_rock"]


def follow(recording: Recording, viewer: int | None, upto: int | None = None) -> Follower:
    """A follower that has been sent what the viewer may see."""
    ruleset = recording.table.ruleset
    colours = ruleset.colours([""] * len(recording.table.seats))
    summary = game_pb2.GameSummary(
        game="oil_rock",
        seats=[game_pb2.Seat(seat=seat, colour=colour) for seat, colour in enumerate(colours)],
        content_pack=game_pb2.ContentPack(id=recording.table.pack.id),
        options=recording.table.options,
    )
    follower = Follower(recording.registry)
    for entry in recording.entries[:upto]:
        events = commits.events_of(ruleset, *commits.decode(entry.public, entry.private), viewer)
        message = ruleset.events_to_proto(events) if events else game_pb2.Events()
        assert follower.fold(entry.revision, message, summary)
    return follower


@pytest.mark.req("R-RULES-1")
def test_a_follower_ends_in_the_state_of_the_table() -> None:
    recording = record_game(3)
    follower = follow(recording, None)
    assert OIL_ROCK.snapshot(follower.state) == OIL_ROCK.snapshot(recording.table.game)


@pytest.mark.req("R-RULES-7")
def test_a_follower_of_a_game_with_secrets_knows_its_own_and_not_the_others() -> None:
    recording = open_game(2, registry=SECRETIVE)
    play(recording, commands=60)
    state, known = recording.table.game, follow(recording, 0).state
    assert known.players[0].goods == state.players[0].goods
    assert known.players[1].goods != state.players[1].goods


def test_a_revision_counts_once_and_in_its_turn() -> None:
    follower = Follower(RULESETS)
    nothing = game_pb2.Events()
    assert not follower.fold(2, nothing)
    assert follower.fold(1, nothing)
    assert not follower.fold(1, nothing)
    assert follower.fold(2, nothing)


def position(commands: int) -> tuple[Any, Any, Any]:
    recording = record_game(2, seed=4, commands=commands)
    state = recording.table.game
    owed = recording.table.owed[0]
    return state, owed, OIL_ROCK.legal(state, owed.seat)


@pytest.mark.parametrize("commands", [0, 20, 50, 80])
def test_looking_ahead_changes_nothing(commands: int) -> None:
    state, owed, legal = position(commands)
    before = OIL_ROCK.snapshot(state)
    assert GreedyBot(OIL_ROCK, 1).choose(state, owed, legal) in legal
    assert OIL_ROCK.snapshot(state) == before


def lead_after(state: Any, owed: Any, command: Any) -> float:
    after = OIL_ROCK.clone(state)
    OIL_ROCK.play(after, owed.seat, owed.decision_id, command, Chance(bytes(32)))
    return OIL_ROCK.worth(after, owed.seat) - OIL_ROCK.worth(after, 1 - owed.seat)


def test_a_greedy_bot_takes_a_command_that_no_other_beats() -> None:
    for commands in range(10, 80, 7):
        state, owed, legal = position(commands)
        chosen = GreedyBot(OIL_ROCK, 1).choose(state, owed, legal)
        assert lead_after(state, owed, chosen) == max(lead_after(state, owed, command) for command in legal)


def test_bots_of_one_seed_choose_alike() -> None:
    state, owed, legal = position(30)
    for make in (RandomBot, lambda seed: GreedyBot(OIL_ROCK, seed)):
        assert make(5).choose(state, owed, legal) == make(5).choose(state, owed, legal)

"""What can be said of a position, and what is refused because no table can match."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from wellhead_rules.kernel.scenarios import PositionError, named
from wellhead_rules.oilfield.commands import TakeLease
from wellhead_rules.oilfield.events import ActionLost, ActionStarted, LeaseTaken, PrivateActionsRevealed
from wellhead_rules.oilfield.facts import fact
from wellhead_rules.oilfield.positions import Position

Begin = Callable[..., Position]
ADVANCED = {"advanced_towers": "true"}


def rich(players: int) -> Position:
    """A table with something of everything."""
    game = Position(
        players=players, options=ADVANCED, at="public_actions", round=7, first_player="P1", subsidy_pot=4,
        strike="austin", final_round=8, lease_market=["dallas_lease_2"],
        building_market=["government_tower_2", "mixed_tower_3"],
    )  # fmt: skip
    game.player("P0", coins=3, oil=2, gas=3, vp=9, expansions=["refinery_expansion_2"], leases=["pecos_lease_4"])
    game.player("P1", vp_by_category={"vp_investments": 4, "vp_local_market": 2}, lease_markers=1)
    game.slot("austin_slot_3", "P0", "small_tower_3").slot("austin_slot_2", "P1", "medium_tower_2")
    game.field("austin", oil=3, gas=0, step=2).field("pecos", step=3, gas=1)
    return game.track("vp3", {6: "government", 7: "P0", 8: "P1"}).player("P0", worker="drill_1", card="national")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_said_is_seen_and_the_log_folds_to_it(players: int) -> None:
    game = rich(players)
    assert (game.posed.subsidy_pot, game.posed.strike, game.posed.final_round) == (4, "austin", 8)
    posed, first, second = game.posed, game.posed.P0, game.posed.P1
    assert (first.coins, first.oil, first.gas, first.storage, first.vp) == (3, 2, 3, 5, 9)
    assert first.leases == ("austin_lease_2" if players == 2 else "austin_lease_1", "pecos_lease_4")
    assert (first.worker, first.card) == ("drill_1", "national")
    assert (second.vp, second.lease_markers, second.investment_markers) == (6, 1, 4)
    assert posed.slots["austin_slot_3"].tower == "small_tower_3"
    assert posed.slots["pecos_slot_2" if players == 2 else "pecos_slot_1"].owner == "P0"
    assert posed.prices["vp3"] == 9
    assert posed.fields["pecos"].exhausted
    assert posed.turn_order[0] == "P1"
    assert game.refolded().snapshot() == game.state.snapshot()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_cube_card_or_tile_is_lost(players: int) -> None:
    seen = rich(players).posed
    people = [getattr(seen, name) for name in seen.turn_order]
    for kind, count in (("oil", 49), ("gas", 21)):
        held = [getattr(one, kind) for one in (*people, *seen.fields.values(), seen.bag)]
        assert sum(held) == count
    leased = [card for one in people for card in one.leases]
    dummy = 3 if players == 2 else 0
    assert len({*leased, *seen.lease_market, *seen.lease_deck}) == 12 - dummy
    towers = [slot.tower for slot in seen.slots.values() if slot.tower and slot.owner != "dummy"]
    expansions = [tile for one in people for tile in one.expansions]
    tiles = [*towers, *expansions, *seen.building_market, *seen.building_deck]
    assert len(set(tiles)) == len(tiles) == (15 if players < 4 else 24)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_is_seen_can_be_said(players: int) -> None:
    game = Position(players=players, options=ADVANCED, at="setup")
    random = Random(players)
    while game.decision is not None:
        owner, kind = game.decision
        if kind == "place_worker":
            again = Position(**named(game.seen))
            assert named(again.seen) == named(game.seen)
            assert again.legal(owner) == game.legal(owner)
        game.play(owner, random.choice(game.legal(owner)))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({}, "place_worker"),
        ({"at": "private_selection"}, "commit_private"),
        ({"at": "public_actions", "P1": {"worker": "subsidy_1"}}, "resolve_subsidy"),
        ({"at": "private_actions"}, "resolve_lease"),
        ({"at": "check"}, "resolve_lease"),
        ({"at": "check", "phase": "private_actions"}, "place_worker"),
        ({"at": "end_of_round"}, "place_worker"),
        ({"at": "setup"}, "place_worker"),
        ({"acting": {"seat": "P1", "action": "invest"}}, "resolve_invest"),
        ({"acting": {"seat": "P1", "action": "national"}, "P1": {"oil": 1}}, "resolve_national"),
        (
            {
                "at": "check",
                "options": ADVANCED,
                "fields": {"dallas": {"oil": 0}},
                "slots": {"dallas_slot_2": {"owner": "P1", "tower": "government_tower_2"}},
            },
            "government_payment",
        ),
    ],
)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_moment_can_be_posed(position: Begin, said: dict[str, Any], kind: str, players: int) -> None:
    game = position(players=players, **said)
    assert game.decision is not None
    assert game.decision[1] == kind
    assert game.refolded().snapshot() == game.state.snapshot()


def test_the_final_score_can_be_posed(position: Begin) -> None:
    game = position(at="final_scoring").player("P1", vp=5)
    assert game.decisions == ()
    game.record_scores()
    assert game.seen.phase == "game_over"


def test_the_turn_and_the_workers_before_it(position: Begin) -> None:
    game = position(players=4, first_player="P2", turn="P0").player("P2", worker="lease_11")
    assert game.decision == ("P0", "place_worker")
    assert len(game.legal("P0")) == 13


def test_cards_that_lie_face_down(position: Begin) -> None:
    game = position(at="private_selection").player("P1", card="local")
    assert game.decisions == (("P0", "commit_private"), ("P2", "commit_private"))


def test_those_before_in_the_turn_order_have_acted(position: Begin) -> None:
    game = position(players=4, first_player="P2").player("P1", oil=1, card="national").acting("P1", "national")
    assert game.decision == ("P1", "resolve_national")
    assert game.opening.of(ActionStarted) == [one for one in game.opening if isinstance(one, ActionStarted)]
    assert PrivateActionsRevealed in game.log
    assert game.seen.national_price == 4


def test_an_action_that_is_lost_is_lost_on_opening(position: Begin) -> None:
    game = position(lease_market=[]).acting("P0", "lease")
    assert fact(ActionLost, seat="P0", reason="NO_LEASE_CARDS") in game.opening


def test_after_a_public_action_the_table_can_be_looked_at(position: Begin) -> None:
    game = position(players=4).acting("P0", "lease", price=7)
    assert fact(LeaseTaken, seat="P0", slot_id="dallas_slot_1", coins_paid=7) in game.play("P0", TakeLease("dallas"))
    assert (game["P0"].coins, game.decision) == (13, ("P0", "resolve_lease"))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"first_player": "P4"}, "first_player: P4 does not play"),
        ({"P3": {"coins": 1}}, "P3: this seat does not play"),
        ({"P0": {"oil": 4}}, "P0: the warehouse holds 3 cubes"),
        ({"P0": {"vp": 3, "vp_by_category": {"vp_local_market": 2}}}, "P0.vp: it comes to 2"),
        ({"P0": {"storage": 7}}, "P0.storage: it comes to 3"),
        ({"P0": {"expansions": ["small_tower_2"]}}, "P0.expansions: small_tower_2 is not an expansion"),
        ({"P0": {"leases": ["dallas_lease_9"]}}, "there is no dallas_lease_9"),
        ({"P0": {"worker": "drill_3"}}, "P0.worker: there is no space drill_3 in this game"),
        ({"P0": {"worker": "drill_1"}, "P1": {"worker": "drill_1"}}, "P1.worker: a worker stands on drill_1"),
        ({"fields": {"austin": {"oil": 40}}}, "there are 49 oil cubes in the game"),
        ({"fields": {"austin": {"step": 3, "exhausted": False}, "pecos": {}}, "bag": {"cubes": 3}}, "bag.cubes"),
        ({"slots": {"dallas_slot_4": {"owner": "P0"}}}, "there is no lease slot dallas_slot_4"),
        ({"slots": {"dallas_slot_1": {"tower": "small_tower_2"}}}, "a tower stands on somebody's lease"),
        ({"slots": {"dallas_slot_1": {"owner": "P0", "tower": "small_tower_1"}}}, "no small_tower_1 in this game"),
        ({"slots": {"dallas_slot_1": {"owner": "P4"}}}, "slots.dallas_slot_1"),
        ({"P0": {"leases": ["dallas_lease_1"]}, "P1": {"leases": ["dallas_lease_1"]}}, "P1.leases: dallas_lease_1"),
        ({"lease_market": ["dallas_lease_1", "dallas_lease_1"]}, "dallas_lease_1 stands twice"),
        ({"building_market": ["government_tower_2"]}, "no government_tower_2 in this game"),
        ({"tracks": {"vp3": {5: "P0"}}}, "vp3 has no square of $5"),
        ({"tracks": {"vp3": {6: "P4"}}}, "tracks.vp3.6: P4 does not play"),
        ({"dummy": {"card": "lease"}}, "dummy: "),
        ({"supervisor": "P1"}, "supervisor: it comes to P2"),
        ({"at": "check", "phase": "private_actions", "is_final": True}, "phase: no check follows it"),
        ({"at": "check", "acting": {"seat": "P0", "action": "build"}}, "at: an action comes next"),
        ({"phase": "public_actions", "acting": {"seat": "P0", "action": "national"}}, "belongs to private_actions"),
        ({"phase": "game_over"}, "nothing comes after the game"),
        ({"at": "check", "turn": "P1"}, "turn: nobody places a worker"),
        ({"turn": "P1", "P1": {"worker": "drill_1"}}, "turn: the worker of P1 is placed"),
        ({"P0": {"vp": 2}, "tracks": {"vp3": {6: "P0"}}}, "P0.vp: the investments are worth 3"),
        ({"acting": {"seat": "P0", "action": "lease", "price": 6}}, "no space for lease is left for P0"),
        ({"acting": {"seat": "P0", "action": "subsidy", "origin": "private"}}, "P0 has no card for it"),
        ({"acting": {"seat": "P0", "action": "drill"}, "P1": {"worker": "lease_5"}}, "the action of P1 comes first"),
        ({"acting": {"seat": "P0", "action": "lease", "origin": "private", "price": 7}}, "acting.price: it is $5"),
    ],
)
def test_a_table_that_cannot_be_is_refused(position: Begin, said: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        position(**said).open()
    assert reason in str(caught.value)

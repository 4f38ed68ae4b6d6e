"""OR-EOR: Phase 6, End of Round."""

import pytest

from wellhead_rules.oil_rock.commands import BuyImprovement, PlaceOnTile
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    FinalScoringDue,
    GameEnded,
    ImprovementDiscarded,
    ImprovementRevealed,
    OuterRingTurned,
    PhaseEnded,
    PhaseStarted,
    TurnOrderSet,
    WorkersReturned,
)
from wellhead_rules.oil_rock.facts import fact

SIZES = {2: 6, 3: 7, 4: 8}


def discarded(game):
    return [event.improvement for event in game.opening.of(ImprovementDiscarded)]


def revealed(game):
    return [event.improvement for event in game.opening.of(ImprovementRevealed)]


@pytest.mark.rule("OR-EOR.1")
def test_the_two_lowest_cards_of_the_display_are_discarded(position):
    game = position(phase="goals", at="end_of_phase", display=["IM12", "IM40", "IM08", "IM21"])
    assert discarded(game) == ["IM08", "IM12"]
    assert game.seen.discarded == ("IM08", "IM12")


@pytest.mark.rule("OR-EOR.1")
def test_discarded_cards_never_come_back(position):
    game = position(phase="goals", at="end_of_phase", display=["IM08", "IM12", "IM21"], discarded=["IM01"])
    game.deck(unknown=["IM30"])
    assert revealed(game) == ["IM30"]
    assert game.seen.display == ("IM21", "IM30")
    assert game.seen.deck.unknown == ()
    assert {"IM01", "IM08", "IM12"} <= set(game.seen.discarded)


@pytest.mark.rule("OR-EOR.2")
@pytest.mark.parametrize("display", [[], ["IM44"], ["IM21", "IM44"]])
def test_a_display_of_at_most_two_cards_is_discarded_whole(position, display):
    game = position(phase="goals", at="end_of_phase", display=display)
    assert discarded(game) == display
    assert len(game.seen.display) == 6
    assert not set(display) & set(game.seen.display)


@pytest.mark.rule("OR-EOR.3")
@pytest.mark.parametrize(("players", "size"), SIZES.items())
def test_the_display_is_filled_to_its_size(position, players, size):
    game = position(phase="goals", at="end_of_phase", players=players, display=["IM08", "IM12", "IM21", "IM40"])
    assert len(revealed(game)) == size - 2
    assert len(game.seen.display) == size
    assert {"IM21", "IM40"} < set(game.seen.display)


@pytest.mark.rule("OR-EOR.3")
def test_cards_are_drawn_from_the_top_of_the_deck(position):
    game = position(phase="goals", at="end_of_phase", display=["IM08", "IM12", "IM21", "IM40"])
    game.player("red", character="carnegie").deck(
        next=["IM44", "IM03"], unknown=["IM44", "IM03"], bottom=["IM16", "IM02", "IM30"]
    )
    assert revealed(game) == ["IM44", "IM03", "IM16", "IM02"]
    assert [event.origin.name for event in game.opening.of(ImprovementRevealed)] == [
        "UNKNOWN_DECK", "UNKNOWN_DECK", "DECK_BOTTOM", "DECK_BOTTOM",
    ]  # fmt: skip
    assert game.seen.deck.bottom == ("IM30",)


@pytest.mark.rule("OR-EOR.3")
def test_with_an_empty_deck_the_display_stays_short(position):
    game = position(phase="goals", at="end_of_phase", display=["IM08", "IM12", "IM21"]).deck(unknown=["IM01"])
    assert game.seen.display == ("IM01", "IM21")


@pytest.mark.rule("OR-EOR.4", "OR-EOR.1")
def test_the_display_is_sorted_by_card_number(position):
    game = position(phase="goals", at="end_of_phase", display=["IM08", "IM12", "IM21", "IM40"])
    game.deck(next=["IM45", "IM02", "IM33", "IM20"])
    assert revealed(game) == ["IM45", "IM02", "IM33", "IM20"]
    assert game.seen.display == ("IM02", "IM20", "IM21", "IM33", "IM40", "IM45")


@pytest.mark.rule("OR-EOR.5")
def test_all_workers_leave_the_wheel_and_the_copy_space(position):
    game = position(phase="goals", at="end_of_phase", round=1)
    game.player("white", workers=["AT01", "copy AT03", "C2"]).player("red", workers=["AT02", "manager AT04"])
    assert game.posed.white.workers == ("AT01", "copy AT03", "C2")
    assert game.opening.count(WorkersReturned) == 1
    assert game["white"].workers == ()
    assert game["red"].workers == ()
    assert (game["white"].assistants, game["white"].managers) == (2, 1)
    assert {PlaceOnTile("AT01"), PlaceOnTile("AT02"), PlaceOnTile("AT04")} < set(game.legal("white"))


@pytest.mark.rule("OR-EOR.6", "OR-WHEEL.8")
@pytest.mark.parametrize(
    ("players", "before", "after"), [(2, 0, 1), (3, 3, 4), (3, 4, 0), (4, 4, 5), (4, 5, 0), (4, 0, 1)]
)
def test_the_outer_ring_turns_one_click(position, players, before, after):
    game = position(phase="goals", at="end_of_phase", players=players).wheel(rotation=before)
    rings = game.posed.wheel.outer, game.posed.wheel.inner
    assert game.opening.count(fact(OuterRingTurned, rotation=after)) == 1
    assert game.opening.count(OuterRingTurned) == 1
    assert game.seen.wheel.rotation == after
    assert (game.seen.wheel.outer, game.seen.wheel.inner) == rings


@pytest.mark.rule("OR-EOR.7")
def test_the_marker_furthest_back_plays_first(position):
    game = position(phase="goals", at="end_of_phase", round=2, players=4)
    for colour, space in {"white": 9, "red": 4, "blue": 12, "yellow": 0}.items():
        game.player(colour, progress=space)
    order = ("yellow", "red", "white", "blue")
    assert fact(TurnOrderSet, round=3, order=order) in game.opening
    assert game.seen.turn_order == order
    assert game.decision == ("yellow", "turn_menu")


@pytest.mark.rule("OR-EOR.8")
@pytest.mark.parametrize(
    ("stack_tie", "order"),
    [
        ("LOWER_AHEAD", ("white", "red", "blue", "yellow")),
        ("LOWER_BEHIND", ("white", "red", "yellow", "blue")),
    ],
)
def test_inside_a_stack_the_markers_that_are_behind_come_first(position, stack_tie, order):
    game = position(
        phase="goals",
        at="end_of_phase",
        players=4,
        options={"stack_tie": stack_tie},
        stacks={8: ["white"], 11: ["red"], 14: ["yellow", "blue"]},
    )
    assert fact(TurnOrderSet, round=2, order=order) in game.opening


@pytest.mark.rule("OR-EOR.8")
def test_a_stack_of_the_whole_table_is_read_top_to_bottom(position):
    game = position(phase="goals", at="end_of_phase", players=4, stacks={5: ["red", "yellow", "white", "blue"]})
    assert game.seen.turn_order == ("blue", "white", "yellow", "red")


@pytest.mark.rule("OR-EOR.9")
def test_cards_bought_are_not_replaced_before_the_end_of_the_round(position):
    game = position(turn="white", display=["IM08", "IM12", "IM16", "IM21", "IM31", "IM40"])
    game.player("white", coins=9).acting("improvement")
    facts = game.play("white", BuyImprovement("IM08"))
    assert ImprovementRevealed not in facts
    assert game.seen.display == ("IM12", "IM16", "IM21", "IM31", "IM40")


@pytest.mark.rule("OR-EOR.9")
def test_the_two_discards_come_from_what_is_left(position):
    game = position(phase="goals", at="end_of_phase", display=["IM12", "IM16", "IM40"])
    game.player("white", improvements=["IM08"])
    assert discarded(game) == ["IM12", "IM16"]
    assert game["white"].improvements == ("IM08",)


@pytest.mark.rule("OR-EOR.1", "OR-EOR.3", "OR-EOR.5", "OR-EOR.6", "OR-EOR.7")
def test_the_steps_are_taken_in_order_and_nobody_decides_anything(position):
    game = position(phase="goals", at="end_of_phase").player("white", patents=9, progress=20)
    ended = game.opening.index(next(e for e in game.opening if fact(PhaseEnded, phase="end_of_round").fits(e, ())))
    phase = type(game.opening)(game.opening[:ended], game.opening.colours)
    assert phase.in_order(
        fact(PhaseStarted, phase="end_of_round"),
        ImprovementDiscarded,
        ImprovementDiscarded,
        ImprovementRevealed,
        ImprovementRevealed,
        WorkersReturned,
        OuterRingTurned,
        TurnOrderSet,
    )
    assert DecisionOpened not in phase


@pytest.mark.rule("OR-EOR.10")
def test_in_the_last_round_all_steps_are_taken_and_final_scoring_follows_at_once(position):
    game = position(phase="goals", at="end_of_phase", round=4, stacks={20: ["white", "red"]}).wheel(rotation=3)
    assert game.opening.in_order(
        fact(PhaseStarted, round=4, phase="end_of_round"),
        ImprovementDiscarded,
        ImprovementDiscarded,
        ImprovementRevealed,
        ImprovementRevealed,
        WorkersReturned,
        fact(OuterRingTurned, rotation=4),
        fact(TurnOrderSet, round=5, order=("red", "white")),
        fact(PhaseEnded, round=4, phase="end_of_round"),
        FinalScoringDue,
    )
    assert game.decision is None


@pytest.mark.rule("OR-EOR.10")
def test_ties_at_the_end_are_broken_by_the_track_not_by_the_turn_order(position):
    game = position(phase="goals", at="end_of_phase", round=4, goals=["GO01", "GO02", "GO03", "GO05"])
    game.say(stacks={20: ["white", "red"]}, turn_order=["red", "white"])
    ended = game.record_scores().of(GameEnded)[0]
    assert [place.player for place in ended.ranking] == [game.seat("white"), game.seat("red")]
    assert ended.ranking[0].total == ended.ranking[1].total

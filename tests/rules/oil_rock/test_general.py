"""B.1 General."""

import pytest

from tests.support.positions import play_to_the_end
from wellhead.v1 import log_pb2
from wellhead_rules.kernel.table import open_table
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import RULESET
from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    BuildOffice,
    DeclineEffect,
    OpenBriefcase,
    ResolveAction,
    UseAbility,
)
from wellhead_rules.oil_rock.content import packs
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    DrillBuilt,
    EffectDeclined,
    EffectSkipped,
    FinalScoringDue,
    GoodsChanged,
    ImprovementsLookedAt,
    ImprovementsPutUnder,
    OfficeBuilt,
    PhaseStarted,
    ProgressMarkerMoved,
    RefineryBuilt,
    RoundStarted,
)
from wellhead_rules.oil_rock.facts import fact
from wellhead_rules.oil_rock.goods import NAMES
from wellhead_rules.oil_rock.vocabulary import Phase, Reason
from wellhead_rules.registry import RULESETS

FULL_BOARD = {
    "offices": ["R01", "R02", "R03", "R04", "R05", "R06"],
    "depth": {"yellow": 4, "green": 4, "blue": 4},
    "refineries": 12,
    "turbines": {f"TU{slot}": slot for slot in range(1, 7)},
    "briefcases": [f"BC{number}" for number in range(1, 7)],
}


def opened(seats):
    command = log_pb2.OpenTable(game="oil_rock", seat_count=seats)
    return open_table("a-game", command, "host", RULESETS, bytes(32), "key")


@pytest.mark.rule("OR-GEN.1")
def test_two_to_four_play():
    for seats in (2, 3, 4):
        assert len(opened(seats).table.seats) == seats
    for seats in (0, 1, 5):
        with pytest.raises(RuleViolation) as refused:
            opened(seats)
        assert refused.value.code == "BAD_PLAYER_COUNT"


@pytest.mark.rule("OR-GEN.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_four_rounds_each_with_its_six_phases_in_order(position, players):
    facts = play_to_the_end(position(at="setup", players=players))
    phases = [(one.round, Phase(one.phase).name) for one in facts.of(PhaseStarted)]
    names = ["INCOME", "ACTIONS", "OIL_EXTRACTION", "OIL_REFINING", "GOALS", "END_OF_ROUND"]
    assert phases == [(round, name) for round in (1, 2, 3, 4) for name in names]
    assert [one.round for one in facts.of(RoundStarted)] == [1, 2, 3, 4]
    assert facts.count(FinalScoringDue) == 1


@pytest.mark.rule("OR-GEN.3")
def test_the_most_points_after_final_scoring_win(position):
    game = position(players=3, at="final_scoring").player("white", vp=20).player("red", vp=15, tools=30)
    game.player("blue", vp=18)
    game.record_scores()
    assert game.state.ranking == ((1, 25), (0, 20), (2, 18))


@pytest.mark.rule("OR-GEN.4")
@pytest.mark.parametrize(
    ("said", "effects", "after"),
    [
        ({"coal": 500}, "action:coal_two", {"coal": 502}),
        ({"coins": 500}, "railway_token:RW_P1", {"coins": 502}),
        ({"tools": 500}, "railway_token:RW_P3", {"tools": 502}),
        ({"patents": 500}, "action:patent", {"patents": 501}),
        ({"barrels": {"yellow": 99, "green": 99, "blue": 99}}, "improvement:IM27",
         {"barrels": {"yellow": 100, "green": 101, "blue": 100}}),
    ],
)  # fmt: skip
def test_no_gain_is_stopped_by_a_count_or_a_limit(position, said, effects, after):
    game = position().player("white", **said).resolving(effects)
    for name, amount in after.items():
        assert getattr(game["white"], name) == amount


@pytest.mark.rule("OR-GEN.5")
@pytest.mark.parametrize(
    ("source", "action"),
    [("AT05", "office"), ("AT02", "drill"), ("AT17", "refinery"), ("AT03", "refinery_plus"), ("AT02", "turbine")],
)
def test_what_is_all_built_cannot_be_built_again(position, source, action):
    built = {**FULL_BOARD, "briefcases": []}  # one can be opened, so that the menu stays open
    game = position(players=2).player("white", tools=20, coins=20, coal=20, patents=1, **built).pending(source)
    assert game.refused("white", ResolveAction(source, action)).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-GEN.5")
def test_every_briefcase_is_opened_once(position):
    game = position().player("white", patents=20, **FULL_BOARD)
    assert not game.legal("white", OpenBriefcase)
    codes = {game.refused("white", OpenBriefcase(briefcase)).code for briefcase in FULL_BOARD["briefcases"]}
    assert codes == {"BRIEFCASE_ALREADY_OPENED"}


@pytest.mark.rule("OR-GEN.5", "OR-GEN.6")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_no_moment_of_a_game_is_anything_exceeded_or_negative(position, players):
    game = position(at="setup", players=players)
    play_to_the_end(game, seed=players)
    content = packs()["oil_rock_house"]
    again = RULESET.new(content.info.id, game.state.options, game.seen.players)
    for event in game.log:
        RULESET.evolve(again, event)
        for player in again.players:
            assert min(player.goods) >= 0, (NAMES, player.goods)
            assert 0 <= player.space <= 42
            assert player.assistants >= 0
            assert player.managers >= 0
            assert player.assistants + player.managers + sum(w.player == player.seat for w in again.workers) <= 3
            assert len(player.offices) == sum(player.offices_taken) <= 6
            assert max(player.drills) <= 3
            assert player.refineries <= 12
            assert len(player.turbine_at) == 7
            assert len(set(player.briefcases)) == len(player.briefcases)
            assert len({extra for extra, _ in player.extra_actions}) == len(player.extra_actions)


@pytest.mark.rule("OR-GEN.6")
def test_a_cost_is_paid_completely_or_nothing_happens(position):
    game = position().player("white", train="R07", engineer="R01", tools=3).acting("office")
    assert not [site for site in game.legal("white") if site.region == "R07"]
    refusal = game.refused("white", BuildOffice("R07", "yellow"))
    assert (refusal.code, refusal.clause) == ("NOT_ENOUGH_TOOLS", "OR-GEN.6")


@pytest.mark.rule("OR-GEN.7")
@pytest.mark.parametrize(
    ("level", "progress", "region", "price"),
    [(3, 13, "R01", 0), (3, 13, "R05", 0), (3, 13, "R07", 1), (4, 20, "R07", 0), (5, 27, "R07", 0), (6, 34, "R07", 0)],
)
def test_discounts_add_up_to_nothing_less_than_zero_and_free_beats_all(position, level, progress, region, price):
    """Equipment 6 takes 1 Tool off, Bissel 2 at Level III and 3 at Level IV; plains 2, hills 3, mountains 4."""
    game = position(phase="goals", turn="white")
    game.player("white", character="bissel", level=level, progress=progress, improvements=["IM06"], tools=5)
    game.play("white", UseAbility())
    facts = game.play("white", BuildOffice(region, "blue"))
    assert facts.has(fact(OfficeBuilt, region=region))
    assert [paid.tools for paid in facts.of(GoodsChanged) if paid.reason == Reason.PAYMENT] == [-price][: bool(price)]


@pytest.mark.rule("OR-GEN.8")
def test_a_fixed_gain_is_received_without_a_question(position):
    game = position().player("white", coal=1).pending("AT04")
    facts = game.play("white", ResolveAction("AT04", "coal_two"))
    assert game["white"].coal == 3
    assert facts.count(DecisionOpened) == facts.count(fact(DecisionOpened, kind="turn_menu")) == 1


@pytest.mark.rule("OR-GEN.8")
def test_progress_from_a_bonus_cannot_be_refused(position):
    game = position().resolving("region_tile:RT_P3")
    assert fact(ProgressMarkerMoved, player="white", origin=3, space=5) in game.opening
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("OR-GEN.9")
@pytest.mark.parametrize(
    ("effects", "kind", "said"),
    [
        ("briefcase:BC5", "drill_well", {}),
        ("briefcase:BC6", "improvement_purchase", {}),
        ("improvement:IM21", "train_target", {}),
        ("improvement:IM22", "office_site", {}),
        ("improvement:IM25", "turbine_site", {}),
        ("trigger:IM02:0", "turbine_site", {}),
    ],
)
def test_a_bonus_that_builds_moves_or_buys_may_be_declined(position, effects, kind, said):
    game = position().player("white", **said).resolving(effects)
    assert game.decision == ("white", kind)
    before = game["white"]
    facts = game.play("white", DeclineEffect())
    assert fact(EffectDeclined, player="white", effects=effects, index=0) in facts
    now = game["white"]
    assert (now.train, now.offices, now.depth, now.turbines, now.improvements) == (
        before.train, before.offices, before.depth, before.turbines, before.improvements,
    )  # fmt: skip


@pytest.mark.rule("OR-GEN.9")
@pytest.mark.parametrize("effects", ["briefcase:BC5", "improvement:IM22", "improvement:IM24", "trigger:IM02:0"])
def test_a_bonus_without_a_legal_execution_is_skipped_without_a_question(position, effects):
    game = position().player("white", **FULL_BOARD).resolving(effects)
    assert fact(EffectSkipped, player="white", effects=effects, index=0) in game.opening
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("OR-GEN.9")
def test_a_refinery_from_a_bonus_is_built_without_a_question(position):
    game = position().player("white", refineries=2).resolving("region_tile:RT_H4")
    assert game.opening.in_order(fact(RefineryBuilt, player="white", number=3), fact(GoodsChanged, coins=1))
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("OR-GEN.9")
def test_what_an_action_has_started_is_no_bonus(position):
    game = position().player("white", tools=9).acting("drill")
    assert not game.offers("white", DeclineEffect())
    assert game.refused("white", DeclineEffect()).code == "CANNOT_DECLINE"
    assert DrillBuilt in game.play("white", BuildDrill("yellow"))


@pytest.mark.rule("OR-GEN.10")
def test_points_have_no_bound(position):
    game = position().player("white", vp=498).resolving("region_tile:RT_M1")
    assert game["white"].vp == 502


@pytest.mark.rule("OR-GEN.11")
def test_everything_is_public_but_cards_looked_at_and_put_under(position):
    game = position(players=3, phase="goals", turn="red").player("red", character="carnegie", progress=13, tools=2)
    game.deck(bottom=["IM30"], looker="red", next=["IM20"])
    facts = game.play("red", UseAbility())
    whole, views = game.state, {viewer: RULESET.view(game.state, viewer).oil_rock for viewer in (None, 0, 1, 2)}
    assert list(views[1].hidden.looked_at) == ["IM20"]
    assert list(views[1].hidden.deck_bottom) == ["IM30"]
    for viewer in (None, 0, 2):
        assert not views[viewer].HasField("hidden")
        assert "IM20" not in str(views[viewer])
        assert "IM30" not in str(views[viewer])
    views[1].ClearField("hidden")
    assert views[None] == views[0] == views[1] == views[2]
    assert views[None].deck_size == 45 - len(whole.display)
    (looked,) = facts.of(ImprovementsLookedAt)
    assert RULESET.redact(looked, 1).hidden.improvements == ("IM20",)
    assert [RULESET.redact(looked, viewer).hidden for viewer in (None, 0, 2)] == [None] * 3
    (put,) = game.play("red", DeclineEffect()).of(ImprovementsPutUnder)
    assert RULESET.redact(put, 1) == put
    assert [(RULESET.redact(put, viewer).hidden, put.count) for viewer in (None, 0, 2)] == [(None, 1)] * 3


@pytest.mark.rule("OR-GEN.11")
def test_holdings_and_boards_of_everybody_are_in_every_view(position):
    game = position().player("white", tools=3, patents=2, briefcases=["BC1"], turbines={"TU2": 4}, barrels={"blue": 2})
    white = RULESET.view(game.state, 1).oil_rock.players[0]
    assert (white.tools, white.patents, white.blue, list(white.briefcases_opened)) == (3, 2, 2, ["BC1"])
    assert [(turbine.turbine, turbine.slot) for turbine in white.turbines] == [("TU2", 4)]


@pytest.mark.rule("OR-GEN.12")
@pytest.mark.parametrize(("players", "spaces", "display"), [(2, 10, 6), (3, 10, 7), (4, 12, 8)])
def test_every_draw_of_setup_is_among_all_that_is_possible(position, players, spaces, display):
    """Section F.5: uniform over the candidates left, in a fixed order; with one candidate nothing is drawn."""
    game = position(at="setup", players=players)
    game.open()
    terrain = [packs()["oil_rock_house"].terrain[region] for region in game.state.offices]
    by_region = [4 - terrain[:place].count(kind) for place, kind in enumerate(terrain)]
    candidates = [
        *range(spaces, 0, -1),
        *by_region,
        *by_region,
        *(14, 13, 12, 11),
        *range(45, 45 - display, -1),
        *range(players, 0, -1),
    ]
    bounds = [draw.bound for draw in game._chance.draws]
    assert bounds == [bound for bound in candidates if bound > 1]


@pytest.mark.rule("OR-GEN.12")
def test_each_goal_is_equally_likely_to_be_the_first():
    from wellhead_rules.kernel.chance import Chance

    games = 700
    counts = dict.fromkeys(packs()["oil_rock_house"].goals, 0)
    for number in range(games):
        state = RULESET.new("oil_rock_house", RULESET.options({}, 2), ["white", "red"])
        RULESET.begin(state, Chance(number.to_bytes(32, "big")))
        counts[state.goals[0]] += 1
    expected = games / len(counts)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 42.0  # 13 degrees of freedom: one in 20,000 fair runs is above

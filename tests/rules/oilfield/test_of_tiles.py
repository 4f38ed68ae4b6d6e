"""OF-15: the refinery, and what the basic tiles do."""

import pytest

from wellhead_rules.oilfield.commands import BuildExpansion, DrillTower
from wellhead_rules.oilfield.events import TowerDrilled
from wellhead_rules.oilfield.facts import fact


def drilling(position, tower, oil=9, gas=9, space=3, **player):
    """A drill action of P0 with one tower in Austin, so many cubes there, and so much free space of three."""
    game = position(players=4).slot("austin_slot_1", "P0", tower).field("austin", oil=oil, gas=gas)
    return game.player("P0", oil=3 - space, **player).acting("P0", "drill")


def offered(game):
    """Oil and gas to the warehouse, oil and gas to the local market."""
    return {
        (one.oil_to_warehouse, one.gas_to_warehouse, one.oil_to_local, one.gas_to_local)
        for one in game.legal("P0", DrillTower)
    }


# -- storage ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-15.1")
@pytest.mark.parametrize("mix", [(3, 0), (2, 1), (1, 2), (0, 3)])
def test_the_base_refinery_stores_three_cubes_of_any_mix(position, mix):
    oil, gas = mix
    game = drilling(position, "mixed_tower_1", space=3)
    assert game["P0"].storage == 3
    game = position().player("P0", oil=oil, gas=gas).slot("austin_slot_1", "P0", "mixed_tower_2")
    game.slot("pecos_slot_1", "P0", "small_local_tower_2").acting("P0", "drill")
    assert {one.tile_id for one in game.legal("P0", DrillTower)} == {"small_local_tower_2"}, "it is full"


@pytest.mark.rule("OF-15.1")
def test_two_cubes_of_a_kind_and_one_of_the_other_go_in_together(position):
    game = drilling(position, "mixed_tower_1")
    game.play("P0", DrillTower("mixed_tower_1", oil_to_warehouse=1, gas_to_warehouse=2))
    assert (game["P0"].oil, game["P0"].gas) == (1, 2)


@pytest.mark.rule("OF-15.2")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_expansion_stores_two_more_of_any_mix(position, count):
    expansions = [f"refinery_expansion_{copy}" for copy in range(1, count + 1)]
    for gas in range(3 + 2 * count):
        oil = 2 + 2 * count - gas
        game = position(players=4).player("P0", expansions=expansions, oil=oil, gas=gas)
        game.slot("austin_slot_1", "P0", "mixed_tower_1").acting("P0", "drill")
        assert game["P0"].storage == 3 + 2 * count
        assert offered(game) == {(1, 0, 0, 0), (0, 1, 0, 0)}, "room for one more"


@pytest.mark.rule("OF-15.2", "OF-15.8")
def test_a_new_expansion_gives_its_storage_at_once(position):
    game = position(building_market=["refinery_expansion_2"], P0={"oil": 3, "card": "drill"})
    game.slot("austin_slot_1", "P0", "medium_tower_2").acting("P0", "build")
    game.play("P0", BuildExpansion("refinery_expansion"))
    assert game.decision == ("P0", "resolve_drill")
    assert offered(game) == {(1, 0, 0, 0), (2, 0, 0, 0)}


# -- towers ----------------------------------------------------------------------------------------------------


def small(oil, gas, space):
    return {(a, 0, 0, 0) for a in (1, 2) if a <= oil and a <= space}


def medium(oil, gas, space):
    return {(a, 0, 0, 0) for a in (1, 2, 3) if a <= oil and a <= space}


def mixed(oil, gas, space):
    pairs = [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2)]
    return {(a, b, 0, 0) for a, b in pairs if a <= oil and b <= gas and a + b <= space}


def small_local(oil, gas, space):
    return ({(0, 0, 1, 0)} if oil else set()) | ({(0, 0, 0, 1)} if gas else set())


def medium_local(oil, gas, space):
    stored = [a for a in range(4) if a <= oil and a <= space]
    return {(a, 0, 0, c) for a in stored for c in (0, 1) if c <= gas} - {(0, 0, 0, 0)}


@pytest.mark.parametrize(
    ("tower", "expected"),
    [
        pytest.param("small_tower_1", small, marks=pytest.mark.rule("OF-15.3")),
        pytest.param("medium_tower_1", medium, marks=pytest.mark.rule("OF-15.4")),
        pytest.param("mixed_tower_1", mixed, marks=pytest.mark.rule("OF-15.5")),
        pytest.param("small_local_tower_1", small_local, marks=pytest.mark.rule("OF-15.6")),
        pytest.param("medium_local_tower_1", medium_local, marks=pytest.mark.rule("OF-15.7")),
    ],
)
@pytest.mark.rule("OF-9.2", "OF-9.3", "OF-9.4", "OF-9.5")
def test_what_a_tower_may_extract(position, tower, expected):
    for oil in range(5):
        for gas in range(4):
            for space in range(4):
                game = drilling(position, tower, oil, gas, space)
                assert offered(game) == expected(oil, gas, space), f"{oil} oil, {gas} gas, {space} free"


@pytest.mark.rule("OF-15.5")
def test_the_mixed_tower_takes_at_most_two_of_a_kind_and_three_in_total(position):
    game = drilling(position, "mixed_tower_1", space=3, expansions=["refinery_expansion_1"])
    for oil, gas in [(3, 0), (0, 3), (2, 2)]:
        command = DrillTower("mixed_tower_1", oil_to_warehouse=oil, gas_to_warehouse=gas)
        assert game.refused("P0", command).code == "INVALID_OUTPUT"


GAINS = [
    ("small_tower_1", {"oil_to_warehouse": 2}, 0, 0),
    ("medium_tower_1", {"oil_to_warehouse": 3}, 0, 0),
    ("mixed_tower_1", {"oil_to_warehouse": 1, "gas_to_warehouse": 2}, 0, 0),
    ("small_local_tower_1", {"oil_to_local": 1}, 2, 0),
    ("small_local_tower_1", {"gas_to_local": 1}, 0, 1),
    ("medium_local_tower_1", {"oil_to_warehouse": 3, "gas_to_local": 1}, 0, 1),
    ("medium_local_tower_1", {"oil_to_warehouse": 2}, 0, 0),
    ("medium_local_tower_1", {"gas_to_local": 1}, 0, 1),
]


@pytest.mark.rule("OF-15.3", "OF-15.4", "OF-15.5", "OF-15.6", "OF-15.7")
@pytest.mark.parametrize(("tower", "amounts", "coins", "vp"), GAINS)
def test_what_a_tower_brings(position, tower, amounts, coins, vp):
    game = drilling(position, tower)
    bag = game.seen.bag
    facts = game.play("P0", DrillTower(tower, **amounts))
    nothing = dict.fromkeys(["oil_to_warehouse", "gas_to_warehouse", "oil_to_local", "gas_to_local"], 0)
    said = {**nothing, **amounts}
    assert fact(TowerDrilled, seat="P0", tile_id=tower, coins_gained=coins, vp_gained=vp, **said) in facts
    assert (game["P0"].oil, game["P0"].gas) == (said["oil_to_warehouse"], said["gas_to_warehouse"])
    assert (game["P0"].coins, game["P0"].vp) == (20 + coins, vp)
    assert game["P0"].vp_by_category["vp_local_market"] == vp
    field = game.seen.fields["austin"]
    assert field.oil == 9 - said["oil_to_warehouse"] - said["oil_to_local"]
    assert field.gas == 9 - said["gas_to_warehouse"] - said["gas_to_local"]
    assert (game.seen.bag.oil, game.seen.bag.gas) == (bag.oil + said["oil_to_local"], bag.gas + said["gas_to_local"])

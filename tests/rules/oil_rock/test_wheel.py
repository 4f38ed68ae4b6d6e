"""B.9 Wheel geometry."""

from collections import Counter

import pytest

from wellhead_rules.oil_rock import RULESET
from wellhead_rules.oil_rock.commands import PlaceOnCircle
from wellhead_rules.oil_rock.events import ActionsUnlocked, OuterRingTurned, ProgressMarkerMoved
from wellhead_rules.oil_rock.facts import fact

FIVE = """
C0  o0-i4 o0-i0 o0-i1 o0-i2
C1  o0-i0 o0-i1 o0-i2 o0-i3
C2  o1-i0 o1-i1 o1-i2 o1-i3
C3  o1-i1 o1-i2 o1-i3 o1-i4
C4  o2-i1 o2-i2 o2-i3 o2-i4
C5  o2-i2 o2-i3 o2-i4 o2-i0
C6  o3-i2 o3-i3 o3-i4 o3-i0
C7  o3-i3 o3-i4 o3-i0 o3-i1
C8  o4-i3 o4-i4 o4-i0 o4-i1
C9  o4-i4 o4-i0 o4-i1 o4-i2
"""
SIX = """
C0  o0-i5 o0-i0 o0-i1 o0-i2
C1  o0-i0 o0-i1 o0-i2 o0-i3
C2  o1-i0 o1-i1 o1-i2 o1-i3
C3  o1-i1 o1-i2 o1-i3 o1-i4
C4  o2-i1 o2-i2 o2-i3 o2-i4
C5  o2-i2 o2-i3 o2-i4 o2-i5
C6  o3-i2 o3-i3 o3-i4 o3-i5
C7  o3-i3 o3-i4 o3-i5 o3-i0
C8  o4-i3 o4-i4 o4-i5 o4-i0
C9  o4-i4 o4-i5 o4-i0 o4-i1
C10 o5-i4 o5-i5 o5-i0 o5-i1
C11 o5-i5 o5-i0 o5-i1 o5-i2
"""
"""The tables of the rules document: the links of each circle at rotations 0 to 3."""

LAYOUTS = [(2, 5), (3, 5), (4, 6)]
EVERY_ROTATION = [(players, n, rotation) for players, n in LAYOUTS for rotation in range(n)]


def links(game):
    """Circle to the names of the two spaces it links, such as `("o0", "i4")`."""
    wheel = game.seen.wheel
    space = {tile: f"o{index}" for index, tile in wheel.outer.items()}
    space |= {tile: f"i{index}" for index, tile in wheel.inner.items()}
    shown = RULESET.view(game.state, None).oil_rock.wheel.circles
    return {circle.circle: (space[circle.first_tile], space[circle.second_tile]) for circle in shown}


@pytest.mark.rule("OR-WHEEL.6")
@pytest.mark.parametrize(("players", "table"), [(2, FIVE), (3, FIVE), (4, SIX)])
@pytest.mark.parametrize("rotation", range(4))
def test_the_links_are_those_of_the_tables(position, players, table, rotation):
    rows = [line.split() for line in table.split("\n")[1:-1]]
    expected = {circle: tuple(by_rotation[rotation].split("-")) for circle, *by_rotation in rows}
    assert links(position(players=players).wheel(rotation=rotation)) == expected


@pytest.mark.rule("OR-WHEEL.6")
@pytest.mark.parametrize(("circle", "outer", "inner"), [("C0", 0, 2), ("C1", 0, 3), ("C9", 4, 2)])
def test_a_manager_uses_the_tiles_that_are_linked_now(position, circle, outer, inner):
    game = position(players=3).wheel(rotation=3).player("white", assistants=0, managers=1)
    wheel = game.seen.wheel
    facts = game.play("white", PlaceOnCircle(circle))
    assert [one.source for one in facts.of(ActionsUnlocked)] == [wheel.outer[outer], wheel.inner[inner]]


@pytest.mark.rule("OR-WHEEL.3", "OR-WHEEL.4", "OR-WHEEL.5")
@pytest.mark.parametrize(("players", "n", "rotation"), EVERY_ROTATION)
def test_circles_sit_where_triangles_touch(position, players, n, rotation):
    """Angles in units of half a space: inner i points to 2i + 1, outer k to 2(k + rotation); neighbours differ by 1."""
    inner = {(2 * i + 1) % (2 * n): f"i{i}" for i in range(n)}
    outer = {(2 * (k + rotation)) % (2 * n): f"o{k}" for k in range(n)}
    assert not set(inner) & set(outer)
    found = links(position(players=players).wheel(rotation=rotation))
    assert set(found) == {f"C{index}" for index in range(2 * n)}
    for angle, name in outer.items():
        k = int(name[1:])
        assert found[f"C{2 * k}"] == (name, inner[(angle - 1) % (2 * n)])
        assert found[f"C{2 * k + 1}"] == (name, inner[(angle + 1) % (2 * n)])


@pytest.mark.rule("OR-WHEEL.7")
@pytest.mark.parametrize(("players", "n", "rotation"), EVERY_ROTATION)
def test_each_touching_pair_has_one_circle_and_each_tile_two(position, players, n, rotation):
    found = links(position(players=players).wheel(rotation=rotation))
    assert max(Counter(found.values()).values()) == 1
    assert set(Counter(name for pair in found.values() for name in pair).values()) == {2}
    assert len(found) == 2 * n


@pytest.mark.rule("OR-WHEEL.1", "OR-WHEEL.2", "OR-WHEEL.9")
def test_a_click_moves_no_tile_off_its_space_and_takes_the_circles_along(position):
    game = position(players=3, phase="goals", at="end_of_phase")
    before, after = game.posed.wheel, game.seen.wheel
    assert (before.outer, before.inner) == (after.outer, after.inner)
    still = links(position(players=3))
    turned = links(game)
    assert list(turned) == list(still)
    # A circle stays with its outer tile and meets the next inner one, clockwise.
    for circle, (outer, inner) in still.items():
        assert turned[circle] == (outer, f"i{(int(inner[1:]) + 1) % 5}")


@pytest.mark.rule("OR-WHEEL.8")
@pytest.mark.parametrize(("players", "n", "rotation"), EVERY_ROTATION)
def test_the_outer_ring_makes_one_click_in_phase_six(position, players, n, rotation):
    game = position(players=players, phase="goals", at="end_of_phase").wheel(rotation=rotation)
    assert fact(OuterRingTurned, rotation=(rotation + 1) % n) in game.opening
    assert game.opening.count(OuterRingTurned) == 1


@pytest.mark.rule("OR-WHEEL.10")
@pytest.mark.parametrize(("players", "n", "rotation"), EVERY_ROTATION)
def test_with_inner_neighbours_circles_link_inner_tiles_at_every_rotation(position, players, n, rotation):
    game = position(players=players, options={"manager_links": "INNER_NEIGHBOURS"}).wheel(rotation=rotation)
    assert links(game) == {f"C{i}": (f"i{i}", f"i{(i + 1) % n}") for i in range(n)}


@pytest.mark.rule("OR-WHEEL.10")
def test_with_inner_neighbours_the_first_inner_tile_stands_for_the_outer_one(position):
    game = position(players=3, options={"manager_links": "INNER_NEIGHBOURS"}, turn="white")
    game.wheel(inner={0: "AT01", 4: "AT02"}).player("white", assistants=0, managers=1)
    game.player("red", workers=["AT01"]).player("blue", workers=["AT02"])
    assert game.refused("white", PlaceOnCircle("C5")).code == "CIRCLE_NOT_ON_WHEEL"
    facts = game.play("white", PlaceOnCircle("C4"))
    assert facts.in_order(
        fact(ProgressMarkerMoved, player="blue", reason="COMPENSATION"),
        fact(ProgressMarkerMoved, player="red", reason="COMPENSATION"),
        fact(ActionsUnlocked, source="AT02"),
        fact(ActionsUnlocked, source="AT01"),
    )


@pytest.mark.rule("OR-WHEEL.10")
def test_by_default_circles_link_outer_and_inner_tiles():
    assert RULESET.options({}, 2)["manager_links"] == "OUTER_INNER"

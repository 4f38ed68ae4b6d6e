"""F.4: what bag, decks and dummy cards give over many recorded games, against what was in them when it was drawn.

The draws are taken out of the recorded facts, folded one by one. Seeds are fixed, so a run that passes passes always;
beyond 4.5 standard deviations a fair engine would be once in a hundred thousand sets of seeds.
"""

from collections import defaultdict
from math import sqrt
from random import Random

import pytest

from wellhead_rules.kernel.chance import Chance
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield import events as e

GAMES = {2: 30, 3: 14, 5: 14}
"""By number of players."""
BOUND = 4.5
EAGER = (c.DrillTower, c.BuildTower, c.TakeLease, c.SellLocal, c.SellNational)
"""What empties the fields and the markets."""


class Tally:
    """How often something was the case, how often that was to be expected, and the variance of it."""

    def __init__(self):
        self.seen = self.expected = self.variance = 0.0
        self.squares = []

    def add(self, seen, expected, variance):
        self.seen += seen
        self.expected += expected
        self.variance += variance
        self.squares.append((seen - expected) ** 2 / variance)

    @property
    def deviation(self):
        """From what was to be expected, in standard deviations."""
        return (self.seen - self.expected) / sqrt(self.variance)

    @property
    def chi_square_deviation(self):
        """Of the sum of squares from its expectation, in standard deviations of a chi-square."""
        return (sum(self.squares) - len(self.squares)) / sqrt(2 * len(self.squares))


def recorded(players, number):
    """A game in which everybody is eager to lease, build, drill and sell: every fact, with the state before it."""
    options = RULESET.options({"advanced_towers": "true"}, players)
    key, random = f"{players} {number}".encode().ljust(32), Random(number)
    state, folded = (RULESET.new("oilfield_house", options, RULESET.colours([""] * players)) for _ in range(2))
    chance = Chance(key)
    facts = RULESET.begin(state, chance)
    while True:
        for one in facts:
            yield folded, one
            RULESET.evolve(folded, one)
        if not (owed := RULESET.decisions(state)):
            return
        legal = RULESET.legal(state, owed[0].seat)
        eager = [one for one in legal if isinstance(one, EAGER)]
        command = random.choice(eager or list(legal))
        facts = RULESET.play(state, owed[0].seat, owed[0].decision_id, command, chance)


@pytest.fixture(scope="module")
def tallies():
    """By what was drawn."""
    found = defaultdict(Tally)
    for players, games in GAMES.items():
        for number in range(games):
            for state, one in recorded(players, number):
                if isinstance(one, e.StrikeStarted | e.FieldReplenished):
                    count_refill(found, state, one)
                elif isinstance(one, e.TileRevealed):
                    count_pick(found, "tile", state.tile_deck, one.tile_id)
                elif isinstance(one, e.LeaseRevealed):
                    count_pick(found, "lease", state.lease_deck, one.lease_id)
                elif isinstance(one, e.DummyCardDrawn):
                    count_pick(found, "card", (1, 2, 3, 4, 5), one.card)
                elif isinstance(one, e.DummyDrilled):
                    count_pick(found, "field", state.content.fields, one.field)
    return found


def count_refill(found, state, one):
    """Cubes drawn together: hypergeometric; the strike cube comes before the last of them or it does not."""
    oil, gas = state.bag_oil, state.bag_gas
    cubes = oil + gas
    if isinstance(one, e.StrikeStarted):
        # The refill itself follows, folded after this fact: its bag says nothing of the strike cube any more.
        field = state.content.field_index[one.field]
        missing = state.content.data.field_capacity.by_players[len(state.players)] - state.gas[field]
        count_strike(found, min(missing, cubes), cubes, True)
        return
    drawn = one.oil + one.gas
    if state.strike_in_bag and drawn:
        count_strike(found, drawn, cubes, False)
    if 0 < drawn < cubes and oil and gas:
        share = oil / cubes
        spread = drawn * share * (1 - share) * (cubes - drawn) / (cubes - 1)
        found["oil of a refill"].add(one.oil, drawn * share, spread)


def count_strike(found, drawn, cubes, struck):
    chance = drawn / (cubes + 1)
    found["strike cube of a refill"].add(struck, chance, chance * (1 - chance))


def count_pick(found, kind, candidates, picked):
    """One of several, each as likely; its place among them too."""
    many = len(candidates)
    if many == 1:
        return
    for one in candidates:
        found[f"{kind} {one}"].add(one == picked, 1 / many, (1 - 1 / many) / many)
    found[f"place of a {kind}"].add(candidates.index(picked), (many - 1) / 2, (many**2 - 1) / 12)


@pytest.mark.rule("OF-16.5")
def test_refills_draw_oil_and_gas_in_proportion_to_the_bag(tallies):
    oil = tallies["oil of a refill"]
    assert len(oil.squares) > 150
    assert abs(oil.deviation) < BOUND
    assert abs(oil.chi_square_deviation) < BOUND


@pytest.mark.rule("OF-16.6", "OF-17.1")
def test_the_strike_cube_is_one_cube_among_those_of_the_bag(tallies):
    strike = tallies["strike cube of a refill"]
    assert len(strike.squares) > 150
    assert strike.seen > 20
    assert abs(strike.deviation) < BOUND


@pytest.mark.rule("OF-16.8", "OF-16.9", "OF-21.10", "OF-21.11", "OF-21.12", "OF-21.15")
@pytest.mark.parametrize(("kind", "many"), [("tile", 24), ("lease", 12), ("card", 5), ("field", 3)])
def test_every_candidate_is_as_likely(tallies, kind, many):
    each = {name: tally for name, tally in tallies.items() if name.startswith(f"{kind} ")}
    assert len(each) == many
    assert all(abs(tally.deviation) < BOUND for tally in each.values())
    place = tallies[f"place of a {kind}"]
    assert len(place.squares) > 150
    assert abs(place.deviation) < BOUND
    assert abs(place.chi_square_deviation) < BOUND

"""What a recorded game of Oilfield covers, told from its commits, and what the corpus as a whole has to cover."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random

from tests.support.curious import CuriousOilfield
from tests.tools.corpus import Corpus
from wellhead_client.bots import Bot, RandomBot
from wellhead_rules.kernel.ruleset import Command, Event
from wellhead_rules.kernel.scores import ScoreCard
from wellhead_rules.oilfield import RULESET, content, events, investments
from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield.events import EndTriggered
from wellhead_rules.oilfield.game import NO_CARD, Game
from wellhead_rules.oilfield.vocabulary import (
    Action,
    ActionCard,
    ActionOrigin,
    DecisionKind,
    LostReason,
    Phase,
    VpCategory,
)

CONTENT = next(iter(content.packs().values()))
TIMINGS = ("before_reveal", "between_players")
PUBLIC = tuple(dict.fromkeys(space.action for space in CONTENT.spaces))
TOWERS = tuple(kind.id for kind in CONTENT.kinds.values() if kind.is_tower)


def wanted() -> Iterator[str]:
    """Everything that some game of the corpus has to cover (R-RULES-11)."""
    yield from (f"players {players}" for players in RULESET.seat_counts)
    yield from (f"{players} players, advanced_towers={each}" for players in RULESET.seat_counts for each in _BOOLEANS)
    yield from (f"dummy_timing={timing}" for timing in TIMINGS)
    yield from (f"decision {_name(kind)}" for kind in DecisionKind)
    yield from (f"command {_words(kind)}" for kind in c.Command.__subclasses__())
    yield from (f"fact {_words(kind)}" for kind in events.Event.__subclasses__())
    yield from (f"space {space.id}" for space in CONTENT.spaces)
    yield from (f"public {_name(action)}" for action in PUBLIC)
    yield from (f"private {_name(card)}" for card in ActionCard)
    yield from (f"lost {reason.name}" for reason in LostReason)
    yield from (f"{kind} built" for kind in CONTENT.kinds)
    yield from (f"{tower} used" for tower in TOWERS)
    yield from ("government_tower liberated and used", "gas diverted", "gas exported", "two gas expansions")
    yield from (f"{track} {what}" for track in CONTENT.tracks for what in ("bought", "sold"))
    yield from (f"lease {field}" for field in CONTENT.fields)
    yield from (f"{field} {what}" for field in CONTENT.fields for what in ("refilled", "exhausted"))
    yield from ("gas left in an exhausted field", "gas drilled from an exhausted field", "a field refilled without gas")
    yield from ("strike in a private phase", "strike in a public phase", "strike while a tower is built")
    yield from ("forfeited without being asked", "forfeited by choice", "forfeited after a sale")
    yield from ("a sale closes a question", "a sale helps", "sale by a seat that owes nothing", "sale with a card down")
    yield from ("cards committed out of turn", "all cards equal", *(f"{sellers} sellers" for sellers in range(1, 6)))
    yield from ("tile returned in setup", "tile deck exhausted", "lease deck exhausted", "market over its size")
    yield from (f"dummy {_name(card)}" for card in ActionCard)
    yield from (
        "dummy drills nothing",
        "dummy drills oil",
        "dummy drills gas",
        "four leases",
        "five investments",
        "full track",
    )
    yield from ("end after a public check", "end after a private check", "end by the round limit", "three exhausted")
    yield from (f"score {_name(category)}" for category in VpCategory)
    yield from ("most money tied", "base refinery full", "expansion full", "vp from pairs of oil")
    yield from ("won by points", "tie decided by coins", "tie decided by leases", "shared victory")


_BOOLEANS = ("false", "true")


class Cover:
    """Watches one game; `claims` is what it has covered so far."""

    def __init__(self, options: dict[str, str], players: int) -> None:
        self.claims = {f"players {players}", f"{players} players, advanced_towers={options['advanced_towers']}"}
        if players == 2:
            self.claims.add(f"dummy_timing={options['dummy_timing']}")
        self._phase = 0
        self._checked = 0

    def step(self, before: Game | None, command: Command, facts: Iterable[Event], after: Game) -> None:
        """One commit; `before` is None for the setup."""
        facts = list(facts)
        for fact in facts:
            self.claims.add(f"fact {_words(type(fact))}")
            self.claims.update(_of_fact(fact, after))
            self.claims.update(self._of_moment(before, fact))
        self.claims.update(_of_table(after))
        if before is not None and command is not None:
            self.claims.add(f"command {_words(type(command))}")
            self.claims.update(_of_command(before, command, facts))

    def _of_moment(self, before: Game | None, fact: Event) -> Iterator[str]:
        """What depends on the phase in which it happens; a check belongs to the phase before it."""
        match fact:
            case events.PhaseStarted(phase=phase):
                self._phase = phase
            case events.TileReturnedToDeck() if before is None:
                yield "tile returned in setup"
            case events.StrikeStarted():
                public = self._phase == Phase.PUBLIC_ACTIONS
                yield "strike in a private phase" if public else "strike in a public phase"
            case EndTriggered():
                self._checked = self._phase

    def end(self, game: Game, card: ScoreCard) -> None:
        """The final score."""
        self.claims.update(f"score {line.category}" for line in card.lines)
        if sum(line.category == _name(VpCategory.VP_MOST_MONEY) for line in card.lines) > 1:
            self.claims.add("most money tied")
        for player in game.players:
            expansions = min(len(player.expansions), (player.oil + player.gas) // 2)
            if expansions:
                self.claims.add("expansion full")
            if player.oil + player.gas - 2 * expansions >= player.storage - 2 * len(player.expansions):
                self.claims.add("base refinery full")
        ends = {Phase.PUBLIC_ACTIONS: "end after a public check", Phase.PRIVATE_ACTIONS: "end after a private check"}
        self.claims.add(ends.get(Phase(self._checked)) if self._checked else "end by the round limit")  # type: ignore[arg-type]
        if all(game.exhausted):
            self.claims.add("three exhausted")
        self.claims.update(_of_ranking(game, card))


def _of_fact(fact: Event, after: Game) -> Iterator[str]:
    match fact:
        case events.DecisionOpened(kind=kind):
            yield f"decision {_name(DecisionKind(kind))}"
        case events.WorkerPlaced(space_id=space):
            yield f"space {space}"
        case events.ActionCompleted(action=action, origin=origin):
            yield f"{ActionOrigin(origin).name.lower()} {_name(Action(action))}"
        case events.ActionLost(reason=reason):
            yield f"lost {LostReason(reason).name}"
        case events.TowerBuilt(tile_id=tile, slot_id=slot):
            yield f"{after.kind(tile).id} built"
            if CONTENT.field_of_slot[CONTENT.slot_index[slot]] == after.strike_field:
                yield "strike while a tower is built"
        case events.ExpansionBuilt(tile_id=tile):
            yield f"{after.kind(tile).id} built"
        case events.TowerDrilled(tile_id=tile):
            yield from _of_drill(fact, after)
        case events.NationalTowerShipped(tile_id=tile):
            yield f"{after.kind(tile).id} used"
        case events.NationalSold(gas_removed=gas) if gas:
            yield "gas exported"
        case events.NationalPriceFixed(sellers=sellers):
            yield f"{sellers} sellers"
        case events.PrivateActionsRevealed(entries=entries) if len({entry.card for entry in entries}) == 1:
            yield "all cards equal"
        case events.InvestmentBought(track=track):
            yield f"{track} bought"
        case events.InvestmentSold(track=track):
            yield f"{track} sold"
        case events.LeaseTaken(lease_id=card):
            yield f"lease {card.partition('_')[0]}"
        case events.FieldReplenished(field=field, oil=oil, gas=gas):
            yield f"{field} refilled"
            if oil and not gas:
                yield "a field refilled without gas"
        case events.FieldExhausted(field=field):
            yield f"{field} exhausted"
            if after.gas[CONTENT.field_index[field]]:
                yield "gas left in an exhausted field"
        case events.DummyCardDrawn(card=card):
            yield f"dummy {_name(ActionCard(card))}"
        case events.DummyDrilled(oil=oil, gas=gas):
            yield "dummy drills gas" if gas else "dummy drills nothing" if not oil else "dummy drills oil"


def _of_drill(fact: events.TowerDrilled, after: Game) -> Iterator[str]:
    kind = after.kind(fact.tile_id)
    yield f"{kind.id} used"
    disc = any(slot.disc for slot in after.slots if slot.tile == fact.tile_id)
    if kind.restricted is not None and not disc:
        yield "government_tower liberated and used"
    if fact.gas_to_warehouse and kind.drill is not None and not kind.drill.gas_to_warehouse_max:
        yield "gas diverted"
    if after.exhausted[CONTENT.field_index[fact.field]] and fact.gas_to_local + fact.gas_to_warehouse:
        yield "gas drilled from an exhausted field"


def _of_table(after: Game) -> Iterator[str]:
    if not after.tile_deck:
        yield "tile deck exhausted"
    if not after.lease_deck:
        yield "lease deck exhausted"
    if len(after.tile_market) > CONTENT.data.building_market_size.by_players[len(after.players)]:
        yield "market over its size"
    if any(investments.open_square(after, track) is None for track in after.tracks):
        yield "full track"
    for player in after.players:
        if not player.lease_markers:
            yield "four leases"
        if not player.investment_markers:
            yield "five investments"
        if sum(after.kind(tile).gas_export for tile in player.expansions) > 1:
            yield "two gas expansions"


def _of_command(before: Game, command: Command, facts: Sequence[Event]) -> Iterator[str]:
    opened = before.open
    assert opened is not None
    match command:
        case c.SellInvestment():
            yield from _of_sale(before, opened, facts)
        case c.ForfeitGovernmentTower():
            yield "forfeited by choice"
        case c.SellLocal(oil_pairs_for_vp=pairs) if pairs:
            yield "vp from pairs of oil"
        case c.CommitPrivateAction():
            closed = next(fact for fact in facts if isinstance(fact, events.DecisionClosed))
            if closed.seat != opened.seats[0]:
                yield "cards committed out of turn"
    lost = any(isinstance(fact, events.GovernmentTowerForfeited) for fact in facts)
    if lost and not isinstance(command, c.ForfeitGovernmentTower | c.SellInvestment):
        yield "forfeited without being asked"


def _of_sale(before: Game, opened: events.DecisionOpened, facts: Sequence[Event]) -> Iterator[str]:
    sale = next(fact for fact in facts if isinstance(fact, events.InvestmentSold))
    if sale.seat not in opened.seats:
        yield "sale by a seat that owes nothing"
    if before.committed[sale.seat] != NO_CARD and not before.revealed:
        yield "sale with a card down"
    if opened.kind == DecisionKind.GOVERNMENT_PAYMENT and opened.seats == (sale.seat,) and len(facts) > 1:
        yield "forfeited after a sale"
    elif len(facts) > 1:
        yield "a sale closes a question"
    elif sale.seat in opened.seats:
        after = RULESET.clone(before)
        RULESET.evolve(after, sale)
        if len(RULESET.legal(after, sale.seat)) > len(RULESET.legal(before, sale.seat)):
            yield "a sale helps"


def _of_ranking(game: Game, card: ScoreCard) -> Iterator[str]:
    first, second = card.ranking[:2]
    one, other = game.players[first.seat], game.players[second.seat]
    if first.total > second.total:
        yield "won by points"
    elif one.coins < other.coins:
        yield "tie decided by coins"
    elif len(one.leases) < len(other.leases):
        yield "tie decided by leases"
    else:
        yield "shared victory"


def _name(member: Action | ActionCard | DecisionKind | VpCategory) -> str:
    return member.name.lower()


@cache
def _words(kind: type) -> str:
    """The name of a kind of command or fact, in lower case with `_` between words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


# -- the games ---------------------------------------------------------------------------------------------------------


def _options(number: int, random: Random) -> Mapping[str, str]:
    """Advanced towers in two games of three, and with two players each timing of the dummy as likely."""
    players = RULESET.seat_counts[number % len(RULESET.seat_counts)]
    timing = {"dummy_timing": random.choice(TIMINGS)} if players == 2 else {}
    return {"advanced_towers": _BOOLEANS[number % 3 > 0], **timing}


def _bots(players: int, random: Random) -> list[Bot]:
    """Curious players of various temper; in some games all choose by chance, pass, or speculate."""
    seeds = [random.getrandbits(32) for _ in range(players)]
    match random.randrange(12):
        case 0:
            return [RandomBot(seed) for seed in seeds]
        case 1:
            return [CuriousOilfield(seed, idle=100.0) for seed in seeds]
        case 2:
            return [CuriousOilfield(seed, thrift=0.5, fond="INVEST") for seed in seeds]
    return [CuriousOilfield(seed, random.choice((4.0, 8.0, 16.0)), random.choice((5.0, 40.0, 400.0))) for seed in seeds]


OILFIELD = Corpus(
    RULESET,
    "Oilfield",
    "every kind of decision, command and fact, every tile, every score and every way to end a game",
    wanted,
    Cover,
    _options,
    _bots,
    lambda game, seat: str(game.players[seat].colour),
)

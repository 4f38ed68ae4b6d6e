"""Positions and scenario files of a game that is nobody's: hidden bids owed by all at once, shares sold at any time."""

import re
from enum import IntEnum
from typing import Any, ClassVar, Literal

import msgspec
import pytest
from msgspec import UNSET, Struct, UnsetType

from wellhead_rules.kernel.playing import Folds, Playing
from wellhead_rules.kernel.ruleset import Owed
from wellhead_rules.kernel.scenarios import (
    BadScenario,
    Posing,
    Position,
    PositionError,
    Said,
    ScenarioFiles,
    Unexpected,
    Wording,
    fact,
)
from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine
from wellhead_rules.kernel.violations import RuleViolation

SEATS = ("P0", "P1", "P2")


class Card(IntEnum):
    LOW = 1
    HIGH = 2


class Bid(Struct, frozen=True):
    card: Card


class SellShare(Struct, frozen=True):
    count: int = 1


class Dealt(Struct, frozen=True):
    seat: int
    shares: int


class BidMade(Struct, frozen=True):
    seat: int
    card: int | Card


class Entry(Struct, frozen=True):
    seat: int
    card: Card


class BidsRevealed(Struct, frozen=True):
    entries: tuple[Entry, ...]


class CoinTossed(Struct, frozen=True):
    side: str


class ShareSold(Struct, frozen=True):
    seat: int
    count: int


FOLDS = Folds()


class State(Playing, eq=False):
    folds: ClassVar[Folds] = FOLDS
    shares: list[int]
    bids: dict[int, int] = msgspec.field(default_factory=dict)
    side: str = ""


@FOLDS.of(Dealt)
def _(state: State, event: Dealt) -> None:
    state.shares[event.seat] = event.shares


@FOLDS.of(BidMade)
def _(state: State, event: BidMade) -> None:
    state.bids[event.seat] = event.card


@FOLDS.of(BidsRevealed)
def _(state: State, event: BidsRevealed) -> None:
    pass


@FOLDS.of(CoinTossed)
def _(state: State, event: CoinTossed) -> None:
    state.side = event.side


@FOLDS.of(ShareSold)
def _(state: State, event: ShareSold) -> None:
    state.shares[event.seat] -= event.count


class Auction:
    """As much of a ruleset as a position needs."""

    name = "auction"
    seat_counts = range(2, 4)

    def packs(self) -> dict[str, None]:
        return {"only": None}

    def options(self, chosen: Any, seats: int) -> dict[str, str]:
        if chosen:
            raise RuleViolation("UNKNOWN_OPTION", "AU-1", "there are no options")
        return {}

    def colours(self, wanted: Any) -> list[str]:
        return list(wanted)

    def new(self, pack: str, options: Any, colours: Any) -> State:
        return State([0] * len(colours))

    def begin(self, state: State, chance: Any) -> list[Any]:
        return state.run(chance, lambda: [state.record(Dealt(seat, 5)) for seat in range(len(state.shares))])

    def evolve(self, state: State, event: Any) -> None:
        FOLDS[type(event)](state, event)

    def decisions(self, state: State) -> list[Owed]:
        return [Owed(7, seat, "bid") for seat in range(len(state.shares)) if seat not in state.bids]

    def legal(self, state: State, seat: int) -> list[Any]:
        return [] if seat in state.bids else [Bid(Card.LOW), Bid(Card.HIGH)]

    def anytime(self, state: State, seat: int) -> list[Any]:
        return [SellShare(count) for count in range(1, state.shares[seat] + 1)]

    def play(self, state: State, seat: int, decision_id: int, command: Any, chance: Any) -> list[Any]:
        if isinstance(command, SellShare):
            if decision_id:
                raise RuleViolation("STALE_DECISION", "AU-9", "it answers no decision")
            if command.count > state.shares[seat]:
                raise RuleViolation("NO_SHARE", "AU-3", "too few")
            return state.run(chance, lambda: state.record(ShareSold(seat, command.count)))
        if decision_id != 7 or seat in state.bids:
            raise RuleViolation("NOT_YOUR_DECISION", "AU-2", "nothing is asked")
        return state.run(chance, lambda: self._bid(state, seat, command))

    def _bid(self, state: State, seat: int, command: Bid) -> None:
        state.record(BidMade(seat, command.card))
        if len(state.bids) == len(state.shares):
            state.record(BidsRevealed(tuple(Entry(one, Card(card)) for one, card in sorted(state.bids.items()))))
            state.record(CoinTossed(state.draw(["heads", "tails"])))

    def scoring_due(self, state: State) -> list[int]:
        return []

    def score(self, state: State) -> ScoreCard:
        lines = tuple(ScoreLine(seat, "shares", held, "AU-5") for seat, held in enumerate(state.shares))
        best = sorted(lines, key=lambda line: -line.points)
        return ScoreCard(lines, tuple(Rank(line.seat, line.points) for line in best))

    def redact(self, event: Any, viewer: int | None) -> Any:
        return BidMade(event.seat, 0) if isinstance(event, BidMade) and event.seat != viewer else event

    def option_id(self, command: Any) -> str:
        return f"bid:{command.card}" if isinstance(command, Bid) else f"sell_share:{command.count}"

    def snapshot(self, state: State) -> bytes:
        return msgspec.msgpack.encode((state.shares, sorted(state.bids.items()), state.side))


class PlayerSaid(Said, frozen=True, kw_only=True):
    shares: int | UnsetType = UNSET
    card: Literal["low", "high"] | UnsetType | None = UNSET


class Table(Said, frozen=True, kw_only=True):
    players: int | UnsetType = UNSET
    options: dict[str, str] | UnsetType = UNSET
    P0: PlayerSaid | UnsetType = UNSET
    P1: PlayerSaid | UnsetType = UNSET
    P2: PlayerSaid | UnsetType = UNSET
    side: str | UnsetType = UNSET


class Description(Table, frozen=True, kw_only=True):
    at: Literal["setup"] | UnsetType = UNSET
    draws: tuple[str, ...] | UnsetType = UNSET


def pose(state: State, said: Description) -> None:
    for seat in range(len(state.shares)):
        player = getattr(said, SEATS[seat]) or PlayerSaid()
        if (player.shares or 0) > 9:
            raise PositionError((SEATS[seat], "shares"), "there are 9")
        state.record(Dealt(seat, player.shares or 0))
        if player.card:
            state.record(BidMade(seat, Card[player.card.upper()]))


def seen(state: State) -> Table:
    def card(seat: int) -> Any:
        return Card(state.bids[seat]).name.lower() if seat in state.bids else None

    held = {SEATS[seat]: PlayerSaid(shares=one, card=card(seat)) for seat, one in enumerate(state.shares)}
    return Table(players=len(held), side=state.side, **held)


class Auctioned(Position):
    posing: ClassVar[Posing] = Posing(
        Auction(),  # type: ignore[arg-type]
        Description,
        SEATS,
        pose=pose,
        advance=lambda state: None,
        seen=seen,
        anytime=(SellShare,),
    )


WORDING = Wording(
    {"Bid": Bid, "SellShare": SellShare},
    {kind.__name__: kind for kind in (Dealt, BidMade, BidsRevealed, CoinTossed, ShareSold)},
    SEATS,
    seat_fields=("seat",),
    hidden={"card": 0},
)
FILES = ScenarioFiles(Auctioned, WORDING, Table, decisions=("bid",), categories=("shares",))


def test_everybody_who_owes_is_asked_and_answers_in_any_order() -> None:
    game = Auctioned(players=3).player("P1", shares=1)
    assert game.decisions == (("P0", "bid"), ("P1", "bid"), ("P2", "bid"))
    game.play("P2", Bid("high"))
    game.play("P0", Bid(Card.LOW))
    assert game.decision == ("P1", "bid")
    assert game.refused("P2", Bid("low")).code == "NOT_YOUR_DECISION"
    facts = game.drawing("tails").play("P1", Bid("low"))
    assert fact(CoinTossed, side="tails") in facts
    assert game.decision is None
    assert game["P2"].card == "high"


def test_what_is_open_at_any_time_is_offered_and_answers_no_decision() -> None:
    game = Auctioned().player("P1", shares=2, card="low")
    assert game.legal("P1") == [SellShare(1), SellShare(2)]
    assert game.offers("P1", SellShare(2))
    assert fact(ShareSold, seat="P1", count=1) in game.play("P1", SellShare())
    assert game.refused("P0", SellShare()).code == "NO_SHARE"


def test_facts_are_shown_as_a_viewer_sees_them() -> None:
    game = Auctioned()
    facts = game.play("P0", Bid("high"))
    assert fact(BidMade, seat="P0", card="high") in game.shown("P0", facts)
    for viewer in ("P1", "spectator"):
        assert fact(BidMade, seat="P0", card=0) in game.shown(viewer, facts)
        assert fact(BidMade, card="high") not in game.shown(viewer, facts)


def test_records_inside_a_fact_are_asked_for_by_their_fields_or_in_order() -> None:
    facts = Auctioned(P0={"card": "low"}).play("P1", Bid("high"))
    assert fact(BidsRevealed, entries=[("P0", "low"), ("P1", "high")]) in facts
    assert fact(BidsRevealed, entries=[{"seat": "P0"}, {"card": "high"}]) in facts
    assert fact(BidsRevealed, entries=[{"seat": "P1"}, {"card": "high"}]) not in facts
    assert fact(BidsRevealed, entries=[{"seat": "P0"}]) not in facts
    assert fact(BidsRevealed, entries=(Entry(0, Card.LOW), Entry(1, Card.HIGH))) in facts


def test_the_engine_sets_a_table_up_by_itself() -> None:
    game = Auctioned(at="setup", players=3)
    assert [event.shares for event in game.opening] == [5, 5, 5]
    assert game.refolded().shares == game.state.shares == [5, 5, 5]
    with pytest.raises(PositionError, match="P0"):
        Auctioned(at="setup", P0={"shares": 1}).open()


@pytest.mark.parametrize(
    ("said", "path"),
    [({"P2": {"shares": 1}}, "P2"), ({"P0": {"shares": 10}}, "P0.shares"), ({"options": {"a": "b"}}, "options")],
)
def test_an_impossible_position_names_what_is_wrong(said: dict[str, Any], path: str) -> None:
    with pytest.raises(PositionError) as caught:
        Auctioned(**said).open()
    assert ".".join(map(str, caught.value.path)) == path


def test_a_draw_that_cannot_be_is_refused() -> None:
    with pytest.raises(PositionError, match="edge cannot be drawn now"):
        Auctioned(P0={"card": "low"}, draws=["edge"]).play("P1", Bid("low"))
    assert Auctioned(P0={"card": "low"}, draws=["tails"]).drawing().undrawn == ("tails",)


def test_nobody_plays_for_an_empty_seat() -> None:
    with pytest.raises(Unexpected, match="P2 does not play"):
        Auctioned().play("P2", Bid("low"))


FILE = """game: auction
title: all bid at once
given: {players: 3, P1: {shares: 2}}
cases:
  - case: in any order
    first:
      owed: [P2, P0, P1]
      offers: [{do: Bid, card: low}, {player: P1, do: SellShare, count: 2}]
      offers_only: [{do: Bid}, {player: P1, do: SellShare}]
      offers_not: [{do: SellShare, count: 3}]
    when:
      - player: P2
        do: Bid
        card: high
        then:
          owed: [P0, P1]
          decision: {player: P1, kind: bid}
          offers_not: [{player: P2, do: Bid}]
          seen_by:
            P2: {facts: [{fact: BidMade, seat: P2, card: high}]}
            P0: {facts: [{fact: BidMade, seat: P2, card: null}], no_facts: [{fact: BidMade, card: high}]}
            spectator: {facts_in_order: [{fact: BidMade, card: null}]}
      - {player: P1, do: SellShare}
      - {player: P2, do: SellShare, refused: NO_SHARE, clause: AU-3}
      - {player: P2, do: Bid, card: low, refused: NOT_YOUR_DECISION}
      - {player: P1, do: Bid, card: low}
      - {player: P0, do: Bid, card: low, draws: [tails]}
    then:
      facts: [{fact: BidsRevealed, entries: [{seat: P0}, {card: low}, {seat: P2, card: high}]}]
      side: tails
      decision: null
      P1: {shares: 1, card: low}
      score: {P1: {shares: 1, total: 1}}
      ranking: [P1, P0, P2]
"""


def test_a_scenario_says_all_of_this() -> None:
    assert FILES.run(FILE) == []


@pytest.mark.parametrize(
    ("change", "line", "what"),
    [
        (("owed: [P2, P0, P1]", "owed: [P2, P0]"), 7, "owed"),
        (("do: SellShare, count: 2}]", "do: SellShare, count: 4}]"), 8, "options"),
        (("do: SellShare}]\n      offers_not", "do: SellShare, count: 1}]\n      offers_not"), 9, "options"),
        (("offers_not: [{player: P2, do: Bid}]", "offers_not: [{player: P0, do: Bid}]"), 18, "options"),
        (("P2: {facts: [{fact: BidMade, seat: P2, card: high", "P2: {facts: [{fact: BidMade, card: null"), 20,
         "facts seen by P2"),
        (("seat: P2, card: null", "seat: P2, card: high"), 21, "facts seen by P0"),
        (("[{fact: BidMade, card: null}]", "[{fact: CoinTossed}]"), 22, "facts seen by spectator"),
        (("side: tails", "side: heads"), 30, "side"),
        (("{seat: P2, card: high}", "{seat: P2, card: low}"), 29, "facts"),
    ],
)  # fmt: skip
def test_what_differs_is_named_with_its_line(change: tuple[str, str], line: int, what: str) -> None:
    (difference,) = FILES.run(FILE.replace(*change))
    assert (difference.line, difference.what) == (line, what)


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (("draws: [tails]", "draws: [edge]"), 27, "edge cannot be drawn now"),
        (("draws: [tails]", "draws: [tails, heads]"), 27, "heads is not drawn"),
        (("players: 3", "players: 2"), 12, "P2 does not play"),
        (("player: P2\n", "player: P9\n"), 12, "Invalid enum value 'P9'"),
        (("P1: {shares: 2}", "P1: {shares: 10}"), 3, "there are 9"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(change: tuple[str, str], line: int, reason: str) -> None:
    with pytest.raises(BadScenario, match=re.escape(reason)) as caught:
        FILES.run(FILE.replace(*change))
    assert caught.value.line == line

"""Sealed Bids: a game of a minute, to examine the suite with what Oil Rock does not have.

Every seat holds the bids 1 to 4. Each round a prize is drawn and everybody bids in secret, at once; the highest bid
wins the prize if nobody else bids as high. A bid is spent once. Three rounds. Whoever has points may concede one at any
time.

The envelopes of the contract name the games there are; this one travels as text inside those of Oil Rock.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from wellhead.oil_rock.v1 import commands_pb2, events_pb2, view_pb2
from wellhead.v1 import game_pb2
from wellhead_rules.kernel.chance import Chance, Shuffler
from wellhead_rules.kernel.ruleset import FINAL, Deed, Owed, PackInfo, Scenarios, Taken
from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine
from wellhead_rules.kernel.violations import RuleViolation

ROUNDS = 3
BIDS = (1, 2, 3, 4)
PRIZES = 6
CODES = frozenset(
    {"GAME_OVER", "STALE_DECISION", "COMMAND_NOT_EXPECTED", "BID_SPENT", "UNKNOWN_OPTION", "NOTHING_TO_CONCEDE"}
)
UNKNOWN = -1


class Bid(Struct, frozen=True):
    """Bids so much; `amount` is None for whoever may not see it."""

    amount: int | None


class Concede(Struct, frozen=True):
    """Gives up a point."""


class RoundOpened(Struct, frozen=True, tag=True):
    """A prize lies open."""

    round: int
    prize: int


class BidPlaced(Struct, frozen=True, tag=True):
    """A bid lies face down; `amount` is None for whoever may not see it."""

    seat: int
    amount: int | None


class BidsTurned(Struct, frozen=True, tag=True):
    """All bids are turned up."""

    amounts: tuple[int, ...]
    winner: int


class PointConceded(Struct, frozen=True, tag=True):
    """A seat has given up a point."""

    seat: int


class Over(Struct, frozen=True, tag=True):
    """The rounds are over."""


class Ranked(Struct, frozen=True, tag=True):
    """The game is over."""

    seats: tuple[int, ...]


Command = Bid | Concede
Fact = RoundOpened | BidPlaced | BidsTurned | PointConceded | Over | Ranked


class State(Struct):
    """The whole position."""

    hands: list[tuple[int, ...]]
    placed: list[int | None]
    points: list[int]
    round: int = 0
    prize: int = 0
    over: bool = False
    ranking: tuple[int, ...] = ()


class SealedBids:
    """The ruleset."""

    name = "sealed_bids"
    version = "1"
    seat_counts = range(2, 5)
    max_commands = ROUNDS * (4 + PRIZES)

    def packs(self) -> Mapping[str, PackInfo]:
        return {"plain": PackInfo("plain", "1", "0" * 64)}

    def changes(self) -> str:
        return ""

    def options(self, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
        if chosen:
            raise RuleViolation("UNKNOWN_OPTION", "SB.0", "there are no options")
        return {}

    def colours(self, wanted: Sequence[str]) -> list[str]:
        return [str(seat) for seat in range(len(wanted))]

    def new(self, pack: str, options: Mapping[str, str], colours: Sequence[str]) -> State:
        seats = len(colours)
        return State([BIDS] * seats, [None] * seats, [0] * seats)

    def begin(self, state: State, chance: Chance) -> list[Fact]:
        return self._record(state, self._open(1, chance))

    def play(self, state: State, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Fact]:
        self._check(state, seat, decision_id, command)
        if isinstance(command, Concede):
            return self._record(state, PointConceded(seat))
        facts = self._record(state, BidPlaced(seat, command.amount))
        if all(bid is not None for bid in state.placed):
            bids = tuple(bid or 0 for bid in state.placed)
            winner = bids.index(max(bids)) if bids.count(max(bids)) == 1 else UNKNOWN
            facts += self._record(state, BidsTurned(bids, winner))
            facts += self._record(state, Over() if state.round == ROUNDS else self._open(state.round + 1, chance))
        return facts

    def _check(self, state: State, seat: int, decision_id: int, command: Command) -> None:
        if state.over:
            raise RuleViolation("GAME_OVER", "SB.5", "the rounds are over")
        owes = any((owed.seat, owed.decision_id) == (seat, decision_id) for owed in self.decisions(state))
        if not owes and not (decision_id == 0 and isinstance(command, Concede)):
            raise RuleViolation("STALE_DECISION", "SB.2", "nothing of the kind is owed")
        if isinstance(command, Concede):
            if command not in self.anytime(state, seat):
                raise RuleViolation("NOTHING_TO_CONCEDE", "SB.6", "there is no point to give up")
        elif command not in self.legal(state, seat):
            raise RuleViolation("BID_SPENT", "SB.3", f"{command.amount} is not in hand")

    def _open(self, round: int, chance: Chance) -> RoundOpened:
        return RoundOpened(round, 1 + chance.draw(PRIZES))

    def _record(self, state: State, fact: Fact) -> list[Fact]:
        self.evolve(state, fact)
        return [fact]

    def evolve(self, state: State, event: Fact) -> None:
        match event:
            case RoundOpened(round=round, prize=prize):
                state.round, state.prize = round, prize
            case BidPlaced(seat=seat, amount=amount):
                state.placed[seat] = UNKNOWN if amount is None else amount
            case BidsTurned(amounts=amounts, winner=winner):
                state.hands = [
                    tuple(bid for bid in hand if bid != spent) for hand, spent in zip(state.hands, amounts, strict=True)
                ]
                state.placed = [None] * len(state.placed)
                if winner != UNKNOWN:
                    state.points[winner] += state.prize
            case PointConceded(seat=seat):
                state.points[seat] -= 1
            case Over():
                state.over = True
            case Ranked(seats=seats):
                state.ranking = tuple(seats)

    def clone(self, state: State) -> State:
        return msgspec.structs.replace(
            state, hands=list(state.hands), placed=list(state.placed), points=list(state.points)
        )

    def decisions(self, state: State) -> Sequence[Owed]:
        if state.over:
            return ()
        return [Owed(state.round, seat, "bid") for seat, bid in enumerate(state.placed) if bid is None]

    def legal(self, state: State, seat: int) -> Sequence[Command]:
        owes = not state.over and state.placed[seat] is None
        return [Bid(amount) for amount in state.hands[seat]] if owes else []

    def anytime(self, state: State, seat: int) -> Sequence[Command]:
        return [Concede()] if state.points[seat] and not state.over else []

    def absent(self, state: State, seat: int) -> Command:
        return Bid(min(state.hands[seat]))

    def passing(self, state: State, seat: int) -> Command | None:
        return Bid(BIDS[0]) if BIDS[0] in state.hands[seat] else None

    def scoring_due(self, state: State) -> Sequence[int]:
        return [FINAL] if state.over and not state.ranking else []

    def award(self, state: State, round: int) -> tuple[ScoreLine, ...]:
        return ()

    def record_award(self, state: State, round: int, lines: Sequence[ScoreLine]) -> list[Fact]:
        return []

    def score(self, state: State) -> ScoreCard:
        lines = tuple(ScoreLine(seat, "prizes", points, "SB.4") for seat, points in enumerate(state.points))
        ranked = sorted(lines, key=lambda line: (-line.points, line.seat))
        return ScoreCard(lines, tuple(Rank(line.seat, line.points) for line in ranked))

    def record_final(self, state: State, card: ScoreCard) -> list[Fact]:
        return self._record(state, Ranked(tuple(rank.seat for rank in card.ranking)))

    def ended(self, state: State) -> bool:
        return bool(state.ranking)

    def hidden_from(self, event: Fact) -> int | None:
        return event.seat if isinstance(event, BidPlaced) else None

    def redact(self, event: Fact, viewer: int | None) -> Fact:
        return BidPlaced(event.seat, None) if isinstance(event, BidPlaced) and event.seat != viewer else event

    def redact_command(self, command: Command) -> Command:
        return Bid(None) if isinstance(command, Bid) and command.amount is not None else command

    def barrier(self, event: Fact) -> bool:
        return isinstance(event, BidsTurned)

    def determinise(self, state: State, seat: int, random: Shuffler) -> State:
        sampled = self.clone(state)
        for other, bid in enumerate(state.placed):
            if other != seat and bid is not None:
                possible = list(state.hands[other])
                random.shuffle(possible)
                sampled.placed[other] = possible[0]
        return sampled

    def worth(self, state: State, seat: int) -> float:
        return float(state.points[seat])

    def things(self, pack: str, seats: int) -> Mapping[str, Mapping[str, str]]:
        return {}

    def taken(self, event: Fact) -> Taken | None:
        return None

    def round_begun(self, event: Fact) -> int | None:
        return event.round if isinstance(event, RoundOpened) else None

    def round_over(self, event: Fact) -> int | None:
        return event.round - 1 if isinstance(event, RoundOpened) and event.round > 1 else None

    def deed(self, event: Fact) -> Deed | None:
        return Deed(event.seat, "conceded", "point", "points") if isinstance(event, PointConceded) else None

    def scenarios(self) -> Scenarios:
        return Scenarios(lambda text: [], dict)

    def option_id(self, command: Command) -> str:
        return "concede" if isinstance(command, Concede) else f"bid:{command.amount}"

    def option_label(self, state: State, command: Command) -> str:
        if isinstance(command, Concede):
            return "Concede a point"
        return f"Bid {command.amount or 'in secret'} for {state.prize}"

    def prompt(self, state: State, owed: Owed) -> str:
        return f"How much for {state.prize}?"

    def describe(self, state: State, event: Fact) -> str:
        return str(event)

    def command_to_proto(self, command: Command) -> game_pb2.Command:
        if isinstance(command, Concede):
            return game_pb2.Command(oil_rock=commands_pb2.Command(end_turn=commands_pb2.EndTurn()))
        bid = commands_pb2.ChooseOption(index=command.amount or 0)
        return game_pb2.Command(oil_rock=commands_pb2.Command(choose_option=bid))

    def command_from_proto(self, message: game_pb2.Command) -> Command:
        match message.oil_rock.WhichOneof("kind"):
            case "choose_option":
                return Bid(message.oil_rock.choose_option.index or None)
            case "end_turn":
                return Concede()
        raise RuleViolation("COMMAND_NOT_EXPECTED", "SB.2", "neither a bid nor a concession")

    def events_to_proto(self, events: Iterable[Fact]) -> game_pb2.Events:
        texts = [msgspec.json.encode(event).decode() for event in events]
        listed = [events_pb2.Event(effect_skipped=events_pb2.EffectSkipped(effects=text)) for text in texts]
        return game_pb2.Events(oil_rock=events_pb2.EventList(events=listed))

    def events_from_proto(self, message: game_pb2.Events) -> list[Fact]:
        texts = [event.effect_skipped.effects for event in message.oil_rock.events]
        return [msgspec.json.decode(text, type=Fact) for text in texts]

    def view(self, state: State, viewer: int | None) -> game_pb2.View:
        shown: dict[str, Any] = msgspec.to_builtins(state)
        shown["placed"] = [bid if bid is None or seat == viewer else UNKNOWN for seat, bid in enumerate(state.placed)]
        return game_pb2.View(oil_rock=view_pb2.View(display=[msgspec.json.encode(shown).decode()]))

    def snapshot(self, state: State) -> bytes:
        return msgspec.msgpack.encode(state)

"""Oilfield as a ruleset: the contract of the kernel, answered by the chapters."""

from collections.abc import Iterable, Mapping, Sequence

from wellhead.v1 import game_pb2
from wellhead_rules.kernel import packs as kernel_packs
from wellhead_rules.kernel.chance import Chance, Shuffler
from wellhead_rules.kernel.ruleset import FINAL, Deed, Owed, PackInfo, Scenarios, Taken
from wellhead_rules.kernel.scores import ScoreCard, ScoreLine
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import (
    agenda,
    commands,
    content,
    deeds,
    investments,
    rendering,
    scoring,
    setup,
    statistics,
    view,
)
from wellhead_rules.oilfield.codec import CODEC
from wellhead_rules.oilfield.commands import Command
from wellhead_rules.oilfield.events import Event, RoundStarted
from wellhead_rules.oilfield.evolve import FOLDS
from wellhead_rules.oilfield.game import NO_CARD, Game, Player
from wellhead_rules.oilfield.vocabulary import DecisionKind, Phase
from wellhead_rules.oilfield.worth import worth

_KIND_NAMES = {kind: kind.name.lower() for kind in DecisionKind}
_BOOLEANS = ("false", "true")
_IDLE = (commands.PassAction, commands.FinishDrilling, commands.FinishNational)


def _reluctance(game: Game, command: Command) -> int:
    """How little somebody who is away would want it; a space for the worker costs its bid (OF-4.6)."""
    if isinstance(command, commands.PlaceWorker):
        return game.content.spaces[game.content.space_index[command.space_id]].bid
    return -1 if isinstance(command, _IDLE) else 0


class Oilfield:
    """The ruleset (section E). See `wellhead_rules.kernel.ruleset.Ruleset` for what each function promises."""

    name = "oilfield"
    version = "1.0.0"
    seat_counts = range(2, 6)
    max_commands = 2036  # section E: 400 n + 36 for n players

    # -- beginning ---------------------------------------------------------------------------------------------

    def packs(self) -> Mapping[str, PackInfo]:
        """The content packs shipped with the rules."""
        return {name: pack.info for name, pack in content.packs().items()}

    def changes(self) -> str:
        """The change log of the content packs."""
        return kernel_packs.changes(content.PACKAGE)

    def options(self, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
        """The options of OF-1.2 and OF-1.8, defaults filled in."""
        pack = next(iter(content.packs().values())).data.options.items
        listed = [option for option in pack if seats in (option.only_players or self.seat_counts)]
        values = {option.id: option.values or _BOOLEANS for option in listed}
        for option, value in chosen.items():
            if option not in values:
                raise RuleViolation("UNKNOWN_OPTION", "OF-1.2", f"there is no option {option!r} with {seats} players")
            if value not in values[option]:
                allowed = ", ".join(values[option])
                raise RuleViolation("UNKNOWN_OPTION", "OF-1.2", f"{option} is one of {allowed}, not {value!r}")
        return {**{option.id: str(option.default).lower() for option in listed}, **chosen}

    def colours(self, wanted: Sequence[str]) -> list[str]:
        """A different colour for every seat (OF-2.2)."""
        known = next(iter(content.packs().values())).data.player_colors.items
        left = list(known)
        for colour in filter(None, wanted):
            if colour not in left:
                code = "DUPLICATE_COLOUR" if colour in known else "UNKNOWN_COLOUR"
                detail = "taken" if colour in known else "not a player colour"
                raise RuleViolation(code, "OF-2.2", f"{colour!r} is {detail}")
            left.remove(colour)
        return [colour or left.pop(0) for colour in wanted]

    def new(self, pack: str, options: Mapping[str, str], colours: Sequence[str]) -> Game:
        """The state before the first fact."""
        return Game(content.packs()[pack], dict(options), [Player(seat, colour) for seat, colour in enumerate(colours)])

    def begin(self, state: Game, chance: Chance) -> list[Event]:
        """Setup, up to the first decision (OF-2)."""

        def set_up() -> None:
            setup.set_up(state)
            agenda.advance(state)

        return state.run(chance, set_up)

    # -- playing -----------------------------------------------------------------------------------------------

    def play(self, state: Game, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Event]:
        """Carries a command out in place."""
        return state.run(chance, lambda: agenda.answer(state, seat, decision_id, command))

    def evolve(self, state: Game, event: Event) -> None:
        """Folds one fact."""
        state.choices = None
        FOLDS[event.__class__](state, event)

    def clone(self, state: Game) -> Game:
        """A copy that shares nothing mutable."""
        return state.clone()

    def decisions(self, state: Game) -> Sequence[Owed]:
        """The open decision, for every seat that owes it (section E)."""
        opened = state.open
        if opened is None:
            return ()
        kind = _KIND_NAMES[opened.kind]
        return [Owed(opened.decision_id, seat, kind) for seat in opened.seats]

    def legal(self, state: Game, seat: int) -> Sequence[Command]:
        """Every legal answer of the seat to the open decision."""
        if state.open is None or seat not in state.open.seats:
            return ()
        return agenda.listed_options(state)

    def anytime(self, state: Game, seat: int) -> Sequence[Command]:
        """The sales of investments (OF-14.10)."""
        return investments.sales(state, seat)

    def absent(self, state: Game, seat: int) -> Command:
        """A pass or the end of an action; or else the first answer, of spaces for the worker that of the lowest bid."""
        return min(self.legal(state, seat), key=lambda command: _reluctance(state, command))

    def passing(self, state: Game, seat: int) -> Command | None:
        """A pass or the end of an action."""
        return next((each for each in self.legal(state, seat) if isinstance(each, _IDLE)), None)

    # -- scoring -----------------------------------------------------------------------------------------------

    def scoring_due(self, state: Game) -> Sequence[int]:
        """The final score, and nothing before it."""
        return [FINAL] if state.phase == Phase.FINAL_SCORING else []

    def award(self, state: Game, round: int) -> tuple[ScoreLine, ...]:
        """Rounds have no awards."""
        return ()

    def record_award(self, state: Game, round: int, lines: Sequence[ScoreLine]) -> list[Event]:
        """Rounds have no awards."""
        raise RuleViolation("SCORE_NOT_DUE", "OF-19.1", "there are no awards in this game")

    def score(self, state: Game) -> ScoreCard:
        """The itemised score if the game ended now (section G)."""
        return scoring.score(state)

    def record_final(self, state: Game, card: ScoreCard) -> list[Event]:
        """Records the final score (OF-19)."""
        return state.run(None, lambda: scoring.record_final(state, card))

    def ended(self, state: Game) -> bool:
        """The final score has been recorded."""
        return state.phase == Phase.GAME_OVER

    # -- hidden information ------------------------------------------------------------------------------------

    def hidden_from(self, event: Event) -> int | None:
        """The only seat that may see the whole fact (F.3)."""
        return view.hidden_from(event)

    def redact(self, event: Event, viewer: int | None) -> Event:
        """The fact as the viewer may see it (F.3)."""
        return view.redact(event, viewer)

    def redact_command(self, command: Command) -> Command:
        """The command as anybody but its sender may see it (F.3)."""
        return view.redact_command(command)

    def barrier(self, event: Event) -> bool:
        """Cards or tiles are turned up."""
        return view.is_news(event)

    def determinise(self, state: Game, seat: int, random: Shuffler) -> Game:
        """Samples the cards that the other seats have committed: any of the five, each as likely."""
        sampled = state.clone()
        if state.revealed:
            return sampled
        committed = list(state.committed)
        for other, card in enumerate(committed):
            if other != seat and card != NO_CARD:
                cards = [int(each) for each in state.content.cards]
                random.shuffle(cards)
                committed[other] = cards[0]
        sampled.committed = tuple(committed)
        return sampled

    # -- judgement and statistics ------------------------------------------------------------------------------

    def worth(self, state: Game, seat: int) -> float:
        """A guess at the points of the seat at the end."""
        return worth(state, seat)

    def things(self, pack: str, seats: int) -> Mapping[str, Mapping[str, str]]:
        """Actions, building tiles, leases and investments."""
        return statistics.things(content.packs()[pack], seats)

    def taken(self, event: Event) -> Taken | None:
        """The thing that a seat has taken by this fact."""
        return statistics.taken(event)

    def round_begun(self, event: Event) -> int | None:
        """The number of the round that begins with this fact."""
        return event.round if isinstance(event, RoundStarted) else None

    def round_over(self, event: Event) -> int | None:
        """A round is over when the next one starts."""
        return event.round - 1 if isinstance(event, RoundStarted) and event.round > 1 else None

    def deed(self, event: Event) -> Deed | None:
        """What a seat has done by this fact."""
        return deeds.deed(event)

    def scenarios(self) -> Scenarios:
        """Its scenario files."""
        from wellhead_rules.oilfield import scenarios

        return Scenarios(scenarios.run, scenarios.schema)

    # -- words -------------------------------------------------------------------------------------------------

    def option_id(self, command: Command) -> str:
        """Stable id of a command as an option, for instance `take_lease:austin`."""
        return rendering.option_id(command)

    def option_label(self, state: Game, command: Command) -> str:
        """The command in plain words."""
        return rendering.label(state, command)

    def prompt(self, state: Game, owed: Owed) -> str:
        """The question in plain words."""
        return rendering.prompt(state, DecisionKind[owed.kind.upper()])

    def describe(self, state: Game, event: Event) -> str:
        """The fact in plain words."""
        return rendering.describe(state, event)

    # -- the edge ----------------------------------------------------------------------------------------------

    def command_to_proto(self, command: Command) -> game_pb2.Command:
        """The command in its envelope."""
        return CODEC.command_to_proto(command)

    def command_from_proto(self, message: game_pb2.Command) -> Command:
        """The command out of its envelope."""
        command: Command = CODEC.command_from_proto(message)
        return command

    def events_to_proto(self, events: Iterable[Event]) -> game_pb2.Events:
        """Facts in their envelope."""
        return CODEC.events_to_proto(events)

    def events_from_proto(self, message: game_pb2.Events) -> list[Event]:
        """Facts out of their envelope."""
        return CODEC.events_from_proto(message)

    def view(self, state: Game, viewer: int | None) -> game_pb2.View:
        """The table as the viewer may see it."""
        return view.view(state, viewer)

    def snapshot(self, state: Game) -> bytes:
        """The whole state in canonical bytes."""
        return state.snapshot()

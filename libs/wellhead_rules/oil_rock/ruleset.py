"""Oil Rock as a ruleset: the contract of the kernel, answered by the chapters."""

from collections.abc import Iterable, Mapping, Sequence

from wellhead.v1 import game_pb2
from wellhead_rules.kernel import packs as kernel_packs
from wellhead_rules.kernel.chance import Chance, Shuffler
from wellhead_rules.kernel.ruleset import FINAL, Deed, Owed, PackInfo, Scenarios, Taken
from wellhead_rules.kernel.scores import ScoreCard, ScoreLine
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import (
    agenda,
    codec,
    commands,
    content,
    deeds,
    rendering,
    scoring,
    setup,
    statistics,
    view,
)
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.evolve import FOLDS
from wellhead_rules.oil_rock.game import UNSEEN, Game, Player
from wellhead_rules.oil_rock.vocabulary import DecisionKind, PlayerColour
from wellhead_rules.oil_rock.worth import worth

_IDLE = (
    commands.EndTurn, commands.EndPhaseTurn, commands.DeclineEffect, commands.StopPaying, commands.KeepEngineer,
    commands.ForgoSource,
)  # fmt: skip
"""What a player does who wants nothing, the sooner the better."""


_DECLINED = tuple(each for each in _IDLE if each is not commands.ForgoSource)
"""What gives up nothing that is the player's already."""


def _reluctance(command: Command) -> int:
    """How little somebody who is away would want it; a worker on the Copy space costs Progress (OR-COPY.1)."""
    if command.__class__ in _IDLE:
        return _IDLE.index(command.__class__)
    return len(_IDLE) + isinstance(command, commands.PlaceOnCopy)


KIND_NAMES = {kind: kind.name.lower() for kind in DecisionKind}


class OilRock:
    """The ruleset (section E). See `wellhead_rules.kernel.ruleset.Ruleset` for what each function promises."""

    name = "oil_rock"
    version = "1.0.0"
    seat_counts = range(2, 5)
    max_commands = 2000

    # -- beginning ---------------------------------------------------------------------------------------------

    def packs(self) -> Mapping[str, PackInfo]:
        """The content packs shipped with the rules."""
        return {name: pack.info for name, pack in content.packs().items()}

    def changes(self) -> str:
        """The change log of the content packs."""
        return kernel_packs.changes(content.PACKAGE)

    def options(self, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
        """The options of H.14, defaults filled in."""
        defaults = next(iter(content.packs().values())).default_options
        for option, value in chosen.items():
            if option not in content.OPTIONS:
                raise RuleViolation("UNKNOWN_OPTION", "OR-GEN.1", f"there is no option {option!r}")
            if value not in content.OPTIONS[option]:
                allowed = ", ".join(content.OPTIONS[option])
                raise RuleViolation("UNKNOWN_OPTION", "OR-GEN.1", f"{option} is one of {allowed}, not {value!r}")
        return {**defaults, **chosen}

    def colours(self, wanted: Sequence[str]) -> list[str]:
        """A different colour for every seat (OR-SETUP.9)."""
        left = [colour.name.lower() for colour in PlayerColour]
        for colour in filter(None, wanted):
            if colour not in left:
                known = colour.upper() in PlayerColour.__members__
                code = "DUPLICATE_COLOUR" if known else "UNKNOWN_COLOUR"
                raise RuleViolation(code, "OR-SETUP.9", f"{colour!r} is {'taken' if known else 'not a player colour'}")
            left.remove(colour)
        return [colour or left.pop(0) for colour in wanted]

    def new(self, pack: str, options: Mapping[str, str], colours: Sequence[str]) -> Game:
        """The state before the first fact."""
        players = [Player(seat, PlayerColour[colour.upper()]) for seat, colour in enumerate(colours)]
        return Game(content.packs()[pack], dict(options), players)

    def begin(self, state: Game, chance: Chance) -> list[Event]:
        """Setup, up to the first decision (OR-SETUP.19)."""

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
        FOLDS[event.__class__](state, event)

    def clone(self, state: Game) -> Game:
        """A copy that shares nothing mutable."""
        return state.clone()

    def decisions(self, state: Game) -> Sequence[Owed]:
        """The open decision, if there is one (E.1, point 1)."""
        opened = state.open
        if opened is None:
            return ()
        return (Owed(opened.decision_id, opened.owner, KIND_NAMES[opened.kind]),)

    def legal(self, state: Game, seat: int) -> Sequence[Command]:
        """Every legal answer of the seat to the open decision."""
        if state.open is None or state.open.owner != seat:
            return ()
        return agenda.listed_options(state)

    def anytime(self, state: Game, seat: int) -> Sequence[Command]:
        """Nothing: every command answers a decision."""
        return ()

    def absent(self, state: Game, seat: int) -> Command:
        """What does and costs nothing, as early as it is allowed; or else the first answer that costs no Progress."""
        return min(self.legal(state, seat), key=_reluctance)

    def passing(self, state: Game, seat: int) -> Command | None:
        """The end of a turn, or what declines an effect; nothing that is pending already is given up for it."""
        answers = [each for each in self.legal(state, seat) if isinstance(each, _DECLINED)]
        return min(answers, key=_reluctance, default=None)

    # -- scoring -----------------------------------------------------------------------------------------------

    def scoring_due(self, state: Game) -> Sequence[int]:
        """Rounds whose goal has been turned face down without its award; then the final score."""
        if state.goals_due:
            return [due.round for due in state.goals_due]
        return [FINAL] if state.final_due else []

    def award(self, state: Game, round: int) -> tuple[ScoreLine, ...]:
        """The award of a goal (OR-GOAL.2)."""
        return scoring.award(state, round)

    def record_award(self, state: Game, round: int, lines: Sequence[ScoreLine]) -> list[Event]:
        """Records the award of a goal."""
        return state.run(None, lambda: scoring.record_award(state, round, lines))

    def score(self, state: Game) -> ScoreCard:
        """The itemised score if the game ended now (G.3)."""
        return scoring.score(state)

    def record_final(self, state: Game, card: ScoreCard) -> list[Event]:
        """Records the final score (OR-END.9)."""
        return state.run(None, lambda: scoring.record_final(state, card))

    def ended(self, state: Game) -> bool:
        """The final score has been recorded."""
        return bool(state.ranking)

    # -- hidden information ------------------------------------------------------------------------------------

    def hidden_from(self, event: Event) -> int | None:
        """The only seat that may see the whole fact (F.2)."""
        return view.hidden_from(event)

    def redact(self, event: Event, viewer: int | None) -> Event:
        """The fact as the viewer may see it (F.2)."""
        return view.redact(event, viewer)

    def redact_command(self, command: Command) -> Command:
        """The command itself: players act in the open."""
        return command

    def barrier(self, event: Event) -> bool:
        """Cards of the deck are seen by somebody: turned up, looked at, or shown."""
        return view.is_news(event)

    def determinise(self, state: Game, seat: int, random: Shuffler) -> Game:
        """Samples the cards that the seat cannot know: those under the deck and those another player looks at."""
        sampled = state.clone()
        sampled.choices = None
        unknown = list(sampled.deck)
        if seat != state.looker:
            unknown += [card for card in (*sampled.deck_bottom, *sampled.looked_at) if card != UNSEEN]
            random.shuffle(unknown)
            sampled.deck_bottom = tuple(unknown.pop() for _ in sampled.deck_bottom)
            sampled.looked_at = tuple(unknown.pop() for _ in sampled.looked_at)
            sampled.deck = tuple(card for card in state.content.improvements if card in set(unknown))
        return sampled

    # -- judgement and statistics ------------------------------------------------------------------------------

    def worth(self, state: Game, seat: int) -> float:
        """A guess at the points of the seat at the end."""
        return worth(state, seat)

    def things(self, pack: str, seats: int) -> Mapping[str, Mapping[str, str]]:
        """Characters, Action tiles, Improvements and what else statistics count."""
        return statistics.things(content.packs()[pack], seats)

    def taken(self, event: Event) -> Taken | None:
        """The thing that a seat has taken by this fact."""
        return statistics.taken(event)

    def round_begun(self, event: Event) -> int | None:
        """The round that begins with this fact (OR-GEN.2)."""
        return deeds.round_begun(event)

    def round_over(self, event: Event) -> int | None:
        """The round whose goal this fact has awarded (OR-GOAL.2)."""
        return deeds.round_over(event)

    def deed(self, event: Event) -> Deed | None:
        """What a seat has done by this fact, if it is worth telling."""
        return deeds.deed(event)

    def scenarios(self) -> Scenarios:
        """Positions posed in YAML, in the identifiers of the rules document."""
        from wellhead_rules.oil_rock import scenarios

        return Scenarios(scenarios.run, scenarios.schema)

    # -- words -------------------------------------------------------------------------------------------------

    def option_id(self, command: Command) -> str:
        """Stable id of a command as an option, for instance `build_office:R07:2`."""
        return rendering.option_id(command)

    def option_label(self, state: Game, command: Command) -> str:
        """The command in plain words."""
        return rendering.label(state, command)

    def prompt(self, state: Game, owed: Owed) -> str:
        """The question in plain words."""
        return rendering.prompt(state, owed.seat, DecisionKind[owed.kind.upper()])

    def describe(self, state: Game, event: Event) -> str:
        """The fact in plain words."""
        return rendering.describe(state, event)

    # -- the edge ----------------------------------------------------------------------------------------------

    def command_to_proto(self, command: Command) -> game_pb2.Command:
        """The command in its envelope."""
        return codec.command_to_proto(command)

    def command_from_proto(self, message: game_pb2.Command) -> Command:
        """The command out of its envelope."""
        command: Command = codec.command_from_proto(message)
        return command

    def events_to_proto(self, events: Iterable[Event]) -> game_pb2.Events:
        """Facts in their envelope."""
        return codec.events_to_proto(events)

    def events_from_proto(self, message: game_pb2.Events) -> list[Event]:
        """Facts out of their envelope."""
        return codec.events_from_proto(message)

    def view(self, state: Game, viewer: int | None) -> game_pb2.View:
        """The table as the viewer may see it (F.4)."""
        return view.view(state, viewer)

    def snapshot(self, state: Game) -> bytes:
        """The whole state in canonical bytes."""
        return state.snapshot()

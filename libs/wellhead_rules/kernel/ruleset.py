"""The contract of a game.

A game is a `Ruleset`: functions over its own state, without I/O, clock or hidden globals. `GameState` is opaque to
everybody but the game; `Command` and `Event` are the game's own small records. Protobuf appears only in the functions
of the last section, which the services and clients call at their edges.

A ruleset may rely on this and must keep it:

1. Only `evolve` changes state, and it folds facts: it checks nothing, draws nothing, and knows no rule of what follows.
   A log written by an older rules version folds for ever.
2. `play` records facts by folding them, so that play and replay cannot drift apart. A command is checked completely
   before the first fact is recorded: a refused command changes nothing (R-RULES-4).
3. `legal` and `anytime` are complete and sound: `play` accepts exactly what they list (R-RULES-2). A seat that owes a
   decision has at least one legal command (R-RULES-3). Several seats may owe one decision and answer in any order, with
   commands of `anytime` in between (R-RULES-9): a decision is known by its number and its seat.
4. At rest everything that is still to happen is in the state; any process can go on with any game.
5. Chance comes from the `chance` argument alone, and nothing is drawn before it is needed.
6. `view`, `redact` and `redact_command` are the only functions that decide what a viewer may see (R-RULES-7).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.chance import Chance, Shuffler
from wellhead_rules.kernel.scores import ScoreCard, ScoreLine

if TYPE_CHECKING:
    from wellhead_rules.kernel.scenarios import Difference

GameState = Any
"""State of a game; only its ruleset looks inside."""

Command = Any
"""A player's command, a small immutable record that compares by value."""

Event = Any
"""A fact, a small immutable record that compares by value."""

Viewer = int | None
"""The seat that looks, or None for a spectator."""

FINAL = 0
"""The round number that stands for the final score where scoring is due."""


class PackInfo(Struct, frozen=True):
    """A content pack: `digest` is the SHA-256 of its bytes in lower-case hexadecimal."""

    id: str
    version: str
    digest: str


class Owed(Struct, frozen=True):
    """A decision that a seat owes: its number, from 1, the seat, and what is asked in the rulebook's words.

    Several seats may owe one decision at once, each its own answer.
    """

    decision_id: int
    seat: int
    kind: str


class Taken(Struct, frozen=True):
    """A thing that a seat has taken, for statistics: its kind in the rulebook's words, and its id."""

    seat: int
    kind: str
    item: str


class Deed(Struct, frozen=True):
    """What a seat has done, worth telling: `verb`, and `count` of `one` thing or of `many`, as in built 2 drills."""

    seat: int
    verb: str
    one: str
    many: str
    count: int = 1


class Scenarios(Struct, frozen=True):
    """What a game offers for scenario files: `run` plays the text of one, `schema` is the JSON schema of all.

    `run` answers with what differs from what the file expects; BadScenario if it is no scenario.
    """

    run: "Callable[[str], list[Difference]]"
    schema: Callable[[], dict[str, Any]]


class Ruleset(Protocol):
    """One game. Attributes are constant."""

    name: str
    """Name in the registry and on the wire, in lower case with `_` between words."""
    version: str
    """Rules version; a game keeps the one it began with (R-RULES-12)."""
    seat_counts: range
    """Numbers of players the game takes."""
    max_commands: int
    """No game needs more player commands than this, those of `anytime` included (R-RULES-3)."""

    # -- beginning ---------------------------------------------------------------------------------------------

    def packs(self) -> Mapping[str, PackInfo]:
        """Every content pack at hand, by id; the first is the default."""

    def changes(self) -> str:
        """The change log of the content packs: what was tuned, and why. Markdown; empty if nothing ever was."""

    def options(self, chosen: Mapping[str, str], seats: int) -> dict[str, str]:
        """All options of a game of so many seats, defaults filled in; RuleViolation if a chosen one is none of them."""

    def colours(self, wanted: Sequence[str]) -> list[str]:
        """A colour for every seat, `wanted` ("" for any) granted; RuleViolation if one is unknown or wanted twice."""

    def new(self, pack: str, options: Mapping[str, str], colours: Sequence[str]) -> GameState:
        """The state before the first fact; one colour per seat."""

    def begin(self, state: GameState, chance: Chance) -> list[Event]:
        """Sets the game up in place, up to the first decision; the facts recorded."""

    # -- playing -----------------------------------------------------------------------------------------------

    def play(self, state: GameState, seat: int, decision_id: int, command: Command, chance: Chance) -> list[Event]:
        """Carries a command out in place; the facts recorded. RuleViolation, state as before, if it is illegal.

        A command of `anytime` takes 0, or the number of a decision that the seat owes; any other number is stale.
        """

    def evolve(self, state: GameState, event: Event) -> None:
        """Folds one fact into the state."""

    def clone(self, state: GameState) -> GameState:
        """A copy that shares nothing mutable."""

    def decisions(self, state: GameState) -> Sequence[Owed]:
        """The decisions owed now; empty when play is over."""

    def legal(self, state: GameState, seat: int) -> Sequence[Command]:
        """Every legal answer of the seat to the decision it owes, in a stable order; empty if it owes none."""

    def anytime(self, state: GameState, seat: int) -> Sequence[Command]:
        """Every command open to the seat besides, whoever owes what, in a stable order; it answers no decision.

        Whatever other seats owe stays owed. So does what the seat itself owes, unless a single answer was left to it:
        then the game may go on without asking. None of these commands is in `legal` too, and only so many can follow
        each other. Empty once play is over.
        """

    def absent(self, state: GameState, seat: int) -> Command:
        """The automatic answer for a seat whose player is away: a pass where there is one, or else what costs least.

        One of `legal`, and always the same in the same state. The seat owes a decision.
        """

    def passing(self, state: GameState, seat: int) -> Command | None:
        """The answer by which the seat declines what it is asked and gives up nothing else; None if it cannot.

        One of `legal`, and always the same in the same state. The seat owes a decision.
        """

    # -- scoring -----------------------------------------------------------------------------------------------

    def scoring_due(self, state: GameState) -> Sequence[int]:
        """Rounds whose award is due, in order; [FINAL] when only the final score is missing; empty otherwise."""

    def award(self, state: GameState, round: int) -> tuple[ScoreLine, ...]:
        """The award of a round that is due, a line a seat."""

    def record_award(self, state: GameState, round: int, lines: Sequence[ScoreLine]) -> list[Event]:
        """Records an award in place; RuleViolation if it is not due or differs from `award`."""

    def score(self, state: GameState) -> ScoreCard:
        """The itemised score if the game ended now."""

    def record_final(self, state: GameState, card: ScoreCard) -> list[Event]:
        """Records the final score in place; RuleViolation if it is not due or differs from `score`."""

    def ended(self, state: GameState) -> bool:
        """The final score has been recorded."""

    # -- hidden information ------------------------------------------------------------------------------------

    def hidden_from(self, event: Event) -> int | None:
        """The only seat that may see the whole event, or None if everybody may."""

    def redact(self, event: Event, viewer: Viewer) -> Event:
        """The event as the viewer may see it. It folds as well: what a viewer was told adds up to what it is shown."""

    def redact_command(self, command: Command) -> Command:
        """The command as anybody but its sender may see it; the same object if nothing in it is hidden."""

    def barrier(self, event: Event) -> bool:
        """Whether the fact tells anybody something that they could not have known: something hidden is turned up or
        looked at. What comes before it cannot be taken back. A draw is a barrier whatever the facts say.
        """

    def determinise(self, state: GameState, seat: int, random: Shuffler) -> GameState:
        """A copy in which everything that `seat` cannot know has been sampled from what it may think possible.

        Whatever else it shows is what `state` shows; a seat that knows everything gets an equal state.
        """

    # -- judgement and statistics ------------------------------------------------------------------------------

    def worth(self, state: GameState, seat: int) -> float:
        """A guess at the points of the seat at the end, for bots: judgement, not rules, and never part of a score.

        It changes nothing, draws nothing, knows nothing that the seat may not know, and is the score once play is over.
        The nearer to the points really made, the better the bots; and they ask it for thousands of positions a second.
        """

    def things(self, pack: str, seats: int) -> Mapping[str, Mapping[str, str]]:
        """What can be taken in a game of so many seats: by kind, in the order to show them, every id in plain words."""

    def taken(self, event: Event) -> Taken | None:
        """The thing of `things` that a seat has taken by this fact, if it is such a fact."""

    def round_begun(self, event: Event) -> int | None:
        """The number of the round that begins with this fact, if it is such a fact; rounds count from 1."""

    def round_over(self, event: Event) -> int | None:
        """The number of the round of which all is known with this fact, if it is such a fact.

        Where a round has an award that is the fact that records it: play may be further by then. The fact that begins
        a round may say that the one before is over. A round may also be over by the end of the game, without a fact.
        """

    def deed(self, event: Event) -> Deed | None:
        """What a seat has done by this fact, if it is worth telling; of a redacted fact as of the whole one.

        Deeds of the same words are told as one, in the order in which their words came up first.
        """

    def scenarios(self) -> Scenarios:
        """Its scenario files; what plays them is loaded when this is called, not before."""

    # -- words -------------------------------------------------------------------------------------------------

    def option_id(self, command: Command) -> str:
        """Stable id of a command as an option, unique among all commands."""

    def option_label(self, state: GameState, command: Command) -> str:
        """The command in plain words, also when it is redacted."""

    def prompt(self, state: GameState, owed: Owed) -> str:
        """The question in plain words."""

    def describe(self, state: GameState, event: Event) -> str:
        """The fact in plain words; empty for a fact that only the machinery needs."""

    # -- the edge ----------------------------------------------------------------------------------------------

    def command_to_proto(self, command: Command) -> game_pb2.Command:
        """The command in its envelope."""

    def command_from_proto(self, message: game_pb2.Command) -> Command:
        """The command out of its envelope, also when it is redacted.

        RuleViolation `COMMAND_NOT_EXPECTED` if it is another game's or empty.
        """

    def events_to_proto(self, events: Iterable[Event]) -> game_pb2.Events:
        """Facts in their envelope, exactly as given: redact first."""

    def events_from_proto(self, message: game_pb2.Events) -> list[Event]:
        """Facts out of their envelope; CorruptRecord if one is not known."""

    def view(self, state: GameState, viewer: Viewer) -> game_pb2.View:
        """The table as the viewer may see it."""

    def snapshot(self, state: GameState) -> bytes:
        """The whole state in canonical bytes: equal states, equal bytes. Secret; for comparing, never for sending."""

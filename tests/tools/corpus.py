"""What a game says about its corpus of recorded games, and where that is kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from wellhead_client.bots import Bot
from wellhead_rules.kernel.ruleset import Command, Event, GameState, PackInfo, Ruleset
from wellhead_rules.kernel.scores import ScoreCard

CORPUS = Path(__file__).parents[1] / "corpus"


class Cover(Protocol):
    """Watches one game; `claims` is what it has covered so far."""

    claims: set[str]

    def step(self, before: GameState, command: Command, facts: Iterable[Event], after: GameState) -> None:
        """One commit; `before` is None for the setup, `command` where nobody has sent one."""

    def end(self, game: GameState, card: ScoreCard) -> None:
        """The final score."""


@dataclass(frozen=True)
class Corpus:
    """The recorded games of one game.

    `about` says what they cover together, `wanted` lists it; `cover` watches a game with such options and players.
    `options` and `bots` make a game from its number, of which the randomness is that; `called` names a seat.
    """

    ruleset: Ruleset
    title: str
    about: str
    wanted: Callable[[], Iterator[str]]
    cover: Callable[[dict[str, str], int], Cover]
    options: Callable[[int, Random], Mapping[str, str]]
    bots: Callable[[int, Random], Sequence[Bot]]
    called: Callable[[GameState, int], str]

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return CORPUS / self.ruleset.name

    @property
    def index(self) -> Path:
        """The file that says which games are kept, and why."""
        return self.folder / "index.md"

    @property
    def prefix(self) -> str:
        """What the file of every game begins with; its number follows."""
        return f"{self.ruleset.name.replace('_', '-')}-"

    @property
    def pack(self) -> PackInfo:
        """The content pack that is played with."""
        return next(iter(self.ruleset.packs().values()))

"""Whole games, played and recorded in this process as the services record them: commits, chain, private parts."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from wellhead.v1 import log_pb2
from wellhead_client.bots import Bot, choices
from wellhead_client.policies import make_bot
from wellhead_eventlog import chain
from wellhead_eventlog.port import GENESIS, Entry, Head
from wellhead_rules.kernel import commits, table
from wellhead_rules.kernel.chance import game_seed
from wellhead_rules.kernel.ruleset import FINAL, Command, GameState, Owed, Ruleset
from wellhead_rules.kernel.table import Step, Table
from wellhead_rules.registry import RULESETS

EPOCH_US = 1_700_000_000_000_000
SHARE_IN_BETWEEN = 0.02
"""How often a seat acts that was not asked, where it can."""
SERVER_KEY = b"a server key for recorded games."


@dataclass
class Recording:
    """A game as it is stored, and where it stands."""

    game_id: str
    seed: bytes
    registry: Mapping[str, Ruleset]
    table: Table
    entries: list[Entry] = field(default_factory=list)

    @property
    def head(self) -> Head:
        return self.entries[-1].head if self.entries else GENESIS

    def commit(self, step: Step, actor: log_pb2.Actor, **command: object) -> None:
        """Stores what a command has done."""
        revision = self.head.revision + 1
        record = log_pb2.CommitRecord(**command)  # type: ignore[arg-type]
        key = hashlib.sha256(f"{self.game_id}/{revision}".encode()).digest()[:16]
        origin = commits.Origin(actor, key, EPOCH_US + revision)
        stored = commits.encode(step, record, origin, self.head.digest, self.seed)
        digest = chain.digest(self.head.digest, stored.public)
        self.entries.append(Entry(revision, digest, key, stored.public, stored.private, step.mark))
        self.table = step.table


def open_game(
    players: int, game: str = "oil_rock", registry: Mapping[str, Ruleset] = RULESETS, game_id: str = "recorded",
    options: Mapping[str, str] | None = None,
) -> Recording:  # fmt: skip
    """A table that is open and full."""
    seats = [log_pb2.TakeSeat(seat=seat, player=f"player-{seat}", nonce=bytes([seat])) for seat in range(players)]
    command = log_pb2.OpenTable(game=game, seat_count=players, seats=seats, options=options)
    seed = game_seed(SERVER_KEY, game_id)
    step = table.open_table(game_id, command, "organiser", registry, seed, "key-1")
    recording = Recording(game_id, seed, registry, step.table)
    recording.commit(step, log_pb2.Actor(user="organiser"), table_command=log_pb2.TableCommand(open=command))
    return recording


def play(
    recording: Recording, policy: Sequence[str] = ("random",), seed: int = 1, commands: int | None = None,
    bots: Sequence[Bot] = (), order: Random | None = None,
) -> None:  # fmt: skip
    """Starts the game and plays it to its end, or until so many of the players' commands are stored."""
    game = recording.table
    bots = bots or [make_bot(policy[seat % len(policy)], game.ruleset, seed + seat) for seat in range(len(game.seats))]
    start = table.start_game(game, recording.registry, recording.seed)
    command = log_pb2.TableCommand(start=log_pb2.StartGame())
    recording.commit(start, log_pb2.Actor(user="organiser"), table_command=command)
    played = 0
    while recording.table.status is not table.Status.ENDED:
        if record_due(recording):
            continue
        if played == commands:
            return
        seat, number, chosen = sent(game.ruleset, recording.table.game, bots, order)
        step = table.answer(recording.table, seat, number, chosen, recording.seed)
        stored = log_pb2.GameCommand(decision_id=number)
        recording.commit(step, log_pb2.Actor(seat=seat), game_command=stored)
        played += 1


def sent(
    ruleset: Ruleset, state: GameState, bots: Sequence[Bot], order: Random | None = None
) -> tuple[int, int, Command]:
    """The seat, the decision and the command that come next.

    The first seat that owes something is asked; with `order` any of them, and now and then a seat acts in between.
    """
    owed = ruleset.decisions(state)
    if order is None:
        return _answer(ruleset, state, bots, owed[0])
    anytime = [(seat, command) for seat in range(len(bots)) for command in ruleset.anytime(state, seat)]
    if anytime and order.random() < SHARE_IN_BETWEEN:
        seat, command = order.choice(anytime)
        return seat, 0, command
    return _answer(ruleset, state, bots, order.choice(owed))


def _answer(ruleset: Ruleset, state: GameState, bots: Sequence[Bot], owed: Owed) -> tuple[int, int, Command]:
    return owed.seat, owed.decision_id, bots[owed.seat].choose(state, owed, choices(ruleset, state, owed.seat))


def record_due(recording: Recording) -> bool:
    """Records the next score that is due, as the scoring service would; whether there was one."""
    game = recording.table
    if not game.scoring_due:
        return False
    round, scorer = game.scoring_due[0], log_pb2.Actor(service="scoring")
    if round == FINAL:
        card = game.ruleset.score(game.game)
        step = table.record_final(game, card, recording.registry, recording.seed)
        recording.commit(step, scorer, final_score=commits.score_card_to_proto(card, game.revision))
    else:
        lines = game.ruleset.award(game.game, round)
        step = table.record_award(game, round, lines)
        award = {"round": round, "lines": [commits.score_line_to_proto(line) for line in lines]}
        recording.commit(step, scorer, round_award=award)
    return True


def record_game(
    players: int, policy: Sequence[str] = ("random",), seed: int = 1, commands: int | None = None
) -> Recording:
    """A whole game of Oil Rock, or its beginning."""
    recording = open_game(players, game_id=f"recorded-{players}-{seed}")
    play(recording, policy, seed, commands)
    return recording

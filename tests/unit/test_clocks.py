"""Clocks are a fold of commits: every microsecond in which a seat owed something is charged to it, and nothing else."""

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.sealed_bids import SealedBids
from tests.support.recording import Recording, record_due
from wellhead.v1 import game_pb2, log_pb2
from wellhead_eventlog import chain
from wellhead_eventlog.port import Entry
from wellhead_rules.kernel import clocks, commits, expiry, table
from wellhead_rules.kernel.chance import game_seed
from wellhead_rules.kernel.clocks import Clock, Control
from wellhead_rules.kernel.ruleset import Owed
from wellhead_rules.kernel.table import Status, Table
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.registry import RULESETS
from wellhead_runtime import notation
from wellhead_runtime.proof import Fault, export_chunks, verify

pytestmark = pytest.mark.req("R-API-5")

SECOND = clocks.SECOND_US
REGISTRY = {**RULESETS, "sealed_bids": SealedBids()}
STOCK = Control("per_game", 60 * SECOND, 5 * SECOND)
EACH = Control("per_turn", 30 * SECOND, anew=True)


def owed(*pairs: tuple[int, int]) -> list[Owed]:
    return [Owed(number, seat, "turn") for seat, number in pairs]


def test_a_clock_runs_while_its_seat_owes_and_an_answer_adds_the_increment() -> None:
    now = clocks.advance(STOCK, clocks.new(STOCK, 2), owed((0, 1)), 0)
    assert [clock.decision_id for clock in now] == [1, 0]
    now = clocks.advance(STOCK, now, owed((1, 2)), 20 * SECOND)
    assert [clock.left_us for clock in now] == [45 * SECOND, 60 * SECOND]
    now = clocks.advance(STOCK, now, owed((1, 2)), 30 * SECOND)
    assert now[1] == Clock(50 * SECOND, 2, 30 * SECOND, 10 * SECOND)
    assert clocks.earliest(now) == 80 * SECOND
    assert now[1].reading(81 * SECOND) == -SECOND
    assert now[0].reading(10**12) == 45 * SECOND


def test_every_decision_has_its_own_time_under_a_control_that_says_so() -> None:
    now = clocks.advance(EACH, clocks.new(EACH, 1), owed((0, 1)), 0)
    now = clocks.advance(EACH, now, owed((0, 2)), 29 * SECOND)
    assert now[0] == Clock(30 * SECOND, 2, 29 * SECOND, 29 * SECOND)


def test_simultaneous_decisions_run_each_seats_own_clock() -> None:
    now = clocks.advance(STOCK, clocks.new(STOCK, 3), owed((0, 7), (1, 7), (2, 7)), 0)
    now = clocks.advance(STOCK, now, owed((0, 7), (2, 7)), 4 * SECOND)
    now = clocks.advance(STOCK, now, owed((2, 7)), 10 * SECOND)
    assert [clock.charged_us // SECOND for clock in now] == [10, 4, 10]
    assert [bool(clock.decision_id) for clock in now] == [False, False, True]


OWING = st.lists(st.dictionaries(st.integers(0, 3), st.integers(1, 5)), max_size=30)


@given(OWING, st.lists(st.integers(-SECOND, 10 * SECOND), min_size=30, max_size=30), st.sampled_from([STOCK, EACH]))
def test_charges_add_up_to_the_time_that_seats_have_owed(
    steps: list[dict[int, int]], pauses: list[int], control: Control
) -> None:
    now, folded, before, elapsed = 0, clocks.new(control, 4), set(), [0] * 4
    for due, pause in zip(steps, pauses, strict=False):
        later = max(now + pause, now)  # times of commits never go backwards
        for seat in before:
            elapsed[seat] += later - now
        now, before = later, set(due)
        folded = clocks.advance(control, folded, owed(*due.items()), now)
    assert [clock.charged_us for clock in folded] == elapsed
    assert all(clock.left_us >= 0 for clock in folded)


SPANS = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)).map(lambda pair: (min(pair), max(pair))))


@given(SPANS, st.integers(0, 100))
def test_a_moment_of_no_service_is_given_back_once(spans: list[clocks.Span], since: int) -> None:
    missed = {moment for start, end in spans for moment in range(max(start, since), end)}
    running = (Clock(1_000, 3, since), Clock(1_000))
    assert clocks.credits(running, spans) == ({0: len(missed)} if missed else {})
    end = max((end for _, end in spans), default=0)
    given_back = clocks.credit(running, 0, len(missed))
    after = clocks.advance(STOCK, given_back, owed((0, 3)), max(end, since))
    assert clocks.credits(after, spans) == {}
    assert after[0].charged_us == max(end, since) - since - len(missed)


# -- whole games, recorded ---------------------------------------------------------------------------------------------


class Timed(Recording):
    """A game whose commits have times."""

    now_us = 1_700_000_000 * SECOND

    def at(self, seconds: float) -> None:
        self.now_us += int(seconds * SECOND)

    def commit(self, step: table.Step, actor: log_pb2.Actor, **command: object) -> None:
        record = log_pb2.CommitRecord(**command)  # type: ignore[arg-type]
        key = b"%016d" % (self.head.revision + 1)
        origin = commits.Origin(actor, key, self.now_us)
        stored = commits.encode(step, record, origin, self.head.digest, self.seed)
        digest = chain.digest(self.head.digest, stored.public)
        self.entries.append(Entry(self.head.revision + 1, digest, key, stored.public, stored.private, step.mark))
        self.table = step.table

    def expire(self, choice: object = None) -> table.Step:
        found = next(
            each
            for each in self.table.owed
            if each.seat in self.table.absent or (clocks.reading(self.table.clocks, each.seat, self.now_us) or 0) <= 0
        )
        step = expiry.expire(
            self.table,
            found.seat,
            found.decision_id,
            choice,
            self.now_us,
            REGISTRY,
            self.seed,  # type: ignore[arg-type]
        )
        self.commit(step, log_pb2.Actor(service="clock"))
        return step


def timed(game: str = "oil_rock", players: int = 2, **terms: object) -> Timed:
    seats = [log_pb2.TakeSeat(seat=seat, player=f"player-{seat}") for seat in range(players)]
    terms.setdefault("time_control", game_pb2.TimeControl(correspondence=game_pb2.Correspondence(days=3)))
    command = log_pb2.OpenTable(game=game, seat_count=players, seats=seats, **terms)  # type: ignore[arg-type]
    seed = game_seed(b"a server key of tests.", "timed")
    step = table.open_table("timed", command, "organiser", REGISTRY, seed, "key-1")  # type: ignore[arg-type]
    recording = Timed("timed", seed, REGISTRY, step.table)  # type: ignore[arg-type]
    recording.commit(step, log_pb2.Actor(user="organiser"), table_command=log_pb2.TableCommand(open=command))
    start = table.start_game(recording.table, REGISTRY, seed)  # type: ignore[arg-type]
    asked = log_pb2.TableCommand(start=log_pb2.StartGame())
    recording.commit(start, log_pb2.Actor(user="organiser"), table_command=asked)
    return recording


def proved(recording: Recording, redacted: bool = False) -> object:
    content = b"".join(export_chunks(recording.game_id, recording.entries, redacted))
    return verify(io.BytesIO(content), REGISTRY)  # type: ignore[arg-type]


def folded(recording: Recording) -> Table:
    result = Table(recording.game_id)
    for entry in recording.entries:
        commits.fold(result, *commits.decode(entry.public, entry.private), REGISTRY)  # type: ignore[arg-type]
    return result


@pytest.mark.parametrize("game", REGISTRY)
def test_a_game_that_nobody_plays_ends_by_automatic_answers_and_is_proved(game: str) -> None:
    recording = timed(game, 3)
    while not recording.table.status.over:
        if not record_due(recording):
            recording.at(3 * 24 * 3600 + 1)
            recording.expire()
    report = proved(recording)
    assert report.unproved == [] and report.ended  # type: ignore[attr-defined]
    again = folded(recording)
    assert again.clocks == recording.table.clocks
    assert again.first_round_over


@pytest.mark.parametrize("game", REGISTRY)
def test_bots_that_stand_in_are_proved_too(game: str) -> None:
    policy = game_pb2.AbsencePolicy(take_over=game_pb2.TakeOver(bot="random"))
    recording, chance = timed(game, absence_policy=policy), Random(3)
    while not recording.table.status.over:
        if record_due(recording):
            continue
        recording.at(0 if recording.table.absent else 3 * 24 * 3600)
        found = next((each for each in recording.table.owed if each.seat in recording.table.absent), None)
        found = found or recording.table.owed[0]
        if not recording.table.absent:
            recording.at(1)
        elif found.seat not in recording.table.absent:
            recording.at(3 * 24 * 3600)
        choice = chance.choice(recording.table.ruleset.legal(recording.table.game, found.seat))
        recording.expire(choice)
    assert set(recording.table.absent.values()) == {"random"}
    assert proved(recording).unproved == []  # type: ignore[attr-defined]
    assert proved(recording, redacted=True).ended  # type: ignore[attr-defined]


def test_a_clock_that_is_not_over_resolves_nothing() -> None:
    recording = timed()
    (due,) = recording.table.owed
    recording.at(3 * 24 * 3600 - 1)
    with pytest.raises(RuleViolation, match="STALE_DECISION"):
        expiry.expire(recording.table, due.seat, due.decision_id, None, recording.now_us, RULESETS, recording.seed)


def test_what_the_clock_did_is_told_in_words_and_a_clock_that_lied_is_found_out() -> None:
    policy = game_pb2.AbsencePolicy(abort_before_first_round=True)
    recording = timed(absence_policy=policy)
    before = recording.table
    recording.at(3 * 24 * 3600)
    recording.expire()
    assert recording.table.status is Status.ABORTED and recording.table.owed == ()
    record, private = commits.decode(recording.entries[-1].public, b"")
    assert notation.command(before, record, private, None) == "time over: the game is broken off"
    assert record.expiry.reading_us == 0
    assert proved(recording).ended  # type: ignore[attr-defined]

    record.time_us -= 1
    public = record.SerializeToString(deterministic=True)
    digest = chain.digest(recording.entries[-2].digest, public)
    recording.entries[-1] = Entry(record.revision, digest, record.command_key, public, b"", "ended")
    with pytest.raises(Fault, match="STALE_DECISION"):
        proved(recording)


def test_a_hidden_answer_of_the_clock_is_hidden() -> None:
    recording = timed("sealed_bids", 3)
    recording.at(3 * 24 * 3600)
    step = recording.expire()
    record, private = commits.decode(recording.entries[-1].public, recording.entries[-1].private)
    assert record.expiry.redacted and step.command is not None
    game = recording.table.ruleset
    seen = {viewer: commits.command_of(game, record, private, viewer) for viewer in (0, 1, None)}
    assert seen[0] == step.command and seen[1] == seen[None] == game.redact_command(step.command)


def test_downtime_is_given_back_in_a_commit_and_proved() -> None:
    recording = timed(time_control=game_pb2.TimeControl(per_turn=game_pb2.PerTurn(seconds=60)))
    (due,) = recording.table.owed
    since = recording.now_us
    recording.at(600)
    down = log_pb2.ClockCredit(downtimes=[log_pb2.Downtime(from_us=since + 10 * SECOND, until_us=since + 590 * SECOND)])
    step = expiry.credit(recording.table, down, RULESETS)
    recording.commit(step, log_pb2.Actor(service="clock"), clock_credit=down)
    clock = recording.table.clocks[due.seat]
    assert (clock.left_us, clock.charged_us) == (40 * SECOND, 20 * SECOND)
    assert folded(recording).clocks == recording.table.clocks
    recording.at(41)
    recording.expire()
    while not recording.table.status.over:
        if not record_due(recording):
            recording.at(61)
            recording.expire()
    assert proved(recording).unproved == []  # type: ignore[attr-defined]

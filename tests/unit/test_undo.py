"""Taking commands back by agreement: as far as nobody has learnt anything, and as if nothing had been."""

import io
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.sealed_bids import Bid, Concede, SealedBids
from tests.support.recording import Recording, open_game, record_due, sent
from wellhead.v1 import game_pb2, log_pb2
from wellhead_cli import show
from wellhead_client.follower import Follower
from wellhead_client.policies import make_bot
from wellhead_rules.kernel import commits, table, undo
from wellhead_rules.kernel.absence import RESIGNED
from wellhead_rules.kernel.ruleset import Command
from wellhead_rules.kernel.stretch import is_barrier
from wellhead_rules.kernel.table import Status, Table
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_rules.registry import RULESETS
from wellhead_runtime import notation, viewing
from wellhead_runtime.proof import Fault, export_chunks, verify

GAMES = sorted(RULESETS)
TOY = SealedBids()


def shown(now: Table) -> list[bytes]:
    """Everything that anybody is shown of the game but where it stands in its history."""
    views = []
    for viewer in (None, *range(len(now.seats))):
        view = viewing.game_view(now, viewer)
        view.ClearField("revision")
        view.summary.ClearField("revision")
        view.summary.ClearField("updated")
        views.append(view.SerializeToString(deterministic=True))
    return [now.ruleset.snapshot(now.game), *views]


@dataclass
class Played:
    """A game in the course of which commands are taken back; `shown` is what it looked like at each revision."""

    recording: Recording
    random: Random
    shown: dict[int, list[bytes]] = field(default_factory=dict)
    undone: int = 0

    @property
    def table(self) -> Table:
        return self.recording.table

    @property
    def revision(self) -> int:
        return self.table.revision

    def start(self) -> "Played":
        recording = self.recording
        step = table.start_game(recording.table, recording.registry, recording.seed)
        start = log_pb2.TableCommand(start=log_pb2.StartGame())
        recording.commit(step, log_pb2.Actor(user="organiser"), table_command=start)
        self.shown[self.revision] = shown(self.table)
        return self

    def answer(self, seat: int, number: int, command: Command) -> None:
        step = table.answer(self.table, seat, number, command, self.recording.seed)
        asked = log_pb2.GameCommand(decision_id=number)
        self.recording.commit(step, log_pb2.Actor(seat=seat), game_command=asked)
        self.shown[self.revision] = shown(self.table)

    def ask(self, seat: int, target: int) -> None:
        command = log_pb2.RequestUndo(target_revision=target)
        step = undo.request_undo(self.table, seat, command, self.recording.registry)
        self.recording.commit(step, log_pb2.Actor(seat=seat), table_command=log_pb2.TableCommand(request_undo=command))

    def reply(self, seat: int, target: int, agree: bool = True) -> None:
        command = log_pb2.AnswerUndo(target_revision=target, agree=agree)
        step = undo.answer_undo(self.table, seat, command, self.recording.registry)
        self.recording.commit(step, log_pb2.Actor(seat=seat), table_command=log_pb2.TableCommand(answer_undo=command))

    def take_back(self, seat: int, target: int) -> None:
        """All agree; what is shown then is what was shown at the target."""
        self.ask(seat, target)
        for other in range(len(self.table.seats)):
            if other != seat:
                self.reply(other, target)
        assert shown(self.table) == self.shown[target]
        self.shown[self.revision] = self.shown[target]
        self.undone += 1

    def reachable(self) -> list[int]:
        stretch = self.table.undoing.stretch
        return [revision for stood in stretch.stood for revision in stood if revision in self.shown] if stretch else []

    def play(self, commands: int, share: float) -> "Played":
        """So many commands, or to the end; now and then something is taken back."""
        bots = [make_bot("random", self.table.ruleset, self.random.getrandbits(32)) for _ in self.table.seats]
        for _ in range(commands):
            while record_due(self.recording):
                self.shown[self.revision] = shown(self.table)
            if self.table.status is Status.ENDED:
                break
            self.answer(*sent(self.table.ruleset, self.table.game, bots, self.random))
            if self.random.random() < share and (targets := self.reachable()):
                stretch = self.table.undoing.stretch
                assert stretch is not None
                self.take_back(stretch.seat, self.random.choice(targets))
        return self


def begun(game: str, players: int, seed: int) -> Played:
    registry = {TOY.name: TOY} if game == TOY.name else RULESETS
    return Played(open_game(players, game, registry, f"undo-{seed}"), Random(seed)).start()


def toy(seats: int = 2) -> Played:
    return begun(TOY.name, seats, 1)


def folded(recording: Recording) -> Table:
    result = Table(recording.game_id)
    for entry in recording.entries:
        commits.fold(result, *commits.decode(entry.public, entry.private), recording.registry)
    return result


# -- as if nothing had been --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_taken_back_at_random_points_the_board_is_the_same_byte_for_byte(game: str) -> None:
    @settings(max_examples=12)
    @given(st.integers(2, 4), st.integers(0, 2**32), st.integers(5, 120))
    def drawn(players: int, seed: int, commands: int) -> None:
        played = begun(game, players, seed).play(commands, share=0.3)
        again = folded(played.recording)
        assert shown(again) == shown(played.table)
        assert (again.draws, again.undoing.stood) == (played.table.draws, played.table.undoing.stood)
        assert [again.undoing.reach(seat) for seat in range(players)] == [
            played.table.undoing.reach(seat) for seat in range(players)
        ]

    drawn()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.req("R-PROOF-1", "R-PROOF-3")
def test_a_whole_game_in_which_much_is_taken_back_is_proved(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = begun(game, 3, 5).play(5_000, share=0.2)
    recording = played.recording
    assert played.table.status is Status.ENDED and played.undone > 5
    for redacted in (False, True):
        content = b"".join(export_chunks(recording.game_id, recording.entries, redacted))
        report = verify(io.BytesIO(content), recording.registry)
        assert report.ended and report.ranking == played.table.ranking
        assert redacted or (report.unproved == [] and report.commands == report.revisions)
    file = tmp_path / "game.wellhead"
    file.write_bytes(b"".join(export_chunks(recording.game_id, recording.entries, redacted=False)))
    show.run(file, facts=True)
    told = capsys.readouterr().out
    assert told.count("- taken back to revision") == played.undone
    assert "ask to go back to revision" in told and "agree to take it back" in told


@pytest.mark.parametrize("game", GAMES)
def test_a_game_goes_on_from_any_of_its_commits(game: str) -> None:
    played = begun(game, 2, 7).play(60, share=0.3)
    recording = played.recording
    for reached in range(2, len(recording.entries), 3):
        resumed = Table(recording.game_id)
        for entry in recording.entries[:reached]:
            commits.fold(resumed, *commits.decode(entry.public, entry.private), recording.registry)
        other = Played(
            Recording(recording.game_id, recording.seed, recording.registry, resumed, recording.entries[:reached]),
            Random(reached),
            dict(played.shown),
        )
        if resumed.undoing.asked is None and (targets := other.reachable()):
            assert resumed.undoing.stretch is not None
            other.take_back(resumed.undoing.stretch.seat, targets[0])


@pytest.mark.req("R-RULES-8")
def test_chance_is_not_rolled_again() -> None:
    straight, detour = toy(), toy()
    for played in (straight, detour):
        played.answer(0, 1, Bid(4))
        if played is detour:
            played.take_back(0, played.revision - 1)
            played.answer(0, 1, Bid(2))
            played.take_back(0, min(played.reachable()))
            played.answer(0, 1, Bid(4))
        played.answer(1, 1, Bid(3))
    assert straight.table.game == detour.table.game
    assert straight.table.draws == detour.table.draws


@pytest.mark.parametrize("game", GAMES)
def test_a_follower_goes_back_with_the_game(game: str) -> None:
    recording = begun(game, 2, 11).play(80, share=0.3).recording
    now, follower = Table(recording.game_id), Follower(recording.registry)
    for entry in recording.entries:
        record, private = commits.decode(entry.public, entry.private)
        events = commits.fold(now, record, private, recording.registry)
        message = now.ruleset.events_to_proto(events) if events else game_pb2.Events()
        undone = [fact.undone.target_revision for fact in record.table_events if fact.HasField("undone")]
        assert follower.fold(entry.revision, message, viewing.summary(now), *undone)
        if now.started:
            assert now.ruleset.snapshot(follower.state) == now.ruleset.snapshot(now.game)


# -- as far as nobody has learnt anything ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_taken_back_across_a_barrier(game: str) -> None:
    """After every command: no seat gets further back than its own commands reach, and that far it gets."""
    played, met = begun(game, 3, 3), set()
    ruleset = played.table.ruleset
    bots = [make_bot("random", ruleset, seat) for seat in range(3)]
    last = stands = played.revision
    """What nothing may go back behind, and since when the game stands as it does, as this test counts them."""
    acted: int | None = None
    for _ in range(300):
        while record_due(played.recording):
            met.add("score")
            last, stands, acted = played.revision, played.revision, None
            played.shown[played.revision] = shown(played.table)
        if played.table.status is not Status.RUNNING:
            break
        seat, number, command = sent(ruleset, played.table.game, bots, played.random)
        before, due = stands, list(played.table.scoring_due)
        step = table.answer(played.table, seat, number, command, played.recording.seed)
        drew, news = bool(step.draw_bounds), is_barrier(ruleset, step.events, 0)
        played.answer(seat, number, command)
        stands = played.revision
        if drew or news or list(played.table.scoring_due) != due:
            met |= {"draw"} if drew else {"news"} if news else set()
            last, acted = stands, None
        elif seat != acted:
            met |= {"another seat"} if acted is not None else set()
            last, acted = before, seat
        if not played.table.owed:
            continue
        for asking in range(3):
            reach = last if asking == acted else stands
            assert played.table.undoing.reach(asking) == reach
            with pytest.raises(RuleViolation) as no:
                played.ask(asking, reach - 1)
            assert no.value.code == "UNDO_BARRIER" and str(reach) in no.value.detail
        if acted is not None:
            played.ask(acted, last)
            played.reply((acted + 1) % 3, last, agree=False)
    assert {"draw", "another seat"} <= met


def test_the_kinds_of_barriers() -> None:
    played = toy()
    started = played.revision
    played.answer(0, 1, Bid(4))
    assert played.table.undoing.reach(0) == started
    played.answer(1, 1, Bid(3))  # turns up both bids, and draws the next prize
    assert played.table.undoing.stretch is None
    played.answer(0, 2, Bid(1))
    played.answer(0, 0, Concede())
    assert played.table.undoing.reach(0) == started + 2
    played.answer(1, 2, Bid(4))
    played.answer(0, 3, Bid(2))
    played.answer(1, 3, Bid(1))  # the last: the score is due
    with pytest.raises(RuleViolation) as no:
        played.ask(1, played.revision - 1)
    assert no.value.code == "GAME_OVER"
    record_due(played.recording)
    with pytest.raises(RuleViolation) as no:
        played.reply(1, 1)
    assert no.value.code == "GAME_OVER"


# -- asking ------------------------------------------------------------------------------------------------------------


def test_everybody_else_has_to_agree() -> None:
    played = toy(3)
    target = played.revision
    played.answer(1, 1, Bid(4))
    played.ask(1, target)
    asked = viewing.undo(played.table)
    assert asked == game_pb2.PendingUndo(seat=1, target_revision=target, commands=1)
    played.reply(2, target)
    assert viewing.undo(played.table) == game_pb2.PendingUndo(seat=1, target_revision=target, commands=1, agreed=[2])
    assert shown(played.table)[0] != played.shown[target][0]
    for seat in (1, 2):
        with pytest.raises(RuleViolation) as no:
            played.reply(seat, target)
        assert no.value.code == "UNDO_NOT_ASKED"
    played.reply(0, target)
    assert viewing.undo(played.table) is None
    assert shown(played.table) == played.shown[target]


def test_a_seat_whose_player_does_not_decide_for_it_is_not_waited_for() -> None:
    played = toy(3)
    target = played.revision
    played.table.absent = {0: "random", 2: "random"}
    played.answer(1, 1, Bid(4))
    played.ask(1, target)
    assert shown(played.table)[0] == played.shown[target][0] and viewing.undo(played.table) is None
    played.table.absent = {0: "random"}
    played.answer(1, 1, Bid(4))
    played.ask(1, target)
    played.reply(2, target)
    assert shown(played.table)[0] == played.shown[target][0]


def test_a_seat_that_has_resigned_neither_asks_nor_answers() -> None:
    played = toy(3)
    target = played.revision
    played.answer(1, 1, Bid(4))
    played.ask(1, target)
    played.table.absent = {0: RESIGNED, 1: RESIGNED}
    with pytest.raises(RuleViolation) as no:
        played.reply(0, target, agree=False)
    assert no.value.code == "SEAT_RESIGNED"
    with pytest.raises(RuleViolation) as no:
        played.ask(1, target)
    assert no.value.code == "SEAT_RESIGNED"


def test_a_no_ends_the_request_until_the_game_has_gone_on() -> None:
    for refusing in (0, 1, 2):  # the seat that asks may take it back
        played = toy(3)
        target = played.revision
        played.answer(1, 1, Bid(4))
        played.ask(1, target)
        with pytest.raises(RuleViolation) as no:
            played.ask(1, target)
        assert no.value.code == "UNDO_PENDING"
        if refusing != 0:
            played.reply(0, target)
        played.reply(refusing, target, agree=False)
        assert viewing.undo(played.table) is None
        with pytest.raises(RuleViolation) as no:
            played.ask(1, target)
        assert no.value.code == "UNDO_DECLINED"
        played.answer(0, 1, Bid(2))
        played.ask(0, played.revision - 1)


def test_a_command_of_the_game_ends_the_request() -> None:
    played = toy(3)
    target = played.revision
    played.answer(1, 1, Bid(4))
    played.ask(1, target)
    played.answer(0, 1, Bid(4))
    with pytest.raises(RuleViolation) as no:
        played.reply(2, target)
    assert no.value.code == "UNDO_NOT_ASKED"


def test_there_is_something_to_be_taken_back() -> None:
    played = toy()
    with pytest.raises(RuleViolation) as no:
        played.ask(0, played.revision)
    assert no.value.code == "NOTHING_TO_UNDO"
    target = played.revision
    played.answer(0, 1, Bid(4))
    played.take_back(0, target)
    gone = target + 1
    with pytest.raises(RuleViolation) as no:
        played.ask(0, gone)
    assert no.value.code == "NOTHING_TO_UNDO"
    played.answer(0, 1, Bid(3))
    with pytest.raises(RuleViolation) as no:
        played.ask(0, gone)  # what led there has been taken back itself
    assert no.value.code == "NOTHING_TO_UNDO"
    played.take_back(0, target)
    played.answer(0, 1, Bid(3))
    played.take_back(0, played.revision - 1)


def test_before_the_start_there_is_nothing_to_take_back() -> None:
    recording = open_game(2, TOY.name, {TOY.name: TOY})
    for act in (Played.ask, Played.reply):
        with pytest.raises(RuleViolation) as no:
            act(Played(recording, Random(1)), 0, 1)
        assert no.value.code == "GAME_NOT_STARTED"


# -- in the log --------------------------------------------------------------------------------------------------------


def test_what_was_asked_and_done_is_told_in_words() -> None:
    played = toy()
    target = played.revision
    played.answer(0, 1, Bid(4))
    played.take_back(0, target)
    played.answer(0, 1, Bid(4))
    played.ask(0, played.revision - 1)
    played.reply(1, played.revision - 2, agree=False)
    now, told = Table(played.recording.game_id), []
    for entry in played.recording.entries:
        record, private = commits.decode(entry.public, entry.private)
        command = notation.command(now, record, private, None)
        events = commits.fold(now, record, private, played.recording.registry)
        told.append((notation.actor(now, record.actor), command, *notation.facts(now, record, events, None)))
    assert told[target + 1 : target + 3] == [
        ("0", f"ask to go back to revision {target}", f"0 asks to go back to revision {target}"),
        ("1", "agree to take it back", "1 agrees", f"taken back to revision {target}"),
    ]
    assert told[-1] == ("1", "take nothing back", "nothing is taken back")


@pytest.mark.req("R-PROOF-1")
def test_an_undo_that_goes_elsewhere_is_found() -> None:
    played = toy()
    target = played.revision
    played.answer(0, 1, Bid(4))
    played.take_back(0, target)
    record, private = commits.decode(played.recording.entries[-1].public)
    record.table_events[-1].undone.target_revision = target - 1
    before = Table(played.recording.game_id)
    for entry in played.recording.entries[:-1]:
        commits.fold(before, *commits.decode(entry.public, entry.private), played.recording.registry)
    with pytest.raises(CorruptRecord):
        commits.fold(before, record, private, played.recording.registry)


@pytest.mark.req("R-PROOF-1")
def test_a_commit_that_takes_back_without_everybodys_consent_is_found() -> None:
    played = toy(3)
    target = played.revision
    played.answer(0, 1, Bid(4))
    played.ask(0, target)
    step = undo.answer_undo(
        played.table, 1, log_pb2.AnswerUndo(target_revision=target, agree=True), played.recording.registry
    )
    undone = log_pb2.TableEvent(undone=log_pb2.Undone(target_revision=target))
    step.table.fold_table_event(undone, played.recording.registry)
    step.table_events.append(undone)
    command = log_pb2.TableCommand(answer_undo=log_pb2.AnswerUndo(target_revision=target, agree=True))
    played.recording.commit(step, log_pb2.Actor(seat=1), table_command=command)
    forged = played.revision
    while (owed := played.table.owed) and played.table.status is Status.RUNNING:
        due = owed[0]
        played.answer(due.seat, due.decision_id, played.table.ruleset.legal(played.table.game, due.seat)[0])
    record_due(played.recording)
    content = b"".join(export_chunks(played.recording.game_id, played.recording.entries, redacted=False))
    with pytest.raises(Fault) as found:
        verify(io.BytesIO(content), played.recording.registry)
    assert found.value.revision == forged

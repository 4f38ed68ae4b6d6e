"""What every game must pass: the requirements R-RULES-1 to 10 and 12.

A game registers in a few lines (see `test_oil_rock.py`): a `Subject`, and a class derived from `Conformance`.
Hypothesis draws games as sequences of choices among the listed commands, so that a failure shrinks to a short game; it
is printed as the text of a file for the folder of regression games, which are examined again on every run.
"""

import json
import subprocess
import sys
from collections import Counter
from math import sqrt
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from tests.conformance import inspectors
from tests.conformance.elsewhere import outcome
from tests.conformance.subject import Inspector, Start, Subject, play
from tests.conformance.worlds import Secrets
from tests.support.recording import Recording, open_game
from tests.support.recording import play as record
from wellhead.v1 import game_pb2
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.chance import Chance, commitment, draw_key
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime.proof import export_chunks

EXAMPLES = 10
"""Games that Hypothesis draws in the default run."""
MOST_WARM = 250
"""Commands that may lie before the first drawn choice."""
SOAK = 40
"""How many times as many games a soak plays."""
Z_TOO_FAR = 4.5
"""Standard deviations of the chi-square statistic: beyond it uniform draws would be found once in 10^5 suites."""
ROOT = Path(__file__).parents[2]


def everything(thorough: float = 1.0) -> list[Inspector]:
    """Every inspector; `thorough` is the share of the positions on which the costly ones look closely."""
    return [
        inspectors.Soundness(thorough), inspectors.Refusals(), inspectors.Twin(), inspectors.Clones(thorough),
        inspectors.Conservation(), inspectors.OptionIds(), inspectors.Arrivals(), inspectors.Anytime(thorough),
        inspectors.Barriers(thorough), Secrets(),
    ]  # fmt: skip


def examine(subject: Subject, start: Start) -> None:
    """One game under every inspector; a failure names the game in a form that can be kept."""
    try:
        play(subject, start, everything(thorough=0.3))
    except Exception as found:
        kept = msgspec.structs.replace(start, why=(str(found) or repr(found)).splitlines()[0])
        text = json.dumps(to_builtins(kept))
        found.add_note(f"to keep it, put this into a file in regressions/{subject.ruleset.name}/: {text}")
        raise


def examine_all(subject: Subject, games: int, *under: Inspector, salt: int = 0) -> None:
    """So many games under some inspectors."""
    for start in subject.starts(games, salt):
        play(subject, start, under)


class Conformance:
    """The tests; a subclass gives the subject."""

    subject: Subject

    @pytest.mark.req("R-RULES-1")
    def test_a_recorded_game_folds_to_the_same_in_a_fresh_process(self, tmp_path: Path) -> None:
        wanted = {}
        for start in self.subject.starts(len(self.subject.ruleset.seat_counts), salt=1):
            recording = _record(self.subject, start)
            (tmp_path / f"{start.players}.export").write_bytes(
                b"".join(export_chunks(recording.game_id, recording.entries, redacted=False))
            )
            wanted[f"{start.players}.export"] = outcome(recording.table)
        ruleset = type(self.subject.ruleset)
        elsewhere = [sys.executable, "-m", "tests.conformance.elsewhere", ruleset.__module__, ruleset.__qualname__]
        told = subprocess.run([*elsewhere, str(tmp_path)], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        assert json.loads(told) == wanted

    @pytest.mark.req("R-RULES-2")
    def test_every_listed_command_is_accepted(self) -> None:
        examine_all(self.subject, self.subject.games, inspectors.Soundness(), salt=2)

    @pytest.mark.req("R-RULES-2", "R-RULES-4")
    def test_what_is_not_listed_is_refused_and_changes_nothing(self) -> None:
        refusals = inspectors.Refusals(attempts=8)
        examine_all(self.subject, self.subject.games, refusals, salt=3)
        assert len(refusals.codes) > 2, f"hardly anything was refused: {refusals.codes}"

    @pytest.mark.req("R-RULES-3")
    def test_every_game_ends_and_nobody_is_ever_without_a_command(self) -> None:
        examine_all(self.subject, 10 * self.subject.games, inspectors.Anytime(0.1), salt=4)

    @pytest.mark.req("R-RULES-5")
    def test_the_twin_that_is_built_from_bytes_alone_stays_equal(self) -> None:
        for start in self.subject.starts(self.subject.games, salt=5):
            play(self.subject, start, [inspectors.Twin()])

    @pytest.mark.req("R-RULES-5")
    def test_a_clone_shares_nothing(self) -> None:
        for start in self.subject.starts(self.subject.games, salt=6):
            play(self.subject, start, [inspectors.Clones()])

    @pytest.mark.req("R-RULES-6", "R-SCORE-3")
    def test_nothing_is_held_that_no_fact_explains(self) -> None:
        for start in self.subject.starts(2 * self.subject.games, salt=7):
            play(self.subject, start, [inspectors.Conservation()])

    @pytest.mark.req("R-RULES-7")
    def test_what_a_seat_may_not_know_changes_nothing_for_it(self) -> None:
        secrets = Secrets()
        for start in self.subject.starts(self.subject.games, salt=8):
            play(self.subject, start, [secrets])
        assert secrets.secrets, "no game had a secret: nothing was examined"

    @pytest.mark.req("R-RULES-8")
    def test_draws_are_uniform(self) -> None:
        drawn: dict[int, Counter[int]] = {}
        for start in self.subject.starts(12 * self.subject.games, salt=9):
            match = play(self.subject, start, [], keep_before=False)
            for draw in match.chance.draws:
                drawn.setdefault(draw.bound, Counter())[draw.value] += 1
        assert drawn, "the game draws nothing"
        far = {bound: z for bound, counts in drawn.items() if abs(z := _chi_square_z(bound, counts)) > Z_TOO_FAR}
        assert not far, f"standard deviations from uniform, by bound: {far}"

    @pytest.mark.req("R-RULES-8")
    def test_draws_come_again_from_seed_and_counter_and_the_same_seed_gives_the_same_game(self) -> None:
        (start,) = self.subject.starts(1, salt=10)
        prints = [inspectors.Fingerprint() for _ in range(3)]
        for fingerprint, seed in zip(prints, (start.seed, start.seed, start.seed + 1), strict=True):
            play(self.subject, msgspec.structs.replace(start, seed=seed), [fingerprint])
        assert prints[0].digest == prints[1].digest != prints[2].digest
        recording = _record(self.subject, start)
        nonces = [holder.nonce for holder in recording.table.seats if holder is not None]
        key = draw_key(recording.seed, recording.game_id, nonces)
        bounds = [bound for entry in recording.entries for bound in commits.decode(entry.public)[0].draw_bounds]
        whole = Chance(key)
        values = [whole.draw(bound) for bound in bounds]
        for counter, (bound, value) in enumerate(zip(bounds, values, strict=True)):
            assert Chance(key, counter).draw(bound) == value

    @pytest.mark.req("R-RULES-8")
    def test_what_is_published_before_the_end_predicts_no_draw(self) -> None:
        (start,) = self.subject.starts(1, salt=11)
        recording = _record(self.subject, start)
        published = recording.table.seed_commitment
        assert published == commitment(recording.seed, recording.game_id) != recording.seed
        nonces = [holder.nonce for holder in recording.table.seats if holder is not None]
        key = draw_key(recording.seed, recording.game_id, nonces)
        wrong = [
            draw_key(published, recording.game_id, nonces),
            draw_key(recording.seed, recording.game_id, nonces[1:]),
        ]
        assert key not in wrong
        for entry in recording.entries[:-1]:
            assert recording.seed not in entry.public + entry.private

    @pytest.mark.req("R-RULES-9")
    def test_simultaneous_answers_may_arrive_in_any_order(self) -> None:
        arrivals = inspectors.Arrivals()
        examine_all(self.subject, self.subject.games, arrivals, salt=12)
        if not arrivals.simultaneous:
            pytest.skip("no two seats ever owe something at once in this game")

    @pytest.mark.req("R-RULES-5", "R-RULES-7")
    def test_what_can_be_taken_back_comes_back_as_it_was_and_has_told_nobody_anything(self) -> None:
        barriers = inspectors.Barriers()
        examine_all(self.subject, self.subject.games, barriers, salt=16)
        assert barriers.undone, "nothing can ever be taken back"
        assert barriers.barriers, "no fact is ever a barrier"

    @pytest.mark.req("R-RULES-10")
    def test_an_option_id_stands_for_one_command_whenever_it_is_offered(self) -> None:
        ids = inspectors.OptionIds()
        examine_all(self.subject, self.subject.games, ids, salt=13)
        assert ids.offered

    @pytest.mark.req("R-RULES-12")
    def test_a_game_names_its_rules_version_in_every_commit(self) -> None:
        (start,) = self.subject.starts(1, salt=14)
        versions = {commits.decode(entry.public)[0].rules_version for entry in _record(self.subject, start).entries}
        assert versions == {self.subject.ruleset.version}

    @pytest.mark.req("R-RULES-2")
    def test_a_command_of_no_game_is_refused_at_the_edge(self) -> None:
        with pytest.raises(RuleViolation) as refusal:
            self.subject.ruleset.command_from_proto(game_pb2.Command())
        assert refusal.value.code == "COMMAND_NOT_EXPECTED"

    # -- games drawn by Hypothesis, and those that once failed ---------------------------------------------------------

    def test_any_game_under_every_inspector(self) -> None:
        self._drawn(EXAMPLES)

    def test_games_that_once_failed(self) -> None:
        for file in sorted(self.subject.regressions.glob("*.json")) if self.subject.regressions else ():
            examine(self.subject, msgspec.json.decode(file.read_bytes(), type=Start))

    @pytest.mark.soak
    def test_very_many_games_under_every_inspector(self) -> None:
        for start in self.subject.starts(SOAK * self.subject.games, salt=15):
            examine(self.subject, start)
        self._drawn(SOAK * EXAMPLES)

    def _drawn(self, examples: int) -> None:
        seats = self.subject.ruleset.seat_counts

        # A function of its own for every subject, so that the examples of one are not tried on another.
        @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
        @given(
            players=st.integers(seats[0], seats[-1]),
            options=st.sampled_from(list(self.subject.variants)),
            seed=st.integers(0, 2**32),
            warm=st.integers(0, MOST_WARM),
            picks=st.lists(st.integers(0, 50), max_size=60),
        )
        def drawn(players: int, options: dict[str, str], seed: int, warm: int, picks: list[int]) -> None:
            examine(
                self.subject, Start(players, self.subject.fitting(options, players), seed, warm, tuple(picks), on=False)
            )

        drawn()


# -- what the tests share ----------------------------------------------------------------------------------------------


def _record(subject: Subject, start: Start) -> Recording:
    """The whole game as it is stored."""
    registry = {subject.ruleset.name: subject.ruleset}
    recording = open_game(
        start.players, subject.ruleset.name, registry, f"conformance-{start.seed}", options=start.options
    )
    record(recording, bots=[subject.bot(start.seed + seat) for seat in range(start.players)])
    return recording


def _chi_square_z(bound: int, counts: Counter[int]) -> float:
    """How far from uniform the counts are, in standard deviations (Wilson and Hilferty); 0 if there are too few."""
    total = sum(counts.values())
    if total < 5 * bound:
        return 0.0
    expected, freedom = total / bound, bound - 1
    statistic = sum((counts[value] - expected) ** 2 for value in range(bound)) / expected
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))

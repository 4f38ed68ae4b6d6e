"""Records the corpus: `python -m tests.tools.record_corpus`.

A game is made from a number alone: players, options, tastes of the players and every draw. The index names the numbers
of the games that are kept, so that the same games are recorded again, after a change of the file format for instance.
After a change of rules or content the games go other ways: what they do not cover any more is looked for in others, and
those are kept as well. `--search N` begins anew: it looks at N games and keeps the fewest that together cover what is
wanted.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.support.recording import SERVER_KEY, Recording, open_game, play, sent
from tests.tools.corpus import Corpus
from tests.tools.oil_rock_cover import OIL_ROCK
from tests.tools.oilfield_cover import OILFIELD
from wellhead_client.bots import Bot
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.chance import Chance, draw_key, game_seed
from wellhead_rules.kernel.ruleset import FINAL
from wellhead_rules.kernel.table import Table
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import export_chunks, read_export

CORPORA: Mapping[str, Corpus] = {corpus.ruleset.name: corpus for corpus in (OIL_ROCK, OILFIELD)}
AT_MOST = 5000
"""Games that are looked at for something that the kept ones cover no more."""
_ROW = re.compile(r"^\| \[?(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Plan:
    """One game to be played: everything derives from its number."""

    corpus: Corpus
    number: int

    def _random(self) -> Random:
        return Random(f"{self.corpus.title.lower()} {self.number}")

    @property
    def game_id(self) -> str:
        return f"{self.corpus.prefix}{self.number}"

    @property
    def players(self) -> int:
        seats = self.corpus.ruleset.seat_counts
        return seats[self.number % len(seats)]

    @property
    def options(self) -> Mapping[str, str]:
        return self.corpus.options(self.number, self._random())

    @property
    def order(self) -> Random:
        """Who is asked first where several owe something, and who acts in between."""
        return Random(f"{self.game_id} order")

    def bots(self) -> Sequence[Bot]:
        return self.corpus.bots(self.players, self._random())


def cover(plan: Plan) -> tuple[set[str], int]:
    """What the game covers, and how many commands it takes; it is played without being recorded."""
    ruleset = plan.corpus.ruleset
    seed = game_seed(SERVER_KEY, plan.game_id)
    chance = Chance(draw_key(seed, plan.game_id, [bytes([seat]) for seat in range(plan.players)]))
    options = ruleset.options(plan.options, plan.players)
    game = ruleset.new(plan.corpus.pack.id, options, ruleset.colours([""] * plan.players))
    seen = plan.corpus.cover(options, plan.players)
    seen.step(None, None, ruleset.begin(game, chance), game)
    bots, order, commands = plan.bots(), plan.order, 0
    while not ruleset.ended(game):
        if due := ruleset.scoring_due(game):
            if due[0] == FINAL:
                seen.end(game, ruleset.score(game))
                seen.step(None, None, ruleset.record_final(game, ruleset.score(game)), game)
            else:
                facts = ruleset.record_award(game, due[0], ruleset.award(game, due[0]))
                seen.step(None, None, facts, game)
            continue
        seat, number, command = sent(ruleset, game, bots, order)
        before = ruleset.clone(game)
        seen.step(before, command, ruleset.play(game, seat, number, command, chance), game)
        commands += 1
    return seen.claims, commands


def corpus_of(file: Path) -> Corpus:
    """The corpus that a recorded game belongs to."""
    return CORPORA[file.parent.name]


def cover_of_export(file: Path) -> tuple[Table, set[str]]:
    """The table at the end of a recorded game, and what the game covers, from its bytes alone."""
    corpus = corpus_of(file)
    with file.open("rb") as stream:
        manifest, entries = read_export(stream)
        table = Table(manifest.game_id)
        seen = None
        for entry in entries:
            before = table.ruleset.clone(table.game) if table.game is not None else None
            record, private = commits.decode(entry.record, entry.private_record)
            facts = commits.fold(table, record, private, RULESETS)
            if table.game is None:
                continue
            seen = seen or corpus.cover(dict(table.options), len(table.seats))
            command = None
            if record.HasField("game_command"):
                command = commits.command_of(table.ruleset, record, private, record.actor.seat)
            seen.step(before, command, facts, table.game)
            if record.HasField("final_score"):
                seen.end(table.game, commits.score_card_from_proto(record.final_score))
    return table, seen.claims if seen else set()


def search(corpus: Corpus, games: int, kept: Sequence[Plan] = ()) -> list[Plan]:
    """The games that are kept, and the fewest and shortest more, nearly, that cover what else is wanted.

    So many games are looked at; no more than it takes if some are kept.
    """
    missing = set(corpus.wanted()).difference(*(cover(plan)[0] for plan in kept))
    wanted, covers, lengths = frozenset(missing), {}, {}
    for number in range(1, games + 1):
        lacking = wanted.difference(*covers.values())
        if kept and not lacking:
            break
        claims, lengths[number] = cover(Plan(corpus, number))
        covers[number] = claims & wanted
        if number % 100 == 0:
            print(f"{number} games; nobody covers {', '.join(sorted(lacking)) or 'nothing'}", flush=True)
    chosen: list[int] = []
    while any(covers[number] & missing for number in covers):
        best = max(covers, key=lambda number: (len(covers[number] & missing) / lengths[number], -number))
        chosen.append(best)
        missing -= covers[best]
    for number in chosen[::-1]:
        others = set().union(*(covers[other] for other in chosen if other != number))
        if covers[number] <= others:
            chosen.remove(number)
    return [*kept, *(Plan(corpus, number) for number in chosen)]


def record(plan: Plan) -> Recording:
    """The game as it is stored."""
    recording = open_game(plan.players, plan.corpus.ruleset.name, game_id=plan.game_id, options=plan.options)
    play(recording, bots=plan.bots(), order=plan.order)
    return recording


def export(recording: Recording) -> bytes:
    """The file of a recorded game."""
    return b"".join(export_chunks(recording.game_id, recording.entries, redacted=False))


def index(corpus: Corpus, files: Sequence[Path]) -> str:
    """The index of recorded games, told from their bytes."""
    ruleset, pack = corpus.ruleset, corpus.pack
    lines = [
        f"# Recorded games of {corpus.title}",
        "",
        f"Rules {ruleset.version}, content {pack.id} {pack.version}. Every game must replay for ever;",
        f"together they cover {corpus.about}.",
        "`wellhead audit show FILE` prints one. What each adds to those above it:",
        "",
        "| Game | Players | Options | Commits | Totals, winner first | Adds |",
        "|---|---|---|---|---|---|",
    ]
    left = dict.fromkeys(corpus.wanted())
    for file in files:
        table, claims = cover_of_export(file)
        adds = [claim for claim in left if claim in claims]
        for claim in adds:
            del left[claim]
        defaults = ruleset.options({}, len(table.seats))
        options = ", ".join(
            f"{option}={value}" for option, value in sorted(table.options.items()) if defaults[option] != value
        )
        ranking = ", ".join(f"{corpus.called(table.game, rank.seat)} {rank.total}" for rank in table.ranking)
        number = file.stem.removeprefix(corpus.prefix)
        cells = (
            f"[{number}]({file.name})", len(table.seats), options or "defaults", table.revision, ranking,
            "; ".join(adds) or "nothing new",
        )  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", f"Covered by no game: {'; '.join(left) or 'nothing'}."]
    return "\n".join(lines) + "\n"


def listed(corpus: Corpus) -> list[Path]:
    """The recorded games in the order of the index."""
    numbers = _ROW.findall(corpus.index.read_text("utf-8")) if corpus.index.exists() else []
    return [corpus.folder / f"{corpus.prefix}{number}.export" for number in numbers]


def plan_of(file: Path) -> Plan:
    """What a recorded game was made from."""
    return Plan(corpus_of(file), int(file.stem.rpartition("-")[2]))


def _write(corpus: Corpus, plans: Sequence[Plan]) -> Iterator[Path]:
    corpus.folder.mkdir(parents=True, exist_ok=True)
    for old in corpus.folder.glob("*.export"):
        old.unlink()
    for plan in plans:
        recording = record(plan)
        file = corpus.folder / f"{plan.game_id}.export"
        file.write_bytes(export(recording))
        print(f"{file.name}: {recording.head.revision} commits, {file.stat().st_size} bytes", flush=True)
        yield file


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code: 1 if something is covered by no game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help=f"of {', '.join(CORPORA)}; all if none is named")
    parser.add_argument("--search", type=int, metavar="N", help="begin anew: look at N games for those to keep")
    chosen = parser.parse_args(arguments)
    incomplete = False
    for corpus in (CORPORA[game] for game in chosen.games or CORPORA):
        kept = [] if chosen.search else [plan_of(file) for file in listed(corpus)]
        plans = search(corpus, chosen.search or AT_MOST, kept)
        files = list(_write(corpus, plans))
        corpus.index.write_text(index(corpus, files), "utf-8")
        covered = set().union(*(cover_of_export(file)[1] for file in files))
        missing = [claim for claim in corpus.wanted() if claim not in covered]
        print(f"{corpus.title}: {len(files)} games; covered by none: {', '.join(missing) or 'nothing'}")
        incomplete |= bool(missing)
    return 1 if incomplete else 0


if __name__ == "__main__":
    sys.exit(main())

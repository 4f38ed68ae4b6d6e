"""Records the corpus: `python -m tests.tools.record_corpus`.

A game is made from a number alone: players, options, tastes of the players and every draw. The index names the numbers
of the games that are kept, so that the same games are recorded again, after a change of the file format for instance.
After a change of rules or content the games go other ways: `--search N` looks at N games and keeps the fewest that
together cover what is wanted.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.support.curious import CuriousBot
from tests.support.recording import SERVER_KEY, Recording, open_game, play
from tests.tools.corpus_cover import CONTENT, Cover, wanted
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.chance import Chance, draw_key, game_seed
from wellhead_rules.kernel.ruleset import FINAL
from wellhead_rules.kernel.table import Table
from wellhead_rules.oil_rock import RULESET, content
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import export_chunks, read_export

FOLDER = Path(__file__).parents[1] / "corpus" / "oil_rock"
INDEX = FOLDER / "index.md"
_ROW = re.compile(r"^\| \[?(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Plan:
    """One game to be played: everything derives from its number."""

    number: int

    def _random(self) -> Random:
        return Random(f"oil rock {self.number}")

    @property
    def game_id(self) -> str:
        return f"oil-rock-{self.number}"

    @property
    def players(self) -> int:
        return RULESET.seat_counts[self.number % len(RULESET.seat_counts)]

    @property
    def options(self) -> dict[str, str]:
        """Defaults in every second game, drawn otherwise."""
        random = self._random()
        return {} if self.number % 2 else {option: random.choice(values) for option, values in content.OPTIONS.items()}

    def bots(self) -> list[CuriousBot]:
        """The players, each with a character in mind and its own drive."""
        random = self._random()
        characters = random.sample(list(CONTENT.characters), self.players)
        return [
            CuriousBot(random.getrandbits(32), character, random.choice((2.0, 5.0, 20.0))) for character in characters
        ]


def cover(plan: Plan) -> set[str]:
    """What the game covers; it is played without being recorded."""
    seed = game_seed(SERVER_KEY, plan.game_id)
    chance = Chance(draw_key(seed, plan.game_id, [bytes([seat]) for seat in range(plan.players)]))
    options = RULESET.options(plan.options)
    game = RULESET.new(CONTENT.info.id, options, RULESET.colours([""] * plan.players))
    seen = Cover(options, plan.players)
    seen.step(None, None, RULESET.begin(game, chance), game)
    bots = plan.bots()
    while not RULESET.ended(game):
        if due := RULESET.scoring_due(game):
            if due[0] == FINAL:
                seen.end(game, RULESET.score(game))
                RULESET.record_final(game, RULESET.score(game))
            else:
                facts = RULESET.record_award(game, due[0], RULESET.award(game, due[0]))
                seen.step(None, None, facts, game)
            continue
        (owed,) = RULESET.decisions(game)
        command = bots[owed.seat].choose(game, owed, RULESET.legal(game, owed.seat))
        before = RULESET.clone(game)
        seen.step(before, command, RULESET.play(game, owed.seat, owed.decision_id, command, chance), game)
    return seen.claims


def cover_of_export(file: Path) -> tuple[Table, set[str]]:
    """The table at the end of a recorded game, and what the game covers, from its bytes alone."""
    with file.open("rb") as stream:
        manifest, entries = read_export(stream)
        table = Table(manifest.game_id)
        seen: Cover | None = None
        for entry in entries:
            before = table.ruleset.clone(table.game) if table.game is not None else None
            record, private = commits.decode(entry.record, entry.private_record)
            facts = commits.fold(table, record, private, RULESETS)
            if table.game is None:
                continue
            seen = seen or Cover(dict(table.options), len(table.seats))
            command = None
            if record.HasField("game_command"):
                command = table.ruleset.command_from_proto(record.game_command.command)
            seen.step(before, command, facts, table.game)
            if record.HasField("final_score"):
                seen.end(table.game, commits.score_card_from_proto(record.final_score))
    return table, seen.claims if seen else set()


def search(games: int) -> list[Plan]:
    """The fewest games, nearly, that cover together what is wanted as far as any game does."""
    missing = set(wanted())
    covers = {}
    for number in range(1, games + 1):
        covers[number] = cover(Plan(number)) & missing
        if number % 100 == 0:
            lacking = missing.difference(*covers.values())
            print(f"{number} games; nobody covers {', '.join(sorted(lacking)) or 'nothing'}", flush=True)
    chosen: list[int] = []
    while True:
        best = max(covers, key=lambda number: (len(covers[number] & missing), -number))
        if not covers[best] & missing:
            return [Plan(number) for number in chosen]
        chosen.append(best)
        missing -= covers[best]


def record(plan: Plan) -> Recording:
    """The game as it is stored."""
    recording = open_game(plan.players, game_id=plan.game_id, options=plan.options)
    play(recording, bots=plan.bots())
    return recording


def export(recording: Recording) -> bytes:
    """The file of a recorded game."""
    return b"".join(export_chunks(recording.game_id, recording.entries, redacted=False))


def index(files: Sequence[Path]) -> str:
    """The index of recorded games, told from their bytes."""
    lines = [
        "# Recorded games of Oil Rock",
        "",
        f"Rules {RULESET.version}, content {CONTENT.info.id} {CONTENT.info.version}. Every game must replay for ever;",
        "together they cover every ability tier, every Improvement, every scoring branch and every way to end a game.",
        "`wellhead audit show FILE` prints one. What each adds to those above it:",
        "",
        "| Game | Players | Options | Commits | Totals, winner first | Adds |",
        "|---|---|---|---|---|---|",
    ]
    left = dict.fromkeys(wanted())
    defaults = RULESET.options({})
    for file in files:
        table, claims = cover_of_export(file)
        adds = [claim for claim in left if claim in claims]
        for claim in adds:
            del left[claim]
        options = ", ".join(
            f"{option}={value}" for option, value in sorted(table.options.items()) if defaults[option] != value
        )
        ranking = ", ".join(f"{table.game.players[rank.seat].character} {rank.total}" for rank in table.ranking)
        number = file.stem.removeprefix("oil-rock-")
        cells = (
            f"[{number}]({file.name})", len(table.seats), options or "defaults", table.revision, ranking,
            "; ".join(adds) or "nothing new",
        )  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", f"Covered by no game: {'; '.join(left) or 'nothing'}."]
    return "\n".join(lines) + "\n"


def listed() -> list[Path]:
    """The recorded games in the order of the index."""
    numbers = _ROW.findall(INDEX.read_text("utf-8")) if INDEX.exists() else []
    return [FOLDER / f"oil-rock-{number}.export" for number in numbers]


def _write(plans: Sequence[Plan]) -> Iterator[Path]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.export"):
        old.unlink()
    for plan in plans:
        recording = record(plan)
        file = FOLDER / f"{plan.game_id}.export"
        file.write_bytes(export(recording))
        print(f"{file.name}: {recording.head.revision} commits, {file.stat().st_size} bytes", flush=True)
        yield file


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code: 1 if something is covered by no game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", type=int, metavar="N", help="look at N games for new ones to keep")
    chosen = parser.parse_args(arguments)
    if chosen.search:
        plans = search(chosen.search)
    else:
        plans = [Plan(int(file.stem.rpartition("-")[2])) for file in listed()]
    files = list(_write(plans))
    INDEX.write_text(index(files), "utf-8")
    covered = set().union(*(cover_of_export(file)[1] for file in files))
    missing = [claim for claim in wanted() if claim not in covered]
    print(f"{len(files)} games; covered by none: {', '.join(missing) or 'nothing'}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

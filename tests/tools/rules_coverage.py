"""Which clauses of the rules documents are named by a test: `make rules-coverage`.

Prints covered/total for every chapter and what is missing; exit code 1 if anything is. `--update` writes the lists of
ids, kept beside the tests so that they can be read anywhere, from the rules documents that are shipped.
"""

import argparse
import contextlib
import io
import sys
from collections.abc import Mapping, Sequence

from tests.tools import clauses


def report(game: str, tests: Mapping[str, Sequence[str]]) -> bool:
    """Prints the table of one game; whether every clause is covered."""
    wanted = clauses.kept(game)
    missing = [clause for clause in wanted if not tests.get(clause)]
    for chapter in dict.fromkeys(map(clauses.chapter, wanted)):
        inside = [clause for clause in wanted if clauses.chapter(clause) == chapter]
        lacking = [clause for clause in inside if clause in missing]
        covered = f"{len(inside) - len(lacking):3}/{len(inside):<3}"
        print(f"  {chapter:24} {covered} {', '.join(lacking)}".rstrip())
    share = 100 * (len(wanted) - len(missing)) / len(wanted)
    print(f"{game}: {len(wanted) - len(missing)}/{len(wanted)} clauses and examples named by a test ({share:.1f} %)")
    return not missing


def strangers(tests: Mapping[str, Sequence[str]]) -> list[str]:
    """Clauses that tests name and no game has: a misspelt id would look like cover."""
    known = {clause for game in clauses.games() for clause in clauses.kept(game)}
    prefixes = {clause.split("-")[0] + "-" for clause in known}
    return sorted(clause for clause in tests if clause not in known and clause.startswith(tuple(prefixes)))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="names of rules packages; all that have a list if none is given")
    parser.add_argument("--update", action="store_true", help="write the lists from the shipped rules documents")
    chosen = parser.parse_args(arguments)
    games = chosen.games or clauses.games()
    if chosen.update:
        for game in games:
            text = "".join(f"{clause}\n" for clause in clauses.defined(game))
            (clauses.LISTS / f"{game}.txt").write_text(text, "utf-8")
            print(f"{game}: {text.count(chr(10))} clauses and examples")
        return 0
    listing = io.StringIO()
    try:
        with contextlib.redirect_stdout(listing):
            tests = clauses.tests_by_clause()
    except SystemExit:
        print(listing.getvalue())
        raise
    complete = [report(game, tests) for game in games]
    unknown = strangers(tests)
    for clause in unknown:
        print(f"named by a test, but not a clause: {clause} ({tests[clause][0]})")
    return 0 if all(complete) and not unknown else 1


if __name__ == "__main__":
    sys.exit(main())

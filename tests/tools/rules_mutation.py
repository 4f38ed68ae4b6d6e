"""Whether the tests of a clause notice when the clause is broken: `make rules-mutation`.

Every mutant is applied to a copy of the rules package in a temporary folder, and the tests that name its clause are run
against the copy. A mutant that no test notices survives; then the exit code is 1.
"""

import argparse
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from tests.tools import clauses

PACKAGE = clauses.ROOT / "libs" / "wellhead_rules"
DECLARED = Path(__file__).parent / "mutants"
_TIMEOUT_S = 120


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A broken rule: in `file`, `after` stands instead of `before`."""

    clause: str
    file: str
    before: str
    after: str


class _Declared(msgspec.Struct):
    mutant: list[Mutant]


def declared() -> dict[str, list[Mutant]]:
    """The mutants of every game."""
    return {
        file.stem: msgspec.convert(tomllib.loads(file.read_text("utf-8")), _Declared).mutant
        for file in sorted(DECLARED.glob("*.toml"))
    }


def fits(mutant: Mutant, game: str, package: Path = PACKAGE) -> bool:
    """What the mutant breaks stands in the rules, exactly once."""
    return (package / game / mutant.file).read_text("utf-8").count(mutant.before) == 1


def apply(mutant: Mutant, game: str, package: Path) -> None:
    """Breaks the copy in `package`."""
    file = package / game / mutant.file
    file.write_text(file.read_text("utf-8").replace(mutant.before, mutant.after), "utf-8")


def copy(into: Path) -> Path:
    """A copy of the rules packages; built extensions stay behind, or they would be imported instead of the sources."""
    package = into / "wellhead_rules"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    return package


def run(tests: Sequence[str], before_others: Path | None = None) -> tuple[bool, str]:
    """Runs tests, with the packages of a folder in front of those installed: whether all passed, and the first that did
    not. SystemExit if the packages of the folder are not the ones that would be used."""
    path = os.pathsep.join(str(each) for each in (before_others, clauses.ROOT) if each)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    if before_others is not None:
        used = _python(["-c", "import wellhead_rules; print(wellhead_rules.__file__)"], environment).stdout.strip()
        if not Path(used).is_relative_to(before_others):
            raise SystemExit(f"the tests would use {used}, not the copy")
    options = [
        "--exitfirst",
        "--quiet",
        "--no-header",
        "--tb=no",
        "-rfE",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
    ]
    try:
        ended = _python(["-m", "pytest", *options, *tests], environment)
    except subprocess.TimeoutExpired:
        return False, "it never ended"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ended.stdout, re.MULTILINE)
    if ended.returncode and failed is None:
        raise SystemExit(f"the tests could not be run:\n{ended.stdout}{ended.stderr}")
    return ended.returncode == 0, failed[1] if failed else ""


def _python(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=clauses.ROOT, env=environment, capture_output=True, text=True, check=False,
        timeout=_TIMEOUT_S,
    )  # fmt: skip


def examine(mutant: Mutant, game: str, tests: Sequence[str]) -> tuple[bool, str]:
    """Whether the mutant survives, and a line about it."""
    begun = time.perf_counter()
    survives, noticed_by = True, ""
    if not fits(mutant, game):
        noticed_by = "it does not fit the rules any more"
    elif not tests:
        noticed_by = "no test names the clause"
    else:
        with tempfile.TemporaryDirectory() as folder:
            apply(mutant, game, copy(Path(folder)))
            survives, noticed_by = run(tests, Path(folder))
    verdict = "SURVIVED" if survives else "caught"
    seconds = time.perf_counter() - begun
    line = f"  {mutant.clause:24} {mutant.file:18} {verdict:9} {len(tests):3} tests {seconds:5.1f} s  {noticed_by}"
    return survives, line


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", help="only the mutants of these games or clauses")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="mutants tried at a time")
    chosen = parser.parse_args(arguments)
    with contextlib.redirect_stdout(io.StringIO()):
        tests = clauses.tests_by_clause()
    survived = tried = 0
    for game, all_of_game in declared().items():
        mutants = [mutant for mutant in all_of_game if not chosen.only or {game, mutant.clause} & set(chosen.only)]
        if not mutants:
            continue
        needed = sorted({test for mutant in mutants for test in tests.get(mutant.clause, [])})
        passed, failed = run(needed) if needed else (True, "")
        if not passed:
            raise SystemExit(f"{failed} fails without any mutant: nothing can be said")
        print(f"{game}: {len(mutants)} mutants against {len(needed)} tests", flush=True)
        with ThreadPoolExecutor(chosen.workers) as workers:
            outcomes = workers.map(lambda each: examine(each, game, tests.get(each.clause, [])), mutants)  # noqa: B023
            for survives, line in outcomes:
                print(line, flush=True)
                survived += survives
        tried += len(mutants)
    print(f"{tried - survived} of {tried} mutants caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes the refusal codes of every game into `protos/errors.md`: `python -m tests.tools.game_codes`.

They stand in section F.1 of the rules documents. Those that the table around a game has as well are not listed again.
"""

import re
from importlib.resources import files
from pathlib import Path

from wellhead_rules.registry import RULESETS
from wellhead_runtime.reasons import Reason

DOCUMENT = Path(__file__).parents[2] / "protos" / "errors.md"
_PLACE = re.compile(r"(<!-- games: .*? -->\n).*?(<!-- end -->)", re.DOTALL)
_HOST = frozenset({"GAME_EXISTS"})  # a host that derives ids from requests never says it


def codes(game: str) -> frozenset[str]:
    """The closed set of a game's own codes."""
    text = files(f"wellhead_rules.{game}").joinpath("rules.md").read_text("utf-8")
    section = text.split("### F.1 ")[1].split("### F.2 ")[0]
    return frozenset(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", section)) - Reason.__members__.keys() - _HOST


def written() -> str:
    """The document with the codes as they are."""
    games = "".join(
        f"\n- `{game}` ([F.1](../libs/wellhead_rules/{game}/rules.md)): "
        + ", ".join(f"`{code}`" for code in sorted(codes(game)))
        + ".\n"
        for game in RULESETS
    )
    return _PLACE.sub(lambda place: f"{place[1]}{games}\n{place[2]}", DOCUMENT.read_text("utf-8"))


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")

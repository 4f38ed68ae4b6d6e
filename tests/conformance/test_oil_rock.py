"""Oil Rock keeps what every game has to keep."""

import re
from importlib.resources import files
from pathlib import Path

from tests.conformance.oil_rock_books import OilRockBooks
from tests.conformance.subject import Subject
from tests.conformance.suite import Conformance
from tests.support.curious import CuriousOilRock
from wellhead_rules.oil_rock import RULESET, content

_COMMANDS = files("wellhead_rules.oil_rock").joinpath("rules.md").read_text("utf-8").split("### F.1 ")[1]
_CODES = re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", _COMMANDS.split("### F.2 ")[0])

OIL_ROCK = Subject(
    RULESET,
    codes=frozenset(_CODES),
    variants=({}, *({option: values[-1]} for option, values in content.OPTIONS.items())),
    bot=lambda seed: CuriousOilRock(seed, character="carnegie"),
    books=OilRockBooks,
    regressions=Path(__file__).parent / "regressions" / "oil_rock",
)


class TestOilRock(Conformance):
    subject = OIL_ROCK

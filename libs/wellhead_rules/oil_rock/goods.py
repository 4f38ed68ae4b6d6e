"""Places of the goods in a player's holdings, in the order in which gains are recorded (H.2)."""

TOOLS, COINS, COAL, PATENTS, YELLOW, GREEN, BLUE, ENERGY = range(8)
NAMES = ("tools", "coins", "coal", "patents", "yellow", "green", "blue", "energy")
RESOURCES = (TOOLS, COINS, COAL)
PLACE = {name: place for place, name in enumerate(NAMES)}


def barrel(colour: int) -> int:
    """Place of the barrels of an oil colour."""
    return PATENTS + colour

"""Private actions phases in which nobody is asked anything."""


def silent(players: int = 3) -> dict[str, dict[str, str]]:
    """Everybody has chosen to drill; who has no tower that could, loses the action."""
    return {f"P{seat}": {"card": "drill"} for seat in range(players)}

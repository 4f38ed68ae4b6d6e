"""How a rule says no."""


class RuleViolation(Exception):
    """A command was refused; nothing has been recorded (R-RULES-4).

    `code` is stable and belongs to the closed set of the game's rules document, `clause` is the id of the clause that
    refuses, `detail` is a sentence for people.
    """

    def __init__(self, code: str, clause: str, detail: str) -> None:
        super().__init__(f"{code} ({clause}): {detail}")
        self.code = code
        self.clause = clause
        self.detail = detail


class ContentError(Exception):
    """A content pack is not usable; `path` names the place in it."""

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(f"{path}: {detail}")
        self.path = path
        self.detail = detail


class CorruptRecord(Exception):
    """A stored record cannot be understood by this version; `revision` names it, 0 if that is unknown."""

    def __init__(self, revision: int, detail: str) -> None:
        super().__init__(f"revision {revision}: {detail}")
        self.revision = revision
        self.detail = detail

"""Who may do what: the one place where callers meet games (R-API-9).

                       anybody's house                  identity required
    open a table       anybody, with any players        players for themselves, operators for anybody
    take a seat        anybody, under any name          players under their own name, operators for anybody
    start the game     whoever holds a seat, the creator, operators
    leave a seat       whoever holds it, operators
    invite, close      the creator, operators; without a token of their name, the creator by the seat they hold
    ask for a rematch  whoever holds a seat of the game that is over
    answer, resign     whoever holds the seat, nobody else
    record a score     the scoring service
    look on            what the table says: everybody, whoever is signed in, or its seats; once it is over, everybody

A seat is held by the bearer of the token given out for it, and by the identity whose name it was taken under. A private
table is found by whoever sits there, is invited or has opened it, and by operators; a seat there is taken by these, and
by whoever shows the table's code.
"""

from collections.abc import Iterable

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.ruleset import Viewer
from wellhead_rules.kernel.table import Spectating, Status
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import FieldFault, Refused, malformed, not_seat_holder
from wellhead_runtime.live import LiveGame
from wellhead_runtime.reasons import Reason
from wellhead_runtime.roles import IdentityMode, Role
from wellhead_runtime.settings import Settings
from wellhead_runtime.tokens import SCORING, Caller, Identity, SeatProof, Tokens, missing


class Authority:
    """Recognises callers, gives out seat tokens, and refuses what somebody may not."""

    __slots__ = ("_mode", "tokens")

    def __init__(self, tokens: Tokens, mode: IdentityMode = IdentityMode.OPEN) -> None:
        self.tokens = tokens
        self._mode = mode

    @classmethod
    def of(cls, settings: Settings) -> "Authority":
        """As the settings want it; BadKeyFile if their keys do not go together."""
        return cls(Tokens(settings.keyring, settings.trusted_keys), settings.identity)

    def recognise(self, call: Call) -> None:
        """Finds out who calls, once a call; a token that proves nothing is refused whatever is asked."""
        call.caller = self.tokens.read(call.bearer)

    def credential(self, live: LiveGame, seat: int, taken_by: bytes, player: str) -> str:
        """The token of whoever took the seat by that command."""
        return self.tokens.seat(live.table.key_id, SeatProof(live.game_id, seat, taken_by, player))

    # -- the table ---------------------------------------------------------------------------------------------------

    def creator(self, caller: Caller, name: str) -> str:
        """The name under which the caller opens a table; empty means their own."""
        return self._own_name(caller, name, "creator", "opens a table", others=False)

    def player(self, caller: Caller, name: str, field: str) -> str:
        """The name under which the caller fills a seat, as this field of the request says; empty means their own."""
        return self._own_name(caller, name, field, "takes a seat", others=True)

    def _own_name(self, caller: Caller, name: str, field: str, what: str, others: bool) -> str:
        identity = caller if isinstance(caller, Identity) else None
        if self._mode is IdentityMode.OPEN:
            if not name and identity is None:
                raise malformed([FieldFault(field, "must be given by whoever brings no token that says who they are")])
            return name or (identity.subject if identity else "")
        if identity is None:
            raise missing(f"whoever {what} says who they are")
        if identity.role is Role.SERVICE:
            raise Refused(Reason.NOT_YOURS, f"no service {what}")
        if name and name != identity.subject and not (others and identity.role is Role.OPERATOR):
            raise Refused(Reason.NOT_YOURS, f"nobody {what} under another's name")
        return name or identity.subject

    def require_starter(self, live: LiveGame, caller: Caller, formerly: bool) -> None:
        """NOT_SEAT_HOLDER unless the caller holds a seat, has opened the table, or is an operator."""
        if not (_is_operator(caller) or _is_person(caller, live.table.creator)):
            self.require_seat(live, caller, formerly=formerly)
        self.tokens.require_current(caller)

    def require_host(self, live: LiveGame, caller: Caller, formerly: bool) -> None:
        """NOT_YOURS unless the caller has opened the table or is an operator."""
        if caller is None:
            raise missing("a table is kept by whoever has opened it")
        self.tokens.require_current(caller)
        creator = live.table.creator
        seated = isinstance(caller, SeatProof) and caller.game_id == live.game_id and caller.player == creator
        if seated and (formerly or seat_of(live, caller) is not None):
            return
        if not (_is_operator(caller) or _is_person(caller, creator)):
            raise Refused(Reason.NOT_YOURS, "that is for whoever has opened the table")

    def invitation(self, live: LiveGame) -> str:
        """The code that lets whoever shows it sit at a private table; "" for other tables."""
        table = live.table
        return self.tokens.invitation(table.key_id, table.game_id) if table.private else ""

    def lets_in(self, live: LiveGame, caller: Caller, code: str) -> bool:
        """Whether the caller may fill a seat of a private table for whoever is not invited."""
        return _is_operator(caller) or self.tokens.invites(live.table.key_id, live.game_id, code)

    def require_leaver(self, live: LiveGame, caller: Caller, seat: int, formerly: bool) -> None:
        """NOT_SEAT_HOLDER unless the caller holds the seat or is an operator."""
        if not _is_operator(caller):
            self.require_seat(live, caller, seat, formerly)
        self.tokens.require_current(caller)

    # -- the game ----------------------------------------------------------------------------------------------------

    def require_seat(self, live: LiveGame, caller: Caller, seat: int | None = None, formerly: bool = False) -> int:
        """The seat that the caller holds, `seat` if given; NOT_SEAT_HOLDER otherwise.

        `formerly` is for repeats, which are answered to whoever held the seat then, even after leaving it.
        """
        if caller is None:
            raise missing("a seat belongs to its holder")
        self.tokens.require_current(caller)
        held = seat_of(live, caller)
        if held is None and formerly:
            held = _seat_once_of(live, caller, seat)
        if held is None or (seat is not None and held != seat):
            raise not_seat_holder(seat)
        return held

    def require_scoring(self, caller: Caller) -> None:
        """NOT_SCORING_SERVICE unless it is our own scoring service that calls."""
        if caller is None:
            raise missing("only the scoring service records scores")
        if not (isinstance(caller, Identity) and caller.role is Role.SERVICE and caller.subject == SCORING):
            raise Refused(Reason.NOT_SCORING_SERVICE, "only the scoring service records scores")
        self.tokens.require_current(caller)

    # -- looking on --------------------------------------------------------------------------------------------------

    def viewer(self, live: LiveGame, caller: Caller) -> Viewer:
        """The seat whose eyes the caller sees with; None for a spectator.

        SPECTATING_CLOSED if the table does not want them, NOT_SEAT_HOLDER if they bring the token of another seat.
        """
        self.tokens.require_current(caller)
        seat = seat_of(live, caller)
        if seat is None and isinstance(caller, SeatProof):
            raise not_seat_holder()
        if not self.admits(live, caller):
            raise Refused(Reason.SPECTATING_CLOSED, "the table is not open to spectators like the caller")
        return seat

    def admits(self, live: LiveGame, caller: Caller) -> bool:
        """Whether the caller may look at the table."""
        table = live.table
        if seat_of(live, caller) is not None:
            return True
        players = [holder.player for holder in table.seats if holder is not None]
        return _admits(table.spectating, table.status, [table.creator, *players, *table.reserved], caller)

    def lists(self, caller: Caller, summary: game_pb2.GameSummary, asked: str = "") -> bool:
        """Whether the caller finds the game among the others; in an open house they find private tables of the person
        whose games are `asked` for, as they might act for them too."""
        if isinstance(caller, SeatProof) and caller.game_id == summary.game_id:
            caller = Identity(caller.player, Role.PLAYER, 0, "")
        names = {summary.creator, *(seat.player or seat.reserved_for for seat in summary.seats)} - {""}
        belongs = isinstance(caller, Identity) and _belongs(caller, names)
        stands_in = caller is None and self._mode is IdentityMode.OPEN and asked in names
        if summary.private and not (belongs or stands_in):
            return False
        return _admits(Spectating.of(summary.spectating), Status(summary.status), names, caller)


def seat_of(live: LiveGame, caller: Caller) -> int | None:
    """The seat that the caller holds now, if any."""
    match caller:
        case SeatProof(game_id, seat, taken_by) if game_id == live.game_id and live.holders.get(seat) == taken_by:
            return seat
        case Identity(subject, role) if role is not Role.SERVICE:
            seats = enumerate(live.table.seats)
            return next((seat for seat, holder in seats if holder and holder.player == subject), None)
    return None


def _seat_once_of(live: LiveGame, caller: Caller, seat: int | None) -> int | None:
    """A seat that the caller has held before; of several the one asked for."""
    match caller:
        case SeatProof(game_id, once) if game_id == live.game_id:
            return once
        case Identity(subject, role) if role is not Role.SERVICE and (seat, subject) in live.held:
            return seat
    return None


def _admits(spectating: Spectating, status: Status, names: Iterable[str], caller: Caller) -> bool:
    """Whether the caller, who holds no seat by a token, may look at a table with these people."""
    if spectating is Spectating.EVERYBODY or status.over:
        return True
    if not isinstance(caller, Identity):
        return False
    return spectating is Spectating.SIGNED_IN or _belongs(caller, names)


def _belongs(identity: Identity, names: Iterable[str]) -> bool:
    """Whether it is one of these people, or somebody from whom no table is hidden."""
    return identity.role is not Role.PLAYER or identity.subject in names


def _is_person(caller: Caller, name: str) -> bool:
    return isinstance(caller, Identity) and caller.role is not Role.SERVICE and caller.subject == name


def _is_operator(caller: Caller) -> bool:
    return isinstance(caller, Identity) and caller.role is Role.OPERATOR

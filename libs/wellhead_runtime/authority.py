"""Who a caller is at a table: the one place where credentials meet games (R-API-9)."""

from wellhead_rules.kernel.ruleset import Viewer
from wellhead_runtime.credentials import is_genuine, read_seat_credential, seat_credential
from wellhead_runtime.errors import not_seat_holder
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.live import LiveGame


class Authority:
    """Gives out seat credentials and recognises them."""

    __slots__ = ("_keyring",)

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def credential(self, live: LiveGame, seat: int, taken_by: bytes) -> str:
        """The credential of whoever took the seat by that command."""
        return seat_credential(self._keyring.key(live.table.key_id), live.game_id, seat, taken_by)

    def viewer(self, live: LiveGame, credential: str) -> Viewer:
        """The seat that a viewer holds; None, a spectator, without a credential; NOT_SEAT_HOLDER with a bad one."""
        return self.require_seat(live, credential) if credential else None

    def require_seat(self, live: LiveGame, credential: str, seat: int | None = None, formerly: bool = False) -> int:
        """The seat that the credential proves, `seat` if given; NOT_SEAT_HOLDER otherwise.

        `formerly` is for repeats, which are answered to whoever held the seat then, even after leaving it.
        """
        claim = read_seat_credential(credential)
        if claim is None or (seat is not None and claim.seat != seat):
            raise not_seat_holder(seat)
        if not formerly and live.holders.get(claim.seat) != claim.taken_by:
            raise not_seat_holder(seat)
        if not is_genuine(self._keyring.key(live.table.key_id), live.game_id, claim):
            raise not_seat_holder(seat)
        return claim.seat

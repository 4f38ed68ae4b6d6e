"""The Python SDK: what any third party could write with the protos and the public rules library.

async with WellheadClient("127.0.0.1:7001", "127.0.0.1:7002") as client:
    table = await client.create_game(game, ["ada", "bob"])
    ada, bob = table.credentials
    await client.start_game(table.game_id, ada)
    async for message in client.watch(table.game_id, ada):
        ...
"""

from wellhead_client.client import Seat, SeatAt, WellheadClient, new_request_id
from wellhead_client.errors import Refused, Unreachable
from wellhead_client.play import PlaySession
from wellhead_client.tls import Tls

__all__ = ["PlaySession", "Refused", "Seat", "SeatAt", "Tls", "Unreachable", "WellheadClient", "new_request_id"]

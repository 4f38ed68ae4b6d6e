"""Hands scores to the command service until it has answered, however long that is away (R-SCORE-1)."""

import asyncio
import random
from collections.abc import Callable

import grpc
import structlog
from grpc import StatusCode
from prometheus_client import Gauge

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import command_service_pb2_grpc
from wellhead_eventlog.errors import StoreUnavailable
from wellhead_runtime import tracing
from wellhead_runtime.metrics import REGISTRY

WAITING = Gauge("wellhead_scores_waiting", "Scores that wait for the command service.", registry=REGISTRY)

# What no repetition of the identical call can mend. Everything else may be a matter of time.
_FINAL = frozenset(
    {
        StatusCode.DATA_LOSS,
        StatusCode.FAILED_PRECONDITION,
        StatusCode.INVALID_ARGUMENT,
        StatusCode.NOT_FOUND,
        StatusCode.UNIMPLEMENTED,
    }
)
_CALL_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 2.0

_log = structlog.get_logger(__name__)


class NotRecorded(Exception):
    """The command service refuses a score for good; the game is put aside for somebody to look at."""


class Recorder:
    """Calls RecordScore with the scoring service's token, asked for each time, since none holds for long."""

    def __init__(self, stub: "command_service_pb2_grpc.GameCommandServiceAsyncStub", token: Callable[[], str]) -> None:
        self._stub = stub
        self._token = token
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Gives up waiting; what is not recorded yet will be, after the next start."""
        self._stopping.set()

    async def record(self, request: api.RecordScoreRequest) -> int:
        """The revision at which the score stands. Waits for the command service as long as it takes."""
        with WAITING.track_inprogress():
            return await self._record(request)

    async def _record(self, request: api.RecordScoreRequest) -> int:
        pause = _FIRST_PAUSE_SECONDS
        while True:
            metadata = (("authorization", f"Bearer {self._token()}"), *tracing.metadata())
            try:
                response = await self._stub.RecordScore(request, timeout=_CALL_SECONDS, metadata=metadata)
                return response.receipt.revision
            except grpc.aio.AioRpcError as error:
                if error.code() in _FINAL:
                    raise NotRecorded(f"{error.code().name}: {error.details()}") from error
                _log.warning("waiting for the command service", game=request.game_id, code=error.code().name)
            await self._wait(pause * random.uniform(0.5, 1.0))
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return
        # To the consumer this is an absence like any other: it tries again, after the next start.
        raise StoreUnavailable("the service stops before the command service has answered")

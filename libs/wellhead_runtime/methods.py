"""The methods of a service, from the descriptors of its proto and the servicer that carries them out.

A servicer is a class with one method for each of the proto's: `(request, call)` returns the answer, or yields answers
where the proto says `stream`; where the proto's requests are a stream they come as an async iterator. It knows nothing
of transports.
"""

from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from wellhead_runtime.admission import Gate
from wellhead_runtime.calls import Call

Recognise = Callable[[Call], None]
"""Finds out whom a call comes from before it is carried out; refuses one that pretends."""


class Method:
    """One method: its path, its messages, and `serve`, which carries it out."""

    __slots__ = ("asks_on", "goes_on", "path", "request", "response", "serve")

    def __init__(self, descriptor: MethodDescriptor, servicer: object, gate: Gate, recognise: Recognise) -> None:
        self.path = f"/{descriptor.containing_service.full_name}/{descriptor.name}"
        self.request: type[Message] = GetMessageClass(descriptor.input_type)
        self.response: type[Message] = GetMessageClass(descriptor.output_type)
        self.asks_on = descriptor.client_streaming
        self.goes_on = descriptor.server_streaming
        serve = getattr(servicer, descriptor.name)
        # Who asks on is let in at once: each request of the stream is checked by whoever takes it.
        passed = serve if self.asks_on else gate.stream(serve) if self.goes_on else gate.answer(serve)
        self.serve = _recognised(passed, recognise)

    @property
    def name(self) -> str:
        """The method's name within its service."""
        return self.path.rpartition("/")[2]


class Service:
    """A service of the contract and who carries it out; every request passes the gate."""

    __slots__ = ("descriptor", "methods")

    def __init__(self, descriptor: ServiceDescriptor, servicer: object, gate: Gate, recognise: Recognise) -> None:
        self.descriptor = descriptor
        self.methods = [Method(each, servicer, gate, recognise) for each in descriptor.methods]

    @property
    def name(self) -> str:
        """The full name."""
        return str(self.descriptor.full_name)


def _recognised(serve: Callable[[Any, Call], Any], recognise: Recognise) -> Callable[[Any, Call], Any]:
    """A method whose call comes from somebody; whether it answers or goes on answering is all the same here."""

    def recognised(request: Any, call: Call) -> Any:
        recognise(call)
        return serve(request, call)

    return recognised

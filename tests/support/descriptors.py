"""The services of the contract, as their protos describe them."""

from dataclasses import dataclass

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from wellhead.v1 import command_service_pb2, query_service_pb2, scoring_service_pb2


@dataclass(frozen=True)
class Method:
    """A method as a client calls it."""

    descriptor: MethodDescriptor

    @property
    def path(self) -> str:
        return f"/{self.descriptor.containing_service.full_name}/{self.descriptor.name}"

    @property
    def request(self) -> type[Message]:
        return GetMessageClass(self.descriptor.input_type)

    @property
    def response(self) -> type[Message]:
        return GetMessageClass(self.descriptor.output_type)


SERVICES = [
    [Method(method) for method in service.methods]
    for file in (command_service_pb2, query_service_pb2, scoring_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
]

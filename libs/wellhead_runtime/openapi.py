"""The contract as an OpenAPI 3.1 document, from the descriptors of the protos and the comments in them.

It describes what the HTTP port takes as plain JSON: one POST a method.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata, resources
from typing import Any

from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    MethodDescriptor,
    ServiceDescriptor,
)
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

Schema = dict[str, Any]

_ERROR = "connect.error"
_SCALARS: Mapping[int, Schema] = {
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    FieldDescriptor.CPPTYPE_INT64: {"type": ["string", "integer"], "format": "int64"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": ["string", "integer"], "format": "uint64"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
}
_WELL_KNOWN: Mapping[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?\d+(\.\d+)?s$"},
    "google.protobuf.FieldMask": {"type": "string"},
    "google.protobuf.Struct": {"type": "object"},
    "google.protobuf.Value": {},
    "google.protobuf.Any": {"type": "object"},
    "google.protobuf.Empty": {"type": "object"},
}

_PARTS = ("nested_type", "enum_type", "field", "value", "method")
"""Where the parts of a message, an enum or a service stand that have comments of their own."""

_STREAM = """

The answer is a stream. Every message comes in an envelope: one byte of flags, four bytes of length, the highest first,
and the JSON. So does the request. The last envelope has flag 2, and holds an empty object or the error."""

_ABOUT = """Every method takes a POST with JSON at the path of its name. What the contract does not name is refused, \
and what a request leaves out is the default of its type. Whoever acts for a seat, or as somebody, sends \
`Authorization: Bearer TOKEN`. The same port speaks Connect's protobuf and gRPC-Web."""


def document(services: Iterable[ServiceDescriptor]) -> dict[str, Any]:
    """The document of these services. What needs a stream in both directions is left out: HTTP does not offer it."""
    schemas: dict[str, Schema] = {_ERROR: _error()}
    paths, tags = {}, []
    for service in services:
        tags.append({"name": service.full_name, "description": _said(service.full_name)})
        for method in service.methods:
            if not method.client_streaming:
                paths[f"/{service.full_name}/{method.name}"] = {"post": _operation(method, schemas)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Wellhead", "version": _version(), "description": _ABOUT, "license": {"name": "Apache-2.0"}},
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"bearer": []}],
    }


def _version() -> str:
    try:
        return metadata.version("wellhead")
    except metadata.PackageNotFoundError:
        return "0"


def _operation(method: MethodDescriptor, schemas: dict[str, Schema]) -> Schema:
    kind = "application/connect+json" if method.server_streaming else "application/json"
    said = _said(method.full_name)

    def content(message: Descriptor) -> Schema:
        return {kind: {"schema": _message(message, schemas)}}

    return {
        "operationId": method.full_name,
        "tags": [method.containing_service.full_name],
        "summary": said.partition(". ")[0].rstrip("."),
        "description": said + _STREAM if method.server_streaming else said,
        "requestBody": {"required": True, "content": content(method.input_type)},
        "responses": {
            "200": {"description": _said(method.output_type.full_name), "content": content(method.output_type)},
            "default": {
                "description": "Why there is no answer.",
                "content": {"application/json": {"schema": _ref(_ERROR)}},
            },
        },
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _message(message: Descriptor, schemas: dict[str, Schema]) -> Schema:
    """A reference to the message, which is described together with all that it is made of."""
    name = message.full_name
    if name in _WELL_KNOWN:
        return dict(_WELL_KNOWN[name])
    if name not in schemas:
        described = schemas[name] = {"type": "object", "description": _said(name), "additionalProperties": False}
        described["properties"] = {each.json_name: _field(each, schemas) for each in message.fields}
        choices = [each for each in message.oneofs if len(each.fields) > 1]
        for choice in choices:
            described["description"] += f" At most one of {', '.join(each.json_name for each in choice.fields)}."
    return _ref(name)


def _enum(enum: EnumDescriptor, schemas: dict[str, Schema]) -> Schema:
    name = enum.full_name
    if name not in schemas:
        meanings = "".join(f"\n- `{each.name}`: {_said(f'{name}.{each.name}')}" for each in enum.values)
        schemas[name] = {
            "type": "string",
            "description": f"{_said(name)}\n{meanings}",
            "enum": [each.name for each in enum.values],
        }
    return _ref(name)


def _field(field: FieldDescriptor, schemas: dict[str, Schema]) -> Schema:
    described = _value(field, schemas)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        value = field.message_type.fields_by_name["value"]
        described = {"type": "object", "additionalProperties": _value(value, schemas)}
    elif field.is_repeated:
        described = {"type": "array", "items": described}
    return {**described, "description": _said(field.full_name)}


def _value(field: FieldDescriptor, schemas: dict[str, Schema]) -> Schema:
    if field.message_type is not None:
        return {} if field.message_type.GetOptions().map_entry else _message(field.message_type, schemas)
    if field.enum_type is not None:
        return _enum(field.enum_type, schemas)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    return dict(_SCALARS.get(field.cpp_type, {"type": "string"}))


def _error() -> Schema:
    detail = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "description": "Name of the message."},
            "value": {"type": "string", "contentEncoding": "base64", "description": "Its bytes, without padding."},
            "debug": {"type": "object", "description": "The same, to be read."},
        },
    }
    return {
        "type": "object",
        "description": "An error. `google.rpc.ErrorInfo` among its details carries a stable reason.",
        "required": ["code"],
        "properties": {
            "code": {"type": "string", "description": "The canonical status, in small letters."},
            "message": {"type": "string"},
            "details": {"type": "array", "items": detail},
        },
    }


# -- comments ----------------------------------------------------------------------------------------------------------


def _said(name: str) -> str:
    return _comments().get(name, "")


@cache
def _comments() -> Mapping[str, str]:
    """What the protos say of everything that has a name; the build leaves them in the generated package."""
    files = FileDescriptorSet.FromString((resources.files("wellhead") / "contract.binpb").read_bytes())
    return {name: comment for file in files.file for name, comment in _of_file(file)}


def _of_file(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    comments = {tuple(each.path): each.leading_comments for each in file.source_code_info.location}

    def of(path: tuple[int, ...], scope: str, things: Iterable[Any]) -> Iterator[tuple[str, str]]:
        for index, thing in enumerate(things):
            name, place = f"{scope}.{thing.name}", (*path, index)
            yield name, " ".join(comments.get(place, "").split())
            for part in filter(thing.DESCRIPTOR.fields_by_name.get, _PARTS):
                number = thing.DESCRIPTOR.fields_by_name[part].number
                yield from of((*place, number), name, getattr(thing, part))

    for part in ("message_type", "enum_type", "service"):
        yield from of((file.DESCRIPTOR.fields_by_name[part].number,), file.package, getattr(file, part))

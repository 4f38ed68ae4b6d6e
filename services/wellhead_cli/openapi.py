"""`wellhead openapi`: the HTTP side of the contract, as tools for HTTP take it."""

import json
from pathlib import Path

from wellhead.v1 import command_service_pb2, query_service_pb2, scoring_service_pb2
from wellhead_cli.console import Failure, out
from wellhead_runtime.openapi import document

_FILES = (command_service_pb2, query_service_pb2, scoring_service_pb2)


def run(output: Path | None) -> None:
    """Writes the document of all services."""
    services = [service for file in _FILES for service in file.DESCRIPTOR.services_by_name.values()]
    text = json.dumps(document(services), indent=2)
    if output is None:
        out.print(text, markup=False, highlight=False, soft_wrap=True)
        return
    try:
        output.write_text(text + "\n")
    except OSError as error:
        raise Failure(f"{output}: {error.strerror}") from error

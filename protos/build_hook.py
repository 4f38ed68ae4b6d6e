"""Generates `libs/wellhead/` from `protos/wellhead/`: messages, gRPC stubs, the type stubs of both, and a description.

The build back end runs it for wheels and for editable installs. Folder, proto package and Python package agree,
so `protos/wellhead/v1/game.proto` becomes `wellhead.v1.game_pb2` with no import rewritten.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProtoBuildHook(BuildHookInterface[Any]):
    """Called by hatchling before it collects the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bring the generated package up to date; an sdist carries the protos instead."""
        if self.target_name == "wheel":
            root = Path(self.root)
            generate(root / "protos", root / "libs")


def generate(source: Path, target: Path) -> None:
    """Compile every proto under `source/wellhead` and make `target/wellhead` exactly that."""
    protos = sorted(path.relative_to(source).as_posix() for path in (source / "wellhead").rglob("*.proto"))
    if not protos:
        raise FileNotFoundError(f"no .proto file under {source / 'wellhead'}")
    with tempfile.TemporaryDirectory() as scratch:
        compile_protos(source, Path(scratch), protos)
        (Path(scratch) / "wellhead" / "py.typed").touch()
        mirror(Path(scratch) / "wellhead", target / "wellhead")


def compile_protos(source: Path, out: Path, protos: list[str]) -> None:
    """Run protoc; its plugins lie beside the interpreter when no environment is activated."""
    outputs = ["--python_out", "--grpc_python_out", "--mypy_out=quiet", "--mypy_grpc_out=quiet"]
    targets = [f"{output}:{out}" if "=" in output else f"{output}={out}" for output in outputs]
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
    # The contract with its comments, as data: what the OpenAPI document is made of.
    described = [f"--descriptor_set_out={out / 'wellhead' / 'contract.binpb'}", "--include_source_info"]
    (out / "wellhead").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{source}", *targets, *described, *protos]
    subprocess.run(command, check=True, env={**os.environ, "PATH": path})


def mirror(source: Path, target: Path) -> None:
    """Make `target` equal to `source`, touching only what differs: running processes and caches stay valid."""
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    for name in wanted:
        if not (target / name).exists() or not filecmp.cmp(source / name, target / name, shallow=False):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_file() and path.suffix != ".pyc" and path.relative_to(target) not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()

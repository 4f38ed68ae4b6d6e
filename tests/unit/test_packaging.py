"""What is installed is what the tree says: packages, data files, generated code, the command."""

import importlib
import json
import subprocess
import tomllib
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
TOP_LEVEL = {"LICENSE", "Makefile", "README.md", "deploy", "libs", "protos", "pyproject.toml", "services", "tests"}


def walk(folder: Traversable) -> list[Traversable]:
    return [file for entry in folder.iterdir() for file in (walk(entry) if entry.is_dir() else [entry])]


def data_files(package: str, suffix: str) -> list[Traversable]:
    return [file for file in walk(files(package)) if file.name.endswith(suffix)]


def tree(folder: str, pattern: str) -> set[str]:
    base = ROOT / folder
    return {path.relative_to(base).as_posix() for path in (base / "wellhead").rglob(pattern)}


def test_every_package_of_the_tree_travels_with_the_wheel():
    found = [f"{folder}/{path.name}" for folder in ("libs", "services") for path in (ROOT / folder).glob("wellhead*")]
    assert sorted(PACKAGES) == sorted(found)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_importable_from_where_the_tree_has_it(package: str):
    folders = importlib.import_module(Path(package).name).__path__
    assert ROOT / package in [Path(folder) for folder in folders]


def test_content_packs_are_found_as_package_data():
    packs = data_files("wellhead_rules", ".json")
    assert packs
    for pack in packs:
        assert json.loads(pack.read_bytes())


def test_server_functions_are_found_as_package_data():
    assert data_files("wellhead_eventlog", ".lua")


def test_the_generated_code_is_typed_and_matches_the_protos():
    protos = tree("protos", "*.proto")
    generated = tree("libs", "*.py*")
    wanted = {
        f"{proto.removesuffix('.proto')}_pb2{kind}"
        for proto in protos
        for kind in (".py", ".pyi", "_grpc.py", "_grpc.pyi")
    }
    assert {name for name in generated if not name.endswith(".pyc")} - {"wellhead/py.typed"} == wanted
    assert (files("wellhead") / "py.typed").is_file()
    assert (files("wellhead") / "contract.binpb").is_file()


def test_the_command_is_installed():
    (command,) = entry_points(group="console_scripts", name="wellhead")
    assert callable(command.load())


def test_the_top_level_holds_nothing_else():
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL

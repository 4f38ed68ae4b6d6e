"""`python -m wellhead_command`."""

import sys

from wellhead_command.main import serve
from wellhead_runtime import lifecycle

sys.exit(lifecycle.main("command", serve))

"""`python -m wellhead_scoring`."""

import sys

from wellhead_runtime import lifecycle
from wellhead_scoring.main import serve

sys.exit(lifecycle.main("scoring", serve))

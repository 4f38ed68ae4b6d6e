"""`python -m wellhead_projection`."""

import sys

from wellhead_projection.main import serve
from wellhead_runtime import lifecycle

sys.exit(lifecycle.main("projection", serve))

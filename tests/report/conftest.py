"""The tests of the page share their attacks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

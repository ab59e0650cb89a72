"""The cores of the machine, and who goes first on them."""

from __future__ import annotations

import os
import sys
import threading

NICENESS = 10
"""How much less priority than the server has whatever thinks for bots."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def lower_priority_of_thread() -> None:
    """Lowers the priority of this thread, where threads have a priority of their own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

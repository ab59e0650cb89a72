"""Rigid bodies: live worlds by MuJoCo. One module for each game that has a world.

Loading this registers the worlds with their games; the simulator itself is loaded when the first of
them is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quarterdeck.contract import AnyRecord, LiveWorld, register_world


def _open_riff_raff(kit: AnyRecord, state: AnyRecord, attached: Mapping[str, Any]) -> LiveWorld:
    from .riff_raff import open_world

    return open_world(kit, state, attached)


def _open_gezanke(kit: AnyRecord, state: AnyRecord, attached: Mapping[str, Any]) -> LiveWorld:
    from .gezanke import open_world

    return open_world(kit, state)


register_world("riff-raff", _open_riff_raff)
register_world("gezanke", _open_gezanke)

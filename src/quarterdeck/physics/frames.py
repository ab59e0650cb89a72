"""Poses as bytes: frames for everybody's eyes, and the motion that is kept with a record."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from quarterdeck.contract import Float64, Grid, compiled

GRAIN = 1e-4  # metres
GONE = -32768
_ROOT = 32767 * math.sqrt(2)
_HEAD = struct.Struct("<IH")


@compiled
def pack_poses(poses: Grid[Float64]) -> npt.NDArray[np.int16]:
    """Six small integers a pose: the place, and the turn without its largest part."""
    packed = np.zeros((len(poses), 6), np.int16)
    for n in range(len(poses)):
        for axis in range(3):
            packed[n, axis] = _whole(poses[n, axis] / GRAIN)
        largest = 0
        for part in range(1, 4):
            if abs(poses[n, 3 + part]) > abs(poses[n, 3 + largest]):
                largest = part
        scale = -_ROOT if poses[n, 3 + largest] < 0 else _ROOT
        at = 3
        for part in range(4):
            if part != largest:
                packed[n, at] = _whole(poses[n, 3 + part] * scale)
                at += 1
        packed[n, 3] = (packed[n, 3] & ~3) | largest
    return packed


@compiled
def _whole(value: float) -> int:
    return int(min(32767.0, max(-32767.0, np.rint(value))))


def unpack_pose(packed: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """The pose six small integers stand for."""
    largest = int(packed[3]) & 3
    parts = np.array([packed[3] & ~3, packed[4], packed[5]]) / _ROOT
    quat = np.insert(parts, largest, np.sqrt(max(0.0, 1 - float(parts @ parts))))
    return np.concatenate([packed[:3] * GRAIN, quat / np.linalg.norm(quat)])


# Motion --------------------------------------------------------------------------------------


def pack_motion(frames: Iterable[tuple[int, bytes]]) -> str:
    """Frames with their times, as text small enough to be kept."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(_HEAD.pack(ms, len(data)) + data) for ms, data in frames)
    return base64.b64encode(packed + packer.flush()).decode()


def unpack_motion(text: str) -> Iterator[tuple[int, bytes]]:
    """Frames with their times, as `pack_motion` made a text of them."""
    data = zlib.decompress(base64.b64decode(text), -15)
    at = 0
    while at < len(data):
        ms, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        yield ms, data[at : at + size]
        at += size

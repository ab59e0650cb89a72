"""Chance: a generator that is a record (xoshiro128**).

All arithmetic stays within 63 bits, so it runs alike compiled, interpreted, and with the 32-bit
integers of a browser.
"""

from __future__ import annotations

import numpy as np

from .compiling import compiled, inlined
from .records import Array, Int8, Int64, Record, record, shape


class Rng(Record):
    """The state of the generator: four words of 32 bits."""

    s: Array[Int64] = shape(4)


_WORD = 0xFFFFFFFF


@inlined
def next_word(rng: Rng) -> int:
    """The next 32 random bits."""
    s = rng.s
    x = (s[1] * 5) & _WORD
    x = ((x << 7) & _WORD) | (x >> 25)
    x = (x * 9) & _WORD
    t = (s[1] << 9) & _WORD
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = ((s[3] << 11) & _WORD) | (s[3] >> 21)
    return x


@inlined
def below(rng: Rng, n: int) -> int:
    """A number from 0 to n-1, each equally likely (multiply and reject: no modulo bias).

    `n` is below 2**31, so that products stay within 63 bits.
    """
    product = next_word(rng) * n
    if (product & _WORD) < n:
        threshold = (_WORD + 1 - n) % n
        while (product & _WORD) < threshold:
            product = next_word(rng) * n
    return product >> 32


@compiled
def draw(rng: Rng, pool: Array[Int8], size: int, count: int) -> None:
    """Moves `count` of the pool's first `size` items, drawn without replacement, to its front."""
    for i in range(count):
        j = i + below(rng, size - i)
        taken = pool[j]
        pool[j] = pool[i]
        pool[i] = taken


@compiled
def stir(h: int, word: int) -> int:
    """A 32-bit hash with the low 32 bits of another number stirred in."""
    h ^= word & _WORD
    h ^= h >> 16
    h = (h * 0x21F0AAAD) & _WORD
    h ^= h >> 15
    h = (h * 0x735A2D97) & _WORD
    h ^= h >> 15
    return (h + 0x1E3779B9) & _WORD


@compiled
def seed_rng(rng: Rng, seed: int, game: int, stream: int, draw_index: int) -> None:
    """Sets the generator for one draw of one simulated game; every argument counts in full."""
    h = 0x2545F491
    for i in range(4):
        h = stir(h, seed)
        h = stir(h, seed >> 32)
        h = stir(h, game)
        h = stir(h, stream)
        h = stir(h, draw_index)
        rng.s[i] = h
    if rng.s[0] == 0 and rng.s[1] == 0 and rng.s[2] == 0 and rng.s[3] == 0:
        rng.s[0] = 1


def rng_from_bytes(seed: bytes) -> Rng:
    """The generator whose four words are the first sixteen bytes, little-endian."""
    rng = record(Rng)
    rng.s[:] = np.frombuffer(seed[:16], "<u4")
    if not rng.s.any():
        rng.s[0] = 1
    return rng

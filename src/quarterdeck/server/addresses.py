"""Whose request it is: addresses as they are counted, and proxies whose word for them is taken."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from functools import lru_cache

IPV6_PREFIX = 64
"""What one line to the net usually gets: within it, addresses are had for nothing."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@lru_cache(4096)
def address_key(host: str) -> str:
    """The word an address is counted by: IPv6 by its first 64 bits, and IPv4 within IPv6 as IPv4.

    >>> address_key("192.0.2.7"), address_key("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> address_key("2001:db8::1"), address_key("2001:db8::2:3")
    ('2001:db8::/64', '2001:db8::/64')
    """
    address = _read(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX), strict=False))
    return host if address is None else str(address)


def _read(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address, without a port that some proxies add; None if it is none."""
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def read_network(word: str) -> Network:
    """The network that a setting names, an address or `ADDRESS/BITS`. Raises `ValueError`."""
    return ipaddress.ip_network(word, strict=False)


class TrustedProxies:
    """The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        self.networks = tuple(map(read_network, named))

    def __contains__(self, host: str) -> bool:
        address = _read(host)
        return address is not None and any(
            address.version == network.version and address in network for network in self.networks
        )

    def client(self, peer: str, forwarded_for: Sequence[str]) -> str:
        """Who sent a request: the last hop of `X-Forwarded-For` that is no trusted proxy, if the
        peer is one. What stands before that hop, anybody may have written.

        >>> TrustedProxies(["10.0.0.0/8"]).client("10.0.0.1", ["6.6.6.6, 192.0.2.7, 10.0.0.2"])
        '192.0.2.7'
        """
        if peer not in self:
            return peer
        last = peer
        for hop in reversed(",".join(forwarded_for).split(",")):
            address = _read(hop.strip())
            if address is None:
                return last
            last = str(address)
            if last not in self:
                return last
        return last

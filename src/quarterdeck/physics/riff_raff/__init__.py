"""Riff Raff's live world: the ship, the loading of one piece, and the hand of a bot."""

from __future__ import annotations

from .loading import Loading, open_world

__all__ = ["Loading", "open_world"]

"""Skull King in the terminal."""

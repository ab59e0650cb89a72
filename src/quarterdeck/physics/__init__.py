"""Rigid bodies: live worlds by MuJoCo. One module for each game that has a world."""

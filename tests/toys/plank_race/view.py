"""Plank Race: what a seat may see, what it may remember, and what is told to it."""

from __future__ import annotations

from msgspec import Struct

from quarterdeck.contract import Event, compiled, copy_list

from .positions import by_seat
from .state import (
    ENDED,
    HIDDEN,
    MOST_PLAYERS,
    NONE,
    SAND,
    SETTLE,
    SHARE,
    STEP,
    WAGER,
    WAGERING,
    Action,
    Kit,
    Memory,
    State,
)


@compiled
def see(kit: Kit, state: State, seat: int, seen: State) -> None:
    """All but the purses of others, and their wagers until all have wagered (PR-1, PR-2)."""
    seen.players = state.players
    seen.phase = state.phase
    copy_list(seen.steps, state.steps)
    copy_list(seen.drop, state.drop)
    seen.floats = state.floats
    for other in range(MOST_PLAYERS):
        purse, wager = state.purses[other], state.wagers[other]
        open_purse = other == seat or purse == NONE or state.phase == ENDED
        seen.purses[other] = purse if open_purse else HIDDEN
        open_wager = other == seat or wager == NONE or state.phase != WAGERING
        seen.wagers[other] = wager if open_wager else HIDDEN


@compiled
def glimpse(kit: Kit, state: State, seat: int, actor: int, action: Action, seen: Action) -> None:
    """Of the purses one's own; no other seat's wager."""
    seen.verb = action.verb
    copy_list(seen.args, action.args)
    if action.verb == SHARE:
        for other in range(MOST_PLAYERS):
            if other != seat and action.args[other] != NONE:
                seen.args[other] = HIDDEN
    elif action.verb == WAGER and actor != seat:
        seen.args[0] = HIDDEN


@compiled
def remember(kit: Kit, memory: Memory, seat: int, seen: State, actor: int, action: Action) -> None:
    """Counts the action."""
    memory.actions += 1


class Own(Struct, frozen=True):
    """What a seat sees otherwise than everybody: its purse, and its wager while it is sealed."""

    purses: list[int | str | None]
    wagers: list[int | str | None]


def own(kit: Kit, seen: State, seat: int) -> Own:
    """The seat's own part of its view, from what it sees."""
    players = int(seen.players)
    return Own(by_seat(seen.purses, players), by_seat(seen.wagers, players))


def events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """What happened, to be told to the seat that sees these records."""
    if action.verb == SHARE:
        return [Event("shared")]
    if action.verb == WAGER:
        return [Event("wagered", {"seat": actor})]
    if action.verb == STEP:
        return [Event("stepped", {"seat": actor, "steps": int(after.steps[actor])})]
    if action.verb == SAND:
        return [Event("sand")]
    if action.verb == SETTLE:
        return [Event("floats" if after.floats else "sank")]
    return [Event("dropped", {"seat": actor})]

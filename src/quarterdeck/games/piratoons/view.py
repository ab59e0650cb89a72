"""Piratoons: what a seat may see, what it remembers, and what is told to it."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from quarterdeck.contract import Event, compiled, copy_list, copy_record, records

from . import plunder, rules
from .notation import layout_text, tile_names
from .positions import Known, bid_names, purse_names, refit_texts
from .reckoning import end_events
from .state import (
    AFLOAT,
    AUCTION,
    AUTO,
    BID,
    CHEST,
    CLOSE,
    EMPTIED,
    ENDED,
    FILLS,
    HIDDEN,
    HIDE,
    IN_FULL,
    MOST_PLAYERS,
    NONE,
    OPENS,
    PLUNDER,
    REFIT,
    REFITTING,
    SAND,
    SHOW,
    START,
    STOP,
    SUNK,
    TAKE,
    TAKING,
    TILES,
    Action,
    Kit,
    Memory,
    State,
)


@compiled
def see(kit: Kit, state: State, seat: int, seen: State) -> None:
    """Writes what a seat may see: all but a closed chest, the doubloons of those who do not show
    them, and what others have sealed. The bank lies open; whoever can subtract may."""
    seen.players = state.players
    seen.phase = state.phase
    seen.round_number = state.round_number
    seen.captain = state.captain
    seen.opened = state.opened
    seen.ran_out = state.ran_out
    seen.barred = state.barred
    seen.out = state.out
    seen.shown = state.shown
    seen.refitted = state.refitted
    seen.bank = state.bank
    seen.short = state.short
    copy_list(seen.owner, state.owner)
    copy_list(seen.spot, state.spot)
    copy_list(seen.pile_x, state.pile_x)
    copy_list(seen.pile_y, state.pile_y)
    copy_list(seen.pile_size, state.pile_size)
    copy_list(seen.pile_fell, state.pile_fell)
    copy_list(seen.stones, state.stones)
    is_closed = state.phase == PLUNDER and not state.opened  # PT-4
    for field in range(CHEST):
        seen.chest[field] = HIDDEN if is_closed else state.chest[field]
    for other in range(MOST_PLAYERS):
        mine = other == seat or other >= state.players
        is_open = mine or state.phase == ENDED or (state.shown >> other) & 1  # PT-1
        seen.doubloons[other] = state.doubloons[other] if is_open else HIDDEN
        is_open = mine or state.phase != AUCTION or state.bids[other] == NONE  # PT-19
        seen.bids[other] = state.bids[other] if is_open else HIDDEN
    for tile in range(TILES):  # PT-R4
        owner = state.owner[tile]
        is_open = owner < 0 or owner == seat or not (state.refitted >> owner) & 1
        seen.refit[tile] = state.refit[tile] if is_open else HIDDEN


@compiled
def glimpse(kit: Kit, state: State, seat: int, actor: int, action: Action, seen: Action) -> None:
    """Writes what a seat may see of an action: not what fills the chest, nor what others seal."""
    seen.verb = action.verb
    copy_list(seen.args, action.args)
    if action.verb == FILLS:
        for field in range(CHEST):
            seen.args[field] = HIDDEN
    elif action.verb == BID and actor != seat:
        seen.args[0] = HIDDEN
    elif (action.verb == REFIT or action.verb == AUTO) and actor != seat:
        seen.verb = REFIT
        seen.args[:] = HIDDEN


@compiled
def remember(kit: Kit, memory: Memory, seat: int, seen: State, actor: int, action: Action) -> None:
    """Keeps count of everybody's doubloons."""
    if action.verb == START:
        memory.is_known = 1
        for other in range(seen.players):
            memory.purses[other] = kit.purse
    elif memory.is_known == 0:  # a game that began in the middle
        return
    elif action.verb == TAKE:
        memory.purses[actor] -= seen.bids[actor]
    elif seen.phase == PLUNDER and seen.opened == 1:
        # who is paid what shows only in the end: so it is played through on a copy
        copies = records(State, 1)
        copies[0] = seen
        copy_list(copies[0].doubloons, memory.purses)
        rules.apply(kit, copies[0], actor, action)
        copy_list(memory.purses, copies[0].doubloons)


# What is told --------------------------------------------------------------------------------


class Own(Struct, frozen=True):
    """What a seat sees otherwise than everybody does: its doubloons, and its bid and its layout
    while these are sealed."""

    doubloons: list[Known]
    bids: list[Known | None]
    refits: list[str | None]


def own(kit: Kit, seen: State, seat: int) -> Own:
    """The seat's own part of its view, from what it sees."""
    players = int(seen.players)
    return Own(
        purse_names(seen.doubloons.tolist()[:players]),
        bid_names(seen.bids.tolist()[:players]),
        refit_texts(kit, seen),
    )


def events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """What happened, to be told to the seat that sees these records."""
    verb = int(action.verb)
    seat: dict[str, Any] = {"seat": actor}
    if verb == START:
        return [Event("captain-drawn", {"seat": int(after.captain)})]
    if verb == FILLS:
        filled = {"round": int(after.round_number), "seat": int(after.captain)}
        return [Event("chest-filled", filled)]
    if verb == OPENS:
        return [Event("chest-opened", seat | {"tiles": _names(kit, after.chest)})]
    if verb in (SHOW, HIDE):
        return [Event("shown" if verb == SHOW else "hidden", seat)]
    if verb == BID:
        return [Event("bid-sealed", seat), *_bid_events(kit, before, after)]
    if verb == TAKE:
        bought = {"tile": tile_names(kit)[action.args[0]], "doubloons": int(before.bids[actor])}
        return [Event("tile-bought", seat | bought), *_overboard_events(kit, before, after)]
    if verb in (REFIT, AUTO):
        return [Event("refit-sealed", seat), *_refit_events(kit, before, after)]
    told = _plunder_events(kit, before, actor, action)
    return told + _loot_events(kit, before, actor, action, after)


def _names(kit: Kit, tiles: Any) -> list[str]:
    names = tile_names(kit)
    return [names[tile] for tile in tiles if tile >= 0]


def _plunder_events(kit: Kit, before: State, actor: int, action: Action) -> list[Event]:
    verb, seat = int(action.verb), {"seat": actor}
    if verb == SAND:
        return [Event("sand")]
    if verb == CLOSE:
        return [Event("closed")]
    if verb == STOP:
        return [Event("stopped" if before.ran_out else "stopped-early", seat)]
    count = int(action.args[0])
    landed = np.empty(5, np.int64)
    plunder.landing(kit, before, actor, action, landed)
    is_clumsy, x, y, field, fell = landed.tolist()
    if is_clumsy:
        return [Event("clumsy", seat | {"count": count})]
    told = [Event("toppled", seat | {"count": fell})] if fell else []
    values = seat | {"count": count, "x": x, "y": y}
    if field == NONE:
        return [*told, Event("dropped-astray", values)]
    tile = tile_names(kit)[before.chest[field]]
    return [*told, Event("dropped", values | {"tile": tile})]


def _loot_events(kit: Kit, before: State, actor: int, action: Action, after: State) -> list[Event]:
    """PT-13 to PT-17: what the end of the plunder brings."""
    if after.phase == PLUNDER:
        return []
    told = [] if action.verb in (STOP, CLOSE) else [Event("nobody-left")]
    last = copy_record(before)  # the table at the last moment
    plunder.act_in_plunder(kit, last, actor, action)
    told += _pay_events(kit, last, after)
    counts = np.zeros((CHEST, MOST_PLAYERS), np.int64)
    plunder.count_stones(kit, last, counts)
    for field in range(CHEST):
        winner = int(plunder.winner_of(counts[field]))
        values = {
            "tile": tile_names(kit)[before.chest[field]],
            "field": field + 1,
            "stones": counts[field][: last.players].tolist(),
        }
        if winner == NONE:
            told.append(Event("tile-left", values))
        else:
            told.append(Event("tile-won", values | {"seat": winner}))
    return told


def _pay_events(kit: Kit, last: State, after: State) -> list[Event]:
    """PT-13, PT-14. PT-R1: who got how much of an empty bank shows only in people's own purses."""
    idle = [int(plunder.idle_stones(kit, last, seat)) for seat in range(last.players)]
    told = []
    if after.short != IN_FULL:
        told.append(Event("halved"))
    if after.short == EMPTIED:
        return [*told, Event("bank-empty", {"seat": int(last.captain)})]
    for seat, stones in enumerate(idle):
        if stones:
            told.append(Event("paid", {"seat": seat, "doubloons": stones}))
    return told


def _bid_events(kit: Kit, before: State, after: State) -> list[Event]:
    """PT-19, PT-20: the fists open."""
    if after.phase == AUCTION:
        return []
    bids = after.bids[: after.players].tolist()
    told = [Event("bids-open", {"seats": list(range(after.players)), "bids": bids})]
    for bid in sorted(set(bids), reverse=True):
        tied = [seat for seat, other in enumerate(bids) if other == bid]
        if bid > 0 and len(tied) > 1:
            told.append(Event("bids-tied", {"seats": tied, "bid": bid}))
    return [*told, *_overboard_events(kit, before, after)]


def _overboard_events(kit: Kit, before: State, after: State) -> list[Event]:
    """PT-23: what was left, once the auction is over."""
    if after.phase in (AUCTION, TAKING):
        return []
    told = []
    for key, owner in (("afloat", AFLOAT), ("sank", SUNK)):
        tiles = [t for t in before.chest if t >= 0 and after.owner[t] == owner]
        if tiles:
            told.append(Event(key, {"tiles": _names(kit, tiles)}))
    return told


def _refit_events(kit: Kit, before: State, after: State) -> list[Event]:
    """PT-R4: once all are declared, the ships as they are now, and what went overboard."""
    if after.phase == REFITTING:
        return []
    told = []
    for seat in range(after.players):
        spots = [s if o == seat else NONE for s, o in zip(after.spot, after.owner, strict=True)]
        lost = [t for t in range(TILES) if before.owner[t] == seat and after.owner[t] == AFLOAT]
        if any(owner == seat for owner in before.owner):
            told.append(Event("ship-laid-out", {"seat": seat, "layout": layout_text(kit, spots)}))
        if lost:
            told.append(Event("overboard", {"seat": seat, "tiles": _names(kit, lost)}))
    if after.phase == ENDED:
        told += end_events(kit, after)
    return told

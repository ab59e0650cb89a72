"""Ships: connections, sets, which layouts are allowed, and the best one (PT-R4).

Where the parts lie decides the connections, and only them; what equipment has a place depends on
which parts there are, not on their order. So the two are solved apart.

For the connections a part is an arc from the symbol of its left edge to that of its right one. A
ship is a walk through all arcs, from the bow's symbol to the stern's; where it has to jump, a
connection is wrong. The fewest jumps follow from the degrees of the symbols (Euler), so any ship is
laid out exactly, and at once.
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import Array, Grid, Int8, Int16, Int64, compiled

from .state import (
    ADDON_KINDS,
    DECK,
    FIRST_SAIL,
    GUN,
    MOST_DESIGNS,
    MOST_SAILS,
    NONE,
    OF_A_KIND,
    PARTS,
    PT_24,
    PT_25,
    PT_26,
    PT_R4,
    SAIL,
    SYMBOLS,
    TILES,
    Kit,
    kind_of,
)

SAME_POINTS, DIFFERENT_POINTS, PAIR_POINTS = 5, 4, 2  # PT-33
CONNECTION_POINTS = 2  # PT-31

Ints = Array[Int8]
Counts = Array[Int64]


# Sets ----------------------------------------------------------------------------------------


@compiled
def like_points(count: int) -> int:
    """PT-33: what so many add-ons of one design bring in threes and pairs."""
    return count // 3 * SAME_POINTS + (PAIR_POINTS if count % 3 == 2 else 0)


@compiled
def split_sets(counts: Counts, mixed: Counts) -> int:
    """PT-33: the points of the best partition of add-ons of one kind, given how many there are of
    each design. `mixed` becomes how many of each design go into sets of three different ones.

    `n` sets of different designs can be made of any `3n` add-ons with at most `n` of a design.
    """
    total = 0
    for count in counts:
        total += count
    best = -1
    sums = np.empty((MOST_DESIGNS + 1, OF_A_KIND + 1), np.int64)
    taken = np.empty((MOST_DESIGNS, OF_A_KIND + 1), np.int64)
    for sets in range(total // 3 + 1):
        # the best that is left with so many taken from the first designs
        sums[:] = -1
        sums[0][0] = 0
        for design in range(MOST_DESIGNS):
            for before in range(3 * sets + 1):
                if sums[design][before] < 0:
                    continue
                for take in range(min(sets, counts[design], 3 * sets - before) + 1):
                    points = sums[design][before] + like_points(counts[design] - take)
                    if points > sums[design + 1][before + take]:
                        sums[design + 1][before + take] = points
                        taken[design][before + take] = take
        left = sums[MOST_DESIGNS][3 * sets]
        if left >= 0 and left + sets * DIFFERENT_POINTS > best:
            best = left + sets * DIFFERENT_POINTS
            at = 3 * sets
            for design in range(MOST_DESIGNS - 1, -1, -1):
                mixed[design] = taken[design][at]
                at -= taken[design][at]
    return best


@compiled
def best_points(kept: Counts, spare: Counts, size: int) -> int:
    """The most points of `size` add-ons of a kind: all of `kept`, the rest out of `spare`; -1 if
    there are not so many."""
    mixed = np.empty(MOST_DESIGNS, np.int64)
    counts = kept.copy()
    total = 0
    for count in kept:
        total += count
    best = -1
    while True:
        if total == size:
            best = max(best, split_sets(counts, mixed))
        # the next way to take from the spare ones, like a counter
        design = 0
        while design < MOST_DESIGNS and counts[design] == kept[design] + spare[design]:
            total -= spare[design]
            counts[design] = kept[design]
            design += 1
        if design == MOST_DESIGNS:
            return best
        counts[design] += 1
        total += 1


@compiled
def count_designs(kit: Kit, owner: Ints, spots: Ints, seat: int, kind: int, counts: Counts) -> None:
    """Writes how many add-ons of each design of a kind are built in."""
    counts[:] = 0
    for i in range(OF_A_KIND):
        tile = PARTS + kind * OF_A_KIND + i
        if owner[tile] == seat and spots[tile] != NONE:
            counts[kit.design[tile - PARTS]] += 1


@compiled
def set_points(kit: Kit, owner: Ints, spots: Ints, seat: int) -> int:
    """PT-33: the points of all sets on a ship."""
    counts, mixed = np.empty(MOST_DESIGNS, np.int64), np.empty(MOST_DESIGNS, np.int64)
    points = 0
    for kind in range(ADDON_KINDS):
        count_designs(kit, owner, spots, seat, kind, counts)
        points += split_sets(counts, mixed)
    return points


# Connections ---------------------------------------------------------------------------------


@compiled
def list_ship(owner: Ints, spots: Ints, seat: int, order: Ints) -> int:
    """Writes the parts of a ship from bow to stern; answers how many."""
    count = 0
    for part in range(PARTS):
        if owner[part] == seat and spots[part] != NONE:
            order[spots[part]] = part
            count += 1
    return count


@compiled
def correct_connections(kit: Kit, owner: Ints, spots: Ints, seat: int) -> int:
    """PT-31, PT-R5: how many connections are correct, bow and stern included."""
    order = np.empty(PARTS, np.int8)
    count = list_ship(owner, spots, seat, order)
    correct, symbol = 0, kit.ends[0]
    for i in range(count):
        correct += 1 if symbol == kit.edges[order[i]][0] else 0
        symbol = kit.edges[order[i]][1]
    return correct + (1 if symbol == kit.ends[1] else 0)


@compiled
def fewest_jumps(arcs: Counts, first: int, last: int) -> int:
    """How often a walk from one symbol to another through all arcs has to jump at least.

    With an arc from the end back to the start the walk is round. Symbols that hang together take as
    many stretches as more arcs leave than enter, but at least one; each stretch ends in a jump,
    unless a single one comes back to its start.
    """
    group = np.empty(SYMBOLS, np.int64)
    surplus = np.zeros(SYMBOLS, np.int64)
    used = np.zeros(SYMBOLS, np.bool_)
    for i in range(SYMBOLS):
        group[i] = i
    for a in range(SYMBOLS):
        for b in range(SYMBOLS):
            count = arcs[a * SYMBOLS + b]
            if a == last and b == first:
                count += 1
            if count == 0:
                continue
            surplus[a] += count
            surplus[b] -= count
            used[a] = used[b] = True
            one, other = group[a], group[b]
            for i in range(SYMBOLS):
                if group[i] == other:
                    group[i] = one
    stretches, groups, is_round = 0, 0, True
    for name in range(SYMBOLS):
        leaving, is_there = 0, False
        for i in range(SYMBOLS):
            if used[i] and group[i] == name:
                is_there = True
                leaving += max(0, surplus[i])
        if is_there:
            groups += 1
            is_round = is_round and leaving == 0
            stretches += max(1, leaving)
    return 0 if groups == 1 and is_round else stretches


@compiled
def count_arcs(kit: Kit, owner: Ints, seat: int, arcs: Counts) -> int:
    """Writes how many parts of a seat lead from each symbol to each; answers how many parts."""
    arcs[:] = 0
    count = 0
    for part in range(PARTS):
        if owner[part] == seat:
            arcs[arc_of(kit, part)] += 1
            count += 1
    return count


@compiled
def arc_of(kit: Kit, part: int) -> int:
    """The place of a part among the arcs."""
    return (kit.edges[part][0] - 1) * SYMBOLS + kit.edges[part][1] - 1


@compiled
def order_parts(kit: Kit, owner: Ints, seat: int, spots: Ints) -> None:
    """Gives all parts of a seat their places: fewest jumps, and then the least names."""
    arcs = np.empty(SYMBOLS * SYMBOLS, np.int64)
    count = count_arcs(kit, owner, seat, arcs)
    first, last = int(kit.ends[0]) - 1, int(kit.ends[1]) - 1
    jumps = fewest_jumps(arcs, first, last)
    for place in range(count):
        for tile in kit.by_text:
            if tile >= PARTS or owner[tile] != seat or spots[tile] != NONE:
                continue
            left, right = int(kit.edges[tile][0]) - 1, int(kit.edges[tile][1]) - 1
            arcs[left * SYMBOLS + right] -= 1
            jumped = 1 if left != first else 0
            if jumped + fewest_jumps(arcs, right, last) <= jumps:
                spots[tile] = place
                first = right
                jumps -= jumped
                break
            arcs[left * SYMBOLS + right] += 1


# Equipment -----------------------------------------------------------------------------------


@compiled
def sail_room(masts: Counts, used: int) -> int:
    """How many sails the best so many masts carry, given how many masts carry 0, 1, 2 and 3."""
    room = 0
    for size in range(len(masts) - 1, 0, -1):
        taken = min(used, masts[size])
        room += size * taken
        used -= taken
    return room if used == 0 else -1


@compiled
def do_fit(masts: Counts, decks: int, used: int, sails: int, deck_tiles: int) -> bool:
    """Whether so many sails fit exactly on so many of these masts, and so many deck tiles on the
    deck fields left."""
    return used <= sails <= sail_room(masts, used) and deck_tiles <= decks - used


@compiled
def best_layout(kit: Kit, owner: Ints, seat: int, spots: Ints) -> None:
    """PT-R4: writes the best layout of all that a seat owns; `spots` of all else become `NONE`.

    First how much of each kind has a place, then what goes where, such that the text is the least:
    from bow to stern each part gets nothing if the rest has room for all, else the least tile
    after which all is still well.
    """
    spots[:] = NONE
    order_parts(kit, owner, seat, spots)
    order = np.empty(PARTS, np.int8)
    count = list_ship(owner, spots, seat, order)
    room, masts = np.empty(SAIL + 1, np.int64), np.empty(MOST_SAILS + 1, np.int64)
    spare = np.empty((SAIL + 1, MOST_DESIGNS), np.int64)
    kept = np.zeros((SAIL + 1, MOST_DESIGNS), np.int64)
    due, goal = np.empty(SAIL + 1, np.int64), np.empty(SAIL + 1, np.int64)
    used = plan_equipment(kit, owner, seat, room, masts, spare, due, goal)

    for i in range(count):
        part = order[i]
        free = kit.fields[part].copy()
        for kind in range(ADDON_KINDS):
            room[kind] -= free[kind]
        masts[kit.mast[part]] -= 1
        sails, last = 0, NONE
        while not has_room(room, due, masts, used):
            # the least tile that may go here
            for at in range(last + 1, TILES):
                tile = kit.by_text[at]
                if tile < PARTS or owner[tile] != seat or spots[tile] != NONE:
                    continue
                kind = kind_of(tile)
                if due[kind] == 0:
                    continue
                if kind == SAIL:
                    more = int(kit.mast[part]) - sails - 1
                    if more < 0 or (sails == 0 and (free[DECK] == 0 or used == 0)):
                        continue
                    if sails == 0 and not has_sail_room(room, due, masts, used - 1, more):
                        continue
                    if sails == 0:
                        used -= 1
                        free[DECK] = 0
                    sails += 1
                else:
                    if free[kind] == 0:
                        continue
                    if kind == DECK and not do_fit(
                        masts, room[DECK], used, due[SAIL], due[DECK] - 1
                    ):
                        continue
                    design = kit.design[tile - PARTS]
                    kept[kind][design] += 1
                    spare[kind][design] -= 1
                    size = total(kept[kind]) + due[kind] - 1
                    if best_points(kept[kind], spare[kind], size) < goal[kind]:
                        kept[kind][design] -= 1
                        spare[kind][design] += 1
                        continue
                    free[kind] -= 1
                due[kind] -= 1
                spots[tile] = part
                last = at
                break


@compiled
def total(counts: Counts) -> int:
    """Their sum."""
    result = 0
    for count in counts:
        result += count
    return result


@compiled
def plan_equipment(
    kit: Kit,
    owner: Ints,
    seat: int,
    room: Counts,
    masts: Counts,
    spare: Grid[Int64],
    due: Counts,
    goal: Counts,
) -> int:
    """PT-R4: writes what there is of a seat's (fields by kind, masts by the sails they carry, tiles
    by kind and design), how much of each kind is kept (`due`), and the points of its sets (`goal`);
    answers how many masts carry sails."""
    room[:] = 0
    masts[:] = 0
    spare[:] = 0
    goal[:] = 0
    for part in range(PARTS):
        if owner[part] == seat:
            for kind in range(ADDON_KINDS):
                room[kind] += kit.fields[part][kind]
            masts[kit.mast[part]] += 1
    for tile in range(PARTS, FIRST_SAIL):
        if owner[tile] == seat:
            spare[kind_of(tile)][kit.design[tile - PARTS]] += 1
    for tile in range(FIRST_SAIL, TILES):
        spare[SAIL][0] += owner[tile] == seat
    nothing = np.zeros(MOST_DESIGNS, np.int64)
    for kind in range(GUN, ADDON_KINDS):
        due[kind] = min(total(spare[kind]), room[kind])
        goal[kind] = best_points(nothing, spare[kind], due[kind])
    return choose_masts(masts, room, spare, due, goal)


@compiled
def choose_masts(masts: Counts, room: Counts, spare: Grid[Int64], due: Counts, goal: Counts) -> int:
    """PT-25, PT-R4: shares the deck fields between sails and deck tiles; answers how many masts
    carry sails. Best is most tiles, then points, then sails, then fields that are not empty."""
    nothing = np.zeros(MOST_DESIGNS, np.int64)
    best, chosen = NONE, 0
    for used in range(total(masts) - masts[0] + 1):
        sails = min(spare[SAIL][0], sail_room(masts, used))
        decks = min(total(spare[DECK]), room[DECK] - used)
        if sails < used:
            break
        points = best_points(nothing, spare[DECK], decks)
        worth = ((sails + decks) * 128 + points) * 4096 + sails * 64 + used + decks
        if worth > best:
            best, chosen = worth, used
            due[SAIL], due[DECK], goal[DECK] = sails, decks, points
    return chosen


@compiled
def has_room(room: Counts, due: Counts, masts: Counts, used: int) -> bool:
    """Whether the parts that follow have a place for everything that is still due."""
    for kind in range(GUN, ADDON_KINDS):
        if due[kind] > room[kind]:
            return False
    return do_fit(masts, room[DECK], used, due[SAIL], due[DECK])


@compiled
def has_sail_room(room: Counts, due: Counts, masts: Counts, used: int, more: int) -> bool:
    """Whether all fits if a part takes one sail now, and up to so many more."""
    for extra in range(min(more, due[SAIL] - 1) + 1):
        if do_fit(masts, room[DECK], used, due[SAIL] - 1 - extra, due[DECK]):
            return True
    return False


# What is allowed -----------------------------------------------------------------------------


@compiled
def free_places(kit: Kit, owner: Ints, spots: Ints, seat: int, tile: int, part: int) -> int:
    """PT-25, PT-26: how many more tiles like this one a part has a place for; negative if there are
    too many on it already. Tiles of other seats do not count."""
    kind = kind_of(tile)
    on_part: Counts = np.zeros(SAIL + 1, np.int64)
    for other in range(PARTS, TILES):
        if owner[other] == seat and spots[other] == part:
            on_part[kind_of(other)] += 1
    if kind == SAIL:
        free = int(kit.mast[part]) - on_part[SAIL]
        return min(free, 0) if on_part[DECK] > 0 else free
    free = int(kit.fields[part][kind]) - on_part[kind]
    if kind == DECK and on_part[SAIL] > 0:
        return min(free, 0)
    return free


@compiled
def refuse_layout(kit: Kit, owner: Ints, seat: int, spots: Array[Int16]) -> int:
    """PT-24, PT-25, PT-26, PT-R4: the rule that forbids a seat this layout; 0 if it is allowed."""
    layout = np.empty(TILES, np.int8)
    for tile in range(TILES):
        layout[tile] = spots[tile]
    for tile in range(TILES):
        is_named = layout[tile] != NONE
        if is_named and owner[tile] != seat:
            return PT_24
        if tile < PARTS and owner[tile] == seat and not is_named:
            return PT_24
    for tile in range(PARTS, TILES):
        part = layout[tile]
        if part == NONE:
            continue
        if part < 0 or part >= PARTS or owner[part] != seat:
            return PT_24
        kind = kind_of(tile)
        if free_places(kit, owner, layout, seat, tile, part) < 0:
            return PT_26 if kind == SAIL else PT_25
        if kind == SAIL:
            for other in range(PARTS, PARTS + OF_A_KIND):
                if owner[other] == seat and layout[other] == part:
                    return PT_25
    for tile in range(PARTS, TILES):
        if owner[tile] == seat and layout[tile] == NONE:
            for part in range(PARTS):
                if owner[part] == seat and free_places(kit, owner, layout, seat, tile, part) > 0:
                    return PT_R4
    return 0

"""Piratoons, the rules, in the order of `docs/rules/piratoons.md`. Each is cited where it stands.

| numbers | room |
|---|---|
| PT-C1 … PT-C3 | `state.py`, `kit.toml`, read by `notation.py` |
| PT-1 … PT-5 | here; what is hidden: `view.py` |
| PT-6 … PT-17, PT-R1, PT-R3 | `plunder.py`; who may do what: here; the clock: `__init__.py` |
| PT-18 … PT-23 | here |
| PT-24 … PT-28, PT-R4 | here; ships and their layouts: `layout.py` |
| PT-29 | here |
| PT-30 … PT-34, PT-R2, PT-R5 | `score.py`; connections and sets: `layout.py`; who wins: here |

Real time does not come in here: what the clock does is nature's, `sand` and `close`, and actions
count in the order in which they come.
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OPEN,
    OVER,
    SEALED,
    SEAT,
    Array,
    Int64,
    Numbers,
    Rng,
    Rows,
    below,
    compiled,
    copy_list,
    draw,
)

from .layout import best_layout, refuse_layout
from .plunder import act_in_plunder, clear_stones, pay_idle, share_loot, supply
from .score import COUNTED, POINT_PARTS, score, ship_points, tie_value
from .state import (
    AFLOAT,
    AUCTION,
    AUTO,
    BID,
    BIDS,
    CHEST,
    CLOSE,
    DROP,
    DROPS,
    ENDED,
    EQUIPMENT_FIELDS,
    FILL,
    FILLS,
    HIDE,
    HIDE_NUMBER,
    IN_FULL,
    MOST_DOUBLOONS,
    MOST_PLAYERS,
    MOST_STONES,
    NONE,
    OPEN_NUMBER,
    OPENS,
    PARTS,
    PLUNDER,
    PT_1,
    PT_2,
    PT_3,
    PT_4,
    PT_5,
    PT_6,
    PT_7,
    PT_8,
    PT_11,
    PT_15,
    PT_18,
    PT_19,
    PT_21,
    PT_29,
    PT_C3,
    PT_R3,
    PT_R4,
    REFIT,
    REFITS,
    REFITTING,
    ROUNDS,
    SAND,
    SHOW,
    SHOW_NUMBER,
    START,
    STOP,
    STOP_NUMBER,
    SUNK,
    TAKE,
    TAKES,
    TAKING,
    TILES,
    UNSEEN,
    Action,
    Kit,
    State,
    field_of,
    has_tiles_left,
    is_on_offer,
    list_unseen,
    owns_part,
    owns_tile,
)


@compiled
def new(kit: Kit, options: Array[Int64], state: State) -> None:
    """PT-1, PT-2: a game about to begin. `options`: [players, …]; the others are for the clock."""
    state.players = options[0]
    state.phase = FILL
    state.round_number = 1
    state.captain = NONE
    state.opened = state.ran_out = 0
    state.barred = state.out = state.shown = state.refitted = 0
    state.doubloons[:] = 0
    for seat in range(state.players):
        state.doubloons[seat] = kit.purse
    state.bank = kit.doubloons - state.players * kit.purse
    state.short = IN_FULL
    state.bids[:] = NONE
    state.chest[:] = NONE
    state.owner[:] = UNSEEN
    state.spot[:] = NONE
    state.refit[:] = NONE
    clear_stones(state)


# Whose turn it is ----------------------------------------------------------------------------


@compiled
def node(kit: Kit, state: State) -> int:
    """The plunder is open to all at once; bids and refits are sealed."""
    if state.phase == FILL:
        return CHANCE
    if state.phase == PLUNDER:
        return OPEN if state.opened else SEAT
    if state.phase == TAKING:
        return SEAT
    return OVER if state.phase == ENDED else SEALED


@compiled
def seats(kit: Kit, state: State) -> int:
    """The seats that may act now, as bits."""
    if state.phase == PLUNDER and not state.opened:
        return 1 << state.captain  # PT-5
    if state.phase == TAKING:
        return 1 << taker(state)
    due = 0
    for seat in range(state.players):
        is_due = state.phase == AUCTION and state.bids[seat] == NONE
        if state.phase == PLUNDER:
            is_due = is_plundering(kit, state, seat)
        elif state.phase == REFITTING:
            is_due = (state.refitted >> seat) & 1 == 0 and owns_tile(state, seat)
        if is_due:
            due |= 1 << seat
    return due


@compiled
def is_plundering(kit: Kit, state: State, seat: int) -> bool:
    """Whether a seat may place stones or call stop in an open chest."""
    if (state.out >> seat) & 1:
        return False  # PT-11, PT-R3
    return (state.barred >> seat) & 1 == 0 or supply(kit, state, seat) > 0


@compiled
def stones_to_drop(kits: Rows[Kit], states: Rows[State], seat: int) -> int:
    """How many stones a seat may let go now."""
    kit, state = kits[0], states[0]
    if state.phase != PLUNDER or state.opened == 0 or not is_plundering(kit, state, seat):
        return 0
    return supply(kit, state, seat)


@compiled
def taker(state: State) -> int:
    """PT-19, PT-20, PT-21: the seat with the highest bid that nobody else made; NONE for nobody."""
    best = NONE
    for seat in range(state.players):
        bid = state.bids[seat]
        is_alone = bid > 0
        for other in range(state.players):
            is_alone = is_alone and (other == seat or state.bids[other] != bid)
        if is_alone and (best == NONE or bid > state.bids[best]):
            best = seat
    return best


# What may be done ----------------------------------------------------------------------------


@compiled
def legal(kit: Kit, state: State, seat: int, numbers: Numbers) -> int:
    """Writes the numbers of all listed actions of a seat; answers how many."""
    count = 0
    if not (seats(kit, state) >> seat) & 1:
        return count
    if state.phase == PLUNDER and state.opened:
        for stones in range(supply(kit, state, seat)):
            for field in range(CHEST):
                numbers[count] = DROPS + stones * CHEST + field
                count += 1
        if not (state.barred >> seat) & 1:
            numbers[count] = STOP_NUMBER
            count += 1
    elif state.phase == PLUNDER:
        numbers[count] = OPEN_NUMBER
        count += 1
    elif state.phase == AUCTION:
        for bid in range(state.doubloons[seat] + 1):
            numbers[count] = BIDS + bid
            count += 1
    elif state.phase == TAKING:
        for tile in range(TILES):
            if is_on_offer(state, tile):
                numbers[count] = TAKES + tile
                count += 1
    else:
        numbers[count] = refit_number(state, seat)
        count += 1
    numbers[count] = HIDE_NUMBER if (state.shown >> seat) & 1 else SHOW_NUMBER  # PT-1
    return count + 1


@compiled
def aside(kit: Kit, action: Action) -> bool:
    """PT-1: showing and hiding one's doubloons answers nothing; what was to be done is still."""
    return action.verb == SHOW or action.verb == HIDE


@compiled
def refit_number(state: State, seat: int) -> int:
    """The number of a seat's best layout; all seats without parts share one."""
    return REFITS + (seat if owns_part(state, seat) else MOST_PLAYERS)


@compiled
def decode(kit: Kit, state: State, number: int, action: Action) -> None:
    """The action with this number."""
    action.args[:] = NONE
    if number < STOP_NUMBER:
        action.verb = DROP
        action.args[0] = number // CHEST + 1
        action.args[1] = state.chest[number % CHEST]
    elif number == STOP_NUMBER:
        action.verb = STOP
    elif number == SHOW_NUMBER:
        action.verb = SHOW
    elif number == HIDE_NUMBER:
        action.verb = HIDE
    elif number == OPEN_NUMBER:
        action.verb = OPENS
    elif number < TAKES:
        action.verb = BID
        action.args[0] = number - BIDS
    elif number < REFITS:
        action.verb = TAKE
        action.args[0] = number - TAKES
    else:
        action.verb = REFIT
        seat = number - REFITS
        if seat < MOST_PLAYERS and owns_part(state, seat):
            spots = np.empty(TILES, np.int8)
            best_layout(kit, state.owner, seat, spots)
            copy_list(action.args, spots)
        elif seat < MOST_PLAYERS:
            action.args[TILES - 1] = 0  # no ship: a sail on a part that is not there


@compiled
def number(kit: Kit, state: State, action: Action) -> int:
    """The number of a seat's action in this state; NONE if it has none."""
    verb, first = action.verb, action.args[0]
    if verb == DROP:
        for field in range(CHEST):
            if state.chest[field] == action.args[1] and 1 <= first <= MOST_STONES:
                return DROPS + (first - 1) * CHEST + field
    elif verb == STOP:
        return STOP_NUMBER
    elif verb == SHOW:
        return SHOW_NUMBER
    elif verb == HIDE:
        return HIDE_NUMBER
    elif verb == OPENS:
        return OPEN_NUMBER
    elif verb == BID and 0 <= first <= MOST_DOUBLOONS:
        return BIDS + first
    elif verb == TAKE and 0 <= first < TILES:
        return TAKES + first
    elif verb == REFIT:
        return number_of_layout(kit, state, action)
    return NONE


@compiled
def number_of_layout(kit: Kit, state: State, action: Action) -> int:
    """The number of a layout, if it is the best of the seat that owns its parts."""
    seat = NONE
    for tile in range(TILES):
        if action.args[tile] != NONE:
            seat = int(state.owner[tile])
            break
    if seat == NONE:
        return REFITS + MOST_PLAYERS
    spots = np.empty(TILES, np.int8)
    best_layout(kit, state.owner, seat, spots)
    for tile in range(TILES):
        if spots[tile] != action.args[tile]:
            return NONE
    return REFITS + seat


@compiled
def refuse(kit: Kit, state: State, actor: int, action: Action) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    verb = action.verb
    if state.phase == ENDED:
        return PT_29
    if (actor == NATURE) != (verb >= START):
        return PT_3 if verb < START else refuse_nature(kit, state, action, False)
    if verb >= START:
        return refuse_nature(kit, state, action, True)
    is_due = bool((seats(kit, state) >> actor) & 1)
    first = action.args[0]
    if verb == OPENS:
        return 0 if state.phase == PLUNDER and not state.opened and is_due else PT_5
    if verb == SHOW or verb == HIDE:
        is_shown = bool((state.shown >> actor) & 1)
        return 0 if is_due and is_shown == (verb == HIDE) else PT_1
    if verb == BID:
        if state.phase != AUCTION:
            return PT_18
        return 0 if is_due and 0 <= first <= state.doubloons[actor] else PT_19
    if verb == TAKE:
        if state.phase != TAKING or not is_due:
            return PT_21
        return 0 if is_on_offer(state, first) else PT_18
    if verb == REFIT or verb == AUTO:
        if state.phase != REFITTING or not is_due:
            return PT_R4
        return 0 if verb == AUTO else refuse_layout(kit, state.owner, actor, action.args)
    return refuse_in_plunder(kit, state, actor, action)


@compiled
def refuse_in_plunder(kit: Kit, state: State, seat: int, action: Action) -> int:
    """PT-4 … PT-8, PT-11, PT-15, PT-R3: the rule that forbids a drop or a call; 0 for none."""
    is_open = state.phase == PLUNDER and state.opened == 1
    is_out = bool((state.out >> seat) & 1)
    if action.verb == STOP:
        if not is_open:
            return PT_6
        if is_out:
            return PT_R3
        return PT_7 if (state.barred >> seat) & 1 else 0
    if not is_open:
        return PT_5
    if is_out:
        return PT_11
    stones = action.args[0]
    if stones < 1 or stones > kit.stones:
        return PT_C3
    if stones > supply(kit, state, seat):
        return PT_8
    if action.verb == DROP:
        return 0 if field_of(state, action.args[1]) != NONE else PT_4
    x, y = action.args[1], action.args[2]
    return 0 if 0 <= x <= kit.width and 0 <= y <= kit.height else PT_15


@compiled
def refuse_nature(kit: Kit, state: State, action: Action, is_nature: bool) -> int:
    """PT-2, PT-3, PT-4, PT-6, PT-R3: the rule that forbids what nature does; 0 if it is allowed.
    Nobody else may do it."""
    verb = action.verb
    is_open = is_nature and state.phase == PLUNDER and state.opened == 1
    if verb == SAND:
        return 0 if is_open and not state.ran_out else PT_6
    if verb == CLOSE:
        return 0 if is_open and state.ran_out else PT_R3
    is_filling = is_nature and state.phase == FILL
    if verb == START:
        is_seat = 0 <= action.args[0] < state.players
        return 0 if is_filling and state.captain == NONE and is_seat else PT_3
    if not is_filling or state.captain == NONE:
        return PT_4
    left = np.zeros(TILES, np.bool_)
    tiles = np.empty(TILES, np.int8)
    for i in range(list_unseen(state, 0, TILES, tiles)):
        left[tiles[i]] = True
    for field in range(CHEST):
        tile = action.args[field]
        if tile < 0 or tile >= TILES or (tile < PARTS) != (field >= EQUIPMENT_FIELDS):
            return PT_4
        if not left[tile]:
            return PT_2
        left[tile] = False
    return 0


# What comes of it ----------------------------------------------------------------------------


@compiled
def apply(kit: Kit, state: State, actor: int, action: Action) -> None:
    """Carries out an action that `refuse` allows."""
    verb, first = action.verb, action.args[0]
    if verb == START:
        state.captain = first
    elif verb == FILLS:
        for field in range(CHEST):
            state.chest[field] = action.args[field]
        state.bids[:] = NONE  # they lay open until now
        state.short = IN_FULL
        state.phase = PLUNDER
    elif verb == OPENS:
        state.opened = 1
    elif verb == SHOW:
        state.shown |= 1 << actor
    elif verb == HIDE:
        state.shown &= ~(1 << actor)
    elif verb == BID:
        state.bids[actor] = first
        if seats(kit, state) == 0:
            open_bids(kit, state)
    elif verb == TAKE:
        take(kit, state, actor, first)
    elif verb == REFIT or verb == AUTO:
        refit(kit, state, actor, action)
    elif act_in_plunder(kit, state, actor, action):
        end_plunder(kit, state)


@compiled
def end_plunder(kit: Kit, state: State) -> None:
    """Phases 3 and 4: the idle are paid, the loot is shared; then what is left is auctioned."""
    pay_idle(kit, state)
    share_loot(kit, state)
    clear_stones(state)
    state.opened = state.ran_out = 0
    state.barred = state.out = 0
    if has_tiles_left(state):
        state.phase = AUCTION
    else:
        begin_refit(kit, state)  # PT-18


@compiled
def open_bids(kit: Kit, state: State) -> None:
    """PT-19, PT-20: all have bid; whoever bid most without a tie is first to take."""
    if taker(state) == NONE:
        end_auction(kit, state)
    else:
        state.phase = TAKING


@compiled
def take(kit: Kit, state: State, seat: int, tile: int) -> None:
    """PT-21, PT-22: a tile for a bid; then it is the next one's turn."""
    field = field_of(state, tile)
    if field != NONE:
        state.chest[field] = NONE
    state.owner[tile] = seat
    state.doubloons[seat] -= state.bids[seat]
    state.bank += state.bids[seat]
    state.bids[seat] = NONE
    if taker(state) == NONE or not has_tiles_left(state):
        end_auction(kit, state)


@compiled
def end_auction(kit: Kit, state: State) -> None:
    """PT-23: what is left goes overboard: parts sink, equipment floats."""
    for field in range(CHEST):
        tile = state.chest[field]
        if tile != NONE:
            state.owner[tile] = SUNK if tile < PARTS else AFLOAT
            state.chest[field] = NONE
    begin_refit(kit, state)


@compiled
def begin_refit(kit: Kit, state: State) -> None:
    """PT-R4: everybody who has any tile lays out the ship; without any, the round is over."""
    state.phase = REFITTING
    if seats(kit, state) == 0:
        end_round(state)


@compiled
def refit(kit: Kit, state: State, seat: int, action: Action) -> None:
    """PT-24, PT-25, PT-26, PT-27, PT-28, PT-R4: a layout is declared, with everything rearranged at
    will; the last one brings all into force."""
    spots = np.empty(TILES, np.int8)
    if action.verb == AUTO:
        best_layout(kit, state.owner, seat, spots)
    else:
        for tile in range(TILES):
            spots[tile] = action.args[tile]
    for tile in range(TILES):
        if state.owner[tile] == seat:
            state.refit[tile] = spots[tile]
    state.refitted |= 1 << seat
    if seats(kit, state) != 0:
        return
    for tile in range(TILES):
        if state.owner[tile] >= 0:
            state.spot[tile] = state.refit[tile]
            if state.spot[tile] == NONE:
                state.owner[tile] = AFLOAT  # PT-27
    state.refit[:] = NONE
    state.refitted = 0
    end_round(state)


@compiled
def end_round(state: State) -> None:
    """PT-3, PT-29: the office passes on, or the game is over."""
    if state.round_number == ROUNDS:
        state.phase = ENDED
        return
    state.round_number += 1
    state.captain = (state.captain + 1) % state.players
    state.phase = FILL


@compiled
def sample(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """PT-2, PT-3, PT-4: chance names the captain and fills the chest. In the plunder it is the
    clock that acts."""
    action.args[:] = NONE
    if state.phase == PLUNDER:
        action.verb = CLOSE if state.ran_out else SAND
        return
    if state.captain == NONE:
        action.verb = START
        action.args[0] = below(rng, int(state.players))
        return
    action.verb = FILLS
    tiles = np.empty(TILES, np.int8)
    draw(rng, tiles, list_unseen(state, PARTS, TILES, tiles), EQUIPMENT_FIELDS)
    for field in range(EQUIPMENT_FIELDS):
        action.args[field] = tiles[field]
    draw(rng, tiles, list_unseen(state, 0, PARTS, tiles), CHEST - EQUIPMENT_FIELDS)
    for field in range(EQUIPMENT_FIELDS, CHEST):
        action.args[field] = tiles[field - EQUIPMENT_FIELDS]


@compiled
def outcome(kit: Kit, state: State, scores: Array[Int64]) -> int:
    """PT-34, PT-R5: the winners as bits. Before the end the scores are what connections and sets
    bring as they lie, which everybody can see, and nobody has won."""
    if state.phase != ENDED:
        for seat in range(state.players):
            scores[seat] = ship_points(kit, state, seat)
        return 0
    counts = np.zeros((MOST_PLAYERS, COUNTED), np.int64)
    points = np.zeros((MOST_PLAYERS, POINT_PARTS), np.int64)
    score(kit, state, counts, points)
    winners, best = 0, -(1 << 40)
    for seat in range(state.players):
        scores[seat] = 0
        for part in range(POINT_PARTS):
            scores[seat] += points[seat][part]
        rank = scores[seat]
        for step in range(3):
            rank = rank * 256 + tie_value(counts[seat], step)
        if rank > best:
            winners, best = 0, rank
        if rank == best:
            winners |= 1 << seat
    return winners

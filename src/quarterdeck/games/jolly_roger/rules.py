"""Jolly & Roger, the rules, in the order of `docs/rules/jolly-roger.md`. Each is cited where it
stands.

| numbers | room |
|---|---|
| JR-C1 … JR-C3 | `state.py`, `kit.toml` |
| JR-1 … JR-21 | here |
| JR-R1, JR-R3 … JR-R6 | here |
| JR-R2 | `view.py` |
"""

from __future__ import annotations

import numpy as np

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    SEAT,
    Array,
    Int8,
    Int64,
    Numbers,
    Rng,
    below,
    compiled,
    copy_list,
    draw,
    insert_sorted,
)

from .state import (
    ALL_CARDS,
    BOARD,
    BOARDINGS,
    CARD_KINDS,
    CREW,
    CREWS,
    DEAL,
    ENDED,
    EVERY_CARD,
    INTRO,
    JR_1,
    JR_4,
    JR_5,
    JR_6,
    JR_7,
    JR_9,
    JR_10,
    JR_13,
    JR_14,
    JR_15,
    JR_16,
    JR_19,
    JR_C1,
    JR_C2,
    JR_R6,
    KRAKEN,
    KRAKENS,
    LARGEST_PACK,
    LARGEST_SET,
    LONGEST_CREW,
    NONE,
    OFFER,
    PARROT,
    PARROT_STRENGTH,
    PARROTINGS,
    PARROTS,
    PICK,
    PICKING,
    PICKS,
    PIRATES,
    PLAY_KRAKEN,
    PLAY_TORTUGA,
    PLAYING,
    SHIPS,
    SKELETON,
    SKELETON_STRENGTH,
    SPLIT,
    SPLITS,
    SPLITTING,
    START,
    TO_DEAL,
    TO_START,
    TORTUGA,
    TORTUGAS,
    VALUES,
    Action,
    Kit,
    State,
)

# Set-up --------------------------------------------------------------------------------------


@compiled
def new(kit: Kit, options: Array[Int64], state: State) -> None:
    """A game about to begin. `options`: [players, variant]."""
    state.variant = options[1]
    state.phase = TO_START
    state.turn = 1
    state.splitter = NONE
    state.offer[:] = NONE
    state.sets[:] = NONE
    state.hands[:] = NONE
    state.crews[:] = NONE
    state.chests[:] = 0
    state.removed[:] = 0


@compiled
def turns(state: State) -> int:
    """JR-1, JR-2, JR-3: how many turns the game has."""
    return 10 if state.variant == ALL_CARDS else 8


# Whose turn it is ----------------------------------------------------------------------------


@compiled
def node(kit: Kit, state: State) -> int:
    """Chance names the first splitter and turns up cards; everything else one seat decides."""
    if state.phase == ENDED:
        return OVER
    if state.phase == TO_START or state.phase == TO_DEAL:
        return CHANCE
    return SEAT


@compiled
def seats(kit: Kit, state: State) -> int:
    """The seat that is to act, as a bit."""
    seat = to_act(state)
    return 0 if seat == NONE else 1 << seat


@compiled
def to_act(state: State) -> int:
    """JR-4, JR-6: the splitter splits, the other picks. JR-7: the picker plays first."""
    if state.phase == SPLITTING:
        return state.splitter
    picker = 1 - state.splitter
    if state.phase == PICKING:
        return picker
    if state.phase == PLAYING:
        return picker if state.hands[picker][0] != NONE else state.splitter
    return NONE


# Strength and captains -----------------------------------------------------------------------


@compiled
def crew_size(crew: Array[Int8]) -> int:
    """How many cards a crew has."""
    size = 0
    while size < LONGEST_CREW and crew[size] != NONE:
        size += 1
    return size


@compiled
def card_strength(card: int) -> int:
    """The strength of a card in a crew."""
    if card >= PARROT:
        return PARROT_STRENGTH  # JR-10
    if card == SKELETON:
        return SKELETON_STRENGTH  # JR-14
    return card % VALUES + 1  # JR-9, JR-17


@compiled
def strength(state: State, ship: int, seat: int) -> int:
    """The strength of the seat's whole crew at a ship."""
    total = 0
    for card in state.crews[ship][seat]:
        if card == NONE:
            break
        total += card_strength(int(card))
    return total


@compiled
def captain(state: State, ship: int) -> int:
    """JR-11: the seat whose captain stands at the ship: the strictly stronger one, or NONE."""
    ours, theirs = strength(state, ship, 0), strength(state, ship, 1)
    if ours == theirs:
        return NONE
    return 0 if ours > theirs else 1


@compiled
def is_kraken_target(state: State, seat: int, ship: int) -> bool:
    """JR-15, JR-16: whether the seat's Kraken finds prey there: a last card, no open Skeleton."""
    crew = state.crews[ship][1 - seat]
    size = crew_size(crew)
    return size > 0 and crew[size - 1] != SKELETON


# What may be done ----------------------------------------------------------------------------


@compiled
def legal(kit: Kit, state: State, seat: int, numbers: Numbers) -> int:
    """Writes the numbers of all actions of the seat that is to act; answers how many."""
    count = 0
    if seat != to_act(state):
        return count
    if state.phase == SPLITTING:  # JR-5: one to four cards in each set
        equal = equal_cards(state)
        for mask in range(1, EVERY_CARD):
            if is_split(mask, equal):
                numbers[count] = SPLITS + mask - 1
                count += 1
    elif state.phase == PICKING:  # JR-6
        numbers[0] = PICKS
        numbers[1] = PICKS + 1
        count = 2
    elif state.phase == PLAYING:
        before = NONE
        for card in state.hands[seat]:
            if card == NONE:
                break
            if card != before:  # equal cards are one action
                before = card
                count = legal_plays(state, seat, int(card), numbers, count)
    return count


@compiled
def legal_plays(state: State, seat: int, card: int, numbers: Numbers, count: int) -> int:
    """Adds the numbers of what one card may be used for (JR-8); answers how many there are now."""
    if card < PIRATES:
        numbers[count] = CREWS + card  # JR-9
        count += 1
        if captain(state, card // VALUES) == seat:  # JR-13
            numbers[count] = BOARDINGS + card
            count += 1
    elif card == SKELETON:
        for ship in range(SHIPS):  # JR-14
            numbers[count] = CREWS + PIRATES + ship
            count += 1
    elif card == KRAKEN:
        for ship in range(SHIPS):
            if is_kraken_target(state, seat, ship):
                numbers[count] = KRAKENS + ship
                count += 1
        numbers[count] = KRAKENS + SHIPS  # JR-R3
        count += 1
    else:
        numbers[count] = TORTUGAS  # JR-17, JR-R3
        count += 1
    for ship in range(SHIPS):  # JR-10, JR-R1
        numbers[count] = PARROTINGS + card * SHIPS + ship
        count += 1
    return count


@compiled
def equal_cards(state: State) -> int:
    """The cards on offer that are equal to the one before them, as bits."""
    equal = 0
    for i in range(1, OFFER):
        if state.offer[i] == state.offer[i - 1]:
            equal |= 1 << i
    return equal


@compiled
def is_split(mask: int, equal: int) -> bool:
    """Whether a mask is the one its split goes by: of equal cards the first go into set 1."""
    return mask & equal & ~(mask << 1) == 0


@compiled
def decode(kit: Kit, state: State, number: int, action: Action) -> None:
    """The action with this number.

    Of the masks that split into the same cards one is the number of that split; the others stand
    for a split of nothing, which JR-5 refuses.
    """
    action.args[:] = NONE
    if number < PICKS:
        action.verb = SPLIT
        mask = number - SPLITS + 1
        if is_split(mask, equal_cards(state)):
            first, second = 0, OFFER
            for i in range(OFFER):
                if (mask >> i) & 1:
                    action.args[first] = state.offer[i]
                    first += 1
                else:
                    action.args[second] = state.offer[i]
                    second += 1
    elif number < CREWS:
        action.verb = PICK
        action.args[0] = number - PICKS + 1
    elif number < PARROTINGS:
        action.verb = CREW
        card = number - CREWS
        action.args[0] = card if card < PIRATES else SKELETON
        action.args[1] = card // VALUES if card < PIRATES else card - PIRATES
    elif number < BOARDINGS:
        action.verb = PARROTS
        action.args[0] = (number - PARROTINGS) // SHIPS
        action.args[1] = (number - PARROTINGS) % SHIPS
    elif number < KRAKENS:
        action.verb = BOARD
        action.args[0] = number - BOARDINGS
    elif number < TORTUGAS:
        action.verb = PLAY_KRAKEN
        action.args[0] = number - KRAKENS if number - KRAKENS < SHIPS else NONE
    else:
        action.verb = PLAY_TORTUGA


@compiled
def number(kit: Kit, state: State, action: Action) -> int:
    """The number of a seat's action in this state; NONE if it has none."""
    # action numbers are too large for the small integers of a record
    card, ship = int(action.args[0]), int(action.args[1])
    if action.verb == SPLIT:
        return split_number(state, action)
    if action.verb == PICK and 1 <= card <= 2:
        return PICKS + card - 1
    if action.verb == CREW and 0 <= card < PIRATES and ship == card // VALUES:
        return CREWS + card
    if action.verb == CREW and card == SKELETON and 0 <= ship < SHIPS:
        return CREWS + PIRATES + ship
    if action.verb == PARROTS and 0 <= card < CARD_KINDS and 0 <= ship < SHIPS:
        return PARROTINGS + card * SHIPS + ship
    if action.verb == BOARD and 0 <= card < PIRATES:
        return BOARDINGS + card
    if action.verb == PLAY_KRAKEN and NONE <= card < SHIPS:
        return KRAKENS + (SHIPS if card == NONE else card)
    if action.verb == PLAY_TORTUGA:
        return TORTUGAS
    return NONE


@compiled
def split_number(state: State, action: Action) -> int:
    """The number of a split of the five cards into two sets of one to four; NONE if it is none."""
    used = first = 0
    for place in range(2 * OFFER):
        card = action.args[place]
        if card == NONE:
            continue
        found = 0
        while found < OFFER and (state.offer[found] != card or (used >> found) & 1):
            found += 1
        if found == OFFER:
            return NONE
        used |= 1 << found
        if place < OFFER:
            first |= 1 << found
    if used != EVERY_CARD or first == 0 or first == EVERY_CARD:
        return NONE
    return SPLITS + first - 1


@compiled
def refuse(kit: Kit, state: State, actor: int, action: Action) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    if state.phase == ENDED:
        return JR_19
    if actor == NATURE:
        return refuse_nature(kit, state, action)
    if state.phase == TO_START or state.phase == TO_DEAL:
        return JR_4
    if action.verb == SPLIT and state.phase != SPLITTING:
        return JR_R6
    if actor != to_act(state) or action.verb == START or action.verb == DEAL:
        return JR_7 if state.phase == PLAYING else JR_4
    if state.phase == SPLITTING:
        return 0 if action.verb == SPLIT and split_number(state, action) != NONE else JR_5
    if state.phase == PICKING:
        return 0 if action.verb == PICK and 1 <= action.args[0] <= 2 else JR_6
    if action.verb == PICK:
        return JR_6
    return refuse_use(state, actor, action)


@compiled
def refuse_use(state: State, seat: int, action: Action) -> int:
    """JR-8: the rule that forbids this use of a card; 0 if it is allowed."""
    card, ship = action.args[0], action.args[1]
    if action.verb == PLAY_TORTUGA:
        return 0 if holds(state, seat, TORTUGA) else JR_7
    if action.verb == PLAY_KRAKEN:
        ship = card
        if not holds(state, seat, KRAKEN):
            return JR_7
        if ship == NONE:
            return 0  # JR-R3
        if ship < 0 or ship >= SHIPS or state.crews[ship][1 - seat][0] == NONE:
            return JR_15
        return 0 if is_kraken_target(state, seat, ship) else JR_16
    if not holds(state, seat, card):
        return JR_7
    if action.verb == BOARD:
        if card == SKELETON:
            return JR_14
        return 0 if card < PIRATES and captain(state, card // VALUES) == seat else JR_13
    if ship < 0 or ship >= SHIPS:
        return JR_10
    if action.verb == CREW:
        is_own_ship = card < PIRATES and ship == card // VALUES
        return 0 if is_own_ship or card == SKELETON else JR_9
    return 0  # JR-10: any card may join any ship as a parrot


@compiled
def holds(state: State, seat: int, card: int) -> bool:
    """Whether the seat has such a card still to play."""
    for held in state.hands[seat]:
        if held == card and held != NONE:
            return True
    return False


@compiled
def refuse_nature(kit: Kit, state: State, action: Action) -> int:
    """JR-4: the first splitter is a seat. JR-5: five cards not seen before are turned up. JR-C1,
    JR-C2: none more often than there are. JR-1: no special ones in the introductory game."""
    if action.verb == START:
        if state.phase != TO_START or action.args[0] < 0 or action.args[0] > 1:
            return JR_4
        return 0
    if action.verb != DEAL or state.phase == TO_START:
        return JR_4
    if state.phase != TO_DEAL:
        return JR_5
    left = np.empty(CARD_KINDS, np.int8)
    count_unseen(kit, state, left)
    for place in range(2 * OFFER):
        card = action.args[place]
        if (card != NONE) != (place < OFFER):
            return JR_5
        if card != NONE:
            if card < 0 or card >= CARD_KINDS:
                return JR_C1
            if card >= PIRATES and state.variant == INTRO:
                return JR_1
            if left[card] == 0:
                return JR_C1 if card < PIRATES else JR_C2
            left[card] -= 1
    return 0


@compiled
def count_unseen(kit: Kit, state: State, left: Array[Int8]) -> int:
    """Writes how many of each card nobody has seen yet; answers how many in all.

    JR-1: the introductory game has no special cards. JR-R5: cards put away at the start are never
    named, so they are among these.
    """
    for card in range(CARD_KINDS):
        left[card] = kit.copies[card] - state.removed[card]
        if card < PIRATES:
            left[card] -= state.chests[0][card] + state.chests[1][card]
        elif state.variant == INTRO:
            left[card] = 0
    for card in state.offer:
        if card != NONE:
            left[card] -= 1
    for seat in range(2):
        for card in state.sets[seat]:
            if card != NONE:
                left[card] -= 1
        for card in state.hands[seat]:
            if card != NONE:
                left[card] -= 1
        for ship in range(SHIPS):
            for card in state.crews[ship][seat]:
                if card == NONE:
                    break
                left[card % PARROT] -= 1
    total = 0
    for card in range(CARD_KINDS):
        total += left[card]
    return total


# What it does --------------------------------------------------------------------------------


@compiled
def apply(kit: Kit, state: State, actor: int, action: Action) -> None:
    """Carries out an action that `refuse` allows."""
    if action.verb == START:
        state.splitter = action.args[0]
        state.phase = TO_DEAL
    elif action.verb == DEAL:
        for place in range(OFFER):
            insert_sorted(state.offer, place, action.args[place])
        state.phase = SPLITTING
    elif action.verb == SPLIT:
        state.offer[:] = NONE
        for side in range(2):
            count = 0
            for place in range(side * OFFER, (side + 1) * OFFER):
                if action.args[place] != NONE:
                    insert_sorted(state.sets[side], count, action.args[place])
                    count += 1
        state.phase = PICKING
    elif action.verb == PICK:
        taken = action.args[0] - 1  # JR-6
        copy_list(state.hands[actor], state.sets[taken])
        copy_list(state.hands[1 - actor], state.sets[1 - taken])
        state.sets[:] = NONE
        state.phase = PLAYING
    else:
        use_card(state, actor, action)
        if state.hands[0][0] == NONE and state.hands[1][0] == NONE:  # JR-7
            finish_turn(state)


@compiled
def use_card(state: State, seat: int, action: Action) -> None:
    """JR-8: the card joins a crew, goes into the chest, or has its effect and leaves the game."""
    card = action.args[0]
    if action.verb == CREW:
        remove_card(state.hands[seat], card)
        join_crew(state.crews[action.args[1]][seat], card)
    elif action.verb == PARROTS:
        remove_card(state.hands[seat], card)
        join_crew(state.crews[action.args[1]][seat], PARROT + card)
    elif action.verb == BOARD:
        remove_card(state.hands[seat], card)
        state.chests[seat][card] += 1
    elif action.verb == PLAY_KRAKEN:
        remove_card(state.hands[seat], KRAKEN)
        state.removed[KRAKEN] += 1
        if card != NONE:  # JR-15
            crew = state.crews[card][1 - seat]
            last = crew_size(crew) - 1
            state.removed[crew[last] % PARROT] += 1
            crew[last] = NONE
    else:
        remove_card(state.hands[seat], TORTUGA)
        state.removed[TORTUGA] += 1
        for ship in range(SHIPS):  # JR-17; JR-18: special cards stay parrots
            crew = state.crews[ship][seat]
            for place in range(crew_size(crew)):
                if crew[place] >= PARROT and crew[place] - PARROT < PIRATES:
                    crew[place] -= PARROT


@compiled
def join_crew(crew: Array[Int8], card: int) -> None:
    """Puts a card at the end of a crew, where it stays (JR-12)."""
    crew[crew_size(crew)] = card


@compiled
def remove_card(cards: Array[Int8], card: int) -> None:
    """Takes one such card out of a sorted list and closes the gap."""
    place = 0
    while cards[place] != card:
        place += 1
    while place + 1 < LARGEST_SET:
        cards[place] = cards[place + 1]
        place += 1
    cards[place] = NONE


@compiled
def finish_turn(state: State) -> None:
    """JR-4: the other one splits next. JR-19: after the last turn the game is over."""
    if state.turn == turns(state):
        state.phase = ENDED
    else:
        state.turn += 1
        state.splitter = 1 - state.splitter
        state.phase = TO_DEAL


# Nature --------------------------------------------------------------------------------------


@compiled
def sample(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """Draws the first splitter (JR-4), or five of the cards nobody has seen (JR-5, JR-R5)."""
    action.args[:] = NONE
    if state.phase == TO_START:
        action.verb = START
        action.args[0] = below(rng, 2)
        return
    left = np.empty(CARD_KINDS, np.int8)
    pool = np.empty(LARGEST_PACK, np.int8)
    size = count_unseen(kit, state, left)
    place = 0
    for card in range(CARD_KINDS):
        for _ in range(left[card]):
            pool[place] = card
            place += 1
    draw(rng, pool, size, OFFER)
    action.verb = DEAL
    for place in range(OFFER):
        insert_sorted(action.args, place, pool[place])


# The end -------------------------------------------------------------------------------------


@compiled
def gold_in_chest(state: State, seat: int) -> int:
    """JR-13: what lies under the treasure chest."""
    total = 0
    for card in range(PIRATES):
        total += int(state.chests[seat][card]) * (card % VALUES + 1)
    return total


@compiled
def outcome(kit: Kit, state: State, scores: Array[Int64]) -> int:
    """Writes the gold as it stands (JR-R6); answers the winners as bits, none before the end."""
    best_ship = np.zeros(2, np.int64)
    for seat in range(2):
        scores[seat] = gold_in_chest(state, seat)
    for ship in range(SHIPS):  # JR-20
        owner = captain(state, ship)
        if owner != NONE:
            scores[owner] += kit.gold[ship]
            best_ship[owner] = max(best_ship[owner], int(kit.gold[ship]))
    if state.phase != ENDED:
        return 0
    if scores[0] != scores[1]:  # JR-21
        return 1 if scores[0] > scores[1] else 2
    if best_ship[0] != best_ship[1]:
        return 1 if best_ship[0] > best_ship[1] else 2
    return 3  # JR-R4

"""Skull King, the rules, in the order of `docs/rules/skull-king.md`. Each is cited where it stands.

| numbers | room |
|---|---|
| SK-C1 … SK-C2 | `state.py`, `kit.toml`; who is dealt what of it: here |
| SK-1 … SK-9 | here |
| SK-10 … SK-17 | here: `winning_place` |
| SK-18 … SK-25 | here: `hand_points`, `trick_bonus`, `outcome` |
| SK-R1 … SK-R2 | here |
| SK-R3 | `view.py`: what is seen and remembered of tricks |
| SK-R4 | here: a bid is final; `view.py`: it is sealed |
| SK-R5 | here: `hand_points` |

`positions.py` refuses by the same numbers what cannot occur.
"""

from __future__ import annotations

from quarterdeck.contract import (
    CHANCE,
    NATURE,
    OVER,
    SEALED,
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
    inlined,
    insert_sorted,
)

from .state import (
    BID,
    BIDDING,
    BLACK,
    CARD_KINDS,
    DEAL,
    ENDED,
    FIRST_PLAY,
    KING,
    LAST_HAND,
    MARY,
    MARY_ESCAPE,
    MARY_PIRATE,
    MERMAID,
    MOST_PLAYERS,
    NONE,
    PIRATE,
    PLAY,
    PLAYING,
    RANKS,
    SK_1,
    SK_3,
    SK_4,
    SK_5,
    SK_9,
    SK_17,
    SK_25,
    SK_C1,
    SK_R1,
    SK_R4,
    START,
    SUIT_CARDS,
    TO_DEAL,
    TO_START,
    Action,
    Kit,
    State,
)


@compiled
def new(kit: Kit, options: Array[Int64], state: State) -> None:
    """A game about to begin. `options`: [players]."""
    state.players = options[0]
    state.phase = TO_START
    state.hand = 1
    state.dealer = NONE
    state.leader = NONE
    state.scores[:] = 0
    state.pad_bids[:] = NONE
    state.pad_points[:] = 0
    clear_hand(state)


@compiled
def clear_hand(state: State) -> None:
    """Takes everything of the hand before off the table."""
    state.last_leader = NONE
    state.bids[:] = NONE
    state.tricks[:] = 0
    state.trick[:] = NONE
    state.last[:] = NONE
    state.hands[:] = NONE
    state.bonus[:] = 0


# Whose turn it is ----------------------------------------------------------------------------


@inlined
def node(kit: Kit, state: State) -> int:
    """Chance starts and deals; bids are sealed (SK-3); then one seat at a time plays (SK-4)."""
    if state.phase == ENDED:
        return OVER
    if state.phase == BIDDING:
        return SEALED
    if state.phase == PLAYING:
        return SEAT
    return CHANCE


@inlined
def seats(kit: Kit, state: State) -> int:
    """The seats that may act now, as bits."""
    if state.phase == PLAYING:
        return 1 << next_to_play(state)
    waiting = 0
    if state.phase == BIDDING:
        for seat in range(state.players):
            if state.bids[seat] == NONE:
                waiting |= 1 << seat
    return waiting


@inlined
def next_to_play(state: State) -> int:
    """SK-4: clockwise from the leader."""
    return clockwise(state, state.leader, cards_in(state.trick))


@inlined
def clockwise(state: State, seat: int, steps: int) -> int:
    """The seat so many steps, less than a whole round, to the left."""
    seat = seat + steps
    return seat - state.players if seat >= state.players else seat


@inlined
def cards_in(cards: Array[Int8]) -> int:
    """How many cards a padded list holds."""
    count = 0
    while count < len(cards) and cards[count] != NONE:
        count += 1
    return count


# What may be done ----------------------------------------------------------------------------


@inlined
def suit_of(card: int) -> int:
    """The suit of a suit card; NONE for a special card, a hidden one, or no card."""
    if 0 <= card < SUIT_CARDS:
        return card // RANKS
    return NONE


@inlined
def suit_to_follow(trick: Array[Int8]) -> int:
    """SK-7: the suit of the first suit card in the trick, whatever was played before it."""
    for card in trick:
        if suit_of(card) != NONE:
            return suit_of(card)
    return NONE


@inlined
def must_follow(state: State, seat: int) -> int:
    """SK-5, SK-6: the suit this seat has to follow, NONE if it holds none of it or none is set."""
    suit = suit_to_follow(state.trick)
    lowest, holds = suit * RANKS, False
    for card in state.hands[seat]:
        holds |= (card >= lowest) & (card < lowest + RANKS)
    return suit if suit != NONE and holds else NONE


@inlined
def legal(kit: Kit, state: State, seat: int, numbers: Numbers) -> int:
    """Writes the numbers of all actions of a seat that is to act; answers how many."""
    count = 0
    if state.phase == BIDDING:  # SK-3: from 0 to the number of cards
        if state.bids[seat] == NONE:
            for bid in range(state.hand + 1):
                numbers[count] = bid
                count += 1
    elif state.phase == PLAYING and seat == next_to_play(state):
        suit = must_follow(state, seat)
        lowest, highest = 0, SUIT_CARDS
        if suit != NONE:
            lowest, highest = suit * RANKS, suit * RANKS + RANKS
        before = NONE
        for card in state.hands[seat]:
            if card == NONE:
                break
            if card == MARY:  # SK-17
                numbers[count] = FIRST_PLAY + MARY_PIRATE
                numbers[count + 1] = FIRST_PLAY + MARY_ESCAPE
                count += 2
                break
            # SK-5: the suit led, or any special card. SK-8 needs no line of its own.
            fits = (card >= SUIT_CARDS) | ((card >= lowest) & (card < highest))
            numbers[count] = FIRST_PLAY + card
            count += fits & (card != before)  # equal cards are one action
            before = card
    return count


@inlined
def decode(kit: Kit, state: State, number: int, action: Action) -> None:
    """The action with this number."""
    action.args[:] = NONE
    if number < FIRST_PLAY:
        action.verb = BID
        action.args[0] = number
    else:
        action.verb = PLAY
        action.args[0] = number - FIRST_PLAY


@compiled
def number(kit: Kit, state: State, action: Action) -> int:
    """The number of a seat's action; NONE if it has none (a bid above ten, Mary unsaid)."""
    if action.verb == BID and 0 <= action.args[0] <= LAST_HAND:
        return action.args[0]
    if action.verb == PLAY and 0 <= action.args[0] < MARY:
        return FIRST_PLAY + action.args[0]
    return NONE


@inlined
def held_as(card: int) -> int:
    """How a card on the table lay in the hand before."""
    if card == MARY_PIRATE or card == MARY_ESCAPE:
        return MARY
    return card


@compiled
def refuse(kit: Kit, state: State, actor: int, action: Action) -> int:
    """The rule that forbids the action; 0 if it is allowed."""
    if state.phase == ENDED:
        return SK_25
    if actor == NATURE:
        return refuse_nature(kit, state, action)
    if actor < 0 or actor >= state.players:
        return SK_4
    if state.phase == TO_START:
        return SK_R1
    if state.phase == TO_DEAL:
        return SK_1

    if action.verb == BID:
        if state.phase != BIDDING or state.bids[actor] != NONE:
            return SK_R4  # a bid is final
        if action.args[0] < 0 or action.args[0] > state.hand:
            return SK_3
        return 0

    if action.verb == PLAY:
        if state.phase != PLAYING:
            return SK_3  # first everybody bids
        if actor != next_to_play(state):
            return SK_9 if state.trick[0] == NONE and state.last[0] != NONE else SK_4
        card = action.args[0]
        if card == MARY:
            return SK_17
        holds = False
        for held in state.hands[actor]:
            if held != NONE and held == held_as(card):
                holds = True
        if not holds:
            return SK_1  # one plays the cards one was dealt
        suit = must_follow(state, actor)
        if suit != NONE and card < SUIT_CARDS and suit_of(card) != suit:
            return SK_5
        return 0

    return SK_R1  # start and deal are nature's


@compiled
def refuse_nature(kit: Kit, state: State, action: Action) -> int:
    """SK-R1: the first dealer is a seat. SK-1, SK-C1: a deal gives each seat its cards, once."""
    if action.verb == START:
        if state.phase != TO_START or action.args[0] < 0 or action.args[0] >= state.players:
            return SK_R1
        return 0
    if action.verb != DEAL or state.phase == TO_START:
        return SK_R1
    if state.phase != TO_DEAL:
        return SK_1
    left = kit.copies.copy()
    for seat in range(MOST_PLAYERS):
        for place in range(LAST_HAND):
            card = action.args[seat * LAST_HAND + place]
            if (card != NONE) != (seat < state.players and place < state.hand):
                return SK_1
            if card != NONE:
                if card < 0 or card >= CARD_KINDS or left[card] == 0:
                    return SK_C1
                left[card] -= 1
    return 0


# What it does --------------------------------------------------------------------------------


@inlined
def apply(kit: Kit, state: State, actor: int, action: Action) -> None:
    """Carries out an action that `refuse` allows."""
    if action.verb == PLAY:
        play(state, actor, action.args[0])
    elif action.verb == BID:
        state.bids[actor] = action.args[0]
        if seats(kit, state) == 0:  # SK-3: all have bid, all bids are open
            state.phase = PLAYING
    elif action.verb == DEAL:
        deal(state, action)
    else:
        state.dealer = action.args[0]
        state.phase = TO_DEAL


@compiled
def deal(state: State, action: Action) -> None:
    """SK-1, SK-2: a new hand. SK-4: the seat to the dealer's left will lead."""
    clear_hand(state)
    for seat in range(state.players):
        for place in range(state.hand):
            insert_sorted(state.hands[seat], place, action.args[seat * LAST_HAND + place])
    state.leader = clockwise(state, state.dealer, 1)
    state.phase = BIDDING


@inlined
def remove_card(hand: Array[Int8], card: int) -> None:
    """Takes one such card out of a sorted hand and closes the gap."""
    gone = False
    for place in range(LAST_HAND - 1):
        gone |= hand[place] == card
        hand[place] = hand[place + 1] if gone else hand[place]
    hand[LAST_HAND - 1] = NONE


@inlined
def play(state: State, seat: int, card: int) -> None:
    """A card goes on the table; the last of a trick settles it, the last trick settles the hand."""
    remove_card(state.hands[seat], held_as(card))
    played = cards_in(state.trick)
    state.trick[played] = card
    if played + 1 == state.players:
        finish_trick(state)
        if state.hands[seat][0] == NONE:  # SK-9: the hand ends when all cards are played
            finish_hand(state)


@inlined
def finish_trick(state: State) -> None:
    """SK-9: the winner takes the trick and leads the next one."""
    place = winning_place(state.trick)
    winner = clockwise(state, state.leader, place)
    state.tricks[winner] += 1
    state.bonus[winner] += trick_bonus(state.trick, place)
    copy_list(state.last, state.trick)
    state.last_leader = state.leader
    state.trick[:] = NONE
    state.leader = winner


# Who wins the trick --------------------------------------------------------------------------


@inlined
def winning_place(trick: Array[Int8]) -> int:
    """The place, counted from the leader, of the card that wins."""
    king = mermaid = pirate = best = NONE
    suit = suit_to_follow(trick)
    for place in range(cards_in(trick)):
        card = trick[place]
        if card == KING:
            king = place
        elif card == MERMAID:
            if mermaid == NONE:  # SK-16: the first of two
                mermaid = place
        elif card == PIRATE or card == MARY_PIRATE:  # SK-17: Mary as a Pirate is one
            if pirate == NONE:  # SK-13: the first of several
                pirate = place
        elif suit_of(card) == BLACK:  # SK-10: black beats the suit led, a higher black a lower
            if best == NONE or suit_of(trick[best]) != BLACK or card > trick[best]:
                best = place
        elif suit != NONE and suit_of(card) == suit:  # SK-10: the highest of the suit led
            if best == NONE or (suit_of(trick[best]) == suit and card > trick[best]):
                best = place

    if king != NONE and mermaid != NONE:
        return mermaid  # SK-14
    if king != NONE:
        return king  # SK-15
    if pirate != NONE:
        return pirate  # SK-13
    if mermaid != NONE:
        return mermaid  # SK-12
    if best != NONE:
        return best  # SK-10
    return 0  # SK-11: nothing but Escapes, Mary as one included: the first wins


@inlined
def trick_bonus(trick: Array[Int8], place: int) -> int:
    """What the winner of this trick, won by the card at `place`, may add to an exact bid."""
    pirates = kings = 0
    for card in trick:
        if card == PIRATE or card == MARY_PIRATE or card == MARY_ESCAPE:
            pirates += 1
        elif card == KING:
            kings += 1
    if trick[place] == KING:
        return 30 * pirates  # SK-23
    if trick[place] == MERMAID and kings > 0:
        return 50  # SK-24
    return 0


# Scoring -------------------------------------------------------------------------------------


@compiled
def hand_points(hand: int, bid: int, tricks: int, bonus: int) -> int:
    """The points of one seat for one hand. SK-R5: what the scoring calls a round is the hand."""
    if bid == 0:
        if tricks == 0:
            return 10 * hand + bonus  # SK-20 (without a trick there is no bonus)
        return -10 * hand  # SK-21
    if tricks == bid:
        return 20 * tricks + bonus  # SK-18, SK-22
    return -10 * abs(tricks - bid)  # SK-19


@compiled
def finish_hand(state: State) -> None:
    """Notes bids and points on the pad; SK-25 ends the game, SK-R1 passes the deal on."""
    for seat in range(state.players):
        points = hand_points(
            int(state.hand), int(state.bids[seat]), int(state.tricks[seat]), int(state.bonus[seat])
        )
        state.scores[seat] += points
        state.pad_bids[state.hand - 1][seat] = state.bids[seat]
        state.pad_points[state.hand - 1][seat] = points
    if state.hand == LAST_HAND:
        state.phase = ENDED
    else:
        state.hand += 1
        state.dealer = clockwise(state, state.dealer, 1)
        state.leader = NONE
        state.phase = TO_DEAL
        clear_hand(state)


@compiled
def outcome(kit: Kit, state: State, scores: Array[Int64]) -> int:
    """Writes the scores; answers the winners as bits, none before the end. SK-25, SK-R2."""
    best = state.scores[0]
    for seat in range(state.players):
        scores[seat] = state.scores[seat]
        best = max(best, state.scores[seat])
    winners = 0
    if state.phase == ENDED:
        for seat in range(state.players):
            if state.scores[seat] == best:
                winners |= 1 << seat
    return winners


# Nature --------------------------------------------------------------------------------------


@compiled
def sample(kit: Kit, state: State, rng: Rng, action: Action) -> None:
    """Draws the first dealer (SK-R1), or a hand from the whole pack (SK-2)."""
    action.args[:] = NONE
    if state.phase == TO_START:
        action.verb = START
        action.args[0] = below(rng, state.players)
        return

    pack = kit.pack.copy()
    draw(rng, pack, kit.pack_size, state.players * state.hand)

    action.verb = DEAL
    for seat in range(state.players):
        hand = action.args[seat * LAST_HAND : (seat + 1) * LAST_HAND]
        for place in range(state.hand):
            insert_sorted(hand, place, pack[seat * state.hand + place])

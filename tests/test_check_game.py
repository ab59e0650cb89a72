"""The conformance check passes what keeps the contract and names the promise that is broken."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from quarterdeck import testing
from quarterdeck.contract import (
    CHANCE,
    NATURE,
    AnyRecord,
    Array,
    Draw,
    Event,
    Game,
    Int64,
    Numbers,
    Option,
    Pool,
    Rng,
    below,
    compiled,
    copy_list,
    copy_record,
    is_compiled,
    records,
    register_world,
)
from quarterdeck.games import find_game, games
from quarterdeck.games.skull_king import bot, notation, rules, view
from quarterdeck.games.skull_king import state as sk
from quarterdeck.reach import Reach, check_reach
from quarterdeck.tampering import check_positions, check_records
from quarterdeck.testing import ConformanceError, check_game, check_levels, interpreted_game

from .toys.plank_race import GAME as TOY
from .toys.plank_race import bot as toy_bot
from .toys.plank_race import notation as toy_notation
from .toys.plank_race import rules as toy_rules
from .toys.plank_race import state as toy
from .toys.plank_race import view as toy_view
from .toys.plank_race.sea import Sea

MUTANTS = 2000  # of the positions of each game, and of its records; more in `make soak`

SKULL_KING = find_game("skull-king")


def changed(game: Game = SKULL_KING, players: int = 3, **slots: dict[str, Any]) -> Game:
    """The game for so many players with some functions of its modules replaced."""
    modules: dict[str, Any] = {
        slot: SimpleNamespace(**{**vars(getattr(game, slot)), **functions})
        for slot, functions in slots.items()
    }
    return replace(game, options=(Option("players", (players,), players),), **modules)


def broken_promise(game: Game, games: int = 2) -> str:
    """The name of the check that fails."""
    with pytest.raises(ConformanceError) as caught:
        check_game(game, games=games, interpreted=False)
    assert str(caught.value).startswith(f"{caught.value.check}: ")
    return caught.value.check


# What passes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_every_game_conforms(game: Game) -> None:
    report = check_game(game, games=1, mutants=0)
    assert report.games >= 1
    assert report.states > 10 * report.games
    if report.hidden_states:
        # in Riff Raff nothing is hidden from a good memory but what is being chosen; in Gezanke
        # purses are, but whoever has counted knows them, and of two players everybody
        assert report.worlds_changed > report.hidden_states / 10


def test_the_toy_conforms() -> None:
    report = check_game(TOY, games=12)
    assert report.games == 24
    assert report.worlds_changed > 0


@pytest.mark.parametrize("game", [*games(), TOY], ids=lambda game: game.id)
def test_mutants_of_positions_are_refused_or_can_be_played(game: Game) -> None:
    report = check_positions(game, MUTANTS)
    assert report.mutants == MUTANTS
    assert report.new > MUTANTS / 40, "hardly any mutant means something new"
    assert report.refused_by.total() > MUTANTS / 4
    assert len(report.refused_by) > 4, "mutants are refused for few reasons"


@pytest.mark.parametrize("game", [*games(), TOY], ids=lambda game: game.id)
def test_mutants_of_records_are_read_or_refused(game: Game) -> None:
    report = check_records(game, MUTANTS)
    assert report.mutants == MUTANTS
    assert report.accepted > MUTANTS / 20
    assert report.refused_by["bad-record"] > MUTANTS / 10


def test_in_a_toy_what_is_accepted_is_what_can_occur() -> None:
    tiny = replace(TOY, kit=toy_notation.load_kit({"purses": 3, "plank": 1}))
    until_it_is_dropped = Reach({"players": 2}, lambda state: state.phase < toy.DROPPING)
    found = check_reach(tiny, until_it_is_dropped, tries=3000)
    assert found.states > 200
    assert found.accepted > 500
    assert not found.allowed


def test_a_position_that_deadlocks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nobody had said that the race begins when all have wagered."""
    left = tuple(each for each in TOY.positions.INVARIANTS if each.rule != "PR-2")
    monkeypatch.setattr(TOY.positions, "INVARIANTS", left)
    with pytest.raises(ConformanceError, match=r"ends: .*nobody is to act"):
        check_positions(TOY, MUTANTS)


def test_replaced_modules_alone_break_nothing() -> None:
    check_game(changed(players=2, rules={}, notation={}, view={}, bot={}), games=1)


# Views that tell too much --------------------------------------------------------------------


@compiled
def see_the_next_hand(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    view.see(kit, state, seat, seen)
    if seat >= 0:
        other = (seat + 1) % state.players
        copy_list(seen.hands[other], state.hands[other])


@compiled
def see_one_card_at_the_end(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    """Shows one card of another hand, only in hand ten and only after its first trick."""
    view.see(kit, state, seat, seen)
    if state.hand == 10 and state.last[0] != sk.NONE and seat == 2:
        seen.hands[0][0] = state.hands[0][0]


@compiled
def see_sealed_bids(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    view.see(kit, state, seat, seen)
    copy_list(seen.bids, state.bids)


@compiled
def see_as_spectator(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    view.see(kit, state, seat, seen)
    if seat < 0:
        copy_list(seen.hands[0], state.hands[0])


@compiled
def see_in_the_scores(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    """Whether seat 0 holds the king can be told from somebody's score."""
    view.see(kit, state, seat, seen)
    for card in state.hands[0]:
        if card == sk.KING:
            seen.scores[2] += 1


@pytest.mark.parametrize(
    "see",
    [see_the_next_hand, see_one_card_at_the_end, see_as_spectator, see_in_the_scores],
    ids=lambda function: function.__name__,
)
def test_a_leaking_view_is_found(see: Any) -> None:
    assert broken_promise(changed(view={"see": see})) == "no-leak"


def test_a_sealed_bid_that_shows_is_found() -> None:
    assert broken_promise(changed(view={"see": see_sealed_bids})) in ("sealed", "no-leak")


def test_an_aside_that_decides_something_is_found() -> None:
    def playing_is_an_aside(kit: AnyRecord, action: AnyRecord) -> bool:
        return notation.text(kit, action).startswith("play ")

    assert broken_promise(changed(rules={"aside": playing_is_an_aside})) == "aside"


@compiled
def glimpse_the_deal(
    kit: sk.Kit, state: sk.State, seat: int, actor: int, action: sk.Action, seen: sk.Action
) -> None:
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == sk.DEAL and seat == 1:
        seen.args[0] = action.args[0]


@compiled
def glimpse_the_last_deal(
    kit: sk.Kit, state: sk.State, seat: int, actor: int, action: sk.Action, seen: sk.Action
) -> None:
    """Seat 1 is shown a card of seat 2, in hand ten alone: no two such deals are ever alike."""
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == sk.DEAL and seat == 1 and state.hand == 10:
        seen.args[2 * sk.LAST_HAND] = action.args[2 * sk.LAST_HAND]


@compiled
def glimpse_a_bid(
    kit: sk.Kit, state: sk.State, seat: int, actor: int, action: sk.Action, seen: sk.Action
) -> None:
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == sk.BID and action.args[0] == 0:
        seen.args[0] = 0


@compiled
def glimpse_a_hand(
    kit: sk.Kit, state: sk.State, seat: int, actor: int, action: sk.Action, seen: sk.Action
) -> None:
    """With every card played by seat 0 comes one of those it still holds."""
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == sk.PLAY and actor == 0:
        seen.args[1] = state.hands[0][0]


@pytest.mark.parametrize(
    ("glimpse", "check"),
    [
        (glimpse_the_deal, "no-leak"),
        (glimpse_the_last_deal, "no-leak"),
        (glimpse_a_bid, "sealed"),
        (glimpse_a_hand, "no-leak"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_leaking_glimpse_is_found(glimpse: Any, check: str) -> None:
    assert broken_promise(changed(view={"glimpse": glimpse})) == check


@compiled
def holds_king(state: sk.State, seat: int) -> bool:
    for card in state.hands[seat]:
        if card == sk.KING:
            return True
    return False


@compiled
def legal_by_other_hands(kit: sk.Kit, state: sk.State, seat: int, numbers: Numbers) -> int:
    """No zero bid against the king."""
    count = rules.legal(kit, state, seat, numbers)
    if state.phase == sk.BIDDING and holds_king(state, (seat + 1) % state.players):
        for place in range(1, count):
            numbers[place - 1] = numbers[place]
        count -= 1
    return count


@compiled
def refuse_by_other_hands(kit: sk.Kit, state: sk.State, actor: int, action: sk.Action) -> int:
    rule = rules.refuse(kit, state, actor, action)
    if rule == 0 and action.verb == sk.BID and action.args[0] == 0:
        if holds_king(state, (actor + 1) % state.players):
            return sk.SK_3
    return rule


@compiled
def refuse_with_a_hint(kit: sk.Kit, state: sk.State, actor: int, action: sk.Action) -> int:
    """The rule named in a refusal depends on who holds the king."""
    rule = rules.refuse(kit, state, actor, action)
    if rule == sk.SK_1 and actor == 1 and holds_king(state, 0):
        return sk.SK_5
    return rule


def test_legal_actions_that_depend_on_other_hands_are_found() -> None:
    alone = changed(rules={"legal": legal_by_other_hands})
    assert broken_promise(alone) in ("legal", "no-leak")
    together = {"legal": legal_by_other_hands, "refuse": refuse_by_other_hands}
    assert broken_promise(changed(rules=together)) == "no-leak"


def test_a_refusal_that_tells_a_secret_is_found() -> None:
    assert broken_promise(changed(rules={"refuse": refuse_with_a_hint})) == "no-leak"


# Functions that write where they must not ----------------------------------------------------


@compiled
def see_and_write(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    view.see(kit, state, seat, seen)
    if state.phase == sk.PLAYING:
        state.bonus[0] = 0
        state.trick[5] = sk.ESCAPE


@compiled
def legal_and_write(kit: sk.Kit, state: sk.State, seat: int, numbers: Numbers) -> int:
    if state.hand == 2:
        state.bonus[0] += 10
    return rules.legal(kit, state, seat, numbers)


@compiled
def refuse_and_write(kit: sk.Kit, state: sk.State, actor: int, action: sk.Action) -> int:
    rule = rules.refuse(kit, state, actor, action)
    if rule == sk.SK_5:
        state.scores[actor] -= 1
    return rule


@compiled
def sample_and_write(kit: sk.Kit, state: sk.State, rng: Rng, action: sk.Action) -> None:
    rules.sample(kit, state, rng, action)
    state.scores[0] += 1


@compiled
def outcome_and_write(kit: sk.Kit, state: sk.State, scores: Array[Int64]) -> int:
    if state.hand == 3:
        state.scores[0] += 1
    return rules.outcome(kit, state, scores)


@pytest.mark.parametrize(
    "slots",
    [
        {"view": {"see": see_and_write}},
        {"rules": {"legal": legal_and_write}},
        {"rules": {"refuse": refuse_and_write}},
        {"rules": {"sample": sample_and_write}},
        {"rules": {"outcome": outcome_and_write}},
    ],
    ids=["see", "legal", "refuse", "sample", "outcome"],
)
def test_a_changed_past_is_found(slots: dict[str, Any]) -> None:
    if not is_compiled():
        pytest.skip("interpreted, numpy itself refuses to write to a past state")
    assert broken_promise(changed(**slots)) == "pure"


def test_what_is_told_otherwise_than_declared_is_found() -> None:
    """The client's types are made from what is declared."""

    def own(kit: sk.Kit, seen: sk.State, seat: int) -> view.Own:
        told = view.own(kit, seen, seat)
        return view.Own(told.hands, [str(bid) for bid in told.bids])  # type: ignore[misc]

    assert broken_promise(changed(view={"own": own})) == "declared"


# Chance --------------------------------------------------------------------------------------


@compiled
def king_for_seat_0(kit: sk.Kit, state: sk.State, rng: Rng, action: sk.Action) -> None:
    """Where seat 1 got the king it changes places with seat 0's first card."""
    rules.sample(kit, state, rng, action)
    if action.verb == sk.DEAL:
        for place in range(sk.LAST_HAND, sk.LAST_HAND + state.hand):
            if action.args[place] == sk.KING:
                action.args[place] = action.args[0]
                action.args[0] = sk.KING
        for seat in range(2):
            first = seat * sk.LAST_HAND
            hand = action.args[first : first + state.hand]
            hand[:] = np.sort(hand)


@compiled
def start_mostly_with_0(kit: sk.Kit, state: sk.State, rng: Rng, action: sk.Action) -> None:
    rules.sample(kit, state, rng, action)
    if action.verb == sk.START and below(rng, 4) == 0:
        action.args[0] = 0


@compiled
def start_anywhere_but_2(kit: sk.Kit, state: sk.State, rng: Rng, action: sk.Action) -> None:
    rules.sample(kit, state, rng, action)
    if action.verb == sk.START:
        action.args[0] = below(rng, 2)


@compiled
def deal_a_card_twice(kit: sk.Kit, state: sk.State, rng: Rng, action: sk.Action) -> None:
    rules.sample(kit, state, rng, action)
    if action.verb == sk.DEAL:
        action.args[0] = sk.KING
        action.args[sk.LAST_HAND] = sk.KING


@pytest.mark.parametrize(
    ("sample", "promise"),
    [
        (king_for_seat_0, "draws"),
        (start_mostly_with_0, "draws"),
        (start_anywhere_but_2, "draws"),
        (deal_a_card_twice, "chance"),
    ],
    ids=lambda function: getattr(function, "__name__", function),
)
def test_loaded_chance_is_found(sample: Any, promise: str) -> None:
    assert broken_promise(changed(rules={"sample": sample}), games=1) == promise


def told_in_another_order(kit: sk.Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    deal = Draw((Pool(notation.draws(kit, options)["deal"].pools[0].items[::-1]),), groups="/")
    return {**notation.draws(kit, options), "deal": deal}


def told_as_left(kit: sk.Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    """As if a card dealt in one hand were gone in the next."""
    pack = notation.draws(kit, options)["deal"].pools[0].items
    return {**notation.draws(kit, options), "deal": Draw((Pool(pack, left=True),), groups="/")}


def told_as_dice(kit: sk.Kit, options: Mapping[str, Any]) -> dict[str, Draw]:
    pack = notation.draws(kit, options)["deal"].pools[0].items
    return {**notation.draws(kit, options), "deal": Draw((Pool(pack, replaced=True),), groups="/")}


@pytest.mark.parametrize(
    "draws",
    [told_in_another_order, told_as_left, told_as_dice],
    ids=lambda function: function.__name__,
)
def test_draws_that_are_told_wrong_are_found(draws: Any) -> None:
    assert broken_promise(changed(notation={"draws": draws}), games=1) == "draws"


def test_chance_with_a_memory_of_its_own_is_found() -> None:
    calls: list[int] = []

    def sample(kit: sk.Kit, state: sk.State, rng: Rng, action: sk.Action) -> None:
        rules.sample(kit, state, rng, action)
        calls.append(0)
        if state.phase == sk.TO_START:
            action.args[0] = len(calls) % state.players

    assert broken_promise(changed(rules={"sample": sample})) == "chance"


# Cards, positions, texts ---------------------------------------------------------------------


@compiled
def apply_and_lose_a_card(kit: sk.Kit, state: sk.State, actor: int, action: sk.Action) -> None:
    rules.apply(kit, state, actor, action)
    if action.verb == sk.PLAY and action.args[0] == sk.PIRATE:
        left = rules.cards_in(state.hands[actor])
        if left > 0:
            state.hands[actor][left - 1] = sk.NONE


@compiled
def apply_and_double_a_card(kit: sk.Kit, state: sk.State, actor: int, action: sk.Action) -> None:
    rules.apply(kit, state, actor, action)
    if action.verb == sk.PLAY and state.hands[actor][0] != sk.NONE:
        state.hands[actor][0] = rules.held_as(action.args[0])


@pytest.mark.parametrize("apply", [apply_and_lose_a_card, apply_and_double_a_card])
def test_cards_lost_or_doubled_are_found(apply: Any) -> None:
    assert broken_promise(changed(rules={"apply": apply})) == "position"


@pytest.mark.parametrize("key", ["last", "bonus", "scores", "pad", "dealer", "bids", "trick"])
def test_a_position_that_forgets_a_key_is_found(key: str) -> None:
    def position(kit: sk.Kit, state: sk.State) -> msgspec.Struct:
        written = SKULL_KING.positions.position(kit, state)
        if state.hand <= 2:
            return written
        kept = [name for name in written.__struct_fields__ if name != key]
        forgetful = msgspec.defstruct("Forgetful", kept)
        return forgetful(*(getattr(written, name) for name in kept))

    assert broken_promise(changed(positions={"position": position}), games=8) == "position"


def test_two_actions_with_one_text_are_found() -> None:
    def text(kit: sk.Kit, action: sk.Action) -> str:
        return notation.text(kit, action).replace("bid 2", "bid 1")

    assert broken_promise(changed(notation={"text": text})) == "notation"


def test_events_nobody_can_say_are_found() -> None:
    def events(
        kit: sk.Kit, before: sk.State, actor: int, action: sk.Action, after: sk.State
    ) -> list[Event]:
        told = view.events(kit, before, actor, action, after)
        return [*told, Event("thunder")] if after.hand == 3 else told

    assert broken_promise(changed(view={"events": events})) == "events"


# Nodes, endings, sealed choices, bots --------------------------------------------------------


@compiled
def winners_early(kit: sk.Kit, state: sk.State, scores: Array[Int64]) -> int:
    winners = rules.outcome(kit, state, scores)
    return 1 if state.hand == 10 and state.phase == sk.PLAYING else winners


@compiled
def nobody_wins(kit: sk.Kit, state: sk.State, scores: Array[Int64]) -> int:
    rules.outcome(kit, state, scores)
    return 0


@pytest.mark.parametrize("outcome", [winners_early, nobody_wins])
def test_winners_at_the_wrong_time_are_found(outcome: Any) -> None:
    assert broken_promise(changed(rules={"outcome": outcome})) == "outcome"


@compiled
def last_bidder_leads(kit: sk.Kit, state: sk.State, actor: int, action: sk.Action) -> None:
    rules.apply(kit, state, actor, action)
    if action.verb == sk.BID and state.phase == sk.PLAYING:
        state.leader = actor


def test_an_order_of_arrival_that_matters_is_found() -> None:
    assert broken_promise(changed(rules={"apply": last_bidder_leads})) == "sealed"


@compiled
def two_to_act(kit: sk.Kit, state: sk.State) -> int:
    return 3 if state.phase == sk.PLAYING else rules.seats(kit, state)


def test_a_node_with_the_wrong_seats_is_found() -> None:
    assert broken_promise(changed(rules={"seats": two_to_act})) == "node"


@compiled
def imagine_nothing(
    kit: sk.Kit, seen: sk.State, memory: sk.Memory, seat: int, rng: Rng, state: sk.State
) -> None:
    view.see(kit, seen, seat, state)


@compiled
def imagine_strange_cards(
    kit: sk.Kit, seen: sk.State, memory: sk.Memory, seat: int, rng: Rng, state: sk.State
) -> None:
    """All other hands full of kings."""
    bot.imagine(kit, seen, memory, seat, rng, state)
    for other in range(state.players):
        if other != seat:
            for place in range(rules.cards_in(state.hands[other])):
                state.hands[other][place] = sk.KING


@compiled
def choose_anything(kit: sk.Kit, seen: sk.State, memory: sk.Memory, seat: int, rng: Rng) -> int:
    return below(rng, sk.ACTIONS)


def test_worlds_that_cannot_be_are_found() -> None:
    assert broken_promise(changed(bot={"imagine": imagine_nothing})) == "imagine"
    assert broken_promise(changed(bot={"imagine": imagine_strange_cards})) == "imagine"


def test_a_bot_that_knows_the_truth_by_a_side_door_is_found() -> None:
    """Its worlds fit always, because they never differ from the real one."""
    truth: list[sk.State] = []

    def see(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
        truth[:] = [copy_record(state)]
        view.see(kit, state, seat, seen)

    def imagine(
        kit: sk.Kit,
        seen: sk.State,
        memory: sk.Memory,
        seat: int,
        rng: Rng,
        state: sk.State,
    ) -> None:
        for name in sk.State.dtype.names or ():
            setattr(state, name, getattr(truth[0], name))

    game = changed(players=2, bot={"imagine": imagine}, view={"see": see})
    assert broken_promise(game) == "no-leak"


def test_a_bot_that_chooses_what_is_not_legal_is_found() -> None:
    assert broken_promise(changed(bot={"choose": choose_anything})) == "bot"


# What a message says -------------------------------------------------------------------------


@compiled
def see_no_leader(kit: sk.Kit, state: sk.State, seat: int, seen: sk.State) -> None:
    view.see(kit, state, seat, seen)
    seen.last_leader = 0


@compiled
def imagine_no_dealer(
    kit: sk.Kit, seen: sk.State, memory: sk.Memory, seat: int, rng: Rng, state: sk.State
) -> None:
    bot.imagine(kit, seen, memory, seat, rng, state)
    state.dealer = sk.NONE


@pytest.mark.parametrize(
    ("slots", "field"),
    [
        ({"view": {"see": see_no_leader}}, "does `see` leave out `last_leader`?"),
        ({"bot": {"imagine": imagine_no_dealer}}, "`dealer` is -1, not 1 in the world"),
        ({"view": {"see": see_in_the_scores}}, "`scores[2]` is"),
        ({"rules": {"apply": last_bidder_leads}}, "`leader` is"),
    ],
    ids=["see", "imagine", "leak", "sealed"],
)
def test_the_field_that_differs_is_named(slots: dict[str, Any], field: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_game(changed(**slots), games=2, interpreted=False)
    assert field in str(caught.value)


# Levels of bots ------------------------------------------------------------------------------


@compiled
def choose_the_last(kit: sk.Kit, seen: sk.State, memory: sk.Memory, seat: int, rng: Rng) -> int:
    """Bids whatever is most, which beginners do not."""
    numbers = np.zeros(sk.ACTIONS, np.int16)
    count = rules.legal(kit, seen, seat, numbers)
    return int(numbers[count - 1])


def test_levels_out_of_order_are_found() -> None:
    game = changed(players=2, bot={"choose": choose_the_last})
    with pytest.raises(ConformanceError, match=r"bosun against deckhand: .* weaker") as caught:
        check_levels(game, deals=(20,), jobs=1)
    assert caught.value.check == "levels"


def test_levels_in_order_are_told() -> None:
    (line,) = check_levels(changed(players=2), deals=(20,), jobs=1)
    assert line.startswith("bosun against deckhand: ")
    assert line.endswith("20 deals: stronger")


# The interpreted twin ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slot", "line", "other"),
    [
        ("rules", "return -10 * abs(tricks - bid)", "return 10 * (tricks - bid)"),
        ("rules", "if suit != NONE and card < SUIT_CARDS and suit_of(card) != suit:", "if False:"),
        ("rules", "for bid in range(state.hand + 1):", "for bid in range(state.hand):"),
        ("view", "seen.leader = state.leader", "seen.leader = state.dealer"),
        ("view", "seen.args[0] = HIDDEN", "seen.args[0] = 0"),
        ("rules", "pack = kit.pack.copy()", "pack = kit.pack[::-1].copy()"),
    ],
)
def test_rules_that_differ_when_interpreted_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slot: str, line: str, other: str
) -> None:
    folder = tmp_path / "skull_king"
    shutil.copytree(SKULL_KING.folder, folder)
    source = (folder / f"{slot}.py").read_text()
    assert source.count(line) == 1
    (folder / f"{slot}.py").write_text(source.replace(line, other))
    game = replace(changed(players=3), folder=folder)
    # beside the compiled rules; alone some of these break another promise first
    monkeypatch.setattr(testing, "_play_interpreted", lambda *_: None)
    with pytest.raises(ConformanceError) as caught:
        check_game(game, games=1)
    assert caught.value.check == "interpreted"


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("if state.phase == BIDDING:", "if state.phaze == BIDDING:"),
        ("state.phase = ENDED", "state.phaze = ENDED"),
    ],
)
def test_a_slip_in_the_sources_is_told_by_python_before_anything_is_compiled(
    tmp_path: Path, line: str, other: str
) -> None:
    folder = tmp_path / "skull_king"
    shutil.copytree(SKULL_KING.folder, folder)
    source = (folder / "rules.py").read_text()
    assert line in source
    (folder / "rules.py").write_text(source.replace(line, other))
    with pytest.raises(AttributeError, match="phaze") as caught:
        check_game(replace(changed(players=3), folder=folder), games=1)
    assert caught.traceback[-1].path == folder / "rules.py"


def test_the_interpreted_twin_is_ordinary_python() -> None:
    twin = interpreted_game(TOY)
    assert not hasattr(twin.rules.apply, "py_func")
    assert twin.rules is not TOY.rules
    assert twin.rules.node(TOY.kit, _new(twin)) == CHANCE


def _new(game: Game) -> AnyRecord:
    state = records(game.records.State, 1)[0]
    game.rules.new(game.kit, np.array([2]), state)
    return state


# The toy, broken -----------------------------------------------------------------------------


@compiled
def see_purses(kit: toy.Kit, state: toy.State, seat: int, seen: toy.State) -> None:
    toy_view.see(kit, state, seat, seen)
    if state.phase == toy.DROPPING:
        copy_list(seen.purses, state.purses)


@compiled
def step_too_far(kit: toy.Kit, state: toy.State, actor: int, action: toy.Action) -> int:
    if state.phase == toy.RACING and action.verb == toy.STEP and actor != NATURE:
        return 0
    return toy_rules.refuse(kit, state, actor, action)


def compose_in_the_air(
    kit: toy.Kit, seen: toy.State, memory: toy.Memory, seat: int, rng: Rng, action: toy.Action
) -> bool:
    composed = toy_bot.compose(kit, seen, memory, seat, rng, action)
    if composed:
        action.args[1] = 77
    return composed


class EndlessSea(Sea):
    """A world that never comes to rest."""

    def advance(self, ms: int) -> None:
        return None


def test_broken_toys_are_found() -> None:
    assert broken_promise(changed(TOY, view={"see": see_purses})) == "no-leak"
    assert broken_promise(changed(TOY, rules={"refuse": step_too_far}), games=8) == "legal"
    assert broken_promise(replace(TOY, compose=compose_in_the_air)) == "composite"
    assert broken_promise(replace(TOY, composites=lambda *_: ())) == "composite"
    register_world("endless-race", EndlessSea)
    assert broken_promise(replace(TOY, id="endless-race")) == "live"

"""The conformance check passes what keeps the contract and names the promise that is broken."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from quarterdeck import testing
from quarterdeck.contract import (
    CHANCE,
    NATURE,
    AnyRecord,
    Event,
    Game,
    Numbers,
    Option,
    below,
    compiled,
    copy_list,
    copy_record,
    is_compiled,
    records,
)
from quarterdeck.games import find_game, games
from quarterdeck.games.skull_king import bot, notation, rules, view
from quarterdeck.testing import ConformanceError, check_game, check_levels, interpreted_game

from .toys import plank_race
from .toys.plank_race import GAME as TOY

SKULL_KING = find_game("skull-king")


def changed(game: Game = SKULL_KING, players: int = 3, **slots: dict[str, Any]) -> Game:
    """The game for so many players with some functions of its modules replaced."""
    modules = {
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
    report = check_game(game, games=1)
    assert report.games >= 1
    assert report.states > 10 * report.games
    if report.hidden_states:
        # in Riff Raff nothing is hidden from a good memory but what is being chosen
        assert report.worlds_changed > report.worlds / 10


def test_the_toy_conforms() -> None:
    report = check_game(TOY, games=12)
    assert report.games == 24
    assert report.worlds_changed > 0


def test_replaced_modules_alone_break_nothing() -> None:
    check_game(changed(players=2, rules={}, notation={}, view={}, bot={}), games=1)


# Views that tell too much --------------------------------------------------------------------


@compiled
def see_the_next_hand(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    view.see(kit, state, seat, seen)
    if seat >= 0:
        other = (seat + 1) % state.players
        copy_list(seen.hands[other], state.hands[other])


@compiled
def see_one_card_at_the_end(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    """Shows one card of another hand, only in hand ten and only after its first trick."""
    view.see(kit, state, seat, seen)
    if state.hand == 10 and state.last[0] != rules.NONE and seat == 2:
        seen.hands[0][0] = state.hands[0][0]


@compiled
def see_sealed_bids(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    view.see(kit, state, seat, seen)
    copy_list(seen.bids, state.bids)


@compiled
def see_as_spectator(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    view.see(kit, state, seat, seen)
    if seat < 0:
        copy_list(seen.hands[0], state.hands[0])


@compiled
def see_in_the_scores(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    """Whether seat 0 holds the king can be told from somebody's score."""
    view.see(kit, state, seat, seen)
    for card in state.hands[0]:
        if card == rules.KING:
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


@compiled
def glimpse_the_deal(
    kit: AnyRecord, state: AnyRecord, seat: int, actor: int, action: AnyRecord, seen: AnyRecord
) -> None:
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == rules.DEAL and seat == 1:
        seen.args[0] = action.args[0]


@compiled
def glimpse_the_last_deal(
    kit: AnyRecord, state: AnyRecord, seat: int, actor: int, action: AnyRecord, seen: AnyRecord
) -> None:
    """Seat 1 is shown a card of seat 2, in hand ten alone: no two such deals are ever alike."""
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == rules.DEAL and seat == 1 and state.hand == 10:
        seen.args[2 * rules.LAST_HAND] = action.args[2 * rules.LAST_HAND]


@compiled
def glimpse_a_bid(
    kit: AnyRecord, state: AnyRecord, seat: int, actor: int, action: AnyRecord, seen: AnyRecord
) -> None:
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == rules.BID and action.args[0] == 0:
        seen.args[0] = 0


@compiled
def glimpse_a_hand(
    kit: AnyRecord, state: AnyRecord, seat: int, actor: int, action: AnyRecord, seen: AnyRecord
) -> None:
    """With every card played by seat 0 comes one of those it still holds."""
    view.glimpse(kit, state, seat, actor, action, seen)
    if action.verb == rules.PLAY and actor == 0:
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
def holds_king(state: AnyRecord, seat: int) -> bool:
    for card in state.hands[seat]:
        if card == rules.KING:
            return True
    return False


@compiled
def legal_by_other_hands(kit: AnyRecord, state: AnyRecord, seat: int, numbers: Numbers) -> int:
    """No zero bid against the king."""
    count = rules.legal(kit, state, seat, numbers)
    if state.phase == rules.BIDDING and holds_king(state, (seat + 1) % state.players):
        for place in range(1, count):
            numbers[place - 1] = numbers[place]
        count -= 1
    return count


@compiled
def refuse_by_other_hands(kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> int:
    rule = rules.refuse(kit, state, actor, action)
    if rule == 0 and action.verb == rules.BID and action.args[0] == 0:
        if holds_king(state, (actor + 1) % state.players):
            return rules.SK_3
    return rule


@compiled
def refuse_with_a_hint(kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> int:
    """The rule named in a refusal depends on who holds the king."""
    rule = rules.refuse(kit, state, actor, action)
    if rule == rules.SK_1 and actor == 1 and holds_king(state, 0):
        return rules.SK_5
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
def see_and_write(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    view.see(kit, state, seat, seen)
    if state.phase == rules.PLAYING:
        state.bonus[0] = 0
        state.trick[5] = rules.ESCAPE


@compiled
def legal_and_write(kit: AnyRecord, state: AnyRecord, seat: int, numbers: Numbers) -> int:
    if state.hand == 2:
        state.bonus[0] += 10
    return rules.legal(kit, state, seat, numbers)


@compiled
def refuse_and_write(kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> int:
    rule = rules.refuse(kit, state, actor, action)
    if rule == rules.SK_5:
        state.scores[actor] -= 1
    return rule


@compiled
def sample_and_write(kit: AnyRecord, state: AnyRecord, rng: AnyRecord, action: AnyRecord) -> None:
    rules.sample(kit, state, rng, action)
    state.scores[0] += 1


@compiled
def outcome_and_write(kit: AnyRecord, state: AnyRecord, scores: npt.NDArray[np.int64]) -> int:
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


# Chance --------------------------------------------------------------------------------------


@compiled
def king_for_seat_0(kit: AnyRecord, state: AnyRecord, rng: AnyRecord, action: AnyRecord) -> None:
    """Where seat 1 got the king it changes places with seat 0's first card."""
    rules.sample(kit, state, rng, action)
    if action.verb == rules.DEAL:
        for place in range(rules.LAST_HAND, rules.LAST_HAND + state.hand):
            if action.args[place] == rules.KING:
                action.args[place] = action.args[0]
                action.args[0] = rules.KING
        action.args[: state.hand].sort()
        action.args[rules.LAST_HAND : rules.LAST_HAND + state.hand].sort()


@compiled
def start_mostly_with_0(
    kit: AnyRecord, state: AnyRecord, rng: AnyRecord, action: AnyRecord
) -> None:
    rules.sample(kit, state, rng, action)
    if action.verb == rules.START and below(rng, 4) == 0:
        action.args[0] = 0


@compiled
def start_anywhere_but_2(
    kit: AnyRecord, state: AnyRecord, rng: AnyRecord, action: AnyRecord
) -> None:
    rules.sample(kit, state, rng, action)
    if action.verb == rules.START:
        action.args[0] = below(rng, 2)


@compiled
def deal_a_card_twice(kit: AnyRecord, state: AnyRecord, rng: AnyRecord, action: AnyRecord) -> None:
    rules.sample(kit, state, rng, action)
    if action.verb == rules.DEAL:
        action.args[0] = rules.KING
        action.args[rules.LAST_HAND] = rules.KING


@pytest.mark.parametrize(
    "sample",
    [king_for_seat_0, start_mostly_with_0, start_anywhere_but_2, deal_a_card_twice],
    ids=lambda function: function.__name__,
)
def test_loaded_chance_is_found(sample: Any) -> None:
    assert broken_promise(changed(rules={"sample": sample}), games=1) == "chance"


def test_chance_with_a_memory_of_its_own_is_found() -> None:
    calls: list[int] = []

    def sample(kit: AnyRecord, state: AnyRecord, rng: AnyRecord, action: AnyRecord) -> None:
        rules.sample(kit, state, rng, action)
        calls.append(0)
        if state.phase == rules.TO_START:
            action.args[0] = len(calls) % state.players

    assert broken_promise(changed(rules={"sample": sample})) == "chance"


# Cards, positions, texts ---------------------------------------------------------------------


@compiled
def apply_and_lose_a_card(kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> None:
    rules.apply(kit, state, actor, action)
    if action.verb == rules.PLAY and action.args[0] == rules.PIRATE:
        left = rules.cards_in(state.hands[actor])
        if left > 0:
            state.hands[actor][left - 1] = rules.NONE


@compiled
def apply_and_double_a_card(
    kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord
) -> None:
    rules.apply(kit, state, actor, action)
    if action.verb == rules.PLAY and state.hands[actor][0] != rules.NONE:
        state.hands[actor][0] = rules.held_as(action.args[0])


@pytest.mark.parametrize("apply", [apply_and_lose_a_card, apply_and_double_a_card])
def test_cards_lost_or_doubled_are_found(apply: Any) -> None:
    assert broken_promise(changed(rules={"apply": apply})) == "position"


@pytest.mark.parametrize("key", ["last", "bonus", "scores", "pad", "dealer", "bids", "trick"])
def test_a_position_that_forgets_a_key_is_found(key: str) -> None:
    def position(kit: AnyRecord, state: AnyRecord) -> dict[str, Any]:
        written = SKULL_KING.positions.position(kit, state)
        if state.hand > 2:
            del written[key]
        return written

    assert broken_promise(changed(positions={"position": position}), games=8) == "position"


def test_two_actions_with_one_text_are_found() -> None:
    def text(kit: AnyRecord, action: AnyRecord) -> str:
        return notation.text(kit, action).replace("bid 2", "bid 1")

    assert broken_promise(changed(notation={"text": text})) == "notation"


def test_events_nobody_can_say_are_found() -> None:
    def events(
        kit: AnyRecord, before: AnyRecord, actor: int, action: AnyRecord, after: AnyRecord
    ) -> list[Event]:
        told = view.events(kit, before, actor, action, after)
        return [*told, Event("thunder")] if after.hand == 3 else told

    assert broken_promise(changed(view={"events": events})) == "events"


# Nodes, endings, sealed choices, bots --------------------------------------------------------


@compiled
def winners_early(kit: AnyRecord, state: AnyRecord, scores: npt.NDArray[np.int64]) -> int:
    winners = rules.outcome(kit, state, scores)
    return 1 if state.hand == 10 and state.phase == rules.PLAYING else winners


@compiled
def nobody_wins(kit: AnyRecord, state: AnyRecord, scores: npt.NDArray[np.int64]) -> int:
    rules.outcome(kit, state, scores)
    return 0


@pytest.mark.parametrize("outcome", [winners_early, nobody_wins])
def test_winners_at_the_wrong_time_are_found(outcome: Any) -> None:
    assert broken_promise(changed(rules={"outcome": outcome})) == "outcome"


@compiled
def last_bidder_leads(kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> None:
    rules.apply(kit, state, actor, action)
    if action.verb == rules.BID and state.phase == rules.PLAYING:
        state.leader = actor


def test_an_order_of_arrival_that_matters_is_found() -> None:
    assert broken_promise(changed(rules={"apply": last_bidder_leads})) == "sealed"


@compiled
def two_to_act(kit: AnyRecord, state: AnyRecord) -> int:
    return 3 if state.phase == rules.PLAYING else rules.seats(kit, state)


def test_a_node_with_the_wrong_seats_is_found() -> None:
    assert broken_promise(changed(rules={"seats": two_to_act})) == "node"


@compiled
def imagine_nothing(
    kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: AnyRecord, state: AnyRecord
) -> None:
    view.see(kit, seen, seat, state)


@compiled
def imagine_strange_cards(
    kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: AnyRecord, state: AnyRecord
) -> None:
    """All other hands full of kings."""
    bot.imagine(kit, seen, memory, seat, rng, state)
    for other in range(state.players):
        if other != seat:
            for place in range(rules.cards_in(state.hands[other])):
                state.hands[other][place] = rules.KING


@compiled
def choose_anything(
    kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: AnyRecord
) -> int:
    return below(rng, rules.ACTIONS)


def test_worlds_that_cannot_be_are_found() -> None:
    assert broken_promise(changed(bot={"imagine": imagine_nothing})) == "imagine"
    assert broken_promise(changed(bot={"imagine": imagine_strange_cards})) == "imagine"


def test_a_bot_that_knows_the_truth_by_a_side_door_is_found() -> None:
    """Its worlds fit always, because they never differ from the real one."""
    truth: list[AnyRecord] = []

    def see(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
        truth[:] = [copy_record(state)]
        view.see(kit, state, seat, seen)

    def imagine(
        kit: AnyRecord,
        seen: AnyRecord,
        memory: AnyRecord,
        seat: int,
        rng: AnyRecord,
        state: AnyRecord,
    ) -> None:
        for name in rules.State.dtype.names or ():
            state[name] = truth[0][name]

    game = changed(players=2, bot={"imagine": imagine}, view={"see": see})
    assert broken_promise(game) == "no-leak"


def test_a_bot_that_chooses_what_is_not_legal_is_found() -> None:
    assert broken_promise(changed(bot={"choose": choose_anything})) == "bot"


# What a message says -------------------------------------------------------------------------


@compiled
def see_no_leader(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    view.see(kit, state, seat, seen)
    seen.last_leader = 0


@compiled
def imagine_no_dealer(
    kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: AnyRecord, state: AnyRecord
) -> None:
    bot.imagine(kit, seen, memory, seat, rng, state)
    state.dealer = rules.NONE


def test_the_field_that_differs_is_named() -> None:
    for slots, field in (
        ({"view": {"see": see_no_leader}}, "does `see` leave out `last_leader`?"),
        (
            {"bot": {"imagine": imagine_no_dealer}},
            "`dealer` is -1, not 1 in the world",
        ),
        ({"view": {"see": see_in_the_scores}}, "`scores[2]` is"),
        ({"rules": {"apply": last_bidder_leads}}, "`leader` is"),
    ):
        with pytest.raises(ConformanceError) as caught:
            check_game(changed(**slots), games=2, interpreted=False)
        assert field in str(caught.value)


# Levels of bots ------------------------------------------------------------------------------


@compiled
def choose_the_last(
    kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: AnyRecord
) -> int:
    """Bids whatever is most, which beginners do not."""
    numbers = np.zeros(rules.ACTIONS, np.int16)
    return int(numbers[rules.legal(kit, seen, seat, numbers) - 1])


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
    ("line", "other", "name"),
    [
        ("if state.phase == BIDDING:", "if state.phaze == BIDDING:", "phaze"),
        ("state.phase = ENDED", "state.phaze = ENDED", "phaze"),
    ],
)
def test_a_slip_in_the_sources_is_told_by_python_before_anything_is_compiled(
    tmp_path: Path, line: str, other: str, name: str
) -> None:
    folder = tmp_path / "skull_king"
    shutil.copytree(SKULL_KING.folder, folder)
    source = (folder / "rules.py").read_text()
    assert line in source
    (folder / "rules.py").write_text(source.replace(line, other))
    with pytest.raises(AttributeError, match=name) as caught:
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

toy_rules, toy_view = plank_race.rules, plank_race.view


@compiled
def see_purses(kit: AnyRecord, state: AnyRecord, seat: int, seen: AnyRecord) -> None:
    toy_view.see(kit, state, seat, seen)
    if state.phase == toy_rules.DROPPING:
        copy_list(seen.purses, state.purses)


@compiled
def step_too_far(kit: AnyRecord, state: AnyRecord, actor: int, action: AnyRecord) -> int:
    if state.phase == toy_rules.RACING and action.verb == toy_rules.STEP and actor != NATURE:
        return 0
    return toy_rules.refuse(kit, state, actor, action)


def compose_in_the_air(
    kit: AnyRecord, seen: AnyRecord, memory: AnyRecord, seat: int, rng: AnyRecord, action: AnyRecord
) -> bool:
    composed = plank_race.bot.compose(kit, seen, memory, seat, rng, action)
    if composed:
        action.args[1] = 77
    return composed


class EndlessSea(plank_race.Sea):
    """A world that never comes to rest."""

    def advance(self, ms: int) -> None:
        return None


def test_broken_toys_are_found() -> None:
    assert broken_promise(changed(TOY, view={"see": see_purses})) == "no-leak"
    assert broken_promise(changed(TOY, rules={"refuse": step_too_far})) == "legal"
    assert broken_promise(replace(TOY, compose=compose_in_the_air)) == "composite"
    assert broken_promise(replace(TOY, composites=lambda *_: ())) == "composite"
    assert broken_promise(replace(TOY, open_world=EndlessSea)) == "live"

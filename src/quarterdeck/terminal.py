"""A game in the terminal: one person against bots, drawn with rich."""

from __future__ import annotations

import getpass
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.prompt import Prompt
from rich.text import Text

from quarterdeck.bots.levels import choose_action
from quarterdeck.bots.live import play_by_hand
from quarterdeck.bots.open_phase import OpenPhase
from quarterdeck.bots.simulate import seat_bots
from quarterdeck.contract import (
    LIVE,
    NATURE,
    OPEN,
    BadOption,
    Game,
    QuarterdeckError,
    rng_from_bytes,
)
from quarterdeck.engine.fairness import FairChance, SeededChance
from quarterdeck.engine.match import Match, Step
from quarterdeck.engine.record import write_record
from quarterdeck.messages import Catalogue

BOT_NAMES = ("Anne", "Barty", "Calico", "Dampier", "Esme", "Flint")
LONGEST_LIST = 12
_LEAVE = {"q", "quit", "exit"}


def play(
    game: Game,
    options: Mapping[str, Any],
    *,
    seat: int,
    name: str | None,
    bots: Sequence[str],
    seed: int | None,
    lang: str,
    record_to: Path | None,
) -> int:
    """Plays a game to its end, or until the person leaves; returns the exit code."""
    if game.terminal is None:
        raise BadOption(f"{game.name} cannot be played in the terminal")
    players = options["players"]
    if not 0 <= seat < players:
        raise BadOption(f"there is no seat {seat} with {players} players")
    if record_to is not None:
        try:
            record_to.open("ab").close()  # before the game: it cannot be kept afterwards
        except OSError as error:
            raise BadOption(f"cannot write {str(record_to)!r}: {error.strerror}") from error
    names = list(BOT_NAMES[:players])
    names[seat] = name or getpass.getuser().capitalize()
    chance = (
        FairChance(FairChance.new_secret(), [secrets.token_bytes(16)])
        if seed is None
        else SeededChance(seed)
    )
    table = _Table(
        Match(game, options, chance=chance),
        seat,
        names,
        seat_bots(players, bots),
        Catalogue(lang, game.folder),
    )
    finished = table.play()
    if record_to is not None:
        record_to.write_bytes(write_record(table.match.record(names)) + b"\n")
    return 0 if finished else 1


class _Table:
    """The match, who sits at it, and the console it is shown on."""

    def __init__(
        self, match: Match, seat: int, names: list[str], bots: list[str], say: Catalogue
    ) -> None:
        self.match = match
        self.seat = seat
        self.names = names
        self.bots = bots
        self.say = say
        self.console = Console()
        self.rng = rng_from_bytes(secrets.token_bytes(16))

    def play(self) -> bool:
        """Lets everybody act in turn; whether the game came to its end."""
        while not self.match.is_over:
            to_act = self.match.to_act
            if self.match.node == LIVE:
                self._load()
            elif to_act == "nature":
                self._tell(self.match.draw())
            elif self.match.node == OPEN:
                if not self._play_open():
                    return False
            elif self.seat in to_act:
                text = self._ask()
                if text is None:
                    return False
                self._try(text)
            else:
                step = self._let_act(to_act[0])
                assert step is not None  # bots wait in open phases only
                self._tell(step)
        self._show()
        return True

    def _load(self) -> None:
        """A live world: in the terminal a bot's hand plays for everybody."""
        seat = self.match.live_seat
        assert seat is not None
        text, attached = play_by_hand(self.match, self.bots[seat], self.rng)
        self._tell(self.match.act(NATURE, text, attached=attached))

    def _let_act(self, bot: int) -> Step | None:
        text = choose_action(self.match, bot, self.bots[bot], self.rng)
        return None if text is None else self.match.act(bot, text, via="bot")

    def _play_open(self) -> bool:
        """An open phase: what fell due while the person was typing happens before what they say.
        Whether they stay."""
        bots = {seat: level for seat, level in enumerate(self.bots) if seat != self.seat}
        phase = OpenPhase(self.match, bots, self.rng, self._let_act)
        started = time.monotonic()
        while not phase.is_over:
            is_in = self.seat in self.match.seats_to_act
            text = self._ask(may_wait=True) if is_in else ""
            if text is None:
                return False
            until = 1000 * (time.monotonic() - started) if is_in else float("inf")
            for step in phase.run(until):
                self._tell(step)
            if text and not phase.is_over:
                self._try(text)
                phase.note()
        return True

    def _try(self, text: str) -> None:
        try:
            self._tell(self.match.act(self.seat, text))
        except QuarterdeckError as error:
            key = f"refused.{error.rule}"
            if error.rule is not None and key in self.say:
                said = f"{self.say.say(key)} ({error.rule})"
            else:
                said = f"{self.say.say(f'error.{error.code}')} ({text!r})"
            self.console.print(f"✗ {said}", style="bold red", markup=False, highlight=False)

    def _tell(self, step: Step) -> None:
        for event in self.match.events(step):
            said = self.say.sentence(f"event.{event.key}", event.values, self.names)
            self.console.print(f"· {said}", style="dim", markup=False, highlight=False)

    def _show(self) -> None:
        terminal = self.match.game.terminal
        assert terminal is not None
        view = self.match.view(self.seat) | {"legal": self.match.legal(self.seat)}
        self.console.print(terminal.table(view, self.seat, self.names, self.say))

    def _ask(self, *, may_wait: bool = False) -> str | None:
        """What the person wants to do: a number from the list or a text; None to leave. Where one
        may wait, nothing is an answer too."""
        terminal = self.match.game.terminal
        assert terminal is not None
        self._show()
        legal = self.match.legal(self.seat)
        numbers = _choice_numbers(legal)
        choices = [
            Text.assemble((f"{number:>3}", "bold"), "  ", terminal.label(action, self.say))
            for number, action in zip(numbers, legal, strict=True)
        ]
        if len(choices) > LONGEST_LIST:  # side by side, or the table is out of sight
            self.console.print(Columns(choices, column_first=True, padding=(0, 3)))
        else:
            self.console.print(*choices, sep="\n")
        try:
            key = "terminal.choose-or-wait" if may_wait else "terminal.choose"
            answer = Prompt.ask(self.say.say(key), console=self.console)
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            return None
        answer = (answer or "").strip()
        if answer in _LEAVE:
            return None
        if answer in numbers:
            return legal[numbers.index(answer)]
        return answer


def _choice_numbers(legal: list[str]) -> list[str]:
    """What to type for each action: 1, 2, 3 …, or its own number where all have one (`bid 0`).

    >>> _choice_numbers(["bid 0", "bid 1"]), _choice_numbers(["bid 1 2", "bid 2 2"])
    (['0', '1'], ['1', '2'])
    """
    own = [action.rpartition(" ")[2] for action in legal]
    if all(number.isdecimal() for number in own) and len(set(own)) == len(own):
        return own
    return [str(number) for number in range(1, len(legal) + 1)]

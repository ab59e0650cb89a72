"""What is said to people: the four catalogues agree, and sentences are filled as documented."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

import quarterdeck
from quarterdeck import contract
from quarterdeck.contract import QuarterdeckError, rule_name
from quarterdeck.games.skull_king import terminal
from quarterdeck.messages import LANGUAGES, Catalogue
from quarterdeck.server import errors

ROOT = Path(quarterdeck.__file__).parent
GAME_FOLDERS = sorted(path.parents[1] for path in ROOT.glob("games/*/text/en.json"))
FOLDERS = [ROOT, ROOT / "engine", *GAME_FOLDERS]
DOCS = Path(__file__).parents[1] / "docs" / "rules"

PLACEHOLDER = re.compile(r"\{(\w+)(?::([\w.-]+))?\}")

by_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
by_game = pytest.mark.parametrize("folder", GAME_FOLDERS, ids=lambda folder: folder.name)
by_language = pytest.mark.parametrize("lang", LANGUAGES)


def read(folder: Path, lang: str) -> dict[str, str]:
    """The entries of one catalogue; a key that stands twice fails."""

    def unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), [key for key in keys if keys.count(key) > 1]
        return dict(pairs)

    text = (folder / "text" / f"{lang}.json").read_text("utf-8")
    entries: dict[str, str] = json.loads(text, object_pairs_hook=unique)
    return entries


def game_of(folder: Path) -> contract.Game:
    game: contract.Game = importlib.import_module(f"quarterdeck.games.{folder.name}").GAME
    return game


MakeCatalogue: TypeAlias = Callable[[str, dict[str, str]], Catalogue]


@pytest.fixture
def tiny(tmp_path: Path) -> MakeCatalogue:
    """A catalogue of one's own in a language: the shared entries and the given ones."""

    def make(lang: str, entries: dict[str, str]) -> Catalogue:
        folder = tmp_path / lang
        (folder / "text").mkdir(parents=True)
        (folder / "text" / f"{lang}.json").write_text(json.dumps(entries), "utf-8")
        return Catalogue(lang, folder)

    return make


# The catalogues ------------------------------------------------------------------------------


@by_folder
@by_language
def test_every_language_has_the_same_keys(folder: Path, lang: str) -> None:
    assert list(read(folder, lang)) == list(read(folder, "en"))


@by_folder
@by_language
def test_every_language_fills_the_same_placeholders(folder: Path, lang: str) -> None:
    theirs, ours = read(folder, lang), read(folder, "en")
    for key, sentence in ours.items():
        expected = sorted(PLACEHOLDER.findall(sentence))
        assert sorted(PLACEHOLDER.findall(theirs[key])) == expected, key


@by_folder
@by_language
def test_sentences_are_clean(folder: Path, lang: str) -> None:
    for key, sentence in read(folder, lang).items():
        assert sentence, key
        assert sentence == sentence.strip(), key
        assert "  " not in sentence, key
        assert not re.search(r"[{}]", PLACEHOLDER.sub("", sentence)), key
        if lang == "fr":  # before these signs French has a space that does not break
            assert not re.search(r" [:;!?]|\w[;!?]", sentence), key


@by_folder
@by_language
def test_every_kind_named_in_a_sentence_exists(folder: Path, lang: str) -> None:
    entries = read(ROOT, lang) | read(folder, lang)
    for key, sentence in entries.items():
        for _, kind in PLACEHOLDER.findall(sentence):
            known = not kind or kind == "seat" or any(e.startswith(f"{kind}.") for e in entries)
            assert known, (key, kind)


@by_folder
@by_language
def test_plurals_come_in_pairs(folder: Path, lang: str) -> None:
    entries = read(folder, lang)
    for key in entries:
        if key.endswith((".one", ".other")):
            stem = key.rpartition(".")[0]
            assert {f"{stem}.one", f"{stem}.other"} <= set(entries)


@by_language
def test_every_error_has_a_sentence(lang: str) -> None:
    kinds = [QuarterdeckError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    homes = {contract.errors.__name__, errors.__name__}
    codes = {kind.code for kind in kinds if kind.__module__ in homes} - {"error"}
    assert len(codes) >= 8
    assert {key.removeprefix("error.") for key in read(ROOT, lang) if key[:6] == "error."} == codes


@by_game
@by_language
def test_every_rule_that_refuses_is_explained(folder: Path, lang: str) -> None:
    game = game_of(folder)
    constant = re.compile(rf"{game.prefix}_[RC]?\d+")
    refusing = {
        rule_name(game.prefix, value)
        for name, value in vars(game.records).items()
        if constant.fullmatch(name)
    }
    assert refusing
    refused = {key for key in read(folder, lang) if key.startswith("refused.")}
    assert refused == {f"refused.{rule}" for rule in refusing}


@by_game
@by_language
def test_the_summary_of_the_rules_cites_every_number(folder: Path, lang: str) -> None:
    game = game_of(folder)
    number = rf"{game.prefix}-[RC]?\d+"
    ledger = (DOCS / f"{game.id}.md").read_text("utf-8")
    known = set(re.findall(rf"^- ({number}) ", ledger, re.MULTILINE))
    summary = (folder / "text" / f"rules.{lang}.md").read_text("utf-8")
    assert known
    assert set(re.findall(number, summary)) == known


# Filling a sentence --------------------------------------------------------------------------


def test_a_plain_value_stands_as_it_is(tiny: MakeCatalogue) -> None:
    assert tiny("en", {"k": "{a} and {b}"}).say("k", {"a": -3, "b": "x"}) == "-3 and x"


def test_a_seat_is_its_player_and_several_are_listed(tiny: MakeCatalogue) -> None:
    say = tiny("en", {"k": "{seats:seat} win"})
    names = ["Anna", "Ben", "Cleo"]
    assert say.say("k", {"seats": 1}, names) == "Ben win"
    assert say.say("k", {"seats": [2, 0]}, names) == "Cleo, Anna win"


def test_the_exact_key_comes_before_the_one_for_all_digits(tiny: MakeCatalogue) -> None:
    say = tiny("en", {"k": "{card:card}", "card.k#": "black {n}", "card.k13": "the black flag"})
    assert say.say("k", {"card": "k7"}) == "black 7"
    assert say.say("k", {"card": "k12"}) == "black 12"
    assert say.say("k", {"card": "k13"}) == "the black flag"
    with pytest.raises(KeyError):
        say.say("k", {"card": "z1"})


def test_what_stands_in_for_a_value_is_filled_too(tiny: MakeCatalogue) -> None:
    entries = {"k": "{why:why}", "why.high": "the highest {suit:suit}", "suit.red": "red"}
    assert tiny("en", entries).say("k", {"why": "high", "suit": "red"}) == "the highest red"


@pytest.mark.parametrize(
    ("lang", "ones"), [("en", {1, -1}), ("de", {1, -1}), ("it", {1, -1}), ("fr", {0, 1, -1})]
)
def test_plurals(tiny: MakeCatalogue, lang: str, ones: set[int]) -> None:
    say = tiny(lang, {"k": "{n:count.x}", "count.x.one": "{n} x", "count.x.other": "{n} xs"})
    for n in (-2, -1, 0, 1, 2, 10):
        assert say.say("k", {"n": n}) == (f"{n} x" if n in ones else f"{n} xs")


def test_a_sentence_begins_with_a_capital_and_keeps_the_rest(tiny: MakeCatalogue) -> None:
    say = tiny("fr", {"k": "à {seat:seat} de jouer", "empty": "{a}"})
    assert say.sentence("k", {"seat": 0}, ["anna B"]) == "À anna B de jouer"
    assert say.sentence("empty", {"a": ""}) == ""


def test_a_missing_key_or_value_raises(tiny: MakeCatalogue) -> None:
    say = tiny("en", {"k": "{a}"})
    assert "k" in say
    assert "terminal.you" in say  # the shared entries are there as well
    assert "no" not in say
    with pytest.raises(KeyError):
        say.say("no")
    with pytest.raises(KeyError):
        say.say("k", {"b": 1})


# Skull King ----------------------------------------------------------------------------------

SKULL_KING = ROOT / "games" / "skull_king"


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Ben takes the trick with the black 1: black trumps yellow"),
        ("de", "Ben gewinnt den Stich durch die schwarze 1 – Schwarz sticht Gelb"),
        ("fr", "Ben remporte le pli avec le 1 noir\u00a0: le noir l'emporte sur le jaune"),
        ("it", "Ben fa la presa con un 1 nero: il nero batte il giallo"),
    ],
)
def test_a_trick_is_told(lang: str, sentence: str) -> None:
    values = {"seat": 1, "card": "k1", "why": "trump", "suit": "yellow"}
    told = Catalogue(lang, SKULL_KING).sentence("event.trick-won", values, ["Anna", "Ben"])
    assert told == sentence


@by_language
def test_every_card_has_a_name(lang: str) -> None:
    game = game_of(SKULL_KING)
    say = Catalogue(lang, SKULL_KING)
    cards = vars(game.notation)["CARD_NAMES"]
    assert len({say.say("action.play", {"card": card}) for card in cards}) == len(cards)
    told = {say.say("event.card-played", {"seat": 0, "card": card}, ["Anna"]) for card in cards}
    assert len(told) == len(cards)


@pytest.mark.parametrize(
    ("action", "lang", "shown"),
    [
        ("play y5", "en", "★ yellow 5"),
        ("play k13", "de", "⚑ Schwarz 13"),
        ("play mary:escape", "fr", "◐ Scary Mary (Escape)"),
        ("play king", "it", "♛ Skull King"),
        ("bid 3", "en", "bid 3"),
        ("bid 0", "de", "Ansage 0"),
    ],
)
def test_an_action_has_a_label(action: str, lang: str, shown: str) -> None:
    assert terminal.label(action, Catalogue(lang, SKULL_KING)).plain.strip() == shown

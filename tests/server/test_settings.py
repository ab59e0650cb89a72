"""What can be set about a server, from where, and what is refused."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quarterdeck
from quarterdeck.cli import main
from quarterdeck.contract import BadOption
from quarterdeck.server import app, http_protocol, hub, limits, live_table, sockets
from quarterdeck.server.limits import BOUNDS, BY_ADDRESS, BY_CLIENT, KINDS, Limits
from quarterdeck.server.metrics import Metrics
from quarterdeck.server.settings import (
    FLAGS,
    SETTINGS_FILE,
    TYPES,
    Settings,
    page,
    read_settings,
    told_of,
    with_tables,
)

HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"

FILE = """
port = 1111
log_level = "warning"
trusted_proxies = ["10.0.0.0/8", "::1"]

[limits]
worlds = 11
join_burst = 12
attach_burst = 13
"""
ENVIRONMENT = {
    "QUARTERDECK_PORT": "2222",
    "QUARTERDECK_HOST": "0.0.0.0",
    "QUARTERDECK_LIMITS_WORLDS": "21",
    "QUARTERDECK_LIMITS_JOIN_BURST": "22",
    "QUARTERDECK_PUBLIC_URL": "",  # says nothing
    "QUARTERDECK_FRAMES": "1",  # not the server's
    "PORT": "9",
}


def written(folder: Path, text: str) -> Path:
    path = folder / SETTINGS_FILE
    path.write_text(text, "utf-8")
    return path


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, FILE)
    flags = {"host": "::", "limits": {"worlds": "31"}}
    settings = read_settings(flags, ENVIRONMENT, path)
    assert (settings.host, settings.port, settings.log_level) == ("::", 2222, "warning")
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")
    told = settings.limits
    assert (told.worlds, told.join_burst, told.attach_burst) == (31, 22, 13)
    assert told.message_burst == Limits().message_burst
    assert settings.public_url is None
    assert read_settings({}, {}, path).port == 1111
    assert read_settings({}, {}) == Settings()


def test_the_file_in_the_data_folder_is_read_without_being_named(tmp_path: Path) -> None:
    written(tmp_path, "port = 1111")
    assert read_settings({"data": str(tmp_path)}, {}).port == 1111
    assert read_settings({}, {"QUARTERDECK_DATA": str(tmp_path)}).port == 1111
    other = tmp_path / "other.toml"
    other.write_text(f'port = 3333\ndata = "{tmp_path}"', "utf-8")
    assert read_settings({}, {"QUARTERDECK_SETTINGS": str(other)}).port == 3333
    settings = read_settings({}, {}, other)
    assert (settings.port, settings.data) == (3333, tmp_path)
    assert settings.database_path == tmp_path / "quarterdeck.sqlite3"


def test_lists_in_the_environment_and_numbers_that_are_whole() -> None:
    environment = {
        "QUARTERDECK_TRUSTED_PROXIES": "10.0.0.1, 192.0.2.0/24",
        "QUARTERDECK_LIMITS_HEADER_S": "3",
        "QUARTERDECK_OPEN_BROWSER": "true",
    }
    settings = read_settings({}, environment)
    assert settings.trusted_proxies == ("10.0.0.1", "192.0.2.0/24")
    assert settings.limits.header_s == 3.0
    assert settings.open_browser is True


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", "there is no setting 'prot'"),
        ("[limits]\nworld = 1", "there is no limit 'world'"),
        ("port = 65536", "port: expected `int` <= 65535, not 65536"),
        ('port = "8000"', "port: expected `int`, not '8000'"),
        ('log_level = "loud"', "log_level: "),
        ('public_url = "here"', "such as https://games.example.org, not 'here'"),
        ('database = "postgres:x"', "a database is sqlite:PATH, not 'postgres:x'"),
        ('trusted_proxies = ["nobody"]', "'nobody' does not appear to be"),
        ("limits = 3", "limits is a table"),
        ("[limits]\nworlds = 0", "worlds: expected `int` >= 1, not 0"),
        ("[limits]\nheader_s = 0", "header_s: expected `float` > 0.0, not 0"),
        ("[limits]\nheader_bytes = true", "header_bytes: expected `int`, not True"),
        ("port = ", "Invalid value"),
        ('data = "elsewhere"', "it lies in the data folder, and cannot say which"),
    ],
)
def test_what_cannot_be_is_refused_and_named(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadOption) as refused:
        read_settings({"data": str(tmp_path)}, {})
    assert said in refused.value.message
    assert str(path) in refused.value.message


@pytest.mark.parametrize(
    ("flags", "environment", "said"),
    [
        ({}, {"QUARTERDECK_LIMITS_WORLD": "1"}, "in the environment: there is no limit 'world'"),
        ({}, {"QUARTERDECK_LIMITS_WORLDS": "x"}, "in the environment: worlds: expected `int`"),
        ({}, {"QUARTERDECK_SETTINGS": "nowhere.toml"}, "cannot read 'nowhere.toml': No such file"),
        ({"limits": {"x": "1"}}, {}, "on the command line: there is no limit 'x'"),
        ({"limits": {"worlds": "-1"}}, {}, "on the command line: worlds: expected `int` >= 1"),
    ],
)
def test_the_source_of_what_cannot_be_is_named(
    flags: dict[str, Any], environment: dict[str, str], said: str
) -> None:
    with pytest.raises(BadOption) as refused:
        read_settings(flags, environment)
    assert refused.value.message.startswith(said)


def test_a_server_with_settings_that_cannot_be_ends_with_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, "[limits]\nworlds = 'many'")
    done = subprocess.run(
        [sys.executable, "-m", "quarterdeck.cli", "serve", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(quarterdeck.__file__).parents[1])},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"quarterdeck: {path}: worlds: expected `int`, not 'many'\n"


def test_every_setting_has_a_flag_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    told = capsys.readouterr().out
    assert list(FLAGS) == list(TYPES)
    assert [flag for flag in FLAGS.values() if flag not in told] == []


def test_unlimited_lifts_counts_and_rates_but_no_sizes_and_times(tmp_path: Path) -> None:
    given = {"unlimited": True, "limits": {"worlds": "5"}}
    told = read_settings(given, {}).limits
    assert told.worlds == 5
    assert min(told.message_burst, told.joins_per_second, told.connections) >= 10**9
    assert told.header_bytes == Limits().header_bytes
    assert told.header_s == Limits().header_s
    assert told.frames_a_turn == Limits().frames_a_turn


# What is told of them ----------------------------------------------------------------------------


def test_every_setting_is_told_in_the_source_and_in_the_document() -> None:
    assert list(told_of(Settings)) == list(TYPES)
    assert list(told_of(Limits)) == list(KINDS)
    text = HOSTING.read_text("utf-8")
    assert page() in text, "make protocol"
    assert with_tables(text) == text


def test_every_limit_is_heeded() -> None:
    rooms = (app, http_protocol, hub, limits, live_table, sockets)
    source = "".join(inspect.getsource(room) for room in rooms)
    rates = {limit for rate in BY_ADDRESS.values() for limit in (rate.per_second, rate.burst)}
    for limit in KINDS:
        is_used = f"limits.{limit}" in source or f'("{limit}")' in source or f'"{limit}"' in source
        assert limit in rates or is_used, limit


def test_every_bound_is_counted() -> None:
    figures = Metrics().page().decode()
    for bound in BOUNDS:
        assert f'quarterdeck_bounded_total{{bound="{bound}"}} 0.0' in figures
    of_rates = {rate.bound for rate in BY_ADDRESS.values()} | set(BY_CLIENT)
    bursts = [limit for limit in KINDS if limit.endswith("_burst")]
    assert len(of_rates) == len(bursts)
    assert set(BOUNDS) - of_rates < set(KINDS)

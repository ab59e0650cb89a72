"""How quickly ships are drawn without a graphics card; kept in `bench/RESULTS.md`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from results import keep_section, table

SCRIPT = Path(__file__).parent.parent / "web" / "e2e" / "frame_rate.mjs"
LEAST = 20.0


def main() -> None:
    told = subprocess.run(["node", str(SCRIPT)], check=True, capture_output=True, text=True).stdout
    rates: dict[str, float] = json.loads(told.splitlines()[-1])
    body = (
        "Gezanke's ship with twelve pirates, sharks and waves while one looks around it, and with "
        "the beginner's aid on, in headless Chromium drawing by the processor.\n\n"
    ) + table(["window", "pictures a second"], [[name, f"{r:.0f}"] for name, r in rates.items()])
    print(body)
    keep_section("RESULTS.md", "Ships without a graphics card", body)
    assert min(rates.values()) > LEAST, rates


if __name__ == "__main__":
    main()

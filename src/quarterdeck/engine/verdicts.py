"""What a verdict says to people, and as JSON. The page says the same in four languages."""

from __future__ import annotations

from typing import Any

from quarterdeck.contract import BadProof

from .verify import Part, Verdict

_VERDICTS = {
    "proven": "Proven to you: your bytes are in it; {deals}.",
    "consistent": "Consistent; proves it to {seats}, not to you.",
    "partial": "What could be checked holds; it proves nothing about the deal.",
    "server-only": "Only the server's own: nobody else's bytes are in the deal.",
    "old-scheme": "Begun before there were rosters: its draws follow from what was published, "
    "but the server could have chosen among deals.",
    "seed": "{draws} draws follow from the seed. (A seed is known beforehand.)",
    "unfair": "NOT FAIR: {flaw}",
}

_PARTS = {
    "bytes.mine": "Your bytes are in the deal.",
    "bytes.no-receipt": "Without a receipt (--receipt) nobody can tell which bytes were yours.",
    "bytes.not-mine": "No bytes of yours are in the deal.",
    "bytes.too-late": "Your bytes came too late for the deal.",
    "bytes.left-out": "your bytes were left out.",
    "roster.as-kept": "The roster is the one you kept before the deal.",
    "roster.name-withdrawn": "The roster is the one you kept; name withdrawn.",
    "roster.not-kept": "The roster fits together; you kept no copy from before the deal.",
    "roster.old-scheme": "The hashes are right; which bytes were whose was not bound.",
    "roster.another-table": "the record is of another table.",
    "roster.secret": "the server's secret is not the one it had bound.",
    "roster.reveals": "the bytes of a seat are not those that were bound.",
    "roster.another-game": "game, options or seats are not those that were bound.",
    "roster.kit": "the kit is not the one that was bound.",
    "roster.names": "a name is not the one that was bound.",
    "roster.another-roster": "the game began with another roster than you were shown.",
    "roster.another-scheme": "you were shown a roster, and the record has none.",
    "roster.unreadable": "the proof cannot be read.",
    "deals.deals": "Attempts to begin, all counted: {deals}.",
    "deals.voids": "attempts were given up without a reason that holds.",
    "deals.hidden": "an attempt that you were shown is not told of.",
    "deals.another-void": "an attempt that was given up was another than you were shown.",
    "deals.called-missing": "an attempt was given up for want of your bytes, which were there.",
    "draws.draws": "{draws} draws follow from the secret, the roster and the bytes.",
    "draws.none": "Nothing was drawn.",
    "draws.draw": "entry {at} of the log is not what chance drew.",
    "attested.attested": "{attested} entries of clock or physics rest on the server's word.",
    "log.whole": "The log is as you saw it, to its end.",
    "log.up-to": "The log is as you saw it up to link {n} of {of}; after that it is the "
    "server's word.",
    "log.unseen": "The log holds together; that it is what happened is the server's word.",
    "log.broken": "the log does not hold together.",
    "log.outcome": "who resigned is not in the log.",
    "log.cut": "the log was cut: you have seen more of it.",
    "log.another-log": "the log is not the one you saw.",
    "acts.acts": "All {acts} acts of yours are in the log.",
    "acts.others": "All {acts} acts of yours are in the log; {others} more of your seats were "
    "sent from elsewhere.",
    "acts.none": "No acts of yours were kept.",
    "acts.missing": "an act of yours is missing: {do}",
    "views.as-shown": "All {plies} views you were shown follow from the log.",
    "views.none": "No views were kept.",
    "views.cut": "you were shown more of the game than the log has.",
    "views.another-view": "you were shown something else than the log tells.",
}


def sentences(verdict: Verdict) -> list[str]:
    """The verdict in words: the whole first, then its parts."""
    first = _VERDICTS[verdict.verdict].format(
        deals=_deals(verdict.deals),
        seats=_seats(verdict.seats),
        draws=verdict.draws,
        flaw="" if verdict.flaw is None else sentence(verdict.flaw),
    )
    is_said = verdict.verdict == "seed"  # what is to be said of its draws
    parts = [part for part in verdict.parts if not (is_said and part.part == "draws")]
    return [first, *(f"  {sentence(part)}" for part in parts)]


def sentence(part: Part) -> str:
    """What is to be said of a part."""
    code = "others" if part.code == "acts" and part.values.get("others") else part.code
    return _PARTS[f"{part.part}.{code}"].format(**part.values)


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as it is printed; an unfair one is an error like any other."""
    told: dict[str, Any] = {
        "verified": verdict.verified,
        "verdict": verdict.verdict,
        "scheme": verdict.scheme,
        "draws": verdict.draws,
        "attested": verdict.attested,
    }
    if verdict.scheme == "roster":
        told |= {"deals": verdict.deals, "seats": list(verdict.seats)}
    told["parts"] = [
        {"part": part.part, "state": part.state, "code": part.code, **part.values}
        for part in verdict.parts
    ]
    flaw = verdict.flaw
    if flaw is None:
        return told
    error = BadProof(f"not fair: {sentence(flaw)}", at=flaw.values.get("at"))
    return error.as_json() | {"flaw": f"{flaw.part}.{flaw.code}"} | told


def _deals(deals: int) -> str:
    if deals == 1:
        return "nobody could choose the deal"
    return f"nobody could choose more than among {deals} deals"


def _seats(seats: tuple[int, ...]) -> str:
    if len(seats) < 2:
        return f"seat {seats[0]}" if seats else "nobody"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"

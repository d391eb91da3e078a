"""The score of a game of Okey: what each deal costs, who is out, who wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assistant.groups import Kind, face_of, name_group
from assistant.reasons import Reason
from assistant.rules import TO_ZERO, Okey101Scoring, OkeyScoring, Rules
from assistant.tiles import Colour, NotationError, Tile, quoted

Event = Mapping[str, Any]
RED_OR_BLACK = (Colour.RED, Colour.BLACK)
_COLOUR_WORDS = {"red": Colour.RED, "black": Colour.BLACK, "blue": Colour.BLUE, "yellow": Colour.YELLOW}


class EventError(ValueError):
    """An event that the rules do not allow; the message is a sentence for the user.

    Attributes:
        reason: why, with its parts; None for an event that is written wrong, as no page writes it. Where the reason names a
            `player` or a `line` it is by number.
    """

    def __init__(self, why: Reason | str) -> None:
        super().__init__(str(why))
        self.reason = why if isinstance(why, Reason) else None


def player(event: Event, players: int, name: str = "by") -> int:
    """The player that an event names. Raises EventError."""
    number = event.get(name)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < players:
        raise EventError(f"{name!r} must be the number of a player, 0 to {players - 1}, not {quoted(number)}")
    return number


def flag(event: Event, name: str) -> bool:
    """A yes or no of an event, no unless given. Raises EventError."""
    value = event.get(name, False)
    if not isinstance(value, bool):
        raise EventError(f"{name!r} must be true or false, not {quoted(value)}")
    return value


def one_of(event: Event, name: str, choices: tuple[str | None, ...]) -> str | None:
    """One of the choices. Raises EventError."""
    value = event.get(name)
    if (value is not None and not isinstance(value, str)) or value not in choices:
        known = ", ".join("null" if choice is None else choice for choice in choices)
        raise EventError(f"{name!r} must be one of {known}, not {quoted(value)}")
    return value


def side_of(number: int, scoring: OkeyScoring | Okey101Scoring) -> set[int]:
    """The players of one account: a player, and the partner opposite where there are partners."""
    return {number, (number + 2) % 4} if scoring.partners else {number}


def win_of(kept: Sequence[Tile], hand: str, okey_last: bool, okey: Tile, rules: Rules) -> Event:
    """The event of a win with these 14 tiles, shown as `melds`, `pairs` or `run`, without who wins."""
    faces = [face_of(tile, okey, rules) for tile in kept]
    colours = {face.colour for face in faces if face is not None}
    colour = colours.pop() if len(colours) == 1 else None
    return {"event": "win", "hand": hand, "okey_last": okey_last, "colour": colour.value if colour else None}


def is_run(kept: Sequence[Tile], okey: Tile, rules: Rules) -> bool:
    """Whether 14 tiles are the one-colour run, and the rules score it."""
    return rules.one_colour_run and name_group(kept, okey, rules).kind is Kind.RUN


def cost_of(win: Event, scoring: OkeyScoring) -> int:
    """What a win costs each of the others, if all still have what they started with."""
    game, event = OkeyGame(scoring, players=2), {**win, "by": 0}
    game.begin_deal([event])
    game.apply(event)
    return scoring.start - min(game.scores)


class OkeyGame:
    """The accounts of a game of Okey. Points are lost by those who did not win. A copy keeps what it was when the game goes on.

    Attributes:
        scores: every player's account; partners have one in common.
        deals: how many deals are over.
        finished: whether the game is.
    """

    def __init__(self, scoring: OkeyScoring, players: int) -> None:
        self._scoring = scoring
        self._players = players
        self._shown_by: int | None = None
        self._indicators: list[Tile] = []
        self._indicator_counts_double = False
        self._played_last = list(range(players))
        self.scores = [scoring.start] * players
        self.deals = 0
        self.finished = False

    def begin_deal(self, events: Iterable[Event]) -> None:
        """Begins a deal, of which `apply` takes the events one by one: an indicator that any of them names is the whole deal's."""
        self._shown_by = None
        self._indicators = list(dict.fromkeys(indicator_of(event) for event in events if event.get("indicator") is not None))
        self._indicator_counts_double = any(tile.colour in RED_OR_BLACK for tile in self._indicators)

    def check_new(self, event: Event) -> None:
        """Raises EventError when the event cannot be entered any more, though it counts where it was saved while it could be."""
        if event.get("indicator") is not None and indicator_of(event).colour is None:
            raise EventError(f"'indicator' must be a tile with a number, not {indicator_of(event)}")
        if len(self._indicators) > 1:
            one, other = sorted(self._indicators[:2], key=lambda tile: event.get("indicator") is not None and tile == indicator_of(event))
            raise EventError(Reason("this deal has the indicator {one} already, not {other}", one=one, other=other))
        is_run = event.get("event") == "win" and event.get("hand") == "run"
        if is_run and event.get("colour") is None and self._scoring.colour_doubles == "red_black":
            raise EventError(Reason("the colour of the one-colour run is missing: in red or black it costs double"))

    def apply(self, event: Event) -> bool:
        """Changes the accounts and returns whether the deal is over. Raises EventError."""
        kind: object = event.get("event")
        self._played_last = self._standing()
        if kind == "indicator_shown":
            self._show_indicator(event)
        elif kind == "win":
            self._win(event)
        elif kind == "exhausted":
            self._lose(dict.fromkeys(self._standing(), self._scoring.exhausted_penalty * self._deal_factor()))
        else:
            raise EventError(f"no event of Okey is called {quoted(kind)}: choose from indicator_shown, win, exhausted, undo, correct")
        over = kind != "indicator_shown"
        self.deals += over
        self.finished = self._is_over()
        return over

    def winners(self) -> list[int]:
        """Who has won, once the game is finished, of those who played until then; those tied share the place."""
        if not self.finished:
            return []
        places = self._scoring.best_places if self._players == 4 and not self._scoring.partners and not self._scoring.elimination else 1
        least = sorted((self.scores[number] for number in self._played_last), reverse=True)[places - 1]
        return [number for number in self._played_last if self.scores[number] >= least]

    def _standing(self) -> list[int]:
        """Players who have not left."""
        return [number for number, score in enumerate(self.scores) if score > 0]

    def _is_over(self) -> bool:
        out = self._players - len(self._standing())
        if not self._scoring.elimination:
            return out > 0
        return len(self._standing()) <= (2 if self._scoring.partners else 1)

    def _actor(self, event: Event) -> int:
        by = player(event, self._players)
        if by not in self._standing():
            raise EventError(Reason("player {player} has left the game", player=by))
        return by

    def _show_indicator(self, event: Event) -> None:
        by = self._actor(event)
        if not self._scoring.with_indicator:
            raise EventError(Reason("this table plays without showing the indicator"))
        if self._shown_by is not None:
            raise EventError(Reason("the indicator was shown in this deal already, by player {player}", player=self._shown_by))
        self._shown_by = by
        cost = self._scoring.indicator_shown * self._deal_factor()
        able = (other for other in self._standing() if self.scores[other] >= self._scoring.indicator_minimum)
        self._lose({other: cost for other in able if other not in side_of(by, self._scoring)})

    def _win(self, event: Event) -> None:
        by = self._actor(event)
        cost = self._cost(event)
        losers = [other for other in self._standing() if other not in side_of(by, self._scoring)]
        self._lose({other: self.scores[other] if cost == TO_ZERO else cost for other in losers})

    def _cost(self, event: Event) -> int:
        """What the winning hand costs each of the others, TO_ZERO for everything they have."""
        hand = one_of(event, "hand", ("melds", "pairs", "run"))
        okey_last, colour = flag(event, "okey_last"), _colour(event.get("colour"))
        figures: dict[str | None, tuple[int | None, int | None]] = {
            "melds": (self._scoring.win, self._scoring.win_okey),
            "pairs": (self._scoring.pairs, self._scoring.pairs_okey),
            "run": (self._scoring.run, self._scoring.run_okey),
        }
        if hand != "run" and colour is not None and self._scoring.one_colour is not None:
            figures[hand] = (self._scoring.one_colour, self._scoring.one_colour_okey)
        figure = figures[hand][okey_last]
        if figure is None:
            raise EventError(Reason("these rules do not score the one-colour run: enter the hand as melds"))
        doubles = self._scoring.colour_doubles
        one_colour = hand == "run" or colour is not None
        doubled = (doubles == "any" and one_colour) or (doubles == "red_black" and colour in RED_OR_BLACK)
        return figure * (2 if doubled else 1) * self._deal_factor()

    def _deal_factor(self) -> int:
        return 2 if self._scoring.colour_doubles == "indicator" and self._indicator_counts_double else 1

    def _lose(self, costs: dict[int, int]) -> None:
        self.scores = list(self.scores)
        for number, cost in costs.items():
            self.scores[number] -= cost


def _colour(value: object) -> Colour | None:
    """A colour by its letter or its English name. Raises EventError."""
    if value is None:
        return None
    word = str(value).lower()
    letters = {colour.value.lower(): colour for colour in Colour}
    if word not in letters and word not in _COLOUR_WORDS:
        raise EventError(f"'colour' must be R, K, B, Y or null, not {quoted(value)}")
    return letters.get(word) or _COLOUR_WORDS[word]


def indicator_of(event: Event) -> Tile:
    """The indicator that an event names, which must be one that names any. Raises EventError."""
    try:
        return Tile.parse(str(event["indicator"]))
    except NotationError as error:
        raise EventError(f"'indicator' must be a tile: {error}") from None

"""FIDE's ratings list by list in dicts, fractions and whole numbers, written from the rules' facts alone.

Lists are numbered by months since the year 0. An event is judged by the list at its start; what it says waits for the
list before the one that it counts on, and is learnt from as that one closes.
"""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from .elo import away_from_zero, hundredths

hundredths = cache(hundredths)
HALF = Fraction(1, 2)
WINDOW = 26  # months
APART = 4  # lists with games towards a first rating that an engine may keep apart


class Game(NamedTuple):
    """A game as it was played; `rated` is the day of the list that it counts on, where that was told."""

    day: date
    first: str
    second: str
    score: Fraction
    event: str | None = None
    start: date | None = None
    rated: date | None = None
    weight: int = 1


@dataclass
class Player:
    """What the lists say of somebody; unrated where the rating is None."""

    rating: int | None = None
    games: int = 0
    peak: int = 0
    born: int | None = None
    standard: int | None = None
    gathered: dict[int, list[tuple[Fraction, int]]] = field(default_factory=dict)  # by list: scores and opponents


class Seen(NamedTuple):
    """A game as one of its sides has it, under the ratings of the list that judged it."""

    score: Fraction
    mine: int | None
    foe: int
    surplus: Fraction | None  # score above the table's; None for one who was unrated
    at: int = 0  # the list that judged it
    event: Any = None


@dataclass
class Found:
    """Every list by its month, and forecasts in the order of the games."""

    lists: dict[int, dict[str, Player]]
    forecasts: list[Fraction | None]
    crowded: bool = False  # somebody had games towards a first rating from more lists than four


def month(day: date) -> int:
    return day.year * 12 + day.month - 1


def first_of(month: int) -> date:
    return date(month // 12, month % 12 + 1, 1)


def cap(day: date, which: str) -> int | None:
    if which == "standard":
        return 350 if day < date(2009, 7, 1) else 400
    return None if day < date(2022, 1, 1) else 400


def one_upgrade(day: date) -> bool:
    return date(2022, 1, 1) <= day < date(2024, 3, 1)


def floor(day: date) -> int:
    return 1000 if day < date(2024, 3, 1) else 1400


def exempt(day: date, which: str, mine: int) -> bool:
    return which == "standard" and day >= date(2025, 10, 1) and mine >= 2650


def too_far(day: date, which: str, mine: int, foe: int) -> bool:
    """The 600-point rule of rapid and blitz."""
    return which != "standard" and day >= date(2024, 12, 1) and abs(mine - foe) >= 600 and max(mine, foe) > 2600


def steps(day: date, which: str) -> tuple[int, int, int]:
    """K of the new, of most and of those who were at 2400."""
    if which != "standard":
        return (20, 20, 20) if day < date(2022, 10, 1) else (40, 20, 10)
    if day < date(2014, 7, 1):
        return (25 if day < date(2011, 7, 1) else 30, 15, 10)
    return (40, 20, 10)


def k_of(player: Player, listed: date, rules: date, which: str) -> int:
    new, most, top = steps(rules, which)
    junior = (
        player.born is not None
        and listed.year - player.born <= 18
        and player.peak < 2300
        and (which != "standard" or rules >= date(2014, 7, 1))
    )
    if player.peak >= 2400:
        return top
    return new if junior or player.games < 30 else most


@cache
def dp(p: int) -> int:
    """Table 8.1.1 from table 8.1.2: the middle of the row of p."""
    if p < 50:
        return -dp(100 - p)
    if p in {50, 100}:
        return 0 if p == 50 else 800
    row = [gap for gap in range(736) if hundredths(gap) == p]
    return (row[0] + row[-1]) // 2


def half_up(x: Fraction) -> int:
    return (x + HALF) // 1


def first_rating(rules: date, results: list[tuple[Fraction, int]]) -> int:
    """The rating earned by at least five games, before the floor is asked."""
    games, points = Fraction(len(results)), sum(score for score, _ in results)
    opponents = sum(foe for _, foe in results)
    if rules >= date(2024, 3, 1):
        games, points, opponents = games + 2, points + 1, opponents + 3600
        return min(half_up(opponents / games) + dp(half_up(100 * points / games)), 2200)
    if 2 * points >= games:
        bonus = 20 if rules >= date(2022, 1, 1) else Fraction(25, 2)
        return half_up(opponents / games + bonus * (2 * points - games))
    return half_up(opponents / games) + dp(half_up(100 * points / games))


def compressed(rating: int) -> int:
    return half_up(rating + Fraction(2, 5) * (2000 - rating)) if rating < 2000 else rating


class Event(NamedTuple):
    """An event, or what one list judges of an event of more than 30 days, by the day of one game of it."""

    name: Any
    begins: date
    ends: date


def event_of(game: Game, spells: dict[str, tuple[date, date]]) -> Event:
    if game.event is None:  # a list is one event of each player
        return Event(month(game.day), game.day, game.day)
    begins, ends = spells[game.event]
    if (ends - begins).days > 30:
        return Event((game.event, month(game.day)), game.day, game.day)
    return Event(game.event, begins, ends)


def spells_of(games: list[Game]) -> dict[str, tuple[date, date]]:
    days = defaultdict(set)
    for game in games:
        days[game.event] |= {game.day, game.start or game.day}
    return {event: (min(found), max(found)) for event, found in days.items()}


def closing(game: Game, event: Event) -> int:
    """The month whose close learns from a game: that before the list it counts on."""
    if game.rated is not None:
        return month(game.rated) - 1
    if game.event is None:
        return month(game.day)
    soonest = month(event.ends)
    while (first_of(soonest) - event.ends).days < 3:
        soonest += 1
    return soonest - 1


class Side(NamedTuple):
    """A game as one of its players has it, the list that judges it and that before the one it counts on."""

    number: int
    who: str
    foe: str
    score: Fraction
    is_first: bool
    day: date
    weight: int
    event: Event
    unnamed: bool  # the stream has no events
    opens: int
    close: int


def sides_of(games: list[Game]) -> list[Side]:
    spells, sides = spells_of(games), []
    for n, game in enumerate(games):
        event = event_of(game, spells)
        rest = game.day, game.weight, event, game.event is None, month(event.begins), closing(game, event)
        sides.append(Side(n, game.first, game.second, game.score, True, *rest))
        sides.append(Side(n, game.second, game.first, 1 - game.score, False, *rest))
    return sides


class Federation:
    """Players of one list, `which`, under the rules of a day, or of each event where `rules` is None."""

    def __init__(self, players: dict[str, Player], which: str = "standard", rules: date | None = None) -> None:
        self.players, self.which, self.rules = {n: replace(p) for n, p in players.items()}, which, rules
        for player in self.players.values():
            player.peak = max(player.peak, player.rating or 0)
        self.waiting: dict[int, dict[str, list[Seen]]] = defaultdict(lambda: defaultdict(list))
        self.begun = {name for name, player in players.items() if player.rating is not None or player.games}

    def rules_at(self, now: int) -> date:
        return self.rules or first_of(now)

    def play(self, games: list[Game]) -> Found:
        sides = sides_of(games)
        found = Found({}, [None] * len(games))
        begins = min(side.opens for side in sides)
        for now in range(begins, max(side.close for side in sides) + 2):
            if now > begins:
                self._one_offs(now)
            found.lists[now] = {name: replace(player) for name, player in self.players.items()}
            self._judge(now, [side for side in sides if side.opens == now], found)
            for name, seen in self.waiting.pop(now, {}).items():
                self._learn(now, name, seen, found)
        return found

    def _one_offs(self, now: int) -> None:
        for player in self.players.values() if self.rules is None else ():
            if player.rating is None:
                continue
            if first_of(now) == date(2024, 3, 1):
                player.rating = compressed(player.rating)
            if first_of(now) == date(2022, 10, 1) and self.which != "standard" and player.standard is not None:
                player.rating = max(player.rating, player.standard - 100)
            player.peak = max(player.peak, player.rating)

    def _judge(self, now: int, sides: list[Side], found: Found) -> None:
        rules = self.rules_at(now)
        rating = {name: player.rating for name, player in self.players.items()}
        upgrade, void = self._upgrades(sides, rating), self._void(sides, rating)
        for side in sides:
            who, event, close = side.who, side.event.name, side.close
            mine, theirs = rating[who], rating[side.foe]
            if theirs is None:
                continue
            if mine is None:
                if side.weight and (who, event) not in void:
                    self.waiting[close][who].append(Seen(side.score, None, theirs, None, now, event))
                elif side.weight and side.unnamed:  # a departure: nobody can tell before the list closes
                    self.players[who].games += 1
                continue
            if side.is_first:
                found.forecasts[side.number] = self._forecast(rules, mine, theirs)
            carries = not one_upgrade(rules) or upgrade.get((who, event), (0, -side.number))[1] == -side.number
            expected = Fraction(hundredths(self._counted(rules, mine, theirs, carries=carries)), 100)
            if side.weight and not too_far(rules, self.which, mine, theirs):
                self.waiting[close][who].append(Seen(side.score, mine, theirs, side.score - expected))

    def _forecast(self, rules: date, mine: int, theirs: int) -> Fraction:
        """One number for both sides: over the true difference where either is exempt, all upgrades given."""
        if exempt(rules, self.which, max(mine, theirs)):
            return Fraction(hundredths(mine - theirs), 100)
        return Fraction(hundredths(self._counted(rules, mine, theirs, carries=True)), 100)

    def _counted(self, rules: date, mine: int, theirs: int, *, carries: bool) -> int:
        gap, most = mine - theirs, cap(rules, self.which)
        if most is None or exempt(rules, self.which, mine) or (gap > 0 and not carries):
            return gap
        return max(-most, min(most, gap))

    @staticmethod
    def _upgrades(sides: list[Side], rating: dict[str, int | None]) -> dict[Any, tuple[int, int]]:
        """The greatest difference above 400 of each player and event, of the higher rated side, and its first game."""
        greatest: dict[Any, tuple[int, int]] = {}
        for side in sides:
            mine, theirs, place = rating[side.who], rating[side.foe], (side.who, side.event.name)
            if side.weight and mine is not None and theirs is not None and mine - theirs > 400:
                greatest[place] = max((mine - theirs, -side.number), greatest.get(place, (0, 0)))
        return greatest

    def _void(self, sides: list[Side], rating: dict[str, int | None]) -> set[Any]:
        """The first event of each who is unrated and without half a point in it, among those of one list."""
        points: dict[Any, Fraction] = defaultdict(Fraction)
        played: dict[str, dict[Any, date]] = defaultdict(dict)  # the first day of each player and event
        for side in sides:
            who, event = side.who, side.event.name
            if side.weight and rating[who] is None and rating[side.foe] is not None:
                points[who, event] += side.score
                played[who][event] = min(side.day, played[who].get(event, side.day))
        void = set()
        for who, events in played.items():
            if who in self.begun:
                continue
            self.begun.add(who)  # two events begun on one day are one first event
            first = {(who, event) for event, day in events.items() if day == min(events.values())}
            if sum(points[event] for event in first) == 0:
                void |= first
        return void

    def _learn(self, now: int, name: str, seen: list[Seen], found: Found) -> None:
        player, rules = self.players[name], self.rules_at(now)
        if player.rating is None:
            player.games += sum(game.mine is not None for game in seen)  # he fell meanwhile, and they change nothing
            self._gather(now, player, [(game.score, game.foe) for game in seen if game.mine is None], found)
            return
        surplus = sum((game.surplus for game in seen if game.surplus is not None), Fraction(0))
        waited = [game for game in seen if game.surplus is None]
        counted = [game for game in waited if not too_far(self.rules_at(game.at), self.which, player.rating, game.foe)]
        surplus += sum((self._for_himself(player.rating, game, waited) for game in counted), Fraction(0))
        n = len(seen) - len(waited) + len(counted)
        factor = min(k_of(player, first_of(now), rules, self.which), 700 // n) if n else 0
        player.games += n
        self._publish(player, player.rating + away_from_zero(factor * surplus), rules)

    def _for_himself(self, mine: int, game: Seen, waited: list[Seen]) -> Fraction:
        """What a game says of one who was unrated when it was played and is rated when it counts."""
        rules = self.rules_at(game.at)
        widest = min(x.foe for x in waited if (x.at, x.event) == (game.at, game.event))
        first = next(x for x in waited if (x.at, x.event, x.foe) == (game.at, game.event, widest))
        carries = not one_upgrade(rules) or game is first
        return game.score - Fraction(hundredths(self._counted(rules, mine, game.foe, carries=carries)), 100)

    def _gather(self, now: int, player: Player, results: list[tuple[Fraction, int]], found: Found) -> None:
        if not results:
            return
        player.gathered = {at: r for at, r in player.gathered.items() if now - at < WINDOW} | {now: results}
        found.crowded |= len(player.gathered) > APART
        player.games += len(results)
        every = [result for results in player.gathered.values() for result in results]
        if len(every) >= 5:
            rules = self.rules_at(now)
            rating = first_rating(rules, every)
            if rating >= floor(rules):
                player.gathered = {}
                self._publish(player, rating, rules)

    def _publish(self, player: Player, rating: int, rules: date) -> None:
        if rating < floor(rules):
            player.rating = None
            return
        player.rating, player.peak = rating, max(player.peak, rating)

"""Rating packages of others as they are installed, each driven over one stream of games as its own words have it.

Every function takes games and returns arrays by what they are of: (N,) of players in the stream's order, or (G,) of
games. Games are in order of time, one at a time or in periods.
"""

import datetime as dt
import importlib
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

import ratesim as rs

Floats = NDArray[np.float64]
Numbers = dict[str, Floats]
EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001  # elote's times have no zone


def rows(games: rs.GameStream) -> Iterator[tuple[int, int, float, float]]:
    """Yield first, second, score and time of each game."""
    return zip(games.first.tolist(), games.second.tolist(), games.score.tolist(), games.time.tolist(), strict=True)


def riix_named(name: str, players: int, **settings: Any) -> Any:
    """Return a fresh system of riix, by module and class."""
    module, _, kind = name.partition(":")
    return getattr(importlib.import_module(f"riix.models.{module}"), kind)(list(range(players)), **settings)


def riix_of(name: str, games: rs.GameStream, days: float = 0.0, **settings: Any) -> Any:
    """Return a system of riix that has learned game by game, or from periods of so many days."""
    system = riix_named(name, games.n_players, **settings)
    sides = np.stack([games.first, games.second], axis=1).astype(np.int64)
    step = (games.time // days if days else np.arange(len(games))).astype(np.int64)
    for number, some in itertools.groupby(range(len(games)), key=lambda g: int(step[g])):
        here = list(some)
        system.update(sides[here], games.score[here], time_step=number, use_cache=False)
    return system


def riix_elo(games: rs.GameStream) -> Numbers:
    """Elo, K = 20, game by game."""
    return {"rating": riix_of("elo:Elo", games, k=20.0).ratings}


def riix_elo_in_periods(games: rs.GameStream) -> Numbers:
    """Elo, K = 20, from periods of a week."""
    return {"rating": riix_of("elo:Elo", games, 7.0, k=20.0, update_method="batched").ratings}


def riix_glicko(games: rs.GameStream) -> Numbers:
    """Glicko, c = 63.2, from periods of a week."""
    found = riix_of("glicko:Glicko", games, 7.0, c=63.2, update_method="batched")
    return {"rating": found.ratings, "deviation": found.rating_devs}


def riix_glicko2(games: rs.GameStream) -> Numbers:
    """Glicko-2, tau = 0.5, from periods of a week."""
    found = riix_of("glicko2:Glicko2", games, 7.0, update_method="batched")
    return {"rating": 1500 + 173.7178 * found.mus, "deviation": 173.7178 * found.phis, "volatility": found.sigmas}


def riix_trueskill(games: rs.GameStream) -> Numbers:
    """TrueSkill, no margin for draws, tau = 0."""
    return _normal(riix_of("trueskill:TrueSkill", games, **NORMAL, tau=0.0))


def riix_trueskill_with_tau(games: rs.GameStream) -> Numbers:
    """TrueSkill, no margin for draws, tau = 25/300."""
    return _normal(riix_of("trueskill:TrueSkill", games, **NORMAL, tau=25 / 300))


def riix_trueskill_with_draws(games: rs.GameStream) -> Numbers:
    """TrueSkill, a tenth of games between equals drawn, tau = 0."""
    return _normal(riix_of("trueskill:TrueSkill", games, **NORMAL, tau=0.0, draw_probability=0.1))


def riix_trueskill_with_whole_draws(games: rs.GameStream) -> Numbers:
    """The same where a draw draws ratings together, by all that it says, and shrinks both deviations."""
    import riix.models.trueskill as module

    def whole(norm_diff: float, margin: float) -> tuple[float, float]:
        v, w = v_and_w(norm_diff, margin)
        return -2.0 * v, abs(w)

    v_and_w = module.v_and_w_draw_scalar
    with patch.object(module, "v_and_w_draw_scalar", whole):
        return riix_trueskill_with_draws(games)


def riix_weng_lin(games: rs.GameStream) -> Numbers:
    """Weng and Lin's Bradley-Terry, tau = 0."""
    return _normal(riix_of("weng_lin:WengLin", games, **NORMAL, tau=0.0, model="bt"))


def riix_velo(games: rs.GameStream) -> Numbers:
    """Velo, on Elo's scale."""
    scale = {"initial_mu": 1500.0, "initial_sigma": 200.0, "sigma_lower_bound": 100.0, "b": math.log(10.0) / 400.0}
    found = riix_of("velo:vElo", games, **scale)
    return {"rating": found.mus, "deviation": np.sqrt(found.vs)}


NORMAL = {"initial_mu": 25.0, "initial_sigma": 25 / 3, "beta": 25 / 6}


def _normal(found: Any) -> Numbers:
    return {"rating": found.mus, "deviation": np.sqrt(found.sigma2s)}


def elote_of(kind: str, games: rs.GameStream, after: Callable[[Any], None] | None = None, **settings: Any) -> list[Any]:
    """Return the players of one of elote's systems, after all games; `after` each of them something may be done."""
    import elote

    players = [getattr(elote, kind)(**settings) for _ in range(games.n_players)]
    timed = kind.startswith("Glicko")
    for first, second, score, time in rows(games):
        one, other = players[first], players[second]
        when = {"match_time": EPOCH + dt.timedelta(days=time)} if timed else {}
        if score == 0.5:
            one.tied(other, **when)
        else:
            winner, loser = (one, other) if score == 1 else (other, one)
            winner.beat(loser, **when)
        for player in (one, other) if after else ():
            after(player)
    return players


def aged(players: list[Any], day: float) -> list[Any]:
    """Return players of elote's with the deviations of a day."""
    for player in players:
        player.update_rd_for_inactivity(EPOCH + dt.timedelta(days=day))
    return players


def elote_elo(games: rs.GameStream) -> Numbers:
    """Elo, K = 20."""
    return {"rating": _all(elote_of("EloCompetitor", games, initial_rating=1500, k_factor=20), "rating")}


def elote_glicko(games: rs.GameStream) -> Numbers:
    """Glicko, c = 34.6 a day."""
    players = aged(elote_of("GlickoCompetitor", games), games.time[-1])
    return {"rating": _all(players, "rating"), "deviation": _all(players, "rd")}


def elote_glicko_of_all_digits(games: rs.GameStream) -> Numbers:
    """The same with q to all digits."""
    import elote

    with patch.object(elote.GlickoCompetitor, "_q", math.log(10.0) / 400.0):
        return elote_glicko(games)


def elote_glicko2(games: rs.GameStream) -> Numbers:
    """Glicko-2, tau = 0.5, a day a period."""
    players = aged(elote_of("Glicko2Competitor", games), games.time[-1] + 1)
    return {name: _all(players, key) for name, key in GLICKO2.items()}


def elote_glicko2_from_the_next_day(games: rs.GameStream) -> Numbers:
    """The same, where time goes on from the end of the day of a game, which step 6 has counted."""
    import elote

    def end_the_day(player: Any) -> None:
        player._last_activity += dt.timedelta(days=1)

    with patch.object(elote.Glicko2Competitor, "_epsilon", 1e-12):
        players = aged(elote_of("Glicko2Competitor", games, end_the_day), games.time[-1] + 1)
    return {name: _all(players, key) for name, key in GLICKO2.items()}


def elote_trueskill(games: rs.GameStream) -> Numbers:
    """TrueSkill, a tenth of games between equals drawn."""
    players = elote_of("TrueSkillCompetitor", games)
    return {"rating": _all(players, "mu"), "deviation": _all(players, "sigma")}


def elote_trueskill_of_all_digits(games: rs.GameStream) -> Numbers:
    """The same with all digits of beta, tau and sigma."""
    import elote

    exact = {"_beta": 25 / 6, "_tau": 25 / 300, "_default_sigma": 25 / 3}
    known = {name: value for name, value in exact.items() if hasattr(elote.TrueSkillCompetitor, name)}
    with patch.multiple(elote.TrueSkillCompetitor, **known):
        return elote_trueskill(games)


GLICKO2 = {"rating": "_rating", "deviation": "_rd", "volatility": "_sigma"}


def evalica_elo(games: rs.GameStream) -> Numbers:
    """Elo, K = 20."""
    import evalica

    found = evalica.elo(*_winners(games), initial=1500.0, k=20.0)
    return {"rating": _in_order(found.scores, games)}


def evalica_bradley_terry(games: rs.GameStream) -> Numbers:
    """Bradley and Terry's model, draws as half a win and half a loss, its mean at 1500."""
    import evalica

    found = evalica.bradley_terry(*_winners(games), tolerance=1e-12, limit=100_000)
    rating = 400.0 / math.log(10.0) * np.log(_in_order(found.scores, games))
    return {"rating": rating - rating.mean() + 1500.0}


def glicko2_package(games: rs.GameStream) -> Numbers:
    """Glicko-2, tau = 0.5, from periods of a week, all players of a period from one snapshot."""
    from glicko2 import Player

    players, joined = [Player() for _ in range(games.n_players)], [False] * games.n_players
    week = (games.time // 7.0).astype(int)
    for number in range(int(week[0]), int(week[-1]) + 1):
        before = [(player.rating, player.rd) for player in players]
        told: dict[int, list[tuple[float, float, float]]] = {}
        for first, second, score, _ in itertools.compress(rows(games), (week == number).tolist()):
            told.setdefault(first, []).append((*before[second], score))
            told.setdefault(second, []).append((*before[first], 1 - score))
        for n, player in enumerate(players):
            if n in told:
                player.update_player(*(list(column) for column in zip(*told[n], strict=True)))
                joined[n] = True
            elif joined[n]:
                player.did_not_compete()
    return {"rating": _all(players, "rating"), "deviation": _all(players, "rd"), "volatility": _all(players, "vol")}


def glicko2_package_with_deviations(games: rs.GameStream) -> Numbers:
    """The same where step 5 squares the deviation, as in the paper."""
    import glicko2

    def paper(self: Any, x: float, delta: float, v: float, a: float) -> float:
        phi2, ex = (self.rd / 173.7178) ** 2, math.exp(x)
        return ex * (delta**2 - phi2 - v - ex) / (2 * (phi2 + v + ex) ** 2) - (x - a) / self._tau**2

    with patch.object(glicko2.Player, "_f", paper):
        return glicko2_package(games)


def trueskill_package(games: rs.GameStream) -> Numbers:
    """TrueSkill, a tenth of games between equals drawn."""
    import trueskill

    world = trueskill.TrueSkill()
    players = [world.create_rating() for _ in range(games.n_players)]
    for first, second, score, _ in rows(games):
        best, other = (second, first) if score == 0 else (first, second)
        players[best], players[other] = trueskill.rate_1vs1(players[best], players[other], score == 0.5, env=world)
    return {"rating": _all(players, "mu"), "deviation": _all(players, "sigma")}


def openskill_of(kind: str, games: rs.GameStream, **settings: Any) -> Numbers:
    """Return the players of one of openskill's models, after all games."""
    import openskill.models

    model = getattr(openskill.models, kind)(**settings)
    players = [model.rating() for _ in range(games.n_players)]
    for first, second, score, _ in rows(games):
        sides = [[players[first]], [players[second]]]
        (players[first],), (players[second],) = model.rate(sides, ranks=[1 - score, score])
    return {"rating": _all(players, "mu"), "deviation": _all(players, "sigma")}


def openskill_bradley_terry(games: rs.GameStream) -> Numbers:
    """Weng and Lin's Bradley-Terry, all pairs."""
    return openskill_of("BradleyTerryFull", games)


def openskill_thurstone_mosteller(games: rs.GameStream) -> Numbers:
    """Weng and Lin's Thurstone-Mosteller, all pairs."""
    return openskill_of("ThurstoneMostellerFull", games)


def elo_mmr(games: rs.GameStream) -> Numbers:
    """Elo-MMR in its form rho, which remembers only the last performance here: with more it takes longer."""
    import elommr

    world, players = elommr.EloMMR(max_history=1), [elommr.Player() for _ in range(games.n_players)]
    for first, second, score, _ in rows(games):
        if score == 0.5:
            world.round_update([(players[first], 0, 1), (players[second], 0, 1)])
        else:
            best, other = (first, second) if score == 1 else (second, first)
            world.round_update([(players[best], 0, 0), (players[other], 1, 1)])
    return {"rating": np.array([player.approx_posterior.mu for player in players])}


def told(base: Any, games: rs.GameStream) -> None:
    """Tell either package `whr` all games."""
    for first, second, score, time in rows(games):
        base.create_game(str(first), str(second), {1.0: "B", 0.0: "W", 0.5: "D"}[score], int(time), 0)


def whole_history(games: rs.GameStream) -> Numbers:
    """Whole-history rating, w2 = 14 (in Elo points squared a day); half a win and half a loss on the first day."""
    import whr

    base = whr.WHR({"w2": 14, "hessian_damping": 1e-6})  # its steps are longer, to the same end
    told(base, games)
    base.iterate(500)
    return {"rating": np.array([base.player_by_name(str(n)).days[-1].elo for n in range(games.n_players)])}


def _all(players: list[Any], name: str) -> Floats:
    return np.array([getattr(player, name) for player in players], dtype=np.float64)


def _winners(games: rs.GameStream) -> tuple[list[int], list[int], list[Any]]:
    from evalica import Winner

    of = {1.0: Winner.X, 0.0: Winner.Y, 0.5: Winner.Draw}
    return games.first.tolist(), games.second.tolist(), [of[score] for score in games.score.tolist()]


def _in_order(scores: Any, games: rs.GameStream) -> Floats:
    return np.array([scores[n] for n in range(games.n_players)], dtype=np.float64)

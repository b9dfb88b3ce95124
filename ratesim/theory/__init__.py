"""What is known of ratings on paper, as plain functions: laws that a simulation can be held to, T1 to T13.

Ratings, skills and deviations are in rating points of the scale 400. In equations s = 400 / ln 10 = 173.7178 points is
a unit of log odds, sig(x) = 1 / (1 + e^-x), beta = K / s, p is the true expected score, h = p (1 - p), S the score and
E the expected one. `docs/theory.md` sets all of it beside simulations.

What lies outside the range of a law, which its docstring tells, raises `InputError`.
"""

from .conservation import energy_change as energy_change, sum_change as sum_change, turnover_drift as turnover_drift
from .deviation import (
    FirstPeriod as FirstPeriod,
    deviation_after as deviation_after,
    first_period as first_period,
    gain as gain,
    steady_deviation as steady_deviation,
)
from .matched import (
    convergence_games as convergence_games,
    first_passage as first_passage,
    matched_law as matched_law,
    matched_sd as matched_sd,
    time_constant as time_constant,
)
from .meanfield import mean_field as mean_field, zero_drift as zero_drift
from .pool import RandomPool as RandomPool, mean_slope as mean_slope, oracle_loss as oracle_loss
from .spread import (
    best_k_improving as best_k_improving,
    best_k_walking as best_k_walking,
    linear_tracking_mse as linear_tracking_mse,
    score_variance as score_variance,
    stationary_sd as stationary_sd,
    stretch as stretch,
    tracking_lag as tracking_lag,
    tracking_mse as tracking_mse,
)

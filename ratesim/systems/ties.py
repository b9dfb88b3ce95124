"""What a result says of the gap between two players, by three models of draws.

Each model is a kernel on the gap z in natural units, a parameter t of its own and the numbers of wins, draws and losses
of a pair, and returns of the log-likelihood: slope in z, curvature in z, slope in t, curvature in t, curvature in both.
`chances` kernels return the expected score and the chance of a draw.
"""

from ..jit import Function, kernel
from ..maths import exp, logistic

Five = tuple[float, float, float, float, float]


@kernel
def half(z: float, t: float, wins: float, draws: float, losses: float) -> Five:
    """Bradley & Terry: a draw is half a win and half a loss."""
    p, q = logistic(z), logistic(-z)
    slope = (wins + 0.5 * draws) * q - (losses + 0.5 * draws) * p
    return slope, (wins + draws + losses) * (p * q), 0.0, 0.0, 0.0


@kernel
def half_chances(z: float, t: float) -> tuple[float, float]:
    """Expected score; draws have no chance of their own."""
    return logistic(z), 0.0


@kernel
def davidson_shares(z: float, t: float) -> tuple[float, float, float]:
    """Chances of win, draw and loss: as e^(z/2) : ν : e^(-z/2), ν = e^t."""
    q = exp(-0.5 * abs(z))
    weak, drawn = q * q, exp(t) * q
    total = 1.0 + weak + drawn
    strong, weak = 1.0 / total, weak / total
    return (strong if z >= 0.0 else weak), drawn / total, (weak if z >= 0.0 else strong)


@kernel
def davidson(z: float, t: float, wins: float, draws: float, losses: float) -> Five:
    """R. R. Davidson, J. Am. Stat. Assoc. 65 (1970) 317."""
    w, d, b = davidson_shares(z, t)
    n, lead = wins + draws + losses, 0.5 * (w - b)
    slope = 0.5 * (wins - losses) - n * lead
    return slope, n * (0.25 * (w + b) - lead * lead), draws - n * d, n * d * (1.0 - d), -n * d * lead


@kernel
def told(z: float, weak: float, draw: float) -> tuple[float, float]:
    """Expected score and chance of a draw, of which neither side's score has digits for less than half."""
    low = weak + 0.5 * draw
    high = 1.0 - low
    return (high if z >= 0.0 else low), min(draw, 2.0 * low, 2.0 * (1.0 - high))


@kernel
def davidson_chances(z: float, t: float) -> tuple[float, float]:
    """Expected score and chance of a draw."""
    w, d, b = davidson_shares(z, t)
    return told(z, min(w, b), d)


@kernel
def rao_kupper(z: float, t: float, wins: float, draws: float, losses: float) -> Five:
    """P. V. Rao & L. L. Kupper, J. Am. Stat. Assoc. 62 (1967) 194, θ = e^t: a draw counts as a win and a loss.

    Its chance is (θ² - 1) times the product of those of a win and a loss.
    """
    u, v, rest = logistic(z - t), logistic(-z - t), 1.0 - exp(-2.0 * t)
    a, b = (wins + draws) * (1.0 - u), (losses + draws) * (1.0 - v)
    up, down = a * u, b * v
    rise = 2.0 * draws / rest - a - b
    return a - b, up + down, rise, up + down + 4.0 * draws * (1.0 - rest) / (rest * rest), down - up


@kernel
def rao_kupper_chances(z: float, t: float) -> tuple[float, float]:
    """Expected score and chance of a draw."""
    weak, d = logistic(-abs(z) - t), (1.0 - exp(-2.0 * t)) * (logistic(t - z) * logistic(t + z))
    return told(z, weak, d)


MODELS: dict[str, tuple[Function, Function, float]] = {  # model, its chances, where t begins
    "half": (half, half_chances, 0.0),
    "davidson": (davidson, davidson_chances, 0.0),
    "rao-kupper": (rao_kupper, rao_kupper_chances, 0.7),
}

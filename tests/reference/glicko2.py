"""Glicko-2: M. E. Glickman, Example of the Glicko-2 system (2013, with the erratum of 22 March 2022).

A belief is (rating, deviation, volatility).
"""

from .digits import mp, number
from .play import total

SCALE = number("173.7178")  # as printed
ILLINOIS = number("1e-30")


def g(phi):
    return 1 / mp.sqrt(1 + 3 * phi**2 / mp.pi**2)


def curve(shrink, gap):
    return 1 / (1 + mp.exp(-shrink * gap))


def step_5(delta2, phi, v, sigma, tau):
    """The function whose root is ln of the new volatility squared, and a, ln of the old one's."""
    a = mp.log(sigma**2)

    def f(x):
        u = mp.exp(x)
        return u * (delta2 - phi**2 - v - u) / (2 * (phi**2 + v + u) ** 2) - (x - a) / tau**2

    return f, a


def illinois(f, left, right):
    """The root of f between two points of different sign, by the paper's step 5.4."""
    f_left, f_right = f(left), f(right)
    while abs(right - left) > ILLINOIS:
        x = left + (left - right) * f_left / (f_right - f_left)
        y = f(x)
        if y * f_right <= 0:
            left, f_left = right, f_right
        else:
            f_left /= 2
        right, f_right = x, y
    return left


def paper_root(delta2, phi, v, sigma, tau):
    """Volatility by the paper's bracket, whichever root lies in it."""
    f, a = step_5(delta2, phi, v, sigma, tau)
    if delta2 > phi**2 + v:
        other = mp.log(delta2 - phi**2 - v)
    else:
        other = a - tau
        while f(other) < 0:
            other -= tau
    return mp.exp(illinois(f, a, other) / 2)


def nearest_root(delta2, phi, v, sigma, tau):
    """Volatility at the root nearest the old one: from a, in small steps to where f says, until it changes sign."""
    f, a = step_5(delta2, phi, v, sigma, tau)
    sign = mp.sign(f(a))
    if sign == 0:
        return sigma
    here, step = a, number("0.001") * sign
    while mp.sign(f(here + step)) == sign:
        here += step
    return mp.exp(illinois(f, here, here + step) / 2)


class Glicko2:
    """Steps 1 to 8; `root` says which root of step 5 is taken, `span` how long a period is in units of growth."""

    def __init__(self, tau="0.5", root=paper_root, cap=None, ceiling=None, span=1):
        self.tau, self.root, self.span = number(tau), root, number(span)
        self.cap = None if cap is None else number(cap)
        self.ceiling = None if ceiling is None else number(ceiling)

    def aged(self, belief, periods):
        """Step 6 for the periods without games; that of the period played is part of what is learnt from it."""
        rating, deviation, volatility = belief
        grown = mp.sqrt(deviation**2 + max(periods - self.span, 0) * (SCALE * volatility) ** 2)
        return rating, self._held(grown), volatility

    def idle(self, belief):
        """Step 6 alone: the paper's 'no games in the period'."""
        return self.aged(belief, 2 * self.span)

    def expected(self, me, foe, edge):
        spread = mp.sqrt(me[1] ** 2 + foe[1] ** 2) / SCALE
        return curve(g(spread), (me[0] - foe[0]) / SCALE)

    def learnt(self, belief, results, k):
        rating, deviation, sigma = belief
        phi = deviation / SCALE
        slope, information = [], []
        for r in results:
            shrink = g(r.foe[1] / SCALE)
            e = curve(shrink, (rating - r.foe[0]) / SCALE)
            slope.append(r.weight * shrink * (r.score - e))
            information.append(r.weight * shrink**2 * e * (1 - e))
        v = 1 / total(information)
        delta = v * total(slope)
        sigma = self.root(delta**2, phi, v, sigma, self.tau)
        if self.cap is not None:
            sigma = min(sigma, self.cap)
        phi = 1 / mp.sqrt(1 / (phi**2 + self.span * sigma**2) + 1 / v)
        return rating + SCALE * phi**2 * total(slope), self._held(SCALE * phi), sigma

    def _held(self, deviation):
        return deviation if self.ceiling is None else min(deviation, self.ceiling)

"""Elo and FIDE's list rules. A belief is a rating."""

from fractions import Fraction

from .digits import TEN, mp, number
from .play import Career, total


class Elo:
    """A. E. Elo, The Rating of Chessplayers (1978): R' = R + K sum(S - E), E by either of his curves."""

    def __init__(self, curve="logistic", scale=400, advantage=0, cap=None):
        self.curve, self.scale, self.advantage, self.cap = curve, number(scale), number(advantage), cap

    def expected(self, me, foe, edge):
        gap = me - foe + self.advantage * edge
        if self.cap is not None:
            gap = max(-number(self.cap), min(number(self.cap), gap))
        if self.curve == "logistic":
            return 1 / (1 + TEN ** (-gap / self.scale))
        return mp.ncdf(gap / (self.scale * 5 / 7))  # standard deviation 2000/7 where the scale is 400

    def aged(self, belief, periods):
        return belief

    def idle(self, belief):
        return belief

    def learnt(self, belief, results, k):
        return belief + k * total(r.weight * (r.score - self.expected(belief, r.foe, r.edge)) for r in results)


# Table 8.1.2 is the normal curve of deviation 2000/7 in hundredths, a half up, but at these differences; there it says:
TABLE_IS_NOT_THE_CURVE = {54: 58, 343: 88, 344: 88, 358: 90, 392: 92, 620: 99}


def hundredths(gap: int) -> int:
    """Expected score of table 8.1.2 from the curve behind it, not from its rows."""
    if gap < 0:
        return 100 - hundredths(-gap)
    if gap > 735:
        return 100
    return TABLE_IS_NOT_THE_CURVE.get(gap, int(mp.floor(100 * mp.ncdf(number(gap) * 7 / 2000) + number("0.5"))))


def away_from_zero(x: Fraction) -> int:
    """The nearest whole number, halves away from zero."""
    whole = (abs(x) * 2 + 1) // 2
    return int(whole if x >= 0 else -whole)


class FideList:
    """FIDE Rating Regulations 2024, 8.1 to 8.3: hundredths, the 400-point rule, one rounding a list.

    Exact in whole numbers and fractions; ratings are ints, scores 0, .5 and 1.
    """

    def expected(self, me, foe, edge):
        return number(self._hundredths(me, foe)) / 100

    def aged(self, belief, periods):
        return belief

    def idle(self, belief):
        return belief

    def learnt(self, belief, results, k):
        surplus = sum(Fraction(float(r.score)) * 100 - self._hundredths(belief, r.foe) for r in results)
        return belief + away_from_zero(Fraction(float(k)) * surplus / 100)

    @staticmethod
    def _hundredths(me, foe):
        return hundredths(max(-400, min(400, me - foe)))


def fide_k(career: Career, games: float) -> float:
    """K of 8.3.3 for adults, by what stood on the list before the period, held so that K times games is at most 700."""
    if career.peak >= 2400:
        k = 10
    elif career.games < 30:
        k = 40
    else:
        k = 20
    return k if k * games <= 700 else 700 // games

"""Glicko: M. E. Glickman, The Glicko system (glicko.pdf). A belief is (rating, deviation)."""

from .digits import TEN, Q, mp, number
from .play import total


def g(deviation):
    return 1 / mp.sqrt(1 + 3 * Q**2 * deviation**2 / mp.pi**2)


def curve(shrink, gap):
    return 1 / (1 + TEN ** (-shrink * gap / 400))


class Glicko:
    """Steps 1 and 2, for periods in which everybody is judged by the figures of its onset."""

    def __init__(self, c=0, ceiling=350, advantage=0):
        self.c, self.ceiling, self.advantage = number(c), number(ceiling), number(advantage)

    def aged(self, belief, periods):
        rating, deviation = belief
        return rating, min(mp.sqrt(deviation**2 + self.c**2 * periods), self.ceiling)

    def idle(self, belief):
        return belief

    def expected(self, me, foe, edge):
        return curve(g(mp.sqrt(me[1] ** 2 + foe[1] ** 2)), me[0] - foe[0] + self.advantage * edge)

    def learnt(self, belief, results, k):
        rating, deviation = belief
        slope, information = [], []
        for r in results:
            shrink = g(r.foe[1])
            e = curve(shrink, rating - r.foe[0] + self.advantage * r.edge)
            slope.append(r.weight * shrink * (r.score - e))
            information.append(r.weight * shrink**2 * e * (1 - e))
        precision = 1 / deviation**2 + Q**2 * total(information)
        return rating + Q / precision * total(slope), 1 / mp.sqrt(precision)

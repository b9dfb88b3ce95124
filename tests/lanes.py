"""A policy that several tests of bits share, so that its kernels are compiled once for all of them."""

import ratesim as rs


def composed(new: float) -> rs.Policy:
    """A policy of policies, FIDE's among them."""
    return rs.Bounded(
        policy=rs.Steps(by="rating", k=(rs.Uscf(), rs.Fide(new=new)), at=(1500.0,)), most=60.0, limit=700.0
    )

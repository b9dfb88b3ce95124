"""What `composed.compose` binds into the templates of policies: declared here, never imported when running."""

from ..jit import Function

INNER: Function  # kernel of one policy
PARAMS: type  # its record
FROM: int  # where its numbers lie
TO: int
K0: Function  # kernels of policies among whose numbers theirs lie
K1: Function
K2: Function
LOOK: Function  # (rating, career) -> what thresholds are of

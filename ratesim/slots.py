"""What `assembly` binds into the templates of `engine` and `fused`: declared here, never imported when running."""

from .jit import Function, Rows

# Accessors of records, kernels, switches, and fields of rows and desks.
PARAMS: Rows
POLICY: Rows
BELIEF: Rows
SEEN: Rows  # its leading fields, those that `predict` and `evidence` look at
EVIDENCE: Rows
GAME: Rows
PAST: Rows
PREDICT: Function
TELL: Function  # what is written down of a game: its forecast, or the chance of a draw
LEARN: Function  # evidence
BETWEEN: Function
ABSORB: Function
CAREFUL: Function
DRIFT: Function
GAIN: Function
LOSS: Function
JUDGE: Function  # of a world's games
AGES: bool  # there is a drift
CAREER: bool  # the policy looks at careers
COMPLEMENT: bool
HAS_CAREFUL: bool
ALONE: bool  # there is one lane
FLAGGED: bool  # there are diagnostics
LOSSES: bool  # losses are summed
KEEP: int  # 1 where forecasts are kept, game by game; 0 where there is one row for that of the game at hand
RULES: bool  # params have several rows
OWN: int  # 1 where each lane has its own results
OWN_WEIGHT: int  # 1 where each lane has its own weights
DEPTH: int  # periods that evidence can wait for
PASSES: int  # times that the games of a period are judged
FIELDS: int  # of a belief
WIDTH: int  # of evidence
FLAG: int  # field of a belief that holds its flags
OPEN: float  # the flag that asks for `careful`
KEPT: int  # fields of belief and past
AFTER: int  # where a desk of players holds the new belief
FOE: int  # where a desk of games holds the other's belief; then the game, its weight, evidence and forecast
SEATED_GAME: int
WEIGHT: int
SEATED_EVIDENCE: int
EXPECTED: int
DESK: int

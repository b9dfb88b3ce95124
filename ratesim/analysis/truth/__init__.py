"""What ratings are worth beside the truth of a simulated world: tables, a row a replicate and more, and figures."""

from .convergence import convergence as convergence, expected_convergence as expected_convergence
from .figures import truth_figures as truth_figures
from .gaps import gaps as gaps
from .losses import losses_by_replicate as losses_by_replicate
from .tables import KEYS as KEYS, averaged as averaged, truth_tables as truth_tables

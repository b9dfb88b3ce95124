"""Work spread through one seam, `concurrent.futures.Executor`: threads, processes, a cluster, or any that is given.

`executor` opens one, `shared` puts what all tasks look at where they see it without a copy each, and `finish` gives
tasks out and brings back what comes of them.
"""

from .executors import EXECUTORS as EXECUTORS, check as check, executor as executor
from .giving import LostError as LostError, Task as Task, finish as finish, slots as slots
from .origin import Origin as Origin
from .sharing import shared as shared

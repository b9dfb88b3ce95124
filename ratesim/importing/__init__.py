"""From files of games of any form to a stream in memory, or to one canonical file on disk.

Games come in batches from the readers of `ratesim.io`, are judged alike whatever their form, and counted. `read` makes
a stream of them. `import_games` holds them on a spool, finds those told twice, puts them in order of time and writes
them; memory holds players and a bounded number of games.
"""

from .aliases import read_aliases as read_aliases
from .filters import Filters as Filters
from .job import import_games as import_games
from .lookalikes import look_alikes as look_alikes
from .reading import read as read
from .report import Imported as Imported

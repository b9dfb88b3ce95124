"""What another K policy would do to a pool of players: tables, figures and one page for who has to justify it."""

from .comparing import Found as Found, Terms as Terms, check as check, compare as compare
from .paging import glance as glance
from .summary import summary as summary
from .writing import check_folder as check_folder, write as write

"""Readers and writers of files, one a format: games in batches, tables of players, tournament reports."""

from .canonical import write_games as write_games
from .columns import ColumnMap as ColumnMap
from .fide_list import read_fide_list as read_fide_list
from .starts import read_starts as read_starts
from .trf import Tournament as Tournament, read_trf as read_trf
from .trf_games import tournament_games as tournament_games, tournament_starts as tournament_starts
from .trf_writer import write_trf as write_trf

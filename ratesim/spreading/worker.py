"""What a worker of a cluster on this machine loads first: Ctrl-C, which all hear, is for the parent to answer."""

import signal


def dask_setup(_worker: object) -> None:
    """Leave Ctrl-C alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

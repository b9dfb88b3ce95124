"""Who plays, and how much: importing this registers ours."""

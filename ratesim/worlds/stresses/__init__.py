"""Foul play and other trouble: importing this registers ours."""

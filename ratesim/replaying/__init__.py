"""What a replay is made of: a session of the engine over a stream or its pieces, what it keeps, what it remembers."""

"""How far the numbers of a world may go."""

FAR = 1e5  # rating points
LONG = 2_900_000.0  # days: up to the year 9909, for dates end with 9999
YEAR = 365.2425  # days, as a duration "1y" has them

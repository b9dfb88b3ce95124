"""What a replay found, held to what the reference says."""

from .digits import mp

COLUMNS = ("rating", "deviation", "volatility")


def agree(run, reference, within=1e-12):
    """Forecasts absolutely, ratings and deviations by their size; players kept apart by pool are named `A/pool`."""
    forecasts, beliefs = reference
    for game, (found, exact) in enumerate(zip(run.forecast.tolist(), forecasts, strict=True)):
        assert abs(mp.mpf(found) - exact) < within, (game, found, mp.nstr(exact, 20))
    rows = run.ratings().to_dicts()
    assert rows
    for row in rows:
        who = f"{row['player']}/{row['pool']}" if "pool" in row else row["player"]
        figures = beliefs[who] if isinstance(beliefs[who], tuple) else (beliefs[who],)
        for name, exact in zip(COLUMNS, figures, strict=False):
            assert abs(mp.mpf(row[name]) / exact - 1) < within, (who, name, row[name], mp.nstr(exact, 20))

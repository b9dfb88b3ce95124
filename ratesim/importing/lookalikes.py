"""Names that may be one player's, told apart by capitals, accents, order or initials: found, never merged."""

from typing import Final

import numpy as np
import polars as pl

KIND: Final = pl.Enum(("case", "accents", "order", "initials"))  # the surest first
LETTER: Final = r"\p{L}"
# What parts words. An underscore stands in names of accounts alone, and tells them apart there.
BETWEEN: Final = r"[^\p{L}\p{M}\p{N}_]+"
ACCENTS: Final = r"[\x{0300}-\x{036F}]"  # of Latin, Greek and Cyrillic letters; other marks make other words
# Letters that are written with others where a keyboard lacks them, and that NFKD leaves whole.
LETTERS: Final = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ς": "σ",
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
}  # fmt: skip


def look_alikes(names: pl.Series) -> pl.DataFrame:
    """Return groups of names that may be one player's.

    Names are alike that differ in nothing but

    - `case`: capitals, blanks and punctuation ("McShane" and "mc shane", "O'Kelly" and "OKelly");
    - `accents`: accents too, or letters such as ø ("Kamsky" and "Kámský", "Sørensen" and "Sorensen");
    - `order`: the order of words too ("Carlsen, Magnus" and "Magnus Carlsen");
    - `initials`: one has an initial where the other has a first name ("Adams, M" and "Adams, Michael"). This is weak:
      among many players, many share a name and an initial.

    Nothing is found in names without letters, such as numbers. Time and memory grow with the number of names, not of
    pairs.

    Parameters
    ----------
    names : texts (String, Categorical or Enum), in any order, any number of times.

    Returns
    -------
    `group` (0, 1, ...), `name` and `kind`, the weakest of those that hold the group together: the surest kinds first,
    then in the order of the alphabet. Groups of initials stand by themselves, so that a name may be in one of them and
    in another group.

    >>> look_alikes(pl.Series(["Magnus Carlsen", "Carlsen, Magnus", "Carlsen,M", "Ding", "ding"])).rows()[:4]
    [(0, 'Ding', 'case'), (0, 'ding', 'case'), (1, 'Carlsen, Magnus', 'order'), (1, 'Magnus Carlsen', 'order')]
    """
    there = names.cast(pl.String).unique()
    frame = there.filter(there.str.contains(LETTER)).to_frame("name").with_columns(plain=_plain(pl.col("name")))
    frame = frame.with_columns(words=_words(pl.col("plain")))
    frame = frame.with_columns(run=pl.col("words").str.replace_all(" ", "", literal=True))
    several = pl.col("words").str.contains(" ", literal=True)
    one, more = frame.filter(~several).select("name", "run"), frame.filter(several)
    more = more.with_columns(order=pl.col("words").str.split(" ").list.sort().list.join(" "))
    found = pl.concat([_sure(pl.concat([one, more.select("name", "run", "order")], how="diagonal")), _initials(more)])
    ordered = found.sort("kind", pl.col("name").min().over("key"), "name")
    return ordered.select(pl.col("key").rle_id().cast(pl.Int64).alias("group"), "name", "kind")


def _small(name: pl.Expr) -> pl.Expr:
    """Return names in small letters, accents apart from them."""
    return name.str.normalize("NFKD").str.to_lowercase().str.replace_all("ß", "ss", literal=True)


def _plain(name: pl.Expr) -> pl.Expr:
    """Return names in small letters without accents."""
    return _small(name).str.replace_all(ACCENTS, "").str.replace_many(LETTERS)


def _words(text: pl.Expr) -> pl.Expr:
    """Return texts as words with one blank between each two."""
    return text.str.replace_all(BETWEEN, " ").str.strip_chars(" ")


def _sure(frame: pl.DataFrame) -> pl.DataFrame:
    """Return `name`, `kind` and `key` of names alike but for case, accents and the order of words."""
    order = pl.col("order").is_not_null() & pl.col("order").is_duplicated()
    some = frame.filter(pl.col("run").is_duplicated() | order)
    exact = _small(pl.col("name")).str.replace_all(BETWEEN, "")
    kind = (
        pl.when(pl.col("exact").n_unique().over("key") == 1)
        .then(pl.lit("case", KIND))
        .when(pl.col("run").n_unique().over("key") == 1)
        .then(pl.lit("accents", KIND))
        .otherwise(pl.lit("order", KIND))
    )
    return some.with_columns(key=_joined(some), exact=exact).select("name", kind.alias("kind"), "key")


def _joined(some: pl.DataFrame) -> pl.Series:
    """Return what names have in common that are tied by equal runs of letters or equal words, along some chain."""
    from scipy.sparse import coo_array  # slow to import
    from scipy.sparse.csgraph import connected_components

    n = some.height
    if not n:
        return pl.Series([], dtype=pl.Int64)
    run, order = (some[name].rank("dense").fill_null(0).to_numpy().astype(np.int64) for name in ("run", "order"))
    named, worded = np.arange(n), np.flatnonzero(order)
    one, other = np.concatenate([named, worded]), np.concatenate([n - 1 + run, 2 * n - 1 + order[worded]])
    graph = coo_array((np.ones(len(one)), (one, other)), shape=(3 * n, 3 * n))
    _, label = connected_components(graph, directed=False)
    return pl.Series(label[:n]).cast(pl.Int64)


def _initials(frame: pl.DataFrame) -> pl.DataFrame:
    """Return `name`, `kind` and `key` of names of several words of which one may be short for the other.

    The family name stands before a comma; where there is none, the first word is the given name, unless that or the
    last is a single letter, which is the initial then.
    """
    parts = pl.col("plain").str.splitn(",", 2)
    given = _words(parts.struct.field("field_1"))
    words = pl.col("words")
    comma = given.str.contains(LETTER).fill_null(value=False)
    short = pl.when(comma).then(given.str.contains(r"^\p{L}\b")).otherwise(words.str.contains(r"^\p{L} | \p{L}$"))
    letter = pl.when("short").then(words.str.extract(r"\b(\p{L})\b")).otherwise(words.str.slice(0, 1))
    rest = pl.when("short").then(words).otherwise(words.str.replace(r"^\S+ ", ""))
    family = (
        pl.when(comma).then(_words(parts.struct.field("field_0"))).otherwise(rest.str.replace_all(r"\b\p{L}\b", ""))
    )
    key = pl.concat_str(
        family.str.replace_all(" ", "", literal=True), pl.when(comma).then(given.str.slice(0, 1)).otherwise(letter),
        separator=" ",
    )  # fmt: skip
    frame = frame.with_columns(short=short)
    if not frame["short"].any():
        frame = frame.clear()
    keyed = frame.with_columns(key=key).filter(pl.col("key").str.contains(r"^\S+ \p{L}$"))
    keyed = keyed.filter(pl.col("key").is_in(keyed.filter("short")["key"].unique().implode()))
    apart = [pl.col(name).n_unique().over("key") > 1 for name in ("run", "order")]
    number = -pl.col("key").rank("dense").cast(pl.Int64)  # below those of the surer kinds
    return keyed.filter(*apart).select("name", pl.lit("initials", KIND).alias("kind"), number.alias("key"))

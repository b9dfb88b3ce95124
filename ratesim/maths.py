"""exp, log, logistic, normal and its hazard from + - * / and fma only: the same bits in vectors and in plain Python.

Errors against many digits, each held by a test: exp and log 2 units in the last place, logistic 3, normal 5 wherever it
is at least 1e-300, hazard 5 and excess 8 from -37 on.
"""

from .jit import fma, kernel, to_bits, to_float

# A small number plus SHIFT is rounded to a whole one, which stands, 1023 added, in the last bits of the sum. Vectors of
# doubles have no other way to whole numbers that every machine is quick at.
SHIFT = 1.5 * 2.0**52 + 1023.0
LN2_HIGH = 6.93147180369123816490e-01  # 33 bits of ln 2, so that n * LN2_HIGH is exact
LN2_LOW = 1.90821492927058770002e-10
SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
TWO_52_BITS = 0x4330000000000000


@kernel
def exp(x: float) -> float:
    """Return e**x, for x held to [-708, 709]."""
    x = min(max(x, -708.0), 709.0)
    shifted = x * 1.4426950408889634 + SHIFT
    n = shifted - SHIFT
    r = fma(n, -LN2_LOW, fma(n, -LN2_HIGH, x))
    r2 = r * r
    r4 = r2 * r2
    a = fma(fma(r, 1 / 6, 0.5), r2, 1.0 + r)
    b = fma(fma(r, 1 / 5040, 1 / 720), r2, fma(r, 1 / 120, 1 / 24))
    c = fma(fma(r, 1 / 39916800, 1 / 3628800), r2, fma(r, 1 / 362880, 1 / 40320))
    d = fma(r, 1 / 6227020800, 1 / 479001600)
    return fma(fma(fma(d, r4, c), r4, b), r4, a) * to_float((to_bits(shifted) & 0x7FF) << 52)


@kernel
def log(x: float) -> float:
    """Return the natural logarithm of a normal positive number."""
    b = to_bits(x) - SQRT_HALF_BITS
    n = to_float(((b + (1023 << 52)) >> 52) + TWO_52_BITS) - (2.0**52 + 1023.0)
    m = to_float((b & 0xFFFFFFFFFFFFF) + SQRT_HALF_BITS)
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    q = fma(fma(z, 1 / 9, 1 / 7), z2, fma(z, 1 / 5, 1 / 3))
    t = fma(fma(z, 1 / 17, 1 / 15), z2, fma(z, 1 / 13, 1 / 11))
    q = z * fma(fma(fma(z, 1 / 21, 1 / 19), z4, t), z4, q)
    return fma(n, LN2_HIGH, 2.0 * s + fma(2.0 * s, q, n * LN2_LOW))


@kernel
def logistic(x: float) -> float:
    """Return 1 / (1 + e**-x)."""
    return 1.0 / (1.0 + exp(-x))


@kernel
def scaled_erfc(y: float) -> float:
    """Return exp(y^2) erfc(y) (1 + 2y), for y of at least 0.

    It is smooth in t = (y - 3.75) / (y + 3.75) (Shepherd & Laframboise, Math. Comp. 36, 1981); the coefficients are its
    Chebyshev interpolant of degree 23 at 50 digits, tail 6e-17.
    """
    t = (y - 3.75) / (y + 3.75)
    p = 3.1114334722665413e-10
    p = fma(p, t, -2.6231073473751988e-09)
    p = fma(p, t, -3.744210133581751e-09)
    p = fma(p, t, 3.1979266717994085e-08)
    p = fma(p, t, 2.3263508840767307e-08)
    p = fma(p, t, -2.485712624833076e-07)
    p = fma(p, t, -5.721823079176117e-08)
    p = fma(p, t, 1.7419821586266823e-06)
    p = fma(p, t, -9.735598965675162e-07)
    p = fma(p, t, -1.1438048033350382e-05)
    p = fma(p, t, 2.2384239154983124e-05)
    p = fma(p, t, 5.164652974177602e-05)
    p = fma(p, t, -0.00029015408054080367)
    p = fma(p, t, 0.0002937143780449574)
    p = fma(p, t, 0.0017556258528952859)
    p = fma(p, t, -0.009746579683265262)
    p = fma(p, t, 0.028362277418956406)
    p = fma(p, t, -0.05869339857664934)
    p = fma(p, t, 0.09230432116037748)
    p = fma(p, t, -0.10880393014244462)
    p = fma(p, t, 0.0822767384901452)
    p = fma(p, t, 0.0035854154854790257)
    p = fma(p, t, -0.14024059858554697)
    return fma(p, t, 1.2375126308378275)


@kernel
def normal(x: float) -> float:
    """Return the standard normal distribution function."""
    x = max(min(x, 37.6), -37.6)
    y = abs(x) * 0.7071067811865476
    square = x * x
    rest = fma(x, x, -square)
    tail = 0.5 * scaled_erfc(y) / (1.0 + 2.0 * y) * exp(-0.5 * square) * (1.0 - 0.5 * rest)
    return tail if x < 0.0 else 1.0 - tail


@kernel
def hazard(x: float) -> float:
    """Return the standard normal density over the upper tail at x, phi(x) / Phi(-x); 1e-308 at the least."""
    low = min(max(x, -40.0), 0.0)
    square = low * low
    rest = fma(low, low, -square)
    y = max(x, -low) * 0.7071067811865476
    scaled, peak = scaled_erfc(y), exp(-0.5 * square)  # each once for both sides of 0: they take most of the time
    upper = 1.0 - 0.5 * scaled / (1.0 + 2.0 * y) * peak * (1.0 - 0.5 * rest)
    density = 0.3989422804014327 * peak * (1.0 - 0.5 * rest)
    return density / upper if x < 0.0 else 0.7978845608028654 * (1.0 + 2.0 * y) / scaled


@kernel
def excess(x: float) -> float:
    """Return hazard(x) - x, to its last digits where both are large.

    Above 0 it is hazard(x) (1 - x / hazard(x)), where 1 - x / hazard(x), times (1 + x)^2, is smooth in
    t = (x - 5) / (x + 5); the coefficients are its Chebyshev interpolant of degree 26 at 70 digits, tail 6e-17.
    """
    y = max(x, 0.0)
    t = (y - 5.0) / (y + 5.0)
    p = 2.1011116730402455e-09
    p = fma(p, t, 1.5316453394437511e-09)
    p = fma(p, t, -2.3342523920542254e-08)
    p = fma(p, t, -2.1198996109045207e-08)
    p = fma(p, t, 1.4657434709717002e-07)
    p = fma(p, t, 1.6605384703096494e-07)
    p = fma(p, t, -7.625851610493287e-07)
    p = fma(p, t, -9.98583527943586e-07)
    p = fma(p, t, 4.018310702582644e-06)
    p = fma(p, t, 4.971700560597246e-06)
    p = fma(p, t, -2.3406811620977947e-05)
    p = fma(p, t, -1.7203974701650796e-05)
    p = fma(p, t, 0.00014695342855617968)
    p = fma(p, t, -3.581815070964382e-05)
    p = fma(p, t, -0.0008527355294529595)
    p = fma(p, t, 0.0015767756111576068)
    p = fma(p, t, 0.0023283157142137537)
    p = fma(p, t, -0.016131705894458163)
    p = fma(p, t, 0.03474622674573746)
    p = fma(p, t, -0.0318618727082037)
    p = fma(p, t, -0.029310982458101827)
    p = fma(p, t, 0.15402166231124279)
    p = fma(p, t, -0.27354820376345623)
    p = fma(p, t, 0.26116700784716207)
    p = fma(p, t, -0.02803069962751411)
    p = fma(p, t, -0.3687229645450182)
    p = fma(p, t, 1.2945411512431624)
    h = hazard(x)
    return h - x if x < 0.0 else h * (p / ((1.0 + y) * (1.0 + y)))

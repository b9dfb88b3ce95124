/* Elo per game as plainly as C has it, forecasts kept: what one core and libm's exp allow. */

#include <math.h>
#include <stdint.h>

void elo(int64_t games, const int32_t *first, const int32_t *second, const double *score, double q, double k,
         double *rating, double *forecast)
{
    for (int64_t g = 0; g < games; g++) {
        double *a = rating + first[g], *b = rating + second[g];
        double expected = 1.0 / (1.0 + exp(q * (*b - *a)));
        double gain = k * (score[g] - expected);
        forecast[g] = expected;
        *a += gain;
        *b -= gain;
    }
}

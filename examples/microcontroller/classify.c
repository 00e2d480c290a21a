/* Runs on the microcontroller: uses more units only while the class is uncertain. */
#include "classify.h"

#include "waves.h"

int classify(const float* samples, int* units) {
  static const int dial[] = {8, 20, waves_UNITS};
  static const float sure = 0.7f;
  int best = 0;
  *units = 0;
  for (int i = 0; i < (int)(sizeof dial / sizeof dial[0]); ++i) {
    float p[waves_OUTPUTS];
    const int error = waves_predict(samples, dial[i], p);
    if (error != waves_OK) return error;
    *units += dial[i];
    best = 0;
    for (int k = 1; k < waves_OUTPUTS; ++k) best = p[k] > p[best] ? k : best;
    if (p[best] >= sure) break;
  }
  return best;
}

/* Classifies signals that were not in the training data, built-in ones or those of a file, and counts the units used.
   A file: accrete data make waveform --rows 5000 --seed 3 -o new.csv */
#include <math.h>
#include <stdio.h>

#include "classify.h"
#include "waves.h"

static const struct {
  float samples[waves_INPUTS];
  int wave;
} signals[] = {
    {{0.1f, -0.7f, 1.3f, -0.6f, -0.6f, -0.0f, -0.5f, 1.5f, 2.9f, 5.2f, 4.1f,
      4.7f, 2.6f,  4.8f, 4.7f,  5.3f,  1.7f,  1.2f,  1.6f, 0.9f, 2.0f},
     0},
    {{-0.9f, -1.2f, 1.8f, 0.3f, 0.0f, 2.7f, 4.0f, 1.8f,  1.6f,  5.5f, 3.7f,
      1.7f,  2.8f,  1.0f, 2.5f, 2.0f, 0.5f, 0.3f, -2.2f, -2.1f, -0.5f},
     1},
    {{-0.4f, 0.9f, 2.5f, 2.2f, 3.9f, 3.3f, 4.1f, 2.7f, 2.6f, 2.1f, 1.5f,
      0.5f,  0.0f, 0.5f, 2.5f, 1.3f, 0.1f, 1.1f, 0.0f, 1.4f, 1.7f},
     2},
    {{-0.8f, 1.5f, -0.1f, 1.2f, -3.0f, 2.1f, 1.5f,  3.4f, 3.2f, 5.6f, 5.1f,
      5.0f,  3.5f, 4.1f,  3.4f, 0.5f,  0.9f, -0.7f, 0.8f, 0.1f, 0.5f},
     0},
    {{-1.3f, 0.2f,  1.2f,  4.7f, 3.4f, 3.0f, 5.2f, 4.4f,  3.0f,  4.6f, 1.6f,
      1.6f,  -1.4f, -1.7f, 2.3f, 0.3f, 0.2f, 0.1f, -0.7f, -2.1f, -1.9f},
     1},
    {{0.1f, 1.1f, 1.2f, 0.7f, 3.9f, 2.5f, 4.5f,  2.9f, 4.5f, 2.3f, 2.4f,
      2.8f, 2.0f, 1.0f, 1.6f, 1.9f, 2.2f, -1.1f, 2.3f, 1.2f, 0.5f},
     2},
};

static int count_file(const char* path) {
  float samples[waves_INPUTS];
  int rows = 0, right = 0, wave = 0, units = 0;
  long sum = 0;
  FILE* file = fopen(path, "r");
  if (file == NULL) return 1;
  if (fscanf(file, "%*[^\n]") == EOF) return 1; /* column names */
  for (;; ++rows) {
    for (int i = 0; i < waves_INPUTS; ++i)
      if (fscanf(file, "%f,", &samples[i]) != 1) samples[i] = NAN;
    if (fscanf(file, "%d", &wave) != 1) break;
    right += classify(samples, &units) == wave;
    sum += units;
  }
  printf("%d of %d right, %.1f units on average\n", right, rows, (double)sum / rows);
  return fclose(file);
}

int main(int argc, char** argv) {
  if (argc > 1) return count_file(argv[1]);
  const int count = (int)(sizeof signals / sizeof signals[0]);
  int right = 0, units = 0;
  for (int i = 0; i < count; ++i) {
    const int wave = classify(signals[i].samples, &units);
    if (wave < 0) return 1;
    printf("signal %d: wave %s after %d units\n", i, waves_output_name(wave), units);
    right += wave == signals[i].wave;
  }
  printf("%d of %d right\n", right, count);

  /* A sensor without a reading is a missing value; an infinite reading is an error. */
  float broken[waves_INPUTS];
  for (int i = 0; i < waves_INPUTS; ++i) broken[i] = signals[0].samples[i];
  broken[waves_at_x3] = NAN;
  printf("one sample missing: wave %s\n", waves_output_name(classify(broken, &units)));
  broken[waves_at_x3] = INFINITY;
  return right != count || classify(broken, &units) != waves_ERROR_INFINITE;
}

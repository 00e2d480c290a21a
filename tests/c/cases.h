/* Models and the predictions of the C++ library. */
#ifndef ACCRETE_TESTS_CASES_H
#define ACCRETE_TESTS_CASES_H

#include "check.h"

static accrete_model* load(const char* name) {
  char error[256] = "left";
  char* path = in_folder(name, ".safetensors");
  accrete_model* model = NULL;
  if (accrete_load(path, &model, error, sizeof error) != ACCRETE_OK) fprintf(stderr, "%s\n", error);
  CHECK(model && strcmp(error, "") == 0);
  free(path);
  return model;
}

/* Each case is a setting of the dial, a row and its prediction. The case_rows cases of one setting are contiguous. */
typedef struct {
  size_t count, inputs, outputs;
  size_t* units;
  float* x;
  double* prediction;
} cases;

enum { case_rows = 16, max_cases = 1000 };

static cases read_cases(const char* name, const accrete_model* model) {
  char* path = in_folder(name, ".expected");
  FILE* file = fopen(path, "r");
  cases all = {0, accrete_inputs(model), accrete_outputs(model), NULL, NULL, NULL};
  CHECK(file && all.inputs > 0 && all.outputs > 0);
  all.units = malloc(max_cases * sizeof *all.units);
  all.x = malloc(max_cases * all.inputs * sizeof *all.x);
  all.prediction = malloc(max_cases * all.outputs * sizeof *all.prediction);
  CHECK(all.units && all.x && all.prediction);
  while (all.count < max_cases && fscanf(file, "%zu", &all.units[all.count]) == 1) {
    for (size_t i = 0; i < all.inputs; ++i) CHECK(fscanf(file, "%f", &all.x[all.count * all.inputs + i]) == 1);
    for (size_t k = 0; k < all.outputs; ++k)
      CHECK(fscanf(file, "%lf", &all.prediction[all.count * all.outputs + k]) == 1);
    ++all.count;
  }
  CHECK(all.count > 0 && all.count < max_cases && all.count % case_rows == 0);
  fclose(file);
  free(path);
  return all;
}

static void free_cases(cases all) {
  free(all.units);
  free(all.x);
  free(all.prediction);
}

/* Predicts the rows of one setting in one call and compares bits. */
static void check_setting(const accrete_model* model, const cases* all, size_t first, double* out) {
  char error[256];
  const double* wanted = all->prediction + first * all->outputs;
  CHECK(accrete_predict(model, all->x + first * all->inputs, case_rows, all->units[first], out, error, sizeof error) ==
        ACCRETE_OK);
  CHECK(memcmp(out, wanted, case_rows * all->outputs * sizeof *out) == 0);
}

#endif

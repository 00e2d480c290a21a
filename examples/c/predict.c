/* Predicts rows at two settings of the dial.
 * usage: predict MODEL VALUE..., one value per input and row; an empty one is missing. */
#include <accrete.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char* text) {
  fprintf(stderr, "predict: %s\n", text);
  return 1;
}

/* The number for an argument of the command line. */
static float value(const accrete_model* model, size_t input, const char* word) {
  if (*word == '\0') return NAN;
  const int text = strcmp(accrete_input_kind(model, input), "text") == 0;
  return text ? accrete_level(model, input, word) : strtof(word, NULL);
}

static int show(const accrete_model* model, const float* x, size_t rows, size_t units) {
  char error[256];
  const size_t outputs = accrete_outputs(model);
  double* out = malloc(rows * outputs * sizeof *out);
  if (!out) return complain("out of memory");
  const int wrong = accrete_predict(model, x, rows, units, out, error, sizeof error) != ACCRETE_OK;
  for (size_t r = 0; r < rows && !wrong; ++r) {
    printf("%zu units, row %zu:", units, r + 1);
    for (size_t k = 0; k < outputs; ++k) printf(" %.4f", out[r * outputs + k]);
    const char* label = accrete_label(model, out + r * outputs);
    printf("%s%s\n", label ? " " : "", label ? label : "");
  }
  free(out);
  return wrong ? complain(error) : 0;
}

int main(int argc, char** argv) {
  char error[256];
  accrete_model* model;
  if (argc < 3) return complain("usage: predict MODEL VALUE...");
  if (accrete_load(argv[1], &model, error, sizeof error) != ACCRETE_OK) return complain(error);
  const size_t values = (size_t)argc - 2, inputs = accrete_inputs(model), rows = values / inputs;
  float* x = values % inputs == 0 ? malloc(values * sizeof *x) : NULL;
  for (size_t i = 0; x && i < values; ++i) x[i] = value(model, i % inputs, argv[i + 2]);
  /* After half of the training steps, and after all of them. */
  const size_t half = accrete_units_after(model, (accrete_steps(model) + 1) / 2);
  const int wrong = !x ? complain("the number of values must be a multiple of the model's inputs")
                       : show(model, x, rows, half) || show(model, x, rows, accrete_units(model));
  free(x);
  accrete_free(model);
  return wrong;
}

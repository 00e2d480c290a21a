/* Every function of accrete.h, with valid and invalid arguments. */
#include <math.h>

#include "cases.h"

static void predicts_as_cpp(const char* name) {
  accrete_model* model = load(name);
  cases all = read_cases(name, model);
  double out[case_rows * 4];
  for (size_t first = 0; first < all.count; first += case_rows) check_setting(model, &all, first, out);
  /* a single row gives the bits of the same row in a call with others */
  for (size_t c = 0; c < all.count; ++c) {
    CHECK(accrete_predict(model, all.x + c * all.inputs, 1, all.units[c], out, NULL, 0) == ACCRETE_OK);
    CHECK(memcmp(out, all.prediction + c * all.outputs, all.outputs * sizeof *out) == 0);
  }
  free_cases(all);
  accrete_free(model);
}

static void dial_selects_prefixes(void) {
  accrete_model* model = load("multiclass");
  cases all = read_cases("multiclass", model);
  double few[3], many[3];
  char error[256];
  CHECK(accrete_units(model) == 15 && accrete_steps(model) == 5);
  CHECK(accrete_units_after(model, 0) == 0 && accrete_units_after(model, 2) == 6);
  CHECK(accrete_units_after(model, 5) == 15 && accrete_units_after(model, 6) == 0);
  CHECK(accrete_predict(model, all.x, 1, 3, few, NULL, 0) == ACCRETE_OK);
  CHECK(accrete_predict(model, all.x, 1, 15, many, NULL, 0) == ACCRETE_OK);
  CHECK(memcmp(few, many, sizeof few) != 0);
  CHECK(accrete_predict(model, all.x, 1, 17, few, error, sizeof error) == ACCRETE_USAGE_ERROR);
  CHECK(strcmp(error, "17 units requested; the model has 15") == 0);
  CHECK(accrete_predict(model, all.x, 1, 2, few, error, sizeof error) == ACCRETE_USAGE_ERROR);
  CHECK(strcmp(error, "2 units requested; the model's first step already has 3; use 3, 6, 9, ... 15") == 0);
  free_cases(all);
  accrete_free(model);
}

static void queries_return_the_model(void) {
  accrete_model* model = load("multiclass");
  CHECK(strcmp(accrete_task(model), "multiclass") == 0);
  CHECK(accrete_inputs(model) == 3 && accrete_outputs(model) == 3);
  CHECK(accrete_targets(model) == 1 && strcmp(accrete_target_name(model, 0), "kind") == 0);
  CHECK(!accrete_target_name(model, 1));
  CHECK(accrete_classes(model) == 3 && strcmp(accrete_class_name(model, 2), "three") == 0);
  CHECK(!accrete_class_name(model, 3));
  CHECK(strcmp(accrete_input_name(model, 0),
               "gr\xc3\xb6\xc3\x9f"
               "e") == 0);
  CHECK(!accrete_input_name(model, 3) && !accrete_input_kind(model, 3));
  CHECK(strcmp(accrete_input_kind(model, 0), "numeric") == 0 && strcmp(accrete_input_kind(model, 1), "text") == 0);
  CHECK(accrete_levels(model, 0) == 0 && accrete_levels(model, 1) == 3 && accrete_levels(model, 3) == 0);
  CHECK(strcmp(accrete_level_name(model, 1, 2), "blue") == 0 && !accrete_level_name(model, 1, 3));
  CHECK(accrete_level(model, 1, "red") == 0.0f && accrete_level(model, 1, "blue") == 2.0f);
  CHECK(accrete_level(model, 1, "mauve") == -1.0f);
  CHECK(isnan(accrete_level(model, 1, "")) && isnan(accrete_level(model, 1, "NA")));
  CHECK(isnan(accrete_level(model, 1, "not given")));
  CHECK(isnan(accrete_level(model, 1, NULL)) && isnan(accrete_level(model, 0, "red")));
  CHECK(isnan(accrete_level(model, 3, "red")));
  CHECK(strcmp(accrete_label(model, (const double[]){0.25, 0.5, 0.25}), "two") == 0);
  CHECK(strstr(accrete_describe(model), "\"step_units\":[3,6,9,12,15]"));
  accrete_free(model);

  model = load("regression");
  CHECK(strcmp(accrete_task(model), "regression") == 0);
  CHECK(accrete_outputs(model) == 2 && accrete_targets(model) == 2 && accrete_classes(model) == 0);
  CHECK(!accrete_label(model, (const double[]){1.0, 2.0}));
  accrete_free(model);

  CHECK(accrete_abi_version() == ACCRETE_ABI_VERSION);
  CHECK(strchr(accrete_version(), '.'));
}

static void null_arguments_are_errors(void) {
  char error[256] = "left";
  accrete_model* model = (accrete_model*)error; /* not NULL, which a failed load must set */
  float x[2] = {0.0f, 0.0f};
  double p[2];
  accrete_free(NULL);
  CHECK(accrete_load(NULL, &model, error, sizeof error) == ACCRETE_USAGE_ERROR && !model);
  CHECK(strcmp(error, "accrete_load: path is NULL") == 0);
  CHECK(accrete_load("x", NULL, error, sizeof error) == ACCRETE_USAGE_ERROR);
  CHECK(accrete_load_bytes(NULL, 8, &model, error, sizeof error) == ACCRETE_USAGE_ERROR);
  CHECK(accrete_load_bytes("", 0, &model, NULL, 0) == ACCRETE_FILE_ERROR);
  CHECK(accrete_load_bytes("x", 1, NULL, NULL, 0) == ACCRETE_USAGE_ERROR);
  CHECK(accrete_predict(NULL, x, 1, 0, p, error, sizeof error) == ACCRETE_USAGE_ERROR);
  CHECK(strcmp(error, "accrete_predict: model is NULL") == 0);
  CHECK(!accrete_task(NULL) && !accrete_describe(NULL) && !accrete_label(NULL, p));
  CHECK(!accrete_inputs(NULL) && !accrete_outputs(NULL) && !accrete_units(NULL) && !accrete_steps(NULL));
  CHECK(!accrete_units_after(NULL, 0) && !accrete_targets(NULL) && !accrete_target_name(NULL, 0));
  CHECK(!accrete_classes(NULL) && !accrete_class_name(NULL, 0) && !accrete_input_name(NULL, 0));
  CHECK(!accrete_input_kind(NULL, 0) && !accrete_levels(NULL, 0) && !accrete_level_name(NULL, 0, 0));
  CHECK(isnan(accrete_level(NULL, 0, "red")));
}

static void invalid_rows_are_errors(void) {
  accrete_model* model = load("binary");
  char error[256] = "left";
  const float x[3][2] = {{1.0f, 0.0f}, {NAN, NAN}, {INFINITY, 1.0f}};
  double p[3][2];
  CHECK(accrete_predict(model, NULL, 1, 0, p[0], NULL, 0) == ACCRETE_USAGE_ERROR);
  CHECK(accrete_predict(model, x[0], 1, 0, NULL, NULL, 0) == ACCRETE_USAGE_ERROR);
  CHECK(accrete_predict(model, x[0], (size_t)-1, 0, p[0], NULL, 0) == ACCRETE_USAGE_ERROR);
  CHECK(accrete_predict(model, NULL, 0, 0, NULL, error, sizeof error) == ACCRETE_OK && strcmp(error, "") == 0);
  CHECK(accrete_predict(model, x[0], 2, 0, p[0], NULL, 0) == ACCRETE_OK);
  CHECK(accrete_predict(model, x[0], 3, 0, p[0], error, sizeof error) == ACCRETE_DATA_ERROR);
  CHECK(strcmp(error, "row 3 (counting from 1), column 'weight' is infinite; only finite numbers can be used") == 0);
  CHECK(!accrete_label(model, NULL));
  accrete_free(model);
}

/* The message fits the buffer, ends with a 0 and is not truncated inside a character. */
static void message_fits_the_buffer(void) {
  accrete_model* model = NULL;
  char error[32];
  for (size_t size = 0; size < sizeof error; ++size) {
    memset(error, '#', sizeof error);
    CHECK(accrete_load("gr\xc3\xb6\xc3\xb6\xc3\xb6sse.safetensors", &model, error, size) == ACCRETE_FILE_ERROR);
    CHECK(!model && error[size] == '#');
    if (size == 0) continue;
    CHECK(strlen(error) < size);
    CHECK(size == 1 || (error[strlen(error) - 1] & 0xff) != 0xc3);
  }
  CHECK(strcmp(error, "gr\xc3\xb6\xc3\xb6\xc3\xb6sse.safetensors: no su") == 0);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  folder = argv[1];
  predicts_as_cpp("regression");
  predicts_as_cpp("binary");
  predicts_as_cpp("multiclass");
  predicts_as_cpp("wide");
  predicts_as_cpp("bins");
  dial_selects_prefixes();
  queries_return_the_model();
  null_arguments_are_errors();
  invalid_rows_are_errors();
  message_fits_the_buffer();
  return 0;
}

/*
 * accrete for C, and for every language that can call C: load a model file, predict with any prefix of its units, and
 * query its inputs and outputs.
 *
 *   char error[256];
 *   accrete_model *model;
 *   if (accrete_load("model.safetensors", &model, error, sizeof error) != ACCRETE_OK) return complain(error);
 *   float x[2][4] = {{5.1f, 3.5f, 1.4f, 0.2f}, {6.7f, 3.0f, NAN, 1.7f}};     one column per input; NaN is missing
 *   double p[2][3];                                                          one column per output
 *   accrete_predict(model, x[0], 2, 0, p[0], error, sizeof error);           all units
 *   accrete_predict(model, x[0], 2, 40, p[0], error, sizeof error);          the first 40: cheaper, almost as good
 *   puts(accrete_label(model, p[1]));
 *   accrete_free(model);
 *
 * The dial. Units are stored in training order, so the first n of them are a complete, smaller and cheaper network.
 * `units` is that n; 0 means all. It is rounded down to a complete training step. It does not change the handle: every
 * call and every thread may use another value.
 *
 * Threads. A handle is immutable between accrete_load and accrete_free; any number of threads may use it concurrently.
 * A call runs on the calling thread only; split the rows to use more threads. The prediction of a row does not depend
 * on the other rows. Calls keep no state and print nothing.
 *
 * Errors. A function that can fail returns a status. Its last two arguments are a buffer for a one-line message and
 * its size: at most error_size bytes are written, including the terminating 0; "" after success. error may be NULL. A
 * NULL argument is a usage error, never a crash. Query functions return 0 or NULL for a NULL model or an index out of
 * range.
 *
 * Text is UTF-8, owned by the model, and valid until accrete_free. A name that contains a 0 is truncated there;
 * accrete_describe has it in full.
 *
 * Compatibility. While ACCRETE_ABI_VERSION is unchanged (it is part of the file name: libaccrete.so.1), functions and
 * status codes may be added but not removed, and their arguments and meaning do not change: a program runs with any
 * library newer than the one it was built with. Model files of older versions stay readable.
 */
#ifndef ACCRETE_H
#define ACCRETE_H

#include <stddef.h>

#if defined(__GNUC__)
#define ACCRETE_API __attribute__((visibility("default")))
#else
#define ACCRETE_API
#endif

#ifdef __cplusplus
#define ACCRETE_NOEXCEPT noexcept
extern "C" {
#else
#define ACCRETE_NOEXCEPT
#endif

#define ACCRETE_ABI_VERSION 1

/* Bindings may treat it as int. */
typedef enum accrete_status {
  ACCRETE_OK = 0,
  ACCRETE_USAGE_ERROR = 1,   /* arguments: a NULL, more units than the model has */
  ACCRETE_DATA_ERROR = 2,    /* rows: an infinity */
  ACCRETE_FILE_ERROR = 3,    /* file: missing, damaged, not a model, written by a newer version */
  ACCRETE_INTERNAL_ERROR = 4 /* anything else: out of memory */
} accrete_status;

/* A loaded model. */
typedef struct accrete_model accrete_model;

/* "major.minor.patch" of the loaded library. */
ACCRETE_API const char* accrete_version(void) ACCRETE_NOEXCEPT;
/* ACCRETE_ABI_VERSION of the loaded library. */
ACCRETE_API int accrete_abi_version(void) ACCRETE_NOEXCEPT;

/* Loads a model file. Sets *model to a handle, which must be passed to accrete_free once, or to NULL after an error.
 * Files are untrusted: a damaged or malicious file is a file error. */
ACCRETE_API accrete_status accrete_load(const char* path, accrete_model** model, char* error,
                                        size_t error_size) ACCRETE_NOEXCEPT;

/* The same from the bytes of a file, which are not needed after the call. */
ACCRETE_API accrete_status accrete_load_bytes(const void* bytes, size_t size, accrete_model** model, char* error,
                                              size_t error_size) ACCRETE_NOEXCEPT;

/* Frees the handle. No other call on it may be running. NULL is allowed. */
ACCRETE_API void accrete_free(accrete_model* model) ACCRETE_NOEXCEPT;

/* Predicts rows.
 *
 *   x      rows x accrete_inputs floats, row-major. NaN is a missing value. A text input is the index of its level (see
 *          accrete_level); any other number is a level not seen in training.
 *   units  the dial, see above. More units than the model has, or fewer than its first step, are a usage error.
 *   out    rows x accrete_outputs doubles, row-major: the probability of each class, the value of each target, or
 *          the quantiles. Undefined after an error.
 *
 * An infinite number is a data error that names the row (1-based) and the input; a prediction beyond the largest double
 * is one that names the row. Nothing is allocated except for error messages. Uses about 20 KiB of stack. For models
 * with more than 4096 features (one per numeric input and bin, one per level, one per input with missing values in
 * training) calls share eight buffers of the handle: a ninth concurrent call waits for one. */
ACCRETE_API accrete_status accrete_predict(const accrete_model* model, const float* x, size_t rows, size_t units,
                                           double* out, char* error, size_t error_size) ACCRETE_NOEXCEPT;

/* The label of the most probable class; prediction is one row of accrete_outputs doubles. NULL for regression. */
ACCRETE_API const char* accrete_label(const accrete_model* model, const double* prediction) ACCRETE_NOEXCEPT;

/* "regression", "binary" or "multiclass". */
ACCRETE_API const char* accrete_task(const accrete_model* model) ACCRETE_NOEXCEPT;

/* Numbers per row, in and out. Outputs are the classes or, for regression, the targets. */
ACCRETE_API size_t accrete_inputs(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_outputs(const accrete_model* model) ACCRETE_NOEXCEPT;

/* The settings of the dial: units of the network, its training steps, and the units after the given number of steps
 * (0 to accrete_steps). */
ACCRETE_API size_t accrete_units(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_steps(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_units_after(const accrete_model* model, size_t steps) ACCRETE_NOEXCEPT;

/* The names of the target columns, and the labels of the classes (none for regression). */
ACCRETE_API size_t accrete_targets(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_target_name(const accrete_model* model, size_t target) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_classes(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_class_name(const accrete_model* model, size_t index) ACCRETE_NOEXCEPT;

/* The inputs, in the order of x. The kind is "numeric" or "text"; only text inputs have levels. */
ACCRETE_API const char* accrete_input_name(const accrete_model* model, size_t input) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_input_kind(const accrete_model* model, size_t input) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_levels(const accrete_model* model, size_t input) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_level_name(const accrete_model* model, size_t input, size_t level) ACCRETE_NOEXCEPT;

/* The number for a text in x: the index of its level, where "1.0" also finds the level "1", or -1 for a text not seen
 * in training. NaN (missing) if text is NULL, empty or a word for a missing value ("NA", "?", those given in training)
 * that is not a level, or if the input is not a text input.
 */
ACCRETE_API float accrete_level(const accrete_model* model, size_t input, const char* text) ACCRETE_NOEXCEPT;

/* All of this as one line of JSON:
 * {"version", "task", "targets": [..], "classes": [..], "inputs": [{"name", "kind", "levels": [..]}, ..], "outputs",
 *  "units", "step_units": [after step 1, ..], "activation", "loss"}. */
ACCRETE_API const char* accrete_describe(const accrete_model* model) ACCRETE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

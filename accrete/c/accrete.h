/*
 * accrete for C, and for every language that can call C: load a model file, predict with as many of its units as you
 * like, ask what it is.
 *
 *   char error[256];
 *   accrete_model *model;
 *   if (accrete_load("model.safetensors", &model, error, sizeof error) != ACCRETE_OK) return complain(error);
 *   float x[2][4] = {{5.1f, 3.5f, 1.4f, 0.2f}, {6.7f, 3.0f, NAN, 1.7f}};     one column per input; NaN is missing
 *   double p[2][3];                                                          one column per output
 *   accrete_predict(model, x[0], 2, 0, p[0], error, sizeof error);           every unit
 *   accrete_predict(model, x[0], 2, 40, p[0], error, sizeof error);          the first 40: cheaper, almost as good
 *   puts(accrete_label(model, p[1]));
 *   accrete_free(model);
 *
 * The dial. A model's units stand in the order they were grown, so that any number of first units is a network of its
 * own, and costs what those units cost. `units` is that number: 0 means all; what is no whole number of training steps
 * is rounded down to one. The handle is not changed by it: every call, and every thread, may choose another.
 *
 * Threads. A handle never changes between accrete_load and accrete_free, so any number of threads may use one at the
 * same time. A call works on the thread that makes it and starts none; split the rows to use more. A row's prediction
 * does not depend on the rows beside it. Nothing is kept from one call to the next, and nothing is printed.
 *
 * Errors. A function that can fail returns a status and takes room for one line of text, as its last two arguments:
 * at most error_size bytes, the closing 0 among them, are written; "" after success. error may be NULL. A NULL where
 * something is needed is a usage error, never a crash. Functions that only tell something answer 0 or NULL when asked
 * of a NULL model or about something that is not there.
 *
 * Text is UTF-8, is owned by the model and lives as long as it. A name with a 0 inside seems to end there;
 * accrete_describe has it in full.
 *
 * Promise. While ACCRETE_ABI_VERSION stays as it is (the library's file name carries it: libaccrete.so.1), functions
 * and status codes are added, none is taken away and none changes its arguments or meaning: a program runs with any
 * library that is newer than the one it was built with. Model files written by older versions stay readable.
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

/* An int in every binding. */
typedef enum accrete_status {
  ACCRETE_OK = 0,
  ACCRETE_USAGE_ERROR = 1,   /* the arguments: a NULL, more units than the model has */
  ACCRETE_DATA_ERROR = 2,    /* the rows: an infinity */
  ACCRETE_FILE_ERROR = 3,    /* the file: not there, damaged, not a model, of a newer accrete */
  ACCRETE_INTERNAL_ERROR = 4 /* anything else: no memory */
} accrete_status;

/* A model that was loaded. */
typedef struct accrete_model accrete_model;

/* "major.minor.patch" of the library that runs. */
ACCRETE_API const char* accrete_version(void) ACCRETE_NOEXCEPT;
/* ACCRETE_ABI_VERSION of the library that runs. */
ACCRETE_API int accrete_abi_version(void) ACCRETE_NOEXCEPT;

/* Opens a model file. *model is the handle, to be given to accrete_free once, or NULL after an error. A file is trusted
 * with nothing: a damaged or hostile one is a file error. */
ACCRETE_API accrete_status accrete_load(const char* path, accrete_model** model, char* error,
                                        size_t error_size) ACCRETE_NOEXCEPT;

/* The same from a file's bytes, which are not needed after the call. */
ACCRETE_API accrete_status accrete_load_bytes(const void* bytes, size_t size, accrete_model** model, char* error,
                                              size_t error_size) ACCRETE_NOEXCEPT;

/* No other call on the handle may be running. NULL is allowed. */
ACCRETE_API void accrete_free(accrete_model* model) ACCRETE_NOEXCEPT;

/* Predicts rows.
 *
 *   x      rows x accrete_inputs floats, row after row. NaN is a missing value. A text input takes the number of its
 *          level, which accrete_level knows; any number that is not one means a level not seen in training.
 *   units  the dial, see above. A usage error when the model has fewer, or its first step already more.
 *   out    rows x accrete_outputs doubles, row after row: the probability of each class, or the value of each target.
 *          Of no use after an error.
 *
 * An infinity in a numeric input is a data error that names row (counted from 1) and input. Nothing is allocated,
 * unless for the text of an error. About 20 KiB of the stack are used. Beyond 4096 features (one per numeric input, one
 * per level, one more per input that had gaps in training) calls borrow from eight places that the handle keeps, so
 * that a ninth at the same time waits for one. */
ACCRETE_API accrete_status accrete_predict(const accrete_model* model, const float* x, size_t rows, size_t units,
                                           double* out, char* error, size_t error_size) ACCRETE_NOEXCEPT;

/* The label of the most probable class of one row of predictions, accrete_outputs doubles. NULL for a regression. */
ACCRETE_API const char* accrete_label(const accrete_model* model, const double* prediction) ACCRETE_NOEXCEPT;

/* "regression", "binary" or "multiclass". */
ACCRETE_API const char* accrete_task(const accrete_model* model) ACCRETE_NOEXCEPT;

/* Numbers per row, in and out. Outputs are the classes or, in a regression, the targets. */
ACCRETE_API size_t accrete_inputs(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_outputs(const accrete_model* model) ACCRETE_NOEXCEPT;

/* Places where the dial can stand: units of the whole network, its training steps, and the units after so many steps
 * (from 0 to accrete_steps). */
ACCRETE_API size_t accrete_units(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_steps(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_units_after(const accrete_model* model, size_t steps) ACCRETE_NOEXCEPT;

/* What was learnt: the names of the target columns, and the labels of the classes (0 of them in a regression). */
ACCRETE_API size_t accrete_targets(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_target_name(const accrete_model* model, size_t target) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_classes(const accrete_model* model) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_class_name(const accrete_model* model, size_t index) ACCRETE_NOEXCEPT;

/* The inputs, in the order of a row's numbers; kind is "numeric" or "text", and only text inputs have levels. */
ACCRETE_API const char* accrete_input_name(const accrete_model* model, size_t input) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_input_kind(const accrete_model* model, size_t input) ACCRETE_NOEXCEPT;
ACCRETE_API size_t accrete_levels(const accrete_model* model, size_t input) ACCRETE_NOEXCEPT;
ACCRETE_API const char* accrete_level_name(const accrete_model* model, size_t input, size_t level) ACCRETE_NOEXCEPT;

/* The number that stands for a text in a row: its level, or -1 for a text not seen in training; NaN, a missing value,
 * when text is NULL, empty or a word for nothing that is no level ("NA", "?", ...), or the input is not a text one. */
ACCRETE_API float accrete_level(const accrete_model* model, size_t input, const char* text) ACCRETE_NOEXCEPT;

/* All of the above and more as one line of JSON:
 * {"version", "task", "targets": [..], "classes": [..], "inputs": [{"name", "kind", "levels": [..]}, ..], "outputs",
 *  "units", "step_units": [after step 1, ..], "activation", "loss"}. */
ACCRETE_API const char* accrete_describe(const accrete_model* model) ACCRETE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

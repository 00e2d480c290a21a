/* Many threads use one handle, each with another setting of the dial. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "cases.h"

/* More threads than a wide model has buffers. */
enum { threads = 12, rounds = 40 };

typedef struct {
  const accrete_model* model;
  const cases* all;
  size_t start;
} job;

static void* predict_repeatedly(void* argument) {
  const job* mine = argument;
  double out[case_rows * 4];
  char error[256];
  const size_t settings = mine->all->count / case_rows;
  for (size_t i = 0; i < rounds; ++i) {
    check_setting(mine->model, mine->all, (mine->start + i) % settings * case_rows, out);
    CHECK(accrete_predict(mine->model, mine->all->x, 1, 17, out, error, sizeof error) == ACCRETE_USAGE_ERROR);
    CHECK(strcmp(error, "17 units requested; the model has 15") == 0);
    CHECK(accrete_level(mine->model, 1, "grey") < 0.0f && accrete_describe(mine->model)[0] == '{');
  }
  return NULL;
}

static void threads_share_a_handle(const char* name) {
  accrete_model* model = load(name);
  cases all = read_cases(name, model);
  pthread_t running[threads];
  job jobs[threads];
  for (size_t t = 0; t < threads; ++t) {
    jobs[t] = (job){model, &all, t};
    CHECK(pthread_create(&running[t], NULL, predict_repeatedly, &jobs[t]) == 0);
  }
  for (size_t t = 0; t < threads; ++t) CHECK(pthread_join(running[t], NULL) == 0);
  free_cases(all);
  accrete_free(model);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  folder = argv[1];
  threads_share_a_handle("multiclass");
  threads_share_a_handle("wide");
  return 0;
}

/* accrete_predict allocates nothing. The program replaces malloc and related functions, which the library and its
 * operator new use too. */
#include <errno.h>

#include "cases.h"

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static size_t allocations;

void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size) {
  ++allocations;
  return __libc_realloc(block, size);
}

void* memalign(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

static void predicts_without_allocating(const char* name) {
  double out[case_rows * 4];
  const size_t before_load = allocations;
  accrete_model* model = load(name);
  CHECK(allocations > before_load + 10); /* the counter sees the library */
  cases all = read_cases(name, model);
  const size_t before = allocations;
  for (size_t first = 0; first < all.count; first += case_rows) check_setting(model, &all, first, out);
  accrete_level(model, 1, "red");
  accrete_label(model, out);
  CHECK(allocations == before);
  free_cases(all);
  accrete_free(model);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  folder = argv[1];
  predicts_without_allocating("regression");
  predicts_without_allocating("binary");
  predicts_without_allocating("multiclass");
  predicts_without_allocating("wide");
  predicts_without_allocating("bins");
  return 0;
}

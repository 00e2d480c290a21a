/* A model file that is truncated anywhere, or has any one bit flipped, is rejected with a one-line message. */
#include "check.h"

static unsigned char* read_file(const char* name, size_t* size) {
  char* path = in_folder(name, ".safetensors");
  FILE* file = fopen(path, "rb");
  unsigned char* bytes = malloc(1 << 20);
  CHECK(file && bytes);
  *size = fread(bytes, 1, 1 << 20, file);
  CHECK(*size > 1000 && *size < 1 << 20);
  fclose(file);
  free(path);
  return bytes;
}

static void expect_rejected(const void* bytes, size_t size) {
  char error[512] = "";
  accrete_model* model = (accrete_model*)error;
  CHECK(accrete_load_bytes(bytes, size, &model, error, sizeof error) == ACCRETE_FILE_ERROR);
  CHECK(!model && strlen(error) > 10 && !strchr(error, '\n'));
}

/* Copied to a block of exactly this size, so that a sanitizer detects a read beyond its end. */
static void expect_prefix_rejected(const unsigned char* bytes, size_t size) {
  unsigned char* part = malloc(size > 0 ? size : 1);
  CHECK(part);
  memcpy(part, bytes, size);
  expect_rejected(part, size);
  free(part);
}

static void every_truncation_is_rejected(const char* name) {
  size_t size = 0;
  unsigned char* bytes = read_file(name, &size);
  for (size_t length = 0; length < size; ++length) expect_prefix_rejected(bytes, length);
  free(bytes);
}

static void every_flipped_bit_is_rejected(const char* name) {
  size_t size = 0;
  unsigned char* bytes = read_file(name, &size);
  accrete_model* model = NULL;
  CHECK(accrete_load_bytes(bytes, size, &model, NULL, 0) == ACCRETE_OK && model);
  accrete_free(model);
  for (size_t bit = 0; bit < 8 * size; ++bit) {
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    expect_rejected(bytes, size);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  free(bytes);
}

int main(int argc, char** argv) {
  accrete_model* model = NULL;
  char error[256];
  CHECK(argc == 2);
  folder = argv[1];
  every_truncation_is_rejected("multiclass");
  every_flipped_bit_is_rejected("regression");
  CHECK(accrete_load(folder, &model, error, sizeof error) == ACCRETE_FILE_ERROR && !model);
  CHECK(accrete_load("", &model, error, sizeof error) == ACCRETE_FILE_ERROR && !model);
  return 0;
}

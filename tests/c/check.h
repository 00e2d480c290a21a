/* Shared by the programs of this folder. The first failed CHECK prints its location and ends the program. */
#ifndef ACCRETE_TESTS_CHECK_H
#define ACCRETE_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accrete.h"

#define CHECK(what)                                                               \
  do {                                                                            \
    if (!(what)) {                                                                \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #what), exit(1); \
    }                                                                             \
  } while (0)

static const char* folder;

static char* in_folder(const char* name, const char* ending) {
  char* path = malloc(strlen(folder) + strlen(name) + strlen(ending) + 2);
  CHECK(path);
  sprintf(path, "%s/%s%s", folder, name, ending);
  return path;
}

#endif

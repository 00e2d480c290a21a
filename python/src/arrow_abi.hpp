#pragma once
// The structs of the Arrow C data and C stream interfaces
// (https://arrow.apache.org/docs/format/CDataInterface.html). Their layout is a stable ABI, so no Arrow library is
// needed.

#include <nanobind/nanobind.h>

#include <cstdint>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

}  // extern "C"

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

extern "C" {

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

#endif

namespace accrete::python {

/// Owns one of these structs and releases it. The specification lets a struct be moved by copying its bytes.
template <class T>
class OwnedArrow {
 public:
  OwnedArrow() = default;
  explicit OwnedArrow(T& taken) : value_(taken) { taken.release = nullptr; }
  OwnedArrow(OwnedArrow&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  OwnedArrow(const OwnedArrow&) = delete;
  OwnedArrow& operator=(const OwnedArrow&) = delete;
  OwnedArrow& operator=(OwnedArrow&&) = delete;
  ~OwnedArrow() {
    if (!value_.release) return;
    // The callback may run Python code, which must not see a pending exception.
    const nanobind::error_scope pending;
    value_.release(&value_);
  }

  T* get() { return &value_; }
  const T* operator->() const { return &value_; }
  const T& operator*() const { return value_; }

 private:
  T value_{};
};

}  // namespace accrete::python

#pragma once
// The three structs of the Arrow C data and C stream interfaces, as the specification lays them out
// (https://arrow.apache.org/docs/format/CDataInterface.html). Their layout is fixed for good, which is why any
// producer's memory can be read without a library of Arrow's.

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

/// One of the three, released when it goes. The specification lets a struct be moved by copying its bytes.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T& taken) : value_(taken) { taken.release = nullptr; }
  Owned(Owned&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (!value_.release) return;
    // The callback may be Python code, which must not start while an exception is under way.
    const nanobind::error_scope kept;
    value_.release(&value_);
  }

  T* get() { return &value_; }
  const T* operator->() const { return &value_; }
  const T& operator*() const { return value_; }

 private:
  T value_{};
};

}  // namespace accrete::python

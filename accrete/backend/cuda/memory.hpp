#pragma once
// CUDA runtime calls that throw core::Error, and owners of device memory and events.

#include <cuda_runtime_api.h>

#include <span>
#include <string>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::cuda {

/// action: completes the message "the GPU failed to ...".
inline void check(cudaError_t code, const char* action) {
  if (code != cudaSuccess)
    throw core::Error(std::string("the GPU failed to ") + action + ": " + cudaGetErrorString(code));
}

/// Measures device time from construction.
class EventTimer {
 public:
  EventTimer() {
    check(cudaEventCreate(&start_), "create an event");
    check(cudaEventCreate(&end_), "create an event");
    check(cudaEventRecord(start_), "record an event");
  }
  EventTimer(const EventTimer&) = delete;
  ~EventTimer() { cudaEventDestroy(start_), cudaEventDestroy(end_); }

  /// Waits for all work launched since construction; error messages contain `action`.
  double seconds(const char* action) const {
    float milliseconds = 0.0f;
    check(cudaEventRecord(end_), action);
    check(cudaEventSynchronize(end_), action);
    check(cudaEventElapsedTime(&milliseconds, start_, end_), action);
    return 1e-3 * double(milliseconds);
  }

 private:
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) : count_(count) {
    if (count > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), "allocate memory");
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { write(values); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }

  /// Grows to at least `count` elements; loses the content if it grows.
  void reserve(std::size_t count) {
    if (count > count_) *this = DeviceArray(count);
  }

  void write(std::span<const T> values) {
    if (!values.empty())
      check(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "copy data to it");
  }
  void read(std::span<T> values) const {
    if (!values.empty())
      check(cudaMemcpy(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost), "copy results from it");
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Page-locked (pinned) host memory, from and to which the GPU copies directly.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  PinnedArray(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  /// Grows to at least `count` elements; loses the content if it grows.
  void reserve(std::size_t count) {
    if (count <= count_) return;
    cudaFreeHost(std::exchange(data_, nullptr));
    count_ = 0;
    check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)), "allocate host memory");
    count_ = count;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

inline std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "report its memory");
  return free;
}

}  // namespace accrete::cuda

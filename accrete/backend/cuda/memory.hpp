#pragma once
// CUDA's calls with our errors, and memory that gives itself back.

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <span>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::cuda {

inline void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw core::Error(fmt::format("the GPU failed to {}: {}", what, cudaGetErrorString(code)));
}

/// The device's own clock, from when it was made.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&from_), "keep time");
    check(cudaEventCreate(&to_), "keep time");
    check(cudaEventRecord(from_), "keep time");
  }
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() { cudaEventDestroy(from_), cudaEventDestroy(to_); }

  /// Waits for what the device was told since, and says how long it took; `what` that was, for an error.
  double seconds(const char* what) const {
    float milliseconds = 0.0f;
    check(cudaEventRecord(to_), what);
    check(cudaEventSynchronize(to_), what);
    check(cudaEventElapsedTime(&milliseconds, from_, to_), what);
    return 1e-3 * double(milliseconds);
  }

 private:
  cudaEvent_t from_ = nullptr, to_ = nullptr;
};

/// Numbers in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) : count_(count) {
    if (count > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), "give memory");
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

  void write(std::span<const T> values) {
    if (!values.empty())
      check(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "take data");
  }
  void read(std::span<T> values) const {
    if (!values.empty())
      check(cudaMemcpy(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost), "give results");
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace accrete::cuda

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

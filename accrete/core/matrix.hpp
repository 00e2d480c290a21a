#pragma once
// Row-major matrices: a non-owning view and an owning container.

#include <cstddef>
#include <span>
#include <vector>

namespace accrete::core {

/// rows x cols elements; element (r, c) is data[r * cols + c]. Does not own its memory.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;

  T& operator()(std::size_t r, std::size_t c) const { return data[r * cols + c]; }
  std::span<T> row(std::size_t r) const { return {data + r * cols, cols}; }
  std::span<T> flat() const { return {data, rows * cols}; }
};

/// Owns its elements; converts to MatrixView<T> and MatrixView<const T>.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, T value = T{}) : values_(rows * cols, value), rows_(rows), cols_(cols) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  T& operator()(std::size_t r, std::size_t c) { return values_[r * cols_ + c]; }
  const T& operator()(std::size_t r, std::size_t c) const { return values_[r * cols_ + c]; }
  std::span<T> row(std::size_t r) { return {values_.data() + r * cols_, cols_}; }
  std::span<const T> row(std::size_t r) const { return {values_.data() + r * cols_, cols_}; }
  std::span<T> flat() & { return values_; }
  std::span<const T> flat() const& { return values_; }
  std::span<T> flat() && = delete;  ///< the span would dangle, for example in a range-for over a temporary

  operator MatrixView<T>() { return {values_.data(), rows_, cols_}; }
  operator MatrixView<const T>() const { return {values_.data(), rows_, cols_}; }

 private:
  std::vector<T> values_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

}  // namespace accrete::core

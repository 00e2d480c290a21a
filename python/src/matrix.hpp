#pragma once
// NumPy arrays from matrices (moved) and spans (copied).

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "accrete/core/matrix.hpp"

namespace accrete::python {

/// The array takes over the matrix.
inline nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>> to_numpy(core::Matrix<double> matrix) {
  auto* kept = new core::Matrix<double>(std::move(matrix));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<core::Matrix<double>*>(p); });
  const std::size_t shape[] = {kept->rows(), kept->cols()};
  return {kept->flat().data(), 2, shape, owner};
}

template <class T>
T* copy_of(std::span<const T> values) {
  T* copy = new T[values.size()];
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>> copied(std::span<const T> values) {
  T* copy = copy_of(values);
  const nanobind::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  const std::size_t shape[] = {values.size()};
  return {copy, 1, shape, owner};
}

template <class T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>> copied(std::span<const T> values, std::size_t columns) {
  T* copy = copy_of(values);
  const nanobind::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  const std::size_t shape[] = {columns == 0 ? 0 : values.size() / columns, columns};
  return {copy, 2, shape, owner};
}

}  // namespace accrete::python

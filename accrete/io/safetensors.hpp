#pragma once
// The safetensors container: named arrays of numbers behind a JSON header.
//
//   8 bytes   length of the header, little-endian
//   header    {"__metadata__": {text: text}, name: {"dtype", "shape", "data_offsets": [begin, end]}, ...}, spaces
//   data      the arrays, contiguous; offsets count from here

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/core/error.hpp"

namespace accrete::io {

struct Tensor {
  std::string name;
  std::string dtype;  ///< "F32", "I64", ...
  std::vector<std::uint64_t> shape;
  std::string_view bytes;  ///< little-endian, row-major; not owned
};

struct Container {
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<Tensor> tensors;

  const std::string* find_metadata(std::string_view key) const;  ///< or null
  const Tensor* find_tensor(std::string_view name) const;        ///< or null
};

/// The limit of the reference implementation.
inline constexpr std::size_t container_header_limit = 100'000'000;

/// The bytes of the file: metadata and tensors in the given order, with 8-byte aligned data. Throws DataError if a text
/// is not UTF-8 or the header exceeds its limit.
std::string write_container(const Container& container);

/// The tensors' bytes are views into the argument. Checks everything before use: lengths, offsets (no overlap, no gap,
/// within the data), dtype and shape against the byte length, duplicate names, nesting. Throws FileError without the
/// file's name; the message may quote untrusted bytes, which the caller must sanitise.
Container parse_container(std::string_view bytes);

/// The dtypes that this library reads and writes, by C++ type.
template <class T>
inline constexpr const char* dtype_of = nullptr;
template <>
inline constexpr const char* dtype_of<float> = "F32";
template <>
inline constexpr const char* dtype_of<double> = "F64";
template <>
inline constexpr const char* dtype_of<std::int64_t> = "I64";

/// A tensor that views values, which must outlive it.
template <class T>
Tensor make_tensor(const char* name, std::vector<std::uint64_t> shape, std::span<const T> values) {
  return {name, dtype_of<T>, std::move(shape), {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

/// The same with one dimension.
template <class T>
Tensor make_column(const char* name, const std::vector<T>& values) {
  return make_tensor<T>(name, {values.size()}, values);
}

template <class T>
struct TensorValues {
  std::vector<std::uint64_t> shape;
  std::vector<T> values;
};

/// Copies the numbers of a tensor. Throws FileError if it is missing or has another dtype or rank.
template <class T>
TensorValues<T> read_tensor(const Container& container, const std::string& name, std::size_t rank) {
  const Tensor* tensor = container.find_tensor(name);
  if (!tensor) throw core::FileError("damaged (tensor '" + name + "' is missing)");
  if (tensor->dtype != dtype_of<T> || tensor->shape.size() != rank)
    throw core::FileError("damaged (tensor '" + name + "' is not " + dtype_of<T> + " with " + std::to_string(rank) +
                          " dimensions)");
  TensorValues<T> array{tensor->shape, std::vector<T>(tensor->bytes.size() / sizeof(T))};
  if (!array.values.empty()) std::memcpy(array.values.data(), tensor->bytes.data(), tensor->bytes.size());
  return array;
}

/// Copies the numbers of a tensor with one dimension.
template <class T>
std::vector<T> read_column(const Container& container, const std::string& name) {
  return read_tensor<T>(container, name, 1).values;
}

/// Throws FileError if the shapes differ.
void expect_shape(const char* name, const std::vector<std::uint64_t>& shape,
                  const std::vector<std::uint64_t>& expected);

}  // namespace accrete::io

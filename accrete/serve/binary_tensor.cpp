#include "accrete/serve/binary_tensor.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "accrete/serve/request_error.hpp"

namespace accrete::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied without swapping bytes");

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// IEEE 754 binary16.
double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31) return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double element(const Datatype& type, const char* at) {
  using Kind = Datatype::Kind;
  switch (type.kind) {
    case Kind::floating:
      if (type.bytes == 2) return half_value(load<std::uint16_t>(at));
      return type.bytes == 4 ? static_cast<double>(load<float>(at)) : load<double>(at);
    case Kind::signed_integer:
      if (type.bytes == 1) return load<std::int8_t>(at);
      if (type.bytes == 2) return load<std::int16_t>(at);
      return type.bytes == 4 ? load<std::int32_t>(at) : static_cast<double>(load<std::int64_t>(at));
    case Kind::boolean:
      return *at ? 1.0 : 0.0;
    default:
      if (type.bytes == 1) return load<std::uint8_t>(at);
      if (type.bytes == 2) return load<std::uint16_t>(at);
      return type.bytes == 4 ? load<std::uint32_t>(at) : static_cast<double>(load<std::uint64_t>(at));
  }
}

void read_texts(Tensor& tensor, std::string_view bytes, std::size_t count) {
  const auto refuse = [&] {
    throw RequestError(fmt::format("input '{}': its bytes are not {} texts, each with its length in 4 bytes before it",
                                   tensor.name, count));
  };
  if (bytes.size() / sizeof(std::uint32_t) < count) refuse();
  tensor.texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes.size() < sizeof(std::uint32_t)) refuse();
    const std::size_t length = load<std::uint32_t>(bytes.data());
    bytes.remove_prefix(sizeof(std::uint32_t));
    if (bytes.size() < length) refuse();
    tensor.texts.emplace_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  if (!bytes.empty()) refuse();
}

}  // namespace

void read_binary(Tensor& tensor, std::string_view bytes) {
  const std::size_t count = element_count(tensor.shape).value_or(std::numeric_limits<std::size_t>::max());
  if (tensor.datatype->is_text()) return read_texts(tensor, bytes, count);
  const std::size_t size = tensor.datatype->bytes;
  if (bytes.size() % size != 0 || bytes.size() / size != count)
    throw RequestError(fmt::format("input '{}': {} bytes; {} of shape {} takes {} for each element", tensor.name,
                                   bytes.size(), tensor.datatype->name, show_shape(tensor.shape), size));
  tensor.numbers.resize(count);
  for (std::size_t i = 0; i < count; ++i) tensor.numbers[i] = element(*tensor.datatype, bytes.data() + i * size);
}

void append_binary(std::string& bytes, std::span<const double> numbers, const Datatype& type) {
  if (type.kind == Datatype::Kind::boolean)
    for (const double x : numbers) bytes += x > 0.0 ? '\1' : '\0';
  else
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void append_binary(std::string& bytes, std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    const auto length = static_cast<std::uint32_t>(text.size());
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes += text;
  }
}

}  // namespace accrete::serve

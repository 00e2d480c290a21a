#include "accrete/serve/tensor.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace accrete::serve {
namespace {

using DataKind = Datatype::Kind;

constexpr std::array datatypes{Datatype{"BOOL", DataKind::boolean, 1},
                               Datatype{"UINT8", DataKind::unsigned_integer, 1},
                               Datatype{"UINT16", DataKind::unsigned_integer, 2},
                               Datatype{"UINT32", DataKind::unsigned_integer, 4},
                               Datatype{"UINT64", DataKind::unsigned_integer, 8},
                               Datatype{"INT8", DataKind::signed_integer, 1},
                               Datatype{"INT16", DataKind::signed_integer, 2},
                               Datatype{"INT32", DataKind::signed_integer, 4},
                               Datatype{"INT64", DataKind::signed_integer, 8},
                               Datatype{"FP16", DataKind::floating, 2},
                               Datatype{"FP32", DataKind::floating, 4},
                               Datatype{"FP64", DataKind::floating, 8},
                               Datatype{"BYTES", DataKind::bytes, 0}};

}  // namespace

const Datatype* find_datatype(std::string_view name) {
  const auto found = std::ranges::find(datatypes, name, &Datatype::name);
  return found == datatypes.end() ? nullptr : &*found;
}

std::string datatype_names() {
  std::string names;
  for (const Datatype& type : datatypes) names += (names.empty() ? "" : ", ") + std::string(type.name);
  return names;
}

std::optional<std::size_t> element_count(const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
  return count;
}

std::string show_shape(const std::vector<std::size_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace accrete::serve

#include "accrete/serve/json_values.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "accrete/serve/request_error.hpp"

namespace accrete::serve {
namespace {

[[noreturn]] void refuse(const Tensor& tensor, const std::string& why) {
  throw RequestError(fmt::format("input '{}': {}", tensor.name, why));
}

/// A missing value is valid for any datatype.
void check_range(const Tensor& tensor) {
  const Datatype& type = *tensor.datatype;
  const int bits = static_cast<int>(8 * type.bytes);
  const bool is_signed = type.kind == Datatype::Kind::signed_integer;
  const double high = type.kind == Datatype::Kind::boolean ? 2.0 : std::ldexp(1.0, is_signed ? bits - 1 : bits);
  const double low = is_signed ? -high : 0.0;
  const bool is_rounded = bits == 64;  // the largest whole number becomes 2^63 or 2^64, as the numbers are doubles
  for (const double x : tensor.numbers)
    if (!std::isnan(x) && (x != std::floor(x) || x < low || x > high || (x == high && !is_rounded)))
      refuse(tensor, fmt::format("{} is not of datatype {}", x, type.name));
}

}  // namespace

void check_json_values(Tensor& tensor, const JsonValues& found) {
  if (element_count(tensor.shape) != tensor.numbers.size())
    refuse(tensor, fmt::format("{} values for the shape {}", tensor.numbers.size(), show_shape(tensor.shape)));
  if (found.row_length > 0 && (tensor.shape.size() != 2 || found.row_length != tensor.shape[1]))
    refuse(tensor, fmt::format("rows of {} values for the shape {}", found.row_length, show_shape(tensor.shape)));
  if (tensor.datatype->is_text()) {
    if (found.numbers) refuse(tensor, "datatype BYTES needs texts; a number was given");
    tensor.texts.resize(tensor.numbers.size());  // applies if all values are null
    tensor.numbers.clear();
    return;
  }
  if (!tensor.texts.empty())
    refuse(tensor, fmt::format("datatype {} needs numbers; a text was given", tensor.datatype->name));
  if (found.booleans && tensor.datatype->kind != Datatype::Kind::boolean)
    refuse(tensor, fmt::format("datatype {} needs numbers; true or false was given", tensor.datatype->name));
  if (tensor.datatype->is_whole()) check_range(tensor);
}

}  // namespace accrete::serve

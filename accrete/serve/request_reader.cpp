#include "accrete/serve/request_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accrete/core/suggest.hpp"
#include "accrete/serve/json_values.hpp"
#include "accrete/serve/request_error.hpp"

namespace accrete::serve {
namespace {

constexpr std::size_t max_keys = 256;  // per object
constexpr std::size_t max_depth = 2;   // of data: a list, or a list of rows
constexpr std::size_t max_tensors = 100'000;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

InferRequest RequestReader::read(std::string_view json) {
  read_json(json, *this);
  if (request_.inputs.empty()) throw RequestError("the request has no 'inputs'");
  return std::move(request_);
}

void RequestReader::refuse(const std::string& why) const {
  throw RequestError(fmt::format("{}: {}", here(), why));
}

std::string RequestReader::here() const {
  switch (places_.back()) {
    case Place::input:
    case Place::shape:
    case Place::data:
      return tensor_.name.empty() ? fmt::format("input {}", request_.inputs.size() + 1)
                                  : fmt::format("input '{}'", tensor_.name);
    case Place::parameters:
      return fmt::format("parameter '{}'", key_);
    case Place::inputs:
      return "inputs";
    case Place::outputs:
    case Place::output:
      return "outputs";
    default:
      return key_.empty() ? "the request" : fmt::format("'{}'", key_);
  }
}

void RequestReader::null() {
  switch (places_.back()) {
    case Place::request:  // clients may write unused optional fields as null
    case Place::parameters:
    case Place::output:
      return;
    case Place::input:
      if (key_ == "parameters") return;
      break;
    case Place::data:
      if (!tensor_.texts.empty()) tensor_.texts.emplace_back();
      tensor_.numbers.push_back(missing);
      ++in_row_;
      return;
    default:
      break;
  }
  refuse("null is not allowed here");
}

void RequestReader::add_numbers(std::span<const double> values) {
  if (depth_ == 0) refuse("data must be a list");
  has_numbers_ = true;
  in_row_ += values.size();
  tensor_.numbers.insert(tensor_.numbers.end(), values.begin(), values.end());
}

void RequestReader::set_parameter(Parameter value) {
  (*parameters_)[key_] = std::move(value);
}

void RequestReader::boolean(bool value) {
  if (places_.back() == Place::data) {
    has_booleans_ = true;
    add_number(value ? 1.0 : 0.0);
  } else if (places_.back() == Place::parameters) {
    set_parameter(value);
  } else {
    refuse("true and false are not allowed here");
  }
}

void RequestReader::number_integer(std::int64_t value) {
  if (places_.back() == Place::data) return add_number(static_cast<double>(value));
  if (places_.back() != Place::parameters) refuse(fmt::format("{} is not allowed here", value));
  set_parameter(value);
}

void RequestReader::number_unsigned(std::uint64_t value) {
  if (places_.back() == Place::shape) return tensor_.shape.push_back(value);
  if (places_.back() == Place::data) return add_number(static_cast<double>(value));
  number_integer(static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)));
}

void RequestReader::decimals(std::span<const double> values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) refuse("a number is too large");
  if (places_.back() == Place::data) return add_numbers(values);
  if (places_.back() != Place::parameters) refuse(fmt::format("{} is not allowed here", values.front()));
  set_parameter(values.front());
}

void RequestReader::string(std::string_view value) {
  const Place place = places_.back();
  if (place == Place::data) {
    if (depth_ == 0) refuse("data must be a list");
    if (tensor_.texts.size() > limits_.max_rows)
      throw RequestError(413, fmt::format("{}: more than {} rows", here(), limits_.max_rows));
    if (tensor_.texts.empty()) tensor_.texts.resize(tensor_.numbers.size());  // only nulls so far
    tensor_.texts.emplace_back(value);
    tensor_.numbers.push_back(missing);
    ++in_row_;
  } else if (place == Place::parameters) {
    set_parameter(std::string(value));
  } else if (place == Place::request && key_ == "id") {
    request_.id = value;
  } else if (place == Place::input && key_ == "name") {
    tensor_.name = value;
  } else if (place == Place::input && key_ == "datatype") {
    tensor_.datatype = find_datatype(value);
    if (!tensor_.datatype) refuse(fmt::format("unknown datatype '{}'; known: {}", value, datatype_names()));
  } else if (place == Place::output && key_ == "name") {
    request_.outputs.back().name = value;
  } else {
    refuse("a text is not allowed here");
  }
}

void RequestReader::start_object() {
  const Place place = places_.back();
  keys_.emplace_back();
  if (place == Place::start) {
    places_.push_back(Place::request);
  } else if (place == Place::inputs) {
    if (request_.inputs.size() >= max_tensors) refuse("too many inputs");
    tensor_ = {};
    request_.input_parameters.emplace_back();
    has_shape_ = has_values_ = has_numbers_ = has_booleans_ = false;
    row_length_ = in_row_ = 0;
    places_.push_back(Place::input);
  } else if (place == Place::outputs) {
    if (request_.outputs.size() >= max_keys) refuse("too many outputs");
    request_.outputs.emplace_back();
    places_.push_back(Place::output);
  } else if (key_ == "parameters" && (place == Place::request || place == Place::input || place == Place::output)) {
    parameters_ = place == Place::request ? &request_.parameters
                  : place == Place::input ? &request_.input_parameters.back()
                                          : &request_.outputs.back().parameters;
    places_.push_back(Place::parameters);
  } else {
    refuse("an object is not allowed here");
  }
}

/// The keys of an object; empty: any.
std::span<const std::string_view> RequestReader::known_keys(Place place) {
  static constexpr std::array<std::string_view, 4> request{"id", "parameters", "inputs", "outputs"};
  static constexpr std::array<std::string_view, 5> input{"name", "shape", "datatype", "parameters", "data"};
  static constexpr std::array<std::string_view, 2> output{"name", "parameters"};
  switch (place) {
    case Place::request:
      return request;
    case Place::input:
      return input;
    case Place::output:
      return output;
    default:
      return {};
  }
}

void RequestReader::key(std::string_view name) {
  auto& keys = keys_.back();
  if (std::ranges::find(keys, name) != keys.end()) refuse(fmt::format("the key '{}' appears twice", name));
  if (keys.size() >= max_keys) refuse("too many keys");
  const Place place = places_.back();
  const std::span<const std::string_view> known = known_keys(place);
  key_ = name;
  keys.emplace_back(name);
  if (known.empty() || std::ranges::find(known, name) != known.end()) return;
  key_.clear();
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  refuse(fmt::format("unknown key '{}'; known: {}{}", name, list, core::did_you_mean(name, list)));
}

void RequestReader::end_object() {
  if (places_.back() == Place::input) finish_input();
  if (places_.back() == Place::output && request_.outputs.back().name.empty()) refuse("an output has no name");
  places_.pop_back();
  keys_.pop_back();
}

void RequestReader::start_array() {
  const Place place = places_.back();
  if (place == Place::request && (key_ == "inputs" || key_ == "outputs")) {
    places_.push_back(key_ == "inputs" ? Place::inputs : Place::outputs);
  } else if (place == Place::input && key_ == "shape") {
    has_shape_ = true;
    places_.push_back(Place::shape);
  } else if (place == Place::data || (place == Place::input && key_ == "data")) {
    if (++depth_ > max_depth) refuse("data is nested too deeply; a list, or a list of rows, is allowed");
    if (depth_ == 2 && row_length_ == 0 && in_row_ > 0) refuse("data mixes values and lists");
    if (depth_ == 2) in_row_ = 0;
    has_values_ = true;
    places_.push_back(Place::data);
  } else {
    refuse("a list is not allowed here");
  }
}

void RequestReader::end_array() {
  if (places_.back() == Place::data && depth_-- == 2) {
    if (in_row_ == 0) refuse("data has an empty row");
    if (row_length_ == 0) row_length_ = in_row_;
    if (in_row_ != row_length_) refuse(fmt::format("data has rows of {} and {} values", row_length_, in_row_));
    in_row_ = 0;
  } else if (depth_ == 0 && row_length_ > 0 && in_row_ > 0) {
    refuse("data mixes values and lists");
  }
  places_.pop_back();
}

void RequestReader::finish_input() {
  if (tensor_.name.empty()) refuse("no name");
  if (!tensor_.datatype) refuse("no datatype");
  if (!has_shape_) refuse("no shape");
  if (tensor_.shape.empty() || tensor_.shape.size() > 2)
    refuse(fmt::format("shape {} must be [rows] or [rows, columns]", show_shape(tensor_.shape)));
  if (tensor_.shape[0] > limits_.max_rows)
    throw RequestError(413,
                       fmt::format("{}: {} rows; at most {} are allowed", here(), tensor_.shape[0], limits_.max_rows));
  if (request_.input_parameters.back().contains("shared_memory_region")) refuse("shared memory is not supported");
  if (has_values_)
    check_json_values(tensor_, {.numbers = has_numbers_, .booleans = has_booleans_, .row_length = row_length_});
  has_data_.push_back(has_values_);
  request_.inputs.push_back(std::move(tensor_));
  tensor_ = {};
}

}  // namespace accrete::serve

#include "accrete/io/model_file/json_fields.hpp"

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::io {

using Json = nlohmann::ordered_json;

const std::string& text_of(const Json& value, const char* key) {
  if (!value.is_string()) refuse_description(fmt::format("'{}' is not text", key));
  return value.get_ref<const std::string&>();
}

void refuse_description(const std::string& why) {
  throw core::FileError(fmt::format("damaged ({}: {})", description_name, why));
}

const Json& field(const Json& object, const char* key) {
  if (!object.is_object()) refuse_description(fmt::format("the parent of '{}' is not an object", key));
  const auto found = object.find(key);
  if (found == object.end()) refuse_description(fmt::format("'{}' is missing", key));
  return *found;
}

const std::string& text_field(const Json& object, const char* key) {
  return text_of(field(object, key), key);
}

std::uint64_t count_field(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_number_unsigned()) refuse_description(fmt::format("'{}' is not a count", key));
  return value.get<std::uint64_t>();
}

double number_field(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_number()) refuse_description(fmt::format("'{}' is not a number", key));
  return value.get<double>();
}

const Json& list_field(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_array()) refuse_description(fmt::format("'{}' is not a list", key));
  return value;
}

std::vector<std::string> texts_field(const Json& object, const char* key) {
  std::vector<std::string> texts;
  for (const Json& item : list_field(object, key)) texts.push_back(text_of(item, key));
  return texts;
}

std::vector<double> numbers_field(const Json& object, const char* key) {
  std::vector<double> numbers;
  for (const Json& item : list_field(object, key)) {
    if (!item.is_number()) refuse_description(fmt::format("'{}' is not a list of numbers", key));
    numbers.push_back(item.get<double>());
  }
  return numbers;
}

}  // namespace accrete::io

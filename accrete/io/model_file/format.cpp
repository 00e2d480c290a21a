#include "accrete/io/model_file/format.hpp"

#include <fmt/format.h>

#include <string>

#include "accrete/core/error.hpp"
#include "accrete/data/recognise/date_text.hpp"

namespace accrete::io {
namespace {

using Json = nlohmann::ordered_json;
using data::DateOrder;
using data::DatePart;

[[noreturn]] void refuse(const std::string& key) {
  throw core::FileError(fmt::format("damaged (the model's description: '{}' of a format is not valid)", key));
}

const std::string& text_of(const std::string& key, const Json& value) {
  if (!value.is_string()) refuse(key);
  return value.get_ref<const std::string&>();
}

/// The enumerator with this name.
template <class Enum>
Enum named(const std::string& key, const std::string& name, std::initializer_list<Enum> all,
           const char* (*name_of)(Enum)) {
  for (const Enum value : all)
    if (name == name_of(value)) return value;
  refuse(key);
}

void read_field(const std::string& key, const Json& value, data::TextFormat& format) {
  if (key == "decimal" && value == ",")
    format.decimal = ',';
  else if (key == "thousands")
    format.thousands = text_of(key, value);
  else if (key == "prefix")
    format.prefix = text_of(key, value);
  else if (key == "suffix")
    format.suffix = text_of(key, value);
  else if (key == "others_missing" && value.is_boolean())
    format.others_missing = value.get<bool>();
  else if (key == "missing" && value.is_array())
    for (const Json& text : value) format.missing.push_back(text_of(key, text));
  else if (key == "date")
    format.order =
        named(key, text_of(key, value), {DateOrder::ymd, DateOrder::dmy, DateOrder::mdy}, data::date_order_name);
  else if (key == "part")
    format.part = named(key, text_of(key, value),
                        {DatePart::days, DatePart::year, DatePart::month, DatePart::weekday, DatePart::hour},
                        data::date_part_name);
  else if (key == "column")
    format.column = text_of(key, value);
  else
    refuse(key);
}

}  // namespace

Json describe_format(const data::TextFormat& format) {
  Json object = Json::object();
  if (format.decimal != '.') object["decimal"] = std::string(1, format.decimal);
  if (!format.thousands.empty()) object["thousands"] = format.thousands;
  if (!format.prefix.empty()) object["prefix"] = format.prefix;
  if (!format.suffix.empty()) object["suffix"] = format.suffix;
  if (format.others_missing) object["others_missing"] = true;
  if (!format.missing.empty()) object["missing"] = format.missing;
  if (!format.is_date()) return object;
  object["date"] = data::date_order_name(format.order);
  object["part"] = data::date_part_name(format.part);
  object["column"] = format.column;
  return object;
}

data::TextFormat read_format(const Json& object) {
  if (!object.is_object()) refuse("format");
  data::TextFormat format;
  for (const auto& [key, value] : object.items()) read_field(key, value, format);
  if (format.is_date() == format.column.empty()) refuse("column");
  return format;
}

}  // namespace accrete::io

#pragma once
// Checked access to the fields of a model's description. Each function throws FileError that names the field if it is
// missing or has the wrong type.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace accrete::io {

constexpr const char* description_name = "the model's description";

[[noreturn]] void refuse_description(const std::string& why);

const nlohmann::ordered_json& field(const nlohmann::ordered_json& object, const char* key);
const std::string& text_of(const nlohmann::ordered_json& value, const char* key);
const std::string& text_field(const nlohmann::ordered_json& object, const char* key);
std::uint64_t count_field(const nlohmann::ordered_json& object, const char* key);
double number_field(const nlohmann::ordered_json& object, const char* key);
const nlohmann::ordered_json& list_field(const nlohmann::ordered_json& object, const char* key);
std::vector<std::string> texts_field(const nlohmann::ordered_json& object, const char* key);
std::vector<double> numbers_field(const nlohmann::ordered_json& object, const char* key);

}  // namespace accrete::io

#include "message.hpp"

namespace accrete::python {
namespace {

std::string spell(const core::ParameterReference& parameter) {
  if (const auto row = python_rows.name(parameter)) return *row;
  std::string name = parameter.name;
  for (const auto& [library, python] : renamed_parameters)
    if (parameter.name == library) name = python;
  if (!parameter.value) return name;
  const std::string& value = *parameter.value;
  return name + "=" + (value == "on" ? "True" : value == "off" ? "False" : value);
}

}  // namespace

std::string render(const core::Message& message) {
  return message.render(spell);
}

std::vector<std::string> render(const std::vector<core::Message>& notes) {
  std::vector<std::string> lines;
  for (const core::Message& note : notes) lines.push_back(render(note));
  return lines;
}

}  // namespace accrete::python

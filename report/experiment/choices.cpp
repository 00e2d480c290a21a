// Section: how often each parameter value was chosen.

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

/// Numbers by value, then texts.
struct ByValue {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto key = [](const std::string& text) {
      char* end = nullptr;
      const double number = std::strtod(text.c_str(), &end);
      return std::tuple(*end != '\0', *end != '\0' ? 0.0 : number, text);
    };
    return key(a) < key(b);
  }
};

using Counts = std::map<std::string, std::size_t, ByValue>;  // by value
using SettingCounts = std::map<std::string, Counts>;         // by setting

SettingCounts count_choices(const ProfileTable& table, std::size_t method, data::Task kind) {
  SettingCounts counts;
  for (const TaskRow& row : table.rows)
    if (row.task->kind == kind && row.cells[method])
      for (const experiment::TestPart& part : row.cells[method]->parts)
        for (const auto& [name, value] : part.settings) ++counts[name][value];
  return counts;
}

std::string show_counts(const Counts& counts) {
  std::string text;
  for (const auto& [value, count] : counts) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", value, count);
  return text.empty() ? "\u2013" : text;
}

}  // namespace

void add_choices(Document& document, const ProfileTable& table) {
  constexpr data::Task kinds[] = {data::Task::binary, data::Task::multiclass, data::Task::regression};
  RichTable counts_table{fmt::format("choices-{}", table.profile->name),
                         {"setting", "two classes", "more classes", "regression"},
                         {},
                         "How often each setting was chosen"};
  for (std::size_t m = 0; m < experiment::methods().size(); ++m) {
    std::map<std::string, std::vector<Entry>> rows;  // by setting
    for (std::size_t k = 0; k < std::size(kinds); ++k)
      for (const auto& [name, counts] : count_choices(table, m, kinds[k])) {
        auto& row =
            rows.try_emplace(name, std::vector<Entry>{{name}, {"\u2013"}, {"\u2013"}, {"\u2013"}}).first->second;
        row[k + 1] = {show_counts(counts)};
      }
    if (rows.empty()) continue;
    counts_table.rows.push_back({{std::string(experiment::methods()[m].title)}});
    for (auto& [name, row] : rows) counts_table.rows.push_back(std::move(row));
  }
  if (!counts_table.rows.empty()) document.add(std::move(counts_table));
}

}  // namespace accrete::report

#include "accrete/boosting/constraints.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/suggest.hpp"

namespace accrete::boosting {
namespace {

/// The column of the table that the input comes from.
const std::string& table_column(const data::Input& input) {
  return input.format.is_date() ? input.format.column : input.name;
}

[[noreturn]] void refuse_unknown(const char* parameter, const std::string& name, const data::Encoder& encoder) {
  std::vector<std::string> columns;
  for (const data::Input& input : encoder.inputs()) columns.push_back(table_column(input));
  refuse_unread_column(parameter, name, columns);
}

std::size_t find_monotone(const std::string& name, const data::Encoder& encoder) {
  const auto& inputs = encoder.inputs();
  const auto refuse = [&](const char* what) {
    throw core::UsageError(core::message("{} names the column '{}', which {}; it must be a number",
                                         core::parameter("monotone"), name, what));
  };
  for (std::size_t c = 0; c < inputs.size(); ++c) {
    if (inputs[c].name != name && table_column(inputs[c]) != name) continue;
    if (inputs[c].format.is_date()) refuse("is a date");
    if (inputs[c].kind != data::Column::Kind::numeric) refuse("is a category");
    return c;
  }
  refuse_unknown("monotone", name, encoder);
}

std::vector<int> feature_directions(const config::Monotone& monotone, const data::Encoder& encoder) {
  std::vector<int> directions(monotone.empty() ? 0 : encoder.features(), 0);
  for (const auto& [name, increasing] : monotone)
    for (const data::FeatureGroup& group : encoder.columns()[find_monotone(name, encoder)].groups())
      if (!std::holds_alternative<data::GapFlag>(group.encoding))
        std::fill_n(directions.begin() + static_cast<std::ptrdiff_t>(group.first), group.count, increasing ? 1 : -1);
  return directions;
}

/// The inputs of these table columns as a group.
template <class IsMember>
InteractionGroup make_group(const data::Encoder& encoder, const IsMember& is_member) {
  InteractionGroup group;
  std::size_t column = 0;
  for (std::size_t c = 0; c < encoder.inputs().size(); ++c) {
    const data::ColumnEncoding& encoding = encoder.columns()[c];
    if (encoding.width() == 0) continue;
    if (is_member(encoder.inputs()[c])) {
      group.columns.push_back(column);
      for (std::size_t f = 0; f < encoding.width(); ++f) group.features.push_back(encoding.first() + f);
    }
    ++column;
  }
  return group;
}

bool contains(const std::vector<std::string>& names, const data::Input& input) {
  return std::ranges::find(names, table_column(input)) != names.end() ||
         std::ranges::find(names, input.name) != names.end();
}

/// The column names of each group. Columns in no given group form one more group, or one group each in an additive
/// model.
std::vector<std::vector<std::string>> named_groups(const config::Interactions& given, const data::Encoder& encoder) {
  std::vector<std::vector<std::string>> groups = given.groups;
  std::vector<std::string> others;
  for (const data::Input& input : encoder.inputs()) {
    const auto has_it = [&](const auto& names) { return contains(names, input); };
    if (std::ranges::any_of(groups, has_it) || has_it(others)) continue;
    if (given.additive)
      groups.push_back({table_column(input)});
    else
      others.push_back(table_column(input));
  }
  if (!others.empty()) groups.push_back(others);
  return groups;
}

std::vector<InteractionGroup> interaction_groups(const config::Interactions& given, const data::Encoder& encoder) {
  std::vector<InteractionGroup> groups;
  if (given.empty()) return groups;
  for (const auto& names : given.groups)
    for (const std::string& name : names)
      if (std::ranges::none_of(encoder.inputs(), [&](const auto& input) { return contains({name}, input); }))
        refuse_unknown("interactions", name, encoder);
  for (const auto& names : named_groups(given, encoder)) {
    InteractionGroup group = make_group(encoder, [&](const data::Input& input) { return contains(names, input); });
    if (!group.features.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

void refuse_unread_column(const char* parameter, const std::string& name, std::span<const std::string> columns) {
  std::string names;
  for (const std::string& column : columns) names += (names.empty() ? "" : ", ") + column;
  throw core::UsageError(core::message("{} names the column '{}', which the model does not read{}",
                                       core::parameter(parameter), name, core::did_you_mean(name, names)));
}

FeatureConstraints feature_constraints(const config::ResolvedConfig& config, const data::Encoder& encoder) {
  return {feature_directions(config.monotone, encoder), interaction_groups(config.interactions, encoder)};
}

}  // namespace accrete::boosting

#include "accrete/config/row_weights.hpp"

#include <fmt/format.h>

#include <utility>

#include "accrete/config/name_scanner.hpp"
#include "accrete/data/table.hpp"

namespace accrete::config {
namespace {

constexpr std::string_view group_special = ",;:=\"";

/// Reads name:weight,name:weight to the end of the text; `sign` separates a name from its weight.
std::optional<std::vector<NamedWeight>> take_weights(NameScanner& from, char sign) {
  std::vector<NamedWeight> weights;
  do {
    auto name = from.take_name();
    if (!name || !from.take(sign)) return std::nullopt;
    const auto weight = data::parse_number(from.take_until(","));
    if (!weight) return std::nullopt;
    weights.push_back({std::move(*name), *weight});
  } while (from.take(','));
  return from.is_at_end() ? std::optional(std::move(weights)) : std::nullopt;
}

std::string join(const std::vector<NamedWeight>& weights, char sign, std::string_view special) {
  std::string text;
  for (const auto& [name, weight] : weights)
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ",", quoted_name(name, special), sign, weight);
  return text;
}

}  // namespace

std::optional<ClassWeights> parse_class_weights(std::string_view text) {
  if (text == "none") return ClassWeights{};
  if (text == "balanced") return ClassWeights{.balanced = true};
  NameScanner from(text);
  auto weights = take_weights(from, ':');
  return weights ? std::optional(ClassWeights{.named = std::move(*weights)}) : std::nullopt;
}

std::optional<GroupWeights> parse_group_weights(std::string_view text) {
  if (text == "none") return GroupWeights{};
  NameScanner from(text, group_special);
  auto column = from.take_name();
  if (!column || column->empty()) return std::nullopt;
  GroupWeights groups{.column = std::move(*column)};
  if (from.is_at_end()) return groups;
  if (!from.take(':')) return std::nullopt;
  auto weights = take_weights(from, '=');
  if (!weights) return std::nullopt;
  groups.named = std::move(*weights);
  return groups;
}

std::string text_of(const ClassWeights& weights) {
  if (weights.empty()) return "none";
  return weights.balanced ? "balanced" : join(weights.named, ':', special_characters);
}

std::string text_of(const GroupWeights& weights) {
  if (weights.empty()) return "none";
  const std::string column = quoted_name(weights.column, group_special);
  return weights.named.empty() ? column : column + ':' + join(weights.named, '=', group_special);
}

}  // namespace accrete::config

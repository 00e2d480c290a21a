#include "accrete/boosting/rows/row_weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/row_groups.hpp"
#include "accrete/data/target.hpp"

namespace accrete::boosting {
namespace {

constexpr double max_weight = 1e100;  // keeps sums over rows finite

/// The names that a parameter may use: the classes of the target, or the values of a column.
struct KnownNames {
  const char* parameter;
  const char* what;  ///< "class", "value"
  std::span<const std::string> names;
};

[[noreturn]] void refuse(const KnownNames& known, const config::NamedWeight& entry, const std::string& why) {
  throw core::UsageError(core::parameter(known.parameter),
                         core::message("the {} '{}' {}", known.what, entry.name, why));
}

/// Matches by text first, then by number: 1.0 is 1.
std::size_t find_name(const KnownNames& known, const config::NamedWeight& entry) {
  auto at = std::ranges::find(known.names, entry.name);
  if (const auto number = data::parse_number(entry.name); at == known.names.end() && number)
    at = std::ranges::find_if(known.names, [&](const auto& name) { return data::parse_number(name) == number; });
  if (at == known.names.end())
    refuse(known, entry,
           fmt::format("is unknown; allowed: {}{}", data::list_names(known.names),
                       core::did_you_mean(entry.name, fmt::format("{}", fmt::join(known.names, ", ")))));
  return static_cast<std::size_t>(at - known.names.begin());
}

/// One weight per known name, 1 unless given.
std::vector<double> weights_of(const KnownNames& known, std::span<const config::NamedWeight> given) {
  std::vector<double> weights(known.names.size(), 1.0);
  std::vector<char> is_given(known.names.size(), 0);
  for (const config::NamedWeight& entry : given) {
    const std::size_t at = find_name(known, entry);
    if (is_given[at]) refuse(known, entry, "is named twice");
    if (!(entry.weight > 0.0 && entry.weight <= max_weight))
      refuse(known, entry,
             fmt::format("has the weight {}, which must be above 0 and at most {}", entry.weight, max_weight));
    is_given[at] = 1;
    weights[at] = entry.weight;
  }
  return weights;
}

/// Factors that give every group the same total weight over the rows. Groups without any of these rows get factor 1.
std::vector<double> balancing_weights(const data::RowGroups& groups, std::span<const double> weights,
                                      std::span<const std::size_t> rows) {
  std::vector<double> totals(groups.names.size() + 1, 0.0), factors(totals.size(), 1.0);
  double all = 0.0;
  for (const std::size_t r : rows) {
    totals[groups.of_row[r]] += weights[r];
    all += weights[r];
  }
  const auto present = static_cast<double>(std::ranges::count_if(totals, [](double total) { return total > 0.0; }));
  for (std::size_t g = 0; g < totals.size(); ++g)
    if (totals[g] > 0.0) factors[g] = all / (present * totals[g]);
  return factors;
}

const data::Column& group_column(const data::Table& table, const std::string& name) {
  if (const auto at = table.find(name)) return table.columns[*at];
  std::vector<std::string> names;
  for (const data::Column& column : table.columns) {
    if (column.format.is_date() && column.format.column == name)
      throw core::UsageError(
          core::message("{} names the column '{}', which is a date; use one of its parts, such as '{}'",
                        core::parameter("group_weight"), name, column.name));
    names.push_back(column.name);
  }
  throw core::UsageError(core::message("{} names the column '{}', which {} does not have{}",
                                       core::parameter("group_weight"), name, table.source,
                                       core::did_you_mean(name, fmt::format("{}", fmt::join(names, ", ")))));
}

}  // namespace

void weigh_rows(TrainingTable& table, std::span<const std::size_t> training_rows, const PreparedFit& fit) {
  const auto& by_class = fit.config.class_weight.named;
  if (!by_class.empty()) {
    const auto factors = weights_of({"class_weight", "class", fit.model.classes}, by_class);
    for (std::size_t r = 0; r < table.weights.size(); ++r)
      table.weights[r] *= factors[static_cast<std::size_t>(table.targets(r, 0))];
  }
  const config::GroupWeights& by_group = fit.config.group_weight;
  if (by_group.empty()) return;
  const data::RowGroups groups = data::read_groups(group_column(table.table(), by_group.column));
  auto factors = by_group.named.empty() ? balancing_weights(groups, table.weights, training_rows)
                                        : weights_of({"group_weight", "value", groups.names}, by_group.named);
  factors.resize(groups.names.size() + 1, 1.0);
  for (std::size_t r = 0; r < table.weights.size(); ++r) table.weights[r] *= factors[groups.of_row[r]];
}

}  // namespace accrete::boosting

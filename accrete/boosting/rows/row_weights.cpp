#include "accrete/boosting/rows/row_weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/row_groups.hpp"
#include "accrete/data/target.hpp"

namespace accrete::boosting {
namespace {

constexpr double max_weight = 1e30;  // as a float, times any usual sample weight

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

/// Sample weights are floats, so the products are rounded to float too: the fit is that of a weight column with them.
void round_products(TrainingTable& table, std::span<const double> products) {
  for (std::size_t r = 0; r < products.size(); ++r) {
    const auto rounded = static_cast<float>(products[r]);
    if (std::isinf(rounded) || (rounded == 0.0f && products[r] > 0.0))
      throw core::DataError(
          core::message("{}: {}: its weight times the weights of its class and group is {:g}, beyond "
                        "single precision; divide the weights by a constant",
                        table.table().source, core::row(r), products[r]));
    table.weights[r] = static_cast<double>(rounded);
  }
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
  const config::GroupWeights& by_group = fit.config.group_weight;
  std::vector<double> products = table.weights;
  if (!by_class.empty()) {
    const auto factors = weights_of({"class_weight", "class", fit.model.classes}, by_class);
    for (std::size_t r = 0; r < products.size(); ++r)
      products[r] *= factors[static_cast<std::size_t>(table.targets(r, 0))];
  }
  std::optional<data::RowGroups> groups;
  if (!by_group.empty()) groups = data::read_groups(group_column(table.table(), by_group.column));
  const auto multiply = [&](std::span<double> weights, std::vector<double> factors) {
    factors.resize(groups->names.size() + 1, 1.0);
    for (std::size_t r = 0; r < weights.size(); ++r) weights[r] *= factors[groups->of_row[r]];
  };
  if (!by_group.named.empty()) multiply(products, weights_of({"group_weight", "value", groups->names}, by_group.named));
  if (!by_class.empty() || !by_group.named.empty()) round_products(table, products);
  if (groups && by_group.named.empty())
    multiply(table.weights, balancing_weights(*groups, table.weights, training_rows));
}

}  // namespace accrete::boosting

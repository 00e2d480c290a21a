#include "report/experiment/figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/experiment/methods.hpp"
#include "accrete/experiment/tasks.hpp"
#include "report/charts/text.hpp"

namespace accrete::report {
namespace {

template <class List>
std::size_t index_in(const List& list, const std::string& name) {
  const auto at = std::ranges::find(list, name, [](const auto& item) { return item.name; });
  return static_cast<std::size_t>(at - std::begin(list));
}

template <class List>
std::string title_in(const List& list, const std::string& name) {
  const std::size_t place = index_in(list, name);
  return place < list.size() ? std::string(list[place].title) : name;
}

}  // namespace

std::string figure_id(std::string_view kind, std::string_view profile, std::string_view rest) {
  std::string id = fmt::format("{}-{}-{}", kind, profile, rest);
  std::ranges::replace(id, '_', '-');
  return id;
}

std::string task_title(const std::string& name) {
  return title_in(experiment::tasks(), name);
}

std::string method_title(const std::string& name) {
  return title_in(experiment::methods(), name);
}

std::size_t task_index(const std::string& name) {
  return index_in(experiment::tasks(), name);
}

std::size_t method_index(const std::string& name) {
  return index_in(experiment::methods(), name);
}

Series curve_series(const std::string& name, const UnitsCurve& curve, double unit) {
  Series series{.name = name, .x = curve.units};
  for (std::size_t i = 0; i < curve.mean.size(); ++i) {
    series.y.push_back(unit * curve.mean[i]);
    series.low.push_back(unit * (curve.mean[i] - curve.se[i]));
    series.high.push_back(unit * (curve.mean[i] + curve.se[i]));
  }
  return series;
}

Table curve_table(const std::vector<NamedCurve>& curves, double unit) {
  constexpr std::size_t max_rows = 20;
  Table table{{"method", "units", "mean", "standard error"}, {}};
  for (const auto& [name, curve] : curves) {
    const std::size_t points = curve->units.size(), stride = (points + max_rows - 1) / max_rows;
    for (std::size_t i = 0; i < points; ++i)
      if (i % stride == 0 || i + 1 == points)
        table.rows.push_back({name, fmt::format("{}", curve->units[i]), show_number(unit * curve->mean[i]),
                              fmt::format("{:.2g}", unit * curve->se[i])});
  }
  return table;
}

}  // namespace accrete::report

// The figures of an additive model: the function of each column.

#include <fmt/format.h>

#include <algorithm>

#include "report/charts/text.hpp"
#include "report/model/model_report.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_levels = 30, max_shape_table_points = 20;

std::string effect_label(const model::Model& model) {
  if (model.task == data::Task::binary) return fmt::format("log odds of \u201c{}\u201d", shorten(model.classes[1], 24));
  const loss::Link link = model.loss.link();
  const char* scale = link == loss::Link::exponential   ? "log of "
                      : link == loss::Link::probability ? "log odds of "
                                                        : "";
  return scale + shorten(model.targets[0], 24);
}

}  // namespace

Figure shape_figure(const model::Model& model, const ColumnShape& shape, std::size_t number) {
  const std::string effect = "effect on " + effect_label(model);
  Plot plot{.title = shape.column, .x = {.label = shape.column}, .y = {.label = effect}};
  Table table{{shape.column, effect}, {}};
  Series series{.mark = shape.levels.empty() ? Mark::line : Mark::bars};
  const std::size_t count = shape.effect.size();
  if (shape.levels.empty()) {
    series.x = shape.x;
    series.y = shape.effect;
    for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, count / max_shape_table_points))
      table.rows.push_back({show_number(shape.x[i]), show_number(shape.effect[i])});
  } else {
    plot.x.label = effect;
    plot.y.label = "";
    for (std::size_t l = 0; l < count; ++l) {
      table.rows.push_back({shape.levels[l], show_number(shape.effect[l])});
      if (l >= max_levels) continue;
      series.x.push_back(shape.effect[l]);
      series.y.push_back(static_cast<double>(l));
      plot.y.categories.push_back(shape.levels[l]);
    }
  }
  std::string caption;
  if (shape.levels.size() > max_levels)
    caption = fmt::format("The first {} of {} levels; the table lists all.", max_levels, shape.levels.size());
  plot.series = {std::move(series)};
  return {fmt::format("shape-{}", number), std::move(caption), std::move(plot), std::move(table)};
}

}  // namespace accrete::report

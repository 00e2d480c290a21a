#include "cli/peers/peer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "accrete/boosting/read.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/text_file.hpp"
#include "accrete/tune/scores.hpp"
#include "cli/peers/process.hpp"

namespace accrete::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr PeerSetup all_peers[] = {
    {"trees", "scikit-learn", "scikit-learn's HistGradientBoosting with its defaults"},
    {"forest", "scikit-learn", "scikit-learn's random forest with its defaults"},
    {"xgboost", "xgboost", "XGBoost's gradient-boosted trees with their defaults"},
    {"lightgbm", "lightgbm", "LightGBM's gradient-boosted trees with their defaults"},
};

void write_numbers(const std::filesystem::path& path, std::span<const double> values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
  if (!file.flush()) throw core::FileError(fmt::format("cannot write '{}'", path.string()));
}

/// Row-major; a category is its code, and a level that occurs in no training row becomes missing.
std::vector<double> feature_values(const data::Table& table, std::span<const std::size_t> columns,
                                   std::span<const std::size_t> rows, std::span<const std::size_t> training_rows) {
  std::vector<double> values(rows.size() * columns.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const data::Column& column = table.columns[columns[c]];
    std::vector<bool> seen(column.levels.size(), false);
    if (column.kind == data::Column::Kind::text)
      for (const std::size_t row : training_rows)
        if (column.codes[row] >= 0) seen[static_cast<std::size_t>(column.codes[row])] = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double& value = values[r * columns.size() + c];
      if (column.kind == data::Column::Kind::numeric)
        value = column.number(rows[r]);
      else if (const auto code = column.codes[rows[r]]; code >= 0 && seen[static_cast<std::size_t>(code)])
        value = code;
    }
  }
  return values;
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::span<const PeerSetup> peers() {
  return all_peers;
}

std::map<std::string, std::string> installed_packages() {
  const ScratchFolder folder;
  const auto file = folder / "versions.json";
  if (run_python({"versions", file.string()}, folder / "log", {}) != ProcessEnd::success) return {};
  return Json::parse(io::read_text_file(file.string())).get<std::map<std::string, std::string>>();
}

std::string Peer::canonical(const tune::Setting& setting) const {
  throw core::UsageError(fmt::format("{} cannot be searched over: {} is compared as it is", setting.first, name()));
}

std::string Peer::text(const tune::Settings&, std::size_t) const {
  return fmt::format("peer {} {} {} weight_column={}", name(), setup_.package, version_, weight_column_);
}

std::optional<tune::FitRecord> Peer::fit(const tune::FitTask& task, const std::function<bool()>& stop) const {
  const data::Table& table = task.problem.table;
  const data::Target& target = task.problem.target;
  std::vector<std::size_t> targets;
  for (const std::string& column : target.names) targets.push_back(table.require(column));
  const auto columns = boosting::feature_columns(table, targets, {.weight = weight_column_});
  const auto all_weights = boosting::read_weights(table, weight_column_);
  Json spec{{"learner", name()},
            {"seed", task.seed},
            {"columns", columns.size()},
            {"classes", target.classes.size()},
            {"categorical", Json::array()}};
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (const data::Column& column = table.columns[columns[c]]; column.kind == data::Column::Kind::text)
      spec["categorical"].push_back({c, column.levels.size()});
  std::vector<double> y, weights;
  for (const std::size_t row : task.split.train) {
    y.push_back(target.values(row, 0));
    weights.push_back(all_weights[row]);
  }
  const ScratchFolder folder;
  std::ofstream(folder / "task.json") << spec.dump();
  write_numbers(folder / "train.f64", feature_values(table, columns, task.split.train, task.split.train));
  write_numbers(folder / "test.f64", feature_values(table, columns, task.split.test, task.split.train));
  write_numbers(folder / "target.f64", y);
  write_numbers(folder / "weights.f64", weights);
  const ProcessEnd end = run_python({folder.path().string()}, folder / "log", stop);
  if (end == ProcessEnd::stopped) return std::nullopt;
  if (end == ProcessEnd::failure)
    throw core::Error(fmt::format("{}: {}", name(), last_line(io::read_text_file((folder / "log").string()))));

  core::Matrix<double> predictions(task.split.test.size(), std::max<std::size_t>(1, target.classes.size()));
  std::ifstream file(folder / "predictions.f64", std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(predictions.flat().size_bytes());
  file.read(reinterpret_cast<char*>(predictions.flat().data()), bytes);
  if (file.gcount() != bytes) throw core::Error(fmt::format("{}: the program returned too few predictions", name()));
  tune::FitRecord record;
  record.seconds = std::stod(io::read_text_file((folder / "seconds.txt").string()));
  record.prefixes.push_back({task.units.back(), tune::scores_of(task.problem, task.split.test, predictions, {})});
  return record;
}

}  // namespace accrete::cli

#pragma once
// Invented results of experiments, as a store would hold them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "accrete/experiment/methods.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/experiment/tasks.hpp"
#include "report/experiment/page.hpp"

namespace accrete::report {

/// A cell of ten test folds around the mean (accuracy as a fraction); `spread` alternates in sign.
inline experiment::Cell invented_cell(const std::string& task, const std::string& method, double mean,
                                      double spread = 0.01) {
  const bool regression = experiment::task_named(task).kind == data::Task::regression;
  experiment::Cell cell{"quick", task, method, regression ? "rmse" : "accuracy", 100, 7, {}};
  for (std::size_t fold = 0; fold < 10; ++fold)
    cell.parts.push_back({0, fold, mean + (fold % 2 ? spread : -spread), {{"hidden", fold < 3 ? "12" : "200"}}});
  return cell;
}

/// Every method on these tasks: the first method is best in classes, the last in regression.
inline std::vector<store::Result> invented_table(const std::vector<std::string>& tasks) {
  std::vector<store::Result> results;
  for (const std::string& task : tasks)
    for (std::size_t m = 0; m < experiment::methods().size(); ++m)
      results.push_back(experiment::to_result(
          invented_cell(task, std::string(experiment::methods()[m].name), 0.9 - 0.03 * static_cast<double>(m))));
  return results;
}

inline store::Result invented(const std::string& experiment, const std::string& task, const std::string& method,
                              const nlohmann::ordered_json& document) {
  return {{experiment, "quick", task, method}, document.dump()};
}

inline store::Result invented_curve(const std::string& task, const std::string& method, std::vector<double> units) {
  const std::vector<double> mean(units.size(), 0.75), se(units.size(), 0.01);
  return invented("curves", task, method,
                  {{"metric", task == "energy_heating" ? "rmse" : "accuracy"},
                   {"folds", 10},
                   {"settings", {{"units_per_step", "3"}}},
                   {"units", units},
                   {"mean", mean},
                   {"se", se}});
}

inline store::Result invented_times(const std::string& task, const std::string& method, double seconds) {
  const nlohmann::ordered_json curve{{"units", {20, 40}}, {"mean", {seconds, 2 * seconds}}, {"se", {0.01, 0.02}}};
  return invented("times", task, method, {{"folds", 3}, {"early", curve}, {"full", curve}});
}

inline store::Result invented_training_time(const std::string& task, const std::string& method, double seconds) {
  return invented("times-table", task, method,
                  {{"folds", 10}, {"settings", {{"hidden", "200"}}}, {"mean", seconds}, {"sd", 0.001}});
}

inline store::Result invented_boundary(const std::string& method, std::size_t side = 20) {
  nlohmann::ordered_json panels = nlohmann::ordered_json::array();
  for (const int units : {1, 2, 3, 4, 100}) {
    std::vector<double> probability(side * side, 0.25);
    probability.front() = 1.0;
    panels.push_back({{"units", units}, {"accuracy", 0.8125}, {"probability", probability}});
  }
  return invented("boundary", "ringnorm2d", method,
                  {{"limit", 5.0}, {"side", side}, {"points", {{0.5, -1.5, 0}, {2.0, 3.0, 1}}}, {"panels", panels}});
}

/// Results of every experiment.
inline std::vector<store::Result> invented_everything() {
  auto results = invented_table({"australian", "banknote", "iris", "boston", "power"});
  for (const char* method : {"gbnn", "adam"}) {
    results.push_back(invented_curve("tic-tac-toe", method, {3, 6, 9}));
    results.push_back(invented_times("power", method, 0.5));
    results.push_back(invented_training_time("iris", method, method[0] == 'g' ? 0.25 : 0.5));
    results.push_back(invented_boundary(method));
  }
  results.push_back(invented_curve("tic-tac-toe", "deep", {300}));
  return results;
}

/// The table of the quick profile.
inline ProfileTable quick_table(const std::vector<store::Result>& results) {
  return profile_tables(results).front();
}

/// The table with this id; empty if there is none.
inline RichTable table_with_id(const Document& document, const std::string& id) {
  for (const DocumentPart& part : document.parts)
    if (const RichTable* table = std::get_if<RichTable>(&part); table && table->id == id) return *table;
  return {};
}

/// The row whose first entry has this text; empty if there is none.
inline std::vector<Entry> row_of(const RichTable& table, const std::string& name) {
  for (const auto& row : table.rows)
    if (row.front().text == name) return row;
  return {};
}

inline std::vector<Figure> figures_of(const Document& document) {
  std::vector<Figure> figures;
  for (const DocumentPart& part : document.parts)
    if (const Figure* figure = std::get_if<Figure>(&part)) figures.push_back(*figure);
  return figures;
}

/// The text of all paragraphs.
inline std::string words_of(const Document& document) {
  std::string words;
  for (const DocumentPart& part : document.parts)
    if (const Paragraph* paragraph = std::get_if<Paragraph>(&part)) words += paragraph->text + "\n";
  return words;
}

}  // namespace accrete::report

#include "accrete/experiment/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "accrete/experiment/named.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/contender.hpp"

namespace accrete::experiment {
namespace {

constexpr std::size_t gbnn_units = 200;

constexpr PaperMethod all_methods[] = {
    {"gbnn", "GBNN", "a network of 200 units grown by the paper's step"},
    {"deep", "Deep-NN", "three layers of 100 units trained by Adam"},
    {"adam", "NN-Adam", "one hidden layer trained by Adam"},
    {"lbfgs", "NN-L-BFGS", "one hidden layer trained by L-BFGS"},
    {"sgd", "NN-SGD", "one hidden layer trained by SGD"},
    {"adaboost", "AdaBoost-NN", "AdaBoost of small networks, 200 units together, trained by Adam"},
};

tune::Grid gbnn_grid(data::Task kind, bool full) {
  if (full) return tune::paper_grid(kind);
  return {{{"learning_rate", {"0.1", "0.5", "1"}}, {"subsample", {"0.5", "1"}}, {"units_per_step", {"1", "3"}}},
          {gbnn_units}};
}

tune::Axis widths(bool full) {
  if (full)
    return {"hidden", {"1",  "3",  "5",  "7",  "11", "12", "17", "22",  "27",  "32", "37",
                       "42", "47", "52", "60", "70", "80", "90", "100", "150", "200"}};
  return {"hidden", {"12", "52", "200"}};
}

/// Pairs whose product is about 200 units.
std::vector<tune::Settings> ensembles(data::Task kind, bool full) {
  const auto pair = [](const char* estimators, const char* units) {
    return tune::Settings{{"estimators", estimators}, {"units_per_step", units}};
  };
  if (!full) return {pair("200", "1"), pair("67", "3")};
  std::vector<tune::Settings> pairs{pair("200", "1"), pair("100", "2"), pair("67", "3")};
  if (kind == data::Task::multiclass) pairs.push_back(pair("50", "4"));
  return pairs;
}

tune::ContenderSetup setup_of(std::string_view name) {
  using enum model::Method;
  if (name == "deep") return {"deep", "", network, "", {{"solver", "adam"}, {"hidden", "100,100,100"}}};
  if (name == "adaboost") return {"adaboost", "", adaboost, "", {{"solver", "adam"}}};
  return {std::string(name), "", network, "", {{"solver", std::string(name)}}};
}

}  // namespace

std::span<const PaperMethod> methods() {
  return all_methods;
}

const PaperMethod& method_named(std::string_view name) {
  return find_named(all_methods, name, "method");
}

std::size_t index_of(const PaperMethod& method) {
  return static_cast<std::size_t>(&method - std::begin(all_methods));
}

std::unique_ptr<tune::Method> make_method(const PaperMethod& method, data::Task kind, backend::FitDevice* device) {
  if (method.name != "gbnn") return std::make_unique<tune::Contender>(setup_of(method.name), "", kind);
  boosting::FitOptions options;
  options.preset = "paper";
  return std::make_unique<tune::Boosted>(std::move(options), kind, device);
}

tune::Grid grid_of(const PaperMethod& method, data::Task kind, const Profile& profile) {
  if (method.name == "gbnn") return gbnn_grid(kind, profile.full_grids);
  tune::Grid grid{{}, {tune::whole_model}};
  if (method.name == "deep") return grid;
  if (method.name == "adaboost") {
    grid.listed = ensembles(kind, profile.full_grids);
    return grid;
  }
  grid.axes.push_back(widths(profile.full_grids));
  if (method.name == "sgd") grid.axes.push_back({"schedule", {"constant", "adaptive"}});
  return grid;
}

std::string show_grid(const tune::Grid& grid) {
  std::vector<std::string> parts;
  for (const tune::Axis& axis : grid.axes)
    parts.push_back(fmt::format("{} {}", axis.name, fmt::join(axis.values, " ")));
  for (const tune::Settings& listed : grid.listed)
    if (!listed.empty()) {
      std::string text;
      for (const auto& [name, value] : listed) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
      parts.push_back(std::move(text));
    }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace accrete::experiment

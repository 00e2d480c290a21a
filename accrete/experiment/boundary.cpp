#include "accrete/experiment/boundary.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "accrete/baseline/fit.hpp"
#include "accrete/experiment/plane.hpp"
#include "accrete/metric/accuracy.hpp"

namespace accrete::experiment {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t side = 80;

double rounded(double value, double places) {
  return std::round(value * places) / places;
}

class BoundaryRunner {
 public:
  BoundaryRunner(const ExperimentOptions& options, core::Workers& workers)
      : options_(options), workers_(workers), ledger_(options), plane_(make_plane(options.seed)) {
    for (const PaperMethod* method : options.methods) ledger_.plan(batch(*method));
  }

  RunCounts run() {
    for (const PaperMethod* method : options_.methods) {
      const RunCounter::FitBatch fits = batch(*method);
      ledger_.begin(fits);
      Json panels = method->name == "gbnn" ? grown() : trained();
      ledger_.end(std::min(fits.fits, panels.size()), 0);
      if (panels.size() < Plane::panel_units.size()) return ledger_.counts(true);
      keep_panels(*method, std::move(panels));
    }
    return ledger_.counts(false);
  }

 private:
  static RunCounter::FitBatch batch(const PaperMethod& method) {
    return {boundary_task, method.name, method.name == "gbnn" ? 1 : Plane::panel_units.size(), 1.0};
  }

  bool stopped() const { return options_.stop && options_.stop(); }

  Json panel(std::size_t units, core::MatrixView<const double> tests, core::MatrixView<const double> cells) const {
    Json probability = Json::array();
    for (std::size_t i = 0; i < cells.rows; ++i) probability.push_back(rounded(cells(i, 1), 1e2));
    return {{"units", units},
            {"accuracy", metric::Accuracy::value({tests, plane_.test_targets, {}})},
            {"probability", std::move(probability)}};
  }

  /// Panels of the prefixes of one network.
  Json grown() {
    Json panels = Json::array();
    if (stopped()) return panels;
    const model::Model model = grow_on(plane_, options_.seed, workers_);
    for (const std::size_t units : Plane::panel_units)
      panels.push_back(panel(units, model::predict(model, plane_.test, units, workers_),
                             model::predict(model, cells_, units, workers_)));
    ledger_.progress(1);
    return panels;
  }

  /// Panels of one network per number of units; if stopped, only of those already trained.
  Json trained() {
    Json panels = Json::array();
    for (const std::size_t units : Plane::panel_units) {
      if (stopped()) break;
      baseline::FitOptions fit;
      fit.config = {.hidden = std::vector<std::uint64_t>{units}, .seed = options_.seed};
      fit.workers = &workers_;
      const model::Model model = baseline::fit(plane_.training, fit).model;
      panels.push_back(
          panel(units, model::predict(model, plane_.test, 0, workers_), model::predict(model, cells_, 0, workers_)));
      ledger_.progress(panels.size());
    }
    return panels;
  }

  void keep_panels(const PaperMethod& method, Json panels) const {
    const double accuracy = panels.back().at("accuracy");
    Json points = Json::array();
    for (const Plane::Point& p : plane_.points) points.push_back({rounded(p.x1, 1e3), rounded(p.x2, 1e3), p.cloud});
    const Json document{
        {"limit", plane_.limit}, {"side", side}, {"points", std::move(points)}, {"panels", std::move(panels)}};
    keep(options_,
         {{"boundary", std::string(options_.profile.name), std::string(boundary_task), std::string(method.name)},
          document.dump()},
         {boundary_task, method.name, metric::Accuracy::name, {accuracy, 0.0, 0.0}});
  }

  const ExperimentOptions& options_;
  core::Workers& workers_;
  RunCounter ledger_;
  Plane plane_;
  data::Table cells_ = cell_centres(plane_.limit, side);
};

}  // namespace

RunCounts run_boundary(const ExperimentOptions& options, core::Workers& workers) {
  return BoundaryRunner(options, workers).run();
}

}  // namespace accrete::experiment

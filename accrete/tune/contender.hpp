#pragma once
// A configured method in a comparison: it fits the training rows and predicts the test rows of each fold. The boosted
// network chooses its number of units if its preset does; other methods have a fixed size.

#include <optional>
#include <string>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

/// The description of a contender.
struct ContenderSetup {
  std::string name;     ///< as given on the command line
  std::string summary;  ///< one clause
  model::Method method = model::Method::boosting;
  std::string preset = "default";  ///< boosting only
  Settings settings;               ///< overrides of the preset's or the method's defaults
};

/// The boosted network with both presets, and the baselines of the paper.
const std::vector<ContenderSetup>& contenders();

/// Used in place of a number of units: score the complete model.
inline constexpr std::size_t whole_model = 0;

/// Scores the complete model: it ignores FitTask::units, and its record has a single entry. Settings of a search
/// override those of the setup.
class Contender : public Method {
 public:
  /// Boosted fits run on `device` if given; their parameters are chosen with `workers`.
  Contender(ContenderSetup setup, std::string weight_column, data::Task task, backend::FitDevice* device = nullptr,
            core::Workers* workers = nullptr)
      : setup_(std::move(setup)),
        weight_column_(std::move(weight_column)),
        task_(task),
        device_(setup_.method == model::Method::boosting ? device : nullptr),
        workers_(workers) {}

  const ContenderSetup& setup() const { return setup_; }
  /// Why the method cannot learn this target, as one clause; empty if it can.
  std::string unsupported_reason(const data::Target& target) const;
  std::string name() const override { return setup_.name; }
  std::string canonical(const Setting& setting) const override;
  std::string text(const Settings& settings, std::size_t units) const override;
  std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const override;

  bool has_device() const override { return device_ != nullptr; }
  /// Throws UsageError if the device does not support a fit.
  bool fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                const std::function<bool()>& stop) const override;

 private:
  Settings with(const Settings& settings) const;
  /// Options of a boosted fit, without rows and workers.
  boosting::FitOptions grown_options(const FitTask& task) const;
  /// Returns nullopt if stopped.
  std::optional<model::Model> make(const FitTask& task, core::Workers& one, const std::function<bool()>& stop) const;

  ContenderSetup setup_;
  std::string weight_column_;
  data::Task task_;
  backend::FitDevice* device_;
  core::Workers* workers_;
};

}  // namespace accrete::tune

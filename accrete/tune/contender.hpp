#pragma once
// A method with parameters of its own, as something to compare: it fits some rows with all it has and predicts others.
// The network that grows chooses its length itself where its preset says so; the others have a length to begin with.

#include <optional>
#include <string>
#include <vector>

#include "accrete/backend/many_fits.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

/// What a contender is made of.
struct ContenderSetup {
  std::string name;     ///< as the user calls it
  std::string summary;  ///< one clause
  model::Method method = model::Method::boosting;
  std::string preset = "default";  ///< boosting only
  Settings settings;               ///< what differs from the preset, or from the method's defaults
};

/// The network that grows, by its default and as the paper has it, and the methods that the paper compares it with.
const std::vector<ContenderSetup>& contenders();

/// What to ask for in place of a number of units.
inline constexpr std::size_t whole_model = 0;

/// Its scores are those of the whole model: FitTask::units are not looked at, and the record has one entry. Settings of
/// a search go over those of its setup.
class Contender : public Method {
 public:
  /// Fits of the network that grows are done by `machine`, where there is one; what they choose is chosen by `workers`.
  Contender(ContenderSetup setup, std::string weight_column, data::Task task, backend::ManyFits* machine = nullptr,
            core::Workers* workers = nullptr)
      : setup_(std::move(setup)),
        weight_column_(std::move(weight_column)),
        task_(task),
        machine_(setup_.method == model::Method::boosting ? machine : nullptr),
        workers_(workers) {}

  const ContenderSetup& setup() const { return setup_; }
  /// Why it cannot learn the target, as one clause; empty when it can.
  std::string reason_against(const data::Target& target) const;
  std::string name() const override { return setup_.name; }
  std::string canonical(const Setting& setting) const override;
  std::string text(const Settings& settings, std::size_t units) const override;
  std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const override;

  bool has_machine() const override { return machine_ != nullptr; }
  /// Throws UsageError naming what the machine cannot do.
  bool fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                const std::function<bool()>& stop) const override;

 private:
  Settings with(const Settings& settings) const;
  /// Of the network that grows; for all but the threads.
  boosting::FitOptions grown_options(const FitTask& task) const;
  /// Nothing when it was stopped.
  std::optional<model::Model> make(const FitTask& task, core::Workers& one, const std::function<bool()>& stop) const;

  ContenderSetup setup_;
  std::string weight_column_;
  data::Task task_;
  backend::ManyFits* machine_;
  core::Workers* workers_;
};

}  // namespace accrete::tune

#pragma once
// The boosted network as a search method. One fit scores every number of units, because these are its prefixes.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

class Boosted : public Method {
 public:
  /// `options` apply to every fit, with `automatic` off because the search does the choosing. Throws UsageError for a
  /// value outside its range and for auto, validation_fraction, patience and time_limit, which would end a fit before
  /// its last unit. text() throws for parameters that contradict each other. Fits run on `device` if given.
  Boosted(boosting::FitOptions options, data::Task task, backend::FitDevice* device = nullptr);

  std::string name() const override { return "boosted"; }
  std::string canonical(const Setting& setting) const override;
  std::string text(const Settings& settings, std::size_t units) const override;
  std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const override;

  bool has_device() const override { return device_ != nullptr; }
  /// Throws UsageError if the device does not support a fit.
  bool fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                const std::function<bool()>& stop) const override;

  /// Options with which boosting::fit trains this network on all rows, with the given seed if any.
  boosting::FitOptions options(const Settings& settings, std::size_t units) const;

 private:
  boosting::FitOptions options_;
  data::Task task_;
  backend::FitDevice* device_;
};

}  // namespace accrete::tune

#pragma once
// The boosted network as something to search over. One fit scores every number of units: they are its prefixes.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "accrete/backend/many_fits.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/tune/method.hpp"

namespace accrete::tune {

class Boosted : public Method {
 public:
  /// preset, overrides, targets, weight column and backend hold for every fit, with `auto` off: the search chooses.
  /// Throws UsageError for overrides outside their range, and for those that would end a fit by anything but its units:
  /// auto, validation_fraction, patience, time_limit. Whether all fit together shows with text().
  /// Fits that `machine` can do are done there.
  Boosted(boosting::FitOptions options, data::Task task, backend::ManyFits* machine = nullptr);

  std::string name() const override { return "boosted"; }
  std::string canonical(const Setting& setting) const override;
  std::string text(const Settings& settings, std::size_t units) const override;
  std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const override;

  bool has_machine() const override { return machine_ != nullptr; }
  /// Throws UsageError naming what the machine cannot do.
  bool fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                const std::function<bool()>& stop) const override;

  /// What boosting::fit takes to make this network from all rows: the seed is the one given, if any.
  boosting::FitOptions options(const Settings& settings, std::size_t units) const;

 private:
  boosting::FitOptions options_;
  data::Task task_;
  backend::ManyFits* machine_;
};

}  // namespace accrete::tune

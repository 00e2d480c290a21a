#pragma once
// accrete train --method network, adaboost: the ways of making a model that growing is compared with.

#include <string>
#include <vector>

#include "accrete/boosting/parameter.hpp"
#include "accrete/model/method.hpp"
#include "cli/fitting.hpp"

namespace accrete::cli {

struct PlainFlags {
  std::string method = "boosting";
  std::vector<boosting::Setting> given;  ///< every parameter that only plain methods have; empty where not given

  model::Method chosen_method() const { return model::method_named(method); }  ///< throws UsageError

  /// Throws UsageError for a flag of another method than the one that was chosen, and for values out of range.
  void check(const CLI::App& app, const FitFlags& fit) const;
  /// What was given for the plain method, here and among the parameters that all methods share.
  std::vector<boosting::Setting> overrides(const FitFlags& fit) const;
};

/// --method, and a flag for each parameter that only plain methods have; add_fit_flags comes before it.
void add_plain_flags(CLI::App& app, PlainFlags& flags);

/// Trains, saves to fit.output and reports. Throws Interrupted when Ctrl-C ended the fit, after saving what there is.
void train_plain(const PlainFlags& flags, const FitFlags& fit, const TargetFlags& target, const Common& common);

}  // namespace accrete::cli

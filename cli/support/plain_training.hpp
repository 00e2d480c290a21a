#pragma once
// accrete train --method network, adaboost: the plain methods.

#include <string>
#include <vector>

#include "accrete/baseline/parameters.hpp"
#include "accrete/model/method.hpp"
#include "cli/support/fitting.hpp"

namespace accrete::cli {

struct PlainFlags {
  std::string method = "boosting";
  std::vector<config::Setting> given;  ///< parameters that only plain methods have; empty value: not given

  model::Method chosen_method() const { return model::method_named(method); }  ///< throws UsageError

  /// Throws UsageError for flags of another method and for values out of range.
  void check(const CLI::App& app, const FitFlags& fit) const;
  /// The config from these flags and the shared parameters. Throws UsageError.
  baseline::Config config(const FitFlags& fit) const;
};

/// --method, and a flag for each parameter that only plain methods have. Call add_fit_flags first.
void add_plain_flags(CLI::App& app, PlainFlags& flags);

/// Trains, saves to fit.output and reports. Throws Interrupted if Ctrl-C ended the fit, after saving.
void train_plain(const PlainFlags& flags, const FitFlags& fit, const TargetFlags& target, const Common& common);

}  // namespace accrete::cli

#pragma once
// A fit that holds out rows for calibration (calibrate.hpp) before anything else sees them.

#include "accrete/boosting/fit.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// True if the config asks for intervals.
bool wants_calibration(const FitOptions& options);

/// Throws UsageError for what intervals cannot be used with.
void check_calibration(const FitOptions& options);

class CalibratedFit {
 public:
  /// Splits the rows. Throws DataError if too few are left to calibrate on.
  CalibratedFit(const data::Table& table, const FitOptions& options);

  const FitOptions& options() const { return options_; }  ///< of the fit on the other rows

  /// Calibrates the model of that fit.
  void finish(FitResult& result, core::Workers& workers) const;

 private:
  double coverage_;
  FitOptions options_;
  data::Table held_out_;
};

}  // namespace accrete::boosting

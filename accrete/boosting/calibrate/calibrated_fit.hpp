#pragma once
// A fit that holds out rows for calibration (calibrate.hpp) before any other step of the fit reads them.

#include "accrete/boosting/fit.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// True if the config asks for intervals.
bool wants_calibration(const FitOptions& options);

/// Throws UsageError for options that cannot be combined with intervals.
void check_calibration(const FitOptions& options);

class CalibratedFit {
 public:
  /// Holds out the calibration rows. Throws DataError if they are too few.
  CalibratedFit(const data::Table& table, const FitOptions& options);

  const FitOptions& options() const { return options_; }  ///< of the fit on the remaining rows

  /// Calibrates the fitted model on the held-out rows and stores the result in it.
  void finish(FitResult& result, core::Workers& workers) const;

 private:
  double coverage_;
  FitOptions options_;
  data::Table held_out_;
};

}  // namespace accrete::boosting

#pragma once
// A fit that holds out rows for calibration (calibrate.hpp) before any other step of the fit reads them.

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// True if the config asks for intervals.
bool wants_calibration(const FitOptions& options);

/// The share of the rows that are held out for calibration; 0 without intervals.
double calibration_fraction(const FitOptions& options);

/// Throws UsageError for options that cannot be combined with intervals.
void check_calibration(const FitOptions& options);

class CalibratedFit {
 public:
  /// Holds out the calibration rows. Throws DataError if they are too few. shared: not null if `table` lacks columns
  /// that the ranks divide; each rank then holds out its own rows.
  CalibratedFit(const data::Table& table, const FitOptions& options, const SharedTable* shared = nullptr);

  const FitOptions& options() const { return options_; }  ///< of the fit on the remaining rows

  /// Calibrates the fitted model on the held-out rows of all ranks and stores the result in it.
  void finish(FitResult& result, core::Workers& workers) const;

 private:
  double coverage_;
  FitOptions options_;
  data::Table held_out_;
  comm::Communicator* comm_;  ///< the ranks that divide the held-out rows
};

}  // namespace accrete::boosting

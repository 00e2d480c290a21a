#pragma once
// The trade-off of early exit on the rows of a report: units, time and disagreement with stricter and looser thresholds
// than the model's.

#include <vector>

#include "report/model/labelled_rows.hpp"

namespace accrete::report {

struct ExitTradeOff {
  double factor = 1.0;        ///< on the thresholds: above 1 is stricter; 0: no early exit
  double mean_units = 0.0;    ///< per row
  double seconds = 0.0;       ///< for all rows, the fastest of a few runs
  double disagreement = 0.0;  ///< share of the rows whose label or prediction differs from that of all units
};

/// All units first, then looser and looser thresholds. Empty for a model without early exit and for sparse rows.
std::vector<ExitTradeOff> measure_exits(const LabelledRows& data, core::Workers& workers);

}  // namespace accrete::report

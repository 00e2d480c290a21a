#include "accrete/boosting/calibrate/calibrated_fit.hpp"

#include "accrete/boosting/calibrate.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/take_rows.hpp"

namespace accrete::boosting {
namespace {

/// Training rows and calibration rows. Not stratified: the coverage guarantee needs a plain random draw.
data::Split split_calibration(const data::Table& table, const FitOptions& options) {
  const auto rows = rows_to_fit(table, read_weights(table, options.weight_column), options.rows);
  data::Split split = data::holdout(rows.size(), {}, calibration_fraction(options), options.config.seed.value_or(0));
  data::map_to_rows(split, rows);
  return split;
}

}  // namespace

bool wants_calibration(const FitOptions& options) {
  return options.config.interval.value_or(0.0) > 0.0;
}

double calibration_fraction(const FitOptions& options) {
  if (!wants_calibration(options)) return 0.0;
  return options.config.calibration_fraction.value_or(config::ResolvedConfig{}.calibration_fraction);
}

void check_calibration(const FitOptions& options) {
  if (wants_calibration(options) && !options.offset_column.empty())
    throw core::UsageError(
        core::message("{} cannot be used with {}", core::parameter("interval"), core::parameter("offset_column")));
}

CalibratedFit::CalibratedFit(const data::Table& table, const FitOptions& options, const SharedTable* shared)
    : coverage_(*options.config.interval),
      options_(options),
      comm_(shared ? &ranks_of(options) : &comm::one_process()) {
  using core::parameter;
  check_calibration(options);
  data::Split split = split_calibration(table, options);
  const std::size_t needed = min_calibration_rows(coverage_);
  if (split.test.size() < needed)
    throw core::DataError(core::message("{}: {} of {} rows are left to calibrate on; {} needs at least {}: raise {}",
                                        table.source, split.test.size(), split.train.size() + split.test.size(),
                                        parameter("interval", coverage_), needed, parameter("calibration_fraction")));
  options_.rows = std::move(split.train);
  held_out_ = shared ? shared->own_rows(split.test) : data::take_rows(table, split.test);
}

void CalibratedFit::finish(FitResult& result, core::Workers& workers) const {
  const auto values = read_targets_of(result.model, held_out_);
  result.model.calibration = calibrate(result.model, held_out_, values, coverage_, workers, *comm_);
}

}  // namespace accrete::boosting

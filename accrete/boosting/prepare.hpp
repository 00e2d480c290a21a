#pragma once
// The rows of a fit: which train, which validate, what each weighs, and the target in training units.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/config.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::boosting {

/// The team of a fit: the one given, or one of its own.
struct Team {
  explicit Team(core::Workers* given) : workers(given) {
    if (!given) workers = &own.emplace();
  }

  std::optional<core::Workers> own;
  core::Workers* workers;
};

/// Where the named targets are; the last column when none is named. Throws UsageError for one that is not there or is
/// named twice.
std::vector<std::size_t> target_columns(const data::Table& table, const std::vector<std::string>& names);

/// Throws DataError unless the squares of a numeric target, and of its differences where it has any, are numbers with
/// room on both sides.
void check_size(const data::Table& table, const data::Target& target, std::span<const double> weights);

/// A column of sample weights; every row 1 when name is empty. Throws DataError for one that is missing or negative, or
/// when all are 0.
std::vector<double> read_weights(const data::Table& table, const std::string& name);

/// The columns that are neither target nor weight. Throws UsageError when none is left, or when the weight column
/// is a target.
std::vector<std::size_t> feature_columns(const data::Table& table, std::span<const std::size_t> targets,
                                         const std::string& weight_column);

/// Multiplies the weights of each class by one factor, so that over the listed rows every class weighs the same.
void balance_classes(std::span<double> weights, std::span<const double> labels, std::size_t classes,
                     std::span<const std::size_t> rows);

/// What to say of numeric inputs that vary so little beside their size that single precision blurs them; nothing when
/// there is none.
std::optional<std::string> lost_digits(const data::Encoder& encoder);

/// prediction = shift + scale * score, per target.
struct TargetScale {
  std::vector<double> shift, scale;
};

/// What the rows of a table are to be fitted to: one row each.
struct Goals {
  const core::Matrix<double>& targets;
  std::span<const double> weights;
};

/// The one value that a column of targets has in the listed rows; nothing when it has several, or there are no rows.
std::optional<double> constant_of(const core::Matrix<double>& targets, std::size_t column,
                                  std::span<const std::size_t> rows);

/// Weighted, over the listed rows. The shift is the mean whether or not the scale is standardised: scores are kept in
/// single precision, which a large offset would use up, and for the losses that have a scale at all it changes nothing
/// else.
TargetScale target_scale(const Goals& goals, std::span<const std::size_t> rows, const Config& config);

/// Encoded rows with their targets in training units and weights of mean 1. Throws DataError when they have no weight;
/// `source` is for that message.
data::Dataset make_dataset(data::Features features, std::span<const std::size_t> rows, const Goals& goals,
                           const TargetScale& scale, const std::string& source);

/// A hash of features, targets and weights as they were given; -0 is 0.
std::uint64_t fingerprint(const data::Dataset& data);

/// 0 .. n-1
std::vector<std::size_t> all_rows(std::size_t n);

}  // namespace accrete::boosting

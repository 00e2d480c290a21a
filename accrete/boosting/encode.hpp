#pragma once
// Fourth stage of a fit: encodes the rows of a split as the datasets that the loop trains on.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "accrete/boosting/constraints.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/boosting/target_scale.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// Checks subsample; merges equal rows if their order does not matter; learns encoder and target scale (with sample
/// weights, without class balance) if table.columns is not empty; and encodes both parts of the split into `fit`, as
/// well as the options' validation table. Throws UsageError or DataError.
void encode_rows(TrainingTable table, data::Split split, const FitOptions& options, core::Workers& workers,
                 PreparedFit& fit);

/// The inputs of encode_split.
struct SplitTask {
  data::ConsumableTable source;
  const core::Matrix<double>& targets;
  std::span<const double> weights;
  std::span<const double> offsets = {};  ///< empty: none
  const model::Model& model;             ///< provides encoder, target scale and classes
  const config::ResolvedConfig& config;  ///< provides class_weight and constraints
  core::Workers& workers;
  const SharedTable* shared = nullptr;  ///< as in TrainingTable
};

/// The rows of a split, encoded and in training units.
struct EncodedSplit {
  data::Dataset train;
  std::optional<data::Dataset> validation;        ///< if the split has test rows
  std::optional<FeatureConstraints> constraints;  ///< unset: none
};

/// Throws UsageError for constraints on unknown or unsuitable columns.
EncodedSplit encode_split(const SplitTask& task, const data::Split& split);

/// Encoded rows with their targets in training units and weights of mean 1. Throws DataError naming `source` if the
/// rows have no weight.
data::Dataset make_dataset(data::Features features, std::span<const std::size_t> rows, const TableTargets& data,
                           const TargetScale& scale, const std::string& source);

/// Multiplies the weights of each class by one factor so that all classes have the same total over the listed rows.
void balance_classes(std::span<double> weights, std::span<const double> labels, std::size_t classes,
                     std::span<const std::size_t> rows);

/// A hash of features, targets and weights of all ranks; -0 counts as 0.
std::uint64_t fingerprint(const data::Dataset& data, comm::Communicator& comm = comm::one_process());

}  // namespace accrete::boosting

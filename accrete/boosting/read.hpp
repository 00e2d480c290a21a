#pragma once
// First verb of a fit: find target, weights and feature columns in a table.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// The threads of a fit: those given, or one per CPU core.
class FitWorkers {
 public:
  explicit FitWorkers(core::Workers* given) : workers_(given ? given : &own_.emplace()) {}
  FitWorkers(const FitWorkers&) = delete;

  core::Workers& get() const { return *workers_; }

 private:
  std::optional<core::Workers> own_;
  core::Workers* workers_;
};

class SharedTable;

/// A table with what a fit reads from it. Targets and weights have one entry per row of the table.
struct TrainingTable {
  data::TableSource source;
  core::Matrix<double> targets;
  std::vector<double> weights;          ///< sample weights; rows of weight 0 count as absent
  std::vector<double> offsets;          ///< added to the scores; empty: none
  std::vector<std::size_t> columns;     ///< to learn an encoder from; empty: the model has an encoder
  const SharedTable* shared = nullptr;  ///< where the rows of these columns are, if other ranks have some; null: here

  const data::Table& table() const { return source.table; }
};

/// The task that is given, or that the loss is for: some are for numbers, also where the target looks like classes, as
/// counts and 0/1 columns do. Nothing: the target decides.
std::optional<data::Task> task_of(const FitOptions& options);

/// Throws UsageError if the loss is custom and there is no function, or the other way round.
void check_custom_loss(const FitOptions& options, const std::string& loss);

/// The table's part of a fresh fit; configures `fit` and starts its model. Throws UsageError or DataError.
TrainingTable read_table(data::TableSource source, const FitOptions& options, PreparedFit& fit);

/// The same if the fit's model has an encoder, classes and targets already.
TrainingTable read_table_for(data::TableSource source, const FitOptions& options, PreparedFit& fit);

/// Indices of the named targets; the last column if none is named. Throws UsageError for an unknown or repeated name.
std::vector<std::size_t> target_columns(const data::Table& table, const std::vector<std::string>& names);

/// Columns that are no inputs; empty: none.
struct RowColumns {
  std::string weight = {}, offset = {};
  std::span<const std::string> ignored = {};
};

/// The columns that are neither target, weight, offset nor ignored. Throws UsageError if none is left, or if one column
/// has two roles.
std::vector<std::size_t> feature_columns(const data::Table& table, std::span<const std::size_t> targets,
                                         const RowColumns& roles);

/// A column of sample weights; all 1 if the name is empty. Throws DataError for a missing or negative weight, or if all
/// are 0.
std::vector<double> read_weights(const data::Table& table, const std::string& name);

/// A column of offsets; empty if the name is. Throws DataError for a value that is missing or not finite.
std::vector<double> read_offsets(const data::Table& table, const std::string& name);

/// The offsets that a model adds to its scores: from the named column, or else from the one that it was fitted with;
/// empty: none. Throws as read_offsets does, and DataError if the table lacks the model's column.
std::vector<double> read_offsets_of(const model::Model& model, const data::Table& table, const std::string& name = "");

/// True if all of these columns are sparse.
bool are_sparse(const data::Table& table, std::span<const std::size_t> columns);

/// Throws DataError if a numeric target is so large, or varies so little, that squares of it leave the range of double.
void check_target_range(const data::Table& table, const data::Target& target, std::span<const double> weights);

}  // namespace accrete::boosting

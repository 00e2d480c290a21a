#pragma once
// First stage of a fit: finds target, weights and feature columns in a table.

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

/// The workers of a fit: those given, or one thread per CPU core.
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

/// A table plus what a fit reads from it. Targets and weights have one entry per row of the table.
struct TrainingTable {
  data::ConsumableTable source;
  core::Matrix<double> targets;
  std::vector<double> weights;          ///< sample weights; rows of weight 0 count as absent
  std::vector<double> offsets;          ///< added to the scores; empty: none
  std::vector<std::size_t> columns;     ///< columns to fit an encoder on; empty: the model has an encoder
  const SharedTable* shared = nullptr;  ///< the rows of these columns, if shared among ranks; null: in this table

  const data::Table& table() const { return source.table; }
};

/// The task as given, or as implied by the loss or its parameters: some losses are for numbers even if the target looks
/// like classes, as counts and 0/1 columns do. Unset: the target decides.
std::optional<data::Task> task_of(const FitOptions& options);

/// Throws UsageError if the loss is custom but no function is given, or vice versa.
void check_custom_loss(const FitOptions& options, const std::string& loss);

/// Reads the table for a new fit; resolves fit.config and starts fit.model. Throws UsageError or DataError.
TrainingTable read_table(data::ConsumableTable source, const FitOptions& options, PreparedFit& fit);

/// The same for a fit whose model already has encoder, classes and targets.
TrainingTable read_table_for(data::ConsumableTable source, const FitOptions& options, PreparedFit& fit);

/// Indices of the named targets; the last column if none is named. Throws UsageError for an unknown or repeated name.
std::vector<std::size_t> target_columns(const data::Table& table, const std::vector<std::string>& names);

/// Columns with a role other than feature or target; empty: none.
struct RowColumns {
  std::string weight = {}, offset = {};
  std::span<const std::string> ignored = {};
};

/// The columns that are not target, weight, offset or ignored. Throws UsageError if none is left, or if one column has
/// two roles.
std::vector<std::size_t> feature_columns(const data::Table& table, std::span<const std::size_t> targets,
                                         const RowColumns& roles);

/// Reads a column of sample weights; all 1 if the name is empty. Throws DataError for a missing or negative weight, or
/// if all weights are 0.
std::vector<double> read_weights(const data::Table& table, const std::string& name);

/// Reads a column of offsets; empty if the name is. Throws DataError for a value that is missing or not finite.
std::vector<double> read_offsets(const data::Table& table, const std::string& name);

/// The offsets to add to a model's scores: from the named column, or else the one that the model was fitted with;
/// empty: none. Throws as read_offsets does, and DataError if the table lacks the model's column.
std::vector<double> read_offsets_of(const model::Model& model, const data::Table& table, const std::string& name = "");

/// Indices of the columns that hold a model's targets. Throws UsageError if the table lacks one.
std::vector<std::size_t> target_columns_of(const model::Model& model, const data::Table& table);

/// The targets of a model, rows x targets, as read_target_as reads them.
core::Matrix<double> read_targets_of(const model::Model& model, const data::Table& table);

/// True if all of these columns are sparse.
bool are_sparse(const data::Table& table, std::span<const std::size_t> columns);

/// Throws DataError if a numeric target is so large, or varies so little, that its squares overflow or underflow
/// double.
void check_target_range(const data::Table& table, const data::Target& target, std::span<const double> weights);

}  // namespace accrete::boosting

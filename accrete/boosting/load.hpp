#pragma once
// The first half of a fit: from a table and what is to be learnt from it to datasets the loop can train on.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/data/encode_parts.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// Everything a fit needs, whether fresh, resumed or grown.
struct Prepared {
  model::Model model;  ///< without units yet, or the one to go on from
  Config config;
  data::Dataset train;
  std::optional<data::Dataset> validation;
  std::size_t training_rows = 0;  ///< as given; train has equal rows joined where their order is free
  bool constant = false;          ///< every target is the same in all rows to train on: units have nothing to learn
  std::vector<std::string> notes;
};

/// What a fit reads its rows from.
struct Rows {
  data::TableSource from;
  core::Matrix<double> targets;  ///< as the table has them
  std::vector<double> weights;   ///< of the samples; rows of weight 0 count as absent
  core::Workers& workers;
};

/// The rows of a split as the loop wants them, encoded and in training units.
struct EncodedSplit {
  data::Dataset train;
  std::optional<data::Dataset> validation;  ///< where the split has test rows
};

/// What a split is encoded with: the rows' table, targets and weights, and what was learnt of the training rows.
struct SplitTask {
  data::TableSource from;
  const core::Matrix<double>& targets;
  std::span<const double> weights;
  const model::Model& model;  ///< its encoder, target scale and classes
  const Config& config;       ///< its class_weight
  core::Workers& workers;
};

EncodedSplit encode_split(const SplitTask& task, const data::Split& split);

/// The rows to fit on that weigh anything: those listed, or all. Throws DataError when there is none.
std::vector<std::size_t> rows_to_fit(const data::Table& table, std::span<const double> weights,
                                     std::span<const std::size_t> listed);

/// The rows that train, and those that the configuration keeps out to validate; both ascend when the rows to fit do.
data::Split split_rows(const Prepared& p, const Rows& rows, const FitOptions& options);

/// Splits, joins equal rows where it may, weighs and encodes. Without columns the model's encoder and target scale are
/// used, else they are learnt here from those columns, weighted by the samples' weights but not by the balance of
/// classes. Throws DataError when the rows to fit on have no weight.
void load_rows(Prepared& p, Rows rows, std::span<const std::size_t> columns, const FitOptions& options);

/// Everything of a fresh fit but its steps, for a machine that takes them elsewhere: settings chosen where they are
/// open, encoded rows, and a model that is still a constant. Throws as fit does.
Prepared prepare_fit(const data::Table& table, const FitOptions& options);

}  // namespace accrete::boosting

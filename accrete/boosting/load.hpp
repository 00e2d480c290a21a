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
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// Everything a fit needs, whether fresh, resumed or grown.
struct Prepared {
  model::Model model;  ///< without units yet, or the one to go on from
  Config config;
  data::Dataset train;
  std::optional<data::Dataset> validation;
  std::size_t training_rows = 0;  ///< as given; train has equal rows joined where their order is free
  std::vector<std::string> notes;
};

/// What a fit reads its rows from.
struct Rows {
  data::TableSource from;
  core::Matrix<double> targets;  ///< as the table has them
  std::vector<double> weights;   ///< of the samples; rows of weight 0 count as absent
  core::Workers& workers;
};

/// Splits, joins equal rows where it may, weighs and encodes. Without columns the model's encoder and target scale are
/// used, else they are learnt here from those columns, weighted by the samples' weights but not by the balance of
/// classes. Throws DataError when the rows to fit on have no weight.
void load_rows(Prepared& p, Rows rows, std::span<const std::size_t> columns, const FitOptions& options);

}  // namespace accrete::boosting

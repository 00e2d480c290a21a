#pragma once
// The held-out folds on which candidates are compared. Each is held out in turn while the other rows train.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/data/split.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// A fold, and the encoding learnt from the other rows.
struct HeldOutFold {
  model::Model model;  ///< encoder and target scale; no units
  EncodedSplit rows;   ///< validation: the fold; train: the other rows
};

class HeldOutFolds {
 public:
  /// Merges equal rows (if there are few enough to sort), so that no row is in both training and held-out sets; samples
  /// at most max_rows rows. Rows of a class too rare to appear in every fold are never held out.
  HeldOutFolds(const ChoiceTask& task, std::size_t max_rows, std::size_t max_folds);

  std::size_t rows() const { return rows_.size(); }  ///< rows used, after equal ones were merged
  bool is_sample() const { return drawn_ < task_.rows.size(); }
  /// Sampled rows, before equal ones were merged, per training row.
  double share_of_rows() const { return static_cast<double>(drawn_) / static_cast<double>(task_.rows.size()); }
  std::size_t size() const { return splits_.size(); }  ///< number of folds; 0: too few rows to choose on
  std::size_t held_out_rows() const;

  /// All folds encoded with this many bins; cached.
  const std::vector<HeldOutFold>& encoded(std::uint64_t bins);

 private:
  void split(std::size_t max_folds);
  void gather_rows();
  const TrainingTable& table() const { return gathered_ ? gathered_->table() : task_.table; }

  const ChoiceTask& task_;
  std::optional<GatheredRows> gathered_;  ///< if ranks share the table: the rows used, renumbered from 0
  std::vector<std::size_t> rows_;
  std::size_t drawn_ = 0;        ///< rows before equal ones were merged
  std::vector<double> weights_;  ///< of each row of the table
  std::vector<data::Split> splits_;
  std::map<std::uint64_t, std::vector<HeldOutFold>> encoded_;
};

}  // namespace accrete::boosting

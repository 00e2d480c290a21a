#pragma once
// The folds that candidates are judged on. Each is held out in turn while the other rows train.

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
  /// Equal rows are merged (if they are few enough to sort), so that no row both trains and is judged on. Of very many
  /// rows a random subset is used. Rows of a class too rare for every fold are never held out.
  HeldOutFolds(const ChoiceTask& task, std::size_t max_rows, std::size_t max_folds);

  std::size_t rows() const { return rows_.size(); }                    ///< rows used
  bool is_sample() const { return rows_.size() < task_.rows.size(); }  ///< not all rows, or equal ones merged
  std::size_t size() const { return splits_.size(); }                  ///< folds; 0: too few rows to choose on
  std::size_t held_out_rows() const;

  /// All folds with this many bins; made on first use and kept.
  const std::vector<HeldOutFold>& encoded(std::uint64_t bins);

 private:
  void split(std::size_t max_folds);
  void gather_rows();
  const TrainingTable& table() const { return gathered_ ? gathered_->table() : task_.table; }

  const ChoiceTask& task_;
  std::optional<GatheredRows> gathered_;  ///< if ranks share the table: the rows used, which are numbered anew
  std::vector<std::size_t> rows_;
  std::vector<double> weights_;  ///< of each row of the table
  std::vector<data::Split> splits_;
  std::map<std::uint64_t, std::vector<HeldOutFold>> encoded_;
};

}  // namespace accrete::boosting

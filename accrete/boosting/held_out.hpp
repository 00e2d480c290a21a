#pragma once
// The rows that settings are tried on: cut into five parts, each held out in turn while the others are learnt from. As
// many parts are held out as it takes to judge on `enough_held_out` rows: all five where rows are few, one where they
// are many.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/data/split.hpp"

namespace accrete::boosting {

/// A part held out, and what was learnt of the rest.
struct Part {
  model::Model model;  ///< encoder and target scale; no units
  EncodedSplit rows;   ///< validation: the part; train: the rest
};

class HeldOut {
 public:
  /// Rows that are equal are taken as one with the sum of their weights (where there are few enough to sort): the same
  /// row must not be both learnt from and judged on. Of very many rows a draw is used. Rows of a class too rare for
  /// every part are never held out.
  explicit HeldOut(const ChoiceTask& task);

  std::size_t rows() const { return rows_.size(); }     ///< that are used
  std::size_t parts() const { return splits_.size(); }  ///< 0: too few rows to choose on
  std::size_t held_out_rows() const;

  /// Every part with numbers in so many bins; made when first asked for, and kept.
  const std::vector<Part>& encoded(std::uint64_t bins);

 private:
  void cut();

  const ChoiceTask& task_;
  std::vector<std::size_t> rows_;
  std::vector<double> weights_;  ///< of each row of the table
  std::vector<data::Split> splits_;
  std::map<std::uint64_t, std::vector<Part>> encoded_;
};

}  // namespace accrete::boosting

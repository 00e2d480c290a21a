#pragma once
// The sample of rows for the Gauss-Newton matrix: every n-th tile over all ranks.

#include <cstddef>
#include <vector>

#include "accrete/backend/curvature.hpp"
#include "accrete/backend/resident_rows.hpp"
#include "accrete/comm/communicator.hpp"

namespace accrete::backend {

class SampledTiles {
 public:
  /// Keeps references to its arguments.
  void set_rows(const ResidentRows& rows, comm::Communicator& comm);

  /// Samples about this many rows. hidden: the hidden outputs of this rank's tiles, units x tile_rows each. Across
  /// ranks, features and weights of the sample are gathered once, and hidden outputs in every call.
  void sample(std::size_t rows, const float* hidden, std::size_t units);

  std::size_t count() const { return numbers_.size(); }
  std::size_t number_of(std::size_t i) const { return numbers_[i]; }  ///< among the tiles of all ranks
  CurvatureTile tile(std::size_t i) const;

 private:
  void choose(std::size_t rows);
  void gather_rows();
  void gather_hidden();
  bool is_here(std::size_t tile) const { return tile >= first_tile_ && tile - first_tile_ < rows_->x->tiles(); }

  const ResidentRows* rows_ = nullptr;
  comm::Communicator* comm_ = nullptr;
  std::size_t first_tile_ = 0;  ///< index of this rank's first tile among all
  const float* hidden_ = nullptr;
  std::size_t units_ = 0;
  std::vector<std::size_t> numbers_;
  std::vector<std::size_t> counts_;                      ///< sampled tiles of each rank
  core::AlignedVector<float> x_, weights_, all_hidden_;  ///< across ranks: for all sampled tiles
};

}  // namespace accrete::backend

#pragma once
// The Gauss-Newton matrix of a block over a sample of resident rows. curvature.hpp has the mathematics.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/curvature.hpp"
#include "accrete/backend/resident_rows.hpp"
#include "accrete/backend/sampled_tiles.hpp"

namespace accrete::backend {

class BlockCurvature {
 public:
  /// features: those of the view. is_sparse: some of them are sparse. Keeps references to the rows and to the problem's
  /// communicator and workers.
  void set_view(const ResidentRows& rows, const BlockShape& shape, std::span<const std::size_t> features,
                bool is_sparse, const TrainingProblem& problem);

  /// hidden: the hidden outputs of this rank's tiles, units x tile_rows each. output_layer and matrix are those of
  /// gauss_newton. With is_parallel, the workers share the sample.
  void compute(const float* hidden, std::span<const double> output_layer, double alpha_over_n, bool is_parallel,
               std::span<double> matrix);

 private:
  void add_part(std::size_t part);
  const float* dense_tile(std::size_t tile, std::size_t part);

  const ResidentRows* rows_ = nullptr;
  core::Workers* workers_ = nullptr;
  BlockShape shape_;
  std::size_t activation_ = 0;
  std::vector<std::size_t> features_;
  std::vector<data::FeatureSource> sources_;
  bool is_sparse_ = false;
  SampledTiles sample_;
  core::AlignedVector<float> columns_;      ///< columns of a tile, one per part
  std::vector<const float*> inputs_;        ///< features of a tile, one list per part
  std::vector<double> products_;            ///< products of the columns, one matrix per part
  core::AlignedVector<float> dense_tiles_;  ///< with sparse features: all features of a tile, one per part
};

}  // namespace accrete::backend

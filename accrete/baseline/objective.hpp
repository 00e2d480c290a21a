#pragma once
// The objective of a plain network: mean loss over the current rows plus an L2 penalty, as in scikit-learn.
//
//   1/W sum w L(y, F(x)) + alpha / (2n) sum of squared weights, biases excluded
//
// W is the sum of the row weights w, n the number of rows times the dataset's row_weight. The current rows are all rows
// or a mini-batch.

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/baseline/gradient_kernel.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::baseline {

class PlainObjective {
 public:
  /// Starts with all rows. The problem's dataset and workers must outlive the object.
  PlainObjective(const network::PlainShape& shape, const backend::TrainingProblem& problem, double alpha);
  PlainObjective(const PlainObjective&) = delete;  // task_ points to shape_
  PlainObjective& operator=(const PlainObjective&) = delete;

  /// Sets the rows of later evaluations.
  void set_rows(std::span<const std::size_t> rows);

  /// Value and gradient at the parameters, bit-identical for any number of threads.
  double evaluate(std::span<const double> parameters, std::span<double> gradient);

  /// Relative rounding error of the value.
  double noise() const;

 private:
  struct BatchRows {
    data::Features x;
    backend::ResidentRows rows;
  };

  void use(const backend::ResidentRows& rows);
  void set_parameters(std::span<const double> parameters);
  void run_chunk(std::size_t chunk, std::size_t slot);
  GradientScratch scratch_in(std::size_t slot);
  double reduce(std::span<const double> parameters, std::span<double> gradient) const;

  network::PlainShape shape_;
  backend::TrainingProblem problem_;
  double alpha_;
  backend::ResidentRows all_;
  std::map<std::size_t, BatchRows> batches_;  ///< by number of rows, because the last mini-batch of an epoch is shorter
  const backend::ResidentRows* rows_ = nullptr;
  std::size_t chunks_ = 1;  ///< ranges of tiles, each with its own sums; results depend on their number
  std::size_t slots_ = 1;   ///< number of chunks that run concurrently
  GradientTask task_{};
  core::AlignedVector<float> parameters_;  ///< in the layout of the shape
  core::AlignedVector<float> transposed_;  ///< weights for the backward pass
  core::AlignedVector<float> ones_, zeros_;
  core::AlignedVector<float> floats_;  ///< scratch of all slots
  std::vector<const float*> pointers_;
  std::vector<double> sums_;  ///< chunks x (1 + parameters): value, then gradient
};

}  // namespace accrete::baseline

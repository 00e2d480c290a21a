#pragma once
// What the training of a plain network minimises: the mean loss over the rows looked at, and a penalty on squared
// weights.
//
//   1/W sum w L(y, F(x)) + alpha / (2n) sum of squared weights, biases excluded
//
// W is the sum of the row weights w, n the number of rows looked at times the dataset's row_weight: scikit-learn's
// objective, of a mini-batch as of all rows.

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/baseline/gradient_kernel.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::baseline {

class Objective {
 public:
  /// Keeps references to the dataset and the workers of the source. At first all rows are looked at.
  Objective(const network::PlainShape& shape, const backend::Source& source, double alpha);
  Objective(const Objective&) = delete;  // the kernel's task refers to the shape beside it
  Objective& operator=(const Objective&) = delete;

  /// The listed rows, until told otherwise.
  void look_at(std::span<const std::size_t> rows);

  /// Value and gradient at the parameters. Bits do not depend on the number of threads.
  double evaluate(std::span<const double> parameters, std::span<double> gradient);

  /// Relative rounding error of a value.
  double noise() const;

 private:
  struct Batch {
    data::Features x;
    backend::ResidentRows rows;
  };

  void use(const backend::ResidentRows& rows);
  void set_parameters(std::span<const double> parameters);
  void run_share(std::size_t share, std::size_t room);
  GradientScratch scratch_in(std::size_t room);
  double join(std::span<const double> parameters, std::span<double> gradient) const;

  network::PlainShape shape_;
  backend::Source source_;
  double alpha_;
  backend::ResidentRows all_;
  std::map<std::size_t, Batch> batches_;  ///< by their number of rows: an epoch's last one is shorter
  const backend::ResidentRows* rows_ = nullptr;
  std::size_t shares_ = 1;  ///< of the tiles, each with sums of its own
  std::size_t rooms_ = 1;   ///< shares at work at a time
  GradientTask task_{};
  core::AlignedVector<float> weights_;  ///< parameters, transposed, ones and zeros
  core::AlignedVector<float> floats_;   ///< scratch of all rooms
  std::vector<const float*> pointers_;
  std::vector<double> part_;  ///< shares x (1 + parameters): value, then sums
};

}  // namespace accrete::baseline

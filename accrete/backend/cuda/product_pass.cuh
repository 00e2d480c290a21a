#pragma once
// Value and gradient of a step's objective, for steps whose sums over rows do not fit into registers. Each thread
// stores activations, errors and deltas of its rows. The gradient of a layer is then a matrix product over the rows:
// deltas times features, or errors times activations.

#include "accrete/backend/cuda/fixed_rows.cuh"
#include "accrete/backend/cuda/general_rows.cuh"

namespace accrete::cuda {

/// Sums over this block's rows of products of arrays, for all pairs from two groups of arrays. A warp computes 4 x 4
/// pairs at a time.
template <class Team, class Step>
class ProductSums {
 public:
  __device__ explicit ProductSums(const Step& step) : step_(step) {}

  /// Calls store(p, q, sum of a(p, i, row) * b(q, i, row)) for p < a_count, q < b_count.
  template <class Sum, class A, class B, class Store>
  __device__ void add(unsigned a_count, unsigned b_count, A a, B b, Store store) {
    for (unsigned p = 0; p < a_count; p += quad)
      for (unsigned q = 0; q < b_count; q += quad) {
        if (task_++ % Team::warps != warp()) continue;
        const Sum sum =
            sum_tile<Sum>([&](unsigned u, unsigned i, unsigned row) { return a(min(p + u, a_count - 1), i, row); },
                          [&](unsigned u, unsigned i, unsigned row) { return b(min(q + u, b_count - 1), i, row); });
        const unsigned lane_p = p + lane() / quad, lane_q = q + lane() % quad;
        if (lane() < quad * quad && lane_p < a_count && lane_q < b_count) store(lane_p, lane_q, sum);
      }
  }

 private:
  template <class Sum, class A, class B>
  __device__ Sum sum_tile(A a, B b) const {
    Sum sums[quad * quad] = {};
    const RowRange range = Team::row_range(step_.n);
    for (unsigned i = range.first + lane(); i < range.end; i += warp_lanes) {
      const unsigned row = step_.row(i);
      float left[quad], right[quad];
#pragma unroll
      for (unsigned u = 0; u < quad; ++u) left[u] = a(u, i, row), right[u] = b(u, i, row);
#pragma unroll
      for (unsigned s = 0; s < quad * quad; ++s) sums[s] += Sum(left[s / quad]) * Sum(right[s % quad]);
    }
    return warp_sums<quad * quad>(sums);
  }

  const Step& step_;
  unsigned task_ = 0;  ///< equal in all warps, to which tasks are assigned round-robin
};

/// Step is FixedRows or GeneralRows.
template <class Team, class Step>
struct ProductPass {
  const Step& step;
  double* gradient;

  /// Reads the stored activations and the loaded output layer. Returns this thread's contribution to the value.
  __device__ double evaluate(const double* point, backend::StepObjective objective) const {
    double value = 0.0;
    const bool of_loss = objective == backend::StepObjective::loss;
    step.for_rows([&](unsigned i, unsigned) { value += step.store_errors(i, of_loss); });
    sync_block<Team::warps>();
    ProductSums<Team, Step> sums(step);
    add_hidden_gradient(sums, point);
    if (objective != backend::StepObjective::projected) add_output_gradient(sums, point);
    return value;
  }

 private:
  __device__ static double penalty_slope(double weight) {
    return Team::is_first_block() ? state().penalty * weight : 0.0;
  }

  __device__ void add_hidden_gradient(ProductSums<Team, Step>& sums, const double* point) const {
    const unsigned n = step.n, width = step.width, bias_at = static_cast<unsigned>(step.shape().hidden_bias_at());
    sums.template add<float>(
        step.units(), width + 1, [&](unsigned j, unsigned i, unsigned) { return step.deltas[j * n + i]; },
        [&](unsigned f, unsigned, unsigned row) {
          return f < width ? __ldg(step.x + step.columns[f] + step.row_offset(row)) : 1.0f;
        },
        [&](unsigned j, unsigned f, float sum) {
          const unsigned at = f < width ? j * width + f : bias_at + j;
          gradient[at] = f < width ? sum + penalty_slope(point[at]) : sum;
        });
  }

  __device__ void add_output_gradient(ProductSums<Team, Step>& sums, const double* point) const {
    const unsigned n = step.n, units = step.units(), first = static_cast<unsigned>(step.shape().output_weights_at());
    sums.template add<double>(
        units + 1, step.outputs,
        [&](unsigned j, unsigned i, unsigned) { return j < units ? step.activations[j * n + i] : 1.0f; },
        [&](unsigned k, unsigned i, unsigned) { return step.errors[k * n + i]; },
        [&](unsigned j, unsigned k, double sum) {
          const unsigned at = first + j * step.outputs + k;
          gradient[at] = j < units ? sum + penalty_slope(point[at]) : sum;
        });
  }
};

}  // namespace accrete::cuda

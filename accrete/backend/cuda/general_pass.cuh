#pragma once
// Value and gradient of a step's objective with any number of units and outputs, and the best output layer: errors and
// slopes of every row are listed with a thread to a row, and all sums over rows are of products of two lists.

#include "accrete/backend/cuda/general_rows.cuh"
#include "accrete/backend/cuda/project.cuh"

namespace accrete::cuda {

/// Sums over this block's rows, for all pairs of two lots of lists: four by four, each sixteen by one warp.
template <class Team, class Losses>
class ListProducts {
 public:
  __device__ explicit ListProducts(const GeneralRows<Team, Losses>& step) : step_(step) {}

  /// put(p, q, the sum of a(p, i, row) * b(q, i, row)) for p < many_a, q < many_b; rows are the i-th of the step.
  template <class Sum, class A, class B, class Put>
  __device__ void add(unsigned many_a, unsigned many_b, A a, B b, Put put) {
    for (unsigned p = 0; p < many_a; p += quad)
      for (unsigned q = 0; q < many_b; q += quad) {
        if (turn_++ % Team::warps != warp()) continue;
        const Sum sum =
            tile<Sum>([&](unsigned u, unsigned i, unsigned row) { return a(min(p + u, many_a - 1), i, row); },
                      [&](unsigned u, unsigned i, unsigned row) { return b(min(q + u, many_b - 1), i, row); });
        const unsigned p_of_lane = p + lane() / quad, q_of_lane = q + lane() % quad;
        if (lane() < quad * quad && p_of_lane < many_a && q_of_lane < many_b) put(p_of_lane, q_of_lane, sum);
      }
  }

 private:
  template <class Sum, class A, class B>
  __device__ Sum tile(A a, B b) const {
    Sum sums[quad * quad] = {};
    const Run mine = Team::share(step_.n);
    for (unsigned i = mine.from + lane(); i < mine.to; i += warp_lanes) {
      const unsigned row = step_.row(i);
      float left[quad], right[quad];
#pragma unroll
      for (unsigned u = 0; u < quad; ++u) left[u] = a(u, i, row), right[u] = b(u, i, row);
#pragma unroll
      for (unsigned s = 0; s < quad * quad; ++s) sums[s] += Sum(left[s / quad]) * Sum(right[s % quad]);
    }
    return warp_sums<quad * quad>(sums);
  }

  const GeneralRows<Team, Losses>& step_;
  unsigned turn_ = 0;  ///< the same in all warps: who is at work goes on from one lot to the next
};

template <class Team, class Losses>
struct GeneralProjection : OutputLayer<Team, GeneralRows<Team, Losses>> {
  using Layer = OutputLayer<Team, GeneralRows<Team, Losses>>;
  using Layer::gram, Layer::layer, Layer::step;

  /// Activations of the point's hidden layer, and the layer.
  __device__ void find(Team& team, const double* point) const {
    step.forward(point);
    const unsigned n = step.n, units = step.units(), size = units + 1, outputs = step.outputs;
    const auto unit = [&](unsigned j, unsigned i, unsigned) { return j < units ? step.activations[j * n + i] : 1.0f; };
    const auto weighted = [&](unsigned j, unsigned i, unsigned row) { return step.weight(i) * unit(j, i, row); };
    const auto goal = [&](unsigned k, unsigned i, unsigned) { return step.goals[k * n + i]; };
    ListProducts<Team, Losses> products(step);
    products.template add<double>(size, size, weighted, unit,
                                  [&](unsigned p, unsigned q, double sum) { gram[p * size + q] = sum; });
    products.template add<double>(size, outputs, weighted, goal,
                                  [&](unsigned p, unsigned k, double sum) { layer[p * outputs + k] = sum; });
    Layer::join(team);
    Layer::solve();
  }
};

template <class Team, class Losses>
struct GeneralPass {
  const GeneralRows<Team, Losses>& step;
  double* gradient;

  /// From activations and the loaded output layer; this thread's part of the value.
  __device__ double evaluate(const double* point, backend::Fit fit) const {
    double value = 0.0;
    step.for_rows([&](unsigned i, unsigned) { value += step.list_errors(i, fit == backend::Fit::loss); });
    meet<Team::warps>();
    ListProducts<Team, Losses> products(step);
    add_hidden_gradient(products, point);
    if (fit != backend::Fit::projected) add_output_gradient(products, point);
    return value;
  }

 private:
  __device__ static double penalty(double weight) { return Team::leads() ? work().penalty * weight : 0.0; }

  __device__ void add_hidden_gradient(ListProducts<Team, Losses>& products, const double* point) const {
    const unsigned n = step.n, width = step.width, bias_at = static_cast<unsigned>(step.shape().hidden_bias_at());
    products.template add<float>(
        step.units(), width + 1, [&](unsigned j, unsigned i, unsigned) { return step.slopes[j * n + i]; },
        [&](unsigned f, unsigned, unsigned row) {
          return f < width ? __ldg(step.x + step.columns[f] + step.place(row)) : 1.0f;
        },
        [&](unsigned j, unsigned f, float sum) {
          const unsigned at = f < width ? j * width + f : bias_at + j;
          gradient[at] = f < width ? sum + penalty(point[at]) : sum;
        });
  }

  __device__ void add_output_gradient(ListProducts<Team, Losses>& products, const double* point) const {
    const unsigned n = step.n, units = step.units(), first = static_cast<unsigned>(step.shape().output_weights_at());
    products.template add<double>(
        units + 1, step.outputs,
        [&](unsigned j, unsigned i, unsigned) { return j < units ? step.activations[j * n + i] : 1.0f; },
        [&](unsigned k, unsigned i, unsigned) { return step.errors[k * n + i]; },
        [&](unsigned j, unsigned k, double sum) {
          const unsigned at = first + j * step.outputs + k;
          gradient[at] = j < units ? sum + penalty(point[at]) : sum;
        });
  }
};

}  // namespace accrete::cuda

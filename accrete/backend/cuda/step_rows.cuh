#pragma once
// The rows of one step on a team of threads: value and gradient of the step's objective, as backend::Rows has them.
//
// An evaluation reads the features twice: once with a thread per row (forward), once with a warp per feature
// (backward). Between them lie a few numbers per row, in shared memory where they fit.

#include "accrete/backend/cuda/choice.cuh"
#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/team.cuh"
#include "accrete/solver/least_squares.hpp"

namespace accrete::cuda {

/// A block's memory, by name.
struct BlockMemory {
  char* shared;
  char* global;  ///< the team's
  char* own;     ///< global memory too, of this block alone
  const Layout& at;

  template <class T>
  __device__ T* in_shared(std::size_t offset) const {
    return reinterpret_cast<T*>(shared + offset);
  }
  template <class T>
  __device__ T* in_global(std::size_t offset) const {
    return reinterpret_cast<T*>(global + offset);
  }
  __device__ double* workspace() const {
    return at.workspace_shared ? in_shared<double>(at.workspace) : reinterpret_cast<double*>(own);
  }
  __device__ float* step_rows() const {
    return at.rows_shared ? in_shared<float>(at.step_rows) : in_global<float>(at.step_rows);
  }
};

/// The scores of a row's outputs with what the loss needs beside them.
template <int K>
struct LossRow {
  float targets[K], scores[K];

  __device__ loss::Run<float> run(unsigned outputs, const loss::Settings& settings) const {
    return {1, 1, K == 1 ? 1 : outputs, targets, scores, settings};
  }
};

/// J units a step; at most K outputs.
template <class Team, class Losses, int J, int K>
struct StepRows {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

  Team& team;
  const FitPlan& plan;
  const DeviceRows& rows;
  BlockMemory memory;
  const unsigned* which = nullptr;     ///< the step's rows; null: all
  const unsigned* features = nullptr;  ///< the step's features; null: all
  double penalty;                      ///< alpha over the number of rows

  /// Where a matrix of features lies, and which of its rows and columns are meant.
  struct Matrix {
    const float* x;
    unsigned stride;
    const unsigned *which, *features;

    __device__ unsigned row(unsigned i) const { return which ? which[i] : i; }
    __device__ const float* feature(unsigned f) const { return x + (features ? features[f] : f) * stride; }
  };
  /// All rows, for scores; and the step's own.
  __device__ Matrix all() const { return {rows.x, rows.stride, nullptr, features}; }
  __device__ Matrix own() const { return {rows.x, rows.stride, which, features}; }

  static constexpr unsigned at_once = J <= 2 ? 4 : 2;  ///< rows of a thread, so that a weight is loaded once for all

  __device__ unsigned outputs() const { return K == 1 ? 1 : plan.outputs; }
  __device__ unsigned count() const { return plan.drawn; }
  __device__ backend::BlockShape shape() const { return {plan.width, J, outputs()}; }

  // What a row of the step has: unit by unit, output by output.
  __device__ float* activations() const { return memory.step_rows(); }
  __device__ float* slopes() const { return activations() + J * count(); }
  __device__ float* errors() const { return slopes() + J * count(); }
  __device__ float* weights() const { return errors() + outputs() * count(); }
  __device__ float* goals() const { return weights() + count(); }                 ///< residuals, or targets
  __device__ float* offsets() const { return goals() + goal_count() * count(); }  ///< scores so far
  __device__ unsigned goal_count() const {
    return plan.objective == Objective::direct ? rows.targets_count : outputs();
  }

  /// The layers as floats, hidden weights feature by feature.
  __device__ void load_hidden(const double* point) const {
    float* hidden = memory.in_shared<float>(memory.at.hidden);
    const unsigned width = plan.width;
    for (unsigned i = threadIdx.x; i < (width + 1) * J; i += threads) {
      const unsigned f = i / J, j = i % J;
      hidden[i] = static_cast<float>(f < width ? point[j * width + f] : point[shape().hidden_bias_at() + j]);
    }
  }
  __device__ void load_output(const double* layer) const {
    float* output = memory.in_shared<float>(memory.at.output);
    for (unsigned i = threadIdx.x; i < (J + 1) * outputs(); i += threads) output[i] = static_cast<float>(layer[i]);
  }

  /// The activations of `many` rows of the matrix, from the loaded hidden layer.
  template <unsigned many>
  __device__ void activate(const Matrix& from, const unsigned (&at)[many], float (&a)[many][J]) const {
    const float* hidden = memory.in_shared<float>(memory.at.hidden);
#pragma unroll
    for (unsigned r = 0; r < many; ++r)
#pragma unroll
      for (int j = 0; j < J; ++j) a[r][j] = hidden[plan.width * J + j];
#pragma unroll 4
    for (unsigned f = 0; f < plan.width; ++f) {
      const float* x = from.feature(f);
      float v[many];
#pragma unroll
      for (unsigned r = 0; r < many; ++r) v[r] = __ldg(x + at[r]);
#pragma unroll
      for (int j = 0; j < J; ++j) {
        const float w = hidden[f * J + j];
#pragma unroll
        for (unsigned r = 0; r < many; ++r) a[r][j] += w * v[r];
      }
    }
    choose_activation(plan.activation, [&](auto formula) {
#pragma unroll
      for (unsigned r = 0; r < many; ++r)
#pragma unroll
        for (int j = 0; j < J; ++j) a[r][j] = decltype(formula)::value(a[r][j]);
    });
  }

  /// Forward over the step's rows, from the hidden layer of the point.
  __device__ void forward(const double* point) const {
    load_hidden(point);
    __syncthreads();
    float* kept = activations();
    const unsigned n = count();
    const Matrix from_rows = own();
    const Run mine = Team::share(n);
    for (unsigned from = mine.from + threadIdx.x; from < mine.to; from += threads * at_once) {
      unsigned at[at_once];
      float a[at_once][J];
      for (unsigned r = 0; r < at_once; ++r) at[r] = from_rows.row(min(from + r * threads, mine.to - 1));
      activate<at_once>(from_rows, at, a);
      for (unsigned r = 0; r < at_once; ++r)
        if (from + r * threads < mine.to)
          for (int j = 0; j < J; ++j) kept[j * n + from + r * threads] = a[r][j];
    }
    __syncthreads();
  }

  /// Sum over this block's rows of the step of term(i), by one warp.
  template <class Term>
  __device__ double sum_of(Term term) const {
    double sum = 0.0;
    const Run mine = Team::share(count());
    for (unsigned i = mine.from + lane(); i < mine.to; i += warp_lanes) sum += term(i);
    return warp_sum(sum);
  }

  /// The best output layer for the activations: normal equations, one entry to a warp at a time, then their solution.
  __device__ void project() {
    constexpr unsigned n = J + 1;
    double* gram = memory.in_shared<double>(memory.at.gram);
    double* layer = memory.in_shared<double>(memory.at.output_layer);
    const float *a = activations(), *w = weights(), *r = goals();
    const unsigned many = count(), k_count = outputs();
    for (unsigned entry = warp(); entry < n * n + n * k_count; entry += warps) {
      const unsigned i = entry < n * n ? entry / n : (entry - n * n) / k_count;
      const unsigned other = entry < n * n ? entry % n : (entry - n * n) % k_count;
      if (entry < n * n && other > i) continue;  // only the lower triangle is read
      const float* left = a + i * many;          // the last one stands for 1
      const float* right = entry < n * n ? a + other * many : r + other * many;
      const bool ones = entry < n * n && other == J;
      double sum;
      if (i == J)
        sum = ones ? sum_of([&](unsigned at) { return double(w[at]); })
                   : sum_of([&](unsigned at) { return double(w[at]) * right[at]; });
      else
        sum = sum_of([&](unsigned at) { return double(w[at]) * left[at] * right[at]; });
      if (lane() == 0) (entry < n * n ? gram[i * n + other] : layer[i * k_count + other]) = sum;
    }
    team.join(gram, static_cast<unsigned>(layer - gram) + n * k_count);  // they lie side by side
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < J; ++i) gram[i * n + i] += penalty;
      solver::solve_positive({gram, n * n}, {layer, n * k_count}, n, k_count);
    }
    __syncthreads();
  }

  /// Errors and slopes of this block's rows of the step, from activations and the loaded output layer; this thread's
  /// part of the value.
  __device__ double find_errors(bool of_loss) const {
    const float* output = memory.in_shared<float>(memory.at.output);
    const float *a = activations(), *w = weights(), *goal = goals(), *so_far = offsets();
    float *slope = slopes(), *error = errors();
    const unsigned n = count(), k_count = outputs();
    double value = 0.0;
    const Run mine = Team::share(n);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      float units[J], e[K];
      LossRow<K> of;
#pragma unroll
      for (int j = 0; j < J; ++j) units[j] = a[j * n + i];
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if (k >= k_count) break;
        float h = output[J * k_count + k];
#pragma unroll
        for (int j = 0; j < J; ++j) h += units[j] * output[j * k_count + k];
        if (of_loss)
          of.scores[k] = h + so_far[k * n + i];
        else
          e[k] = h - goal[k * n + i];
      }
      if (of_loss) {
        float row_value;
        for (unsigned t = 0; t < rows.targets_count; ++t) of.targets[t] = goal[t * n + i];
        Losses::choose(plan.loss, [&](auto l) {
          decltype(l)::values_and_derivatives(of.run(k_count, plan.settings), &row_value, e);
        });
        value += double(w[i]) * row_value;
      } else {
        float squares = 0.0f;
#pragma unroll
        for (int k = 0; k < K; ++k)
          if (k < k_count) squares += e[k] * e[k];
        value += 0.5 * double(w[i]) * squares;
      }
      float back[J] = {};
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if (k >= k_count) break;
        const float weighted = w[i] * e[k];
        error[k * n + i] = weighted;
#pragma unroll
        for (int j = 0; j < J; ++j) back[j] += weighted * output[j * k_count + k];
      }
      choose_activation(plan.activation, [&](auto formula) {
#pragma unroll
        for (int j = 0; j < J; ++j) slope[j * n + i] = back[j] * decltype(formula)::slope(units[j]);
      });
    }
    return value;
  }

  /// The gradient by the hidden layer, over this block's rows: some features at a time to a warp. Where there are more
  /// warps than that, several share the rows.
  __device__ void add_hidden_gradient(const double* point, double* gradient) const {
    constexpr unsigned some = J == 1 ? 4 : 2;
    const unsigned n = count(), width = plan.width, groups = (width + some - 1) / some;
    const unsigned parts = Team::splits_rows && groups < warps ? warps / groups : 1;
    __shared__ double parts_of_sums[Team::splits_rows ? warps * some * J : 1];
    const float* slope = slopes();
    const Matrix from = own();
    const Run mine = Team::share(n);
    const unsigned each = (mine.to - mine.from + parts - 1) / parts;
    for (unsigned task = warp(); task < groups * parts; task += warps) {
      const unsigned part = task / groups, first = (task - part * groups) * some;
      const unsigned start = mine.from + part * each, end = min(mine.to, start + each);
      const float* x[some];
      float sum[some][J] = {};
      for (unsigned f = 0; f < some; ++f) x[f] = from.feature(min(first + f, width - 1));
      for (unsigned i = start + lane(); i < end; i += warp_lanes) {
        const unsigned at = from.row(i);
        float s[J];
#pragma unroll
        for (int j = 0; j < J; ++j) s[j] = slope[j * n + i];
#pragma unroll
        for (unsigned f = 0; f < some; ++f) {
          const float v = __ldg(x[f] + at);
#pragma unroll
          for (int j = 0; j < J; ++j) sum[f][j] += s[j] * v;
        }
      }
#pragma unroll
      for (unsigned f = 0; f < some; ++f)
#pragma unroll
        for (int j = 0; j < J; ++j) {
          const double all = warp_sum(sum[f][j]);
          const unsigned at = j * width + first + f;
          if (lane() != 0 || first + f >= width) continue;
          if (parts > 1)
            parts_of_sums[part * J * width + at] = all;
          else
            gradient[at] = all + (Team::leads() ? penalty * point[at] : 0.0);
        }
    }
    if (parts > 1) {
      __syncthreads();
      for (unsigned at = threadIdx.x; at < J * width; at += threads) {
        double sum = Team::leads() ? penalty * point[at] : 0.0;
        for (unsigned part = 0; part < parts; ++part) sum += parts_of_sums[part * J * width + at];
        gradient[at] = sum;
      }
    }
    for (unsigned j = warp(); j < J; j += warps) {
      const double sum = sum_of([&](unsigned i) { return double(slope[j * n + i]); });
      if (lane() == 0) gradient[shape().hidden_bias_at() + j] = sum;
    }
  }

  __device__ void add_output_gradient(const double* point, double* gradient) const {
    const float *a = activations(), *error = errors();
    const unsigned n = count(), k_count = outputs();
    const auto layout = shape();
    for (unsigned entry = warp(); entry < (J + 1) * k_count; entry += warps) {
      const unsigned j = entry / k_count, k = entry % k_count;
      const double sum = j < J ? sum_of([&](unsigned i) { return double(error[k * n + i]) * a[j * n + i]; })
                               : sum_of([&](unsigned i) { return double(error[k * n + i]); });
      const std::size_t at = layout.output_weights_at() + entry;
      if (lane() == 0) gradient[at] = sum + (j < J && Team::leads() ? penalty * point[at] : 0.0);
    }
  }

  /// Half the penalty's factor times the sum of squared weights; biases are free.
  __device__ double penalty_value(const double* point, const double* layer) const {
    if (!Team::leads()) return 0.0;
    double squares = 0.0;
    for (unsigned i = threadIdx.x; i < J * plan.width; i += threads) squares += point[i] * point[i];
    for (unsigned i = threadIdx.x; i < J * outputs(); i += threads) squares += layer[i] * layer[i];
    return 0.5 * penalty * squares;
  }

  /// Value and gradient at a point in shared memory; the same value for every thread.
  __device__ __noinline__ double evaluate(const double* point, double* gradient, backend::Fit fit) {
    const bool projected = fit == backend::Fit::projected;
    forward(point);
    const double* layer = point + shape().output_weights_at();
    if (projected) {
      project();
      layer = memory.in_shared<double>(memory.at.output_layer);
    }
    load_output(layer);
    __syncthreads();
    double value = find_errors(fit == backend::Fit::loss) + penalty_value(point, layer);
    __syncthreads();
    add_hidden_gradient(point, gradient);
    if (!projected) add_output_gradient(point, gradient);
    return team.join(value, gradient, static_cast<unsigned>(projected ? shape().hidden_size() : shape().size()));
  }
};

}  // namespace accrete::cuda

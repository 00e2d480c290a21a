#pragma once
// Value and gradient of a step's objective where there are too many outputs for register_pass.cuh: errors and slopes of
// every row are listed in memory, with a thread to a row, and then summed feature by feature, with a warp to a few
// features.

#include "accrete/backend/cuda/step_rows.cuh"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
struct ListPass {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

  const StepRows<Team, Losses, J, K>& step;
  double* gradient;

  /// Sum over this block's rows of the step of term(i), by one warp.
  template <class Term>
  __device__ double sum_of(Term term) const {
    double sum = 0.0;
    const Run mine = Team::share(step.n);
    for (unsigned i = mine.from + lane(); i < mine.to; i += warp_lanes) sum += term(i);
    return warp_sum(sum);
  }

  /// Errors and slopes of this block's rows, from activations and the loaded output layer; this thread's part of the
  /// value.
  __device__ double list_errors(bool of_loss) const {
    const unsigned n = step.n;
    double value = 0.0;
    const Run mine = Team::share(n);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      float a[J], e[K], slope[J];
#pragma unroll
      for (int j = 0; j < J; ++j) a[j] = step.activations[j * n + i];
      value += step.find_error(i, of_loss, a, e, slope);
#pragma unroll
      for (int k = 0; k < K; ++k)
        if (k < step.outputs) step.errors[k * n + i] = e[k];
#pragma unroll
      for (int j = 0; j < J; ++j) step.slopes[j * n + i] = slope[j];
    }
    return value;
  }

  /// The gradient by the hidden layer, over this block's rows: some features at a time to a warp. Where there are more
  /// warps than that, several share the rows.
  __device__ void add_hidden_gradient(const double* point) const {
    constexpr unsigned some = J == 1 ? 4 : 2;
    const unsigned n = step.n, width = step.width, groups = (width + some - 1) / some;
    const unsigned parts = Team::splits_rows && groups < warps ? warps / groups : 1;
    __shared__ double parts_of_sums[Team::splits_rows ? warps * some * J : 1];
    const float* slope = step.slopes;
    const Run mine = Team::share(n);
    const unsigned each = (mine.to - mine.from + parts - 1) / parts;
    for (unsigned task = warp(); task < groups * parts; task += warps) {
      const unsigned part = task / groups, first = (task - part * groups) * some;
      const unsigned start = mine.from + part * each, end = min(mine.to, start + each);
      const float* x[some];
      float sum[some][J] = {};
      for (unsigned f = 0; f < some; ++f) x[f] = step.x + step.columns[min(first + f, width - 1)];
      for (unsigned i = start + lane(); i < end; i += warp_lanes) {
        const unsigned place = step.place(step.row(i));
        float s[J];
#pragma unroll
        for (int j = 0; j < J; ++j) s[j] = slope[j * n + i];
#pragma unroll
        for (unsigned f = 0; f < some; ++f) {
          const float v = __ldg(x[f] + place);
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
            gradient[at] = all + (Team::leads() ? work().penalty * point[at] : 0.0);
        }
    }
    if (parts > 1) {
      meet<warps>();
      for (unsigned at = threadIdx.x; at < J * width; at += threads) {
        double sum = Team::leads() ? work().penalty * point[at] : 0.0;
        for (unsigned part = 0; part < parts; ++part) sum += parts_of_sums[part * J * width + at];
        gradient[at] = sum;
      }
    }
    for (unsigned j = warp(); j < J; j += warps) {
      const double sum = sum_of([&](unsigned i) { return double(slope[j * n + i]); });
      if (lane() == 0) gradient[step.shape().hidden_bias_at() + j] = sum;
    }
  }

  __device__ void add_output_gradient(const double* point) const {
    const float *a = step.activations, *error = step.errors;
    const unsigned n = step.n, k_count = step.outputs;
    const auto layout = step.shape();
    for (unsigned entry = warp(); entry < (J + 1) * k_count; entry += warps) {
      const unsigned j = entry / k_count, k = entry % k_count;
      const double sum = j < J ? sum_of([&](unsigned i) { return double(error[k * n + i]) * a[j * n + i]; })
                               : sum_of([&](unsigned i) { return double(error[k * n + i]); });
      const std::size_t at = layout.output_weights_at() + entry;
      if (lane() == 0) gradient[at] = sum + (j < J && Team::leads() ? work().penalty * point[at] : 0.0);
    }
  }

  /// All of it, from activations and the loaded output layer; this thread's part of the value.
  __device__ double evaluate(const double* point, backend::Fit fit) const {
    const double value = list_errors(fit == backend::Fit::loss);
    meet<warps>();
    add_hidden_gradient(point);
    if (fit != backend::Fit::projected) add_output_gradient(point);
    return value;
  }
};

}  // namespace accrete::cuda

#pragma once
// Scores of all rows of a fit, their loss, and the step length along the block's output.

#include "accrete/backend/cuda/step_arrays.cuh"
#include "accrete/config/newton.hpp"

namespace accrete::cuda {

/// J = 0: general kernel. K: maximum number of outputs, or 0.
template <class Team, class Losses, int J, int K>
class TeamScores {
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

 public:
  __device__ explicit TeamScores(Team& team) : team_(team) {}

  __device__ static unsigned outputs() { return K == 1 ? 1 : plan().outputs; }
  __device__ static unsigned all_rows() { return rows().train_rows + rows().test_rows; }
  __device__ static float* scores() { return in_fit_memory<float>(layout().scores); }
  __device__ static float* residuals() { return in_fit_memory<float>(layout().residuals); }
  /// Output of the step's block for every row.
  __device__ static float* step_output() { return in_fit_memory<float>(layout().step_output); }
  /// Newton step of each output.
  __device__ static double* scale() { return step_vector<double, J == 0>(layout().step_scale); }

  /// Sets all scores to the start score.
  __device__ void reset() {
    for_rows(all_rows(), [&](unsigned k, unsigned i) { scores()[k * all_rows() + i] = start_score(k); });
    Team::sync();
  }

  /// Writes the scores of the test rows.
  __device__ void write_test_scores(unsigned prefix) {
    float* to = plan().scores + std::size_t(prefix) * outputs() * rows().test_rows;
    for_rows(rows().test_rows, [&](unsigned k, unsigned i) {
      to[k * rows().test_rows + i] = scores()[k * all_rows() + rows().train_rows + i];
    });
  }

  /// Adds the step: its output times Newton step and learning rate.
  __device__ void add_step() {
    for_rows(all_rows(), [&](unsigned k, unsigned i) {
      scores()[k * all_rows() + i] += step_factor(k) * step_output()[k * all_rows() + i];
    });
    Team::sync();
  }

  enum class At { start, current, after_step };

  /// Weighted mean of the loss over the training rows.
  __device__ double mean_loss(At at) {
    double sum = 0.0;
    const RowRange range = Team::row_range(rows().train_rows);
    for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads) {
      float value;
      const auto row = loss_row(i, at);
      Losses::visit(plan().loss, [&](auto l) { decltype(l)::values(row.loss_rows(outputs()), &value); });
      sum += double(rows().weights[i]) * value;
    }
    return team_.sum(sum) / double(rows().train_rows);
  }

  /// Computes the residuals as specified by backend::TrainingRows::compute_residuals.
  __device__ double compute_residuals() {
    double squares = 0.0;
    const RowRange range = Team::row_range(rows().train_rows);
    for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads) {
      ThreadArray<float, K> d(ThreadArrayId::derivatives);
      const auto row = loss_row(i, At::current);
      Losses::visit(plan().loss, [&](auto l) { decltype(l)::derivatives(row.loss_rows(outputs()), d.data()); });
      for (unsigned k = 0; k < outputs(); ++k) {
        const float residual = -plan().residual_scale * d[k];
        residuals()[k * rows().train_rows + i] = residual;
        squares += double(rows().weights[i]) * residual * residual;
      }
    }
    if (!plan().rescale_residual) {
      Team::sync();
      return 1.0;
    }
    const double size = sqrt(team_.sum(squares) / (double(rows().train_rows) * outputs()));
    if (!(size > 0.0)) return 1.0;
    const float factor = static_cast<float>(1.0 / size);
    for_rows(rows().train_rows, [&](unsigned k, unsigned i) { residuals()[k * rows().train_rows + i] *= factor; });
    Team::sync();
    return size;
  }

  /// Sets scale() to the Newton steps along step_output(), as boosting/step/residual_step.cpp does on the CPU. size:
  /// the divisor of the residuals.
  __device__ void compute_scale(double size) {
    for_outputs([&](unsigned k) { scale()[k] = size; });
    sync_block<warps>();
    if (plan().objective == Objective::direct || plan().unit_step) return;
    double* sums = step_vector<double, J == 0>(layout().gradient);  // unused between descents
    sum_slopes(size, sums);
    team_.all_reduce(sums, 2 * outputs() + 1, 1);
    for_outputs([&](unsigned k) { scale()[k] = size * config::newton_step(sums[2 * k], sums[2 * k + 1]); });
    sync_block<warps>();
    const double rho = config::newton_step(sums[0], sums[1]);
    shorten_step({rho, sums[1], size * sums[2 * outputs()]});
  }

 private:
  __device__ static constexpr int max_outputs() { return K > 0 ? K : plan().outputs; }
  __device__ static float start_score(unsigned k) { return static_cast<float>(plan().start[k]); }
  __device__ static float step_factor(unsigned k) { return static_cast<float>(state().rate * scale()[k]); }

  /// Calls f(k, i) for every output and each of this team's `count` rows.
  template <class F>
  __device__ static void for_rows(unsigned count, F f) {
    const RowRange range = Team::row_range(count);
    for (unsigned k = 0; k < outputs(); ++k)
      for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads) f(k, i);
  }
  /// Calls f(k) for every output, each on one thread.
  template <class F>
  __device__ static void for_outputs(F f) {
#pragma unroll 1
    for (unsigned k = threadIdx.x; k < outputs(); k += threads) f(k);
  }

  __device__ LossRow<Losses, K> loss_row(unsigned i, At at) const {
    LossRow<Losses, K> row;
#pragma unroll
    for (int k = 0; k < max_outputs(); ++k) {
      if (k < rows().target_count) row.targets[k] = rows().targets[k * rows().train_rows + i];
      float score = 0.0f;
      if (k < outputs()) {
        score = at == At::start ? start_score(k) : scores()[k * all_rows() + i];
        if (at == At::after_step) score += step_factor(k) * step_output()[k * all_rows() + i];
      }
      row.set_score(k, score, outputs());
    }
    return row;
  }

  /// Block sums of slope and curvature of the loss along size * step_output(), per output, then the largest
  /// abs(step_output()) of all outputs.
  __device__ void sum_slopes(double size, double* sums) {
    ThreadArray<double, K> slope(ThreadArrayId::slope_sums), curvature(ThreadArrayId::curvature_sums);
    for (unsigned k = 0; k < max_outputs(); ++k) slope[k] = curvature[k] = 0.0;
    float largest = 0.0f;
    const RowRange range = Team::row_range(rows().train_rows);
    for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads) {
      ThreadArray<float, K> d(ThreadArrayId::derivatives), c(ThreadArrayId::curvatures);
      const auto row = loss_row(i, At::current);
      Losses::visit(plan().loss, [&](auto l) {
        decltype(l)::derivatives(row.loss_rows(outputs()), d.data());
        decltype(l)::curvatures(row.loss_rows(outputs()), c.data());
      });
      const double w = rows().weights[i];
#pragma unroll
      for (int k = 0; k < max_outputs(); ++k) {
        if (k >= outputs()) break;
        const float output = step_output()[k * all_rows() + i];
        const double h = size * output;
        slope[k] -= w * d[k] * h;
        curvature[k] += w * c[k] * h * h;
        if (w > 0.0) largest = fmaxf(largest, fabsf(output));
      }
    }
#pragma unroll
    for (int k = 0; k < max_outputs(); ++k) {
      if (k >= outputs()) break;
      const double s = block_sum<warps>(slope[k]), c = block_sum<warps>(curvature[k]);
      if (threadIdx.x == 0) sums[2 * k] = s, sums[2 * k + 1] = c;
    }
    const double max_output = block_max<warps>(largest);
    if (threadIdx.x == 0) sums[2 * outputs()] = max_output;
  }

  /// Applies config::StepGuard to the Newton steps in scale(). first: the step of output 0.
  __device__ void shorten_step(const config::NewtonStep& first) {
    if (outputs() == 1 && first.max_rise(state().rate) == 0.0) return;  // saves a pass for the current loss
    const double loss = mean_loss(At::current);
    const auto guard = outputs() > 1 ? config::StepGuard::for_outputs(loss)
                                     : config::StepGuard::for_one_output(first, state().rate, loss,
                                                                         mean_loss(At::start), rows().train_rows);
    if (!guard.is_needed) return;
    const auto multiply = [&](double factor) {
      sync_block<warps>();
      for_outputs([&](unsigned k) { scale()[k] *= factor; });
      sync_block<warps>();
    };
    if (guard.shorten([&] { return mean_loss(At::after_step); }, multiply)) return;
    for_outputs([&](unsigned k) { scale()[k] = 0.0; });
    sync_block<warps>();
  }

  Team& team_;
};

}  // namespace accrete::cuda

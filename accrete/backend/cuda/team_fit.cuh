#pragma once
// One team of threads is one fit: the loop of boosting/train.cpp with the steps of boosting/residual_step.cpp and
// direct_step.cpp, on rows that stay on the device. Draws, formulas, solver and line search are the host's own source.

#include <optional>

#include "accrete/backend/cuda/step_rows.cuh"
#include "accrete/boosting/newton.hpp"
#include "accrete/core/random.hpp"
#include "accrete/solver/lbfgs.hpp"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
class TeamFit {
  using Solver = solver::Lbfgs<WarpVectors>;
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

 public:
  __device__ TeamFit(const FitPlan& plan, const DeviceRows& rows, const BlockMemory& memory, Team& team)
      : plan_(plan),
        rows_(rows),
        memory_(memory),
        team_(team),
        step_{team, plan, rows, memory, nullptr, nullptr, plan.alpha / (double(plan.drawn) * rows.row_weight)} {}

  __device__ void run() {
    if (plan_.first == 0) start();
    unsigned written = 0;
    for (unsigned step = plan_.first; step <= plan_.steps; ++step) {
      for (; written < plan_.prefix_count && plan_.prefixes[written] <= step; ++written) write_scores(written);
      if (step == plan_.steps) break;
      if ((step - plan_.first) % draw_ahead == 0) draw(step);
      grow(step);
      if (plan_.grown.parameters) hand_over(step - plan_.first);
    }
    const double loss = mean_loss(0.0);
    if (Team::leads() && threadIdx.x == 0) *plan_.train_loss = loss;
    Team::sync();
  }

 private:
  __device__ unsigned all_rows() const { return rows_.train + rows_.test; }
  __device__ float* scores() const { return memory_.template in_global<float>(memory_.at.scores); }
  __device__ float* residuals() const { return memory_.template in_global<float>(memory_.at.residuals); }
  __device__ float* moves() const { return memory_.template in_global<float>(memory_.at.moves); }
  __device__ double* parameters() const { return memory_.template in_shared<double>(memory_.at.parameters); }
  __device__ double* sums() const { return memory_.template in_shared<double>(memory_.at.sums); }
  __device__ double* step_scale() const { return memory_.template in_shared<double>(memory_.at.step_scale); }

  __device__ void start() {
    const Run mine = Team::share(all_rows());
    for (unsigned k = 0; k < step_.outputs(); ++k)
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
        scores()[k * all_rows() + i] = static_cast<float>(plan_.start[k]);
    Team::sync();
  }

  __device__ void write_scores(unsigned prefix) {
    float* out = plan_.scores + std::size_t(prefix) * step_.outputs() * rows_.test;
    const Run mine = Team::share(rows_.test);
    for (unsigned k = 0; k < step_.outputs(); ++k)
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
        out[k * rows_.test + i] = scores()[k * all_rows() + rows_.train + i];
  }

  /// Rows, features and initial weights of the steps to come, one step to a thread, as many blocks as there are.
  __device__ void draw(unsigned first) {
    Team::sync();
    const unsigned slot = threadIdx.x * Team::blocks() + Team::block();
    if (slot < draw_ahead && first + slot < plan_.steps) {
      const unsigned step = first + slot;
      if (plan_.drawn < rows_.train) {
        unsigned* to = memory_.template in_global<unsigned>(memory_.at.drawn_rows) + std::size_t(slot) * plan_.drawn;
        core::Rng(plan_.seed, step, core::Purpose::rows).choose(rows_.train, plan_.drawn, [&](std::size_t i) {
          *to++ = static_cast<unsigned>(i);
        });
      }
      if (plan_.width < rows_.features) {
        unsigned* to = memory_.template in_global<unsigned>(memory_.at.drawn_features) + slot * plan_.width;
        core::Rng(plan_.seed, step, core::Purpose::features).choose(rows_.features, plan_.width, [&](std::size_t i) {
          *to++ = static_cast<unsigned>(i);
        });
      }
      draw_weights(step, memory_.template in_global<double>(memory_.at.initial) + slot * step_.shape().size());
    }
    Team::sync();
  }

  /// As boosting::uniform_weights.
  __device__ void draw_weights(unsigned step, double* to) const {
    core::Rng rng(plan_.seed, step, core::Purpose::weights);
    const auto shape = step_.shape();
    const double hidden = sqrt(plan_.gain / double(shape.features + shape.units));
    const double output = sqrt(plan_.gain / double(shape.units + shape.outputs));
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const double bound = i < shape.hidden_size() ? hidden : output;
      to[i] = rng.uniform(-bound, bound);
    }
  }

  __device__ void grow(unsigned step) {
    rate_ = plan_.rate.of_step(step);
    const unsigned slot = (step - plan_.first) % draw_ahead;
    step_.which = plan_.drawn < rows_.train
                      ? memory_.template in_global<unsigned>(memory_.at.drawn_rows) + std::size_t(slot) * plan_.drawn
                      : nullptr;
    step_.features = plan_.width < rows_.features
                         ? memory_.template in_global<unsigned>(memory_.at.drawn_features) + slot * plan_.width
                         : nullptr;
    const double* initial = memory_.template in_global<double>(memory_.at.initial) + slot * step_.shape().size();
    for (unsigned i = threadIdx.x; i < step_.shape().size(); i += threads) parameters()[i] = initial[i];
    const double size = plan_.objective == Objective::direct ? 1.0 : take_residuals();
    look();
    minimise();
    find_moves();
    find_scale(size);
    const Run mine = Team::share(all_rows());
    for (unsigned k = 0; k < step_.outputs(); ++k) {
      const float by = static_cast<float>(rate_ * step_scale()[k]);
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
        scores()[k * all_rows() + i] += by * moves()[k * all_rows() + i];
    }
    Team::sync();
  }

  /// The step for the host, and the loss after it.
  __device__ void hand_over(unsigned place) {
    const double loss = mean_loss(0.0);
    if (!Team::leads()) return;
    const Grown& to = plan_.grown;
    const unsigned size = static_cast<unsigned>(step_.shape().size());
    for (unsigned i = threadIdx.x; i < size; i += threads) to.parameters[place * size + i] = parameters()[i];
    for (unsigned k = threadIdx.x; k < step_.outputs(); k += threads)
      to.scales[place * step_.outputs() + k] = rate_ * step_scale()[k];
    for (unsigned f = threadIdx.x; f < plan_.width; f += threads)
      to.features[place * plan_.width + f] = step_.features ? step_.features[f] : f;
    if (threadIdx.x == 0) to.losses[place] = loss;
  }

  __device__ LossRow<K> loss_row(unsigned i, double rate) const {
    LossRow<K> of;
    for (unsigned t = 0; t < rows_.targets_count; ++t) of.targets[t] = rows_.targets[t * rows_.train + i];
    for (unsigned k = 0; k < step_.outputs(); ++k) {
      of.scores[k] = scores()[k * all_rows() + i];
      if (rate != 0.0) of.scores[k] += static_cast<float>(rate * step_scale()[k]) * moves()[k * all_rows() + i];
    }
    return of;
  }

  /// As they stand, or with so much of the step's moves.
  __device__ double mean_loss(double rate) {
    double sum = 0.0;
    const Run mine = Team::share(rows_.train);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      float value;
      const auto row = loss_row(i, rate);
      Losses::choose(plan_.loss,
                     [&](auto l) { decltype(l)::values(row.run(step_.outputs(), plan_.settings), &value); });
      sum += double(rows_.weights[i]) * value;
    }
    return team_.sum(sum) / double(rows_.train);
  }

  /// As backend::Rows::take_residuals.
  __device__ double take_residuals() {
    double squares = 0.0;
    const Run mine = Team::share(rows_.train);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      float d[K];
      const auto row = loss_row(i, 0.0);
      Losses::choose(plan_.loss,
                     [&](auto l) { decltype(l)::derivatives(row.run(step_.outputs(), plan_.settings), d); });
      for (unsigned k = 0; k < step_.outputs(); ++k) {
        const float residual = -plan_.residual_scale * d[k];
        residuals()[k * rows_.train + i] = residual;
        squares += double(rows_.weights[i]) * residual * residual;
      }
    }
    if (!plan_.rescale) {
      Team::sync();
      return 1.0;
    }
    const double size = sqrt(team_.sum(squares) / (double(rows_.train) * step_.outputs()));
    if (!(size > 0.0)) return 1.0;
    const float factor = static_cast<float>(1.0 / size);
    for (unsigned k = 0; k < step_.outputs(); ++k)
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) residuals()[k * rows_.train + i] *= factor;
    Team::sync();
    return size;
  }

  /// What the step's rows are fitted to, side by side.
  __device__ void look() {
    const auto row_at = [&](unsigned i) { return step_.which ? step_.which[i] : i; };
    const unsigned n = step_.count();
    const Run mine = Team::share(n);
    double weight = 0.0;
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) weight += rows_.weights[row_at(i)];
    weight = team_.sum(weight);
    const float share = static_cast<float>(weight > 0.0 ? 1.0 / weight : 1.0);
    const bool direct = plan_.objective == Objective::direct;
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      const unsigned row = row_at(i);
      step_.weights()[i] = share * rows_.weights[row];
      for (unsigned t = 0; t < step_.goal_count(); ++t)
        step_.goals()[t * n + i] = direct ? rows_.targets[t * rows_.train + row] : residuals()[t * rows_.train + row];
      if (direct)
        for (unsigned k = 0; k < step_.outputs(); ++k) step_.offsets()[k * n + i] = scores()[k * all_rows() + row];
    }
    __syncthreads();
  }

  /// Moves the first `size` parameters downhill. The first warp solves; all evaluate.
  __device__ __noinline__ void descend(backend::Fit fit, unsigned iterations, std::size_t size) {
    solver::Options options;
    options.max_iterations = iterations;
    options.tolerance = plan_.tolerance;
    options.floor = plan_.floor;
    options.noise = 6e-8 / sqrt(double(step_.count()));
    double* gradient = memory_.template in_shared<double>(memory_.at.gradient);
    const double** point = reinterpret_cast<const double**>(sums() + most_warps);
    int* going = reinterpret_cast<int*>(sums() + most_warps + 1);
    std::optional<Solver> solver;
    if (warp() == 0)
      solver.emplace(options, std::span<const double>(parameters(), size),
                     std::span<double>(memory_.workspace(), Solver::workspace_size(size, options)));
    for (;;) {
      if (threadIdx.x == 0) *point = solver->point().data();
      __syncthreads();
      const double value = step_.evaluate(*point, gradient, fit);
      if (warp() == 0) {
        const bool go_on = solver->tell(value, std::span<const double>(gradient, size));
        if (lane() == 0) *going = go_on;
      }
      __syncthreads();
      if (!*going) break;
    }
    if (warp() == 0) WarpVectors::copy(solver->best().data(), parameters(), size);
    __syncthreads();
  }

  /// As boosting::minimise.
  __device__ void minimise() {
    const auto shape = step_.shape();
    if (plan_.objective != Objective::projected) {
      descend(plan_.objective == Objective::direct ? backend::Fit::loss : backend::Fit::squares, plan_.iterations,
              shape.size());
      return;
    }
    if (plan_.joint_iterations > 0) descend(backend::Fit::squares, plan_.joint_iterations, shape.size());
    if (plan_.joint_iterations < plan_.iterations)
      descend(backend::Fit::projected, plan_.iterations - plan_.joint_iterations, shape.hidden_size());
    step_.forward(parameters());
    step_.project();
    const double* layer = memory_.template in_shared<double>(memory_.at.output_layer);
    for (unsigned i = threadIdx.x; i < (J + 1) * step_.outputs(); i += threads)
      parameters()[shape.output_weights_at() + i] = layer[i];
    __syncthreads();
  }

  /// The block's output for every row, training and test.
  __device__ void find_moves() {
    constexpr unsigned many = StepRows<Team, Losses, J, K>::at_once;
    step_.load_hidden(parameters());
    step_.load_output(parameters() + step_.shape().output_weights_at());
    __syncthreads();
    const float* output = memory_.template in_shared<float>(memory_.at.output);
    const unsigned n = all_rows(), k_count = step_.outputs();
    const Run mine = Team::share(n);
    for (unsigned from = mine.from + threadIdx.x; from < mine.to; from += threads * many) {
      unsigned at[many];
      float a[many][J];
      for (unsigned r = 0; r < many; ++r) at[r] = min(from + r * threads, mine.to - 1);
      step_.template activate<many>(step_.all(), at, a);
      for (unsigned r = 0; r < many; ++r) {
        if (from + r * threads >= mine.to) break;
        for (unsigned k = 0; k < k_count; ++k) {
          float h = output[J * k_count + k];
          for (int j = 0; j < J; ++j) h += a[r][j] * output[j * k_count + k];
          moves()[k * n + from + r * threads] = h;
        }
      }
    }
    Team::sync();
  }

  /// How much of the moves to take: the Newton step of each output, held back where all together would go too far.
  __device__ void find_scale(double size) {
    if (threadIdx.x < step_.outputs()) step_scale()[threadIdx.x] = size;
    __syncthreads();
    if (plan_.objective == Objective::direct || plan_.unit_step) return;
    double slope[K] = {}, curvature[K] = {};
    const Run mine = Team::share(rows_.train);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      float d[K], c[K];
      const auto row = loss_row(i, 0.0);
      Losses::choose(plan_.loss, [&](auto l) {
        decltype(l)::derivatives(row.run(step_.outputs(), plan_.settings), d);
        decltype(l)::curvatures(row.run(step_.outputs(), plan_.settings), c);
      });
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if (k >= step_.outputs()) break;
        const double h = size * moves()[k * all_rows() + i], w = rows_.weights[i];
        slope[k] -= w * d[k] * h;
        curvature[k] += w * c[k] * h * h;
      }
    }
    double* both = memory_.template in_shared<double>(memory_.at.output_layer);  // of J + 1 >= 2 rows of outputs
#pragma unroll
    for (int k = 0; k < K; ++k) {
      if (k >= step_.outputs()) break;
      const double s = block_sum<warps>(slope[k], sums()), c = block_sum<warps>(curvature[k], sums());
      if (threadIdx.x == 0) both[2 * k] = s, both[2 * k + 1] = c;
    }
    team_.join(both, 2 * step_.outputs());
    if (threadIdx.x < step_.outputs())
      step_scale()[threadIdx.x] = size * boosting::newton_step(both[2 * threadIdx.x], both[2 * threadIdx.x + 1]);
    __syncthreads();
    if (step_.outputs() > 1) hold_back();
  }

  /// As in boosting/residual_step.cpp.
  __device__ void hold_back() {
    const double before = mean_loss(0.0);
    for (int halvings = 0; halvings < 8; ++halvings) {
      if (mean_loss(rate_) <= before) return;
      __syncthreads();
      if (threadIdx.x < step_.outputs()) step_scale()[threadIdx.x] *= 0.5;
      __syncthreads();
    }
    if (threadIdx.x < step_.outputs()) step_scale()[threadIdx.x] = 0.0;
    __syncthreads();
  }

  const FitPlan& plan_;
  const DeviceRows& rows_;
  BlockMemory memory_;
  Team& team_;
  double rate_ = 0.0;  ///< of the step at hand
  StepRows<Team, Losses, J, K> step_;
};

}  // namespace accrete::cuda

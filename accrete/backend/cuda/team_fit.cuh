#pragma once
// Steps of one fit by a team of threads (team.cuh: a warp, a block or all blocks), on rows in device memory: what
// boosting/step does on the CPU, without the monitoring and stopping of boosting/train.cpp. Random draws, formulas,
// solver, line search and step rules are compiled from the same source as on the host.

#include "accrete/backend/cuda/descent.cuh"
#include "accrete/backend/cuda/team_scores.cuh"
#include "accrete/core/random.hpp"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
class TeamFit {
  using Types = KernelTypes<Team, Losses, J, K>;
  using Step = typename Types::Step;
  using Scores = TeamScores<Team, Losses, J, K>;
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

 public:
  /// Must be inlined: with a function call, the first thread of a block arrived late at the barrier before the call and
  /// stayed diverged from its warp.
  __device__ __forceinline__ void run() {
    if (plan().first_step == 0) scores_.reset();
    unsigned written = 0;
    for (unsigned step = plan().first_step; step <= plan().end_step; ++step) {
      for (; written < plan().prefix_count && plan().prefixes[written] <= step; ++written)
        scores_.write_test_scores(written);
      if (step == plan().end_step) break;
      if ((step - plan().first_step) % steps_per_draw == 0) draw(step);
      grow(step);
      if (plan().results.parameters) write_step(step - plan().first_step);
    }
    const double loss = scores_.mean_loss(Scores::At::current);
    if (Team::is_first_block() && threadIdx.x == 0) *plan().train_loss = loss;
    Team::sync();
  }

 private:
  __device__ static unsigned outputs() { return Scores::outputs(); }
  __device__ static backend::BlockShape shape() { return {plan().width, Step::units(), outputs()}; }
  __device__ static double* parameters() { return step_vector<double, J == 0>(layout().parameters); }
  __device__ static unsigned* drawn_rows(unsigned slot) {
    return in_fit_memory<unsigned>(layout().drawn_rows) + std::size_t(slot) * plan().drawn_rows;
  }
  __device__ static unsigned* drawn_features(unsigned slot) {
    return in_fit_memory<unsigned>(layout().drawn_features) + slot * plan().width;
  }
  __device__ static double* initial_weights(unsigned slot) {
    return in_fit_memory<double>(layout().initial_weights) + slot * shape().size();
  }
  __device__ static bool draws_rows() { return plan().drawn_rows < rows().train_rows; }
  __device__ static bool draws_features() { return plan().drawn_groups < rows().group_count; }

  /// Draws rows, features and initial weights of the next steps, one step per thread.
  __device__ void draw(unsigned first) {
    Team::sync();
    const unsigned slot = threadIdx.x * Team::blocks() + Team::block(), step = first + slot;
    if (slot < steps_per_draw && step < plan().end_step) {
      if (draws_rows()) choose(step, core::Purpose::rows, rows().train_rows, plan().drawn_rows, drawn_rows(slot));
      backend::BlockShape used = shape();
      if (draws_features()) used.features = choose_features(step, drawn_features(slot));
      config::draw_uniform_weights(plan().seed, step, plan().init_gain, used, initial_weights(slot));
      pad_weights(used, initial_weights(slot));
    }
    Team::sync();
  }
  /// Returns the number of features without padding.
  __device__ static unsigned choose_features(unsigned step, unsigned* to) {
    choose(step, core::Purpose::features, rows().group_count, plan().drawn_groups, to);
    const unsigned* const starts = rows().group_starts;
    if (!starts) return plan().width;
    unsigned used = 0;
    for (unsigned g = 0; g < plan().drawn_groups; ++g) used += starts[to[g] + 1] - starts[to[g]];
    for (unsigned f = used; f < plan().width; ++f) to[f] = rows().feature_count;
    for (unsigned g = plan().drawn_groups, at = used; g-- > 0;)  // backwards, to preserve the groups in front
      for (unsigned group = to[g], f = starts[group + 1]; f-- > starts[group];) to[--at] = f;
    return used;
  }
  /// Moves the parameters of a step with fewer features to their positions in shape(). Weights of the padding stay 0
  /// because the padding feature is 0.
  __device__ static void pad_weights(const backend::BlockShape& used, double* parameters) {
    const backend::BlockShape all = shape();
    if (used.features == all.features) return;
    for (std::size_t i = used.size() - used.hidden_bias_at(); i-- > 0;)
      parameters[all.hidden_bias_at() + i] = parameters[used.hidden_bias_at() + i];
    for (std::size_t j = all.units; j-- > 0;)
      for (std::size_t f = all.features; f-- > 0;)
        parameters[j * all.features + f] = f < used.features ? parameters[j * used.features + f] : 0.0;
  }
  __device__ static void choose(unsigned step, core::Purpose purpose, unsigned count, unsigned chosen, unsigned* to) {
    core::Rng(plan().seed, step, purpose).choose(count, chosen, [&](std::size_t i) {
      *to++ = static_cast<unsigned>(i);
    });
  }

  __device__ void grow(unsigned step) {
    const unsigned slot = (step - plan().first_step) % steps_per_draw;
    sync_block<warps>();
    if (threadIdx.x == 0) {
      state().rate = plan().learning_rate.at(step);
      state().drawn_rows = draws_rows() ? drawn_rows(slot) : nullptr;
      state().drawn_features = draws_features() ? drawn_features(slot) : nullptr;
    }
    sync_block<warps>();
    const double* initial = initial_weights(slot);
    for (unsigned i = threadIdx.x; i < shape().size(); i += threads) parameters()[i] = initial[i];
    Step().load_columns();
    const double size = plan().objective == Objective::direct ? 1.0 : scores_.compute_residuals();
    load_targets();
    minimise();
    compute_output();
    scores_.compute_scale(size);
    scores_.add_step();
  }

  /// Writes the step and the loss after it for the host.
  __device__ void write_step(unsigned index) {
    const double loss = scores_.mean_loss(Scores::At::current);
    if (!Team::is_first_block()) return;
    const StepResults& to = plan().results;
    const unsigned size = static_cast<unsigned>(shape().size());
    for (unsigned i = threadIdx.x; i < size; i += threads) to.parameters[index * size + i] = parameters()[i];
    for (unsigned k = threadIdx.x; k < outputs(); k += threads)
      to.scales[index * outputs() + k] = state().rate * Scores::scale()[k];
    for (unsigned f = threadIdx.x; f < plan().width; f += threads)
      to.features[index * plan().width + f] = state().drawn_features ? state().drawn_features[f] : f;
    if (threadIdx.x == 0) to.losses[index] = loss;
  }

  /// Gathers weights, targets and offsets of the step's rows.
  __device__ void load_targets() {
    const Step step;
    const unsigned n = step.n, train = rows().train_rows;
    const RowRange range = Team::row_range(n);
    double weight = 0.0;
    for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads) weight += rows().weights[step.row(i)];
    weight = team_.sum(weight);
    const float inverse = static_cast<float>(weight > 0.0 ? 1.0 / weight : 1.0);
    const bool direct = plan().objective == Objective::direct;
    const float* targets = direct ? rows().targets : Scores::residuals();
    if (threadIdx.x == 0) state().equal_weight = rows().equal_weights ? inverse * rows().weights[0] : 0.0f;
    for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads) {
      const unsigned row = step.row(i);
      if (!rows().equal_weights) step.weights[i] = inverse * rows().weights[row];
      for (unsigned t = 0; t < step.target_count(); ++t) step.targets[t * n + i] = targets[t * train + row];
      if (direct)
        for (unsigned k = 0; k < outputs(); ++k)
          step.offsets[k * n + i] = Scores::scores()[k * Scores::all_rows() + row];
    }
    sync_block<warps>();
  }

  /// Runs the descents of boosting::minimise: both layers, then, if projected, the hidden layer alone.
  __device__ void minimise() {
    using backend::StepObjective;
    const auto shape = TeamFit::shape();
    const bool projected = plan().objective == Objective::projected;
    const auto joint = plan().objective == Objective::direct ? StepObjective::loss : StepObjective::squared_error;
    // A loop keeps a single call site, into which evaluations are inlined.
    for (const bool last : {false, true}) {
      const config::DescentLimits& limits = last ? plan().descents.main : plan().descents.joint;
      const bool hidden_only = last && projected;
      if (limits.iterations > 0)
        Descent<Team, Losses, J, K>{team_, parameters()}.run(hidden_only ? StepObjective::projected : joint, limits,
                                                             hidden_only ? shape.hidden_size() : shape.size());
    }
    if (!projected) return;
    const Step step;
    typename Types::Projection{step}.project(team_, parameters());
    const double* layer = step_vector<double, J == 0>(layout().output_layer);
    for (unsigned i = threadIdx.x; i < (Step::units() + 1) * outputs(); i += threads)
      parameters()[shape.output_weights_at() + i] = layer[i];
    sync_block<warps>();
  }

  /// Computes the block's output for training and test rows.
  __device__ void compute_output() {
    const Step step;
    step.load_hidden(parameters());
    step.load_output(parameters() + shape().output_weights_at());
    sync_block<warps>();
    const unsigned n = Scores::all_rows();
    const RowRange range = Team::row_range(n);
    typename Step::Scratch scratch;
    for (unsigned i = range.first + threadIdx.x; i < range.end; i += threads)
      step.predict(i, scratch, [&](unsigned k, float h) { Scores::step_output()[k * n + i] = h; });
    Team::sync();
  }

  Team team_;
  Scores scores_{team_};
};

}  // namespace accrete::cuda

#pragma once
// One team of threads is one fit: the loop of boosting/train.cpp with the steps of boosting/residual_step.cpp and
// direct_step.cpp, on rows that stay on the device. Draws, formulas, solver and line search are the host's own source.

#include "accrete/backend/cuda/descent.cuh"
#include "accrete/boosting/newton.hpp"
#include "accrete/core/random.hpp"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
class TeamFit {
  using Chosen = Parts<Team, Losses, J, K>;
  using Step = typename Chosen::Step;
  static constexpr unsigned threads = Team::threads, warps = Team::warps;

 public:
  /// Inlined: of a loop that calls it as a function, the compiler made one whose first thread came late to the barrier
  /// before it, and stayed apart from its warp.
  __device__ __forceinline__ void run() {
    if (plan().first == 0) start();
    unsigned written = 0;
    for (unsigned step = plan().first; step <= plan().steps; ++step) {
      for (; written < plan().prefix_count && plan().prefixes[written] <= step; ++written) write_scores(written);
      if (step == plan().steps) break;
      if ((step - plan().first) % draw_ahead == 0) draw(step);
      grow(step);
      if (plan().grown.parameters) hand_over(step - plan().first);
    }
    const double loss = mean_loss(0.0);
    if (Team::leads() && threadIdx.x == 0) *plan().train_loss = loss;
    Team::sync();
  }

 private:
  __device__ static unsigned outputs() { return K == 1 ? 1 : plan().outputs; }
  __device__ static constexpr int most_outputs() { return K > 0 ? K : plan().outputs; }
  __device__ static backend::BlockShape shape() { return {plan().width, Step::units(), outputs()}; }
  __device__ unsigned all_rows() const { return rows().train + rows().test; }
  __device__ float* scores() const { return in_global<float>(work().at.scores); }
  __device__ float* residuals() const { return in_global<float>(work().at.residuals); }
  __device__ float* moves() const { return in_global<float>(work().at.moves); }
  __device__ double* parameters() const { return in_block<double, J == 0>(work().at.parameters); }
  __device__ double* step_scale() const { return in_block<double, J == 0>(work().at.step_scale); }

  __device__ void start() {
    const Run mine = Team::share(all_rows());
    for (unsigned k = 0; k < outputs(); ++k)
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
        scores()[k * all_rows() + i] = static_cast<float>(plan().start[k]);
    Team::sync();
  }

  __device__ void write_scores(unsigned prefix) {
    float* out = plan().scores + std::size_t(prefix) * outputs() * rows().test;
    const Run mine = Team::share(rows().test);
    for (unsigned k = 0; k < outputs(); ++k)
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
        out[k * rows().test + i] = scores()[k * all_rows() + rows().train + i];
  }

  /// Rows, features and initial weights of the steps to come, one step to a thread, as many blocks as there are.
  __device__ void draw(unsigned first) {
    Team::sync();
    const unsigned slot = threadIdx.x * Team::blocks() + Team::block();
    if (slot < draw_ahead && first + slot < plan().steps) {
      const unsigned step = first + slot;
      if (plan().drawn < rows().train) {
        unsigned* to = in_global<unsigned>(work().at.drawn_rows) + std::size_t(slot) * plan().drawn;
        core::Rng(plan().seed, step, core::Purpose::rows).choose(rows().train, plan().drawn, [&](std::size_t i) {
          *to++ = static_cast<unsigned>(i);
        });
      }
      if (plan().width < rows().features) {
        unsigned* to = in_global<unsigned>(work().at.drawn_features) + slot * plan().width;
        core::Rng(plan().seed, step, core::Purpose::features).choose(rows().features, plan().width, [&](std::size_t i) {
          *to++ = static_cast<unsigned>(i);
        });
      }
      draw_weights(step, in_global<double>(work().at.initial) + slot * shape().size());
    }
    Team::sync();
  }

  /// As boosting::uniform_weights.
  __device__ void draw_weights(unsigned step, double* to) const {
    core::Rng rng(plan().seed, step, core::Purpose::weights);
    const auto shape = TeamFit::shape();
    const double hidden = sqrt(plan().gain / double(shape.features + shape.units));
    const double output = sqrt(plan().gain / double(shape.units + shape.outputs));
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const double bound = i < shape.hidden_size() ? hidden : output;
      to[i] = rng.uniform(-bound, bound);
    }
  }

  __device__ void grow(unsigned step) {
    const unsigned slot = (step - plan().first) % draw_ahead;
    meet<warps>();
    if (threadIdx.x == 0) {
      const unsigned* listed = in_global<unsigned>(work().at.drawn_rows) + std::size_t(slot) * plan().drawn;
      const unsigned* features = in_global<unsigned>(work().at.drawn_features) + slot * plan().width;
      work().rate = plan().rate.of_step(step);
      work().sweeps = 0;
      work().which = plan().drawn < rows().train ? listed : nullptr;
      work().features = plan().width < rows().features ? features : nullptr;
    }
    meet<warps>();
    const double* initial = in_global<double>(work().at.initial) + slot * shape().size();
    for (unsigned i = threadIdx.x; i < shape().size(); i += threads) parameters()[i] = initial[i];
    Step().load_columns();
    const double size = plan().objective == Objective::direct ? 1.0 : take_residuals();
    look();
    minimise();
    find_moves();
    find_scale(size);
    const Run mine = Team::share(all_rows());
    for (unsigned k = 0; k < outputs(); ++k) {
      const float by = static_cast<float>(work().rate * step_scale()[k]);
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
        scores()[k * all_rows() + i] += by * moves()[k * all_rows() + i];
    }
    Team::sync();
  }

  /// The step for the host, and the loss after it.
  __device__ void hand_over(unsigned place) {
    const double loss = mean_loss(0.0);
    if (!Team::leads()) return;
    const Grown& to = plan().grown;
    const unsigned size = static_cast<unsigned>(shape().size());
    for (unsigned i = threadIdx.x; i < size; i += threads) to.parameters[place * size + i] = parameters()[i];
    for (unsigned k = threadIdx.x; k < outputs(); k += threads)
      to.scales[place * outputs() + k] = work().rate * step_scale()[k];
    for (unsigned f = threadIdx.x; f < plan().width; f += threads)
      to.features[place * plan().width + f] = work().features ? work().features[f] : f;
    if (threadIdx.x == 0) to.losses[place] = loss;
  }

  __device__ LossRow<Losses, K> loss_row(unsigned i, double rate) const {
    LossRow<Losses, K> of;
#pragma unroll
    for (int k = 0; k < most_outputs(); ++k) {
      if (k < rows().targets_count) of.targets[k] = rows().targets[k * rows().train + i];
      float score = 0.0f;
      if (k < outputs()) {
        score = scores()[k * all_rows() + i];
        if (rate != 0.0) score += static_cast<float>(rate * step_scale()[k]) * moves()[k * all_rows() + i];
      }
      of.set_score(k, score, outputs());
    }
    return of;
  }

  /// As they stand, or with so much of the step's moves.
  __device__ double mean_loss(double rate) {
    double sum = 0.0;
    const Run mine = Team::share(rows().train);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      float value;
      const auto row = loss_row(i, rate);
      Losses::choose(plan().loss, [&](auto l) { decltype(l)::values(row.run(outputs(), plan().settings), &value); });
      sum += double(rows().weights[i]) * value;
    }
    return team_.sum(sum) / double(rows().train);
  }

  /// As backend::Rows::take_residuals.
  __device__ double take_residuals() {
    double squares = 0.0;
    const Run mine = Team::share(rows().train);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      Numbers<float, K> d(Slot::derivatives);
      const auto row = loss_row(i, 0.0);
      Losses::choose(plan().loss,
                     [&](auto l) { decltype(l)::derivatives(row.run(outputs(), plan().settings), d.data()); });
      for (unsigned k = 0; k < outputs(); ++k) {
        const float residual = -plan().residual_scale * d[k];
        residuals()[k * rows().train + i] = residual;
        squares += double(rows().weights[i]) * residual * residual;
      }
    }
    if (!plan().rescale) {
      Team::sync();
      return 1.0;
    }
    const double size = sqrt(team_.sum(squares) / (double(rows().train) * outputs()));
    if (!(size > 0.0)) return 1.0;
    const float factor = static_cast<float>(1.0 / size);
    for (unsigned k = 0; k < outputs(); ++k)
      for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) residuals()[k * rows().train + i] *= factor;
    Team::sync();
    return size;
  }

  /// What the step's rows are fitted to, side by side.
  __device__ void look() {
    const Step step;
    const unsigned n = step.n;
    const Run mine = Team::share(n);
    double weight = 0.0;
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) weight += rows().weights[step.row(i)];
    weight = team_.sum(weight);
    const float share = static_cast<float>(weight > 0.0 ? 1.0 / weight : 1.0);
    const bool direct = plan().objective == Objective::direct;
    if (threadIdx.x == 0) work().weight = rows().even ? share * rows().weights[0] : 0.0f;
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      const unsigned row = step.row(i);
      if (!rows().even) step.weights[i] = share * rows().weights[row];
      for (unsigned t = 0; t < step.goal_count(); ++t)
        step.goals[t * n + i] = direct ? rows().targets[t * rows().train + row] : residuals()[t * rows().train + row];
      if (direct)
        for (unsigned k = 0; k < outputs(); ++k) step.offsets[k * n + i] = scores()[k * all_rows() + row];
    }
    meet<warps>();
  }

  /// As boosting::minimise: both layers, then the hidden one with the output layer solved for.
  __device__ void minimise() {
    const auto shape = TeamFit::shape();
    const bool projects = plan().objective == Objective::projected;
    const unsigned joint = projects ? plan().joint_iterations : plan().iterations;
    for (const bool projected : {false, true}) {
      const unsigned iterations = projected ? plan().iterations - joint : joint;
      const auto whole = plan().objective == Objective::direct ? backend::Fit::loss : backend::Fit::squares;
      if (iterations > 0)
        Descent<Team, Losses, J, K>{team_, parameters()}.run(projected ? backend::Fit::projected : whole, iterations,
                                                             projected ? shape.hidden_size() : shape.size());
    }
    if (!projects) return;
    const Step step;
    typename Chosen::Projection{step}.find(team_, parameters());
    const double* layer = in_block<double, J == 0>(work().at.output_layer);
    for (unsigned i = threadIdx.x; i < (Step::units() + 1) * outputs(); i += threads)
      parameters()[shape.output_weights_at() + i] = layer[i];
    meet<warps>();
  }

  /// The block's output for every row, training and test.
  __device__ void find_moves() {
    const Step step;
    step.load_hidden(parameters());
    step.load_output(parameters() + shape().output_weights_at());
    meet<warps>();
    const unsigned n = all_rows();
    const Run mine = Team::share(n);
    typename Step::Scratch scratch;
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads)
      step.predict(i, scratch, [&](unsigned k, float h) { moves()[k * n + i] = h; });
    Team::sync();
  }

  /// How much of the moves to take: the Newton step of each output, held back where all together would go too far.
  __device__ void find_scale(double size) {
    for_outputs([&](unsigned k) { step_scale()[k] = size; });
    meet<warps>();
    if (plan().objective == Objective::direct || plan().unit_step) return;
    Numbers<double, K> slope(Slot::slope_sums), curvature(Slot::curvature_sums);
    for (unsigned k = 0; k < most_outputs(); ++k) slope[k] = curvature[k] = 0.0;
    const Run mine = Team::share(rows().train);
    for (unsigned i = mine.from + threadIdx.x; i < mine.to; i += threads) {
      Numbers<float, K> d(Slot::derivatives), c(Slot::curvatures);
      const auto row = loss_row(i, 0.0);
      Losses::choose(plan().loss, [&](auto l) {
        decltype(l)::derivatives(row.run(outputs(), plan().settings), d.data());
        decltype(l)::curvatures(row.run(outputs(), plan().settings), c.data());
      });
#pragma unroll
      for (int k = 0; k < most_outputs(); ++k) {
        if (k >= outputs()) break;
        const double h = size * moves()[k * all_rows() + i], w = rows().weights[i];
        slope[k] -= w * d[k] * h;
        curvature[k] += w * c[k] * h * h;
      }
    }
    double* both = in_block<double, J == 0>(work().at.output_layer);  // of two rows of outputs at least
#pragma unroll
    for (int k = 0; k < most_outputs(); ++k) {
      if (k >= outputs()) break;
      const double s = block_sum<warps>(slope[k]), c = block_sum<warps>(curvature[k]);
      if (threadIdx.x == 0) both[2 * k] = s, both[2 * k + 1] = c;
    }
    team_.join(both, 2 * outputs());
    for_outputs([&](unsigned k) { step_scale()[k] = size * boosting::newton_step(both[2 * k], both[2 * k + 1]); });
    meet<warps>();
    if (outputs() > 1) hold_back();
  }

  /// f(k) for every output, each by one thread.
  template <class F>
  __device__ static void for_outputs(F f) {
#pragma unroll 1
    for (unsigned k = threadIdx.x; k < outputs(); k += threads) f(k);
  }

  /// As in boosting/residual_step.cpp.
  __device__ void hold_back() {
    const double before = mean_loss(0.0);
    for (int halvings = 0; halvings < 8; ++halvings) {
      if (mean_loss(work().rate) <= before) return;
      meet<warps>();
      for_outputs([&](unsigned k) { step_scale()[k] *= 0.5; });
      meet<warps>();
    }
    for_outputs([&](unsigned k) { step_scale()[k] = 0.0; });
    meet<warps>();
  }

  Team team_;
};

}  // namespace accrete::cuda

#pragma once
// Minimises a step's objective with solver::Lbfgs. One warp runs the solver; the whole team evaluates.

#include <type_traits>

#include "accrete/backend/cuda/evaluate.cuh"
#include "accrete/solver/lbfgs.hpp"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
class Descent {
  using Vectors = WarpVectors<std::conditional_t<Team::is_grid, WideVectors, NarrowVectors>, Team::solver_shared>;
  using Solver = solver::Lbfgs<Vectors>;
  static constexpr unsigned warps = Team::warps;

 public:
  __device__ Descent(Team& team, double* parameters) : team_(team), parameters_(parameters) {}

  /// Updates the first `size` parameters. Not inlined in a grid's kernel, where the loop over rows would spill more
  /// registers.
  __device__ void run(backend::StepObjective objective, const config::DescentLimits& limits, std::size_t size) {
    if constexpr (Team::is_grid)
      call_descend(objective, limits, size);
    else
      descend(objective, limits, size);
  }

 private:
  __device__ __noinline__ void call_descend(backend::StepObjective objective, const config::DescentLimits& limits,
                                            std::size_t size) {
    descend(objective, limits, size);
  }

  __device__ __forceinline__ void descend(backend::StepObjective objective, const config::DescentLimits& limits,
                                          std::size_t size) {
    double* gradient = step_vector<double, J == 0>(layout().gradient);
    if (warp() == 0) start(limits, size);
    for (;;) {
      sync_block<warps>();
      if (!solver_state().running) break;
      const double value =
          evaluate<Team, Losses, J, K>(team_, solver_state().solver.point().data(), gradient, objective);
      if (warp() == 0) {
        Solver solver = solver_state().solver;
        const bool running = solver.tell(value, std::span<const double>(gradient, size));
        save(solver, running);
      }
      if (Team::is_grid && Team::is_first_block() && threadIdx.x == 0) atomicAdd(plan().results.evaluations, 1u);
    }
    if (warp() == 0) Vectors::copy(solver_state().solver.best().data(), parameters_, static_cast<unsigned>(size));
    sync_block<warps>();
  }

  /// Held in shared memory during evaluations, which need the registers.
  struct SolverState {
    solver::SolverOptions options;
    Solver solver;
    bool running;
  };
  __device__ static SolverState& solver_state() { return *in_shared<SolverState>(layout().solver_state); }
  /// All lanes of the solving warp hold the same solver state.
  __device__ static void save(const Solver& solver, bool running) {
    __syncwarp();
    if (lane() == 0) {
      solver_state().solver = solver;
      solver_state().running = running;
    }
  }

  __device__ static double* workspace() {
    if (Team::solver_shared || layout().workspace_shared) return in_shared<double>(layout().solver_workspace);
    return in_block_memory<double>(layout().solver_workspace);
  }

  __device__ void start(const config::DescentLimits& limits, std::size_t size) const {
    solver::SolverOptions& options = solver_state().options;
    if (lane() == 0) {
      options = {};
      options.max_iterations = limits.iterations;
      options.tolerance = plan().tolerance;
      options.floor = plan().tolerance_floor;
      options.gain_tolerance = limits.gain_tolerance;
      options.noise = config::float_noise(plan().drawn_rows);
    }
    __syncwarp();
    save(Solver(options, std::span<const double>(parameters_, size),
                std::span<double>(workspace(), Solver::workspace_size(size, options))),
         true);
  }

  Team& team_;
  double* parameters_;
};

}  // namespace accrete::cuda

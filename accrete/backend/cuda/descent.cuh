#pragma once
// A step's parameters on their way downhill: the host's own solver, run by one warp, and evaluations by the whole team.

#include <type_traits>

#include "accrete/backend/cuda/evaluate.cuh"
#include "accrete/backend/cuda/wide_vectors.cuh"
#include "accrete/solver/lbfgs.hpp"

namespace accrete::cuda {

template <class Team, class Losses, int J, int K>
class Descent {
  using Vectors = std::conditional_t<Team::splits_rows, WideVectors, WarpVectors<Team::solver_shared>>;
  using Solver = solver::Lbfgs<Vectors>;
  static constexpr unsigned warps = Team::warps;

 public:
  __device__ Descent(Team& team, double* parameters) : team_(team), parameters_(parameters) {}

  /// Moves the first `size` parameters.
  __device__ void run(backend::Fit fit, unsigned iterations, std::size_t size) {
    double* gradient = in_block<double, J == 0>(work().at.gradient);
    if (warp() == 0) begin(fit, iterations, size);
    for (;;) {
      meet<warps>();
      if (!kept().going) break;
      const double value = evaluate<Team, Losses, J, K>(team_, kept().solver.point().data(), gradient, fit);
      if (warp() == 0) {
        Solver solver = kept().solver;
        const bool going = solver.tell(value, std::span<const double>(gradient, size));
        keep(solver, going);
      }
      if (Team::splits_rows && Team::leads() && threadIdx.x == 0)
        atomicAdd(plan().grown.evaluations, 1u);  // not waited for
    }
    if (warp() == 0) Vectors::copy(kept().solver.best().data(), parameters_, static_cast<unsigned>(size));
    meet<warps>();
  }

 private:
  /// The solver between two evaluations, which need the registers.
  struct Kept {
    solver::Options options;
    Solver solver;
    bool going;
  };
  __device__ static Kept& kept() { return *in_shared<Kept>(work().at.solver); }
  /// By the one warp that solves: all lanes have the same.
  __device__ static void keep(const Solver& solver, bool going) {
    __syncwarp();
    if (lane() == 0) {
      kept().solver = solver;
      kept().going = going;
    }
  }

  __device__ static double* workspace() {
    if (Team::solver_shared || work().at.workspace_shared) return in_shared<double>(work().at.workspace);
    return in_own<double>(work().at.workspace);
  }

  __device__ void begin(backend::Fit fit, unsigned iterations, std::size_t size) const {
    if (lane() == 0) {
      solver::Options& options = kept().options = {};
      options.max_iterations = iterations;
      options.tolerance = plan().tolerance;
      options.floor = plan().floor;
      const bool joint = plan().objective == Objective::projected && fit == backend::Fit::squares;
      options.gain_tolerance = joint ? 0.0 : plan().gain_tolerance;
      options.noise = 6e-8 / sqrt(double(plan().drawn));
    }
    __syncwarp();
    keep(Solver(kept().options, std::span<const double>(parameters_, size),
                std::span<double>(workspace(), Solver::workspace_size(size, kept().options))),
         true);
  }

  Team& team_;
  double* parameters_;
};

}  // namespace accrete::cuda

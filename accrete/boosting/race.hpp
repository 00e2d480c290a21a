#pragma once
// Several settings of one fit side by side, judged on rows they have not seen. Every part of the rows that is held out
// has a network of each setting; a setting's loss after so many steps is the mean over the parts.
//
// Life: a Race of runners -> advance some of them to a number of units, again and again -> the one with the least loss.

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "accrete/boosting/config.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/core/parallel.hpp"

namespace accrete::boosting {

/// One setting on its way.
struct Runner {
  Config config;
  std::vector<const EncodedSplit*> parts;  ///< encoded as config says; each with validation rows
  std::vector<network::Network> networks = {};
  std::vector<Curves> curves = {};
  std::vector<double> held_out = {};  ///< loss of the rows held out after 0, 1, 2, ... steps, over all parts

  std::size_t best_step() const;  ///< the earliest of equals
  std::size_t steps() const { return held_out.empty() ? 0 : held_out.size() - 1; }
};

struct RaceTask {
  std::size_t outputs;
  std::string backend;
  core::Workers& workers;
  /// Asked after steps, only by the thread that made the race; false ends it.
  std::function<bool(std::size_t steps_done)> go_on;
  backend::ManyFits* machine = nullptr;  ///< grows large parts
};

class Race {
 public:
  explicit Race(const RaceTask& task) : task_(task), caller_(std::this_thread::get_id()) {}

  /// Grows each runner to this many units on every part. When the race was ended meanwhile, runners have a held-out
  /// loss as far as all their parts came.
  void advance(std::vector<Runner*> runners, std::size_t units);

  bool ended() const { return ended_; }

 private:
  /// By whom: a machine, or these threads.
  struct Growers {
    core::Workers& workers;
    backend::ManyFits* machine;
  };
  void grow(Runner& runner, std::size_t part, std::size_t units, const Growers& by);

  RaceTask task_;
  std::thread::id caller_;
  std::atomic<bool> ended_ = false;
  std::atomic<std::size_t> steps_done_ = 0;
};

}  // namespace accrete::boosting

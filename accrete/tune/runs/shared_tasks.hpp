#pragma once
// A task list that ranks share, such as the fits of a search.
//
// Each rank runs tasks on its threads. About every 50 ms the ranks exchange the results of finished tasks. All ranks
// then know how many tasks each has finished and assign the next tasks identically; a fast rank gets more.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"

namespace accrete::tune {

struct SharedTasks {
  std::size_t count = 0;
  /// Runs a task and returns its serialised result, or nullopt if `stop`, which it polls, returned true. Called on one
  /// rank, on several threads.
  std::function<std::optional<std::string>(std::size_t task, const std::function<bool()>& stop)> run;
  /// Receives each result once on every rank, on the thread that called share_tasks.
  std::function<void(std::size_t task, std::string_view bytes)> arrived;
  std::function<bool()> stop = {};  ///< polled; if true on any rank, stops all
};

/// Returns on all ranks when all results have arrived, or false if stopped. An exception of run or arrived on one rank
/// is thrown on all, as by comm::agree.
bool share_tasks(const SharedTasks& tasks, comm::Communicator& comm, core::Workers& workers);

}  // namespace accrete::tune

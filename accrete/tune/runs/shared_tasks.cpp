#include "accrete/tune/runs/shared_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/tune/runs/task_crew.hpp"

namespace accrete::tune {
namespace {

/// Between two exchanges, unless a rank has nothing to do: long for messages, short for a fit.
constexpr std::chrono::milliseconds exchange_every{50};

/// Deals out tasks in order. All ranks have the same state.
class Schedule {
 public:
  Schedule(comm::Communicator& comm, std::size_t threads, std::size_t tasks)
      : rank_(comm.rank()), tasks_(tasks), has_(comm.size(), 0), done_(comm.size(), 0) {
    for (const auto of_rank : comm::gather_value<std::uint64_t>(comm, threads)) threads_.push_back(of_rank);
  }

  /// What a rank did since the last exchange.
  void report_done(std::size_t rank, std::size_t tasks) {
    has_[rank] -= tasks;
    done_[rank] = tasks;
  }

  /// Gives tasks to the ranks, and those of this one to the crew.
  void deal(TaskCrew& crew) {
    for (; next_ < tasks_; ++next_) {
      const std::size_t rank = freest();
      if (has_[rank] >= limit(rank)) return;
      ++has_[rank];
      if (rank == rank_) crew.add(next_);
    }
  }

 private:
  /// A task per thread, and more if it did many since the last exchange, so that it need not wait for the next; but
  /// towards the end no more than the others may want.
  std::size_t limit(std::size_t rank) const {
    return threads_[rank] + std::min(2 * done_[rank], (tasks_ - next_) / (2 * has_.size()));
  }

  std::size_t freest() const {
    const auto free = [&](std::size_t r) {
      return static_cast<std::ptrdiff_t>(limit(r)) - static_cast<std::ptrdiff_t>(has_[r]);
    };
    std::size_t best = 0;
    for (std::size_t r = 1; r < has_.size(); ++r)
      if (free(r) > free(best)) best = r;
    return best;
  }

  std::size_t rank_, tasks_, next_ = 0;
  std::vector<std::size_t> threads_, has_, done_;  ///< by rank; has: to do
};

/// The results of all ranks since the last exchange.
std::vector<TaskCrew::Result> exchange(const std::vector<TaskCrew::Result>& own, comm::Communicator& comm,
                                       Schedule& schedule) {
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> bytes;
  for (const auto& [task, result] : own) {
    numbers.push_back(task);
    bytes.push_back(result);
  }
  const auto all_numbers = comm::gather_values<std::uint64_t>(comm, numbers);
  auto all_bytes = comm::gather_texts(comm, bytes);
  std::vector<TaskCrew::Result> all;
  for (std::size_t r = 0; r < comm.size(); ++r) {
    schedule.report_done(r, all_bytes[r].size());
    for (std::size_t i = 0; i < all_bytes[r].size(); ++i)
      all.emplace_back(all_numbers.of(r)[i], std::move(all_bytes[r][i]));
  }
  return all;
}

}  // namespace

bool share_tasks(const SharedTasks& tasks, comm::Communicator& comm, core::Workers& workers) {
  std::atomic<bool> ended = false;
  const std::function<bool()> stop = [&] { return ended || (tasks.stop && tasks.stop()); };
  Schedule schedule(comm, workers.threads(), tasks.count);
  TaskCrew crew(workers, [&](std::size_t task) { return tasks.run(task, stop); });
  const struct End {  // before the crew waits for the tasks that run
    std::atomic<bool>& flag;
    ~End() { flag = true; }
  } at_end{ended};
  std::size_t done = 0;
  std::vector<TaskCrew::Result> results;
  while (true) {
    comm::agree(comm, [&] {
      crew.rethrow();
      for (const auto& [task, bytes] : results) tasks.arrived(task, bytes);
    });
    done += results.size();
    if (done == tasks.count) return true;
    if (comm::is_any(comm, stop())) return false;
    schedule.deal(crew);
    crew.wait(exchange_every);
    results = exchange(crew.take_done(), comm, schedule);
  }
}

}  // namespace accrete::tune

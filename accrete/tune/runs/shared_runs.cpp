// Runs::run across ranks. Rank 0 looks fits up and records them; no other rank touches the records, which may be a file
// on rank 0's disk.

#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/tune/runs.hpp"
#include "accrete/tune/runs/record_bytes.hpp"
#include "accrete/tune/runs/shared_tasks.hpp"

namespace accrete::tune {

/// Fills the slots of fits that rank 0 finds in its records.
void Runs::find_shared(std::span<const PlannedFit> fits, Slots& slots) {
  comm::Communicator& comm = *options_.comm;
  std::vector<std::string> found(fits.size());
  comm::run_on_rank_0(comm, [&] {
    for (std::size_t i = 0; i < fits.size(); ++i)
      if (const auto record = find(fits[i])) found[i] = to_bytes(*record);
  });
  const auto all = comm::gather_texts(comm, comm.rank() == 0 ? found : std::vector<std::string>());
  for (std::size_t i = 0; i < fits.size(); ++i)
    if (!all[0][i].empty()) slots[i] = parse_record(all[0][i]);
}

void Runs::run_shared(std::span<const PlannedFit> fits, std::span<const std::size_t> which, Slots& slots) {
  SharedTasks tasks{.count = which.size(), .run = {}, .arrived = {}, .stop = options_.stop};
  tasks.run = [&](std::size_t m, const std::function<bool()>& stop) -> std::optional<std::string> {
    const PlannedFit& fit = fits[which[m]];
    const auto record = fit.method->fit({problem_, *fit.split, fit.settings, options_.units, fit.key.seed}, stop);
    return record ? std::optional(to_bytes(*record)) : std::nullopt;
  };
  tasks.arrived = [&](std::size_t m, std::string_view bytes) {
    fill(fits[which[m]], slots[which[m]], parse_record(bytes), false);
  };
  share_tasks(tasks, *options_.comm, workers_);
}

}  // namespace accrete::tune

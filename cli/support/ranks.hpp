#pragma once
// Runs a command on all ranks of an MPI launcher. Rank 0 handles input and output.

#include <functional>
#include <optional>
#include <string>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/model/model.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// Runs the work with the ranks of the launcher, or alone. All ranks must run the same program. If it throws on all
/// ranks, rank 0 prints the error; if it throws on one, that rank prints it and aborts all.
void run_on_ranks(const std::function<void(comm::Communicator&)>& work);

/// Throws UsageError on all ranks if a launcher has started several, because the command runs in a single process.
void refuse_ranks(const std::string& command);

/// Throws UsageError for a device other than the CPU if ranks share many fits.
void check_device_of_ranks(const std::string& device, const comm::Communicator& comm);

/// Writes the texts of all ranks in rank order to rank 0's output: produce(emit) emits this rank's text in pieces, one
/// of which is in flight at a time. If a write fails, all ranks throw OutputError.
using Emit = std::function<void(const std::string&)>;
void write_from_ranks(comm::Communicator& comm, const std::function<void(const Emit&)>& produce, const Emit& write);

/// What the work of a rank runs on.
struct RankResources {
  const Common& common;
  core::Workers& workers;
  comm::Communicator& comm;
};

/// Options of this rank: only rank 0 prints.
Common common_of(const comm::Communicator& comm, const Common& given);

/// The model of a file, which rank 0 reads and checks.
model::Model load_model_on_ranks(const std::string& path, comm::Communicator& comm,
                                 const std::function<void(const model::Model&)>& check = {});

/// Sends rank 0's model to all ranks.
std::optional<model::Model> broadcast_model(comm::Communicator& comm, const std::optional<model::Model>& model);

}  // namespace accrete::cli

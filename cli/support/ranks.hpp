#pragma once
// A command that runs on all ranks of an MPI launcher. Rank 0 speaks for all of them.

#include <functional>
#include <optional>
#include <string>

#include "accrete/comm/communicator.hpp"
#include "accrete/model/model.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// Runs the work with the ranks of the launcher, or alone. They must run the same program. If it throws on all ranks,
/// all throw and rank 0 prints the error; if on one only, that rank prints it and ends all.
void run_on_ranks(const std::function<void(comm::Communicator&)>& work);

/// Throws UsageError, on all ranks, if a launcher has started several: the command runs in one process.
void refuse_ranks(const std::string& command);

/// Throws UsageError for another device than the CPU across ranks.
void check_device_of_ranks(const std::string& device, const comm::Communicator& comm);

/// Writes the texts of all ranks in their order, as rank 0 writes its own: produce(emit) emits those of this rank in
/// pieces, of which no more than one is sent at a time. If a write fails, all ranks throw OutputError.
using Emit = std::function<void(const std::string&)>;
void write_from_ranks(comm::Communicator& comm, const std::function<void(const Emit&)>& produce, const Emit& write);

/// Rank 0 prints what the user asked for, the others nothing.
Common common_of(const comm::Communicator& comm, const Common& given);

/// The model of a file, which rank 0 reads and checks.
model::Model load_model_on_ranks(const std::string& path, comm::Communicator& comm,
                                 const std::function<void(const model::Model&)>& check = {});

/// The model that rank 0 has, on all ranks.
std::optional<model::Model> broadcast_model(comm::Communicator& comm, const std::optional<model::Model>& model);

}  // namespace accrete::cli

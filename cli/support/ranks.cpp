#include "cli/support/ranks.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "accrete/comm/mpi/world.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

core::Message message_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const core::Error& error) {
    return error.message();
  } catch (const OutputError& error) {
    return error.message;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "stopped";
  }
}

}  // namespace

void run_on_ranks(const std::function<void(comm::Communicator&)>& work) {
  const auto world = comm::open_world();
  std::exception_ptr failure;
  try {
    work(*world);
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) return;
  if (world->size() > 1) {
    if (!world->fails_everywhere()) {
      print_error(core::Message(fmt::format("rank {}: ", world->rank())) += message_of(failure));
      world->abort();
    }
    if (world->rank() > 0) silence_errors();
  }
  std::rethrow_exception(failure);
}

void refuse_ranks(const std::string& command) {
  if (comm::launched_ranks() <= 1) return;
  run_on_ranks([&](const comm::Communicator&) {
    throw core::UsageError(fmt::format("'{}' runs in one process; start it without mpirun", command));
  });
}

void check_device_of_ranks(const std::string& device, const comm::Communicator& comm) {
  if (comm.size() > 1 && device != "cpu")
    throw core::UsageError(fmt::format("--device {}: ranks run on the CPU", device));
}

Common common_of(const comm::Communicator& comm, const Common& given) {
  return comm.rank() == 0 ? given : Common{.json = false, .quiet = true, .threads = given.threads};
}

std::optional<model::Model> broadcast_model(comm::Communicator& comm, const std::optional<model::Model>& model) {
  if (comm.size() == 1) return model;
  const std::string bytes = comm::broadcast_text(comm, model ? io::serialise(*model) : "");
  if (bytes.empty()) return std::nullopt;
  return io::parse_model(bytes, "checkpoint");
}

}  // namespace accrete::cli

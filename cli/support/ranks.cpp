#include "cli/support/ranks.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <utility>

#include "accrete/comm/agree.hpp"
#include "accrete/comm/mpi/world.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "cli/support/interrupt.hpp"
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
  } catch (const Interrupted& end) {
    return end.message;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "stopped";
  }
}

bool is_closed_pipe(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const OutputError& error) {
    return error.broken_pipe;
  } catch (...) {
    return false;
  }
}

}  // namespace

void run_on_ranks(const std::function<void(comm::Communicator&)>& work) {
  const auto world = comm::open_world();
  std::exception_ptr failure;
  try {
    comm::require_same_program(*world);
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
    // Print here, because the launcher may kill this rank as soon as another one has ended.
    if (world->rank() == 0 && !is_closed_pipe(failure)) print_error(message_of(failure));
    silence_errors();
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
    throw core::UsageError(fmt::format(
        "--device {}: cross-validation and searches across ranks run on the CPU only; use --device cpu", device));
}

Common common_of(const comm::Communicator& comm, const Common& given) {
  return comm.rank() == 0 ? given : Common{.json = false, .quiet = true, .threads = given.threads};
}

namespace {

/// The outcome of a write on rank 0.
enum class Written : char { yes, failed, pipe_closed };

/// One rank sends pieces; rank 0 writes them and broadcasts the outcome.
class PieceWriter {
 public:
  PieceWriter(comm::Communicator& comm, const Emit& write) : comm_(comm), write_(write) {}

  /// Called by all ranks; returns false at the end, which is marked by an empty piece.
  bool send(std::string piece, std::size_t from) {
    std::uint64_t size = piece.size();
    comm_.broadcast(std::as_writable_bytes(std::span(&size, 1)), from);
    if (size == 0) return false;
    piece.resize(size);
    comm_.broadcast(std::as_writable_bytes(std::span(piece)), from);
    const Written written = comm::broadcast_value(comm_, comm_.rank() == 0 ? write(piece) : Written::yes);
    if (written == Written::yes) return true;
    if (failure_) std::rethrow_exception(failure_);
    throw OutputError{written == Written::pipe_closed, "rank 0 cannot write to standard output"};
  }

 private:
  Written write(const std::string& piece) {
    try {
      write_(piece);
      return Written::yes;
    } catch (const OutputError& error) {
      failure_ = std::current_exception();
      return error.broken_pipe ? Written::pipe_closed : Written::failed;
    } catch (...) {
      failure_ = std::current_exception();
      return Written::failed;
    }
  }

  comm::Communicator& comm_;
  const Emit& write_;
  std::exception_ptr failure_;
};

}  // namespace

void write_from_ranks(comm::Communicator& comm, const std::function<void(const Emit&)>& produce, const Emit& write) {
  if (comm.size() == 1) return produce(write);
  PieceWriter writer(comm, write);
  for (std::size_t r = 0; r < comm.size(); ++r) {
    if (r != comm.rank()) {
      while (writer.send({}, r)) {
      }
      continue;
    }
    produce([&](const std::string& piece) {
      if (!piece.empty()) writer.send(piece, r);
    });
    writer.send({}, r);
  }
}

model::Model load_model_on_ranks(const std::string& path, comm::Communicator& comm,
                                 const std::function<void(const model::Model&)>& check) {
  std::optional<model::Model> model;
  comm::run_on_rank_0(comm, [&] {
    model = io::load_model(path);
    if (check) check(*model);
  });
  return comm.size() == 1 ? std::move(*model) : *broadcast_model(comm, model);
}

std::optional<model::Model> broadcast_model(comm::Communicator& comm, const std::optional<model::Model>& model) {
  if (comm.size() == 1) return model;
  const std::string bytes = comm::broadcast_text(comm, model ? io::serialise(*model) : "");
  if (bytes.empty()) return std::nullopt;
  return io::parse_model(bytes, "checkpoint");
}

}  // namespace accrete::cli

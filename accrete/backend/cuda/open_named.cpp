#include "accrete/backend/cuda/open_named.hpp"

#include <fmt/format.h>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::cuda {

DeviceChoice open_named(const std::string& device, comm::Communicator& comm) {
  if (device == "cpu") return {};
  if (device != "cuda" && device != "auto")
    throw core::UsageError(core::parameter("device", device), "must be cpu, cuda or auto");
  try {
    const std::size_t index = comm::rank_on_host(comm);
    std::unique_ptr<backend::FitDevice> gpu;
    comm::agree(comm, [&] { gpu = open({}, index); });
    std::string note = fmt::format("fits run on {}", gpu->describe());
    return {std::move(gpu), std::move(note)};
  } catch (const core::Error& error) {
    if (device == "cuda")
      throw core::Error(
          core::message("{}; {} falls back to the CPU", error.message(), core::parameter("device", "auto")));
    return {nullptr, fmt::format("fits run on the CPU: {}", error.what())};
  }
}

}  // namespace accrete::cuda

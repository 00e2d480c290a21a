#include "communicator.hpp"

#include <cstring>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

nb::bytes to_bytes(std::span<const std::byte> data) {
  return nb::bytes(reinterpret_cast<const char*>(data.data()), data.size());
}

/// Copies the bytes that a rank sent, which must have the agreed size.
void copy_part(const nb::handle& part, std::span<std::byte> to) {
  if (!nb::isinstance<nb::bytes>(part) || nb::cast<nb::bytes>(part).size() != to.size())
    throw core::Error("comm: another rank sent unexpected data; all ranks must call fit with the same arguments");
  if (!to.empty()) std::memcpy(to.data(), nb::cast<nb::bytes>(part).c_str(), to.size());
}

}  // namespace

PythonCommunicator::PythonCommunicator(nb::object ranks)
    : ranks_(std::move(ranks)),
      rank_(nb::cast<std::size_t>(ranks_.attr("rank"))),
      size_(nb::cast<std::size_t>(ranks_.attr("size"))) {}

void PythonCommunicator::all_gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                                    std::span<std::byte> all) {
  count(own.size());
  const nb::gil_scoped_acquire hold;
  const nb::list parts = nb::cast<nb::list>(ranks_.attr("gather")(to_bytes(own)));
  std::size_t first = 0;
  for (std::size_t r = 0; r < size_; ++r) {
    copy_part(parts[r], all.subspan(first, sizes[r]));
    first += sizes[r];
  }
}

void PythonCommunicator::broadcast(std::span<std::byte> data, std::size_t root) {
  const bool sends = rank_ == root;
  if (sends) count(data.size());
  const nb::gil_scoped_acquire hold;
  const nb::list parts = nb::cast<nb::list>(ranks_.attr("gather")(sends ? to_bytes(data) : nb::bytes("", 0)));
  if (!sends) copy_part(parts[root], data);
}

void PythonCommunicator::abort() {
  throw core::Error("a rank was aborted");
}

}  // namespace accrete::python

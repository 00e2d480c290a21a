#include "accrete/comm/agree.hpp"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/row.hpp"
#include "accrete/core/version.hpp"

namespace accrete::comm {
namespace {

/// An error as text: its kind, then the parts of its message, each with a tag. Empty: no error.
using Packed = std::vector<std::string>;

constexpr const char *usage = "usage", *data = "data", *file = "file", *other = "other";
constexpr const char *text = "text", *name = "name", *value = "value";

Packed pack(const char* kind, const core::Message& message) {
  Packed packed{kind};
  for (const core::Message::Part& part : message.parts()) {
    if (const auto* words = std::get_if<std::string>(&part)) {
      packed.insert(packed.end(), {text, *words});
      continue;
    }
    const auto& parameter = std::get<core::ParameterReference>(part);
    packed.insert(packed.end(), {name, parameter.name});
    if (parameter.value) packed.insert(packed.end(), {value, *parameter.value});
  }
  return packed;
}

Packed pack_error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const core::UsageError& error) {
    return pack(usage, error.message());
  } catch (const core::DataError& error) {
    return pack(data, error.message());
  } catch (const core::FileError& error) {
    return pack(file, error.message());
  } catch (const core::Error& error) {
    return pack(other, error.message());
  } catch (const std::bad_alloc&) {
    return pack(other, "out of memory");
  } catch (const std::exception& error) {
    return pack(other, error.what());
  }
  return {};
}

/// Adds `first_row` to the row numbers in a packed message.
void count_rows_from(Packed& packed, std::size_t first_row) {
  for (std::size_t i = 1; i + 3 < packed.size(); i += 2)
    if (packed[i] == name && packed[i + 1] == core::row(0).name && packed[i + 2] == value)
      packed[i + 3] = *core::row(first_row + std::stoull(packed[i + 3])).value;
}

[[noreturn]] void throw_packed(const Packed& packed, core::Message message) {
  for (std::size_t i = 1; i + 1 < packed.size(); i += 2) {
    if (packed[i] == text) message += core::Message(packed[i + 1]);
    if (packed[i] != name) continue;
    core::ParameterReference parameter{packed[i + 1]};
    if (i + 3 < packed.size() && packed[i + 2] == value) parameter.value = packed[i + 3];
    message += core::Message(std::move(parameter));
  }
  if (packed.front() == usage) throw core::UsageError(message);
  if (packed.front() == data) throw core::DataError(message);
  if (packed.front() == file) throw core::FileError(message);
  throw core::Error(message);
}

}  // namespace

void agree(Communicator& comm, const std::function<void()>& work, const std::function<std::size_t()>& rows) {
  if (comm.size() == 1) return work();
  auto all = gather_texts(comm, pack_error_of(work));
  const auto failed = std::ranges::find_if(all, [](const Packed& packed) { return !packed.empty(); });
  if (failed == all.end()) return;
  const bool everywhere = std::ranges::all_of(all, [&](const Packed& packed) { return packed == *failed; });
  const auto rank = static_cast<std::size_t>(failed - all.begin());
  if (rows) {
    const auto counts = gather_value<std::uint64_t>(comm, all[comm.rank()].empty() ? rows() : 0);
    for (std::size_t r = 0; r < rank; ++r) count_rows_from(*failed, counts[r]);
  }
  throw_packed(*failed, everywhere ? core::Message() : fmt::format("rank {}: ", rank));
}

void run_on_rank_0(Communicator& comm, const std::function<void()>& work) {
  if (comm.size() == 1) return work();
  const auto all = gather_texts(comm, comm.rank() == 0 ? pack_error_of(work) : Packed());
  if (!all[0].empty()) throw_packed(all[0], {});
}

void require_same_program(Communicator& comm) {
  const std::string own = fmt::format("accrete {} for {}", core::version(),
                                      hwy::TargetName(hwy::SupportedTargets() & -hwy::SupportedTargets()));
  const auto all = gather_texts(comm, std::vector{own});
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      throw core::Error(
          fmt::format("rank {} runs {} and rank 0 {}; all ranks must run the same", r, all[r].front(), all[0].front()));
}

}  // namespace accrete::comm

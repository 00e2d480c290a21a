#pragma once
// Memory for the features of one row that needs no allocation per call.

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "accrete/core/aligned.hpp"

namespace accrete::c {

/// Up to stack_floats features are on the stack. More could overflow the small thread stacks of other languages, so
/// they use one of a few preallocated buffers.
class RowWorkspace {
 public:
  static constexpr std::size_t stack_floats = 4096, buffers = 8;

  explicit RowWorkspace(std::size_t floats) : floats_(floats) {
    if (floats_ <= stack_floats) return;
    buffers_ = std::make_unique<LockedBuffer[]>(buffers);
    for (std::size_t i = 0; i < buffers; ++i) buffers_[i].floats.resize(floats_);
  }

  /// Calls function(span) with uninitialised, cache-aligned floats. Does not allocate.
  template <class Function>
  void use(Function&& function) const {
    if (floats_ <= stack_floats) {
      alignas(64) float floats[stack_floats];
      std::forward<Function>(function)(std::span<float>(floats, floats_));
      return;
    }
    LockedBuffer& buffer = lock_buffer();
    const std::lock_guard lock(buffer.mutex, std::adopt_lock);
    std::forward<Function>(function)(std::span<float>(buffer.floats));
  }

 private:
  struct LockedBuffer {
    std::mutex mutex;
    core::AlignedVector<float> floats;
  };

  /// Locks the first free buffer; if there is none, waits for one selected by thread id, which spreads the waiting
  /// threads.
  LockedBuffer& lock_buffer() const {
    for (std::size_t i = 0; i < buffers; ++i)
      if (buffers_[i].mutex.try_lock()) return buffers_[i];
    LockedBuffer& buffer = buffers_[std::hash<std::thread::id>{}(std::this_thread::get_id()) % buffers];
    buffer.mutex.lock();
    return buffer;
  }

  std::size_t floats_;
  std::unique_ptr<LockedBuffer[]> buffers_;  ///< null if the stack is used
};

}  // namespace accrete::c

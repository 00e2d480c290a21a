#pragma once
// Room for one row's features that no call has to allocate and no two calls share.

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "accrete/core/aligned.hpp"

namespace accrete::c {

/// Of a model of so many features. Few fit on the stack, where threads cannot meet; more would not fit the small stacks
/// that other languages run their threads on, and take one of a few places made beforehand.
class Scratch {
 public:
  static constexpr std::size_t stack_floats = 4096, places = 8;

  explicit Scratch(std::size_t floats) : floats_(floats) {
    if (floats_ <= stack_floats) return;
    places_ = std::make_unique<Place[]>(places);
    for (std::size_t i = 0; i < places; ++i) places_[i].room.resize(floats_);
  }

  /// Calls use(room), a span of the floats on a cache line, which hold anything. Allocates nothing.
  template <class Use>
  void lend(Use&& use) const {
    if (floats_ <= stack_floats) {
      alignas(64) float room[stack_floats];
      std::forward<Use>(use)(std::span<float>(room, floats_));
      return;
    }
    Place& place = locked_place();
    const std::lock_guard held(place.busy, std::adopt_lock);
    std::forward<Use>(use)(std::span<float>(place.room));
  }

 private:
  struct Place {
    std::mutex busy;
    core::AlignedVector<float> room;
  };

  /// The first that is free; when none is, waits for one that depends on the thread, so that waiters spread.
  Place& locked_place() const {
    for (std::size_t i = 0; i < places; ++i)
      if (places_[i].busy.try_lock()) return places_[i];
    Place& place = places_[std::hash<std::thread::id>{}(std::this_thread::get_id()) % places];
    place.busy.lock();
    return place;
  }

  std::size_t floats_;
  std::unique_ptr<Place[]> places_;  ///< none where the stack serves
};

}  // namespace accrete::c

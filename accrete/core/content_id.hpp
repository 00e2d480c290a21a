#pragma once
// Lets a cache detect that the object it was built from has changed.

#include <atomic>
#include <cstdint>

namespace accrete::core {

/// Identifies the content of the object that owns it. A copy keeps the id; the owner calls renew() after every change.
class ContentId {
 public:
  void renew() { value_ = ++last_; }
  bool operator==(const ContentId&) const = default;

 private:
  static inline std::atomic<std::uint64_t> last_{0};
  std::uint64_t value_ = 0;  ///< 0: default-constructed and empty
};

}  // namespace accrete::core

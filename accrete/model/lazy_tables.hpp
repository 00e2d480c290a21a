#pragma once
// Lookup tables of a model, built on first use.

#include <atomic>
#include <memory>
#include <mutex>

#include "accrete/data/encoder.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {
class PredictTables;
}

namespace accrete::model {

/// Copies share the tables. Like any member of a model, it must not be assigned while another thread predicts.
class LazyTables {
 public:
  LazyTables() = default;
  LazyTables(const LazyTables& other);
  LazyTables(LazyTables&& other) noexcept;
  LazyTables& operator=(const LazyTables& other);
  LazyTables& operator=(LazyTables&& other) noexcept;
  ~LazyTables() = default;

  /// The tables of this encoder and network, or null if the dense weights are faster. Built by the first call, and
  /// again after a change of either argument. Thread-safe; other calls neither lock nor allocate.
  const network::PredictTables* get(const data::Encoder& encoder, const network::Network& network) const;

 private:
  using Shared = std::shared_ptr<const network::PredictTables>;
  Shared owner() const;
  void set(Shared tables) const;

  mutable std::mutex mutex_;
  mutable Shared owner_;
  mutable std::atomic<const network::PredictTables*> built_{nullptr};  ///< owner_ for lock-free reads
};

}  // namespace accrete::model

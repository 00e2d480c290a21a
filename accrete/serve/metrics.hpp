#pragma once
// Counters of the server, in Prometheus' text format.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace accrete::serve {

/// A histogram with fixed upper bounds. Not thread-safe.
template <std::size_t Bounds>
struct Histogram {
  std::array<double, Bounds> bounds;
  std::array<std::uint64_t, Bounds> counts = {};  ///< values up to each bound and above the previous one
  std::uint64_t count = 0;
  double sum = 0.0;

  void add(double value) {
    ++count;
    sum += value;
    for (std::size_t i = 0; i < Bounds; ++i)
      if (value <= bounds[i]) {
        ++counts[i];
        return;
      }
  }
};

/// Thread-safe.
class Metrics {
 public:
  /// An inference request that was answered.
  struct Inference {
    std::string model, version;
    std::size_t rows = 0, units = 0, batch_rows = 0;
    double seconds = 0.0;  ///< from arrival to reply
  };
  void add_inference(const Inference& inference);
  void add_reply(int status);
  void add_reload(bool accepted);

  /// Values that are sampled when the metrics are read.
  struct Gauges {
    std::size_t connections = 0, waiting_rows = 0, models = 0;
  };
  std::string text(const Gauges& gauges) const;

  std::atomic<std::uint64_t> connections{0};          ///< total so far
  std::atomic<std::uint64_t> refused_connections{0};  ///< closed to stay within the limit

 private:
  using SecondsHistogram = Histogram<13>;
  using RowsHistogram = Histogram<8>;
  struct PerModel {
    std::uint64_t requests = 0, rows = 0, unit_sum = 0;
    std::size_t last_units = 0;
    SecondsHistogram seconds{{0.00025, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0}};
    RowsHistogram batch_rows{{1, 4, 16, 64, 256, 1024, 4096, 16384}};
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, PerModel> models_;
  std::map<int, std::uint64_t> replies_;
  std::uint64_t reloads_ = 0, refused_reloads_ = 0;
};

}  // namespace accrete::serve

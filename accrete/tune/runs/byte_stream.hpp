#pragma once
// Serialises values to contiguous bytes and reads them back in order.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "accrete/core/error.hpp"

namespace accrete::tune {

class ByteWriter {
 public:
  template <class T>
  ByteWriter& put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  ByteWriter& put_count(std::size_t count) { return put<std::uint64_t>(count); }
  ByteWriter& put_metrics(const std::vector<std::pair<std::string, double>>& metrics) {
    put_count(metrics.size());
    for (const auto& [name, value] : metrics) {
      put_count(name.size());
      bytes_ += name;
      put(value);
    }
    return *this;
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Throws core::Error if the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, text(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::size_t count() { return get<std::uint64_t>(); }
  std::vector<std::pair<std::string, double>> metrics() {
    std::vector<std::pair<std::string, double>> metrics;
    for (std::size_t left = count(); left > 0; --left) {
      std::string name(text(count()));
      metrics.emplace_back(std::move(name), get<double>());
    }
    return metrics;
  }
  /// Call this at the end.
  void require_end() const {
    if (!left_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw core::Error("another rank has sent a result that cannot be read"); }

  std::string_view text(std::size_t size) {
    if (size > left_.size()) fail();
    const std::string_view text = left_.substr(0, size);
    left_.remove_prefix(size);
    return text;
  }

  std::string_view left_;
};

}  // namespace accrete::tune

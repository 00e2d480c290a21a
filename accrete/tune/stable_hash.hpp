#pragma once
// A hash that is stable across platforms and versions, because files contain keys and seeds made from it.

#include <cstdint>
#include <string_view>

namespace accrete::tune {

/// 64-bit FNV-1a over the added values in order: a number as eight little-endian bytes, text as its length and bytes.
/// value() finalises with splitmix64 so that all bits are well mixed.
class StableHash {
 public:
  StableHash& add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(number >> (8 * i)));
    return *this;
  }
  StableHash& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    return *this;
  }

  std::uint64_t value() const {
    std::uint64_t z = hash_ + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

 private:
  void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001B3u; }

  std::uint64_t hash_ = 0xCBF29CE484222325u;
};

}  // namespace accrete::tune

#include "accrete/comm/share_inputs.hpp"

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "accrete/comm/values.hpp"

namespace accrete::comm {
namespace {

template <class T>
std::string bytes_of(std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <class T>
std::vector<T> values_of(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

constexpr std::size_t fields = 5;  // texts before the levels

void pack(const data::Input& input, std::vector<std::string>& texts) {
  const double numbers[] = {input.mean, input.scale, input.gap_flag ? 1.0 : 0.0,
                            static_cast<double>(input.levels.size())};
  texts.push_back(bytes_of<double>(numbers));
  texts.push_back(bytes_of<double>(input.shares));
  texts.push_back(bytes_of<float>(input.knots));
  texts.push_back(bytes_of<double>(input.bin_means));
  texts.push_back(bytes_of<double>(input.bin_scales));
  texts.insert(texts.end(), input.levels.begin(), input.levels.end());
}

/// Returns the texts after those of this input.
const std::string* unpack(const std::string* texts, data::Input& input) {
  const std::vector<double> numbers = values_of<double>(texts[0]);
  input.mean = numbers[0], input.scale = numbers[1], input.gap_flag = numbers[2] != 0.0;
  input.shares = values_of<double>(texts[1]);
  input.knots = values_of<float>(texts[2]);
  input.bin_means = values_of<double>(texts[3]);
  input.bin_scales = values_of<double>(texts[4]);
  const auto levels = static_cast<std::size_t>(numbers[3]);
  input.levels.assign(texts + fields, texts + fields + levels);
  return texts + fields + levels;
}

}  // namespace

void share_inputs(std::span<data::Input> inputs, Communicator& comm) {
  std::vector<std::string> own;
  for (std::size_t i = comm.rank(); i < inputs.size(); i += comm.size()) pack(inputs[i], own);
  const auto all = gather_texts(comm, own);
  for (std::size_t r = 0; r < comm.size(); ++r) {
    const std::string* next = all[r].data();
    for (std::size_t i = r; i < inputs.size(); i += comm.size()) next = unpack(next, inputs[i]);
  }
}

}  // namespace accrete::comm

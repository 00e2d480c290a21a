#include "accrete/io/model_file/inputs.hpp"

#include <cstddef>
#include <utility>

namespace accrete::io {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Reads the values of a tensor sequentially.
template <class T>
class TensorReader {
 public:
  /// Throws FileError unless the tensor has `count` values.
  TensorReader(const Container& file, const char* name, std::size_t count) : values_(read_column<T>(file, name)) {
    expect_shape(name, {values_.size()}, {count});
  }

  std::vector<T> take(std::size_t count) {
    const auto first = values_.begin() + next_;
    next_ += static_cast<std::ptrdiff_t>(count);
    return {first, values_.begin() + next_};
  }

 private:
  std::vector<T> values_;
  std::ptrdiff_t next_ = 0;
};

void read_bins(const Container& file, const std::vector<std::size_t>& bins, std::vector<data::Input>& inputs) {
  std::size_t all = 0, binned = 0;
  for (const std::size_t count : bins) all += count, binned += count > 0 ? 1 : 0;
  if (binned == 0) return;
  TensorReader<double> means(file, "input.bin_mean", all), scales(file, "input.bin_scale", all);
  TensorReader<float> knots(file, "input.knot", all + binned);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (bins[i] == 0) continue;
    inputs[i].knots = knots.take(bins[i] + 1);
    inputs[i].bin_means = means.take(bins[i]);
    inputs[i].bin_scales = scales.take(bins[i]);
  }
}

}  // namespace

InputTensors::InputTensors(const data::Encoder& encoder) {
  for (const data::Input& input : encoder.inputs()) {
    append(share, input.shares);
    append(knot, input.knots);
    append(bin_mean, input.bin_means);
    append(bin_scale, input.bin_scales);
    if (input.kind == data::Column::Kind::numeric) mean.push_back(input.mean), scale.push_back(input.scale);
  }
}

void InputTensors::add_doubles(Container& file) const {
  file.tensors.push_back(make_column("input.mean", mean));
  file.tensors.push_back(make_column("input.scale", scale));
  file.tensors.push_back(make_column("input.share", share));
  if (knot.empty()) return;
  file.tensors.push_back(make_column("input.bin_mean", bin_mean));
  file.tensors.push_back(make_column("input.bin_scale", bin_scale));
}

void InputTensors::add_floats(Container& file) const {
  if (!knot.empty()) file.tensors.push_back(make_column("input.knot", knot));
}

data::Encoder read_encoder(const Container& file, std::vector<data::Input> inputs,
                           const std::vector<std::size_t>& bins) {
  std::size_t numeric = 0, levels = 0;
  for (const data::Input& input : inputs) {
    numeric += input.kind == data::Column::Kind::numeric;
    levels += input.levels.size();
  }
  TensorReader<double> means(file, "input.mean", numeric), scales(file, "input.scale", numeric);
  TensorReader<double> shares(file, "input.share", levels);
  for (data::Input& input : inputs) {
    input.shares = shares.take(input.levels.size());
    if (input.kind != data::Column::Kind::numeric) continue;
    input.mean = means.take(1).front();
    input.scale = scales.take(1).front();
  }
  read_bins(file, bins, inputs);
  return data::Encoder(std::move(inputs));
}

}  // namespace accrete::io

#include "accrete/io/c_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/data/encode_column.hpp"

namespace accrete::io {
namespace {

/// What the network was trained on is shift + factor * what C computes.
struct Fold {
  double factor = 1.0;
  double shift = 0.0;
};

float to_float(double value) {
  constexpr float most = std::numeric_limits<float>::max();
  if (!(std::abs(value) <= static_cast<double>(most)))
    throw core::DataError(fmt::format("a number of the model is {}; a C float holds up to {}", value, most));
  return static_cast<float>(value);
}

std::vector<Fold> feature_folds(const data::Encoder& encoder) {
  std::vector<Fold> folds;
  for (const data::Input& input : encoder.inputs()) {
    if (input.kind == data::Column::Kind::numeric) folds.resize(folds.size() + 1 + input.bins());
    for (std::size_t l = 0; l < input.levels.size(); ++l) {
      const data::OneHot hot = data::one_hot(input, l);
      folds.push_back({static_cast<double>(hot.on) - static_cast<double>(hot.off), hot.off});
    }
    if (input.indicator) folds.emplace_back();
  }
  return folds;
}

std::vector<Fold> output_folds(const model::Model& model) {
  std::vector<Fold> folds(model.network.outputs());
  if (model.loss.link() != loss::Link::identity) return folds;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    folds[k] = {model.target_scale[k], model.target_shift[k]};
    if (folds[k].factor < std::numeric_limits<float>::min())
      throw core::DataError(fmt::format("target '{}' has a spread of {}; a C float holds {} and above",
                                        model.targets[k], folds[k].factor, std::numeric_limits<float>::min()));
  }
  return folds;
}

/// Features with a weight in any unit of the step.
std::vector<std::size_t> seen_by(const network::Network& network, std::size_t step) {
  std::vector<std::size_t> seen;
  const float* weights = network.hidden_weights().data();
  for (std::size_t f = 0; f < network.features(); ++f) {
    bool any = false;
    for (std::size_t u = network.units_after(step); u < network.units_after(step + 1); ++u)
      any = any || weights[u * network.features() + f] != 0.0f;
    if (any) seen.push_back(f);
  }
  return seen;
}

/// Clearly smaller: listing the features of each step saves a tenth at least.
bool worth_listing(const network::Network& network) {
  const std::size_t index_bytes = network.features() <= 0x100 ? 1 : network.features() <= 0x10000 ? 2 : 4;
  std::size_t listed = 0, all = 0;
  for (std::size_t step = 0; step < network.steps(); ++step) {
    const std::size_t units = network.units_after(step + 1) - network.units_after(step);
    const std::size_t width = seen_by(network, step).size();
    listed += width * (units * sizeof(float) + index_bytes) + index_bytes;
    all += network.features() * units * sizeof(float);
  }
  return listed * 10 < all * 9;
}

void add_unit(CNetwork& to, const network::Network& from, std::size_t unit, const std::vector<std::size_t>& features,
              const std::vector<Fold>& fold) {
  const float* weights = from.hidden_weights().data() + unit * from.features();
  double bias = from.hidden_bias()[unit];
  for (const std::size_t f : features) bias += static_cast<double>(weights[f]) * fold[f].shift;
  to.weights.push_back(to_float(bias));
  for (const std::size_t f : features) to.weights.push_back(to_float(static_cast<double>(weights[f]) * fold[f].factor));
}

/// How fast a bin's standardised feature rises within the bin.
double slope_of(const data::Input& input, std::size_t bin) {
  return 1.0 / ((static_cast<double>(input.knots[bin + 1]) - input.knots[bin]) * input.bin_scales[bin]);
}

/// A pair of floats keeps twice the digits of one, and the difference to a number near it has no rounding error.
/// Beyond these bounds a float of the pair, or a difference, may not exist.
bool narrow_enough(const data::Input& input) {
  constexpr double least = 1e-30, most = 1e30;
  const auto fits = [](double x) { return std::abs(x) < most; };
  bool slopes_fit = true;
  for (std::size_t j = 0; j < input.bins(); ++j) slopes_fit = slopes_fit && fits(slope_of(input, j));
  return input.scale > least && input.scale < most && fits(input.mean) && std::ranges::all_of(input.knots, fits) &&
         slopes_fit;
}

void add_bins(CStandard& to, const data::Input& input) {
  to.first_bin.push_back((to.wide ? to.wide_bins.size() : to.narrow_bins.size()) / 4);
  for (std::size_t j = 0; j < input.bins(); ++j) {
    const double knot = input.knots[j], width = input.knots[j + 1] - knot, slope = slope_of(input, j);
    const double low = -input.bin_means[j] / input.bin_scales[j];
    if (to.wide)
      to.wide_bins.insert(to.wide_bins.end(), {knot, width, slope, low});
    else
      to.narrow_bins.insert(to.narrow_bins.end(), {to_float(knot), to_float(width), to_float(slope), to_float(low)});
  }
}

}  // namespace

CNetwork c_network(const model::Model& model) {
  const network::Network& network = model.network;
  const std::size_t outputs = network.outputs();
  const std::vector<Fold> feature = feature_folds(model.encoder), output = output_folds(model);
  std::vector<std::size_t> seen(network.features());
  for (std::size_t f = 0; f < seen.size(); ++f) seen[f] = f;

  CNetwork c;
  c.sparse = worth_listing(network);
  for (std::size_t step = 0; step < network.steps(); ++step) {
    c.step_units.push_back(network.units_after(step + 1) - network.units_after(step));
    if (c.sparse) {
      seen = seen_by(network, step);
      c.step_width.push_back(seen.size());
      c.listed.insert(c.listed.end(), seen.begin(), seen.end());
    }
    for (std::size_t u = network.units_after(step); u < network.units_after(step + 1); ++u) {
      add_unit(c, network, u, seen, feature);
      for (std::size_t k = 0; k < outputs; ++k)
        c.weights.push_back(
            to_float(static_cast<double>(network.output_weights()[u * outputs + k]) * output[k].factor));
    }
  }
  for (std::size_t step = 0; step <= network.steps(); ++step)
    for (std::size_t k = 0; k < outputs; ++k)
      c.bias.push_back(to_float(output[k].shift + output[k].factor * network.bias_after(step)[k]));
  return c;
}

CStandard c_standard(const data::Encoder& encoder) {
  CStandard standard;
  for (const data::Input& input : encoder.inputs())
    standard.wide = standard.wide || (input.kind == data::Column::Kind::numeric && !narrow_enough(input));
  for (const data::Input& input : encoder.inputs()) {
    const bool number = input.kind == data::Column::Kind::numeric;
    if (standard.wide) {
      const double inverse = std::min(data::standard_of(input).inverse, std::numeric_limits<double>::max());
      standard.doubles.insert(standard.doubles.end(), {input.mean, number ? inverse : 0.0});
    } else {
      const float leading = number ? to_float(input.mean) : 0.0f;
      const float rest = number ? to_float(input.mean - static_cast<double>(leading)) : 0.0f;
      standard.narrow.insert(standard.narrow.end(), {leading, rest, number ? to_float(input.scale) : 0.0f});
    }
    add_bins(standard, input);
  }
  return standard;
}

}  // namespace accrete::io

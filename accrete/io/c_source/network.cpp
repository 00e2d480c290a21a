#include "accrete/io/c_source/network.hpp"

#include <fmt/format.h>

#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/io/c_source/encoding.hpp"

namespace accrete::io {
namespace {

std::vector<AffineFold> output_folds(const model::Model& model) {
  std::vector<AffineFold> folds(model.network.outputs());
  if (model.loss.link() != loss::Link::identity) return folds;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const std::size_t target = model.target_of(k);
    folds[k] = {model.target_scale[target], model.target_shift[target]};
    if (folds[k].factor < std::numeric_limits<float>::min())
      throw core::DataError(fmt::format("C: target '{}' has the scale {}; a C float holds at least {}",
                                        model.targets[target], folds[k].factor, std::numeric_limits<float>::min()));
  }
  return folds;
}

/// Features that have a nonzero weight in any unit of the step.
std::vector<std::size_t> features_read(const network::Network& network, std::size_t step) {
  std::vector<std::size_t> features;
  const float* weights = network.hidden_weights().data();
  for (std::size_t f = 0; f < network.features(); ++f) {
    bool any = false;
    for (std::size_t u = network.units_after(step); u < network.units_after(step + 1); ++u)
      any = any || weights[u * network.features() + f] != 0.0f;
    if (any) features.push_back(f);
  }
  return features;
}

/// True if listing the features of each step reduces the size by at least a tenth.
bool worth_listing(const network::Network& network) {
  const std::size_t index_bytes = network.features() <= 0x100 ? 1 : network.features() <= 0x10000 ? 2 : 4;
  std::size_t listed = 0, all = 0;
  for (std::size_t step = 0; step < network.steps(); ++step) {
    const std::size_t units = network.units_after(step + 1) - network.units_after(step);
    const std::size_t width = features_read(network, step).size();
    listed += width * (units * sizeof(float) + index_bytes) + index_bytes;
    all += network.features() * units * sizeof(float);
  }
  return listed * 10 < all * 9;
}

void add_unit(CNetwork& to, const network::Network& from, std::size_t unit, const std::vector<std::size_t>& features,
              const std::vector<AffineFold>& fold) {
  const float* weights = from.hidden_weights().data() + unit * from.features();
  double bias = from.hidden_bias()[unit];
  for (const std::size_t f : features) bias += static_cast<double>(weights[f]) * fold[f].shift;
  to.weights.push_back(to_c_float(bias));
  for (const std::size_t f : features)
    to.weights.push_back(to_c_float(static_cast<double>(weights[f]) * fold[f].factor));
}

}  // namespace

CNetwork c_network(const model::Model& model) {
  const network::Network& network = model.network;
  const std::size_t outputs = network.outputs();
  const std::vector<AffineFold> feature = feature_folds(model.encoder), output = output_folds(model);
  std::vector<std::size_t> features(network.features());
  for (std::size_t f = 0; f < features.size(); ++f) features[f] = f;

  CNetwork c;
  c.sparse = worth_listing(network);
  for (std::size_t step = 0; step < network.steps(); ++step) {
    c.step_units.push_back(network.units_after(step + 1) - network.units_after(step));
    if (c.sparse) {
      features = features_read(network, step);
      c.step_width.push_back(features.size());
      c.listed.insert(c.listed.end(), features.begin(), features.end());
    }
    for (std::size_t u = network.units_after(step); u < network.units_after(step + 1); ++u) {
      add_unit(c, network, u, features, feature);
      for (std::size_t k = 0; k < outputs; ++k)
        c.weights.push_back(
            to_c_float(static_cast<double>(network.output_weights()[u * outputs + k]) * output[k].factor));
    }
  }
  for (std::size_t step = 0; step <= network.steps(); ++step)
    for (std::size_t k = 0; k < outputs; ++k)
      c.bias.push_back(to_c_float(output[k].shift + output[k].factor * network.bias_after(step)[k]));
  return c;
}

}  // namespace accrete::io

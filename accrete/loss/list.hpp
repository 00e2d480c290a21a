#pragma once
// The losses. To add one, write a file like squared.hpp and add its name here; flag, model file and contract tests are
// derived from this list.

#include <cstddef>
#include <span>
#include <string_view>

#include "accrete/core/named_list.hpp"
#include "accrete/loss/cross_entropy.hpp"
#include "accrete/loss/custom.hpp"
#include "accrete/loss/huber.hpp"
#include "accrete/loss/logistic.hpp"
#include "accrete/loss/poisson.hpp"
#include "accrete/loss/quantile.hpp"
#include "accrete/loss/softmax.hpp"
#include "accrete/loss/squared.hpp"

namespace accrete::loss {

using All = core::NamedTypes<Squared, Logistic, Softmax, Huber, Quantile, Poisson, CrossEntropy, Custom>;

/// A loss selected at run time, with its settings.
struct Loss {
  std::size_t index = 0;
  LossSettings settings;
  bool operator==(const Loss&) const = default;

  static Loss named(std::string_view name, LossSettings settings = {}) {
    return {All::index_of(name, "loss"), settings};
  }
  const char* name() const { return All::names[index]; }

  template <class F>
  decltype(auto) visit(F&& f) const {
    return All::visit(index, std::forward<F>(f));
  }
  bool classes() const {
    return visit([](auto l) { return decltype(l)::classes; });
  }
  bool scales() const {
    return visit([](auto l) { return decltype(l)::scales; });
  }
  bool unit_step() const {
    return visit([](auto l) { return decltype(l)::unit_step; });
  }
  double residual_scale() const {
    return visit([](auto l) { return decltype(l)::residual_scale; });
  }
  /// The levels if the loss has several quantiles, one output each; otherwise empty.
  std::span<const double> quantiles() const { return settings.quantiles(); }
  Link link() const {
    return visit([](auto l) { return decltype(l)::link; });
  }
  double in_target_units(double value, double scale) const {
    return visit([&](auto l) { return decltype(l)::in_target_units(value, scale); });
  }
};

}  // namespace accrete::loss

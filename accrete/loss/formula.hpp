#pragma once
// A loss is a struct of one-row formulas that all backends share. A separable loss (one formula per output) defines
// value, derivative and curvature of a single score; a joint loss (softmax) replaces the loops below with its own.
//
// F is the score. For classification it is a logit: the binary prediction is sigmoid(F). The paper's F is half of it,
// which residual_scale accounts for.

#include <cstddef>
#include <span>

#include "accrete/core/inline.hpp"

namespace accrete::loss {

/// Maps scores to predictions.
enum class Link {
  identity,
  sigmoid,  ///< one score to the probabilities of two classes
  softmax,
  exponential,
  probability,  ///< each score to a probability
};

/// Parameters of losses that have any; huber_delta is in units of the (possibly standardised) target.
struct LossSettings {
  static constexpr std::size_t max_levels = 15;

  double huber_delta = 1.0;
  double quantile = 0.5;
  std::size_t level_count = 0;     ///< several quantiles of one target, one output each; otherwise 0
  double levels[max_levels] = {};  ///< ascending
  bool operator==(const LossSettings&) const = default;

  std::span<const double> quantiles() const { return {levels, level_count}; }
};

/// The rows a loss is evaluated on: output k of row r is scores[k * stride + r]; target t is targets[t * stride + r].
template <class T>
struct LossRows {
  std::size_t count;
  std::size_t stride;
  std::size_t outputs;
  const T* targets;
  const T* scores;
  LossSettings settings;
};

/// Defaults of a loss with one formula per output (CRTP base); a loss overrides a default by redeclaring its name.
template <class Self>
struct Separable {
  static constexpr bool classes = false;         ///< the target is a class index, not a number
  static constexpr bool scales = false;          ///< the target may be shifted and scaled (standardised)
  static constexpr bool unit_step = false;       ///< the Newton step is 1 by definition (squared error)
  static constexpr bool exact_curvature = true;  ///< curvature() is the second derivative, not an upper bound
  static constexpr double residual_scale = 1.0;  ///< the paper's pseudo-residual is this times -derivative
  static constexpr Link link = Link::identity;

  /// The target column that output k predicts, and the settings for its formulas.
  ACCRETE_INLINE static std::size_t target_of(std::size_t k, const LossSettings&) { return k; }
  ACCRETE_INLINE static const LossSettings& settings_of(std::size_t, const LossSettings& settings) { return settings; }

  /// Converts a loss value to the target's units, for a target that was divided by scale.
  static double in_target_units(double value, double) { return value; }

  /// Per row, summed over the outputs.
  template <class T>
  ACCRETE_INLINE static void values(const LossRows<T>& rows, T* value) {
    for (std::size_t r = 0; r < rows.count; ++r) value[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* y = rows.targets + Self::target_of(k, rows.settings) * rows.stride;
      const auto& settings = Self::settings_of(k, rows.settings);
      const T* f = rows.scores + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) value[r] += Self::value(y[r], f[r], settings);
    }
  }

  /// derivative[k * stride + r]
  template <class T>
  ACCRETE_INLINE static void derivatives(const LossRows<T>& rows, T* derivative) {
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* y = rows.targets + Self::target_of(k, rows.settings) * rows.stride;
      const auto& settings = Self::settings_of(k, rows.settings);
      const T* f = rows.scores + k * rows.stride;
      T* d = derivative + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) d[r] = Self::derivative(y[r], f[r], settings);
    }
  }

  /// values and derivatives in one pass; a loss whose formulas share terms redeclares it.
  template <class T>
  ACCRETE_INLINE static void values_and_derivatives(const LossRows<T>& rows, T* value, T* derivative) {
    T* __restrict v = value;
    for (std::size_t r = 0; r < rows.count; ++r) v[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* __restrict y = rows.targets + Self::target_of(k, rows.settings) * rows.stride;
      const auto& settings = Self::settings_of(k, rows.settings);
      const T* __restrict f = rows.scores + k * rows.stride;
      T* __restrict d = derivative + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) {
        d[r] = Self::derivative(y[r], f[r], settings);
        v[r] += Self::value(y[r], f[r], settings);
      }
    }
  }

  /// curvature[k * stride + r]: the diagonal of the second derivative.
  template <class T>
  ACCRETE_INLINE static void curvatures(const LossRows<T>& rows, T* curvature) {
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* y = rows.targets + Self::target_of(k, rows.settings) * rows.stride;
      const auto& settings = Self::settings_of(k, rows.settings);
      const T* f = rows.scores + k * rows.stride;
      T* c = curvature + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) c[r] = Self::curvature(y[r], f[r], settings);
    }
  }

  /// Same as curvatures, given the derivatives; a loss whose curvature follows from them redeclares it.
  template <class T>
  ACCRETE_INLINE static void curvatures_from_derivatives(const LossRows<T>& rows, const T*, T* curvature) {
    Self::curvatures(rows, curvature);
  }
};

/// The targets of one output (or the class indices) with row weights, for start scores.
struct WeightedTargets {
  std::span<const double> targets;
  std::span<const double> weights;  ///< same length, not all zero
};

}  // namespace accrete::loss

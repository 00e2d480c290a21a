#pragma once
// What a loss is: a small struct of formulas for one row, used alike by the reference, the vector kernels and
// every other backend. A separable loss (one formula per output) gives value, derivative and curvature of one
// number; a joint loss (softmax) replaces the loops below with its own.
//
// Conventions: F is the score. For classes it is on the logit scale, so the binary network's output is
// sigmoid(F); the paper's F is half of it, which residual_scale accounts for.

#include <cstddef>
#include <span>

#include "accrete/core/inline.hpp"

namespace accrete::loss {

/// How a score becomes a prediction.
enum class Link { identity, sigmoid, softmax, exponential };

/// The free numbers of the losses that have one. In units of the (possibly standardised) target.
struct Settings {
  double huber_delta = 1.0;
  double quantile = 0.5;
  bool operator==(const Settings&) const = default;
};

/// A run of rows: output k of row r is scores[k * stride + r]; target t of row r is targets[t * stride + r].
template <class T>
struct Run {
  std::size_t count;
  std::size_t stride;
  std::size_t outputs;
  const T* targets;
  const T* scores;
  Settings settings;
};

/// What most losses are; a loss that differs says so by hiding the name.
template <class Self>
struct Separable {
  static constexpr bool classes = false;         ///< the target is a class index, not a number
  static constexpr bool scales = false;          ///< the target may be shifted and scaled (standardised)
  static constexpr bool unit_step = false;       ///< the Newton step is 1 by definition (squared error)
  static constexpr bool exact_curvature = true;  ///< curvature() is the second derivative, not an upper bound
  static constexpr double residual_scale = 1.0;  ///< the paper's pseudo-residual is this times -derivative
  static constexpr Link link = Link::identity;

  /// The loss in the target's own units when the target was divided by scale.
  static double in_target_units(double value, double) { return value; }

  /// Sum over outputs, per row.
  template <class T>
  ACCRETE_INLINE static void values(const Run<T>& rows, T* value) {
    for (std::size_t r = 0; r < rows.count; ++r) value[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* y = rows.targets + k * rows.stride;
      const T* f = rows.scores + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) value[r] += Self::value(y[r], f[r], rows.settings);
    }
  }

  /// derivative[k * stride + r]
  template <class T>
  ACCRETE_INLINE static void derivatives(const Run<T>& rows, T* derivative) {
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* y = rows.targets + k * rows.stride;
      const T* f = rows.scores + k * rows.stride;
      T* d = derivative + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) d[r] = Self::derivative(y[r], f[r], rows.settings);
    }
  }

  /// Both at once; a loss whose formulas share their work hides it.
  template <class T>
  ACCRETE_INLINE static void values_and_derivatives(const Run<T>& rows, T* value, T* derivative) {
    T* __restrict v = value;
    for (std::size_t r = 0; r < rows.count; ++r) v[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* __restrict y = rows.targets + k * rows.stride;
      const T* __restrict f = rows.scores + k * rows.stride;
      T* __restrict d = derivative + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) {
        d[r] = Self::derivative(y[r], f[r], rows.settings);
        v[r] += Self::value(y[r], f[r], rows.settings);
      }
    }
  }

  /// curvature[k * stride + r]: the diagonal of the second derivative.
  template <class T>
  ACCRETE_INLINE static void curvatures(const Run<T>& rows, T* curvature) {
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* y = rows.targets + k * rows.stride;
      const T* f = rows.scores + k * rows.stride;
      T* c = curvature + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) c[r] = Self::curvature(y[r], f[r], rows.settings);
    }
  }

  /// The same where the derivatives are known; a loss whose curvature follows from them hides it.
  template <class T>
  ACCRETE_INLINE static void curvatures_beside(const Run<T>& rows, const T*, T* curvature) {
    Self::curvatures(rows, curvature);
  }
};

/// The targets of one output (or the class indices) with their row weights, for start values.
struct Sample {
  std::span<const double> targets;
  std::span<const double> weights;  ///< same length, not all zero
};

}  // namespace accrete::loss

#pragma once
#include <algorithm>
#include <cmath>

#include "accrete/core/math.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// Cross-entropy of softmax(F) for K classes; the target is the class index. Rows are processed in tiles, whose maxima
/// and sums fit on the stack.
struct Softmax : Separable<Softmax> {
  static constexpr const char* name = "softmax";
  static constexpr const char* summary = "cross-entropy of softmax(F), for three classes or more";
  static constexpr bool classes = true;
  static constexpr Link link = Link::softmax;

  /// maximum[r] over outputs, for one tile of rows.
  template <class T>
  ACCRETE_INLINE static void maxima(const LossRows<T>& rows, std::size_t from, std::size_t count, T* maximum) {
    const T* f = rows.scores + from;
    for (std::size_t r = 0; r < count; ++r) maximum[r] = f[r];
    for (std::size_t k = 1; k < rows.outputs; ++k)
      for (std::size_t r = 0; r < count; ++r) {
        const T x = f[k * rows.stride + r];
        maximum[r] = x > maximum[r] ? x : maximum[r];
      }
  }

  /// maximum[r] over outputs, and sum[r] of exp(F - maximum).
  template <class T>
  ACCRETE_INLINE static void shifted_sums(const LossRows<T>& rows, std::size_t from, std::size_t count, T* maximum,
                                          T* sum) {
    const T* f = rows.scores + from;
    maxima(rows, from, count, maximum);
    for (std::size_t r = 0; r < count; ++r) sum[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k)
      for (std::size_t r = 0; r < count; ++r) sum[r] += core::exp(f[k * rows.stride + r] - maximum[r]);
  }

  template <class T>
  ACCRETE_INLINE static void values(const LossRows<T>& rows, T* value) {
    T maximum[tile], sum[tile];
    for (std::size_t from = 0; from < rows.count; from += tile) {
      const std::size_t count = rows.count - from < tile ? rows.count - from : tile;
      shifted_sums(rows, from, count, maximum, sum);
      for (std::size_t r = 0; r < count; ++r) {
        const std::size_t label = static_cast<std::size_t>(rows.targets[from + r]);
        value[from + r] = maximum[r] + core::log(sum[r]) - rows.scores[label * rows.stride + from + r];
      }
    }
  }

  /// exp(F - maximum) in the layout of the scores, and its sum over outputs.
  template <class T>
  ACCRETE_INLINE static void exponentials(const LossRows<T>& rows, std::size_t from, std::size_t count, T* exponential,
                                          T* sum) {
    T maximum[tile];
    const T* f = rows.scores + from;
    maxima(rows, from, count, maximum);
    for (std::size_t r = 0; r < count; ++r) sum[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k)
      for (std::size_t r = 0; r < count; ++r) {
        const T e = core::exp(f[k * rows.stride + r] - maximum[r]);
        exponential[k * rows.stride + r] = e;
        sum[r] += e;
      }
  }

  template <class T>
  ACCRETE_INLINE static void derivatives(const LossRows<T>& rows, T* derivative) {
    T sum[tile];
    for (std::size_t from = 0; from < rows.count; from += tile) {
      const std::size_t count = rows.count - from < tile ? rows.count - from : tile;
      const T* y = rows.targets + from;
      T* d = derivative + from;
      exponentials(rows, from, count, d, sum);
      for (std::size_t r = 0; r < count; ++r) sum[r] = T(1) / sum[r];
      for (std::size_t k = 0; k < rows.outputs; ++k)
        for (std::size_t r = 0; r < count; ++r)
          d[k * rows.stride + r] = d[k * rows.stride + r] * sum[r] - (y[r] == T(k) ? T(1) : T(0));
    }
  }

  /// One exponential per score: `derivative` holds exp(F - maximum) until the sum is known.
  template <class T>
  ACCRETE_INLINE static void values_and_derivatives(const LossRows<T>& rows, T* value, T* derivative) {
    T maximum[tile], sum[tile];
    for (std::size_t from = 0; from < rows.count; from += tile) {
      const std::size_t count = rows.count - from < tile ? rows.count - from : tile;
      const T* f = rows.scores + from;
      const T* y = rows.targets + from;
      T* d = derivative + from;
      maxima(rows, from, count, maximum);
      for (std::size_t r = 0; r < count; ++r) sum[r] = T(0), value[from + r] = T(0);
      for (std::size_t k = 0; k < rows.outputs; ++k)
        for (std::size_t r = 0; r < count; ++r) {
          const T shifted = f[k * rows.stride + r] - maximum[r], e = core::exp(shifted);
          d[k * rows.stride + r] = e;
          sum[r] += e;
          value[from + r] -= y[r] == T(k) ? shifted : T(0);
        }
      for (std::size_t r = 0; r < count; ++r) {
        value[from + r] += core::log(sum[r]);
        sum[r] = T(1) / sum[r];
      }
      for (std::size_t k = 0; k < rows.outputs; ++k)
        for (std::size_t r = 0; r < count; ++r)
          d[k * rows.stride + r] = d[k * rows.stride + r] * sum[r] - (y[r] == T(k) ? T(1) : T(0));
    }
  }

  template <class T>
  ACCRETE_INLINE static void curvatures(const LossRows<T>& rows, T* curvature) {
    T sum[tile];
    for (std::size_t from = 0; from < rows.count; from += tile) {
      const std::size_t count = rows.count - from < tile ? rows.count - from : tile;
      T* c = curvature + from;
      exponentials(rows, from, count, c, sum);
      for (std::size_t k = 0; k < rows.outputs; ++k)
        for (std::size_t r = 0; r < count; ++r) {
          const T p = c[k * rows.stride + r] / sum[r];
          c[k * rows.stride + r] = p * (T(1) - p);
        }
    }
  }

  /// ln(prior) of one class, given its 0/1 indicator. The paper starts every class at 0.
  static double start(const WeightedTargets& indicator, const LossSettings&) {
    return std::log(std::max(weighted_mean(indicator), min_share));
  }

 private:
  static constexpr std::size_t tile = 64;  ///< rows processed together
};

}  // namespace accrete::loss

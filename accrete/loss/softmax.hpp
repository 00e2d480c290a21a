#pragma once
#include <algorithm>
#include <cmath>

#include "accrete/core/math.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// K classes, one target per row: the class index. Cross-entropy of softmax(F).
struct Softmax : Separable<Softmax> {
  static constexpr const char* name = "softmax";
  static constexpr const char* summary = "cross-entropy of softmax(F), for three classes or more";
  static constexpr bool classes = true;
  static constexpr Link link = Link::softmax;

  /// maximum[r] over outputs, one run of rows at a time.
  template <class T>
  ACCRETE_INLINE static void maxima(const Run<T>& rows, std::size_t from, std::size_t count, T* maximum) {
    const T* f = rows.scores + from;
    for (std::size_t r = 0; r < count; ++r) maximum[r] = f[r];
    for (std::size_t k = 1; k < rows.outputs; ++k)
      for (std::size_t r = 0; r < count; ++r) {
        const T x = f[k * rows.stride + r];
        maximum[r] = x > maximum[r] ? x : maximum[r];
      }
  }

  /// And the sum of exp(F - maximum).
  template <class T>
  ACCRETE_INLINE static void shifted_sums(const Run<T>& rows, std::size_t from, std::size_t count, T* maximum, T* sum) {
    const T* f = rows.scores + from;
    maxima(rows, from, count, maximum);
    for (std::size_t r = 0; r < count; ++r) sum[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k)
      for (std::size_t r = 0; r < count; ++r) sum[r] += core::exp(f[k * rows.stride + r] - maximum[r]);
  }

  template <class T>
  ACCRETE_INLINE static void values(const Run<T>& rows, T* value) {
    T maximum[run], sum[run];
    for (std::size_t from = 0; from < rows.count; from += run) {
      const std::size_t count = rows.count - from < run ? rows.count - from : run;
      shifted_sums(rows, from, count, maximum, sum);
      for (std::size_t r = 0; r < count; ++r) {
        const std::size_t label = static_cast<std::size_t>(rows.targets[from + r]);
        value[from + r] = maximum[r] + core::log(sum[r]) - rows.scores[label * rows.stride + from + r];
      }
    }
  }

  /// exp(F - maximum) in the order of the scores, and their sum: one exponential per score.
  template <class T>
  ACCRETE_INLINE static void exponentials(const Run<T>& rows, std::size_t from, std::size_t count, T* exponential,
                                          T* sum) {
    T maximum[run];
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
  ACCRETE_INLINE static void derivatives(const Run<T>& rows, T* derivative) {
    T sum[run];
    for (std::size_t from = 0; from < rows.count; from += run) {
      const std::size_t count = rows.count - from < run ? rows.count - from : run;
      const T* y = rows.targets + from;
      T* d = derivative + from;
      exponentials(rows, from, count, d, sum);
      for (std::size_t r = 0; r < count; ++r) sum[r] = T(1) / sum[r];
      for (std::size_t k = 0; k < rows.outputs; ++k)
        for (std::size_t r = 0; r < count; ++r)
          d[k * rows.stride + r] = d[k * rows.stride + r] * sum[r] - (y[r] == T(k) ? T(1) : T(0));
    }
  }

  /// One exponential per score: the derivative's place holds exp(F - maximum) until its sum is known.
  template <class T>
  ACCRETE_INLINE static void values_and_derivatives(const Run<T>& rows, T* value, T* derivative) {
    T maximum[run], sum[run];
    for (std::size_t from = 0; from < rows.count; from += run) {
      const std::size_t count = rows.count - from < run ? rows.count - from : run;
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
  ACCRETE_INLINE static void curvatures(const Run<T>& rows, T* curvature) {
    T sum[run];
    for (std::size_t from = 0; from < rows.count; from += run) {
      const std::size_t count = rows.count - from < run ? rows.count - from : run;
      T* c = curvature + from;
      exponentials(rows, from, count, c, sum);
      for (std::size_t k = 0; k < rows.outputs; ++k)
        for (std::size_t r = 0; r < count; ++r) {
          const T p = c[k * rows.stride + r] / sum[r];
          c[k * rows.stride + r] = p * (T(1) - p);
        }
    }
  }

  /// ln(prior) of one class, from the 0/1 indicator of that class. The paper starts from 0 for each class.
  static double start(const Sample& indicator, const Settings&) {
    return std::log(std::max(weighted_mean(indicator), least_share));
  }

 private:
  /// Rows handled at once, so that maxima and sums live on the stack.
  static constexpr std::size_t run = 64;
};

}  // namespace accrete::loss

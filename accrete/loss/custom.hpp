#pragma once
// A custom loss: the calling program passes a type with the one-row formulas of LossFormula, or a function of all rows
// at once (CustomLoss), without changing this library:
//
//   struct Cauchy {
//     double value(double y, double f) const { return std::log1p((y - f) * (y - f)); }
//     double derivative(double y, double f) const { return 2 * (f - y) / (1 + (y - f) * (y - f)); }
//     // An upper bound is enough.
//     double curvature(double y, double f) const { return 2 / (1 + (y - f) * (y - f)); }
//   };
//   boosting::FitOptions options{.config = {.loss = "custom"}, .custom_loss = loss::make_custom(Cauchy{})};

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/loss/squared.hpp"

namespace accrete::loss {

/// The list entry for custom losses. A fit never uses these formulas: backend/custom_loss_rows.hpp calls those of the
/// program. The model predicts the score.
struct Custom : Squared {
  static constexpr const char* name = "custom";
  static constexpr const char* summary = "a function that a Python or C++ program passes; predicts the score";
  static constexpr bool scales = false;
  static constexpr bool unit_step = false;
  static double in_target_units(double value, double) { return value; }
};

/// Rows to evaluate. derivatives and curvatures are with respect to the scores; for several outputs, curvatures are the
/// diagonal of the second derivative. A curvature may exceed the true one, which shortens steps, but should not be
/// negative.
struct CustomLossRows {
  core::MatrixView<const double> targets;  ///< rows x targets, in the target's units
  core::MatrixView<const double> scores;   ///< rows x outputs
  std::span<double> values;                ///< one per row
  core::MatrixView<double> derivatives;    ///< rows x outputs
  core::MatrixView<double> curvatures;     ///< rows x outputs
};

class CustomLoss {
 public:
  virtual ~CustomLoss() = default;
  /// Called with all rows of a set once per step or, with the objective `direct`, once per evaluation; possibly on
  /// several threads at a time. The caller applies row weights.
  virtual void evaluate(const CustomLossRows& rows) const = 0;
};

/// One-row formulas of a single score. make_custom accepts any type that satisfies this concept.
template <class T>
concept LossFormula = requires(const T& loss, double y, double f) {
  { loss.value(y, f) } -> std::convertible_to<double>;
  { loss.derivative(y, f) } -> std::convertible_to<double>;
  { loss.curvature(y, f) } -> std::convertible_to<double>;
};

/// Applies the formulas to every row and to every output with its target.
template <LossFormula Formula>
std::shared_ptr<const CustomLoss> make_custom(Formula formula) {
  struct Loss final : CustomLoss {
    explicit Loss(Formula f) : formula(std::move(f)) {}
    void evaluate(const CustomLossRows& rows) const override {
      for (std::size_t r = 0; r < rows.scores.rows; ++r) {
        rows.values[r] = 0.0;
        for (std::size_t k = 0; k < rows.scores.cols; ++k) {
          const double y = rows.targets(r, k), f = rows.scores(r, k);
          rows.values[r] += formula.value(y, f);
          rows.derivatives(r, k) = formula.derivative(y, f);
          rows.curvatures(r, k) = formula.curvature(y, f);
        }
      }
    }
    Formula formula;
  };
  return std::make_shared<Loss>(std::move(formula));
}

/// A loss and its arrays, reused for repeated evaluations on the same rows.
class CustomLossValues {
 public:
  /// Keeps references to all arguments except the sizes.
  CustomLossValues(const CustomLoss& loss, core::MatrixView<const double> targets, std::span<const double> weights,
                   std::size_t outputs);

  /// Throws DataError that names the row if a value, derivative or curvature is not finite.
  void evaluate(core::MatrixView<const double> scores);
  /// The same at a solver's trial point; returns false instead if a number is not finite.
  bool try_evaluate(core::MatrixView<const double> scores);
  /// Weighted mean of the values of the listed rows; empty: all rows.
  double mean(std::span<const std::size_t> rows = {}) const;

  const core::Matrix<double>& derivatives() const { return derivatives_; }
  const core::Matrix<double>& curvatures() const { return curvatures_; }

 private:
  const CustomLoss& loss_;
  core::MatrixView<const double> targets_;
  std::span<const double> weights_;
  std::vector<double> values_;
  core::Matrix<double> derivatives_, curvatures_;
};

/// The constant score per output that minimises the weighted mean, by Newton steps from 0. offsets: added to the first
/// output's score of each row; empty: none.
std::vector<double> custom_start(const CustomLoss& loss, core::MatrixView<const double> targets,
                                 std::span<const double> weights, std::size_t outputs,
                                 std::span<const double> offsets = {});

/// Compares the derivatives with central differences of the values, at scores around the targets' mean. Throws
/// DataError that names the first row and output at which they differ by more than `tolerance`, relative to the largest
/// derivative. Does not compare curvatures, which may be upper bounds.
void check_derivatives(const CustomLoss& loss, core::MatrixView<const double> targets, std::size_t outputs,
                       double tolerance = 1e-3);

}  // namespace accrete::loss

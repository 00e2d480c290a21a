#include "accrete/io/c_source/early_exit.hpp"

#include <fmt/format.h>

#include <vector>

namespace accrete::io {
namespace {

constexpr const char* margin_two = R"(
static inline float @_margin_(const float* scores) {
  return fabsf(scores[0]);
}
)";

constexpr const char* margin_several = R"(
static inline float @_margin_(const float* scores) {
  float first = scores[0] > scores[1] ? scores[0] : scores[1], second = scores[0] > scores[1] ? scores[1] : scores[0];
  for (int k = 2; k < @_SCORES_; ++k) {
    if (scores[k] > first) {
      second = first;
      first = scores[k];
    } else if (scores[k] > second) {
      second = scores[k];
    }
  }
  return first - second;
}
)";

constexpr const char* movement = R"(
// The largest change of a prediction, in tolerances.
static inline float @_movement_(const float* from, const float* to) {
  float largest = 0.0f;
  for (int k = 0; k < @_OUTPUTS; ++k) {
    const float moved = fabsf(to[k] - from[k]) / @_tolerances_[k];
    largest = moved > largest ? moved : largest;
  }
  return largest;
}
)";

constexpr const char* stop_classes = R"(    if (@_margin_(now) >= @_exit_thresholds_[next++]) {
      memcpy(out, now, sizeof now);
      @_link_(out);
      if (units != NULL) *units = used;
      return @_OK;
    }
  }
)";

constexpr const char* stop_values = R"(    @_link_(now);
    if (next > 0 && @_movement_(before, now) <= @_exit_thresholds_[next]) {
      memcpy(out, now, sizeof now);
      if (units != NULL) *units = used;
      return @_OK;
    }
    memcpy(before, now, sizeof now);
    ++next;
  }
)";

std::string predict_exit(const CVariant& variant, const model::EarlyExit& early_exit) {
  const bool values = !early_exit.tolerances.empty();
  const char* sums = variant.monotone ? "sums" : "out";
  std::string text = fmt::format(
      R"(
// As @_predict with all units, but a row stops at the first exit, a prefix of the units, at which its prediction is
// settled. With {:.6g} % confidence, at most {:.6g} % of all rows get {}.
// units, if it is not NULL, receives the number of units that were used.
static inline int @_predict_exit(const float* x, float* out, int* units) {{
  float features[@_FEATURES_ > 0 ? @_FEATURES_ : 1], now[@_SCORES_]{}{};
{}  const float* weight = @_weights_;
  const float* const last = @_bias_ + @_STEPS_ * @_SCORES_;
  int used = 0, next = 0;
)",
      100.0 * early_exit.confidence, 100.0 * early_exit.disagreement,
      values ? "a prediction that is not within the tolerance of that of all units"
             : "another most probable class than from all units",
      values ? ", before[@_SCORES_]" : "", variant.monotone ? "" : ", lost[@_SCORES_]",
      variant.monotone ? "  double sums[@_SCORES_];\n" : "");
  if (variant.sparse) text += fmt::format("  const {}* listed = @_listed_;\n", variant.index);
  text += R"(  if (x == NULL || out == NULL) return @_ERROR_NULL;
  const int error = @_encode_(x, features);
  if (error != @_OK) return error;
)";
  if (values) text += "  memset(before, 0, sizeof before);\n";
  text += fmt::format("  for (int k = 0; k < @_SCORES_; ++k) {{\n    {}[k] = last[k];\n{}  }}\n", sums,
                      variant.monotone ? "" : "    lost[k] = 0.0f;\n");
  text += "  for (int step = 0; step < @_STEPS_; ++step) {\n" + c_step_body(variant);
  text += fmt::format(R"(    used += (int)@_step_units_[step];
    if (next == @_EXITS_ || step + 1 != (int)@_exit_steps_[next]) continue;
    for (int k = 0; k < @_SCORES_; ++k)
      now[k] = {}(@_bias_[(step + 1) * @_SCORES_ + k] - last[k]){};
)",
                      variant.monotone ? "(float)(sums[k] + (double)" : "out[k] + ", variant.monotone ? ")" : "");
  text += values ? stop_values : stop_classes;
  if (variant.monotone) text += "  for (int k = 0; k < @_SCORES_; ++k) out[k] = (float)sums[k];\n";
  return text + "  @_link_(out);\n  if (units != NULL) *units = used;\n  return @_OK;\n}\n";
}

}  // namespace

void add_exit_tables(const model::EarlyExit& early_exit, CTables& tables) {
  std::vector<std::size_t> steps;
  std::vector<float> thresholds, tolerances;
  for (const model::Exit& exit : early_exit.exits) {
    steps.push_back(exit.steps);
    thresholds.push_back(static_cast<float>(exit.threshold));
  }
  for (const double value : early_exit.tolerances) tolerances.push_back(static_cast<float>(value));
  const bool values = !tolerances.empty();
  tables.comment(values ? "Early exit: steps of each exit, and by how many tolerances a row that stops there has moved."
                        : "Early exit: steps of each exit, and the margin of a row that stops there.");
  tables.add("@_exit_steps_", steps);
  tables.add("@_exit_thresholds_", thresholds);
  if (values) tables.add("@_tolerances_", tolerances);
}

std::string c_exit_functions(const CVariant& variant, const model::EarlyExit& early_exit) {
  const std::string link = c_link_body(variant);
  std::string text =
      early_exit.tolerances.empty() ? (variant.link == loss::Link::sigmoid ? margin_two : margin_several) : movement;
  text += "\nstatic inline void @_link_(float* out) {\n" + (link.empty() ? "  (void)out;\n" : link) + "}\n";
  return text + predict_exit(variant, early_exit);
}

}  // namespace accrete::io

#include "accrete/io/c_source/functions.hpp"

#include <regex>

namespace accrete::io {
namespace {

constexpr const char* magnitude = R"(
// The bits of |x|: 0x7f800000 for infinity, larger for NaN. -ffast-math breaks isinf and isnan.
static inline uint32_t @_magnitude_(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits & 0x7fffffffu;
}
)";

// The mean is a pair of floats to preserve the precision of numbers near a large mean.
constexpr const char* standardise = R"(
static inline float @_standardise_(float x, const float* by) {
  const volatile float rough = x - by[0];  // volatile: -ffast-math would add the two floats first
  return (rough - by[1]) / by[2];
}
)";

constexpr const char* standardise_wide = R"(
static inline float @_standardise_(float x, const double* by) {
  return (float)(((double)x - by[0]) * by[1]);
}
)";

// Clamps before multiplying, so that no product overflows.
constexpr const char* bin = R"(
// The feature of a bin: x clamped to the bin, times the slope, plus the value below the bin.
static inline float @_bin_(float x, const %* by) {
  const % way = %x - by[0], inside = way < 0 ? 0 : way > by[1] ? by[1] : way;
  return %;
}
)";

constexpr const char* encode_plain = R"(
static inline int @_encode_(const float* x, float* features) {
  for (int i = 0; i < @_INPUTS; ++i) {
    const uint32_t magnitude = @_magnitude_(x[i]);
    if (magnitude == 0x7f800000u) return @_ERROR_INFINITE;
    features[i] = magnitude > 0x7f800000u ? 0.0f : @_standardise_(x[i], @_standard_ + % * i);
  }
  return @_OK;
}
)";

constexpr const char* encode_mixed = R"(
// A number is one feature and a category one per level, followed by a gap flag if the training rows had missing values.
%static inline int @_encode_(const float* x, float* features) {
  for (int f = 0; f < @_FEATURES_; ++f) features[f] = 0.0f;
  for (int i = 0; i < @_INPUTS; ++i) {
    const int values = (int)@_values_[i], missing = (int)(@_first_[i + 1] - @_first_[i]) > values;
    float* const first = features + @_first_[i];
    const uint32_t magnitude = @_magnitude_(x[i]);
    if (magnitude == 0x7f800000u) return @_ERROR_INFINITE;
    if (magnitude > 0x7f800000u) {
      if (missing) first[values] = 1.0f;
    } else if (@_standard_[% * i + % - 1] > 0) {
      first[0] = @_standardise_(x[i], @_standard_ + % * i);
%    } else if (x[i] >= 0.0f && x[i] < (float)values && x[i] == (float)(int)x[i]) {
      first[(int)x[i]] = 1.0f;
    }
  }
  return @_OK;
}
)";

constexpr const char* encode_bins =
    "      for (int j = 1; j < values; ++j) first[j] = @_bin_(x[i], @_bins_ + 4 * ((int)@_first_bin_[i] + j - 1));\n";

constexpr const char* steps = R"(
// Number of complete steps with at most this many units, or an error.
static inline int @_steps_(int units) {
  int step = 0, sum = 0;
  if (units < 0) return @_ERROR_NEGATIVE_UNITS;
  if (units > @_MOST_UNITS_) return @_ERROR_TOO_MANY_UNITS;
  if (units == 0) return @_STEPS_;
  for (; step < @_STEPS_; ++step) {
    sum += (int)@_step_units_[step];
    if (sum > units) break;
  }
  return step > 0 ? step : @_ERROR_TOO_FEW_UNITS;
}
)";

constexpr const char* activate = R"(
static inline % @_activate_(% z) {
  %
}
)";

constexpr const char* add = R"(
// Compensated (Kahan) summation, for networks of thousands of units.
static inline void @_add_(float term, float* sum, float* lost) {
  const float mended = term - *lost, total = *sum + mended;
  *lost = (total - *sum) - mended;
  *sum = total;
}
)";

constexpr const char* predict_head = R"(
// x: one value per input. NAN is a missing value; a category is the index of its level, and any other value a level not
// seen in training. units: how many units to use, rounded down to a complete step; 0 uses all. Writes @_OUTPUTS values to
// out and returns @_OK, or returns an error and leaves out unchanged.
static inline int @_predict(const float* x, int units, float* out) {
  float features[@_FEATURES_ > 0 ? @_FEATURES_ : 1]%[@_SCORES_];
  const float* weight = @_weights_;
)";

constexpr const char* predict_listed = "  const % listed = @_listed_;\n";

constexpr const char* predict_middle = R"(  if (x == NULL || out == NULL) return @_ERROR_NULL;
  const int steps = @_steps_(units);
  if (steps < 0) return steps;
  const int error = @_encode_(x, features);
  if (error != @_OK) return error;
  for (int k = 0; k < @_SCORES_; ++k) {
    %[k] = @_bias_[steps * @_SCORES_ + k];%
  }
  for (int step = 0; step < steps; ++step) {
)";

constexpr const char* predict_unit = R"(    for (int unit = 0; unit < (int)@_step_units_[step]; ++unit) {
      float z = *weight++;
      for (int f = 0; f < %; ++f) z += *weight++ * features[%];
      const float activation = %@_activate_(z);
      for (int k = 0; k < @_SCORES_; ++k) %;
    }
)";

constexpr const char* predict_next_list = "    listed += @_step_width_[step];\n";

/// Replaces each % in `text` by the next value; the last value is repeated as needed.
std::string fill_template(std::string text, std::initializer_list<std::string> values) {
  const auto* value = values.begin();
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at)) {
    text.replace(at, 1, *value);
    at += value->size();
    if (value + 1 != values.end()) ++value;
  }
  return text;
}

/// The same statements in double. Neighbouring floats differ by far more than double's rounding errors, so results
/// rounded to float keep their order.
std::string in_double(std::string text) {
  text = std::regex_replace(text, std::regex("\\bfloat\\b"), "double");
  text = std::regex_replace(text, std::regex("\\b(exp|fabs|tanh)f\\("), "$1(");
  return std::regex_replace(text, std::regex("([0-9]\\.[0-9]+)f\\b"), "$1");
}

/// Turns the scores in `out` into predictions without overflow; see model/link.cpp.
const char* link_text(loss::Link link) {
  switch (link) {
    case loss::Link::identity:
      return "";
    case loss::Link::sigmoid:
      return R"(  const float score = out[0], e = expf(-fabsf(score)), more = 1.0f / (1.0f + e), less = e * more;
  out[0] = score < 0.0f ? more : less;
  out[1] = score < 0.0f ? less : more;
)";
    case loss::Link::softmax:
      return R"(  float highest = out[0], sum = 0.0f;
  for (int k = 1; k < @_SCORES_; ++k) highest = out[k] > highest ? out[k] : highest;
  for (int k = 0; k < @_SCORES_; ++k) sum += out[k] = expf(out[k] - highest);
  for (int k = 0; k < @_SCORES_; ++k) out[k] /= sum;
)";
    case loss::Link::probability:
      return R"(  for (int k = 0; k < @_SCORES_; ++k) {
    const float e = expf(-fabsf(out[k]));
    out[k] = (out[k] < 0.0f ? e : 1.0f) / (1.0f + e);
  }
)";
    case loss::Link::exponential:
      return R"(  for (int k = 0; k < @_SCORES_; ++k) out[k] = out[k] < 88.72f ? expf(out[k]) : FLT_MAX;
)";
  }
  return "";
}

constexpr const char* sort_outputs = R"(  for (int k = 1; k < @_SCORES_; ++k) {
    const float value = out[k];
    int place = k;
    for (; place > 0 && out[place - 1] > value; --place) out[place] = out[place - 1];
    out[place] = value;
  }
)";

}  // namespace

std::string c_functions(const CVariant& variant) {
  std::string text = magnitude;
  text += variant.wide ? standardise_wide : standardise;
  if (variant.bins)
    text += variant.wide ? fill_template(bin, {"double", "double", "(double)", "(float)(inside * by[2] + by[3])"})
                         : fill_template(bin, {"float", "float", "", "inside * by[2] + by[3]"});
  const std::string wide = variant.wide ? "2" : "3";
  text += variant.plain
              ? fill_template(encode_plain, {wide})
              : fill_template(encode_mixed,
                              {variant.bins ? "// The features of a number's bins follow the number itself.\n" : "",
                               wide, wide, wide, variant.bins ? encode_bins : ""});
  const bool monotone = variant.monotone;
  text += steps;
  text += monotone ? fill_template(activate, {"double", "double", in_double(variant.activation)})
                   : fill_template(activate, {"float", "float", variant.activation}) + add;
  text += fill_template(predict_head, {monotone ? ";\n  double sums" : ", lost"});
  if (variant.sparse) text += fill_template(predict_listed, {variant.index + "*"});
  text += fill_template(predict_middle, {monotone ? "sums" : "out", monotone ? "" : "\n    lost[k] = 0.0f;"});
  text += c_step_body(variant) + "  }\n";
  if (monotone) text += "  for (int k = 0; k < @_SCORES_; ++k) out[k] = (float)sums[k];\n";
  return text + c_link_body(variant) + "  return @_OK;\n}\n";
}

std::string c_step_body(const CVariant& variant) {
  std::string text =
      fill_template(predict_unit, {variant.sparse ? "(int)@_step_width_[step]" : "@_FEATURES_",
                                   variant.sparse ? "listed[f]" : "f", variant.monotone ? "(float)" : "",
                                   variant.monotone ? "sums[k] += (double)(*weight++) * activation"
                                                    : "@_add_(*weight++ * activation, &out[k], &lost[k])"});
  if (variant.sparse) text += predict_next_list;
  return text;
}

std::string c_link_body(const CVariant& variant) {
  const std::string link = link_text(variant.link);
  return (variant.monotone ? in_double(link) : link) + (variant.sorted ? sort_outputs : "");
}

}  // namespace accrete::io

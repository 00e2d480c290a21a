// Predicts row by row, so that the prediction of a row is bit-identical whatever other rows the call has.

#include <cstddef>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "accrete/c/guard.hpp"
#include "accrete/c/handle.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "accrete/model/overflow.hpp"

namespace accrete::c {
namespace {

struct PredictRows {
  const float* x;
  std::size_t rows;
  double* out;
};

void check(const accrete_model* handle, const PredictRows& batch) {
  require(handle, "accrete_predict", "model");
  if (batch.rows == 0) return;
  require(batch.x, "accrete_predict", "x");
  require(batch.out, "accrete_predict", "out");
  // Such as a negative count passed from another language.
  if (batch.rows > std::numeric_limits<std::size_t>::max() / 2 / sizeof(double) / accrete_outputs(handle))
    throw core::UsageError(fmt::format("accrete_predict: {} rows exceed the memory", batch.rows));
}

void predict(const accrete_model& handle, const PredictRows& batch, std::size_t units) {
  const std::size_t steps = handle.model.steps_for(units);
  const std::size_t inputs = accrete_inputs(&handle), outputs = accrete_outputs(&handle);
  std::size_t r = 0;
  try {
    handle.workspace.use([&](std::span<float> features) {
      for (; r < batch.rows; ++r)
        model::predict_row(handle.model, {batch.x + r * inputs, inputs}, steps, features,
                           {batch.out + r * outputs, outputs});
    });
  } catch (const core::DataError& error) {
    throw core::DataError(core::message("{}, {}", core::row(r), error.message()));
  }
  model::refuse_overflow({batch.out, batch.rows, outputs}, "x");
}

}  // namespace
}  // namespace accrete::c

accrete_status accrete_predict(const accrete_model* model, const float* x, size_t rows, size_t units, double* out,
                               char* error, size_t error_size) noexcept {
  return accrete::c::guarded({error, error_size}, [&] {
    const accrete::c::PredictRows batch{x, rows, out};
    check(model, batch);
    predict(*model, batch, units);
  });
}

const char* accrete_label(const accrete_model* model, const double* prediction) noexcept {
  if (!model || !prediction || model->model.classes.empty()) return nullptr;
  return accrete_class_name(model, accrete::model::best_class({prediction, accrete_outputs(model)}));
}

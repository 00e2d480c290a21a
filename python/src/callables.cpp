#include "callables.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>
#include <utility>

#include "accrete/core/error.hpp"
#include "bindings.hpp"
#include "matrix.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

using Array = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// A Python function that any thread may release.
class Function {
 public:
  explicit Function(nb::callable function) : function_(std::move(function)) {}
  Function(const Function& other) {
    const nb::gil_scoped_acquire hold;
    function_ = other.function_;
  }
  ~Function() {
    const nb::gil_scoped_acquire hold;
    function_.reset();
  }
  Function& operator=(const Function&) = delete;

  const nb::callable& get() const { return function_; }

 private:
  nb::callable function_;
};

/// One column becomes a vector, several a matrix.
nb::object to_array(core::MatrixView<const double> values) {
  const std::span<const double> flat = values.flat();
  return values.cols == 1 ? nb::cast(copied(flat)) : nb::cast(copied(flat, values.cols));
}

/// Copies the return value, an array or anything that converts to one, into `to`. A single number applies to all rows.
void read_array(nb::handle from, const char* what, std::size_t rows, std::span<double> to) {
  const nb::object numpy = nb::module_::import_("numpy");
  const auto refuse = [&] {
    throw core::UsageError(std::string("the loss function must return a ") + what + " of numbers; it returned " +
                           nb::str(from.type().attr("__name__")).c_str());
  };
  if (from.is_none()) refuse();  // NumPy would convert it to NaN
  nb::object array;
  try {
    array = numpy.attr("ascontiguousarray")(from, numpy.attr("float64"));
  } catch (const nb::python_error&) {
    refuse();
  }
  const Array values = nb::cast<Array>(array);
  if (values.size() == 1) {
    std::ranges::fill(to, values.data()[0]);
    return;
  }
  if (values.size() != to.size() || values.shape(0) != rows)
    throw core::UsageError(std::string("the loss function must return a ") + what + " of " + std::to_string(to.size()) +
                           " numbers, one per row and output; it returned " + std::to_string(values.size()));
  std::copy_n(values.data(), to.size(), to.begin());
}

class PythonLoss final : public loss::CustomLoss {
 public:
  explicit PythonLoss(nb::callable function) : function_(std::move(function)) {}

  void evaluate(const loss::CustomLossRows& rows) const override {
    const nb::gil_scoped_acquire hold;
    const nb::object result = function_.get()(to_array(rows.targets), to_array(rows.scores));
    if (!nb::isinstance<nb::sequence>(result) || nb::len(result) != 3)
      throw core::UsageError("the loss function must return (value, gradient, curvature)");
    read_array(result[0], "value", rows.scores.rows, rows.values);
    read_array(result[1], "gradient", rows.scores.rows, rows.derivatives.flat());
    read_array(result[2], "curvature", rows.scores.rows, rows.curvatures.flat());
  }

 private:
  Function function_;
};

}  // namespace

std::shared_ptr<const loss::CustomLoss> make_loss(nb::callable function) {
  return std::make_shared<PythonLoss>(std::move(function));
}

boosting::CustomMetric make_metric(nb::callable function) {
  return [function = Function(std::move(function))](core::MatrixView<const double> predictions,
                                                    core::MatrixView<const double> targets,
                                                    std::span<const double> weights) {
    const nb::gil_scoped_acquire hold;
    return nb::cast<double>(function.get()(to_array(targets), to_array(predictions), copied(weights)));
  };
}

void bind_callables(nb::module_& m) {
  m.def(
      "check_loss",
      [](nb::callable function, nb::ndarray<const double, nb::c_contig, nb::ndim<2>, nb::device::cpu> targets,
         std::size_t outputs) {
        const core::MatrixView<const double> rows{targets.data(), targets.shape(0), targets.shape(1)};
        loss::check_derivatives(*make_loss(std::move(function)), rows, outputs);
      },
      nb::arg("function"), nb::arg("targets"), nb::arg("outputs"));
}

}  // namespace accrete::python

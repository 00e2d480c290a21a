// Columns of Python objects: strings and mixed types of pandas and NumPy.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "column_reading.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

/// The cells of a list. Cells other than str, float, int, bool and None are passed to `convert`, which returns None for
/// a missing value, text, (number, text) or NotImplemented.
class ObjectCells {
 public:
  ObjectCells(nb::list cells, nb::callable convert, std::string name)
      : cells_(std::move(cells)), convert_(std::move(convert)), name_(std::move(name)) {}

  std::size_t rows() const { return cells_.size(); }
  std::optional<TextCell> numbers(float* into) { return fill_numbers(*this, rows(), into); }
  void codes(Levels& levels, std::int32_t* into) { fill_codes(*this, rows(), levels, into); }

  /// Reads the cell; number() and text() return what was read last.
  bool missing(std::size_t row) {
    cell_ = cells_[row];
    number_.reset();
    PyObject* const cell = cell_.ptr();
    if (cell_.is_none()) return true;
    if (PyUnicode_Check(cell)) {
      text_ = view_of(cell);
      return text_.empty();
    }
    if (PyFloat_Check(cell)) {
      number_ = PyFloat_AsDouble(cell);
      return std::isnan(*number_);
    }
    if (PyBool_Check(cell) || PyLong_CheckExact(cell)) {
      number_ = integer(cell);
      return false;
    }
    return convert_cell(row);
  }

  std::optional<double> number(std::size_t) const { return number_ ? number_ : data::parse_number(text_); }

  std::string_view text(std::size_t) {
    if (PyFloat_Check(cell_.ptr()))
      text_ = buffer_ = format_number(*number_);
    else if (PyBool_Check(cell_.ptr()) || PyLong_CheckExact(cell_.ptr()))
      text_ = buffer_ = nb::str(cell_).c_str();
    return text_;
  }

 private:
  static std::string_view view_of(PyObject* text) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (!bytes) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
  }

  static double integer(PyObject* value) {
    const double number = PyLong_AsDouble(value);
    if (number != -1.0 || !PyErr_Occurred()) return number;
    PyErr_Clear();  // too large for a double; infinities are reported later with their location
    return std::numeric_limits<double>::infinity();
  }

  bool convert_cell(std::size_t row) {
    converted_ = convert_(cell_);
    if (converted_.is_none()) return true;
    if (converted_.is(nb::handle(Py_NotImplemented)))
      throw nb::type_error(fmt::format("{}: argument must be a string or a number, not '{}'", cell_location(name_, row),
                                       nb::cast<std::string>(cell_.type().attr("__name__")))
                               .c_str());
    nb::handle spelling = converted_;
    if (PyTuple_Check(converted_.ptr())) {
      number_ = nb::cast<double>(converted_[0]);
      spelling = PyTuple_GetItem(converted_.ptr(), 1);
    }
    text_ = view_of(spelling.ptr());
    return text_.empty();
  }

  nb::list cells_;
  nb::callable convert_;
  std::string name_;
  nb::object cell_, converted_;  // keep the memory alive that text_ refers to
  std::optional<double> number_;
  std::string_view text_;
  std::string buffer_;
};

void add_objects(data::Table& table, const std::string& name, nb::list cells, std::string_view kind,
                 nb::callable convert) {
  check_rows(table, name, cells.size());
  table.columns.push_back(
      read_column(ObjectCells(std::move(cells), std::move(convert), name), name, column_kind_named(kind)));
}

}  // namespace

void bind_objects(nb::class_<data::Table>& c) {
  c.def("add_objects", &add_objects, nb::arg("name"), nb::arg("cells"), nb::arg("kind"), nb::arg("convert"),
        "Numbers where every cell is one or spells one, text otherwise; kind is '', 'numeric' or 'text'.");
}

}  // namespace accrete::python

// A column of Python objects, as pandas and NumPy hold strings and mixtures.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "column_reading.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

/// The cells of a list. What is no text, float, integer, bool or None is put to `unusual`, which answers None for a
/// gap, a text, (number, text), or NotImplemented.
class ObjectCells {
 public:
  ObjectCells(nb::list cells, nb::callable unusual, std::string name)
      : cells_(std::move(cells)), unusual_(std::move(unusual)), name_(std::move(name)) {}

  std::size_t rows() const { return cells_.size(); }
  std::optional<NoNumber> numbers(float* into) { return fill_numbers(*this, rows(), into); }
  void codes(Levels& levels, std::int32_t* into) { fill_codes(*this, rows(), levels, into); }

  /// Also reads the cell for the two below: each is asked for right after.
  bool gap(std::size_t row) {
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
    return unusual_gap(row);
  }

  std::optional<double> number(std::size_t) const { return number_ ? number_ : data::parse_number(text_); }

  std::string_view text(std::size_t) {
    if (PyFloat_Check(cell_.ptr()))
      text_ = spelling_ = spelt(*number_);
    else if (PyBool_Check(cell_.ptr()) || PyLong_CheckExact(cell_.ptr()))
      text_ = spelling_ = nb::str(cell_).c_str();
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
    PyErr_Clear();  // too large for a double; as an infinity it is refused with its place
    return std::numeric_limits<double>::infinity();
  }

  bool unusual_gap(std::size_t row) {
    answer_ = unusual_(cell_);
    if (answer_.is_none()) return true;
    if (answer_.is(nb::handle(Py_NotImplemented)))
      throw nb::type_error(fmt::format("{}: argument must be a string or a number, not '{}'", place_of(name_, row),
                                       nb::cast<std::string>(cell_.type().attr("__name__")))
                               .c_str());
    nb::handle spelling = answer_;
    if (PyTuple_Check(answer_.ptr())) {
      number_ = nb::cast<double>(answer_[0]);
      spelling = PyTuple_GetItem(answer_.ptr(), 1);
    }
    text_ = view_of(spelling.ptr());
    return text_.empty();
  }

  nb::list cells_;
  nb::callable unusual_;
  std::string name_;
  nb::object cell_, answer_;  // the cell last read, kept since text_ may lie inside
  std::optional<double> number_;
  std::string_view text_;
  std::string spelling_;
};

void add_objects(data::Table& table, const std::string& name, nb::list cells, std::string_view kind,
                 nb::callable unusual) {
  check_rows(table, name, cells.size());
  table.columns.push_back(
      read_column(ObjectCells(std::move(cells), std::move(unusual), name), name, wanted_named(kind)));
}

}  // namespace

void bind_objects(nb::class_<data::Table>& c) {
  c.def("add_objects", &add_objects, nb::arg("name"), nb::arg("cells"), nb::arg("kind"), nb::arg("unusual"),
        "Numbers where every cell is one or spells one, text otherwise; kind is '', 'numeric' or 'text'.");
}

}  // namespace accrete::python

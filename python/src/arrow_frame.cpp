#include "arrow_frame.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "arrow_cells.hpp"
#include "message.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

/// A column without a dictionary, as a list of chunks.
struct PlainColumn {
  ArrowFormat format;
  std::vector<ArrowSlice> slices;
  std::size_t row_count;

  std::size_t rows() const { return row_count; }

  std::optional<TextCell> numbers(float* into) const {
    std::size_t first = 0;
    for (const ArrowSlice& slice : slices) {
      auto text =
          with_cells(format, slice, [&](auto&& cells) { return fill_numbers(cells, slice.length, into + first); });
      if (text) return TextCell{first + text->row, std::move(text->text)};
      first += slice.length;
    }
    return std::nullopt;
  }

  void codes(Levels& levels, std::int32_t* into) const {
    for (const ArrowSlice& slice : slices) {
      with_cells(format, slice, [&](auto&& cells) { fill_codes(cells, slice.length, levels, into); });
      into += slice.length;
    }
  }
};

/// A dictionary-encoded column. Each chunk has its own dictionary.
struct DictionaryColumn {
  ArrowFormat indices;
  ArrowFormat values;
  std::vector<ArrowSlice> slices;
  std::size_t row_count;

  std::size_t rows() const { return row_count; }

  /// Entries to which no row refers may be text.
  std::optional<TextCell> numbers(float* into) const {
    std::size_t first = 0;
    std::optional<TextCell> text;
    for (const ArrowSlice& slice : slices) {
      const ArrowSlice dictionary = dictionary_of(slice);
      with_cells(values, dictionary, [&](auto&& cells) {
        const std::vector<std::optional<double>> numbers = entry_numbers(cells, dictionary.length);
        for_each_entry(slice, dictionary.length, [&](std::size_t i, std::ptrdiff_t e) {
          const auto number = e < 0 ? missing_value : numbers[static_cast<std::size_t>(e)];
          if (!number && !text) text = TextCell{first + i, std::string(cells.text(static_cast<std::size_t>(e)))};
          into[first + i] = static_cast<float>(number.value_or(missing_value));
        });
      });
      if (text) return text;
      first += slice.length;
    }
    return std::nullopt;
  }

  void codes(Levels& levels, std::int32_t* into) const {
    std::vector<std::int32_t> code;
    for (const ArrowSlice& slice : slices) {
      const ArrowSlice dictionary = dictionary_of(slice);
      code.resize(dictionary.length);
      with_cells(values, dictionary, [&](auto&& cells) { fill_codes(cells, code.size(), levels, code.data()); });
      for_each_entry(slice, code.size(), [&](std::size_t i, std::ptrdiff_t e) {
        into[i] = e < 0 ? -1 : code[static_cast<std::size_t>(e)];
      });
      into += slice.length;
    }
  }

 private:
  static constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

  /// NaN for a missing entry, nullopt for an entry that is not a number.
  template <class Cells>
  static std::vector<std::optional<double>> entry_numbers(Cells& cells, std::size_t count) {
    std::vector<std::optional<double>> numbers(count, missing_value);
    for (std::size_t e = 0; e < count; ++e)
      if (!cells.missing(e)) numbers[e] = cells.number(e);
    return numbers;
  }

  static ArrowSlice dictionary_of(const ArrowSlice& slice) {
    const ArrowArray* dictionary = slice.array->dictionary;
    return ArrowSlice::make(dictionary, 0, dictionary ? dictionary->length : 0, slice.column);
  }

  /// Calls use(cell, entry) for each cell; the entry of a missing cell is -1.
  template <class Use>
  void for_each_entry(const ArrowSlice& slice, std::size_t count, Use&& use) const {
    with_cells(indices, slice, [&](auto&& cells) {
      for (std::size_t i = 0; i < slice.length; ++i) {
        std::ptrdiff_t entry = -1;
        if (!cells.missing(i)) {
          const double index = *cells.number(i);  // exact below 2^53
          if (!(index >= 0.0 && index < static_cast<double>(count)))
            throw_invalid(slice.column, fmt::format("{} of a chunk: index {} into a dictionary of {} entries",
                                                    python_rows.name(i), index, count));
          entry = static_cast<std::ptrdiff_t>(index);
        }
        use(i, entry);
      }
    });
  }
};

[[noreturn]] void throw_stream_error(ArrowArrayStream* stream, int error) {
  const char* reason = stream->get_last_error ? stream->get_last_error(stream) : nullptr;
  throw core::DataError(fmt::format("X: the Arrow stream failed: {}", reason ? reason : std::strerror(error)));
}

}  // namespace

ArrowFrame::ArrowFrame(nb::handle frame) {
  const nb::object capsule = frame.attr("__arrow_c_stream__")();
  auto* const exported = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!exported) throw nb::python_error();
  if (!exported->release) throw core::DataError("X: the Arrow stream was already consumed");
  OwnedArrow<ArrowArrayStream> stream(*exported);
  if (!stream->get_schema || !stream->get_next) throw core::DataError("X: invalid Arrow stream: a callback is missing");
  if (const int error = stream->get_schema(stream.get(), schema_.get())) throw_stream_error(stream.get(), error);
  read_names();
  for (;;) {
    OwnedArrow<ArrowArray> chunk;
    if (const int error = stream->get_next(stream.get(), chunk.get())) throw_stream_error(stream.get(), error);
    if (!chunk->release) return;
    check_chunk(*chunk);
    rows_ += static_cast<std::size_t>(chunk->length);
    chunks_.push_back(std::move(chunk));
  }
}

void ArrowFrame::read_names() {
  if (std::string_view(schema_->format ? schema_->format : "") != "+s")
    throw core::DataError("X: Expected 2D array, got 1D array instead: pass a frame, not a single column");
  if (schema_->n_children < 0 || (schema_->n_children > 0 && !schema_->children))
    throw core::DataError(fmt::format("X: invalid Arrow data: {} columns", schema_->n_children));
  for (std::int64_t c = 0; c < schema_->n_children; ++c) {
    const ArrowSchema* const child = schema_->children[c];
    if (!child) throw core::DataError(fmt::format("X: invalid Arrow data: column {} has no type", c));
    names_.emplace_back(child->name ? child->name : "");
  }
}

void ArrowFrame::check_chunk(const ArrowArray& chunk) const {
  const ArrowSlice all = ArrowSlice::make(&chunk, 0, chunk.length, "");
  if (chunk.n_children != schema_->n_children || (chunk.n_children > 0 && !chunk.children))
    throw core::DataError(fmt::format("X: invalid Arrow data: a chunk has {} columns, the schema {}", chunk.n_children,
                                      schema_->n_children));
  if (chunk.null_count == 0 || !all.validity) return;
  for (std::size_t i = 0; i < all.length; ++i)
    if (!all.valid(i)) throw core::DataError(core::message("X: {} of the struct array is null", core::row(rows_ + i)));
}

data::Column ArrowFrame::column(std::size_t c, const std::string& name, ColumnKind kind) const {
  const ArrowSchema& type = *schema_->children[c];
  std::vector<ArrowSlice> slices;
  for (const auto& chunk : chunks_)
    slices.push_back(ArrowSlice::make(chunk->children[c], chunk->offset, chunk->length, name));
  const ArrowFormat format = format_of(type, name);
  if (kind == ColumnKind::formatted && !type.dictionary && !is_text(format.storage)) kind = ColumnKind::numeric;
  if (!type.dictionary) return read_column(PlainColumn{format, std::move(slices), rows_}, name, kind);
  if (!is_integer(format.storage)) throw_invalid(name, "dictionary indices must be integers");
  const ArrowFormat values = format_of(*type.dictionary, name);
  if (type.dictionary->dictionary) throw_invalid(name, "nested dictionaries are not supported");
  return read_column(DictionaryColumn{format, values, std::move(slices), rows_}, name,
                     kind == ColumnKind::numeric ? kind : ColumnKind::text);
}

}  // namespace accrete::python

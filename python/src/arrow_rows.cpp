#include "arrow_rows.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "accrete/core/error.hpp"
#include "arrow_cells.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

/// A column of plain cells, chunk after chunk.
struct PlainSource {
  Format format;
  std::vector<Piece> pieces;
  std::size_t all;

  std::size_t rows() const { return all; }

  std::optional<NoNumber> numbers(float* into) const {
    std::size_t first = 0;
    for (const Piece& piece : pieces) {
      auto text =
          with_cells(format, piece, [&](auto&& cells) { return fill_numbers(cells, piece.length, into + first); });
      if (text) return NoNumber{first + text->row, std::move(text->text)};
      first += piece.length;
    }
    return std::nullopt;
  }

  void codes(Levels& levels, std::int32_t* into) const {
    for (const Piece& piece : pieces) {
      with_cells(format, piece, [&](auto&& cells) { fill_codes(cells, piece.length, levels, into); });
      into += piece.length;
    }
  }
};

/// A column of places in a dictionary, which each chunk has its own of.
struct DictionarySource {
  Format indices;
  Format values;
  std::vector<Piece> pieces;
  std::size_t all;

  std::size_t rows() const { return all; }

  /// Only entries that a row refers to need be numbers.
  std::optional<NoNumber> numbers(float* into) const {
    std::size_t first = 0;
    std::optional<NoNumber> text;
    for (const Piece& piece : pieces) {
      const Piece dictionary = entries(piece);
      with_cells(values, dictionary, [&](auto&& cells) {
        const std::vector<std::optional<double>> numbers = numbers_of(cells, dictionary.length);
        each(piece, dictionary.length, [&](std::size_t i, std::ptrdiff_t e) {
          const auto number = e < 0 ? missing : numbers[static_cast<std::size_t>(e)];
          if (!number && !text) text = NoNumber{first + i, std::string(cells.text(static_cast<std::size_t>(e)))};
          into[first + i] = static_cast<float>(number.value_or(missing));
        });
      });
      if (text) return text;
      first += piece.length;
    }
    return std::nullopt;
  }

  void codes(Levels& levels, std::int32_t* into) const {
    std::vector<std::int32_t> code;
    for (const Piece& piece : pieces) {
      const Piece dictionary = entries(piece);
      code.resize(dictionary.length);
      with_cells(values, dictionary, [&](auto&& cells) { fill_codes(cells, code.size(), levels, code.data()); });
      each(piece, code.size(),
           [&](std::size_t i, std::ptrdiff_t e) { into[i] = e < 0 ? -1 : code[static_cast<std::size_t>(e)]; });
      into += piece.length;
    }
  }

 private:
  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  /// NaN where missing, nothing where it is no number.
  template <class Cells>
  static std::vector<std::optional<double>> numbers_of(Cells& cells, std::size_t count) {
    std::vector<std::optional<double>> numbers(count, missing);
    for (std::size_t e = 0; e < count; ++e)
      if (!cells.gap(e)) numbers[e] = cells.number(e);
    return numbers;
  }

  static Piece entries(const Piece& piece) {
    const ArrowArray* dictionary = piece.array->dictionary;
    return Piece::of(dictionary, 0, dictionary ? dictionary->length : 0, piece.column);
  }

  /// use(i, e) for each cell and its entry, -1 for none.
  template <class Use>
  void each(const Piece& piece, std::size_t count, Use&& use) const {
    with_cells(indices, piece, [&](auto&& cells) {
      for (std::size_t i = 0; i < piece.length; ++i) {
        std::ptrdiff_t entry = -1;
        if (!cells.gap(i)) {
          const double place = *cells.number(i);  // exact for every place that can be there
          if (!(place >= 0.0 && place < static_cast<double>(count)))
            refuse_broken(piece.column, fmt::format("row {} is entry {} of {}", i, place, count));
          entry = static_cast<std::ptrdiff_t>(place);
        }
        use(i, entry);
      }
    });
  }
};

[[noreturn]] void refuse_stream(ArrowArrayStream* stream, int error) {
  const char* words = stream->get_last_error ? stream->get_last_error(stream) : nullptr;
  throw core::DataError(fmt::format("X: the Arrow stream failed: {}", words ? words : std::strerror(error)));
}

}  // namespace

ArrowRows::ArrowRows(nb::handle frame) {
  const nb::object capsule = frame.attr("__arrow_c_stream__")();
  auto* const given = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!given) throw nb::python_error();
  if (!given->release) throw core::DataError("X: the Arrow stream has been read already");
  Owned<ArrowArrayStream> stream(*given);
  if (!stream->get_schema || !stream->get_next) throw core::DataError("X: the Arrow stream has no functions");
  if (const int error = stream->get_schema(stream.get(), schema_.get())) refuse_stream(stream.get(), error);
  read_names();
  for (;;) {
    Owned<ArrowArray> chunk;
    if (const int error = stream->get_next(stream.get(), chunk.get())) refuse_stream(stream.get(), error);
    if (!chunk->release) return;
    check_chunk(*chunk);
    rows_ += static_cast<std::size_t>(chunk->length);
    chunks_.push_back(std::move(chunk));
  }
}

void ArrowRows::read_names() {
  if (std::string_view(schema_->format ? schema_->format : "") != "+s")
    throw core::DataError("X: Expected 2D array, got 1D array instead: a column by itself; make a frame of it");
  if (schema_->n_children < 0 || (schema_->n_children > 0 && !schema_->children))
    throw core::DataError(fmt::format("X: the Arrow data is broken: it has {} columns", schema_->n_children));
  for (std::int64_t c = 0; c < schema_->n_children; ++c) {
    const ArrowSchema* const child = schema_->children[c];
    if (!child) throw core::DataError(fmt::format("X: the Arrow data is broken: column {} has no type", c));
    names_.emplace_back(child->name ? child->name : "");
  }
}

void ArrowRows::check_chunk(const ArrowArray& chunk) const {
  const Piece whole = Piece::of(&chunk, 0, chunk.length, "");
  if (chunk.n_children != schema_->n_children || (chunk.n_children > 0 && !chunk.children))
    throw core::DataError(fmt::format("X: the Arrow data is broken: it has {} columns, and {} names", chunk.n_children,
                                      schema_->n_children));
  if (chunk.null_count == 0 || !whole.validity) return;
  for (std::size_t i = 0; i < whole.length; ++i)
    if (!whole.valid(i)) throw core::DataError(fmt::format("X: row {} is null as a whole", rows_ + i));
}

data::Column ArrowRows::column(std::size_t c, const std::string& name, Wanted wanted) const {
  const ArrowSchema& type = *schema_->children[c];
  std::vector<Piece> pieces;
  for (const auto& chunk : chunks_) pieces.push_back(Piece::of(chunk->children[c], chunk->offset, chunk->length, name));
  const Format format = format_of(type, name);
  if (!type.dictionary) return read_column(PlainSource{format, std::move(pieces), rows_}, name, wanted);
  if (!is_integer(format.storage)) refuse_broken(name, "places in a dictionary must be integers");
  const Format values = format_of(*type.dictionary, name);
  if (type.dictionary->dictionary) refuse_broken(name, "a dictionary of a dictionary");
  return read_column(DictionarySource{format, values, std::move(pieces), rows_}, name,
                     wanted == Wanted::numeric ? wanted : Wanted::text);
}

}  // namespace accrete::python

#pragma once
// A document that is read in two forms: a page (report/page.hpp) and Markdown. Texts are plain; each form escapes them.
//
// Life: made with a title -> blocks added in the order they are read -> to_page() and to_markdown(), which say the
// same.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/page.hpp"

namespace accrete::report {

enum class Tone { plain, best, worse };

/// A cell: its text and, in small type below, what it is to be compared with.
struct Entry {
  std::string text;
  std::string note = {};
  Tone tone = Tone::plain;
};

/// A table to be read closely. A row of one entry, where there are more columns, is a heading over the rows
/// below it.
struct Sheet {
  std::string id;
  std::vector<std::string> header;
  std::vector<std::vector<Entry>> rows = {};
  std::string folded = {};  ///< the words it is folded away under; empty: open
};

struct Heading {
  std::string text;
  int level = 2;
};
struct Paragraph {
  std::string text;
};
struct Commands {
  std::string text;  ///< one to a line
};

using Block = std::variant<Heading, Paragraph, Commands, Sheet, Figure>;

struct Document {
  std::string title;
  std::vector<Block> blocks = {};

  void add(Block block) { blocks.push_back(std::move(block)); }
};

Page to_page(const Document& document, std::optional<Gnuplot> gnuplot);

/// Pictures are taken to lie in `folder` as ID.svg; neighbours that are fields share a line.
std::string to_markdown(const Document& document, const std::string& folder);

}  // namespace accrete::report

#pragma once
// A document that renders as a page (report/pages/page.hpp) and as Markdown with the same content. Text is plain; the
// renderers escape it.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/pages/page.hpp"

namespace accrete::report {

enum class Tone { plain, best, worse };

/// A table cell: text, and a note in small type below it.
struct Entry {
  std::string text;
  std::string note = {};
  Tone tone = Tone::plain;
};

/// A table with notes and highlighted cells. A row with a single entry is a heading of the rows below it.
struct RichTable {
  std::string id;
  std::vector<std::string> header;
  std::vector<std::vector<Entry>> rows = {};
  std::string folded = {};  ///< summary line of a collapsed table; empty: open
};

struct Heading {
  std::string text;
  int level = 2;
};
struct Paragraph {
  std::string text;
};
struct Commands {
  std::string text;  ///< one command per line
};

using DocumentPart = std::variant<Heading, Paragraph, Commands, RichTable, Figure>;

struct Document {
  std::string title;
  std::vector<DocumentPart> parts = {};

  void add(DocumentPart part) { parts.push_back(std::move(part)); }
};

Page to_page(const Document& document, std::optional<Gnuplot> gnuplot);

/// Links figures as FOLDER/ID.svg; up to five adjacent fields share a line.
std::string to_markdown(const Document& document, const std::string& folder);

}  // namespace accrete::report

// A document as Markdown of GitHub's kind.

#include <fmt/format.h>

#include <sstream>

#include "report/document.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t line_width = 120;

/// What would be mark-up is written so that it is read. Underscores inside words are none.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*<|[]").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// Broken between words into lines of at most 120 bytes.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > line_width) {
      result += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + line + "\n";
}

std::string entry_text(const Entry& entry) {
  const std::string text = entry.tone == Tone::plain ? plain(entry.text) : fmt::format("**{}**", plain(entry.text));
  return entry.note.empty() ? text : fmt::format("{}<br><sub>{}</sub>", text, plain(entry.note));
}

std::string sheet_text(const Sheet& sheet) {
  std::string text = "|", rule = "|";
  for (std::size_t c = 0; c < sheet.header.size(); ++c) {
    text += fmt::format(" {} |", plain(sheet.header[c]));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : sheet.rows) {
    text += "|";
    const char* weight = row.size() == 1 && sheet.header.size() > 1 ? "**" : "";
    for (std::size_t c = 0; c < sheet.header.size(); ++c)
      text += c < row.size() ? fmt::format(" {0}{1}{0} |", weight, entry_text(row[c])) : "  |";
    text += "\n";
  }
  return text;
}

std::string folded_text(const std::string& summary, const Sheet& sheet) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", plain(summary), sheet_text(sheet));
}

Sheet as_sheet(const Table& table) {
  Sheet sheet{"", table.header, {}, ""};
  for (const auto& row : table.rows) {
    auto& entries = sheet.rows.emplace_back();
    for (const std::string& text : row) entries.push_back({text});
  }
  return sheet;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(const std::string& folder) : folder_(folder) {}

  void operator()(const Heading& heading) {
    leave_fields();
    text_ += fmt::format("\n{} {}\n", std::string(static_cast<std::size_t>(heading.level), '#'), plain(heading.text));
  }
  void operator()(const Paragraph& paragraph) {
    leave_fields();
    text_ += fmt::format("\n{}", wrapped(plain(paragraph.text)));
  }
  void operator()(const Commands& commands) {
    leave_fields();
    text_ += fmt::format("\n```sh\n{}\n```\n", commands.text);
  }
  void operator()(const Sheet& sheet) {
    leave_fields();
    text_ += fmt::format("\n{}", sheet.folded.empty() ? sheet_text(sheet) : folded_text(sheet.folded, sheet));
  }
  void operator()(const Figure& figure) {
    const std::string image = fmt::format("![{}]({}/{}.svg)", plain(title_of(figure.chart)), folder_, figure.id);
    if (std::holds_alternative<Field>(figure.chart)) return fields_.push_back(image);
    leave_fields();
    text_ += fmt::format("\n{}\n\n{}", image, wrapped(plain(figure.caption)));
    if (!figure.table.header.empty()) text_ += fmt::format("\n{}", folded_text("The numbers", as_sheet(figure.table)));
  }

  std::string text() {
    leave_fields();
    return text_;
  }

 private:
  /// Five to a line, the first line a table's head.
  void leave_fields() {
    constexpr std::size_t columns = 5;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      text_ += fmt::format("{} {} |", i == 0 ? "\n|" : i % columns == 0 ? "|" : "", fields_[i]);
      if ((i + 1) % columns == 0 || i + 1 == fields_.size()) text_ += "\n";
      if (i + 1 == std::min(columns, fields_.size())) {
        text_ += "|";
        for (std::size_t c = 0; c <= i; ++c) text_ += "---|";
        text_ += "\n";
      }
    }
    fields_.clear();
  }

  std::string folder_, text_;
  std::vector<std::string> fields_;
};

}  // namespace

std::string to_markdown(const Document& document, const std::string& folder) {
  MarkdownWriter writer(folder);
  for (const Block& block : document.blocks) std::visit(writer, block);
  return fmt::format("# {}\n{}", plain(document.title), writer.text());
}

}  // namespace accrete::report

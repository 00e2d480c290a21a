// Renders a document as GitHub-flavoured Markdown.

#include <fmt/format.h>

#include <sstream>

#include "report/pages/document.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t line_width = 120;

/// Escapes Markdown. Underscores inside words need no escape.
std::string escape_markdown(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*<|[]").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// Breaks between words into lines of at most 120 bytes.
std::string wrap(const std::string& text) {
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
  const std::string text =
      entry.tone == Tone::plain ? escape_markdown(entry.text) : fmt::format("**{}**", escape_markdown(entry.text));
  return entry.note.empty() ? text : fmt::format("{}<br><sub>{}</sub>", text, escape_markdown(entry.note));
}

std::string rich_table_text(const RichTable& rich) {
  std::string text = "|", rule = "|";
  for (std::size_t c = 0; c < rich.header.size(); ++c) {
    text += fmt::format(" {} |", escape_markdown(rich.header[c]));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : rich.rows) {
    text += "|";
    const char* weight = row.size() == 1 && rich.header.size() > 1 ? "**" : "";
    for (std::size_t c = 0; c < rich.header.size(); ++c)
      text += c < row.size() ? fmt::format(" {0}{1}{0} |", weight, entry_text(row[c])) : "  |";
    text += "\n";
  }
  return text;
}

std::string folded_text(const std::string& summary, const RichTable& rich) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", escape_markdown(summary),
                     rich_table_text(rich));
}

RichTable as_rich_table(const Table& table) {
  RichTable rich{"", table.header, {}, ""};
  for (const auto& row : table.rows) {
    auto& entries = rich.rows.emplace_back();
    for (const std::string& text : row) entries.push_back({text});
  }
  return rich;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(const std::string& folder) : folder_(folder) {}

  void operator()(const Heading& heading) {
    close_field_group();
    text_ += fmt::format("\n{} {}\n", std::string(static_cast<std::size_t>(heading.level), '#'),
                         escape_markdown(heading.text));
  }
  void operator()(const Paragraph& paragraph) {
    close_field_group();
    text_ += fmt::format("\n{}", wrap(escape_markdown(paragraph.text)));
  }
  void operator()(const Commands& commands) {
    close_field_group();
    text_ += fmt::format("\n```sh\n{}\n```\n", commands.text);
  }
  void operator()(const RichTable& rich) {
    close_field_group();
    text_ += fmt::format("\n{}", rich.folded.empty() ? rich_table_text(rich) : folded_text(rich.folded, rich));
  }
  void operator()(const Figure& figure) {
    const std::string image =
        fmt::format("![{}]({}/{}.svg)", escape_markdown(title_of(figure.chart)), folder_, figure.id);
    if (std::holds_alternative<Field>(figure.chart)) return fields_.push_back(image);
    close_field_group();
    text_ += fmt::format("\n{}\n\n{}", image, wrap(escape_markdown(figure.caption)));
    if (!figure.table.header.empty()) text_ += fmt::format("\n{}", folded_text("Numbers", as_rich_table(figure.table)));
  }

  std::string text() {
    close_field_group();
    return text_;
  }

 private:
  /// Writes the collected fields as a table of five columns.
  void close_field_group() {
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
  for (const DocumentPart& part : document.parts) std::visit(writer, part);
  return fmt::format("# {}\n{}", escape_markdown(document.title), writer.text());
}

}  // namespace accrete::report

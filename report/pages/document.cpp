#include "report/pages/document.hpp"

#include <fmt/format.h>

#include "report/charts/text.hpp"

namespace accrete::report {
namespace {

/// Short entries are not wrapped.
std::string classes_of(const Entry& entry) {
  constexpr std::size_t short_text = 24;
  const std::string tone = entry.tone == Tone::best ? "best" : entry.tone == Tone::worse ? "worse" : "plain";
  return entry.text.size() < short_text ? tone + " short" : tone;
}

std::string entry_html(const Entry& entry, bool names_row) {
  const std::string note = entry.note.empty() ? "" : fmt::format("<small>{}</small>", escape(entry.note));
  std::string text = escape(entry.text);
  if (names_row) return fmt::format("<th scope=\"row\">{}{}</th>", text, note);
  if (entry.tone != Tone::plain) text = fmt::format("<b>{}</b>", text);
  return fmt::format("<td class=\"{}\">{}{}</td>", classes_of(entry), text, note);
}

std::string rich_table_html(const RichTable& rich) {
  std::string html = fmt::format("<div class=\"wide\"><table class=\"rich\" id=\"{}\"><thead><tr>", escape(rich.id));
  for (const std::string& name : rich.header) html += fmt::format("<th scope=\"col\">{}</th>", escape(name));
  html += "</tr></thead><tbody>\n";
  for (const auto& row : rich.rows) {
    html += "<tr>";
    if (row.size() == 1 && rich.header.size() > 1)
      html += fmt::format("<th scope=\"rowgroup\" class=\"over\" colspan=\"{}\">{}</th>", rich.header.size(),
                          escape(row[0].text));
    else
      for (std::size_t c = 0; c < row.size(); ++c) html += entry_html(row[c], c == 0);
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  if (rich.folded.empty()) return html;
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escape(rich.folded), html);
}

class PageWriter {
 public:
  explicit PageWriter(Page& page) : page_(page) {}

  void operator()(const Heading& heading) {
    if (heading.level == 2)
      page_.heading(heading.text);
    else
      page_.markup(fmt::format("<h{0}>{1}</h{0}>\n", heading.level, escape(heading.text)));
  }
  void operator()(const Paragraph& paragraph) { page_.paragraph(paragraph.text); }
  void operator()(const Commands& commands) { page_.markup(fmt::format("<pre>{}</pre>\n", escape(commands.text))); }
  void operator()(const RichTable& rich) { page_.markup(rich_table_html(rich)); }
  void operator()(const Figure& figure) { page_.figure(figure); }

 private:
  Page& page_;
};

}  // namespace

Page to_page(const Document& document, std::optional<Gnuplot> gnuplot) {
  Page page(document.title, std::move(gnuplot));
  PageWriter writer(page);
  for (const DocumentPart& part : document.parts) std::visit(writer, part);
  return page;
}

}  // namespace accrete::report

#include "report/pages/page.hpp"

#include <fmt/format.h>

#include "accrete/core/base64.hpp"
#include "report/assets/assets.hpp"
#include "report/charts/text.hpp"

namespace accrete::report {
namespace {

constexpr const char* no_gnuplot_note =
    "gnuplot was not installed when this page was written (Debian package gnuplot-nox). Without JavaScript the page "
    "shows tables instead of charts.";

/// Escapes every "<", because "</script" inside a string would end the script element.
std::string escape_json(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace), safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

/// True for numbers, including percentages.
bool is_number(std::string_view cell) {
  return cell.find_first_of("0123456789") != std::string_view::npos &&
         cell.find_first_not_of("0123456789+-.e %") == std::string_view::npos;
}

std::string table_html(const Table& table, std::string_view id) {
  std::string html = "<div class=\"wide\"><table";
  if (!id.empty()) html += fmt::format(" id=\"{}\"", escape(id));
  html += "><thead><tr>";
  for (std::size_t c = 0; c < table.header.size(); ++c)
    html += fmt::format("<th scope=\"col\"{}>{}</th>",
                        c > 0 && !table.rows.empty() && c < table.rows[0].size() && is_number(table.rows[0][c])
                            ? " class=\"number\""
                            : "",
                        escape(table.header[c]));
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      html += c == 0 ? fmt::format("<th scope=\"row\">{}</th>", escape(row[c]))
                     : fmt::format("<td{}>{}</td>", is_number(row[c]) ? " class=\"number\"" : "", escape(row[c]));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// Draws the chart without its title, which the caption shows.
std::string picture(const Gnuplot& gnuplot, Chart chart) {
  std::visit([](auto& c) { c.title.clear(); }, chart);
  return "data:image/svg+xml;base64," + core::base64(gnuplot.draw(chart, Format::svg));
}

/// A heat map with many columns takes the full width of the page.
bool is_broad(const Chart& chart) {
  constexpr std::size_t many = 12;
  const HeatMap* map = std::get_if<HeatMap>(&chart);
  return map && map->columns.size() > many;
}

std::string script_element(std::string_view code) {
  return fmt::format("<script>\n{}</script>\n", code);
}

}  // namespace

Page::Page(std::string title, std::optional<Gnuplot> gnuplot) : title_(std::move(title)), gnuplot_(std::move(gnuplot)) {
  markup(fmt::format("<h1>{}</h1>\n", escape(title_)));
  if (!gnuplot_) markup(fmt::format("<p class=\"note\">{}</p>\n", no_gnuplot_note));
}

void Page::close_figure_group() {
  if (!figure_group_.empty()) body_ += "</div>\n";
  figure_group_.clear();
}

void Page::markup(std::string_view html) {
  close_figure_group();
  body_ += html;
}

void Page::heading(std::string_view text) {
  markup(fmt::format("<h2>{}</h2>\n", escape(text)));
}

void Page::paragraph(std::string_view text) {
  markup(fmt::format("<p>{}</p>\n", escape(text)));
}

void Page::table(const Table& table, std::string_view id) {
  markup(table_html(table, id));
}

void Page::figure(Figure figure) {
  const std::string kind = !figure.group.empty()                         ? figure.group
                           : std::holds_alternative<Field>(figure.chart) ? "panels"
                                                                         : "figures";
  if (figure_group_ != kind) {
    close_figure_group();
    body_ += fmt::format("<div class=\"{}\">\n", kind);
    figure_group_ = kind;
  }
  const std::string id = escape(figure.id), title = escape(title_of(figure.chart));
  body_ += fmt::format("<figure id=\"{}\"{}>\n<figcaption><b>{}</b> {}</figcaption>\n<div class=\"chart\">", id,
                       is_broad(figure.chart) ? " class=\"broad\"" : "", title, escape(figure.caption));
  if (gnuplot_) body_ += fmt::format("<img alt=\"{}\" src=\"{}\">", title, picture(*gnuplot_, figure.chart));
  body_ += "</div>\n";
  if (!figure.table.header.empty())
    body_ += fmt::format("<details{}><summary>Numbers</summary>\n{}</details>\n", gnuplot_ ? "" : " open",
                         table_html(figure.table, ""));
  body_ += "</figure>\n";
  figures_.push_back(std::move(figure));
}

void Page::data(std::string_view id, const Json& json) {
  data_ += fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", escape(id), escape_json(json));
}

void Page::script(std::string_view code) {
  scripts_ += script_element(code);
}

std::string Page::html() const {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      escape(title_), assets::style_css);
  html += body_ + (figure_group_.empty() ? "" : "</div>\n") + "</main>\n" + data_;
  if (!figures_.empty()) {
    Json charts = Json::object();
    for (const Figure& figure : figures_) charts[figure.id] = to_json(figure.chart);
    html += fmt::format("<script type=\"application/json\" id=\"charts\">{}</script>\n", escape_json(charts));
    html += script_element(fmt::format("/*\n{}*/\n{}\n", assets::d3_licence, assets::d3));
    for (const auto script : {assets::ranks_js, assets::field_js, assets::charts_js}) html += script_element(script);
  }
  return html + scripts_ + "</body>\n</html>\n";
}

}  // namespace accrete::report

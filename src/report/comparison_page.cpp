#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "firth/compare.hpp"
#include "firth/pictures.hpp"
#include "report/comparison_table.hpp"
#include "report/page_files.hpp"
#include "report/page_template.hpp"

namespace firth {
namespace {

using report::escape_html;

constexpr const char* kNote =
    "AMI: average mutual information of adjacent classes of the text, in bits. Perplexity: of held-out text, by class "
    "bigrams. Many-to-1, 1-to-1, V and VI: agreement with tags. Stability: how alike the classes of different seeds are, "
    "in normalised mutual information over tokens. +-: standard deviation over seeds. *: best with this number of classes.";

std::string table_line(const std::vector<std::string>& cells, bool heading) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool best = cells[i].ends_with(" *");
    if (heading || i == 0)
      html += fmt::format("<th scope=\"{}\">{}</th>", heading ? "col" : "row", escape_html(cells[i]));
    else
      html += fmt::format("<td{}>{}</td>", best ? " class=\"best\"" : "", escape_html(cells[i]));
  }
  return html + "</tr>\n";
}

std::string table(std::span<const ComparedRow> rows) {
  const auto lines = report::comparison_cells(rows);
  std::string html =
      "<table class=\"scores\">\n<thead>" + table_line(lines.front(), true) + "</thead>\n<tbody>\n";
  for (std::size_t i = 1; i < lines.size(); ++i) html += table_line(lines[i], false);
  return html + "</tbody>\n</table>\n";
}

/// A score against the number of classes, a curve per name; "" if nothing has two numbers of classes.
std::string chart(std::span<const ComparedRow> rows, const report::Score& score) {
  std::map<std::string, std::vector<ChartPoint>> curves;
  std::vector<std::string> names;
  for (const ComparedRow& row : rows) {
    const auto value = report::spread(row, score);
    if (!value) continue;
    if (!curves.contains(row.name)) names.push_back(row.name);
    curves[row.name].push_back({static_cast<double>(report::classes_of(row)), score.factor * value->mean});
  }
  std::vector<ChartSeries> series;
  bool several = false;
  for (const std::string& name : names) {
    std::vector<ChartPoint>& points = curves[name];
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    several = several || points.front().x < points.back().x;
    series.push_back({name, points});
  }
  if (!several) return "";
  return fmt::format("<figure class=\"wide\">{}</figure>\n",
                     curves_svg(series, {.title = std::string(score.heading),
                                         .x_label = "number of classes",
                                         .y_label = std::string(score.heading),
                                         .log_x = true}));
}

}  // namespace

std::string comparison_page(std::span<const ComparedRow> rows, const std::string& title) {
  std::string charts;
  for (const report::Score& score : report::used_scores(rows)) charts += chart(rows, score);
  const std::string name = escape_html(title.empty() ? "Comparison" : title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<header><h1>{}</h1></header>\n<main class=\"on-paper\">\n"
      "<section class=\"card wide\" aria-label=\"Scores\" tabindex=\"0\">\n{}<p class=\"note\">{}</p>\n</section>\n{}"
      "</main>\n</body>\n</html>\n",
      report::page_style_hash(), name, report::page_style(), name, table(rows), kNote,
      charts.empty() ? ""
                     : fmt::format("<section class=\"card\" aria-label=\"Curves\">\n{}</section>\n", charts));
}

}  // namespace firth

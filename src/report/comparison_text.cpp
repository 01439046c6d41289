#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "firth/printable.hpp"
#include "report/comparison_columns.hpp"
#include "report/comparison_table.hpp"

namespace firth {
namespace {

using report::Score;
using Json = nlohmann::ordered_json;

/// Columns of text, as wide as their widest cell; the first is flush left, the others right.
std::string markdown(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (std::size_t number = 0; number < lines.size(); ++number) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool first = i == 0;
      text += first ? fmt::format("| {:<{}} |", lines[number][i], widths[i])
                    : fmt::format(" {:>{}} |", lines[number][i], widths[i]);
    }
    text += '\n';
    if (number > 0) continue;
    for (std::size_t i = 0; i < widths.size(); ++i)
      text +=
          i == 0 ? fmt::format("|{:-<{}}|", "", widths[i] + 2) : fmt::format("{:->{}}|", ":", widths[i] + 2);
    text += '\n';
  }
  return text;
}

/// A name that stays in its cell.
std::string cell_text(const std::string& name) {
  std::string text = printable(name);
  std::replace(text.begin(), text.end(), '|', '/');
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

Json run_json(const ComparedRun& run) {
  Json json = {{"seed", run.seed}, {"classes", run.scores.classes}, {"words", run.scores.words}};
  for (const Score& score : report::all_scores()) {
    if (const auto value = score.of(run)) json[std::string(score.key)] = *value;
  }
  return json;
}

}  // namespace

namespace report {

std::vector<std::vector<std::string>> comparison_cells(std::span<const ComparedRow> rows) {
  const std::vector<Score> scores = used_scores(rows);
  const bool stability = has_stability(rows);
  const bool reading = has_reading(rows);
  std::vector<std::vector<std::string>> lines = {{"method", "classes"}};
  if (reading) lines[0].emplace_back("text read");
  for (const Score& score : scores) lines[0].emplace_back(score.heading);
  if (stability) lines[0].emplace_back("stability %");
  for (const ComparedRow& row : rows) {
    std::vector<std::string> line = {cell_text(row.name), fmt::format("{}", classes_of(row))};
    if (reading) line.push_back(cell_text(row.reading));
    for (const Score& score : scores) line.push_back(score_text(rows, row, score));
    if (stability) line.push_back(row.stability ? fmt::format("{:.2f}", 100 * *row.stability) : "");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string score_text(std::span<const ComparedRow> rows, const ComparedRow& row, const Score& score) {
  const auto value = spread(row, score);
  if (!value) return "";
  std::string text = fmt::format("{:.{}f}", score.factor * value->mean, score.digits);
  if (value->runs > 1 && score.better != Better::neither)
    text += fmt::format(" +-{:.{}f}", score.factor * value->deviation, score.digits);
  return is_best(rows, row, score) ? text + " *" : text;
}

}  // namespace report

std::string comparison_text(std::span<const ComparedRow> rows) {
  std::string text = markdown(report::comparison_cells(rows));
  std::string key;
  if (text.find(" * |") != std::string::npos) key += "*: best with this number of classes";
  if (text.find(" +-") != std::string::npos)
    key += fmt::format("{}+-: standard deviation over seeds", key.empty() ? "" : "; ");
  if (!key.empty()) text += fmt::format("\n{}\n", key);
  return text;
}

std::string comparison_tsv(std::span<const ComparedRow> rows) {
  const std::vector<Score> scores = report::used_scores(rows);
  std::string text = "method\tclasses\truns";
  for (const Score& score : scores) text += fmt::format("\t{0}\t{0}_sd", score.key);
  const bool reading = report::has_reading(rows);
  text += reading ? "\tstability\treading\n" : "\tstability\n";
  for (const ComparedRow& row : rows) {
    text += fmt::format("{}\t{}\t{}", cell_text(row.name), report::classes_of(row), row.runs.size());
    for (const Score& score : scores) {
      const auto value = report::spread(row, score);
      text += value ? fmt::format("\t{:.9g}\t", value->mean) : "\t\t";
      if (value && value->runs > 1) text += fmt::format("{:.3g}", value->deviation);
    }
    text += row.stability ? fmt::format("\t{:.9g}", *row.stability) : "\t";
    if (reading) text += fmt::format("\t{}", cell_text(row.reading));
    text += '\n';
  }
  return text;
}

std::string comparison_json(std::span<const ComparedRow> rows) {
  Json list = Json::array();
  for (const ComparedRow& row : rows) {
    Json json = {{"method", row.name}, {"classes", report::classes_of(row)}};
    for (const Score& score : report::all_scores()) {
      const auto value = report::spread(row, score);
      if (!value) continue;
      json[std::string(score.key)] = value->mean;
      if (value->runs > 1) json[fmt::format("{}_sd", score.key)] = value->deviation;
    }
    if (row.stability) json["stability"] = *row.stability;
    if (!row.reading.empty()) json["reading"] = row.reading;
    json["runs"] = Json::array();
    for (const ComparedRun& run : row.runs) json["runs"].push_back(run_json(run));
    list.push_back(std::move(json));
  }
  return Json{{"rows", std::move(list)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace firth

#include "commands/tagging_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "progress_bar.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  const char* name;
  const char* key;
  double TagAgreement::*value;
};

constexpr Row kRows[] = {{"many-to-1", "many_to_one", &TagAgreement::many_to_one},
                         {"1-to-1, greedy", "one_to_one_greedy", &TagAgreement::one_to_one_greedy},
                         {"1-to-1, best", "one_to_one", &TagAgreement::one_to_one},
                         {"VI, bits", "vi_bits", &TagAgreement::vi_bits},
                         {"NVI", "nvi", &TagAgreement::nvi},
                         {"V-measure", "v_measure", &TagAgreement::v_measure},
                         {"homogeneity", "homogeneity", &TagAgreement::homogeneity},
                         {"completeness", "completeness", &TagAgreement::completeness},
                         {"prototype map", "prototype", &TagAgreement::prototype}};

std::string cell(const TagAgreement& scores, const std::optional<ScoreIntervals>& intervals, const Row& row) {
  std::string text = fmt::format("{:.4f}", scores.*row.value);
  if (intervals) {
    text += fmt::format(" [{:.4f}, {:.4f}]", intervals->low.*row.value, intervals->high.*row.value);
  }
  return text;
}

std::string score_rows(const GoldReport& report, bool prototypes) {
  const std::size_t width = report.token_intervals ? 27 : 10;
  std::string text = fmt::format("\n{:<18}{:<{}}{:<{}}{}\n", "", "tokens", width, "types", width,
                                 report.collapsed ? "tokens, one class per word" : "");
  for (const Row& row : kRows) {
    if (row.value == &TagAgreement::prototype && !prototypes) continue;
    text += fmt::format("{:<18}{:<{}}{:<{}}{}\n", row.name, cell(report.tokens, report.token_intervals, row),
                        width, cell(report.types, report.type_intervals, row), width,
                        report.collapsed ? cell(*report.collapsed, std::nullopt, row) : "");
  }
  text += fmt::format("{:<18}{:.4f}\n", "upper bound", report.upper_bound);
  std::string clean;  // columns are padded: no blanks at the ends of lines
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    line.erase(line.find_last_not_of(' ') + 1);
    clean += line + "\n";
    begin = end + 1;
  }
  return clean;
}

std::string tag_rows(const GoldReport& report) {
  std::string text = fmt::format("\n{:<10}{:>10}{:>9}{:>9}{:>10}{:>9}\n", "tag", "tokens", "classes",
                                 "recall", "precision", "F1");
  for (const TagRow& row : report.tags) {
    text += fmt::format("{:<10}{:>10}{:>9}{:>9.4f}{:>10.4f}{:>9.4f}\n", row.tag, grouped(row.tokens),
                        grouped(row.classes), row.recall(), row.precision(), row.f1());
  }
  return text;
}

std::string class_rows(const GoldReport& report, bool prototypes) {
  if (report.largest.empty()) return "";
  std::string text =
      fmt::format("\n{:<8}{:>10}  {}\n", "class", "tokens", prototypes ? "prototype/tag; tags" : "tags");
  for (const ClassTags& one : report.largest) {
    text += fmt::format("{:<8}{:>10} ", one.name, grouped(one.tokens));
    if (prototypes) text += fmt::format(" {}/{};", one.prototype, one.prototype_tag);
    for (const auto& [tag, count] : one.tags) {
      text +=
          fmt::format(" {} {:.1f}%", tag, 100 * static_cast<double>(count) / static_cast<double>(one.tokens));
    }
    text += "\n";
  }
  return text;
}

Json scores_json(const TagAgreement& scores, const std::optional<ScoreIntervals>& intervals) {
  Json json;
  for (const Row& row : kRows) json[row.key] = scores.*row.value;
  if (!intervals) return json;
  Json ranges;
  for (const Row& row : kRows) {
    ranges[row.key] = {intervals->low.*row.value, intervals->high.*row.value};
  }
  json["intervals_95"] = ranges;
  return json;
}

}  // namespace

std::string tagging_table(const GoldReport& report, bool prototypes) {
  std::string text =
      fmt::format("{} tokens ({} in known words), {} words, {} classes, {} tags\n",
                  grouped(report.token_count), grouped(report.known_tokens), grouped(report.type_count),
                  grouped(report.class_count), grouped(report.tag_count));
  return text + score_rows(report, prototypes) + tag_rows(report) + class_rows(report, prototypes);
}

Json tagging_json(const GoldReport& report) {
  Json json = {{"tokens", report.token_count},
               {"known_tokens", report.known_tokens},
               {"types", report.type_count},
               {"classes", report.class_count},
               {"tags", report.tag_count},
               {"upper_bound", report.upper_bound},
               {"token_scores", scores_json(report.tokens, report.token_intervals)},
               {"type_scores", scores_json(report.types, report.type_intervals)}};
  if (report.collapsed) json["collapsed_scores"] = scores_json(*report.collapsed, std::nullopt);
  json["per_tag"] = Json::array();
  for (const TagRow& row : report.tags) {
    json["per_tag"].push_back({{"tag", row.tag},
                               {"tokens", row.tokens},
                               {"classes", row.classes},
                               {"recall", row.recall()},
                               {"precision", row.precision()},
                               {"f1", row.f1()}});
  }
  json["largest"] = Json::array();
  for (const ClassTags& one : report.largest) {
    Json tags = Json::object();
    for (const auto& [tag, count] : one.tags) tags[tag] = count;
    json["largest"].push_back({{"class", one.name},
                               {"tokens", one.tokens},
                               {"prototype", one.prototype},
                               {"prototype_tag", one.prototype_tag},
                               {"tags", tags}});
  }
  return json;
}

}  // namespace firth::cli

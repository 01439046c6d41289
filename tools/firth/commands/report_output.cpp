#include "commands/report_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "progress_bar.hpp"

namespace firth::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One digit after the point, none if it would be 0.
std::string rounded(double number) {
  std::string text = fmt::format("{:.1f}", number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string sizes_line(const SizeSummary& sizes) {
  return fmt::format("min {}, median {}, mean {}, max {}", grouped(sizes.min), rounded(sizes.median),
                     rounded(sizes.mean), grouped(sizes.max));
}

std::string coverage_line(const TextCoverage& coverage) {
  return fmt::format("{:6.2f} %  {} of {}", 100 * coverage.share(), grouped(coverage.covered),
                     grouped(coverage.total));
}

std::optional<double> ami_of(const TextScores& scores, AmiNorm norm) {
  if (norm == AmiNorm::tokens) return scores.ami_tokens_bits;
  if (norm == AmiNorm::unigram) return scores.ami_unigram_bits;
  return scores.ami_bits;
}

const char* name_of(AmiNorm norm) {
  if (norm == AmiNorm::tokens) return "tokens";
  return norm == AmiNorm::unigram ? "unigram" : "bigrams";
}

}  // namespace

std::string report_table(const ClusteringReport& report, AmiNorm norm) {
  std::string text;
  const auto row = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  row("words", grouped(report.words));
  row("classes",
      fmt::format("{} ({} of a single word)", grouped(report.classes), grouped(report.singletons)));
  row("words per class", sizes_line(report.class_words));
  row("tokens per class", sizes_line(report.class_tokens));
  if (report.text) {
    const std::optional<double> ami = ami_of(*report.text, norm);
    row("AMI", ami ? fmt::format("{:.6f} bits ({})", *ami, name_of(norm))
                   : "not defined: the text's words have no counts of their own");
    row("known words", coverage_line(report.text->types));
    row("known tokens", coverage_line(report.text->tokens));
    row("known bigrams", coverage_line(report.text->bigrams));
  }
  if (report.largest.empty()) return text;
  text += fmt::format("\n{:>12}  {:>9}  {}\n", "tokens", "words", "largest classes, most frequent words");
  for (const ClassSummary& one : report.largest) {
    text += fmt::format("{:>12}  {:>9}  {}\n", grouped(one.tokens), grouped(one.words),
                        fmt::join(one.top_words, " "));
  }
  return text;
}

namespace {

Json summary_json(const SizeSummary& sizes) {
  return {{"min", sizes.min}, {"median", sizes.median}, {"mean", sizes.mean}, {"max", sizes.max}};
}

Json summary_json(const TextCoverage& coverage) {
  return {{"covered", coverage.covered}, {"total", coverage.total}, {"share", coverage.share()}};
}

}  // namespace

Json report_json(const ClusteringReport& report, AmiNorm norm) {
  const auto or_null = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  Json json = {{"words", report.words},
               {"classes", report.classes},
               {"singletons", report.singletons},
               {"class_words", summary_json(report.class_words)},
               {"class_tokens", summary_json(report.class_tokens)}};
  if (report.text) {
    json["ami_norm"] = name_of(norm);
    json["ami_bits"] = or_null(ami_of(*report.text, norm));
    json["ami"] = {{"bigrams", report.text->ami_bits},
                   {"tokens", report.text->ami_tokens_bits},
                   {"unigram", or_null(report.text->ami_unigram_bits)}};
    json["coverage"] = {{"types", summary_json(report.text->types)},
                        {"tokens", summary_json(report.text->tokens)},
                        {"bigrams", summary_json(report.text->bigrams)}};
  }
  json["largest"] = Json::array();
  for (const ClassSummary& one : report.largest) {
    json["largest"].push_back(
        {{"class", one.id}, {"tokens", one.tokens}, {"words", one.words}, {"top_words", one.top_words}});
  }
  return json;
}

}  // namespace firth::cli

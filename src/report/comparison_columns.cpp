#include "report/comparison_columns.hpp"

#include <algorithm>
#include <cmath>

namespace firth::report {
namespace {

using TagScoreMember = double TagAgreement::*;

/// A function that reads one score of the agreement with tags.
auto tag_score(TagScoreMember member) {
  return [member](const ComparedRun& run) -> std::optional<double> {
    if (!run.scores.tags) return std::nullopt;
    return (*run.scores.tags).*member;
  };
}

std::vector<Score> make_scores() {
  std::vector<Score> scores;
  scores.push_back({"ami_bits", "AMI (bits)", 4, 1, Better::higher,
                    [](const ComparedRun& run) { return run.scores.ami_bits; }, true});
  scores.push_back({"perplexity", "perplexity", 2, 1, Better::lower,
                    [](const ComparedRun& run) { return run.scores.perplexity; }, true});
  scores.push_back(
      {"many_to_one", "many-to-1 %", 2, 100, Better::higher, tag_score(&TagAgreement::many_to_one)});
  scores.push_back({"one_to_one", "1-to-1 %", 2, 100, Better::higher, tag_score(&TagAgreement::one_to_one)});
  scores.push_back({"v_measure", "V %", 2, 100, Better::higher, tag_score(&TagAgreement::v_measure)});
  scores.push_back({"vi_bits", "VI (bits)", 3, 1, Better::lower, tag_score(&TagAgreement::vi_bits)});
  scores.push_back({"known_tokens", "text covered %", 2, 100, Better::neither,
                    [](const ComparedRun& run) { return run.scores.known_tokens; }});
  scores.push_back({"cpu_seconds", "CPU s", 2, 1, Better::neither,
                    [](const ComparedRun& run) { return run.cpu_seconds; }});
  scores.push_back({"peak_memory", "MB", 0, 1.0 / (1 << 20), Better::neither,
                    [](const ComparedRun& run) -> std::optional<double> {
                      if (!run.peak_memory) return std::nullopt;
                      return static_cast<double>(*run.peak_memory);
                    }});
  return scores;
}

}  // namespace

const std::vector<Score>& all_scores() {
  static const std::vector<Score> scores = make_scores();
  return scores;
}

std::vector<Score> used_scores(std::span<const ComparedRow> rows) {
  std::vector<Score> used;
  for (const Score& score : all_scores()) {
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const ComparedRow& row) { return spread(row, score).has_value(); }))
      used.push_back(score);
  }
  return used;
}

std::optional<Spread> spread(const ComparedRow& row, const Score& score) {
  std::vector<double> values;
  for (const ComparedRun& run : row.runs) {
    if (const auto value = score.of(run)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  Spread result{.runs = values.size()};
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  if (values.size() > 1) result.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return result;
}

ClassId classes_of(const ComparedRow& row) {
  if (row.classes > 0 || row.runs.empty()) return row.classes;
  return row.runs.front().scores.classes;
}

bool is_best(std::span<const ComparedRow> rows, const ComparedRow& row, const Score& score) {
  const auto own = spread(row, score);
  if (!own || score.better == Better::neither) return false;
  bool beaten = false;
  bool worse_exists = false;
  for (const ComparedRow& other : rows) {
    const auto theirs = spread(other, score);
    if (!theirs || classes_of(other) != classes_of(row)) continue;
    if (score.of_text && other.reading != row.reading) continue;
    const double ahead = score.better == Better::higher ? own->mean - theirs->mean : theirs->mean - own->mean;
    beaten = beaten || ahead < 0;
    worse_exists = worse_exists || ahead > 0;
  }
  return worse_exists && !beaten;
}

bool has_reading(std::span<const ComparedRow> rows) {
  return std::any_of(rows.begin(), rows.end(), [](const ComparedRow& row) { return !row.reading.empty(); });
}

bool has_stability(std::span<const ComparedRow> rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const ComparedRow& row) { return row.stability.has_value(); });
}

}  // namespace firth::report

// bigrams.tsv: how often classes follow each other, one pair of classes per line.
#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <vector>

#include "cluster/io/formats.hpp"

namespace firth::clusters {
namespace {

constexpr std::string_view kBigramColumns = "left class<TAB>right class<TAB>count";
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

/// Column of a row as a class.
ClassId class_at(const TextTable& table, std::size_t row, std::size_t column, const ClassNumbers& numbers) {
  const std::string_view field = table.row(row)[column];
  const std::optional<Count> number = parse_count(field);
  const auto found = number ? numbers.find(*number) : numbers.end();
  if (found == numbers.end()) {
    table.fail(row, fmt::format("'{}' is not the number of a class", shown(field)),
               "the files of the folder do not belong together");
  }
  return found->second;
}

}  // namespace

PairCounts read_class_bigrams(std::string_view text, const std::string& name, const ClassNumbers& numbers) {
  const TextTable table(text, name);
  std::vector<PairCount> pairs;
  pairs.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto row = table.row(i);
    if (row[0].starts_with('#')) continue;
    if (row.size() != 3)
      table.fail(i, fmt::format("{} columns", row.size()), fmt::format("expected {}", kBigramColumns));
    const std::optional<Count> count = parse_count(row[2]);
    if (!count || *count == 0)
      table.fail(i, fmt::format("'{}' is not a count", shown(row[2])),
                 fmt::format("expected {}", kBigramColumns));
    pairs.push_back({class_at(table, i, 0, numbers), class_at(table, i, 1, numbers), *count});
  }
  return PairCounts::from_pairs(numbers.size(), std::move(pairs));
}

void write_class_bigrams(const PairCounts& bigrams, const Sink& sink) {
  std::string buffer = "# firth class bigrams 1\n# left\tright\tcount\n";
  for (WordId left = 0; left < bigrams.rows(); ++left) {
    const auto rights = bigrams.right_words(left);
    const auto counts = bigrams.right_counts(left);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      fmt::format_to(std::back_inserter(buffer), "{}\t{}\t{}\n", left, rights[i], counts[i]);
    }
    if (buffer.size() < kBufferBytes) continue;
    sink(buffer);
    buffer.clear();
  }
  sink(buffer);
}

}  // namespace firth::clusters

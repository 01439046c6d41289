// The scores of a comparison by name, for every way to print them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "firth/compare.hpp"

namespace firth::report {

/// Which of two scores is better.
enum class Better { neither, lower, higher };

/// One score of a run.
struct Score {
  std::string_view key;      ///< in TSV and JSON
  std::string_view heading;  ///< for people
  int digits = 2;
  double factor = 1;  ///< for people: 100 for percent
  Better better = Better::neither;
  std::function<std::optional<double>(const ComparedRun&)> of;
  bool of_text = false;  ///< depends on how the text was read
};

/// Every score there is.
const std::vector<Score>& all_scores();

/// Those that at least one run has.
std::vector<Score> used_scores(std::span<const ComparedRow> rows);

/// Mean and standard deviation of a score over the runs of a row.
struct Spread {
  double mean = 0;
  double deviation = 0;
  std::size_t runs = 0;
};
std::optional<Spread> spread(const ComparedRow& row, const Score& score);

/// The number of classes that a row stands for.
ClassId classes_of(const ComparedRow& row);

/// Whether no row with the same number of classes (and, where it matters, of text that was read in the same way) has a
/// better mean; false if there is nothing to choose from.
bool is_best(std::span<const ComparedRow> rows, const ComparedRow& row, const Score& score);

/// Whether some row says how its text was read.
bool has_reading(std::span<const ComparedRow> rows);

/// Whether some row has more than one run.
bool has_stability(std::span<const ComparedRow> rows);

}  // namespace firth::report

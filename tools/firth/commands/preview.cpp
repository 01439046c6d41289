#include "commands/preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace firth::cli {
namespace {

constexpr std::size_t kClassesShown = 12;
constexpr std::size_t kLineWidth = 96;
constexpr std::size_t kMinWordsToShow = 6;

/// Classes with several words, spread evenly over all such classes from the most frequent to the least.
std::vector<ClassId> classes_to_show(const std::vector<std::vector<WordId>>& members) {
  std::vector<ClassId> candidates;
  for (ClassId c = 0; c < members.size(); ++c) {
    if (members[c].size() >= kMinWordsToShow) candidates.push_back(c);
  }
  if (candidates.empty()) {
    candidates.resize(members.size());
    std::iota(candidates.begin(), candidates.end(), ClassId{0});
  }
  const std::size_t shown = std::min(kClassesShown, candidates.size());
  std::vector<ClassId> chosen;
  for (std::size_t i = 0; i < shown; ++i) chosen.push_back(candidates[i * candidates.size() / shown]);
  return chosen;
}

/// Length in code points, near enough to columns.
std::size_t width(std::string_view word) {
  return static_cast<std::size_t>(
      std::count_if(word.begin(), word.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

}  // namespace

std::string preview(const Clustering& clustering) {
  const auto members = clustering.members();
  std::string text;
  for (const ClassId c : classes_to_show(members)) {
    std::string line = fmt::format("{:>6} |", c);
    std::size_t used = line.size();
    for (const WordId word : members[c]) {
      const std::string_view spelling = clustering.vocabulary().word(word);
      used += 1 + width(spelling);
      if (used > kLineWidth) break;
      line += fmt::format(" {}", spelling);
    }
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

}  // namespace firth::cli

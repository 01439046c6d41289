#include "tagger/case_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace firth::tagger {
namespace {

constexpr int kLevelsPerDoubling = 4;
constexpr std::size_t kCountLevels = 256;
constexpr int kMaxRatio = 6;

/// 2^(k/4), from square roots, which are the same on every machine.
std::array<double, kCountLevels> make_powers() {
  const double half = std::sqrt(2.0);
  const double quarter = std::sqrt(half);
  const std::array<double, kLevelsPerDoubling> parts = {1, quarter, half, half * quarter};
  std::array<double, kCountLevels> powers{};
  for (std::size_t k = 0; k < kCountLevels; ++k) {
    powers[k] = std::ldexp(parts[k % kLevelsPerDoubling], static_cast<int>(k / kLevelsPerDoubling));
  }
  return powers;
}

const std::array<double, kCountLevels>& powers() {
  static const std::array<double, kCountLevels> kPowers = make_powers();
  return kPowers;
}

Count count_of(std::uint8_t level) {
  constexpr double kMax = 0x1p40;  // sums of such counts do not overflow
  return static_cast<Count>(std::min(powers()[level], kMax)) - 1;
}

/// a / 4 rounded to the nearest whole number, halves up.
int quarter(int a) {
  return (a + 2 >= 0 ? a + 2 : a - 1) / 4;
}

}  // namespace

std::uint8_t level_of(Count count) {
  const auto above = std::upper_bound(powers().begin(), powers().end(), static_cast<double>(count) + 1);
  return static_cast<std::uint8_t>(above - powers().begin() - 1);
}

std::vector<std::uint8_t> levels_of(const Vocabulary& words) {
  const auto counts = words.counts();
  if (std::all_of(counts.begin(), counts.end(), [](Count count) { return count == 0; })) return {};
  std::vector<std::uint8_t> levels;
  for (const Count count : counts) levels.push_back(level_of(count));
  return levels;
}

CaseCounts::CaseCounts(const Vocabulary& words, std::vector<std::uint8_t> levels)
    : levels_(std::move(levels)) {
  if (levels_.empty()) return;
  text::UnicodeWords unicode;
  words_.reserve(words.size());
  letters_.reserve(words.size());
  for (WordId word = 0; word < words.size(); ++word) {
    if (words_.find_or_add(hash_text(0, words.word(word))) == known_.size()) known_.push_back(levels_[word]);
    const std::uint32_t letters = letters_.find_or_add(hash_text(0, unicode.lower(words.word(word))));
    if (letters == totals_.size()) totals_.push_back(0);
    totals_[letters] += count_of(levels_[word]);
  }
}

CaseCounts::Seen CaseCounts::find(std::string_view word, std::string_view lower) const {
  const std::uint32_t number = words_.find(hash_text(0, word));
  const std::uint32_t letters = letters_.find(hash_text(0, lower));
  const std::uint8_t level = number < known_.size() ? known_[number] : std::uint8_t{0};
  const Count all = letters < totals_.size() ? totals_[letters] : 0;
  const Count others = all - std::min(all, count_of(level));
  const int ratio = quarter(static_cast<int>(level) - static_cast<int>(level_of(others)));
  return {std::clamp(ratio, -kMaxRatio, kMaxRatio), level / (2 * kLevelsPerDoubling)};
}

}  // namespace firth::tagger

#include "phrases/joiner.hpp"

#include <algorithm>
#include <utility>

namespace firth::phrases {
namespace {

std::uint64_t key(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

}  // namespace

std::uint32_t UnitTable::number(const std::string& word) {
  const auto [place, fresh] = numbers_.emplace(word, static_cast<std::uint32_t>(names_.size()));
  if (fresh) {
    names_.push_back(word);
    lengths_.push_back(1);
  }
  return place->second;
}

void UnitTable::add(const Phrase& phrase) {
  const std::uint32_t left = number(phrase.left);
  const std::uint32_t right = number(phrase.right);
  const std::uint32_t unit = number(phrase.left + joiner_ + phrase.right);
  lengths_[unit] = lengths_[left] + lengths_[right];
  pairs_.emplace(key(left, right), Join{unit, phrase.round});
  rounds_ = std::max(rounds_, phrase.round);
}

std::optional<std::uint32_t> UnitTable::find(std::string_view word) const {
  const auto place = numbers_.find(std::string(word));
  return place == numbers_.end() ? std::nullopt : std::optional(place->second);
}

std::optional<std::uint32_t> UnitTable::joined(std::uint32_t left, std::uint32_t right,
                                               std::uint32_t round) const {
  const auto place = pairs_.find(key(left, right));
  const bool known = place != pairs_.end() && place->second.round <= round;
  return known ? std::optional(place->second.unit) : std::nullopt;
}

std::uint32_t UnitTable::length(std::string_view word) const {
  const auto unit = find(word);
  return unit ? lengths_[*unit] : 1;
}

std::optional<std::uint32_t> JoinedReader::unit_of(WordId word) {
  for (auto next = static_cast<WordId>(unit_of_.size()); next < reader_.word_count(); ++next)
    unit_of_.push_back(units_.find(reader_.word(next)));
  return unit_of_[word];
}

bool JoinedReader::join_once(std::uint32_t round) {
  result_.clear();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const bool candidates = i + 1 < items_.size() && items_[i].unit && items_[i + 1].unit;
    const auto unit = candidates ? units_.joined(*items_[i].unit, *items_[i + 1].unit, round) : std::nullopt;
    if (!unit) {
      result_.push_back(items_[i]);
      continue;
    }
    result_.push_back({unit, units_.name(*unit)});
    ++joins_;
    ++i;
  }
  const bool changed = result_.size() < items_.size();
  items_.swap(result_);
  return changed;
}

bool JoinedReader::next(std::vector<std::string_view>& sentence) {
  std::span<const WordId> words;
  if (!reader_.next(words)) return false;
  items_.clear();
  for (const WordId word : words) items_.push_back({unit_of(word), reader_.word(word)});
  for (std::uint32_t round = 1; round <= units_.rounds(); ++round)
    while (join_once(round)) continue;
  sentence.clear();
  for (const Item& item : items_) sentence.push_back(item.word);
  return true;
}

}  // namespace firth::phrases

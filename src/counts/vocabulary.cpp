#include <utility>

#include "counts/vocabulary_storage.hpp"
#include "firth/counts.hpp"
#include "text/word_order.hpp"

namespace firth {
// By value, so that another version may keep the words.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Vocabulary Vocabulary::from_words(std::vector<std::pair<std::string, Count>> words) {
  std::vector<text::CountedWord> counted;
  counted.reserve(words.size());
  for (const auto& [word, count] : words) counted.push_back({word, count});
  const auto storage = std::make_shared<counts::VocabularyStorage>();
  storage->counts.reserve(words.size());
  for (const std::uint32_t place : text::frequency_order(counted)) {
    storage->add(counted[place].word, counted[place].count);
  }
  return counts::make_vocabulary(storage);
}

Vocabulary::Vocabulary(std::span<const std::uint64_t> offsets, std::string_view bytes,
                       std::span<const Count> counts, std::shared_ptr<const void> owner)
    : offsets_(offsets), bytes_(bytes), counts_(counts), owner_(std::move(owner)) {}

WordIndex::WordIndex(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
  ids_.reserve(vocabulary_.size());
  for (WordId id = 0; id < vocabulary_.size(); ++id) ids_.emplace(vocabulary_.word(id), id);
}

std::optional<WordId> WordIndex::find(std::string_view word) const {
  const auto found = ids_.find(word);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace firth

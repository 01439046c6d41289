#include "text/vocabulary_choice.hpp"

#include <string>
#include <string_view>
#include <unordered_set>

#include "text/word_list.hpp"

namespace firth::text {

std::vector<bool> choose_words(std::span<const CountedWord> ranked, const VocabularyOptions& options,
                               const RunOptions& run) {
  const bool listed_only = !options.vocab_file.empty();
  std::vector<ListedWord> list;
  if (listed_only) list = read_word_list(options.vocab_file, run);
  std::unordered_set<std::string_view> listed;
  for (const ListedWord& word : list) listed.insert(word.word);
  std::vector<bool> chosen(ranked.size());
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (options.rare == RarePolicy::unk && ranked[i].word == kUnknownWord) {
      chosen[i] = true;
      continue;
    }
    if (ranked[i].count < options.min_count) continue;
    if (options.max_vocab > 0 && taken == options.max_vocab) continue;
    if (listed_only && !listed.contains(ranked[i].word)) continue;
    chosen[i] = true;
    ++taken;
  }
  return chosen;
}

}  // namespace firth::text

#include "cluster/brown/order.hpp"

#include <fmt/format.h>

#include "firth/brown.hpp"
#include "firth/error.hpp"
#include "text/word_list.hpp"

namespace firth {

std::vector<WordId> load_word_order(const Inputs& list, const Vocabulary& vocabulary, const RunOptions& run) {
  const WordIndex index(vocabulary);
  std::vector<bool> seen(vocabulary.size());
  std::vector<WordId> order;
  for (const auto& [word, line] : text::read_word_list(list, run)) {
    const auto id = index.find(word);
    if (!id)
      throw InputError({list.first_name(), line},
                       fmt::format("the word \"{}\" is not in the vocabulary", word),
                       "list words of the text only, one per line");
    if (seen[*id])
      throw InputError({list.first_name(), line}, fmt::format("the word \"{}\" is listed twice", word),
                       "list every word once");
    seen[*id] = true;
    order.push_back(*id);
  }
  return order;
}

namespace brown {

void require_order(std::span<const WordId> order, std::size_t words) {
  std::vector<bool> seen(words);
  for (const WordId word : order) {
    if (word >= words || seen[word])
      throw UsageError(fmt::format("word {} of the order is unknown or repeated", word),
                       "every word may be listed once", "BrownOptions::order");
    seen[word] = true;
  }
}

std::vector<WordId> entry_order(const Counts& counts, const BrownOptions& options) {
  const std::size_t words = counts.vocabulary().size();
  require_order(options.order, words);
  std::vector<WordId> order = options.order;
  std::vector<bool> seen(words);
  for (const WordId word : order) seen[word] = true;
  for (WordId word = 0; word < words; ++word)
    if (!seen[word]) order.push_back(word);
  return order;
}

}  // namespace brown
}  // namespace firth

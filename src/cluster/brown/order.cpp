#include "cluster/brown/order.hpp"

#include <fmt/format.h>

#include "firth/error.hpp"
#include "text/word_list.hpp"

namespace firth::brown {
namespace {

std::vector<WordId> read_order(const Vocabulary& vocabulary, const std::string& path, const RunOptions& run) {
  const WordIndex index(vocabulary);
  std::vector<bool> seen(vocabulary.size());
  std::vector<WordId> order;
  for (const auto& [word, line] : text::read_word_list(path, run)) {
    const auto id = index.find(word);
    if (!id)
      throw InputError({path, line}, fmt::format("the word \"{}\" is not in the vocabulary", word),
                       "list words of the text only, one per line");
    if (seen[*id])
      throw InputError({path, line}, fmt::format("the word \"{}\" is listed twice", word),
                       "list every word once");
    seen[*id] = true;
    order.push_back(*id);
  }
  return order;
}

}  // namespace

std::vector<WordId> entry_order(const Counts& counts, const BrownOptions& options, const RunOptions& run) {
  if (!options.order.empty() && !options.order_file.empty())
    throw UsageError("an order and an order file are given", "give one of them");
  const std::size_t words = counts.vocabulary().size();
  std::vector<WordId> order =
      options.order_file.empty() ? options.order : read_order(counts.vocabulary(), options.order_file, run);
  std::vector<bool> seen(words);
  for (const WordId word : order) {
    if (word >= words || seen[word])
      throw UsageError(fmt::format("word {} of the order is unknown or repeated", word),
                       "every word may be listed once");
    seen[word] = true;
  }
  for (WordId word = 0; word < words; ++word)
    if (!seen[word]) order.push_back(word);
  return order;
}

}  // namespace firth::brown
